"""Recompute what a trajectory must satisfy from its states and impulses alone, in plain NumPy."""

import numpy as np

TRIALS = np.random.default_rng(0).normal(size=(60, 3))
TRIALS /= np.linalg.norm(TRIALS, axis=1)[:, None]  # friction impulses on the rim of the unit ball


def rotation(q):
    w, x, y, z = np.moveaxis(np.asarray(q), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def generator_heights(scene, x, q):
    """Height (..., k) of every generator's lowest point above the plane, for poses x (..., 3) and q (..., 4)."""
    body, plane, turn = scene.body, scene.support, rotation(q)
    level, down = x @ plane.normal - plane.offset, plane.normal @ turn  # the normal in the body's frame
    heights = [level + down @ b for b in body.vertices]
    heights += [level + down @ s.centre - s.radius for s in body.spheres]
    for disc in body.discs:
        slope = np.linalg.norm(np.cross(down, disc.axis), axis=-1)
        heights.append(level + down @ disc.centre - disc.radius * slope)
    return np.stack(heights, axis=-1)


def violations(scene, trajectory, gyroscopic="momentum", sample="mid"):
    """Violation (N,) of each law in each step, unit-free."""
    body, h, mu, axes = scene.body, scene.step, scene.friction.mu, scene.friction.axes
    frame, radius, speed = scene.support.frame, body.bounding_radius, scene.velocity_scale
    n, unit = frame[0], body.mass * speed
    x0, q0, v0 = trajectory.position[:-1], trajectory.orientation[:-1], trajectory.velocity[:-1]
    x1, q1, v1 = trajectory.position[1:], trajectory.orientation[1:], trajectory.velocity[1:]
    p, loads = trajectory.impulse, scene.loads(sample)
    apart = np.isnan(trajectory.ecp).any(axis=1)
    weight, push = np.array([0.0, 0.0, -body.mass * scene.gravity]), p[:, :3] @ frame
    row = lambda a: np.abs(a).max(axis=1)  # noqa: E731
    law = {"momentum": row(body.mass * (v1[:, :3] - v0[:, :3]) - h * (loads[:, :3] + weight) - push) / unit}
    r0, r1 = rotation(q0), rotation(q1)
    times = lambda r, w: np.einsum("nij,jk,nlk,nl->ni", r, body.inertia, r, w)  # noqa: E731
    if gyroscopic == "momentum":
        change = times(r1, v1[:, 3:]) - times(r0, v0[:, 3:])
    else:
        change = times(r0, v1[:, 3:] - v0[:, 3:]) + h * np.cross(v0[:, 3:], times(r0, v0[:, 3:]))
    arm = np.where(apart[:, None], 0.0, trajectory.ecp - x1)
    law["moment"] = row(change - h * loads[:, 3:] - np.cross(arm, push) - p[:, 3:] * n) / (unit * radius)
    half = 0.5 * h * v1[:, 3:]
    scalar = q0[:, 0] - (half * q0[:, 1:]).sum(axis=1)
    moved = np.column_stack([scalar, q0[:, 1:] + half * q0[:, :1] + np.cross(half, q0[:, 1:])])
    moved /= np.linalg.norm(moved, axis=1)[:, None]
    law["kinematics"] = np.maximum(row(x1 - x0 - h * v1[:, :3]) / radius, row(q1 - moved))
    low = generator_heights(scene, x1, q1).min(axis=1)
    law["penetration"] = -low / radius
    law["apart"] = np.where(apart, row(p) / unit, 0.0)
    law["gap"] = np.where(apart, 0.0, np.abs(low) * (p[:, 0] > 1e-12 * unit) / radius)
    used, limit = np.linalg.norm(p[:, 1:] / axes, axis=1), mu * p[:, 0]
    law["cone"] = np.where(apart, 0.0, (used - limit) / unit)
    at = v1[:, :3] + np.cross(v1[:, 3:], arm)
    slip = np.column_stack([at @ frame[1], at @ frame[2], v1[:, 3:] @ n])
    size, power = np.linalg.norm(axes * slip, axis=1), (p[:, 1:] * slip).sum(axis=1)
    # Maximum dissipation: the power reaches its bound mu p_n |E slip|; no other impulse of the cone dissipates more; and
    # inside the cone the body sticks.
    law["dissipation"] = np.where(apart, 0.0, (power + limit * size) / (unit * speed))
    others = limit[:, None] * ((axes * slip) @ TRIALS.T)
    law["brute force"] = np.where(apart, 0.0, (power - others.min(axis=1)) / (unit * speed))
    inside = ~apart & (used < 0.999 * limit) & (limit > 1e-6 * unit)
    law["stick"] = np.where(inside, size / speed, 0.0)
    return law


def audit(scene, trajectory, gyroscopic="momentum", sample="mid"):
    """Largest violation of each law over all steps, unit-free."""
    return {name: max(0.0, float(values.max())) for name, values in violations(scene, trajectory, gyroscopic, sample).items()}
