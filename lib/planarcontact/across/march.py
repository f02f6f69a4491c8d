"""Stepping a body along its flat face."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ConvergenceError, InputError, UnsupportedError
from ..validation import finite_array, positive
from .flat_body import FlatBody
from .flat_run import FlatRun
from .proximal_step import FrictionStep, friction_step

__all__ = ["slide_flat"]

Array = NDArray[np.float64]

#: Rounds in which the angle and the pressures at the end of a step are brought to agree.
_ROUNDS = 200
#: They agree when they change by less than this, in radians and as a share of the normal load.
_AGREE = 1e-12
#: Largest residual of a step that counts as solved [-].
_SOLVED = 1e-10
_MAX_STEPS = 10**6


def slide_flat(
    body: FlatBody,
    velocity: ArrayLike,
    *,
    pose: ArrayLike = (0.0, 0.0, 0.0),
    wrench: Callable[[float], ArrayLike] | None = None,
    step: float = 0.01,
    duration: float = 1.0,
) -> FlatRun:
    """Simulate a body that stays on its flat face, with friction by a limit surface.

    One step is implicit in everything: M (nu+ - nu) = h wrench(t + h/2) - h F(nu+), with the load F of the end's velocity,
    turned by the end's angle, for the end's pressures. The angle turns by the
    Cayley map, 2 atan(h omega / 2), as in the dynamics stepper.

    Args:
        body: the body with its limit surface.
        velocity: (3,) velocity of the COM, world axes, and turn rate at the start [m/s, m/s, rad/s].
        pose: (3,) position of the COM's projection and angle at the start [m, m, rad].
        wrench: function of the time [s] to the applied force and moment about the COM (6,), world axes, gravity excluded
            [N, N m]; none if left out.
        step: positive time step h [s].
        duration: simulated time, rounded to whole steps, at least one [s].

    Returns:
        The run.

    Raises:
        InputError: an argument is unusable.
        UnsupportedError: the body would tip or lift, which this model cannot follow; the message names time and margin.
        ConvergenceError: a step was not solved.
    """
    if not isinstance(body, FlatBody):
        raise InputError("body", body, "is not a FlatBody")
    h = positive("step", step)
    if not positive("duration", duration) / h <= _MAX_STEPS:
        raise InputError("step", h, f"asks for more than {_MAX_STEPS} steps", "use a longer step")
    count = max(1, round(duration / h))
    state = finite_array("velocity", velocity, (3,))
    start = finite_array("pose", pose, (3,))
    if wrench is not None and not callable(wrench):
        raise InputError("wrench", wrench, "is not a function of the time")
    place, march = start, _Step(body, h)
    rows: dict[str, list[Any]] = {name: [] for name in _Step.NAMES}
    poses, velocities = [place], [state]
    for n in range(count):
        t = n * h
        load = np.zeros(6) if wrench is None else _applied(wrench, t + h / 2)
        try:
            with np.errstate(over="raise", invalid="raise", divide="raise"):
                place, state, row = march(t, place, state, load)
        except ArithmeticError as error:
            raise ConvergenceError(f"float64 does not hold the step to t = {t + h:.9g} s ({error}): check the units") from error
        poses.append(place)
        velocities.append(state)
        for name, value in row.items():
            rows[name].append(value)
    table = {name: np.array(values) for name, values in rows.items()}
    return FlatRun(time=h * np.arange(count + 1), pose=np.array(poses), velocity=np.array(velocities), **table)


def _applied(wrench: Callable[[float], ArrayLike], t: float) -> Array:
    name = f"wrench({t:.9g})"
    try:
        value = wrench(t)
    except Exception as error:
        raise InputError(name, wrench, f"raised {type(error).__name__}: {error}", "see the exception's cause") from error
    return finite_array(name, value, (6,))


class _Step:
    """One step after another of one body; called with time, pose, velocity and applied wrench."""

    NAMES = (
        "load", "ecp", "impulse", "pressures", "margin", "work", "dissipation", "residual", "iterations", "kind",
    )  # fmt: skip

    def __init__(self, body: FlatBody, step: float):
        self.body, self.h = body, step
        self.unit = np.array([1.0, 1.0, body.gyration])
        self.centre = np.zeros(2)  # of pressure, body frame: the guess for the next step

    def __call__(self, t: float, pose: Array, velocity: Array, wrench: Array) -> tuple[Array, Array, dict[str, Any]]:
        body, h, unit = self.body, self.h, self.unit
        normal = body.mass * body.gravity - wrench[2]
        if normal <= 0.0:
            raise UnsupportedError(f"by t = {t + h:.9g} s the body is lifted off its face: the normal load is {normal:.3g} N")
        scale = normal / body.normal_load
        free = velocity * unit + h / body.mass * np.append(wrench[:2], wrench[5]) / unit
        angle = pose[2] + 2.0 * np.arctan(h * velocity[2] / 2.0)
        guess, centre, iterations = velocity * unit, self.centre, 0
        surface, pressures = (body.surface, np.empty(0)) if body.pressure == "fixed" else body.shifted(centre)
        for _ in range(_ROUNDS):
            turn = _turn(angle)
            step = friction_step(surface, scale, body.gyration, turn.T @ free, h / body.mass, turn.T @ guess)
            iterations += step.iterations
            after = turn @ step.velocity
            friction = -(turn @ step.load)
            new_angle = pose[2] + 2.0 * np.arctan(h * after[2] / unit[2] / 2.0)
            new_centre = turn[:2, :2].T @ body.centre_of_pressure(normal, friction[:2], wrench)
            change = abs(new_angle - angle) + np.linalg.norm(after - guess) / (np.linalg.norm(after) + h * body.gravity)
            if body.pressure == "statics":
                surface, shares = body.shifted(new_centre)
                change += float(np.abs(shares - pressures).max()) / body.normal_load
                pressures = shares
            angle, guess, centre = new_angle, after, new_centre
            if change <= _AGREE:
                break
        else:
            raise ConvergenceError(
                f"at t = {t + h:.9g} s the angle and pressures of a step do not settle: take a smaller step, or a lower COM",
                residual=float(change),
            )
        if step.residual > _SOLVED:
            raise ConvergenceError(
                f"the step to t = {t + h:.9g} s was solved to {step.residual:.1e} only: take another step", residual=step.residual
            )
        margin = body.margin(centre)
        if margin < 0.0:
            raise UnsupportedError(
                f"by t = {t + h:.9g} s the body would tip: its centre of pressure lies {-margin:.3g} m outside the patch; "
                "use planarcontact.dynamics, which follows a tipping body"
            )
        self.centre = centre
        return self._row(step, turn, pose, velocity, after, normal, wrench, centre, pressures * scale, margin, iterations, change)

    def _row(
        self, step: FrictionStep, turn: Array, pose: Array, velocity: Array, after: Array, normal: float,
        wrench: Array, centre: Array, pressures: Array, margin: float, iterations: int, change: float,
    ) -> tuple[Array, Array, dict[str, Any]]:  # fmt: skip
        h, unit = self.h, self.unit
        end = np.array([*(pose[:2] + h * after[:2]), pose[2] + 2.0 * np.arctan(h * after[2] / unit[2] / 2.0)])
        state = after / unit
        load = step.load * unit
        friction = -h * np.append((turn @ step.load)[:2], load[2])
        arm = turn[:2, :2] @ centre
        about = friction[2] - (arm[0] * friction[1] - arm[1] * friction[0])
        dissipation = -float(friction @ state)
        row = {
            "load": load,
            "ecp": end[:2] + arm,
            "impulse": np.array([h * normal, friction[0], friction[1], about]),
            "pressures": pressures,
            "margin": margin,
            "work": h * float(np.append(wrench[:2], wrench[5]) @ state),
            "dissipation": dissipation,
            "residual": max(step.residual, change),
            "iterations": iterations,
            "kind": str(step.kind),
        }
        return end, state, row


def _turn(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
