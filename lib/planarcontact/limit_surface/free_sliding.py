"""Free sliding: how a body that was let go comes to rest (document 3, Section VI-B)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ConvergenceError, InputError
from ..validation import finite_array, positive
from .pushing import Surface

__all__ = ["Slide", "slide", "slide_many"]

Array = NDArray[np.float64]

#: Speeds fall by this many powers of e before the rest of the way is written down in closed form.
_FOLDS = 16.0


@dataclass(frozen=True)
class Slide:
    """A free slide from its start to rest.

    Attributes:
        time: (N,) times, not evenly spaced, the last one the stop [s].
        pose: (N, 3) world position of the centre of mass and unwrapped angle [m, m, rad].
        twist: (N, 3) twists in the body frame, the last one zero [m/s, m/s, rad/s].
        load: (N, 3) loads on the surface in the body frame; the last one is that just before the stop [N, N, N m].
        stop_time: time at which the body rests [s].
    """

    time: Array
    pose: Array
    twist: Array
    load: Array
    stop_time: float


def slide(
    surface: Surface,
    mass: float,
    inertia: float,
    twist: ArrayLike,
    pose: ArrayLike = (0.0, 0.0, 0.0),
    *,
    steps: int = 200,
) -> Slide:
    """Slide a free body to rest under its own friction.

    The document prints I dV/dt = -F(V) in the body frame, which leaves out the turning frame's term
    m omega (v_y, -v_x); here the balance is set up in world axes, where there is none. Friction depends on the direction u of V alone. With the logarithm of the
    speed as the independent variable nothing is stiff, no event has to be found and no step can overshoot the stop:
    d ln|V| = -P/(m |V|) dt, P being the friction along u.

    Args:
        surface: a fitted model or an ideal limit surface.
        mass: mass [kg].
        inertia: moment of inertia about the centre of mass [kg m2].
        twist: (3,) initial twist in the body frame [m/s, m/s, rad/s].
        pose: (3,) initial world position of the centre of mass and angle [m, m, rad].
        steps: number of Runge-Kutta steps of fourth order.

    Returns:
        The slide; `stop_time` is exact for the last part, which is a straight decay.

    Raises:
        InputError: an argument is unusable.
        ConvergenceError: the friction does not oppose the motion, so the body would not stop.
    """
    start = finite_array("twist", twist, (3,))[None]
    at = finite_array("pose", pose, (3,))[None]
    time, poses, twists, loads = _integrate(surface, mass, inertia, start, at, steps, keep=True)
    return Slide(time[:, 0], poses[:, 0], twists[:, 0], loads[:, 0], float(time[-1, 0]))


def slide_many(
    surface: Surface, mass: float, inertia: float, twists: ArrayLike, *, steps: int = 50
) -> tuple[Array, Array, Array]:
    """Slide many free bodies to rest, all from the pose (0, 0, 0).

    Args:
        surface: a fitted model or an ideal limit surface.
        mass: mass [kg].
        inertia: moment of inertia about the centre of mass [kg m2].
        twists: (N, 3) initial twists in the body frame [m/s, m/s, rad/s].
        steps: number of Runge-Kutta steps of fourth order.

    Returns:
        (N,) stop times [s], (N, 3) final poses [m, m, rad], (N, 3) last directions of motion in the body frame, of unit
        norm as (v_x, v_y, omega times the radius of gyration) [-, -, 1/m].

    Raises:
        InputError: an argument is unusable.
        ConvergenceError: the friction does not oppose the motion, so a body would not stop.
    """
    rows = finite_array("twists", twists, (None, 3))
    time, poses, last, _ = _integrate(surface, mass, inertia, rows, np.zeros_like(rows), steps, keep=False)
    return time[-1], poses[-1], last[-2]


def _integrate(
    surface: Any, mass: float, inertia: float, start: Array, pose: Array, steps: int, *, keep: bool
) -> tuple[Array, Array, Array, Array]:
    m = positive("mass", mass)
    gyration = float(np.sqrt(positive("inertia", inertia) / m))
    if isinstance(steps, bool) or not isinstance(steps, (int, np.integer)) or steps < 1:
        raise InputError("steps", steps, "must be an integer of at least 1")
    scale = np.array([1.0, 1.0, gyration])
    speed0 = np.linalg.norm(start * scale, axis=1)
    if (speed0 == 0.0).any():
        raise InputError("twist", 0.0, "is zero", "a body at rest does not slide")

    def rates(decay: float, state: Array) -> Array:
        """Derivatives of (u, x, y, theta, t) by -ln of the speed; u in world axes, where its frame does not turn."""
        u = state[:, :3] / np.linalg.norm(state[:, :3], axis=1, keepdims=True)
        load = _turned(np.asarray(surface.load(_turned(u, -state[:, 5]) / scale)), state[:, 5]) / scale
        power = (load * u).sum(axis=1)
        if not (power > 0.0).all():
            raise ConvergenceError("friction does not oppose the motion", residual=float(power.min()))
        speed = speed0 * np.exp(-decay)
        lapse = m * speed / power
        du = u - load / power[:, None]
        return np.column_stack([du, (speed * lapse)[:, None] * u / scale, lapse])

    state = np.column_stack([_turned(start * scale / speed0[:, None], pose[:, 2]), pose, np.zeros(len(start))])
    h = _FOLDS / steps
    states = [state]
    for k in range(steps):
        t = k * h
        a = rates(t, state)
        b = rates(t + h / 2, state + h / 2 * a)
        c = rates(t + h / 2, state + h / 2 * b)
        d = rates(t + h, state + h * c)
        state = state + h / 6 * (a + 2 * b + 2 * c + d)
        state[:, :3] /= np.linalg.norm(state[:, :3], axis=1, keepdims=True)
        states = [*states, state] if keep else [state]
    table = np.array(states)
    units = np.array([_turned(row[:, :3], -row[:, 5]) for row in table])
    times = np.arange(steps + 1) * h if keep else np.array([steps * h])
    speeds = speed0 * np.exp(-times)[:, None]
    loads = np.array([np.asarray(surface.load(row / scale)) for row in units])
    power = (loads[-1] / scale * units[-1]).sum(axis=1)
    stop = table[-1, :, 6] + m * speeds[-1] / power  # from here on the direction stands and the speed falls linearly
    time = np.vstack([table[:, :, 6], stop])
    poses = np.concatenate([table[:, :, 3:6], table[-1:, :, 3:6]])
    twists = units * speeds[..., None] / scale if keep else units / scale
    return time, poses, np.concatenate([twists, np.zeros_like(twists[:1])]), np.concatenate([loads, loads[-1:]])


def _turned(rows: Array, angles: Array) -> Array:
    """Turn the first two components by the angles."""
    c, s = np.cos(angles), np.sin(angles)
    return np.column_stack([c * rows[:, 0] - s * rows[:, 1], s * rows[:, 0] + c * rows[:, 1], rows[:, 2]])
