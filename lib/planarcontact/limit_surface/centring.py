"""The last digits of a fit: Newton's method on the central path, down to a fixed duality gap.

An interior-point solver stops somewhere within its tolerance, and where depends on rounding. The point of the central path
at a fixed gap is unique, depends smoothly on the data, and proves its own gap, for the barrier's gradient there is a
feasible dual point. So results do not hinge on the machine, and turning the data turns the result.
"""

from collections.abc import Callable

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
    from .centring_kernel import barrier

    orders = np.array(cone.blocks)
    mu = GAP / float(np.sum(orders))
    for push in (0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5):
        start = x + push * inside
        found = barrier(cone.operator @ start - margin, cone.operator, orders)
        if found[0]:
            break
    else:
        return None
    x = start
    for _ in range(_STEPS):
        loss = derivatives(x[: len(x) - cone.free])
        if loss is None or not found[0]:
            return None
        _, gradient, hessian = found
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
        found = barrier(cone.operator @ x - margin, cone.operator, orders)
    return None


def centre_quadratic(
    hessian: Array, gradient: Array, cone: ConvexCone, margin: Array, x: Array, inside: Array
) -> Array | None:
    """Return what `centre` returns for the loss b' hessian b / 2 + gradient . b, compiled."""
    from .centring_kernel import centre_quadratic as compiled

    orders = np.array(cone.blocks)
    mu = GAP / float(np.sum(orders))
    out = x.copy()
    found = compiled(hessian, gradient, cone.operator, margin, orders, out, inside, mu, _STEPS)
    return out if found else None


def inside(cone: ConvexCone, rows: Array) -> bool:
    """Return whether the blocks in these rows are positive definite."""
    from .centring_kernel import factor

    return bool(factor(rows, np.array(cone.blocks), np.empty((sum(cone.blocks), max(cone.blocks)))))
