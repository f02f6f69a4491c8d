"""Runs of frames with one formation, with optional hysteresis, and runs of single flags."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..validation import finite_number
from .checks import instance_of
from .formations import decode, formation_label
from .geometry import tables
from .labels import Labels
from .scene import Scene

__all__ = ["Segments", "flag_runs", "segment"]


@dataclass(frozen=True)
class Segments:
    """Consecutive runs of frames with one formation; run k holds the frames start[k] <= i < stop[k].

    Attributes:
        scene: the scene.
        start, stop: (K,) frames.
        formation: (K,) codes.
        frame_formation: (N,) code per frame, after hysteresis; `Labels.formation` stays the raw one.
    """

    scene: Scene
    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    formation: NDArray[np.int64]
    frame_formation: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.start)

    def names(self, k: int) -> frozenset[str]:
        """Return the names of the contacts in run k; `InputError` if there is no such run."""
        if not isinstance(k, (int, np.integer)) or isinstance(k, bool) or not -len(self) <= k < len(self):
            raise InputError("k", k, f"is no run of these {len(self)}")
        return decode(self.formation[k], self.scene)

    def label(self, k: int) -> str:
        """Return run k's formation as text, "{mx, g}"."""
        return formation_label(self.names(k), self.scene)

    def transitions(self) -> list[tuple[int, int, int]]:
        """Return every change that occurs, as (formation, next formation, how often), most frequent first."""
        counts = Counter(zip(self.formation[:-1].tolist(), self.formation[1:].tolist()))
        return [(a, b, n) for (a, b), n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def segment(labels: Labels, *, release: float | None = None) -> Segments:
    """Divide labelled frames into runs of one formation.

    With hysteresis a formation is left only when the pose no longer has it at the wider tolerance `release`: each
    frame is also labelled with eps_on = release (the tilt limit widens with it), and the formation of the frame before
    is kept while that label still equals it; otherwise the raw label is taken. The result depends on the frames so
    far, never on later ones.

    Args:
        labels: of frames in order of time, from `recognize`.
        release: m, at least eps_on; None for the raw labels.

    Returns:
        `Segments`.

    Raises:
        InputError: no labels, release below eps_on.
    """
    raw = instance_of("labels", labels, Labels, "use recognize()").formation
    frames = raw.copy()
    if release is not None:
        release = finite_number("release", release)
        if release < labels.options.eps_on:
            raise InputError("release", release, f"is below eps_on = {labels.options.eps_on:g} m")
        from .recognizer import recognize

        anchor = tables(labels.scene).anchor
        world = labels.local + np.array([anchor[0], anchor[1], 0.0, anchor[0], anchor[1]])
        wide = recognize(world, labels.scene, replace(labels.options, eps_on=release)).formation
        for i in range(1, len(raw)):
            frames[i] = frames[i - 1] if wide[i] == frames[i - 1] else raw[i]
    start = np.flatnonzero(np.concatenate(([True], frames[1:] != frames[:-1])))
    stop = np.append(start[1:], len(frames))
    return Segments(labels.scene, start, stop, frames[start], frames)


def flag_runs(flags: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the runs of True in each column of flags, sorted.

    Args:
        flags: (N, T) bool, such as `Labels.on`.

    Returns:
        (K, 3): column, start and stop of each run.

    Raises:
        InputError: flags of another shape or type.
    """
    if not isinstance(flags, np.ndarray) or flags.ndim != 2 or flags.dtype != np.bool_:
        raise InputError("flags", flags, "is not a two-dimensional array of truth values")
    padded = np.zeros((len(flags) + 2, flags.shape[1]), dtype=np.int8)
    padded[1:-1] = flags
    step = np.diff(padded, axis=0)
    column, start = np.nonzero(step.T == 1)
    return np.stack((column, start, np.nonzero(step.T == -1)[1]), axis=1)
