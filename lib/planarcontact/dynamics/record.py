"""From what a method computed to a checked `Trajectory`."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .geometry import contacts
from .scene import Scene
from .status import ContactMode, Status
from .trajectory import Trajectory

__all__ = ["Record", "trajectories", "trajectory"]

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
    return trajectories([scene], [record])[0]


def trajectories(scenes: list[Scene], records: list[Record]) -> list[Trajectory]:
    """Return the trajectories of many scenes; those of one body and one support are checked together."""
    records = [_held(scene, record) for scene, record in zip(scenes, records)]
    groups: dict[tuple[int, int], list[int]] = {}
    for k, scene in enumerate(scenes):
        groups.setdefault((id(scene.body), id(scene.support)), []).append(k)
    found: dict[int, Trajectory] = {}
    for members in groups.values():
        position = np.concatenate([records[k].position for k in members])
        orientation = np.concatenate([records[k].orientation for k in members])
        scene = scenes[members[0]]
        with np.errstate(over="ignore", invalid="ignore"):  # distances of states that are finite but astronomical
            contact, low = contacts(scene.body, scene.support, position, orientation)
        deep = low < -DEEP * scene.body.bounding_radius
        at = 0
        for k in members:
            rows = slice(at, at + len(records[k].status))
            found[k] = _checked(scenes[k], records[k], contact[rows], deep[rows])
            at = rows.stop
    return [found[k] for k in range(len(scenes))]


def _checked(scene: Scene, record: Record, contact: NDArray[np.int64], deep: NDArray[np.bool_]) -> Trajectory:
    status = record.status.astype(np.int64)
    status[deep & (status == Status.CONVERGED)] = Status.PENETRATES
    ecp = np.array(record.ecp)
    ecp[contact == ContactMode.APART] = np.nan
    return Trajectory(
        time=scene.time,
        position=_join(scene.position, record.position),
        orientation=_join(scene.orientation, record.orientation),
        velocity=_join(scene.velocity, record.velocity),
        ecp=ecp,
        impulse=record.impulse,
        residual=record.residual,
        iterations=record.iterations.astype(np.int64),
        status=status,
        contact=contact.copy(),  # not a view, which would keep the whole batch in memory
    )


def _join(first: NDArray[np.float64], rows: NDArray[np.float64]) -> NDArray[np.float64]:
    joined = np.empty((len(rows) + 1, rows.shape[1]))
    joined[0], joined[1:] = first, rows
    return joined


def _held(scene: Scene, record: Record) -> Record:
    """Return the record with the last usable state held from the first step that overflowed."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = record.position.sum() + record.velocity.sum() + record.impulse.sum()
        if np.isfinite(total) and np.abs((record.orientation**2).sum(axis=1) - 1.0).max() < 0.5:
            return record  # the common case, at little cost
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
