"""Solving the compiled step on a working set that grows until nothing penetrates."""

import math

from .compiled_cascade import CONVERGED, NOT_FINITE, STALLED, cascade, continued, sticking
from .compiled_set import CAPACITY, columns, join, lowest
from .compiled_state import ECP, NORMAL, RADIUS, TURNED, place
from .jit import njit

__all__ = ["CONTINUED", "STICKING", "WARM", "WIDE", "grow", "stand_in"]

WARM, WIDE, STICKING, CONTINUED = 0, 1, 2, 3  # ways to look for a root, in this order
ROUNDS = 60  # cap on growths of the working set
SUNK = 2e-15  # of the radius: a generator outside the working set that lies deeper joins it


@njit
def stand_in(p, points, index, x0, x1, x2, e):
    """Write the body's lowest point, as `lowest` returns it, where the impulses define no ECP."""
    ball = points[index, 3] if index < len(points) else 0.0
    for i in range(3):
        turned = e[TURNED + 3 * i] * x0 + e[TURNED + 3 * i + 1] * x1 + e[TURNED + 3 * i + 2] * x2
        e[ECP + i] = turned - ball * p[NORMAL + i]


@njit
def grow(p, s, points, discs, velocity, c, members, counts, z, way, max_iterations, tolerance, e, m, rows, kept):
    """Solve on the working set, and let it grow until nothing penetrates.

    Returns measure, iterations, status, columns and p_n; e holds the step's end for z.
    """
    k = columns(points, discs, members, counts, c)
    total, measure, status, normal = 0, math.inf, STALLED, 0.0
    for _ in range(ROUNDS):
        scalars = counts[0]
        if way == STICKING:
            measure, count, status = sticking(
                p, s, c, k, scalars, points, discs, velocity, z, max_iterations, tolerance, e, m, rows, kept
            )
        elif way == CONTINUED:
            measure, count, status = continued(
                p, s, c, k, scalars, points, discs, velocity, z, max_iterations, tolerance, e, m, rows, kept
            )
        else:
            measure, count, status = cascade(
                p, s, c, k, scalars, points, discs, velocity, z, way == WIDE, max_iterations, tolerance, e, m, rows, kept
            )
        total += count
        if status == NOT_FINITE:
            return measure, total, status, k, normal
        normal = place(p, s, c, k, z, e)
        height, index, x0, x1, x2 = lowest(p, points, discs, e)
        if k == 0:  # nothing pushes yet
            stand_in(p, points, index, x0, x1, x2, e)
        done = height >= -SUNK * p[RADIUS] or (way >= STICKING and status != CONVERGED) or k + 3 > CAPACITY
        if done or not join(members, counts, z, k, index, len(points)):
            measure = max(measure, -height / p[RADIUS])
            break
        k = columns(points, discs, members, counts, c)
    if measure > tolerance and status == CONVERGED:
        status = STALLED
    return measure, total, status, k, normal
