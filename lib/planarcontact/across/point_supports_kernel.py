"""One implicit step on point supports, compiled: Newton's method that keeps the kink of the slowest support exact."""

from functools import partial
from pathlib import Path

import numpy as np

from ..jit import compiled as njit
from ..jit import kernel_entry
from ..limit_surface import ideal_inverse_kernel
from ..limit_surface.ideal_inverse_kernel import (
    ROUNDING, STIFFEST, least_kinked, next_damping, power_change, slowest_support, span_of, stands_still, velocity_beside,
)  # fmt: skip

__all__ = ["minimise"]

entry = partial(kernel_entry, sources=[Path(ideal_inverse_kernel.__file__)])

_CAP, _HALVINGS = 200, 8
#: The slope, as a share of the free velocity, at which a step is done [-].
_DONE = 1e-15


@entry
def minimise(points, limits, free, start, velocity, force):  # type: ignore[no-untyped-def]
    """Fill V (3,) and the load F (3,) at the minimum of |V - a|^2 / 2 + sum_j limits_j |v_j|; return the iterations.

    All primed: points (P, 2) over the radius of gyration, the limits those of friction times the step over the mass.

    The unknowns are the velocity w of the slowest support and the turn n: V = B (w, n). A step minimises limit |w| plus the
    second-order model of the rest, the turn being eliminated, so that the kink at w = 0 is met exactly.
    """
    w, ahead, by, g, h = np.zeros(2), np.zeros(2), np.zeros(3), np.zeros(3), np.zeros(6)
    best_w, best = np.zeros(2), np.zeros(2)
    turn, damping, kink, count = start[2], 0.0, 0, 0
    w[0], w[1] = start[0] - turn * points[0, 1], start[1] + turn * points[0, 0]
    size, span = np.sqrt((free**2).sum()), span_of(points)
    least, best_kink, best_turn = np.inf, 0, turn
    for _ in range(_CAP):
        kink = slowest_support(points, kink, w, turn)
        if stands_still(w, turn, span):
            w[:] = 0.0
        _rest(points, limits, free, kink, w, turn, g, h)
        slope = _slope(limits[kink], w, g)
        if slope < least:
            least, best_kink, best_turn = slope, kink, turn
            best_w[:] = w
        scale = h[0] + h[3] + h[5]
        if slope <= _DONE * size or damping > STIFFEST * scale:
            break
        count += 1
        h[0], h[3], h[5] = h[0] + damping, h[3] + damping, h[5] + damping
        t = g[2] - (h[2] * w[0] + h[4] * w[1])
        p, q, r = h[0] - h[2] * h[2] / h[5], h[1] - h[2] * h[4] / h[5], h[3] - h[4] * h[4] / h[5]
        t0 = g[0] - (h[0] * w[0] + h[1] * w[1]) - h[2] * t / h[5]
        t1 = g[1] - (h[1] * w[0] + h[3] * w[1]) - h[4] * t / h[5]
        least_kinked(limits[kink], p, q, r, t0, t1, ahead)
        by[0], by[1] = ahead[0] - w[0], ahead[1] - w[1]
        by[2] = -(g[2] + h[2] * by[0] + h[4] * by[1]) / h[5]
        descent = g[0] * by[0] + g[1] * by[1] + g[2] * by[2]
        descent += limits[kink] * (np.sqrt(ahead[0] ** 2 + ahead[1] ** 2) - np.sqrt(w[0] ** 2 + w[1] ** 2))
        length, moved = 1.0, False
        for _ in range(_HALVINGS):
            change, rounds = _change(points, limits, free, kink, w, turn, by, length)
            best[0], best[1] = w[0] + length * by[0], w[1] + length * by[1]
            if change <= 1e-4 * length * min(descent, 0.0) - rounds:
                moved = True
            elif change <= rounds:  # the values only round: the slopes tell
                _rest(points, limits, free, kink, best, turn + length * by[2], g, h)
                moved = _slope(limits[kink], best, g) < (1.0 - 1e-3 * length) * slope
            if moved:
                break
            length *= 0.5
        if moved:
            w[0], w[1], turn = best[0], best[1], turn + length * by[2]
        damping = next_damping(damping, length, scale)
    _fill(points, limits, free, best_kink, best_w, best_turn, velocity, force)
    return count


