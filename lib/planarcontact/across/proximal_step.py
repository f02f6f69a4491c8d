"""One implicit step against a limit surface: a proximal problem in three velocities."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ..errors import ConvergenceError, InputError, PlanarContactError
from ..limit_surface import IdealSurface, LimitSurfaceModel, SupportPoints
from ..limit_surface.pushing import Surface
from ..validation import finite_array, positive
from .point_supports import point_step

__all__ = ["FrictionKind", "FrictionStep", "friction_step"]

Array = NDArray[np.float64]
_Point = tuple[float, Array, Array]  # merit, velocity, load

#: Caps on the Newton iterations and on the halvings of one of them.
_CAP, _HALVINGS = 80, 50
#: Step of the central differences of a load, as a share of the velocity [-].
_DIFFERENCE = 1e-6


class FrictionKind(StrEnum):
    """What the patch does at the end of a step."""

    STICKS = "sticks"
    PIVOTS = "turns about a support"
    SLIDES = "slides"


@dataclass(frozen=True)
class FrictionStep:
    """The end of one step, in the body frame.

    Attributes:
        velocity: (3,) velocity (v_x, v_y, omega times the radius of gyration) [m/s].
        load: (3,) load on the surface (f_x, f_y, tau over the radius of gyration) [N].
        kind: a `FrictionKind`.
        residual: |V + k F - a| over the larger of |a| and k |F| [-].
        iterations: Newton iterations.
    """

    velocity: Array
    load: Array
    kind: FrictionKind
    residual: float
    iterations: int


def friction_step(surface: Surface, scale: float, gyration: float, free: Array, gain: float, start: Array) -> FrictionStep:
    """Solve V + k F(V) = a for the velocity at the end of a step.

    Velocities carry omega times the radius of gyration and loads tau over it, so that the mass matrix is the mass times
    one. With S the power V . F(V), convex and homogeneous, V minimises |V - a|^2 / 2 + k S(V): it exists and is unique
    for every limit surface with a convex inside, and k F is the point of k K nearest to a, where K holds the loads inside.
    So the body sticks exactly if a lies in k K. On point supports Newton's method keeps the kink of the slowest one exact, so
    that turns about a support and the slow creep beside them are met alike; elsewhere the power is smooth and Newton's method
    with a line search finds V, every iterate being brought to its best length, which is known in closed form.

    Args:
        surface: a fitted model or an ideal limit surface; only `load` and `twist` are asked for, except that
            `SupportPoints`, whose power has kinks, go to `point_step`.
        scale: factor on its loads, the ratio of the normal load to the one they belong to [-].
        gyration: radius of gyration [m].
        free: (3,) a, the velocity without friction [m/s].
        gain: k, step over mass [s/kg].
        start: (3,) where to start, usually the velocity before the step [m/s].

    Returns:
        The step; its residual tells how well it was solved.

    Raises:
        InputError: an argument is unusable.
        ConvergenceError: the surface cannot give a load, or float64 does not hold the numbers on the way.
    """
    if not all(hasattr(surface, name) for name in ("load", "twist", "length")) or isinstance(surface, type):
        raise InputError("surface", surface, "is not a limit surface", "pass a fitted model or an ideal limit surface")
    radius, factors = positive("gyration", gyration), (positive("scale", scale), positive("gain", gain))
    velocities = finite_array("free", free, (3,)), finite_array("start", start, (3,))
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            step = _solved(surface, radius, *factors, *velocities)
    except (FloatingPointError, ZeroDivisionError, np.linalg.LinAlgError) as error:
        raise ConvergenceError(f"float64 does not hold a step ({error}): check the units") from error
    if not np.isfinite([*step.velocity, *step.load, step.residual]).all():
        raise ConvergenceError("float64 does not hold the load of a step: check the units")
    return step


def _solved(surface: Surface, gyration: float, scale: float, gain: float, free: Array, start: Array) -> FrictionStep:
    unit = np.array([1.0, 1.0, gyration])
    k = gain * scale

    def loads(rows: Array) -> Array:
        return _loads(surface, rows / unit) / unit

    def result(velocity: Array, load: Array, kind: FrictionKind, iterations: int) -> FrictionStep:
        miss = np.linalg.norm(velocity + k * load - free)
        size = max(float(np.linalg.norm(free)), k * float(np.linalg.norm(load)))
        return FrictionStep(velocity, scale * load, kind, float(miss / size), iterations)

    if not free.any():
        return FrictionStep(np.zeros(3), np.zeros(3), FrictionKind.STICKS, 0.0, 0)
    if isinstance(surface, SupportPoints):
        found = point_step(surface, gyration, free, k, start)
        kind = FrictionKind.STICKS if found.rests else FrictionKind.PIVOTS if found.pivots else FrictionKind.SLIDES
        return FrictionStep(found.velocity, scale * found.load, kind, found.residual, found.iterations)

    def best(direction: Array) -> _Point:
        """Merit, velocity and load at the best length along a direction; the merit is 0 where that length is 0."""
        load = loads(direction[None])[0]
        length = float(direction @ (free - k * load)) / float(direction @ direction)
        return -0.5 * length * abs(length) * float(direction @ direction), max(length, 0.0) * direction, load

    merit, velocity, load = min((best(d) for d in (free, start) if d.any()), key=lambda found: found[0])
    if merit >= 0.0:  # no way to descend was met: either a lies in k K, or its own direction of sliding descends
        merit, velocity, load = best(np.asarray(surface.twist((free * unit)[None]))[0] * unit)
        if merit >= 0.0:
            return result(np.zeros(3), free / k, FrictionKind.STICKS, 0)
    return result(*_newton(unit, free, k, loads, best, (merit, velocity, load)))


def _loads(surface: Surface, twists: Array) -> Array:
    """Loads (n, 3) of a surface that may be the caller's own; what it raises or returns wrongly is an `InputError`."""
    if isinstance(surface, (IdealSurface, LimitSurfaceModel)):
        return np.asarray(surface.load(twists))
    try:
        loads = np.asarray(surface.load(twists), dtype=np.float64)
    except PlanarContactError:
        raise
    except Exception as error:
        raise InputError("surface", surface, f"its load raised {type(error).__name__}: {error}", "see the exception's cause") from error
    if loads.shape != twists.shape or not np.isfinite(loads).all():
        raise InputError("surface", surface, f"its load returned shape {loads.shape} for {twists.shape}, or numbers that are not finite")
    return loads


