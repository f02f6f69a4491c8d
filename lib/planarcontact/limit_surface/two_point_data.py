"""The two-point pushes of document 3, Section VI-A: commands, hand-made labels, and what the cameras saw."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.io import loadmat

from ..errors import DataError
from ..validation import one_of
from .block import TriangularBlock
from .download import fetch
from .ideal import twist_about
from .robot_data import planar_pose, read_poke_log

__all__ = ["ACTION_SETS", "TwoPointPushes", "load_two_point_pushes", "read_push_actions"]

Array = NDArray[np.float64]

#: Short name of a set -> (number of the labels in the authors' file, log of the pokes that train its models).
ACTION_SETS: dict[str, tuple[int, str]] = {
    "30_90-a": (1, "30_90"),
    "30_90-b": (1, "30_90"),
    "10_90": (2, "10_90"),
    "patch": (3, "patch"),
}
_WIDTH = 0.05  # distance of the two fingers [m]
_NUMBERS = 11  # per action: point, centre of rotation, approach vector (3 each), angle and approach distance


@dataclass(frozen=True)
class TwoPointPushes:
    """Twenty commanded pushes about given centres of rotation, body frame with its origin at the centre of mass.

    Attributes:
        contacts: (N, 2, 2) the two fingers [m].
        normals: (N, 2, 2) normals into the object, the approach direction [-].
        centres: (N, 2) commanded centres of rotation [m].
        angles: (N,) commanded turns [rad].
        stable: (N,) the authors' labels.
        measured: (N, 3) measured motion of the object in its own frame before the push [m, m, rad].
    """

    contacts: Array
    normals: Array
    centres: Array
    angles: Array
    stable: NDArray[np.bool_]
    measured: Array

    @property
    def twists(self) -> Array:
        """(N, 3) commanded twists [m/s, m/s, rad/s]."""
        return twist_about(self.centres, sense=np.sign(self.angles))

    @property
    def commanded(self) -> Array:
        """(N, 3) motion of an object that keeps to the pusher, in its own frame before the push [m, m, rad]."""
        c, s = np.cos(self.angles), np.sin(self.angles)
        x, y = self.centres.T
        return np.column_stack([x - (c * x - s * y), y - (s * x + c * y), self.angles])

    @property
    def slip(self) -> Array:
        """(N, 2) how far the object's motion differs from the command: at its centre [m], in its turn [rad]."""
        difference = self.measured - self.commanded
        return np.column_stack([np.linalg.norm(difference[:, :2], axis=1), np.abs(difference[:, 2])])


def load_two_point_pushes(name: str, *, progress: bool = True) -> TwoPointPushes:
    """Fetch one of the four sets of twenty two-point pushes with its labels and measured motions.

    Args:
        name: "30_90-a", "30_90-b" (the same commands again), "10_90" or "patch".
        progress: show a progress bar while a file is fetched.

    Returns:
        The twenty pushes.

    Raises:
        InputError: an unknown name.
        DataError: a file cannot be fetched or read.
    """
    label, _ = ACTION_SETS[one_of("name", name, tuple(ACTION_SETS))]
    block = TriangularBlock()
    points, centres, approach, angles = read_push_actions(fetch(f"stable-{name}-actions", progress=progress))
    across = np.column_stack([-approach[:, 1], approach[:, 0]]) * _WIDTH / 2.0
    contacts = np.stack([points - across, points + across], axis=1) - block.centre
    logs = read_poke_log(fetch(f"stable-{name}-log", progress=progress))
    if len(logs) != len(points):
        raise DataError(f"stable-{name}: {len(logs)} recorded pushes for {len(points)} commands")
    table = loadmat(fetch("tables-1-2", progress=progress), squeeze_me=True)
    return TwoPointPushes(
        contacts,
        np.repeat(approach[:, None], 2, axis=1),
        centres - block.centre,
        angles,
        np.asarray(table[f"flag_gt{label}"], dtype=np.bool_),
        np.array([_motion(log.before, log.after, block.centre) for log in logs]),
    )


def read_push_actions(path: str | Path) -> tuple[Array, Array, Array, Array]:
    """Read a file of commanded pushes.

    Args:
        path: the text file: the number of actions, then for each its name and eleven numbers.

    Returns:
        (N, 2) points midway between the fingers from the right-angle corner [m], (N, 2) centres of rotation from there
        [m], (N, 2) unit approach vectors [-], (N,) turns [rad].

    Raises:
        DataError: the file cannot be read or holds something else.
    """
    try:
        words = Path(path).read_text(encoding="ascii").split()
        count = int(words[0])
        rows = [words[1 + k * (_NUMBERS + 1) : 1 + (k + 1) * (_NUMBERS + 1)] for k in range(count)]
        if len(words) != 1 + count * (_NUMBERS + 1) or any(row[0] != "TwoPointRotation" for row in rows):
            raise ValueError("not a list of two-point rotations")
        numbers = np.array([row[1:] for row in rows], dtype=np.float64).reshape(count, _NUMBERS)
    except (OSError, ValueError, IndexError) as error:
        raise DataError(f"{path}: not a file of commanded pushes ({error})") from error
    approach = numbers[:, 6:8] / np.linalg.norm(numbers[:, 6:8], axis=1, keepdims=True)
    return numbers[:, 0:2] / 1000.0, numbers[:, 3:5] / 1000.0, approach, np.radians(numbers[:, 9])


def _motion(before: Array, after: Array, centre: Array) -> Array:
    start, end = planar_pose(np.stack([before, after]), offset=centre)
    c, s = np.cos(start[2]), np.sin(start[2])
    dx, dy, turn = end - start
    return np.array([c * dx + s * dy, -s * dx + c * dy, (turn + np.pi) % (2.0 * np.pi) - np.pi])
