"""The last digits of a fit: Newton's method on the central path, down to a fixed duality gap.

An interior-point solver stops somewhere within its tolerance, and where depends on rounding. The point of the central path
at a fixed gap is unique, depends smoothly on the data, and proves its own gap, for the barrier's gradient there is a
feasible dual point. So results do not hinge on the machine, and turning the data turns the result.
"""

from collections.abc import Callable

import numba
import numpy as np
from numpy.typing import NDArray

from .convex_cone import ConvexCone

__all__ = ["GAP", "centre"]

#: Duality gap at which fits are centred; their losses are 1 at H = 0.
GAP = 1e-9
_STEPS = 60

Array = NDArray[np.float64]


def centre(
    derivatives: Callable[[Array], tuple[Array, Array] | None], cone: ConvexCone, margin: Array, x: Array, inside: Array
) -> Array | None:
    """Return the unknowns (b, w) of the central path at gap `GAP`, or None if they were not reached.

    Minimises loss(b) - mu * sum of log det(blocks of operator @ x - margin) by Newton steps, damped by 1 / (1 + decrement), from
    near an optimum x. `derivatives` gives the loss's gradient (m,) and Hessian (m, m), or None where it has none; `inside` is a
    direction into the interior of the cone.
    """
    orders = np.array(cone.blocks)
    mu = GAP / float(np.sum(orders))
    for push in (0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5):
        start = x + push * inside
        barrier = _barrier(cone.operator @ start - margin, cone.operator, orders)
        if barrier[0]:
            break
    else:
        return None
    x = start
    for _ in range(_STEPS):
        loss = derivatives(x[: len(x) - cone.free])
        if loss is None or not barrier[0]:
            return None
        _, gradient, hessian = barrier
        m = len(loss[0])
        gradient[:m] += loss[0] / mu
        hessian[:m, :m] += loss[1] / mu
        size = np.sqrt(np.diag(hessian))
        try:
            step = np.linalg.solve(hessian / size / size[:, None], -gradient / size) / size
        except np.linalg.LinAlgError:
            return None
        decrement = float(np.sqrt(max(0.0, -(gradient @ step))))
        if not np.isfinite(decrement):
            return None
        x = x + (step if decrement < 0.25 else step / (1.0 + decrement))
        if decrement < 1e-4:
            return x
        barrier = _barrier(cone.operator @ x - margin, cone.operator, orders)
    return None


@numba.njit(cache=True, error_model="numpy")
def _barrier(rows, operator, orders):  # type: ignore[no-untyped-def]
    """Whether all blocks are positive definite; gradient and Hessian of -sum of log det in the unknowns."""
    size = operator.shape[1]
    gradient, hessian = np.zeros(size), np.zeros((size, size))
    half = np.sqrt(0.5)
    start = 0
    for n in orders:
        factor = np.zeros((n, n))
        at = start
        for j in range(n):
            for i in range(j + 1):
                factor[j, i] = rows[at] * (1.0 if i == j else half)
                at += 1
        for j in range(n):
            for k in range(j):
                factor[j, j] -= factor[j, k] ** 2
            if not factor[j, j] > 0.0:
                return False, gradient, hessian
            factor[j, j] = np.sqrt(factor[j, j])
            for i in range(j + 1, n):
                for k in range(j):
                    factor[i, j] -= factor[i, k] * factor[j, k]
                factor[i, j] /= factor[j, j]
        inverse = np.zeros((n, n))
        for j in range(n):
            inverse[j, j] = 1.0 / factor[j, j]
            for i in range(j + 1, n):
                total = 0.0
                for k in range(j, i):
                    total -= factor[i, k] * inverse[k, j]
                inverse[i, j] = total / factor[i, i]
        moves = np.empty((size, n * (n + 1) // 2))
        move, left = np.empty((n, n)), np.empty((n, n))
        for v in range(size):
            at = start
            for j in range(n):
                for i in range(j + 1):
                    move[i, j] = operator[at, v] * (1.0 if i == j else half)
                    move[j, i] = move[i, j]
                    at += 1
            for i in range(n):
                for j in range(n):
                    total = 0.0
                    for k in range(i + 1):
                        total += inverse[i, k] * move[k, j]
                    left[i, j] = total
            at = 0
            for j in range(n):
                for i in range(j + 1):
                    total = 0.0
                    for k in range(j + 1):
                        total += left[i, k] * inverse[j, k]
                    if i == j:
                        gradient[v] -= total
                        moves[v, at] = total
                    else:
                        moves[v, at] = total / half
                    at += 1
        hessian += moves @ moves.T
        start += n * (n + 1) // 2
    return True, gradient, hessian
