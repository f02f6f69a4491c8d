"""Recompute what a trajectory must satisfy from its states and impulses alone, in plain NumPy."""

import numpy as np


def rotation(q):
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def generator_heights(scene, x, q):
    """Height of every generator's lowest point above the plane."""
    body, plane, turn = scene.body, scene.support, rotation(q)
    heights = [plane.normal @ (x + turn @ b) - plane.offset for b in body.vertices]
    heights += [plane.normal @ (x + turn @ s.centre) - plane.offset - s.radius for s in body.spheres]
    for disc in body.discs:
        slope = np.linalg.norm(np.cross(plane.normal, turn @ disc.axis))
        heights.append(plane.normal @ (x + turn @ disc.centre) - plane.offset - disc.radius * slope)
    return np.array(heights)


def audit(scene, trajectory, gyroscopic="momentum", sample="mid"):
    """Largest violation of each law over all steps, unit-free."""
    body, frame, h = scene.body, scene.support.frame, scene.step
    n, t, o = frame
    radius, speed, axes, mu = body.bounding_radius, scene.velocity_scale, scene.friction.axes, scene.friction.mu
    unit = body.mass * speed
    worst = dict.fromkeys(("momentum", "moment", "kinematics", "penetration", "gap", "cone", "dissipation", "apart"), 0.0)

    def put(name, value):
        worst[name] = max(worst[name], float(value))

    loads = scene.loads(sample)
    for k, p in enumerate(trajectory.impulse):
        x0, q0, v0 = trajectory.position[k], trajectory.orientation[k], trajectory.velocity[k]
        x1, q1, v1 = trajectory.position[k + 1], trajectory.orientation[k + 1], trajectory.velocity[k + 1]
        weight = np.array([0.0, 0.0, -body.mass * scene.gravity])
        push = p[:3] @ frame
        put("momentum", np.abs(body.mass * (v1[:3] - v0[:3]) - h * (loads[k, :3] + weight) - push).max() / unit)
        i0, i1 = (rotation(q) @ body.inertia @ rotation(q).T for q in (q0, q1))
        if gyroscopic == "momentum":
            change = i1 @ v1[3:] - i0 @ v0[3:]
        else:
            change = i0 @ (v1[3:] - v0[3:]) + h * np.cross(v0[3:], i0 @ v0[3:])
        apart = np.isnan(trajectory.ecp[k]).any()
        arm = np.zeros(3) if apart else trajectory.ecp[k] - x1
        put("moment", np.abs(change - h * loads[k, 3:] - np.cross(arm, push) - p[3] * n).max() / (unit * radius))
        put("kinematics", np.abs(x1 - x0 - h * v1[:3]).max() / radius)
        half = np.concatenate([[0.0], 0.5 * h * v1[3:]])
        moved = q0 + np.array([-half[1:] @ q0[1:], *(half[1:] * q0[0] + np.cross(half[1:], q0[1:]))])
        put("kinematics", np.abs(q1 - moved / np.linalg.norm(moved)).max())
        heights = generator_heights(scene, x1, q1)
        put("penetration", -heights.min() / radius)
        if apart:
            put("apart", np.abs(p).max() / unit)
            continue
        put("gap", abs(heights.min()) * (p[0] > 1e-12 * unit) / radius)
        used = np.linalg.norm(p[1:] / axes) if mu == 0 else np.linalg.norm(p[1:] / axes) - mu * p[0]
        put("cone", used / unit)
        at = v1[:3] + np.cross(v1[3:], arm)
        slip = np.array([t @ at, o @ at, n @ v1[3:]])
        # Maximum dissipation: the power reaches its bound mu p_n |E slip|, which also says that a body inside its
        # cone sticks.
        put("dissipation", (p[1:] @ slip + mu * p[0] * np.linalg.norm(axes * slip)) / (unit * speed))
    return worst
