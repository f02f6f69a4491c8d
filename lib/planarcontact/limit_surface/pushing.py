"""Pushing with one point: the pusher sticks, or slides left or right, as the limit surface decides."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from ..errors import ConvergenceError, InputError
from ..validation import FARTHEST, finite_array
from .friction_cone import contact_frame, friction_cone
from .ideal import IdealSurface

__all__ = ["Push", "PushMode", "Surface", "motion_cone", "push"]

Array = NDArray[np.float64]

_CAP = 200


class Surface(Protocol):
    """What pushing and sliding ask of a limit surface, fitted or ideal."""

    length: float

    def load(self, twists: ArrayLike) -> Any:
        """Loads of twists."""

    def twist(self, loads: ArrayLike) -> Any:
        """Twists of loads."""


class PushMode(StrEnum):
    """What the pusher does at the contact; left and right as seen when looking along the normal into the object."""

    STICKING = "sticking"
    SLIDING_LEFT = "sliding left"
    SLIDING_RIGHT = "sliding right"
    SEPARATING = "separating"


@dataclass(frozen=True)
class Push:
    """The object's response to a pusher.

    Attributes:
        mode: a `PushMode`, equal to its text: "sticking", "sliding left", "sliding right" or "separating".
        twist: (3,) twist of the object in the body frame [m/s, m/s, rad/s].
        load: (3,) load that the pusher applies to the object, on the limit surface [N, N, N m]; zero if separating.
    """

    mode: PushMode
    twist: Array
    load: Array


def checked_surface(surface: Any) -> Any:
    """Return the surface if it is a limit surface with a volume, or raise `InputError`."""
    if not all(hasattr(surface, name) for name in ("load", "twist", "length")) or isinstance(surface, type):
        raise InputError("surface", surface, "is not a limit surface", "pass a fitted model or an ideal limit surface")
    if isinstance(surface, IdealSurface) and surface.flat:
        raise InputError("surface", surface, "has no volume: the body turns freely about its only support", "add supports")
    return surface


def push(surface: Surface, contact: ArrayLike, normal: ArrayLike, mu: float, velocity: ArrayLike) -> Push:
    """Predict how an object moves quasi-statically under a pusher that touches it at one point.

    The contact's velocity turns counter-clockwise as the contact's force does, because the limit surface is convex.
    So the two edges of the friction cone give the edges of the motion cone: a pusher velocity between them sticks,
    one to the left of them slides left along the object, one to the right of them slides right.

    Args:
        surface: a fitted model or an ideal limit surface.
        contact: (2,) contact point in the body frame [m].
        normal: (2,) normal that points into the object, of any length [-].
        mu: coefficient of friction between pusher and object, zero or more.
        velocity: (2,) velocity of the pusher in the body frame [m/s].

    Returns:
        Mode, twist and load.

    Raises:
        InputError: an argument is unusable.
        ConvergenceError: the force of a sticking contact was not found.
    """
    surface = checked_surface(surface)
    points, inward, left = _contact(contact, normal)
    goal = finite_array("velocity", velocity, (2,))
    if not goal.any():
        raise InputError("velocity", goal, "is zero", "a pusher at rest moves nothing")
    power = int(np.frexp(np.abs(goal).max())[1])
    goal = np.ldexp(goal, -power)  # the twist is proportional to the velocity, whose square may leave float64
    c, n = points[0], inward[0]
    right_load, left_load = friction_cone(c[None], n[None], mu)
    twists = np.asarray(surface.twist(np.stack([right_load, left_load])))
    right_motion, left_motion = _velocity_at(twists, c)

    if _turn(right_motion, goal) >= 0.0 and _turn(goal, left_motion) >= 0.0 and goal @ (right_motion + left_motion) > 0.0:
        load, twist = _sticking(surface, c, right_load, left_load, goal)
        size = np.linalg.norm(goal) / np.linalg.norm(_velocity_at(twist[None], c))
        return Push(PushMode.STICKING, np.ldexp(twist * size, power), load)
    if goal @ n <= 0.0:
        return Push(PushMode.SEPARATING, np.zeros(3), np.zeros(3))
    slides_left = bool(left_motion @ n > 0.0 and _turn(left_motion, goal) > 0.0)
    k, mode = (1, PushMode.SLIDING_LEFT) if slides_left else (0, PushMode.SLIDING_RIGHT)
    motion = (right_motion, left_motion)[k]
    if motion @ n <= 0.0:
        raise ConvergenceError(f"{mode.value}: the contact would leave the pusher; no quasi-static motion exists")
    slip = np.ldexp(twists[k] * (goal @ n) / (motion @ n), power)
    return Push(mode, slip, _on_surface(surface, (right_load, left_load)[k], twists[k]))


def motion_cone(surface: Surface, contact: ArrayLike, normal: ArrayLike, mu: float) -> tuple[Array, Array]:
    """Velocities of the contact at the right and left edge of the friction cone.

    Args:
        surface: a fitted model or an ideal limit surface.
        contact: (2,) contact point in the body frame [m].
        normal: (2,) normal that points into the object [-].
        mu: coefficient of friction between pusher and object.

    Returns:
        (2,) right edge and (2,) left edge, unit vectors: a pusher velocity between them sticks [-].

    Raises:
        InputError: an argument is unusable.
    """
    surface = checked_surface(surface)
    points, inward, _ = _contact(contact, normal)
    edges = _velocity_at(np.asarray(surface.twist(friction_cone(points, inward, mu))), points[0])
    right, left = edges / np.linalg.norm(edges, axis=1, keepdims=True)
    return right, left


def _contact(contact: ArrayLike, normal: ArrayLike) -> tuple[Array, Array, Array]:
    point = finite_array("contact", contact, (2,), largest=FARTHEST)
    return contact_frame(point[None], finite_array("normal", normal, (2,))[None])


def _sticking(surface: Surface, contact: Array, right: Array, left: Array, goal: Array) -> tuple[Array, Array]:
    """Find the force between the cone's edges that moves the contact along `goal`."""
    if isinstance(surface, IdealSurface):
        found = _sticking_turn(surface, contact, goal)
        if found is not None:
            return found

    def twist_of(share: float) -> tuple[Array, Array]:
        load = (1.0 - share) * right + share * left
        return load, np.asarray(surface.twist(load[None]))

    def miss(share: float) -> float:
        motion = _velocity_at(twist_of(share)[1], contact)[0]
        size = float(np.linalg.norm(motion) * np.linalg.norm(goal))
        return _turn(motion, goal) / size if size > 0.0 else 0.0

    if miss(0.0) <= 0.0 or miss(1.0) >= 0.0:
        share = 0.0 if miss(0.0) <= 0.0 else 1.0
    else:
        share, result = brentq(miss, 0.0, 1.0, xtol=1e-15, rtol=1e-14, maxiter=_CAP, full_output=True, disp=False)
        if not result.converged:
            raise ConvergenceError("the force of a sticking contact was not found", residual=abs(miss(share)))
    load, twist = twist_of(share)
    return _on_surface(surface, load, twist[0]), twist[0]


