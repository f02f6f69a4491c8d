"""What the derivatives are for: parameters from an observed motion, and a push that brings a body to a goal."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import least_squares

from ..errors import ConvergenceError, InputError
from ..validation import finite_array, nonnegative, positive
from .gradients import with_parameters
from .loads import SampledWrench
from .options import SimulateOptions
from .scene import Scene, checked_scene
from .sensitivity import STATE, Sensitivity, known_names, linearise

__all__ = ["Estimate", "Push", "estimate_parameters", "push_to_goal"]

POSITIVE = ("mu", "e_t", "e_o", "e_r", "mass", "gravity")
FARTHEST_LOG = 200.0  # of a parameter: its square and cube stay within float64
NORMAL_95 = 1.959963984540054  # half width of a 95 % interval of the normal distribution


@dataclass(frozen=True, eq=False)
class Estimate:
    """Parameters that explain an observed motion.

    Args:
        values: name to value, in SI units.
        intervals: name to the ends of its 95 % interval, if the noise is normal and of the given size; infinite where the
            motion hardly tells.
        covariance: (p, p) of the logarithms, in the order of `values`.
        misfit: root mean square of the residuals in units of the noise; about 1 if the model explains the motion.
        evaluations: simulations that were needed.
    """

    values: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    covariance: NDArray[np.float64]
    misfit: float
    evaluations: int


def estimate_parameters(
    scene: Scene, observed: ArrayLike, noise: ArrayLike, with_respect_to: Sequence[str] = ("mu", "e_r")
) -> Estimate:
    """Estimate positive parameters of a scene from an observed motion, by least squares with exact derivatives.

    Args:
        scene: the scene; its values are the first guess.
        observed: (N + 1, 13) observed states (position, orientation, velocity), nan where nothing was seen.
        noise: (13,) standard deviation of the noise of each entry.
        with_respect_to: names out of "mu", "e_t", "e_o", "e_r", "mass", "gravity".

    Returns:
        An `Estimate`; its intervals come from the curvature at the solution.

    Raises:
        InputError: a name or a shape does not fit, or a noise is not positive.
        ConvergenceError: a simulation or the fit did not converge, or the motion does not determine a parameter.
    """
    names = known_names(with_respect_to, POSITIVE)
    seen = _known_in_part("observed", observed, (checked_scene(scene).steps + 1, STATE))
    size = finite_array("noise", noise, (STATE,))
    if (size <= 0.0).any():
        raise InputError("noise", size.tolist(), "must be positive")
    mask = np.isfinite(seen)
    if not 0 < len(set(names)) == len(names) <= mask.sum():
        raise InputError("with_respect_to", names, f"cannot be estimated from {mask.sum()} numbers", "name each parameter once")
    loads, options = scene.loads(), SimulateOptions()
    last: dict[bytes, Sensitivity] = {}

    def at(logs: NDArray[np.float64]) -> Sensitivity:
        key = logs.tobytes()
        if key not in last:
            last.clear()
            if not (np.abs(logs) < FARTHEST_LOG).all():
                raise ConvergenceError("the fit ran out of the range of the parameters: the motion does not determine them")
            last[key] = linearise(*_put(scene, loads, dict(zip(names, np.exp(logs))), options))
        return last[key]

    def residual(logs: NDArray[np.float64]) -> NDArray[np.float64]:
        t = at(logs).trajectory
        states = np.hstack([t.position, t.orientation, t.velocity])
        return _within_float64(((states - seen) / size)[mask])

    def slopes(logs: NDArray[np.float64]) -> NDArray[np.float64]:
        found = at(logs)
        columns = [found.history({name: value}) / size for name, value in zip(names, np.exp(logs))]
        return np.stack([column[mask] for column in columns], axis=1)

    first = {n: scene.body.mass if n == "mass" else scene.gravity if n == "gravity" else getattr(scene.friction, n) for n in names}
    for name, value in first.items():
        positive(name, value)  # as a first guess
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        fit = least_squares(residual, np.log(list(first.values())), slopes, method="lm", max_nfev=100)
        if not fit.success:
            raise ConvergenceError(f"the fit stopped: {fit.message}", status=fit.status, residual=float(fit.cost))
        covariance = _inverse(fit.jac.T @ fit.jac)
        spread = NORMAL_95 * np.sqrt(np.diag(covariance))
        values = {name: float(np.exp(log)) for name, log in zip(names, fit.x)}
        intervals = {name: (float(np.exp(log - s)), float(np.exp(log + s))) for name, log, s in zip(names, fit.x, spread)}
    misfit = float(np.sqrt(np.mean(fit.fun**2)))
    return Estimate(values, intervals, covariance, misfit, int(fit.nfev))


@dataclass(frozen=True, eq=False)
class Push:
    """A load that brings a body to a goal.

    Args:
        scene: the scene with that load as its wrench.
        levels: (w, 6) force [N] and moment [N m] in each of w equal windows of time.
        miss: (13,) final state less goal, 0 where the goal is free.
        evaluations: simulations that were needed.
    """

    scene: Scene
    levels: NDArray[np.float64]
    miss: NDArray[np.float64]
    evaluations: int


def push_to_goal(
    scene: Scene, goal: ArrayLike, first: ArrayLike, *, free: Sequence[int] = (0, 1, 5), effort: float = 1e-9
) -> Push:
    """Choose a load, constant in each of some windows of time, that brings a body to a goal, by exact derivatives.

    Args:
        scene: the scene; its own wrench is replaced.
        goal: (13,) final position, orientation and velocity, nan where it may be any.
        first: (w, 6) first guess of the load in each window [N, N m].
        free: which of the six components may change.
        effort: weight of the squared load against the squared miss, which decides among pushes that all reach the goal.

    Returns:
        A `Push`.

    Raises:
        InputError: a shape does not fit, the goal is free everywhere, `free` are no components, or the effort is negative.
        ConvergenceError: a simulation or the search did not converge.
    """
    checked_scene(scene)
    wanted, base = _known_in_part("goal", goal, (STATE,)), finite_array("first", first, (None, 6))
    if not np.isfinite(wanted).any():
        raise InputError("goal", wanted.tolist(), "is free everywhere", "give at least one number")
    if not len(base):
        raise InputError("first", base.shape, "has no window", "give at least one row")
    free, effort = _components(free), nonnegative("effort", effort)
    window = np.minimum(np.arange(scene.steps) * len(base) // scene.steps, len(base) - 1)
    rows, options = np.flatnonzero(np.isfinite(wanted)), SimulateOptions()

    def levels(x: NDArray[np.float64]) -> NDArray[np.float64]:
        changed = base.copy()
        changed[:, free] = x.reshape(len(base), len(free))
        return changed

    def residual(x: NDArray[np.float64]) -> NDArray[np.float64]:
        miss = linearise(scene, options, levels(x)[window]).final[rows] - wanted[rows]
        return _within_float64(np.concatenate([miss, np.sqrt(effort) * x]))

    def slopes(x: NDArray[np.float64]) -> NDArray[np.float64]:
        found = linearise(scene, options, levels(x)[window])
        by_step = np.stack([found.reverse(row)["wrench"] for row in np.eye(STATE)[rows]])  # (r, N, 6)
        by_window = np.stack([by_step[:, window == k].sum(axis=1) for k in range(len(base))], axis=1)
        return np.concatenate([by_window[:, :, free].reshape(len(rows), -1), np.sqrt(effort) * np.eye(x.size)])

    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        fit = least_squares(residual, base[:, free].reshape(-1), slopes, method="trf", x_scale="jac", max_nfev=200)
    if not fit.success:
        raise ConvergenceError(f"the search stopped: {fit.message}", status=fit.status, residual=float(fit.cost))
    found, times = levels(fit.x), (np.arange(scene.steps) + 0.5) * scene.step
    moved = scene.replace(wrench=SampledWrench(times, found[window]))
    miss = np.zeros(STATE)
    miss[rows] = fit.fun[: len(rows)]
    return Push(moved, found, miss, int(fit.nfev))


def _put(scene: Scene, loads: NDArray, values: dict[str, float], options: SimulateOptions) -> tuple:
    changed, push = with_parameters(scene, loads, values)
    return changed, options, push


def _known_in_part(name: str, value: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return an array that may hold nan, or raise `InputError`."""
    try:
        missing = np.isnan(np.ma.getdata(value))
        present = np.where(missing, 0.0, value)
    except (TypeError, ValueError):
        missing, present = np.zeros(shape, dtype=bool), value  # which the check below refuses
    known = finite_array(name, value if np.ma.is_masked(value) else present, shape)
    known[missing] = np.nan
    return known


def _components(free: Sequence[int]) -> list[int]:
    """Return which of the six components are free, or raise `InputError`."""
    given = list(free) if isinstance(free, Sequence) or isinstance(free, np.ndarray) and free.ndim else []
    if not given or not all(isinstance(k, (int, np.integer)) and not isinstance(k, bool) and 0 <= k < 6 for k in given):
        raise InputError("free", free, "are no components of a load", "use some of 0, 1, 2 (force) and 3, 4, 5 (moment)")
    return sorted({int(k) for k in given})


def _within_float64(residual: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a residual whose square is finite, or raise `ConvergenceError`."""
    if not np.isfinite(residual @ residual):
        raise ConvergenceError("the simulated motion is farther from the wanted one than float64 can square")
    return residual


def _inverse(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the inverse of J'J, or raise `ConvergenceError` where it is singular."""
    try:
        inverse = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        inverse = np.full_like(matrix, np.nan)
    if not (np.isfinite(inverse).all() and (np.diag(inverse) > 0.0).all()):
        raise ConvergenceError("the observed motion does not determine the parameters")
    return inverse