@njit
def _miss(points, free, kink, w, turn):  # type: ignore[no-untyped-def]
    """V - a."""
    return w[0] + turn * points[kink, 1] - free[0], w[1] - turn * points[kink, 0] - free[1], turn - free[2]


@njit
def _rest(points, limits, free, kink, w, turn, g, h):  # type: ignore[no-untyped-def]
    """Fill gradient g (3,) and Hessian h (6: 00, 01, 02, 11, 12, 22) by (w, turn) of all but the kink."""
    x, y = points[kink, 0], points[kink, 1]
    m0, m1, m2 = _miss(points, free, kink, w, turn)
    g[0], g[1], g[2] = m0, m1, m2 + y * m0 - x * m1
    h[0], h[1], h[2], h[3], h[4], h[5] = 1.0, 0.0, y, 1.0, -x, 1.0 + x * x + y * y
    for j in range(len(points)):
        if j == kink:
            continue
        u0, u1 = velocity_beside(points, kink, j, w, turn)
        speed = np.sqrt(u0 * u0 + u1 * u1)
        if speed == 0.0:
            continue
        u0, u1 = u0 / speed, u1 / speed
        r0, r1 = -(points[j, 1] - y), points[j, 0] - x
        g[0] += limits[j] * u0
        g[1] += limits[j] * u1
        g[2] += limits[j] * (u0 * r0 + u1 * r1)
        rate, across = limits[j] / speed, u0 * r1 - u1 * r0
        h[0] += rate * u1 * u1
        h[1] -= rate * u0 * u1
        h[2] -= rate * u1 * across
        h[3] += rate * u0 * u0
        h[4] += rate * u0 * across
        h[5] += rate * across * across


@njit
def _slope(limit, w, g):  # type: ignore[no-untyped-def]
    """Size of the smallest subgradient by (w, turn)."""
    speed = np.sqrt(w[0] * w[0] + w[1] * w[1])
    if speed > 0.0:
        s0, s1 = g[0] + limit * w[0] / speed, g[1] + limit * w[1] / speed
    else:
        pull = np.sqrt(g[0] * g[0] + g[1] * g[1])
        over = max(0.0, pull - limit) / max(pull, 1e-300)
        s0, s1 = over * g[0], over * g[1]
    return np.sqrt(s0 * s0 + s1 * s1 + g[2] * g[2])


@njit
def _change(points, limits, free, kink, w, turn, by, length):  # type: ignore[no-untyped-def]
    """Change of the minimised function when (w, turn) go the share `length` of `by`, free of cancellation; and what it may round."""
    x, y = points[kink, 0], points[kink, 1]
    m0, m1, m2 = _miss(points, free, kink, w, turn)
    d0, d1, d2 = length * (by[0] + by[2] * y), length * (by[1] - by[2] * x), length * by[2]
    change, way = power_change(points, limits, kink, w, turn, by, length)
    change += d0 * (m0 + 0.5 * d0) + d1 * (m1 + 0.5 * d1) + d2 * (m2 + 0.5 * d2)
    return change, ROUNDING * (way + abs(d0 * m0) + abs(d1 * m1) + abs(d2 * m2))


@njit
def _fill(points, limits, free, kink, w, turn, velocity, force):  # type: ignore[no-untyped-def]
    """Velocity, and the supports' load; what the kink bears where it stands still is what the balance asks of it."""
    m0, m1, m2 = _miss(points, free, kink, w, turn)
    velocity[0], velocity[1], velocity[2] = m0 + free[0], m1 + free[1], turn
    force[:] = 0.0
    for j in range(len(points)):
        u0, u1 = velocity_beside(points, kink, j, w, turn)
        speed = np.sqrt(u0 * u0 + u1 * u1)
        if speed > 0.0:
            f0, f1 = limits[j] * u0 / speed, limits[j] * u1 / speed
            force[0] += f0
            force[1] += f1
            force[2] += points[j, 0] * f1 - points[j, 1] * f0
    if w[0] == 0.0 and w[1] == 0.0:
        f0, f1 = -m0 - force[0], -m1 - force[1]
        over = max(1.0, np.sqrt(f0 * f0 + f1 * f1) / limits[kink])
        f0, f1 = f0 / over, f1 / over
        force[0] += f0
        force[1] += f1
        force[2] += points[kink, 0] * f1 - points[kink, 1] * f0