def _newton(
    unit: Array, free: Array, k: float, loads: Callable[[Array], Array], best: Callable[[Array], _Point], start: _Point
) -> tuple[Array, Array, FrictionKind, int]:
    """Newton's method on V + k F(V) - a with a line search on the merit, or on the residual where the merit only rounds."""
    merit, velocity, load = start
    count = 0
    for count in range(1, _CAP + 1):
        miss = velocity + k * load - free
        size = float(np.linalg.norm(miss))
        if size <= 1e-14 * max(float(np.linalg.norm(free)), k * float(np.linalg.norm(load))) or not velocity.any():
            break
        move = np.linalg.solve(np.eye(3) + k * _slope(velocity, loads), -miss)
        length = 1.0
        for _ in range(_HALVINGS):
            trial = velocity + length * move
            if trial.any():
                found = best(trial)
                better = float(np.linalg.norm(found[1] + k * found[2] - free)) < (1.0 - 1e-3 * length) * size
                if found[0] < merit - 1e-12 * abs(merit) or (better and found[0] <= merit + 1e-12 * abs(merit)):
                    merit, velocity, load = found
                    break
            length *= 0.5
        else:
            break  # rounding lets nothing better be found; the residual says how good this is
    return velocity, load, FrictionKind.SLIDES, count


def _slope(velocity: Array, loads: Callable[[Array], Array]) -> Array:
    """Derivative (3, 3) of the load: symmetric, and zero along the velocity, since loads do not depend on speed."""
    size = float(np.linalg.norm(velocity))
    u = velocity / size
    p = np.cross(u, np.eye(3)[int(np.argmin(np.abs(u)))])
    p /= np.linalg.norm(p)
    plane = np.stack([p, np.cross(u, p)])
    shifts = size * _DIFFERENCE * plane
    rows = loads(np.concatenate([velocity + shifts, velocity - shifts]))
    inner = plane @ (rows[:2] - rows[2:]).T / (2.0 * size * _DIFFERENCE)
    return plane.T @ ((inner + inner.T) / 2.0) @ plane
