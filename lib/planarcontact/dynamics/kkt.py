"""The document's own formulation: contact from the closest points of convex inequalities, as a reference."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .convex import Inequalities, inequalities
from .geometry import TOUCH, lowest_height, rotations, touching_points
from .kkt_step import NONPENETRATION, Problem, solve_step
from .options import SimulateOptions
from .precision import double_precision
from .record import Record, trajectory
from .scene import Scene
from .status import Status
from .support import Plane
from .trajectory import Trajectory

__all__ = ["FailurePattern", "failure_patterns", "run"]

WRONG = 1e-6  # of the bounding radius or of speed: a converged step this far from a valid one is a wrong root


class FailurePattern(NamedTuple):
    """What became of every step of a trajectory when the document's equations were solved from its states.

    nonpenetration: which form; status: (N,) `Status` integers; residual: (N,) unit-free; penetration: (N,) depth of
    the lowest generator [m]; difference: (N,) largest difference of the velocity from the trajectory's, in units of
    sqrt(g R); wrong: (N,) True where the solver converged to a root that penetrates or is another motion.
    """

    nonpenetration: str
    status: NDArray[np.int64]
    residual: NDArray[np.float64]
    penetration: NDArray[np.float64]
    difference: NDArray[np.float64]
    wrong: NDArray[np.bool_]


def run(scene: Scene, options: SimulateOptions) -> Trajectory:
    """Simulate with the document's mixed complementarity problem, with f_k(a1) = 0 for the chosen inequality k.

    It is kept as a reference to compare with, and fails where k, chosen from the pose at the step's start, goes stale.

    Args:
        scene: a scene whose body's hull is that of vertices, of two equal coaxial discs, or of one sphere.
        options: checked options; ``method`` is "kkt".

    Returns:
        A `Trajectory`; look at its ``status``.

    Raises:
        UnsupportedError: the hull of the body is another one.

    Source: document 1, Eqs. 6 to 17.
    """
    f = inequalities(scene.body)
    rows = []
    state, warm = (scene.position, scene.orientation, scene.velocity), None
    with double_precision(), np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # the status says what overflowed
        for load in scene.loads(options.sample):
            row, warm = _step(scene, options, f, state, load, warm, "equality")
            state = row[:3] if np.isfinite(row[5]) else state
            rows.append((*state, *row[3:]))
    return trajectory(scene, Record(*(np.array(column) for column in zip(*rows))))


def failure_patterns(
    scene: Scene, reference: Trajectory, options: SimulateOptions = SimulateOptions(method="kkt")
) -> list[FailurePattern]:
    """Solve every step of a trajectory by the document's equations in each form of non-penetration.

    Every step starts from the trajectory's own state, so one failure does not spoil the steps that follow.

    Args:
        scene: the scene of the trajectory.
        reference: a trajectory of it, by any method.
        options: options of the solver.

    Returns:
        One `FailurePattern` for "equality" (f_k(a1) = 0), "max_f" (Eq. 10) and "max_g" (Eq. 11).

    Raises:
        UnsupportedError: as for `run`.
    """
    f = inequalities(scene.body)
    loads = scene.loads(options.sample)
    patterns = []
    with double_precision():
        for nonpenetration in NONPENETRATION:
            rows, warm = [], None
            for k, load in enumerate(loads):
                state = reference.position[k], reference.orientation[k], reference.velocity[k]
                row, warm = _step(scene, options, f, state, load, warm, nonpenetration)
                unit = np.repeat([scene.velocity_scale, scene.velocity_scale / scene.body.bounding_radius], 3)
                rows.append((row[7], row[5], row[0], row[1], np.abs((row[2] - reference.velocity[k + 1]) / unit).max()))
            status, residual, position, orientation, difference = (np.array(column) for column in zip(*rows))
            depth = -lowest_height(scene.body, scene.support, position, orientation)
            wrong = (status == Status.CONVERGED) & ((difference > WRONG) | (depth > WRONG * scene.body.bounding_radius))
            patterns.append(FailurePattern(nonpenetration, status, residual, depth, difference, wrong))
    return patterns


def _step(
    scene: Scene, options: SimulateOptions, f: Inequalities, state: tuple, load: NDArray, warm: tuple | None, form: str
) -> tuple[tuple, tuple | None]:
    """Solve one step; return a row of a `Record`, and (k, z) to start the next from."""
    position, orientation, velocity = state
    body, frame = scene.body, scene.support.frame
    rotation = rotations(np.asarray(orientation)[None])[0]
    k = _facing(f, frame[0] @ rotation)
    problem = Problem(
        np.float64(body.mass), body.inertia, frame, np.float64(scene.support.offset), np.float64(scene.gravity),
        np.float64(scene.friction.mu), scene.friction.axes, np.float64(scene.step), np.float64(body.bounding_radius),
        np.float64(scene.velocity_scale), position, orientation, velocity, load, f, np.int64(k),
    )  # fmt: skip
    fresh = _fresh(scene, f, k, state, load, rotation)
    first = warm[1] if warm is not None and warm[0] == k else fresh
    found, u = solve_step(
        problem, np.stack([first, first, fresh, fresh]), options.tolerance,
        nonpenetration=form, explicit=options.gyroscopic == "explicit", max_iterations=options.max_iterations,
    )  # fmt: skip
    z, status, nu = np.asarray(found.z), int(found.status), np.asarray(u.nu)
    measure = float(found.measure) if np.isfinite(z).all() else np.inf
    moved = np.asarray(position) + scene.step * nu[:3]
    half = 0.5 * scene.step * nu[3:]
    q = np.asarray(orientation)
    q = q + np.concatenate([[-half @ q[1:]], half * q[0] + np.cross(half, q[1:])])
    impulse = np.array([float(u.normal), *np.asarray(u.friction)])
    row = (moved, q / np.linalg.norm(q), nu, np.asarray(u.a1), impulse, measure, int(found.iterations), status)
    return row, (k, z) if status == Status.CONVERGED else None


def _facing(f: Inequalities, normal: NDArray) -> int:
    """The inequality whose outward gradient, at the lowest point, comes closest to the support's downward normal."""
    round_ = [np.linalg.norm(projection @ normal) for projection in f.projections]
    return int(np.argmax(np.concatenate([-f.normals @ normal, round_])))


