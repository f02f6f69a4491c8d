"""More of what the pages on limit surfaces compute about single statements of the document, a function for each."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from planarcontact.limit_surface import LimitSurfaceModel, fetch, fit, load_pokes, monomials, read_poke_log
from planarcontact.limit_surface.block import ARRANGEMENTS, SURFACES
from planarcontact.limit_surface.inverse import InversionStatus
from planarcontact.limit_surface.objectives import SIMULATION_GRID, Weights
from planarcontact.limit_surface.protocol import SEED, make_trial
from planarcontact.limit_surface.study import authors_units, mean_angle
from planarcontact.limit_surface.two_point_data import ACTION_SETS
from planarcontact.limit_surface.two_point_study import PAPER_SETS

Array = NDArray[np.float64]


def body_frame_slide(surface: Any, mass: float, gyration: float, start: Any, term: float) -> tuple[Array, Array]:
    """Last pose [m, m, rad] and last unit direction of a free slide integrated in the body frame, down to 1/500 of the speed.

    `term` multiplies m omega (v_y, -v_x) on the right side: 1 is the turning frame's term, 0 leaves it out.
    """
    scale = np.array([1.0, 1.0, gyration])
    inertia = mass * np.array([1.0, 1.0, gyration**2])

    def rates(_: float, state: Array) -> Array:
        c, s, (v_x, v_y, omega) = np.cos(state[2]), np.sin(state[2]), state[3:]
        change = -surface.load(state[3:][None])[0] / inertia + term * omega * np.array([v_y, -v_x, 0.0])
        return np.concatenate([[c * v_x - s * v_y, s * v_x + c * v_y, omega], change])

    def slow(_: float, state: Array) -> float:
        return float(np.linalg.norm(state[3:] * scale) - 2e-3 * np.linalg.norm(np.array(start) * scale))

    slow.terminal = True  # type: ignore[attr-defined]
    out = solve_ivp(rates, (0.0, 5.0), np.concatenate([np.zeros(3), start]), events=slow, rtol=1e-6, atol=1e-9, max_step=0.02)
    last = out.y[3:, -1] * scale
    return out.y[:3, -1], last / np.linalg.norm(last)


def resampled(right: Array, seed: int, count: int = 4000) -> tuple[float, float]:
    """95 % interval of the mean over sets (rows) of pushes when every set's pushes are drawn again with replacement."""
    rng = np.random.default_rng(seed)
    rows, columns = right.shape
    drawn = rng.integers(0, columns, size=(count, rows, columns))
    means = np.take_along_axis(np.broadcast_to(right, (count, rows, columns)), drawn, axis=2).mean(axis=(1, 2))
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def loads_per_twist(model: LimitSurfaceModel, twists: Array, starts: Array, steps: int = 60) -> NDArray[np.int64]:
    """For every twist, how many different loads of the level set Newton's method finds from these starts."""
    basis = monomials(model.degree)
    goal = twists * [1, 1, model.length]
    goal = np.repeat(goal / np.linalg.norm(goal, axis=1, keepdims=True), len(starts), axis=0)
    at = np.tile(starts, (len(twists), 1))
    for _ in range(steps):
        hessians = basis.hessians(at) @ model.coefficients
        hessians = np.where(np.abs(np.linalg.det(hessians))[:, None, None] > 1e-300, hessians, np.eye(3))
        step = np.linalg.solve(hessians, (basis.gradients(at) @ model.coefficients - goal)[:, :, None])[:, :, 0]
        size = np.linalg.norm(step, axis=1, keepdims=True) / np.maximum(np.linalg.norm(at, axis=1, keepdims=True), 1e-300)
        at = at - step / np.maximum(size, 1.0)
    found = np.linalg.norm(basis.gradients(at) @ model.coefficients - goal, axis=1) < 1e-9
    unit = at / np.linalg.norm(at, axis=1, keepdims=True)
    counts = np.zeros(len(twists), dtype=np.int64)
    for row in range(len(twists)):
        mine = slice(row * len(starts), (row + 1) * len(starts))
        kept: list[Array] = []
        for u in unit[mine][found[mine]]:
            if all(u @ v < np.cos(np.radians(0.5)) for v in kept):
                kept.append(u)
        counts[row] = len(kept)
    return counts


