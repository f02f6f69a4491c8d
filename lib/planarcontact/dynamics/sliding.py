"""The planar quadratic model: a body that stands flat, slides, turns and sticks, but never tips."""

import numpy as np

from ..errors import UnsupportedError
from .flat import standing_flat
from .geometry import rotations
from .options import SimulateOptions
from .record import Record, trajectory
from .scene import Scene
from .sliding_step import march
from .trajectory import Trajectory

__all__ = ["run"]


def run(scene: Scene, options: SimulateOptions) -> Trajectory:
    """Simulate a body that slides flat on its support by the planar quadratic model.

    The normal impulse follows from the balance along the normal; the friction impulses, the multiplier sigma and
    the yaw rate from quadratic equations; the ECP afterwards from the balance of moments, which is linear in it.

    Args:
        scene: a scene whose body starts flat on the support, without lifting or tilting speed.
        options: checked options; ``method`` is "sliding".

    Returns:
        A `Trajectory`; its residual is the largest of the scaled friction and yaw equations.

    Raises:
        UnsupportedError: the body does not start flat, is lifted, or would tip (its ECP leaves the patch's hull).

    Source: document 1, Section 5.1: the model of dynamic sliding that the document compares with.
    """
    patch = standing_flat(scene, method="sliding")
    n, t, o = frame = scene.support.frame
    loads = scene.loads(options.sample)
    loads[:, 2] -= scene.body.mass * scene.gravity
    normal = -scene.step * (loads[:, :3] @ n)  # the balance along n: the body stays flat, so v_n = 0 throughout
    if (normal <= 0.0).any():
        raise _leaves(scene, int(np.argmax(normal <= 0.0)), "is lifted off its support")

    position, orientation, velocity, arm, impulse, residual, iterations, status = march(
        scene.step, scene.body.mass, scene.body.inertia.copy(), frame.copy(), patch.height, scene.friction.mu, scene.friction.axes,
        scene.position, scene.orientation, scene.velocity, normal, loads, options.gyroscopic == "momentum",
        scene.body.bounding_radius, scene.velocity_scale, options.max_iterations, options.tolerance,
    )  # fmt: skip
    arms = arm @ np.stack([t, o])
    inside = patch.margin(np.einsum("kji,kj->ki", rotations(orientation[1:]), arms))
    if (inside < -patch.slack).any():
        raise _leaves(scene, int(np.argmax(inside < -patch.slack)), "would tip: its ECP leaves the hull of its patch")
    ecp = position[1:] + arms - patch.height * n
    record = Record(position[1:], orientation[1:], velocity[1:], ecp, impulse, residual, iterations, status)
    return trajectory(scene, record)


def _leaves(scene: Scene, step: int, what: str) -> UnsupportedError:
    return UnsupportedError(f"method='sliding': by t = {scene.time[step + 1]:.9g} s the body {what}; use method='hull'")
