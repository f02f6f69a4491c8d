"""Solving the compiled step on one working set: cascades of starts, and continuation in the friction coefficient."""

import math

from .compiled_newton import newton
from .compiled_starts import predict, stick
from .compiled_state import MU
from .jit import njit

__all__ = ["CONVERGED", "ITERATION_LIMIT", "NOT_FINITE", "STALLED", "cascade", "continued", "sticking"]

CONVERGED, ITERATION_LIMIT, STALLED, NOT_FINITE = 0, 1, 2, 3  # as in Status, whose members numba cannot read
FIRST, SHORTEST, PATIENCE, PARTS = 0.1, 1e-4, 15, 200  # steps along mu: first, least; iterations of each; cap on their number


@njit
def cascade(p, s, c, k, scalars, points, discs, velocity, z, wide, max_iterations, tolerance, e, m, rows, kept):
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
def either(p, s, c, k, scalars, z, kept, fischer, cap, tolerance, e, m, rows):
    """Improve z by full steps on both forms of the equations, one after the other, until one converges.

    Returns measure, iterations, status. The first row of `kept` is scratch.
    """
    n, total, measure, status = 6 + k, 0, math.inf, NOT_FINITE
    for i in range(n):
        kept[0, i] = z[i]
    for attempt in range(2):
        for i in range(n):
            z[i] = kept[0, i]
        measure, count = newton(p, s, c, k, scalars, z, fischer == (attempt == 0), False, cap, tolerance, e, m, rows)
        total += count
        if measure <= tolerance:
            return measure, total, CONVERGED
        if measure < math.inf:
            status = ITERATION_LIMIT if count >= cap else STALLED
    return measure, total, status


@njit
def sticking(p, s, c, k, scalars, points, discs, velocity, z, max_iterations, tolerance, e, m, rows, kept):
    """Solve from the motion in which the lowest point is stopped: roots that stick lie behind a ridge for other starts."""
    stick(p, s, c, k, points, discs, velocity, z, e, rows)
    return either(p, s, c, k, scalars, z, kept, True, max_iterations, tolerance, e, m, rows)


@njit
def continued(p, s, c, k, scalars, points, discs, velocity, z, max_iterations, tolerance, e, m, rows, kept):
    """Solve without friction, and follow the root while the coefficient of friction grows to its value."""
    mu, reached, part, total = p[MU], 0.0, FIRST, 0
    predict(p, s, c, k, points, discs, velocity, z, e, m)
    p[MU] = 0.0
    measure, count, status = either(p, s, c, k, scalars, z, kept, True, max_iterations, tolerance, e, m, rows)
    total += count
    for _ in range(PARTS):
        if measure > tolerance or reached >= mu or part < SHORTEST:
            break
        for i in range(6 + k):
            kept[1, i] = z[i]
        p[MU] = min(reached + part, mu)
        cap = min(PATIENCE, max_iterations)
        ahead, count, _ = either(p, s, c, k, scalars, z, kept, False, cap, tolerance, e, m, rows)
        total += count
        if ahead <= tolerance:
            measure, reached, part = ahead, p[MU], 2.0 * part
        else:
            part *= 0.5
            for i in range(6 + k):
                z[i] = kept[1, i]
    p[MU] = mu
    if reached < mu and measure <= tolerance:
        return math.inf, total, STALLED
    return measure, total, status
