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

    A step that claims to have converged while a generator lies below the support gets the status PENETRATES. From the
    first state that is no number or has no orientation on, the state before it is held, and the status is NOT_FINITE.
    """
    record = _held(scene, record)
    position, orientation = record.position, record.orientation
    with np.errstate(over="ignore", invalid="ignore"):  # distances of states that are finite but astronomical
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


def _held(scene: Scene, record: Record) -> Record:
    """Return the record with the last usable state held from the first step that overflowed."""
    states = np.concatenate([record.position, record.orientation, record.velocity, record.impulse], axis=1)
    with np.errstate(over="ignore", invalid="ignore"):
        lost = ~np.isfinite(states).all(axis=1) | ~(np.abs((record.orientation**2).sum(axis=1) - 1.0) < 0.5)
    if not lost.any():
        return record
    k = int(np.argmax(lost))
    hold = lambda rows, first: np.concatenate([rows[:k], np.tile(rows[k - 1] if k else first, (len(rows) - k, 1))])  # noqa: E731
    fill = lambda rows, value: np.concatenate([rows[:k], np.full_like(rows[k:], value)])  # noqa: E731
    position = hold(record.position, scene.position)
    return Record(
        position,
        hold(record.orientation, scene.orientation),
        hold(record.velocity, scene.velocity),
        np.concatenate([record.ecp[:k], position[k:]]),
        fill(record.impulse, 0.0),
        fill(record.residual, np.inf),
        record.iterations,
        fill(record.status, Status.NOT_FINITE),
    )
