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

__all__ = ["GAP", "centre", "centre_quadratic", "inside"]

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


def centre_quadratic(
    hessian: Array, gradient: Array, cone: ConvexCone, margin: Array, x: Array, inside: Array
) -> Array | None:
    """Return what `centre` returns for the loss b' hessian b / 2 + gradient . b, compiled."""
    orders = np.array(cone.blocks)
    mu = GAP / float(np.sum(orders))
    out = x.copy()
    found = _centre_quadratic(hessian, gradient, cone.operator, margin, orders, out, inside, mu, _STEPS)
    return out if found else None


def inside(cone: ConvexCone, rows: Array) -> bool:
    """Return whether the blocks in these rows are positive definite."""
    return bool(_factor(rows, np.array(cone.blocks), np.empty((sum(cone.blocks), max(cone.blocks)))))


@numba.njit(cache=True, error_model="numpy")
def _centre_quadratic(hessian, gradient, operator, margin, orders, x, inside, mu, steps):  # type: ignore[no-untyped-def]
    m, size = len(gradient), len(x)
    push = 0.0
    start = x.copy()
    while True:
        positive, g, h = _barrier(operator @ x - margin, operator, orders)
        if positive:
            break
        push = max(1e-9, 10.0 * push)
        if push > 1e-5:
            return False
        x[:] = start + push * inside
    scale, rest = np.empty(size), np.empty(size)
    for _ in range(steps):
        for i in range(m):
            g[i] += gradient[i] / mu
            for j in range(m):
                g[i] += hessian[i, j] * x[j] / mu
                h[i, j] += hessian[i, j] / mu
        for i in range(size):
            scale[i] = 1.0 / np.sqrt(h[i, i])
        # Cholesky in place of the scaled Hessian, then two triangular solves
        for j in range(size):
            for i in range(j, size):
                h[i, j] *= scale[i] * scale[j]
        for j in range(size):
            for k in range(j):
                h[j, j] -= h[j, k] * h[j, k]
            if not h[j, j] > 0.0:
                return False
            h[j, j] = np.sqrt(h[j, j])
            for i in range(j + 1, size):
                for k in range(j):
                    h[i, j] -= h[i, k] * h[j, k]
                h[i, j] /= h[j, j]
        decrement = 0.0
        for i in range(size):
            rest[i] = -g[i] * scale[i]
            for k in range(i):
                rest[i] -= h[i, k] * rest[k]
            rest[i] /= h[i, i]
            decrement += rest[i] * rest[i]
        decrement = np.sqrt(decrement)
        for i in range(size - 1, -1, -1):
            for k in range(i + 1, size):
                rest[i] -= h[k, i] * rest[k]
            rest[i] /= h[i, i]
        share = 1.0 if decrement < 0.25 else 1.0 / (1.0 + decrement)
        for i in range(size):
            x[i] += share * scale[i] * rest[i]
        if decrement < 1e-4:
            return True
        positive, g, h = _barrier(operator @ x - margin, operator, orders)
        if not positive:
            return False
    return False


@numba.njit(cache=True, error_model="numpy")
def _factor(rows, orders, factors):  # type: ignore[no-untyped-def]
    """Fill the blocks' Cholesky factors, one below the other; return whether all blocks are positive definite."""
    half = np.sqrt(0.5)
    at = top = 0
    for n in orders:
        factor = factors[top : top + n]
        for j in range(n):
            for i in range(j + 1):
                factor[j, i] = rows[at] * (1.0 if i == j else half)
                at += 1
        for j in range(n):
            for k in range(j):
                factor[j, j] -= factor[j, k] ** 2
            if not factor[j, j] > 0.0:
                return False
            factor[j, j] = np.sqrt(factor[j, j])
            for i in range(j + 1, n):
                for k in range(j):
                    factor[i, j] -= factor[i, k] * factor[j, k]
                factor[i, j] /= factor[j, j]
        top += n
    return True


@numba.njit(cache=True, error_model="numpy")
def _barrier(rows, operator, orders):  # type: ignore[no-untyped-def]
    """Whether all blocks are positive definite; gradient and Hessian of -sum of log det in the unknowns."""
    size = operator.shape[1]
    gradient, hessian = np.zeros(size), np.zeros((size, size))
    half = np.sqrt(0.5)
    factors = np.zeros((np.sum(orders), np.max(orders)))
    if not _factor(rows, orders, factors):
        return False, gradient, hessian
    start = top = 0
    for n in orders:
        factor = factors[top : top + n]
        top += n
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
