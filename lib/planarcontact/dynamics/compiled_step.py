"""One compiled step of the hull method: a working set of generators that grows until nothing penetrates."""

import math

import numpy as np

from .compiled_newton import newton
from .compiled_state import (
    BALL, ECP, END, FINISH, GAP, HEAD, MASS, NO_IMPULSE, NORMAL, OFFSET, ORIENTATION, POSITION, RADIUS, SPEED, STEP, TURNED,
    WORLD_INERTIA, place,
)  # fmt: skip
from .compiled_work import GAIN, TURN, contact_work, turn_of
from .jit import njit
from .small import rotation, solve

__all__ = ["CAPACITY", "step"]

CAPACITY = 40  # columns of the working set; three independent points carry any ECP, so it is never near this
CONVERGED, ITERATION_LIMIT, STALLED, NOT_FINITE = 0, 1, 2, 3  # as in Status, whose members numba cannot read
ROUNDS = 60  # cap on growths of the working set
SUNK = 2e-15  # of the radius: a generator outside the working set that lies deeper joins it


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
def predict(p, s, c, k, points, discs, velocity, z, e, m):
    """Fill z with free motion, and the impulse at the body's lowest point that keeps it above the plane."""
    for i in range(3 + k):
        z[3 + i] = 0.0
    for i in range(3):
        z[i] = velocity[3 + i]
    place(p, s, c, k, z, e)
    height, _, x0, x1, x2 = lowest(p, points, discs, e)
    if height >= 0.0 or k == 0:
        return
    lever, matrix = m[0, 0], m[1]
    r0 = e[TURNED] * x0 + e[TURNED + 1] * x1 + e[TURNED + 2] * x2
    r1 = e[TURNED + 3] * x0 + e[TURNED + 4] * x1 + e[TURNED + 5] * x2
    r2 = e[TURNED + 6] * x0 + e[TURNED + 7] * x1 + e[TURNED + 8] * x2
    a0, a1, a2 = (
        r1 * p[NORMAL + 2] - r2 * p[NORMAL + 1],
        r2 * p[NORMAL] - r0 * p[NORMAL + 2],
        r0 * p[NORMAL + 1] - r1 * p[NORMAL],
    )
    lever[0], lever[1], lever[2] = a0, a1, a2
    for i in range(3):
        for j in range(3):
            matrix[i, j] = s[WORLD_INERTIA + 3 * i + j]
    solve(matrix, lever, 3)
    push = -height / p[STEP] / (1.0 / p[MASS] + a0 * lever[0] + a1 * lever[1] + a2 * lever[2])
    best = 0
    for j in range(k):
        if c[j, HEAD] > 0.0 and c[j, GAP] < c[best, GAP]:
            best = j
    z[3 + best] = push
    for i in range(3):
        z[i] += push * lever[i]


@njit
def solve_set(p, s, c, k, scalars, points, discs, velocity, z, wide, max_iterations, tolerance, e, m, rows, kept):
    """Solve on the working set by the cascade of starts; z becomes the best iterate. Return measure, iterations, status.

    Starts: the step before, then free motion; equations: the minimum, then Fischer and Burmeister's; full steps, then
    descent. A `wide` set goes through them in the order of the JAX stepper. The first rows of `kept` (., n) are room for
    the warm start and the best iterate.
    """
    n = 6 + k
    for i in range(n):
        kept[0, i] = kept[1, i] = z[i]
    least, total, status = math.inf, 0, NOT_FINITE
    for attempt in range(5):
        if attempt == 2 or attempt == 3 or (wide and attempt == 1):
            predict(p, s, c, k, points, discs, velocity, z, e, m)
        else:
            for i in range(n):
                z[i] = kept[0, i]
        fischer = (attempt != 2 and attempt != 4) if wide else (attempt == 1 or attempt >= 3)
        cap = min(max_iterations, 12) if attempt == 0 and not wide else max_iterations
        measure, count = newton(p, s, c, k, scalars, z, fischer, attempt >= 3, cap, tolerance, e, m, rows)
        total += count
        if measure < least:
            least = measure
            for i in range(n):
                kept[1, i] = z[i]
            status = ITERATION_LIMIT if count >= max_iterations else STALLED
        if least <= tolerance:
            status = CONVERGED
            break
    for i in range(n):
        z[i] = kept[1, i]
    return least, total, status


@njit
def clean(p, c, k, scalars, z):
    """Make exactly zero the impulses of generators that do not touch, and bring y into its ball."""
    impulse, y = p[MASS] * p[SPEED], 3 + k
    for j in range(scalars):
        if not z[3 + j] / impulse > c[j, GAP] / p[RADIUS]:
            z[3 + j] = 0.0
    for j in range(scalars, k, 3):
        size = math.sqrt(c[j, GAP] ** 2 + c[j + 1, GAP] ** 2 + c[j + 2, GAP] ** 2)
        if not z[3 + j] / impulse > 1e-12 * size:
            z[3 + j] = z[4 + j] = z[5 + j] = 0.0
    size = math.sqrt(z[y] ** 2 + z[y + 1] ** 2 + z[y + 2] ** 2)
    if size > 1.0:
        z[y], z[y + 1], z[y + 2] = z[y] / size, z[y + 1] / size, z[y + 2] / size


