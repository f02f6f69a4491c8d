"""Free sliding: how a body that was let go comes to rest (document 3, Section VI-B)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ConvergenceError, InputError
from ..validation import finite_array, positive
from .checks import whole_number
from .model import LimitSurfaceModel
from .polynomial import monomials
from .pushing import Surface, checked_surface

__all__ = ["Slide", "slide", "slide_many"]

Array = NDArray[np.float64]

#: Speeds fall by this many powers of e before the rest of the way is written down in closed form.
_FOLDS = 16.0
#: A step whose embedded error estimate in the unit twist exceeds this is halved [-]; ours. The step's own error is smaller.
_TOLERANCE = 5e-3
#: Cap on the halvings of one step, and on the parts of all steps of one body.
_HALVINGS, _PARTS = 16, 6_000
#: Bodies of `slide_many` whose balance fails are integrated again with twice the steps, up to this number.
_MOST_STEPS = 800
#: The momentum at the start and the impulse of the recorded loads may differ by this share [-].
_BALANCE = 2e-3


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
    m omega (v_y, -v_x) on the right side; here the balance is set up in world axes, where there is none. Friction depends on the direction u
    of V alone. With the logarithm of the speed as the independent variable no event has to be found and no step can
    overshoot the stop: d ln|V| = -P/(m |V|) dt, P being the friction along u. Where the radius of gyration is small beside
    the supports the direction settles fast, and where the centre of rotation crosses a support friction jumps: there the
    steps are halved until an embedded estimate of their error is small.

    Args:
        surface: a fitted model or an ideal limit surface.
        mass: mass [kg].
        inertia: moment of inertia about the centre of mass [kg m2].
        twist: (3,) initial twist in the body frame [m/s, m/s, rad/s].
        pose: (3,) initial world position of the centre of mass and angle [m, m, rad].
        steps: number of Runge-Kutta steps of fourth order; those that need it are halved.

    Returns:
        The slide; `stop_time` is exact for the last part, which is a straight decay.

    Raises:
        InputError: an argument is unusable.
        ConvergenceError: the friction does not oppose the motion, so the body would not stop; or the steps are not small
            enough at the cap, as for a moment of inertia that is far too small for the supports.
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
        steps: number of Runge-Kutta steps of fourth order; those that need it are halved, each body for itself, and a body
            whose friction misses its momentum takes twice as many again.

    Returns:
        (N,) stop times [s], (N, 3) final poses [m, m, rad], (N, 3) last directions of motion in the body frame, of unit
        norm as (v_x, v_y, omega times the radius of gyration) [-, -, 1/m].

    Raises:
        InputError: an argument is unusable.
        ConvergenceError: as in `slide`, for any of the bodies.
    """
    rows = finite_array("twists", twists, (None, 3))
    time, poses, last, _ = _integrate(surface, mass, inertia, rows, np.zeros_like(rows), steps, keep=False)
    return time[-1], poses[-1], last[-2]


def _integrate(
    surface: Any, mass: float, inertia: float, start: Array, pose: Array, steps: int, *, keep: bool
) -> tuple[Array, Array, Array, Array]:
    surface = checked_surface(surface)
    m = positive("mass", mass)
    turning = positive("inertia", inertia)
    for name, value in (("mass", m), ("inertia", turning), ("twist", float(np.abs(start).max(initial=0.0)))):
        if value and not 1e-50 <= value <= 1e50:
            raise InputError(name, value, "is so far from one that its products leave float64", "check its unit")
    gyration = float(np.sqrt(turning / m))
    steps = whole_number("steps", steps, 1, 10**6)
    scale = np.array([1.0, 1.0, gyration])
    speed0 = np.linalg.norm(start * scale, axis=1)
    if (speed0 == 0.0).any():
        raise InputError("twist", 0.0, "is zero", "a body at rest does not slide")

    def rates(decay: float, state: Array, rows: NDArray[np.int64]) -> Array:
        """Derivatives of (u, x, y, theta, t, impulse) by -ln of the speed; u in world axes, where its frame does not turn."""
        u = state[:, :3] / np.linalg.norm(state[:, :3], axis=1, keepdims=True)
        load = _turned(np.asarray(surface.load(_turned(u, -state[:, 5]) / scale)), state[:, 5]) / scale
        power = (load * u).sum(axis=1)
        if not (power > 0.0).all():
            raise ConvergenceError("friction does not oppose the motion", residual=float(power.min()))
        speed = speed0[rows] * np.exp(-decay)
        lapse = m * speed / power
        along = load / power[:, None]
        return np.column_stack([u - along, (speed * lapse)[:, None] * u / scale, lapse, np.exp(-decay) * along])

    state = np.column_stack([_turned(start * scale / speed0[:, None], pose[:, 2]), pose, np.zeros((len(start), 4))])
    first = state[:, :3]
    h = _FOLDS / steps
    force, arm = np.abs(np.asarray(surface.load(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])))[[0, 1], [0, 2]])
    with np.errstate(divide="ignore", over="ignore"):
        stiff = max(1.0, float(arm / force) / gyration)
    table = _compiled(surface, (m, gyration, stiff), state, speed0, h, steps, keep)
    if table is None:
        march = _March(rates, len(start), np.array([1.0, 1.0, stiff]))
        states, slopes = [state], rates(0.0, state, np.arange(len(start)))
        for k in range(steps):
            state, slopes = march.across(k * h, h, state, slopes, np.arange(len(start)), 0)
            states = [*states, state] if keep else [state]
        table = np.array(states)
    state = table[-1]
    missing = np.linalg.norm(first - state[:, 7:] - np.exp(-_FOLDS) * state[:, :3], axis=1)
    coarse = np.flatnonzero(~(missing <= _BALANCE))
    if len(coarse) and not keep and steps < _MOST_STEPS:
        finer = _integrate(surface, m, turning, start[coarse], pose[coarse], 2 * steps, keep=False)
    elif len(coarse):
        raise ConvergenceError(
            f"the impulse of friction misses the momentum of body {int(np.argmax(missing))} by the share {missing.max():.1e}: "
            "take more steps", residual=float(missing.max()),
        )
    units = _turned(table[..., :3].reshape(-1, 3), -table[..., 5].ravel()).reshape(*table.shape[:2], 3)
    times = np.arange(steps + 1) * h if keep else np.array([steps * h])
    speeds = speed0 * np.exp(-times)[:, None]
    loads = np.asarray(surface.load(units.reshape(-1, 3) / scale)).reshape(units.shape)
    power = (loads[-1] / scale * units[-1]).sum(axis=1)
    stop = table[-1, :, 6] + m * speeds[-1] / power  # from here on the direction stands and the speed falls linearly
    time = np.vstack([table[:, :, 6], stop])
    poses = np.concatenate([table[:, :, 3:6], table[-1:, :, 3:6]])
    twists = units * speeds[..., None] / scale if keep else units / scale
    result = time, poses, np.concatenate([twists, np.zeros_like(twists[:1])]), np.concatenate([loads, loads[-1:]])
    if len(coarse):
        for whole, part in zip(result, finer):
            whole[:, coarse] = part
    return result


