"""Columns of the dynamics chapter's first page, collected from simulations."""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from planarcontact.dynamics import Body, EllipsoidalFriction, Scene, Trajectory, scenes, simulate
from planarcontact.dynamics.diagnostics import Diagnostics
from planarcontact.dynamics.geometry import patch_polygons, rotations

Columns = dict[str, NDArray]


def _polygons(prefix: str, polygons: list[NDArray[np.float64]]) -> Columns:
    return {
        f"{prefix}piece": np.concatenate([np.full(len(p), k) for k, p in enumerate(polygons)]),
        f"{prefix}x [m]": np.concatenate([p[:, 0] for p in polygons]),
        f"{prefix}y [m]": np.concatenate([p[:, 1] for p in polygons]),
    }


def _sliding(body: Body, height: float, orientation: tuple[float, ...], step: float) -> Trajectory:
    scene = Scene(
        body=body, friction=EllipsoidalFriction(mu=0.22), position=(0.0, 0.0, height), orientation=orientation,
        velocity=(0.3, 0.0, 0.0, 0.0, 0.0, 0.5), step=step, duration=step,
    )  # fmt: skip
    return simulate(scene)


def patches_data(step: float) -> Columns:
    """Patch, hull, COM and ECP of the three bodies after one step of sliding along +x and turning."""
    half = np.sqrt(0.5)
    columns: Columns = {}
    for name, body, height, lying in (
        ("desk", scenes.desk_body(), 0.45, (1.0, 0.0, 0.0, 0.0)),
        ("T-bar", scenes.t_bar_body(), 0.025, (1.0, 0.0, 0.0, 0.0)),
        ("dumbbell", scenes.dumbbell_body(), 0.1, (half, 0.0, half, 0.0)),
    ):
        run = _sliding(body, height, lying, step)
        turn, at = rotations(run.orientation[1:])[0], run.position[1]
        if name == "dumbbell":
            ends = [(-0.15, -0.09), (0.09, 0.15)]
            polygons = [at + np.outer(pair, turn[:, 2]) for pair in ends]
        else:
            polygons = [at + p @ turn.T for p in patch_polygons(body)]
        columns |= _polygons(f"{name} patch ", polygons)
        points = np.concatenate(polygons)[:, :2]
        hull = points[[0, 3]] if name == "dumbbell" else points[ConvexHull(points).vertices]
        hull = np.roll(hull, -int(np.argmin(hull[:, 0])), axis=0)  # where the hull begins is else up to the processor
        columns |= {f"{name} hull x [m]": hull[:, 0], f"{name} hull y [m]": hull[:, 1]}
        columns |= {f"{name} ecp x [m]": run.ecp[:, 0], f"{name} ecp y [m]": run.ecp[:, 1]}
        columns |= {f"{name} com x [m]": run.position[1:, 0], f"{name} com y [m]": run.position[1:, 1]}
    return columns


def desk_feet_data(scene: Scene) -> Columns:
    """The feet of the desk in its own frame."""
    return _polygons("", patch_polygons(scene.body))


def desk_snapshots_data(scene: Scene, run: Trajectory, every: float = 0.5) -> Columns:
    """Feet, COM and ECP at multiples of `every` [s]."""
    steps = np.round(np.arange(every, scene.duration + 1e-9, every) / scene.step).astype(int)
    turns = rotations(run.orientation[steps])
    polygons = [run.position[k] + p @ turn.T for k, turn in zip(steps, turns) for p in patch_polygons(scene.body)]
    return {
        **_polygons("", polygons),
        "t [s]": run.time[steps],
        "com x [m]": run.position[steps, 0],
        "com y [m]": run.position[steps, 1],
        "ecp x [m]": run.ecp[steps - 1, 0],
        "ecp y [m]": run.ecp[steps - 1, 1],
    }


def desk_speeds_data(run: Trajectory) -> Columns:
    """Velocity along x and spin about the vertical."""
    return {"t [s]": run.time, "v_x hull [m/s]": run.velocity[:, 0], "w_z hull [rad/s]": run.velocity[:, 5]}


def desk_checks_data(run: Trajectory, found: Diagnostics) -> Columns:
    """ECP relative to the COM, cone use and the energy balance, at the ends of the steps."""
    energy = found.energy
    return {
        "t [s]": run.time[1:],
        "a_x - q_x [m]": run.ecp[:, 0] - run.position[1:, 0],
        "a_y - q_y [m]": run.ecp[:, 1] - run.position[1:, 1],
        "cone use [-]": found.cone_use,
        "applied work [J]": np.cumsum(energy.applied),
        "friction work [J]": np.cumsum(energy.friction),
        "energy gain [J]": energy.total[1:] - energy.total[0],
    }


def distance_to_patches(body: Body, run: Trajectory) -> NDArray[np.float64]:
    """Distance (N,) [m] of the ECP from the nearest of the body's patches at the end of every step (0 inside one)."""
    local = np.einsum("nji,nj->ni", rotations(run.orientation[1:]), run.ecp - run.position[1:])
    nearest = np.full(len(local), np.inf)
    for polygon in patch_polygons(body):
        start, along = polygon, np.roll(polygon, -1, axis=0) - polygon
        offset = local[:, None, :] - start
        share = np.clip((offset * along).sum(axis=2) / (along**2).sum(axis=1), 0.0, 1.0)
        gap = np.linalg.norm(offset - share[:, :, None] * along, axis=2).min(axis=1)
        side = along[:, 0] * offset[:, :, 1] - along[:, 1] * offset[:, :, 0]
        inside = (side >= 0).all(axis=1) | (side <= 0).all(axis=1)
        nearest = np.minimum(nearest, np.where(inside, 0.0, gap))
    return nearest


def methods_data(runs: dict[str, Trajectory]) -> Columns:
    """Velocity along x and spin by each method, and their largest differences from the hull method's."""
    columns: Columns = {"t [s]": runs["hull"].time}
    for name, run in runs.items():
        columns |= {f"v_x {name} [m/s]": run.velocity[:, 0], f"w_z {name} [rad/s]": run.velocity[:, 5]}
    others = [name for name in runs if name != "hull"]
    columns["method"] = np.array(others)
    for column, label in ((0, "v_x [m/s]"), (5, "w_z [rad/s]")):
        worst = [np.abs(runs[k].velocity[:, column] - runs["hull"].velocity[:, column]).max() for k in others]
        columns[f"largest difference, {label}"] = np.maximum(worst, 1e-11)  # rounding noise is shown as its limit
    return columns
