"""The working set of generators of one compiled step: which take part, their columns, and the body's lowest point."""

import math

from .compiled_state import BALL, END, HEAD, NORMAL, OFFSET, TURNED
from .jit import njit

__all__ = ["CAPACITY", "columns", "join", "lowest", "recall", "remember", "widen"]

CAPACITY = 40  # columns of the working set; three independent points carry any ECP, so it is never near this


@njit
def columns(points, discs, members, counts, c):
    """Fill the columns from the working set, points before discs; return their number."""
    for j in range(counts[0]):
        for i in range(4):
            c[j, i] = points[members[j], i]
        c[j, HEAD] = 1.0
    k = counts[0]
    for j in range(counts[0], counts[0] + counts[1]):
        for row in range(3):
            for i in range(3):
                c[k + row, i] = discs[members[j], 3 * row + i]
            c[k + row, BALL] = 0.0
            c[k + row, HEAD] = 1.0 if row == 0 else 0.0
        k += 3
    return k


@njit
def lowest(p, points, discs, e):
    """Return the height of the body's lowest point at the pose in e, and its generator (discs counted after points).

    The last three values returned are that point in the body frame [m], for a sphere its centre.
    """
    level = -p[OFFSET]
    for i in range(3):
        level += p[NORMAL + i] * e[END + i]
    d0 = p[NORMAL] * e[TURNED] + p[NORMAL + 1] * e[TURNED + 3] + p[NORMAL + 2] * e[TURNED + 6]
    d1 = p[NORMAL] * e[TURNED + 1] + p[NORMAL + 1] * e[TURNED + 4] + p[NORMAL + 2] * e[TURNED + 7]
    d2 = p[NORMAL] * e[TURNED + 2] + p[NORMAL + 1] * e[TURNED + 5] + p[NORMAL + 2] * e[TURNED + 8]
    least, index = math.inf, 0
    for j in range(len(points)):
        height = d0 * points[j, 0] + d1 * points[j, 1] + d2 * points[j, 2] - points[j, 3]
        if height < least:
            least, index = height, j
    x0 = x1 = x2 = 0.0
    if len(points) > 0:
        x0, x1, x2 = points[index, 0], points[index, 1], points[index, 2]
    for j in range(len(discs)):
        height = d0 * discs[j, 0] + d1 * discs[j, 1] + d2 * discs[j, 2]
        a = d0 * discs[j, 3] + d1 * discs[j, 4] + d2 * discs[j, 5]
        b = d0 * discs[j, 6] + d1 * discs[j, 7] + d2 * discs[j, 8]
        rise = math.sqrt(a * a + b * b)
        if height - rise < least:
            least, index = height - rise, len(points) + j
            if rise > 0.0:
                a, b = a / rise, b / rise
            x0 = discs[j, 0] - a * discs[j, 3] - b * discs[j, 6]
            x1 = discs[j, 1] - a * discs[j, 4] - b * discs[j, 7]
            x2 = discs[j, 2] - a * discs[j, 5] - b * discs[j, 8]
    return level + least, index, x0, x1, x2


@njit
def join(members, counts, z, k, index, points):
    """Add a generator to the working set, with room for its impulses in z, unless it is there; return whether it is new."""
    first, last = (0, counts[0]) if index < points else (counts[0], counts[0] + counts[1])
    which = index if index < points else index - points
    for j in range(first, last):
        if members[j] == which:
            return False
    for j in range(counts[0] + counts[1], last, -1):
        members[j] = members[j - 1]
    members[last] = which
    at, width, kind = (3 + counts[0], 1, 0) if index < points else (3 + k, 3, 1)
    counts[kind] += 1
    for i in range(k + 5, at - 1, -1):
        z[i + width] = z[i]
    for i in range(width):
        z[at + i] = 0.0
    return True


@njit
def widen(points, discs, members, counts, z):
    """Add to the working set every generator, or as many, evenly picked, as there is room for."""
    k = counts[0] + 3 * counts[1]
    count = len(points) + len(discs)
    room = CAPACITY - 4 - k
    stride = max(1, -(-(len(points) + 3 * len(discs)) // max(room, 1)))
    for index in range(0, count, stride):
        width = 1 if index < len(points) else 3
        if k + width + 3 <= CAPACITY and join(members, counts, z, k, index, len(points)):
            k += width


@njit
def remember(members, counts, z, kept, row):
    """Copy a working set and its unknowns to two rows of `kept`."""
    for i in range(len(z)):
        kept[row, i] = z[i]
    for j in range(CAPACITY):
        kept[row + 1, j] = members[j]
    kept[row + 1, CAPACITY], kept[row + 1, CAPACITY + 1] = counts[0], counts[1]


@njit
def recall(members, counts, z, kept, row):
    """Copy a working set and its unknowns back from two rows of `kept`."""
    for i in range(len(z)):
        z[i] = kept[row, i]
    for j in range(CAPACITY):
        members[j] = int(kept[row + 1, j])
    counts[0], counts[1] = int(kept[row + 1, CAPACITY]), int(kept[row + 1, CAPACITY + 1])