def _compiled(
    surface: Any, body: tuple[float, float, float], state: Array, speeds: Array, h: float, steps: int, keep: bool
) -> Array | None:
    """States (steps + 1 or 1, N, 10) on the level set of a certified form; None elsewhere, or where a body did not get through."""
    if not isinstance(surface, LimitSurfaceModel) or surface.degree == 2 or not surface.certificate.certified:
        return None
    from .free_sliding_kernel import march_rows

    second = monomials(surface.degree).second(surface.coefficients)
    form = (second, monomials(surface.degree - 2).exponents, surface.degree, surface.ellipsoid, surface.length)
    table, good = march_rows(form, body, state, speeds, h, int(steps), keep, (_TOLERANCE, _HALVINGS, _PARTS))
    return table if good.all() else None


class _March:
    """Runge-Kutta steps of fourth order that are halved where the embedded third-order result differs."""

    def __init__(self, rates: Callable[[float, Array, NDArray[np.int64]], Array], count: int, weight: Array):
        self.rates = rates
        self.weight = weight  # of the turn where friction's lever is long beside the radius of gyration
        self.parts = np.zeros(count, dtype=np.int64)

    def across(
        self, t: float, h: float, state: Array, slope: Array, rows: NDArray[np.int64], halvings: int
    ) -> tuple[Array, Array]:
        """States and slopes at t + h from those at t of the bodies `rows`."""
        self.parts[rows] += 1
        after, there, error = self._step(t, h, state, slope, rows)
        rough = np.flatnonzero(~(error <= _TOLERANCE))
        if not len(rough):
            return after, there
        some = rows[rough]
        if halvings == _HALVINGS or (self.parts[some] > _PARTS).any():
            raise ConvergenceError(
                f"the direction of sliding of body {some[0]} changes faster than the smallest steps follow; "
                "is the moment of inertia too small for these supports?",
                residual=float(error[rough].max()),
            )
        middle = self.across(t, h / 2, state[rough], slope[rough], some, halvings + 1)
        after[rough], there[rough] = self.across(t + h / 2, h / 2, *middle, some, halvings + 1)
        return after, there

    def _step(self, t: float, h: float, state: Array, a: Array, rows: NDArray[np.int64]) -> tuple[Array, Array, Array]:
        """One step: states, their slopes, and the difference to the third-order result that these slopes give."""
        b = self.rates(t + h / 2, state + h / 2 * a, rows)
        c = self.rates(t + h / 2, state + h / 2 * b, rows)
        d = self.rates(t + h, state + h * c, rows)
        after = state + h / 6 * (a + 2 * b + 2 * c + d)
        after[:, :3] /= np.linalg.norm(after[:, :3], axis=1, keepdims=True)
        there = self.rates(t + h, after, rows)
        return after, there, h / 6 * np.linalg.norm((there - d)[:, :3] * self.weight, axis=1)


def _turned(rows: Array, angles: Array) -> Array:
    """Turn the first two components by the angles."""
    c, s = np.cos(angles), np.sin(angles)
    return np.column_stack([c * rows[:, 0] - s * rows[:, 1], s * rows[:, 0] + c * rows[:, 1], rows[:, 2]])
