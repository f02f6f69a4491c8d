"""Where the compiled step's Newton iterations start, other than at the step before."""

import math

from .compiled_set import lowest
from .compiled_state import (
    AXES, FREE, GAP, HEAD, MASS, MOMENTUM, MU, NORMAL, OTHER, STEP, TANGENT, TURNED, WORLD_INERTIA, place,
)  # fmt: skip
from .jit import njit
from .small import solve

__all__ = ["predict", "stick"]


@njit
def nearest(c, k):
    """Return the column of the lowest generator at the pose for which `place` was called."""
    best = 0
    for j in range(k):
        if c[j, HEAD] > 0.0 and c[j, GAP] < c[best, GAP]:
            best = j
    return best


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
    z[3 + nearest(c, k)] = push
    for i in range(3):
        z[i] += push * lever[i]


@njit
def stick(p, s, c, k, points, discs, velocity, z, e, rows):
    """Fill z with the motion in which friction, however large, stops the body's lowest point.

    The moment about that point r is balanced while it comes to rest, and the spin about the normal with it:
    (I + m (r.r - r r')) omega - n p_r = L_free - m r x v_free and n.omega = 0. The friction that this takes is cut off at
    its limit; a contact that would have to pull leaves no impulse. The first rows of `rows` are scratch.
    """
    for i in range(3 + k):
        z[3 + i] = 0.0
    for i in range(3):
        z[i] = velocity[3 + i]
    place(p, s, c, k, z, e)
    if k == 0:
        return
    best = nearest(c, k)
    _, index, x0, x1, x2 = lowest(p, points, discs, e)
    ball = points[index, 3] if index < len(points) else 0.0
    r, spin, push = rows[4], rows[5], rows[6]
    for i in range(3):
        r[i] = e[TURNED + 3 * i] * x0 + e[TURNED + 3 * i + 1] * x1 + e[TURNED + 3 * i + 2] * x2 - ball * p[NORMAL + i]
    square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
    for i in range(3):
        a, b = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            rows[i, j] = s[WORLD_INERTIA + 3 * i + j] + p[MASS] * ((square if i == j else 0.0) - r[i] * r[j])
        rows[i, 3], rows[3, i] = -p[NORMAL + i], p[NORMAL + i]
        spin[i] = s[MOMENTUM + i] - p[MASS] * (r[a] * s[FREE + b] - r[b] * s[FREE + a])
    rows[3, 3] = spin[3] = 0.0
    if not solve(rows, spin, 4):
        return
    normal = first = second = 0.0
    for i in range(3):
        a, b = (i + 1) % 3, (i + 2) % 3
        push[i] = -p[MASS] * (s[FREE + i] + spin[a] * r[b] - spin[b] * r[a])
        normal += push[i] * p[NORMAL + i]
        first += push[i] * p[TANGENT + i]
        second += push[i] * p[OTHER + i]
        z[i] = spin[i]
    limit = p[MU] * normal
    if not normal > 0.0:
        return
    z[3 + best] = normal
    if limit > 0.0:
        y0, y1, y2 = first / (limit * p[AXES]), second / (limit * p[AXES + 1]), spin[3] / (limit * p[AXES + 2])
        size = max(1.0, math.sqrt(y0 * y0 + y1 * y1 + y2 * y2))
        z[3 + k], z[4 + k], z[5 + k] = y0 / size, y1 / size, y2 / size
