"""The robot logs of document 3: reading them, and turning pokes into loads and twists."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError, InputError
from ..validation import finite_array, finite_number, one_of
from .block import ARRANGEMENTS, SURFACES, TriangularBlock
from .checks import MODERATE, moderate
from .download import fetch

__all__ = ["TOOL_FRAME", "PokeLog", "Pokes", "read_poke_log", "extract_pokes", "planar_pose", "load_pokes"]

Array = NDArray[np.float64]

_HALF = float(np.sqrt(0.5))
#: Force sensor axes to the robot tip's axes: a turn by 45 degrees and a reflection, for the sensor looks up.
TOOL_FRAME: Array = np.array([[_HALF, _HALF], [_HALF, -_HALF]])
TOOL_FRAME.setflags(write=False)


@dataclass(frozen=True)
class PokeLog:
    """One recorded push: object poses before and after, forces at the sensor, poses of the robot's tip.

    Poses are rows (x, y, z, q_w, q_x, q_y, q_z) in mm and quaternions w x y z, as the file holds them.

    Attributes:
        before: (7,) pose of the object's motion-capture body before the push [mm, -].
        after: (7,) the same after the push [mm, -].
        force_time: (n,) times of the force samples [s].
        force: (n, 2) force samples in the sensor's frame [N].
        tip_time: (m,) times of the robot's poses [s].
        tip: (m, 7) poses of the robot's tip [mm, -].
    """

    before: Array
    after: Array
    force_time: Array
    force: Array
    tip_time: Array
    tip: Array


@dataclass(frozen=True)
class Pokes:
    """Loads and twists identified from pushes, body frame with its origin at the centre of mass.

    Attributes:
        loads: (N, 3) rows (f_x, f_y, tau), what the object applies to the surface [N, N, N m].
        twists: (N, 3) rows (v_x, v_y, omega), unit norm once omega is multiplied by `length` [-, -, 1/m].
        contacts: (N, 2) mean position of the pushing tip in the body frame [m].
        displacements: (N, 3) motion of the object in its own frame before the push [m, m, rad].
        tip_motion: (N, 2) motion of the tip over the retained samples, in the object's frame before the push [m].
        length: characteristic length rho that makes forces and moments comparable [m].
    """

    loads: Array
    twists: Array
    contacts: Array
    displacements: Array
    tip_motion: Array
    length: float

    def __len__(self) -> int:
        return len(self.loads)


def read_poke_log(path: str | Path) -> tuple[PokeLog, ...]:
    """Read a log of pushes as the authors' recorder wrote it.

    The layout: the number of pushes; then per push the pose before and the pose after, the number of force
    samples and one row (t, f_x, f_y) each, the number of robot poses and one row (t, x, y, z, q) each.

    Args:
        path: the text file.

    Returns:
        One `PokeLog` per push, in the file's order.

    Raises:
        DataError: the file cannot be read, is cut short, or holds something else.
    """
    try:
        path = Path(path)
        numbers = np.array(path.read_text(encoding="ascii").split(), dtype=np.float64)
    except FileNotFoundError as error:
        raise DataError(f"{path}: no such file; fetch the robot data first") from error
    except (TypeError, ValueError, OSError) as error:
        raise DataError(f"{path}: not a log of pushes ({error})") from error
    if not np.isfinite(numbers).all():
        raise DataError(f"{path}: holds numbers that are not finite")
    cursor = _Cursor(numbers, path)
    pushes = tuple(_read_push(cursor) for _ in range(cursor.count()))
    if cursor.at != len(numbers):
        raise DataError(f"{path}: {len(numbers) - cursor.at} numbers follow the last push")
    return pushes


class _Cursor:
    """Takes blocks of numbers from the front of a file, and refuses to run past its end."""

    def __init__(self, numbers: Array, path: Path):
        self.numbers, self.path, self.at = numbers, path, 0

    def take(self, rows: int, columns: int) -> Array:
        block = self.numbers[self.at : self.at + rows * columns]
        if len(block) < rows * columns:
            raise DataError(f"{self.path}: ends after {len(self.numbers)} numbers, in the middle of a push")
        self.at += rows * columns
        return block.reshape(rows, columns)

    def count(self) -> int:
        value = float(self.take(1, 1)[0, 0])
        if value < 1 or value != int(value):
            raise DataError(f"{self.path}: number {self.at} is {value:g} where a count is due")
        return int(value)


def _read_push(cursor: _Cursor) -> PokeLog:
    before, after = cursor.take(2, 7)
    forces = cursor.take(cursor.count(), 3)
    tips = cursor.take(cursor.count(), 8)
    return PokeLog(before, after, forces[:, 0], forces[:, 1:], tips[:, 0], tips[:, 1:])


def planar_pose(poses: ArrayLike, *, offset: ArrayLike = (0.0, 0.0)) -> Array:
    """Project poses (x, y, z, q) onto the plane.

    Args:
        poses: (N, 7) rows (x, y, z) [mm] and quaternions w x y z (any norm but zero).
        offset: (2,) point of the body frame whose position is wanted, in its x and y [m].

    Returns:
        (N, 3) rows (x, y, theta) [m, m, rad], theta in (-pi, pi].
    """
    rows = finite_array("poses", poses, (None, 7))
    shift = finite_array("offset", offset, (2,))
    norms = np.linalg.norm(rows[:, 3:], axis=1, keepdims=True)
    if (norms == 0.0).any():
        raise InputError("poses", 0.0, "holds a zero quaternion")
    w, x, y, z = (rows[:, 3:] / norms).T
    first = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z)], axis=1)
    second = np.stack([2 * (x * y - w * z), 1 - 2 * (x * x + z * z)], axis=1)
    position = rows[:, :2] / 1000.0 + first * shift[0] + second * shift[1]
    return np.column_stack([position, 2.0 * _wrap(np.arctan2(z, w), np.pi)])


def _wrap(angle: Array, period: float) -> Array:
    return angle - period * np.ceil(angle / period - 0.5)


def extract_pokes(
    logs: Sequence[PokeLog],
    *,
    centre: ArrayLike = (0.05, 0.05),
    length: float = 0.05,
    tool_frame: ArrayLike = TOOL_FRAME,
    skip: float = 0.3,
) -> Pokes:
    """Identify one load and one twist per push, as document 3's experiment does.

    The load is the mean over the samples that remain after the first `skip` of them and all weaker than the mean
    force are dropped; the object's pose is interpolated linearly over the remaining samples, and the moment is
    taken about the centre of mass with the robot's tip as the contact. The twist is the difference of the two
    poses in the object's frame before the push.

    Args:
        logs: pushes, as `read_poke_log` returns them.
        centre: (2,) centre of mass in the motion-capture body frame [m].
        length: characteristic length rho [m].
        tool_frame: (2, 2) matrix from the sensor's axes to the tip's axes.
        skip: fraction of the samples at the start that is dropped, in [0, 1).

    Returns:
        The loads, twists, contacts and motions.

    Raises:
        InputError: an argument is unusable.
        DataError: a push holds too few force samples, or no motion.
    """
    rho = moderate("length", length)
    frame = finite_array("tool_frame", tool_frame, (2, 2), largest=MODERATE)
    com = finite_array("centre", centre, (2,), largest=MODERATE)
    if not 0.0 <= finite_number("skip", skip) < 1.0:
        raise InputError("skip", skip, "must lie in [0, 1)")
    if not isinstance(logs, Sequence) or not all(isinstance(log, PokeLog) for log in logs):
        raise InputError("logs", logs, "is not a sequence of `PokeLog`", "pass what `read_poke_log` returns")
    if not len(logs):
        raise InputError("logs", logs, "holds no push")
    rows = [_extract(log, com, rho, frame, skip, k) for k, log in enumerate(logs)]
    loads, twists, contacts, displacements, tips = (np.array(column) for column in zip(*rows))
    return Pokes(loads, twists, contacts, displacements, tips, rho)


def _extract(log: PokeLog, centre: Array, rho: float, frame: Array, skip: float, index: int) -> tuple[Array, ...]:
    if not all((np.abs(part) <= MODERATE).all() for part in (log.before, log.after, log.force, log.tip)):
        raise DataError(f"push {index}: holds numbers beyond {MODERATE:g}, whose products float64 cannot hold")
    force = -(log.force - log.force[0]) @ frame.T  # the sensor reads what acts on the finger; the object gets the opposite
    keep = np.arange(1, len(force) + 1) >= np.ceil(len(force) * skip)
    keep &= (force**2).sum(axis=1) >= (force.mean(axis=0) ** 2).sum()
    if keep.sum() < 2:
        raise DataError(f"push {index}: {int(keep.sum())} usable force samples of {len(force)}; 2 are needed")
    force, time = force[keep], log.force_time[keep]

    start, end = planar_pose(np.stack([log.before, log.after]), offset=centre)
    motion = end - start
    motion[2] = _wrap(motion[2:], 2.0 * np.pi)[0]
    pose = start + np.linspace(0.0, 1.0, len(force))[:, None] * motion
    tip = _interpolate(time, log.tip_time, planar_pose(log.tip))

    local_force = _to_body(force, pose[:, 2] - tip[:, 2])
    contact = _to_body((tip - pose)[:, :2], pose[:, 2])
    moment = contact[:, 0] * local_force[:, 1] - contact[:, 1] * local_force[:, 0]
    load = np.append(local_force.mean(axis=0), moment.mean())

    displacement = np.append(_to_body(motion[None, :2], start[2:])[0], motion[2])
    size = float(np.linalg.norm(displacement * [1.0, 1.0, rho]))
    if size == 0.0:
        raise DataError(f"push {index}: the object did not move, so it has no direction of motion")
    tip_motion = _to_body((tip[-1] - tip[0])[None, :2], start[2:])[0]
    return load, displacement / size, contact.mean(axis=0), displacement, tip_motion


def _to_body(vectors: Array, angle: Array) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * vectors[:, 0] + s * vectors[:, 1], -s * vectors[:, 0] + c * vectors[:, 1]], axis=1)


def _interpolate(at: Array, time: Array, values: Array) -> Array:
    """Planar poses at other times: linear, continued beyond both ends since the two recordings do not end together."""
    if len(time) < 2:
        raise DataError("a push holds fewer than two robot poses")
    values = np.column_stack([values[:, :2], np.unwrap(values[:, 2])])
    k = np.clip(np.searchsorted(time, at, side="right") - 1, 0, len(time) - 2)
    share = (at - time[k]) / (time[k + 1] - time[k])
    return values[k] + share[:, None] * (values[k + 1] - values[k])


def load_pokes(surface: str, arrangement: str, *, length: float = 0.05, progress: bool = True) -> Pokes:
    """Fetch the log of 50 pokes on one surface with one arrangement of supports, and identify its loads and twists.

    Args:
        surface: "wood" or "board".
        arrangement: "10_130", "30_90", "10_90", "30_63" or "patch".
        length: characteristic length rho [m].
        progress: show a progress bar while a file is fetched.

    Returns:
        The 50 pokes.

    Raises:
        InputError: an unknown surface or arrangement.
        DataError: the log cannot be fetched or read.
    """
    one_of("surface", surface, SURFACES)
    one_of("arrangement", arrangement, ARRANGEMENTS)
    path = fetch(f"{surface}-{arrangement}", progress=progress)
    return extract_pokes(read_poke_log(path), centre=TriangularBlock().centre, length=length)
