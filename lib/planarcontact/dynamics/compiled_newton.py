"""Semismooth Newton on a working set, compiled."""

import math

from .compiled_problem import evaluate
from .compiled_state import MASS, RADIUS, SPEED
from .jit import njit
from .small import solve

__all__ = ["newton"]

PROXIMAL = 1e-9  # keeps the Jacobian regular where impulses are not unique; it moves no root
ROUNDING = 1e-15  # below this measure another iteration gains nothing
SHORTEST = 2.0**-20


@njit
def newton(p, s, c, k, scalars, z, fischer, descend, max_iterations, tolerance, e, m, rows):
    """Improve z (6 + k,) in place to its best iterate; return the measure and the iterations.

    Every step is taken in full, or halved until |f|^2 falls if `descend`. A point that meets the tolerance gets one more
    step, unless its measure is at rounding already. `rows` (n + 7, n) is room for Jacobian, slip, f, direction, trial, best.
    """
    n, room = 6 + k, rows.shape[1]
    slip, f, direction, trial, best = rows[room : room + 3], rows[room + 3], rows[room + 4], rows[room + 5], rows[room + 6]
    impulse = p[MASS] * p[SPEED]
    for i in range(n):
        trial[i] = best[i] = z[i]
    least, merit, alpha, count, near = math.inf, math.inf, 1.0, 0, False
    while True:
        measure = evaluate(p, s, c, k, scalars, trial, fischer, e, m, slip, f, rows)
        fallen = 0.0
        for i in range(n):
            fallen += f[i] * f[i]
        if not fallen < math.inf:
            break
        if descend and not near and fallen > (1.0 - 2e-4 * alpha) * merit:
            alpha *= 0.5
            if alpha < SHORTEST:
                break
        else:
            if measure < least:
                least = measure
                for i in range(n):
                    best[i] = trial[i]
            if near or measure <= ROUNDING or count >= max_iterations:
                break
            near = measure <= tolerance
            for i in range(n):
                z[i] = trial[i]
                direction[i] = -f[i]
                rows[i, i] += PROXIMAL
            if not solve(rows, direction, n):
                break
            for i in range(n):
                direction[i] *= p[SPEED] / p[RADIUS] if i < 3 else (impulse if i < 3 + k else 1.0)
            merit, alpha, count = fallen, 1.0, count + 1
        for i in range(n):
            trial[i] = z[i] + alpha * direction[i]
    for i in range(n):
        z[i] = best[i]
    return least, count