def unconstrained_fits(splits: int, seed: int, queries: int = 40, starts: int = 40) -> dict[int, tuple[int, int, float, float]]:
    """The stability tables' fits without convexity on wood, of the first splits, by number of training pokes.

    Fits; those without a certificate; shares of the twists put to these that have no load, and more than one.
    """
    rng = np.random.default_rng(seed)
    twists, begin = rng.normal(size=(queries, 3)) * [1, 1, 20], rng.normal(size=(starts, 3))
    out = {}
    for amount in (10, 20, 30):
        counts, fits = [], 0
        for index, name in enumerate(PAPER_SETS):
            pokes = load_pokes("wood", ACTION_SETS[name][1], progress=False)
            for k in range(splits):
                order = np.random.default_rng((SEED, index, k)).permutation(len(pokes))
                check, train = order[:10], order[10 : 10 + amount]
                weights = authors_units(SIMULATION_GRID, pokes.loads[train] / [1, 1, pokes.length], "poly4", "released")
                model = fit(pokes.loads[train], pokes.twists[train], kind="poly4", objective="released", length=pokes.length,
                            weights=weights, validation=(pokes.loads[check], pokes.twists[check]))
                fits += 1
                if not model.certificate.certified:
                    found = loads_per_twist(model, twists, begin)
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore", UserWarning)
                        inverse = model.invert(twists, uncertified=True)
                    counts.append(np.maximum(found, np.isin(inverse.status, (InversionStatus.CONVERGED, InversionStatus.SEARCHED))))
        many = np.concatenate(counts) if counts else np.ones(1)
        out[amount] = fits, len(counts), float(np.mean(many == 0)), float(np.mean(many > 1))
    return out


def averaged_otherwise() -> tuple[Array, Array]:
    """For every poke: turn [deg] and ratio of size [-] of the mean force of the samples kept against that of all samples."""
    turns, ratios = [], []
    for surface in SURFACES:
        for arrangement in ARRANGEMENTS:
            for log in read_poke_log(fetch(f"{surface}-{arrangement}", progress=False)):
                force = log.force - log.force[0]
                kept = np.arange(1, len(force) + 1) >= np.ceil(0.3 * len(force))
                kept &= (force**2).sum(axis=1) >= (force.mean(axis=0) ** 2).sum()
                a, b = force[kept].mean(axis=0), force.mean(axis=0)
                turns.append(np.degrees(np.arccos(np.clip(a @ b / np.linalg.norm(a) / np.linalg.norm(b), -1, 1))))
                ratios.append(np.linalg.norm(a) / np.linalg.norm(b))
    return np.array(turns), np.array(ratios)


def third_differences(loads: Array, twists: Array, seed: int) -> dict[str, float]:
    """Third difference of each loss along lines in the coefficients, over its value, largest of twenty: zero for a quadratic."""
    basis, rng = monomials(4), np.random.default_rng(seed)

    def parts(a: Array) -> tuple[Array, Array]:
        gradients = basis.gradients(loads) @ a
        return np.linalg.norm(gradients - (gradients * twists).sum(axis=1, keepdims=True) * twists, axis=1), basis.values(loads) @ a - 1.0

    losses = {
        "printed": lambda a: a @ a + float(np.sum(parts(a)[0] ** 2) + np.sum(parts(a)[1] ** 2)),
        "released": lambda a: np.linalg.norm(a) + float(np.sum(parts(a)[0]) + np.sum(np.abs(parts(a)[1]))),
    }
    out = dict.fromkeys(losses, 0.0)
    for _ in range(20):
        begin, way = rng.normal(size=(2, 15))
        for name, loss in losses.items():
            values = np.array([loss(begin + k * way) for k in range(4)])
            out[name] = max(out[name], abs(float(values @ [-1, 3, -3, 1])) / values.max())
    return out


def by_force_weight(condition: str, forces: tuple[float, ...], trials: int, amount: int) -> Array:
    """Validation angle and test angle [deg] of the convex quartic with each force weight, printed objective: (2, trials, weights)."""
    out = np.empty((2, trials, len(forces)))
    for trial in range(trials):
        data = make_trial(condition, trial)
        train = data.pool.take(np.arange(amount))
        for column, force in enumerate(forces):
            model = fit(train.loads, train.twists, kind="poly4-cvx", objective="printed", weights=Weights(0.1, 1.0, force))
            for row, sample in enumerate((data.validation, data.tests["ideal"])):
                out[row, trial, column] = mean_angle(model.twist(sample.loads), sample.twists)
    return out
