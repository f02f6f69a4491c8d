"""One implicit step on point supports, whose power has a kink wherever the body turns about a support."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..limit_surface import SupportPoints
from ..limit_surface.ideal_inverse_kernel import twists_of_rows

__all__ = ["PointStep", "point_step"]

Array = NDArray[np.float64]

#: Rest is told from the slowest creep where friction exceeds the pull along it by less than this share [-].
_ROUNDS = 1e-14


@dataclass(frozen=True)
class PointStep:
    """Velocity (3,) and load (3,), primed; whether the body rests or pivots; residual [-] and Newton iterations."""

    velocity: Array
    load: Array
    rests: bool
    pivots: bool
    residual: float
    iterations: int


def point_step(surface: SupportPoints, gyration: float, free: Array, k: float, start: Array) -> PointStep:
    """Minimise |V - a|^2 / 2 + k S(V), S being the sum of mu N |v| over the supports.

    The direction in which a load along a would slide the body has the least S for its pull a . V: where even there k S is the
    larger one, the body rests. Else that direction, at its best length, is one place to start, and V before the step another.

    Args:
        surface: point supports.
        gyration: radius of gyration [m].
        free: (3,) a, not zero [m/s].
        k: step over mass times the factor on the loads [s/kg].
        start: (3,) where to start [m/s].
    """
    from .point_supports_kernel import minimise

    pressed = surface.limits > 0.0
    points, where = np.unique(surface.points[pressed] / gyration, axis=0, return_inverse=True)
    size = float(np.linalg.norm(free))
    limits = np.bincount(where.ravel(), surface.limits[pressed]) * (k / size)
    a = free / size
    direction = twists_of_rows(points, limits, a[None])[0][0]
    pull, friction = float(a @ direction), float(_power(points, limits, direction))
    if friction >= (1.0 - _ROUNDS) * pull:
        return PointStep(np.zeros(3), free / k, True, False, 0.0, 0)
    starts = [(pull - friction) * direction]
    if start.any():
        starts.append(start / size)
    first = min(starts, key=lambda v: 0.5 * float(v @ v) - float(a @ v) + _power(points, limits, v))
    velocity, force = np.empty(3), np.empty(3)
    count = int(minimise(points, limits, a, first, velocity, force))
    slow = np.hypot(velocity[0] - velocity[2] * points[:, 1], velocity[1] + velocity[2] * points[:, 0]).min()
    miss = float(np.linalg.norm(velocity + force - a)) / max(1.0, float(np.linalg.norm(force)))
    return PointStep(size * velocity, size / k * force, False, bool(slow <= 1e-15), miss, count)


def _power(points: Array, limits: Array, v: Array) -> float:
    return float(limits @ np.hypot(v[0] - v[2] * points[:, 1], v[1] + v[2] * points[:, 0]))
