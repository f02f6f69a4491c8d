"""A quasi-static push by two fingers, step by step as a contact problem."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ConvergenceError, InputError
from ..limit_surface.pushing import Surface, checked_surface
from ..validation import FARTHEST, finite_array, positive
from .fingers import TwoFingers, touch

__all__ = ["PushRun", "push_two_fingers"]

Array = NDArray[np.float64]

_ROUNDS, _AGREE = 60, 1e-11
_MAX_STEPS = 10**6


@dataclass(frozen=True, eq=False)
class PushRun:
    """A push: N + 1 states and N steps.

    Attributes:
        time: (N + 1,) [s].
        pose: (N + 1, 3) world position of the COM's projection and angle [m, m, rad].
        pusher: (N + 1, 3) the same for a body that keeps to the pusher [m, m, rad].
        twist: (N, 3) body twist during the step [m/s, m/s, rad/s].
        force: (N, 2, 2) normal and tangential force of each finger [N].
        mode: (N,) `FingerMode` as text.
        gap: (N, 2) distance of the fingers from the edge at the step's end [m].
    """

    time: Array
    pose: Array
    pusher: Array
    twist: Array
    force: Array
    mode: NDArray[Any]
    gap: Array

    @property
    def slip(self) -> tuple[float, float]:
        """How far the body's final pose differs from the pusher's: at the COM [m], in the turn [rad]."""
        miss = self.pose[-1] - self.pusher[-1]
        return float(np.linalg.norm(miss[:2])), float(abs(miss[2]))


def push_two_fingers(
    surface: Surface, fingers: TwoFingers, *, pose: ArrayLike = (0.0, 0.0, 0.0), step: float = 0.1, duration: float = 1.0
) -> PushRun:
    """Push a body quasi-statically: its inertia is left out, and the fingers' wrench is the load of its twist in every step.

    Implicit as the stepper is: gaps, slips and the directions of the forces are those at the step's end; the twist acts through
    the step as one turn about a centre, so that a body that keeps to the fingers keeps to them for any step.

    Args:
        surface: a fitted model or an ideal limit surface.
        fingers: the pusher.
        pose: (3,) the body's pose at the start [m, m, rad].
        step: positive time step [s].
        duration: time of the push, rounded to whole steps [s].

    Returns:
        The push.

    Raises:
        InputError: an argument is unusable.
        ConvergenceError: no contact mode solves a step, or the end of a step does not settle.
    """
    surface = checked_surface(surface)
    if not isinstance(fingers, TwoFingers):
        raise InputError("fingers", fingers, "is not a TwoFingers")
    h, start = positive("step", step), finite_array("pose", pose, (3,), largest=FARTHEST)
    if not positive("duration", duration) / h <= _MAX_STEPS:
        raise InputError("step", h, f"asks for more than {_MAX_STEPS} steps", "use a longer step")
    count = max(1, round(duration / h))
    edge = fingers.normal
    along = np.array([-edge[1], edge[0]])
    place, twist, poses, rows = start, fingers.twist, [start], []
    for n in range(count):
        before, after = fingers.places(n * h, start), fingers.places((n + 1) * h, start)
        was = _seen(before, place)
        for _ in range(_ROUNDS):
            end = _moved(place, twist, h)
            at = _seen(after, end)
            gap = (fingers.points - at) @ edge
            points = at + gap[:, None] * edge
            push = np.array([[[*d, p[0] * d[1] - p[1] * d[0]] for d in (edge, along)] for p in points])
            try:
                with np.errstate(over="raise", invalid="raise", divide="raise"):
                    found = touch(surface, push, gap, (was - at) @ along / h, twist, h, fingers.mu)
            except (FloatingPointError, np.linalg.LinAlgError) as error:
                raise ConvergenceError(f"float64 does not hold the step to t = {(n + 1) * h:.9g} s ({error}): check the units") from error
            change = float(np.linalg.norm((found.twist - twist) * [1.0, 1.0, surface.length]))
            size = float(np.linalg.norm(found.twist * [1.0, 1.0, surface.length]))
            twist = found.twist
            if change <= _AGREE * size:
                break
        else:
            raise ConvergenceError(
                f"the step to t = {(n + 1) * h:.9g} s does not settle: take smaller steps", residual=change / max(size, 1e-300)
            )
        place = _moved(place, twist, h)
        poses.append(place)
        rows.append((twist, found.force, str(found.mode), (fingers.points - _seen(after, place)) @ edge))
        if not twist.any():
            twist = fingers.twist
    twists, force, mode, gaps = (np.array(column) for column in zip(*rows))
    time = h * np.arange(count + 1)
    return PushRun(time, np.array(poses), np.array([fingers.carried(t, start) for t in time]), twists, force, mode, gaps)


def _moved(pose: Array, twist: Array, h: float) -> Array:
    """The pose after a constant body twist has acted for h: a turn about a fixed centre."""
    v, turned = twist[:2], h * twist[2]
    c, s = np.cos(pose[2]), np.sin(pose[2])
    along = h * float(np.sinc(turned / np.pi))
    across = h * float(np.sinc(turned / (2.0 * np.pi))) * float(np.sin(turned / 2.0))
    way = np.array([along * v[0] - across * v[1], across * v[0] + along * v[1]])
    return pose + np.array([c * way[0] - s * way[1], s * way[0] + c * way[1], turned])


def _seen(points: Array, pose: Array) -> Array:
    """World points (2, 2) in the frame of a body at the pose (3,)."""
    c, s = np.cos(pose[2]), np.sin(pose[2])
    return (points - pose[:2]) @ np.array([[c, -s], [s, c]])
