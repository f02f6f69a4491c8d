"""From a table of one's own pushes to loads and twists: frames, signs and tare spelled out."""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError, InputError
from ..validation import finite_array, nonnegative, one_of, positive
from .checks import folder_path

__all__ = ["PUSH_COLUMNS", "OwnPushes", "read_pushes"]

Array = NDArray[np.float64]

#: Columns of the table: one row per sample; samples of one push share its number and are in the order of time.
PUSH_COLUMNS: tuple[str, ...] = (
    "push",
    "force x [N]",
    "force y [N]",
    "tip x [m]",
    "tip y [m]",
    "body x [m]",
    "body y [m]",
    "body angle [rad]",
)


@dataclass(frozen=True)
class OwnPushes:
    """Loads and twists of pushes, body frame with its origin at the centre of mass, as `fit` takes them.

    Attributes:
        loads: (N, 3) rows (f_x, f_y, tau), what the object applies to the surface [N, N, N m].
        twists: (N, 3) rows (v_x, v_y, omega), the motion over the push [m, m, rad].
        dissipation: (N,) cosine between load and twist, moments and turns scaled by `length`; positive if signs and
            frames are right [-].
        length: characteristic length rho [m].
    """

    loads: Array
    twists: Array
    dissipation: Array
    length: float


def read_pushes(
    path: str | Path,
    *,
    length: float,
    centre: ArrayLike = (0.0, 0.0),
    force_on: str = "object",
    tare: int = 0,
    threshold: float = 0.0,
) -> OwnPushes:
    """Read a CSV table of pushes and reduce each push to one load and one twist.

    All columns are in world axes: the force at the pusher's tip, the tip's position, and the pose of a frame fixed to the
    body. The load is the mean over the samples of the force, turned into the body frame, with its moment about the centre
    of mass; the twist is the body's motion from the first used sample to the last, in the frame of the first.

    Args:
        path: table with the columns `PUSH_COLUMNS`, in any order; other columns are ignored.
        length: characteristic length rho, the radius of gyration for example [m].
        centre: (2,) centre of mass in the body's frame [m].
        force_on: "object" if the table holds the force on the object, "pusher" if it holds the reaction that a sensor in
            the pusher reads.
        tare: number of samples at the start of each push, before contact, whose mean force is subtracted and which are
            then dropped.
        threshold: samples with less force are dropped [N].

    Returns:
        The loads and twists.

    Raises:
        DataError: the table is missing, lacks a column, holds something that is not a number, or a push has fewer than two
            usable samples or no motion.
        InputError: an argument is unusable.
    """
    rho = positive("length", length)
    com = finite_array("centre", centre, (2,))
    sign = 1.0 if one_of("force_on", force_on, ("object", "pusher")) == "object" else -1.0
    floor = nonnegative("threshold", threshold)
    if isinstance(tare, bool) or not isinstance(tare, (int, np.integer)) or tare < 0:
        raise InputError("tare", tare, "must be a number of samples, zero or more")
    numbers, table = _table(folder_path("path", path))
    scale = np.array([1.0, 1.0, rho])
    loads, twists = [], []
    for number in dict.fromkeys(numbers):
        rows = table[[n == number for n in numbers]]
        force = sign * rows[:, :2]
        if tare:
            force = force - force[:tare].mean(axis=0)
        keep = np.arange(len(rows)) >= tare
        keep &= np.linalg.norm(force, axis=1) >= floor
        if keep.sum() < 2:
            raise DataError(f"{path}: push {number} has {int(keep.sum())} usable samples; 2 are needed")
        load, twist = _reduce(force[keep], rows[keep, 2:4], rows[keep, 4:], com)
        if not twist.any():
            raise DataError(f"{path}: push {number} does not move the body")
        loads.append(load)
        twists.append(twist)
    a, b = np.array(loads) / scale, np.array(twists) * scale
    cosine = (a * b).sum(axis=1) / np.maximum(np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1), 1e-300)
    return OwnPushes(np.array(loads), np.array(twists), cosine, rho)


def _table(path: Path) -> tuple[list[str], Array]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            missing = [c for c in PUSH_COLUMNS if c not in (reader.fieldnames or ())]
            if missing:
                raise DataError(f"{path}: no column {missing[0]!r}; the columns are {', '.join(map(repr, PUSH_COLUMNS))}")
            rows = list(reader)
        table = np.array([[float(row[c]) for c in PUSH_COLUMNS[1:]] for row in rows]).reshape(len(rows), 7)
    except (OSError, ValueError, TypeError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{path} cannot be read as a table of pushes: {error}") from error
    if not len(rows):
        raise DataError(f"{path}: holds no sample")
    bad = np.argwhere(~np.isfinite(table))
    if len(bad):
        raise DataError(f"{path}: row {bad[0, 0] + 2}, column {PUSH_COLUMNS[1 + bad[0, 1]]!r} is not finite")
    return [row["push"] for row in rows], table


def _reduce(force: Array, tip: Array, pose: Array, centre: Array) -> tuple[Array, Array]:
    angle = np.unwrap(pose[:, 2])
    c, s = np.cos(angle), np.sin(angle)
    com = pose[:, :2] + np.column_stack([c * centre[0] - s * centre[1], s * centre[0] + c * centre[1]])
    local = np.column_stack([c * force[:, 0] + s * force[:, 1], -s * force[:, 0] + c * force[:, 1]])
    arm = tip - com
    moment = arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]  # the same in any axes of the plane
    way = com[-1] - com[0]
    twist = np.array([c[0] * way[0] + s[0] * way[1], -s[0] * way[0] + c[0] * way[1], angle[-1] - angle[0]])
    return np.append(local.mean(axis=0), moment.mean()), twist