@njit
def grow(p, s, points, discs, velocity, c, members, counts, z, wide, max_iterations, tolerance, e, m, rows, kept):
    """Solve on the working set, and let it grow until nothing penetrates; return measure, iterations, status, columns."""
    k = columns(points, discs, members, counts, c)
    total, measure, status = 0, math.inf, STALLED
    for _ in range(ROUNDS):
        scalars = counts[0]
        measure, count, status = solve_set(
            p, s, c, k, scalars, points, discs, velocity, z, wide, max_iterations, tolerance, e, m, rows, kept
        )
        total += count
        if status == NOT_FINITE:
            return measure, total, status, k
        place(p, s, c, k, z, e)
        height, index, x0, x1, x2 = lowest(p, points, discs, e)
        if k == 0:  # nothing pushes yet: the lowest point stands in for the ECP
            for i in range(3):
                ball = points[index, 3] if index < len(points) else 0.0
                turned = e[TURNED + 3 * i] * x0 + e[TURNED + 3 * i + 1] * x1 + e[TURNED + 3 * i + 2] * x2
                e[ECP + i] = turned - ball * p[NORMAL + i]
        if height >= -SUNK * p[RADIUS] or k + 3 > CAPACITY or not join(members, counts, z, k, index, len(points)):
            measure = max(measure, -height / p[RADIUS])
            break
        k = columns(points, discs, members, counts, c)
    if measure > tolerance and status == CONVERGED:
        status = STALLED
    return measure, total, status, k


@njit
def gain(p, s, points, discs, c, k, z, e, m):
    """Return what the contact adds to the energy at hand, from the root z and the pose before it."""
    normal = place(p, s, c, k, z, e)
    if contact_work(p, s, e, z, normal, 0.0, m) <= GAIN:
        return 0.0
    before, turned = np.zeros(FINISH), np.zeros((3, 3))
    rotation(s[ORIENTATION : ORIENTATION + 4], turned)
    for i in range(3):
        before[END + i] = s[POSITION + i]
        for j in range(3):
            before[TURNED + 3 * i + j] = turned[i, j]
    return contact_work(p, s, e, z, normal, max(0.0, -lowest(p, points, discs, before)[0]), m)


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


@njit
def step(p, s, points, discs, velocity, c, members, counts, z, max_iterations, tolerance, e, m, rows, kept):
    """Solve one step on the working set, whose impulses and friction z (omega, w, y) holds as a warm start.

    A set that grows one generator at a time can end at another root than all generators together, where the step turns
    the body far. A root with a large turn, one whose contact does work, or none at all, makes the step start again from
    all of them, which is what the JAX stepper does; a root whose contact does work is never called converged, and its
    measure is then that work. Returns measure, iterations, status, columns and p_n; z and e hold the step's end.
    `kept` (6, n) is scratch.
    """
    remember(members, counts, z, kept, 2)
    first, first_gained, first_status, first_sound, total = math.inf, math.inf, NOT_FINITE, False, 0
    measure, gained, status, k, sound = math.inf, math.inf, NOT_FINITE, 0, False
    for attempt in range(2):
        measure, count, status, k = grow(
            p, s, points, discs, velocity, c, members, counts, z, attempt == 1, max_iterations, tolerance, e, m, rows, kept
        )
        total += count
        gained = math.inf if status == NOT_FINITE else gain(p, s, points, discs, c, k, z, e, m)
        sound = status == CONVERGED and gained <= GAIN
        if attempt == 1 or (sound and turn_of(p, velocity, z) <= TURN):
            break
        remember(members, counts, z, kept, 4)
        first, first_gained, first_status, first_sound = measure, gained, status, sound
        recall(members, counts, z, kept, 2)
        widen(points, discs, members, counts, z)
    if not sound and (first_sound or (first_gained <= GAIN and (first < measure or not gained <= GAIN))):
        recall(members, counts, z, kept, 4)
        measure, gained, status = first, first_gained, first_status
        k = columns(points, discs, members, counts, c)
    if status == CONVERGED and not gained <= GAIN:
        measure, status = max(measure, gained), STALLED
    if status == NOT_FINITE:
        return measure, total, status, k, 0.0
    place(p, s, c, k, z, e)
    clean(p, c, k, counts[0], z)
    normal = place(p, s, c, k, z, e)
    if normal <= NO_IMPULSE * p[MASS] * p[SPEED]:
        _, index, x0, x1, x2 = lowest(p, points, discs, e)
        for i in range(3):
            ball = points[index, 3] if index < len(points) else 0.0
            e[ECP + i] = e[TURNED + 3 * i] * x0 + e[TURNED + 3 * i + 1] * x1 + e[TURNED + 3 * i + 2] * x2 - ball * p[NORMAL + i]
    return measure, total, status, k, normal
