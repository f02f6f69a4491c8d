"""The compiled loop over the steps of one scene."""

import numpy as np

from .compiled_state import (
    AXES, ECP, END, EXPLICIT, FINISH, FREE, GRAVITY, INERTIA, MASS, MOMENTUM, MU, ORIENTATION, POSITION, QUATERNION, START,
    STEP, VELOCITY, WIDTH, WORLD_INERTIA,
)  # fmt: skip
from .compiled_cascade import NOT_FINITE
from .compiled_set import CAPACITY
from .compiled_step import step
from .jit import entry, njit
from .small import rotation

__all__ = ["SLOTS", "march"]

SLOTS = 12  # generators that push whose impulses are kept; three independent points carry any ECP


@njit
def begin(p, now, load, turned, s):
    """Fill s, whose pose is given, with what a step without contact does to the velocity `now` (6,) under a load (6,)."""
    h = p[STEP]
    rotation(s[ORIENTATION : ORIENTATION + 4], turned)
    for i in range(3):
        a = turned[i, 0] * p[INERTIA] + turned[i, 1] * p[INERTIA + 3] + turned[i, 2] * p[INERTIA + 6]
        b = turned[i, 0] * p[INERTIA + 1] + turned[i, 1] * p[INERTIA + 4] + turned[i, 2] * p[INERTIA + 7]
        d = turned[i, 0] * p[INERTIA + 2] + turned[i, 1] * p[INERTIA + 5] + turned[i, 2] * p[INERTIA + 8]
        for j in range(3):
            s[WORLD_INERTIA + 3 * i + j] = a * turned[j, 0] + b * turned[j, 1] + d * turned[j, 2]
    for i in range(3):
        row = WORLD_INERTIA + 3 * i
        s[MOMENTUM + i] = s[row] * now[3] + s[row + 1] * now[4] + s[row + 2] * now[5]
        s[FREE + i] = now[i] + h * load[i] / p[MASS]
    s[FREE + 2] -= h * p[GRAVITY]
    l0, l1, l2 = s[MOMENTUM], s[MOMENTUM + 1], s[MOMENTUM + 2]
    explicit = p[EXPLICIT]
    s[MOMENTUM] += h * (load[3] - explicit * (now[4] * l2 - now[5] * l1))
    s[MOMENTUM + 1] += h * (load[4] - explicit * (now[5] * l0 - now[3] * l2))
    s[MOMENTUM + 2] += h * (load[5] - explicit * (now[3] * l1 - now[4] * l0))


@njit
def forget(members, counts, z, k):
    """Drop generators that push nothing from the working set, and their impulses from z."""
    points, discs = counts[0], counts[1]
    kept = kept_points = 0
    to = 3
    for j in range(points + discs):
        at, width = (3 + j, 1) if j < points else (3 + points + 3 * (j - points), 3)
        if z[at] > 0.0:
            members[kept] = members[j]
            kept += 1
            kept_points += 1 if j < points else 0
            for i in range(width):
                z[to] = z[at + i]
                to += 1
    for i in range(3):
        z[to + i] = z[3 + k + i]
    counts[0], counts[1] = kept_points, kept - kept_points


@entry
def march(p, points, discs, position, orientation, velocity, loads, max_iterations, tolerance):
    """Take all steps of a scene with numbers `p` and its generators.

    Returns the rows of a `Record`; then for every step the generators that push (SLOTS,), discs counted after points and -1
    for none, their impulses (SLOTS, 3), and y (3,).
    """
    steps = len(loads)
    x, q, v = np.empty((steps, 3)), np.empty((steps, 4)), np.empty((steps, 6))
    ecp, impulse, residual = np.empty((steps, 3)), np.zeros((steps, 4)), np.empty(steps)
    iterations, status = np.zeros(steps, np.int64), np.zeros(steps, np.int64)
    loaded, pushes, friction = np.full((steps, SLOTS), -1), np.zeros((steps, SLOTS, 3)), np.zeros((steps, 3))
    n = CAPACITY + 6
    s, e, c = np.zeros(START), np.zeros(FINISH), np.zeros((CAPACITY, WIDTH))
    m, rows, kept, turned = np.zeros((4, 3, 3)), np.zeros((n + 7, n)), np.zeros((6, n)), np.zeros((3, 3))
    members, counts, z, now = np.zeros(CAPACITY, np.int64), np.zeros(2, np.int64), np.zeros(n), np.zeros(6)
    for i in range(3):
        s[POSITION + i] = position[i]
    for i in range(4):
        s[ORIENTATION + i] = orientation[i]
    for i in range(6):
        now[i] = velocity[i]
    for row in range(steps):
        begin(p, now, loads[row], turned, s)
        for i in range(3):
            z[i] = now[3 + i]
        residual[row], iterations[row], state, k, normal = step(
            p, s, points, discs, now, c, members, counts, z, max_iterations, tolerance, e, m, rows, kept
        )
        status[row] = state
        if state == NOT_FINITE:  # hold the state, and start the next step without memory
            counts[0] = counts[1] = 0
            z[:] = 0.0
            e[ECP] = e[ECP + 1] = e[ECP + 2] = 0.0
        else:
            for i in range(3):
                s[POSITION + i] = e[END + i]
                now[i], now[3 + i] = e[VELOCITY + i], z[i]
                impulse[row, 1 + i] = p[MU] * normal * p[AXES + i] * z[3 + k + i]
            for i in range(4):
                s[ORIENTATION + i] = e[QUATERNION + i]
            impulse[row, 0] = normal
            forget(members, counts, z, k)
            at = 3
            for j in range(min(counts[0] + counts[1], SLOTS)):
                point = j < counts[0]
                loaded[row, j] = members[j] if point else members[j] + len(points)
                for i in range(1 if point else 3):
                    pushes[row, j, i] = z[at]
                    at += 1
            for i in range(3):
                friction[row, i] = z[3 + counts[0] + 3 * counts[1] + i]
        for i in range(3):
            x[row, i], ecp[row, i] = s[POSITION + i], s[POSITION + i] + e[ECP + i]
        for i in range(4):
            q[row, i] = s[ORIENTATION + i]
        for i in range(6):
            v[row, i] = now[i]
    return x, q, v, ecp, impulse, residual, iterations, status, loaded, pushes, friction