def _sticking_turn(surface: IdealSurface, contact: Array, goal: Array) -> tuple[Array, Array] | None:
    """Find the turn rate at which the load has no moment about the contact, or None where the load jumps across that.

    The power of all twists that move the contact along `goal` is convex in the turn rate, and that moment its slope.
    """

    def twist_of(omega: float) -> Array:
        return np.array([[goal[0] + omega * contact[1], goal[1] - omega * contact[0], omega]])

    def moment(omega: float) -> float:
        load = surface.load(twist_of(omega))[0]
        return float(load[2] - contact[0] * load[1] + contact[1] * load[0])

    bound = float(np.linalg.norm(goal)) / surface.length
    for _ in range(_CAP):
        if moment(-bound) <= 0.0 <= moment(bound):
            break
        bound *= 2.0
    else:
        return None
    omega = brentq(moment, -bound, bound, xtol=1e-15 * bound, rtol=1e-14, maxiter=_CAP, disp=False)
    twist = twist_of(omega)
    load = surface.load(twist)
    size = float(np.linalg.norm(load / [1.0, 1.0, surface.length]))
    if surface.is_set_valued(twist)[0] or abs(moment(omega)) > 1e-9 * size * surface.length:
        return None
    twist = twist / np.linalg.norm(twist * [1.0, 1.0, surface.length])
    return load[0], twist[0]


def _on_surface(surface: Any, load: Array, twist: Array) -> Array:
    """Scale a load onto the limit surface."""
    if hasattr(surface, "value"):
        value = float(surface.value(load[None])[0])
        if not value > 0.0:
            raise ConvergenceError("the level set is unbounded along the contact's force", residual=value)
        return load / value ** (1.0 / surface.degree)
    return load * float(surface.support(twist[None])[0]) / float(load @ twist)


def _velocity_at(twists: Array, point: Array) -> Array:
    return twists[:, :2] + twists[:, 2:] * np.array([-point[1], point[0]])


def _turn(a: Array, b: Array) -> float:
    """Positive where b lies counter-clockwise of a."""
    return float(a[0] * b[1] - a[1] * b[0])
