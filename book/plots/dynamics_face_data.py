"""Which face of the body may be the index k of the document's closest-point equations: every face that is active, tried one by one."""

import numpy as np
from scipy.optimize import nnls

from planarcontact.dynamics import Scene, Trajectory
from planarcontact.dynamics.convex import inequalities, values_and_gradients
from planarcontact.dynamics.geometry import rotations
from planarcontact.dynamics.kkt_step import Problem, Unknowns, solve_step
from planarcontact.dynamics.precision import double_precision
from planarcontact.dynamics.status import Status

ACTIVE = 1e-9  # of the bounding radius: a point as near to a face lies on it


def unknown_counts(scene: Scene) -> tuple[int, int, int]:
    """Return the numbers of equality unknowns, of complementary unknowns, and of faces of a scene's body."""
    faces = inequalities(scene.body).count
    sizes = {"nu": 6, "a1": 3, "a2": 3, "friction": 3, "l1": faces, "l2": 1, "normal": 1, "sigma": 1}
    assert tuple(sizes) == Unknowns._fields
    return sum(sizes[name] for name in ("nu", "a1", "a2", "friction")), sum(sizes[name] for name in ("l1", "l2", "normal", "sigma")), faces


def rim_faces(scene: Scene) -> tuple[float, float]:
    """Return the horizontal parts of the normals of a hull's lowest face, and the least such part of the faces that meet it in its rim."""
    normals, up = inequalities(scene.body).normals, scene.support.frame[0]
    level = np.linalg.norm(normals - np.outer(normals @ up, up), axis=1)
    lowest = int(np.argmin(normals @ up))
    sides = np.abs(normals @ up) < 1.0 - 1e-9
    return float(level[lowest]), float(level[sides].min().round(12))


def faces_tried(scene: Scene, run: Trajectory) -> dict[str, int]:
    """Solve every step in contact with every face k that holds the ECP at the step's start, from the trusted end of the step.

    Returns how many pairs of a step and a face were tried, how many of those faces no longer hold the ECP at the end, and for
    both sorts how many gave the trusted motion within 1e-8 sqrt(g R).
    """
    f, radius, speed = inequalities(scene.body), scene.body.bounding_radius, scene.velocity_scale
    loads, turns = scene.loads(), rotations(run.orientation)
    n, t, o = scene.support.frame
    counts = {"kept": 0, "kept, right": 0, "lost": 0, "lost, right": 0}
    with double_precision():
        held = [np.abs(np.asarray(values_and_gradients(f, turns[k + 1].T @ (a - run.position[k + 1]))[0])) <= ACTIVE * radius for k, a in enumerate(run.ecp)]
        for k in range(1, len(loads)):
            if run.impulse[k, 0] <= 0.0 or run.impulse[k - 1, 0] <= 0.0:
                continue
            for face in np.flatnonzero(held[k - 1]):
                problem = Problem(
                    np.float64(scene.body.mass), scene.body.inertia, scene.support.frame, np.float64(scene.support.offset), np.float64(scene.gravity),
                    np.float64(scene.friction.mu), scene.friction.axes, np.float64(scene.step), np.float64(radius), np.float64(speed),
                    run.position[k], run.orientation[k], run.velocity[k], loads[k], f, np.int64(face),
                )  # fmt: skip
                after, arm = run.velocity[k + 1], (run.ecp[k] - run.position[k]) / radius
                pushed = run.impulse[k] / (scene.body.mass * speed)
                slid = after[:3] + np.cross(after[3:], run.ecp[k] - run.position[k + 1])
                slip = np.linalg.norm(scene.friction.axes * np.array([t @ slid, o @ slid, n @ after[3:]])) / speed
                weights = nnls((f.normals @ turns[k + 1].T).T * held[k], -n)[0]  # the faces' shares of the floor's normal
                scale = weights[face] if weights[face] > 1e-9 else 1.0
                start = np.concatenate([after[:3] / speed, after[3:] * radius / speed, arm, arm, pushed[1:], weights / scale * (np.arange(f.count) != face), [1.0 / scale, pushed[0], slip]])
                found, u = solve_step(problem, np.tile(start, (4, 1)), 1e-12, nonpenetration="equality", explicit=False, max_iterations=50)
                away = np.abs((np.asarray(u.nu) - after) / np.repeat([speed, speed / radius], 3)).max()
                sort = "kept" if held[k][face] else "lost"
                counts[sort] += 1
                counts[f"{sort}, right"] += int(int(found.status) == Status.CONVERGED and away <= 1e-8)
    return counts