def _fresh(scene: Scene, f: Inequalities, k: int, state: tuple, load: NDArray, rotation: NDArray) -> NDArray:
    """Start without memory: free motion kept above the support, the lowest point as ECP, and the weight as p_n."""
    position, orientation, velocity = (np.asarray(part) for part in state)
    body, n, radius, speed = scene.body, scene.support.normal, scene.body.bounding_radius, scene.velocity_scale
    v = velocity[:3] + scene.step * (load[:3] / body.mass - np.array([0.0, 0.0, scene.gravity]))
    gap = float(lowest_height(body, scene.support, position[None], orientation[None])[0])
    level = Plane(n, scene.support.offset + gap)  # through the body's lowest point
    a1 = touching_points(body, level, position[None], orientation[None])[0].mean(axis=0) - position
    touches = gap <= TOUCH * radius
    if touches:
        v = v - min(0.0, v @ n) * n
    a2 = a1 - max(0.0, gap) * n
    normal = scene.step * body.mass * scene.gravity if touches else 0.0
    arm = a1 + scene.step * (v - velocity[:3])
    slip = scene.friction.axes * np.array([
        scene.support.frame[1] @ (v + np.cross(velocity[3:], arm)),
        scene.support.frame[2] @ (v + np.cross(velocity[3:], arm)),
        n @ velocity[3:],
    ])  # fmt: skip
    size = np.linalg.norm(slip)
    limit = scene.friction.mu * normal
    friction = -limit * scene.friction.axes * slip / size if size > 0.0 else np.zeros(3)
    multipliers = np.zeros(f.count)
    moved = scene.step * v
    return np.concatenate([
        v / speed, velocity[3:] * radius / speed, (a1 + moved) / radius, (a2 + moved) / radius,
        friction / (body.mass * speed), multipliers, [1.0, normal / (body.mass * speed), size / speed],
    ])  # fmt: skip
