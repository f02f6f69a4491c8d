"""From what a method computed to a checked `Trajectory`."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .geometry import contact_modes, lowest_height
from .scene import Scene
from .status import ContactMode, Status
from .trajectory import Trajectory

__all__ = ["Record", "trajectory"]

DEEP = 1e-10  # of the bounding radius: a generator that lies deeper than this is not at a root of the problem


class Record(NamedTuple):
    """Results of N steps: position (N, 3), orientation (N, 4), velocity (N, 6), ecp (N, 3), impulse (N, 4), residual,
    iterations, status (N,)."""

    position: NDArray[np.float64]
    orientation: NDArray[np.float64]
    velocity: NDArray[np.float64]
    ecp: NDArray[np.float64]
    impulse: NDArray[np.float64]
    residual: NDArray[np.float64]
    iterations: NDArray[np.int64]
    status: NDArray[np.int64]


def trajectory(scene: Scene, record: Record) -> Trajectory:
    """Return the trajectory of a scene, with every generator's height checked independently of the solver.

    A step that claims to have converged while a generator lies below the support gets the status PENETRATES.
    """
    position, orientation = record.position, record.orientation
    contact = contact_modes(scene.body, scene.support, position, orientation)
    low = lowest_height(scene.body, scene.support, position, orientation)
    wrong = (record.status == Status.CONVERGED) & (low < -DEEP * scene.body.bounding_radius)
    join = lambda first, rows: np.concatenate([np.asarray(first, dtype=np.float64)[None], rows])  # noqa: E731
    return Trajectory(
        time=scene.time,
        position=join(scene.position, position),
        orientation=join(scene.orientation, orientation),
        velocity=join(scene.velocity, record.velocity),
        ecp=np.where((contact == ContactMode.APART)[:, None], np.nan, record.ecp),
        impulse=record.impulse,
        residual=record.residual,
        iterations=record.iterations.astype(np.int64),
        status=np.where(wrong, Status.PENETRATES, record.status).astype(np.int64),
        contact=contact,
    )
