"""Columns of the page on the time step: first-order contact beside the hull method, and the desk's convergence."""

import numpy as np
from numpy.typing import NDArray

from planarcontact.dynamics import Scene, Trajectory, scenes, simulate
from planarcontact.dynamics.diagnostics import diagnose
from planarcontact.dynamics.geometry import lowest_height
from planarcontact.dynamics.linearised import simulate_linearised

Columns = dict[str, NDArray]
GRID = 0.02  # s, the times at which runs of different steps are compared
SCENES = {"T-bar": (scenes.t_bar, 1.5, 0.025), "dumbbell": (scenes.dumbbell, 2.5, 0.1)}  # duration [s], COM's height lying [m]
LANDED = 1e-3  # m above the lying height: what counts as landed, for either scheme


def _at(run: Trajectory, values: NDArray, grid: float = GRID) -> NDArray[np.float64]:
    every = round(grid / (run.time[1] - run.time[0]))
    return values[every::every]


def judge(scene: Scene, run: Trajectory, truth: NDArray[np.float64], lying: float) -> dict[str, float]:
    """Return depth and height at which a run pushes [m], largest gain of energy in a step [J], landing [s], position error [m]."""
    low = lowest_height(scene.body, scene.support, run.position[1:], run.orientation[1:])
    pushed = run.impulse[:, 0] > 1e-9 * scene.body.mass
    energy = diagnose(scene, run).energy
    up = np.argmax(run.position[:, 2])
    lands = up + int(np.argmax(run.position[up:, 2] <= lying + LANDED))
    return {
        "depth [m]": max(-low.min(), 0.0),
        "gap while pushed [m]": max(low[pushed].max(), 0.0),
        "gain [J]": float((np.diff(energy.total) - energy.applied).max()),
        "landing [s]": float(run.time[lands]),
        "error [m]": float(np.abs(_at(run, run.position) - truth).max()),
    }


def baseline_data(steps: list[float], finest: float) -> Columns:
    """Both schemes on the T-bar and the dumbbell at several steps, against the hull method's run at the finest."""
    columns: dict[str, list] = {"step [ms]": [1e3 * h for h in steps]}
    for name, (make, duration, lying) in SCENES.items():
        fine = simulate(make(step=finest, duration=duration), backend="compiled")
        truth = _at(fine, fine.position)
        for h in steps:
            scene = make(step=h, duration=duration)
            for scheme, run in (("first order", simulate_linearised(scene)), ("hull", simulate(scene, backend="compiled"))):
                assert run.ok
                for key, value in judge(scene, run, truth, lying).items():
                    columns.setdefault(f"{name}, {scheme}, {key}", []).append(value)
    return {key: np.array(value) for key, value in columns.items()}


def flat_difference(step: float, duration: float) -> float:
    """Return the largest difference of the desk's velocity [m/s, rad/s] between first-order contact and the hull method."""
    scene = scenes.desk(step=step, duration=duration)
    runs = simulate_linearised(scene), simulate(scene, backend="compiled")
    return float(np.abs(runs[0].velocity - runs[1].velocity).max())


def desk_data(steps: list[float], fine: float, shown: float) -> Columns:
    """Errors of the desk against its own limit h -> 0, and how the error of x comes about at one step."""
    planar = lambda run: _at(run, np.hstack([run.position[:, :2], run.velocity[:, :2], np.vstack([np.full(2, np.nan), run.ecp[:, :2] - run.position[1:, :2]])]))  # noqa: E731
    runs = {h: simulate(scenes.desk(step=h), backend="compiled") for h in sorted({*steps, fine, fine / 2, shown})}
    assert all(run.ok for run in runs.values())
    limit = 2 * planar(runs[fine / 2]) - planar(runs[fine])
    error = np.array([np.abs(planar(runs[h]) - limit).max(axis=0) for h in steps])
    run = runs[shown]
    t = _at(run, run.time)
    off = planar(run) - limit
    speed = np.concatenate([[0.0], off[:, 2]])
    carried = np.cumsum((speed[1:] + speed[:-1]) / 2) * GRID
    return {
        "step [ms]": 1e3 * np.array(steps),
        "position error [m]": error[:, :2].max(axis=1),
        "speed error [m/s]": error[:, 2:4].max(axis=1),
        "ECP error [m]": error[:, 4:].max(axis=1),
        "t [s]": t,
        "x error [m]": off[:, 0],
        "h (v - v0) / 2 [m]": shown / 2 * (limit[:, 2] - run.velocity[0, 0]),
        "carried by the error of v_x [m]": carried,
    }
