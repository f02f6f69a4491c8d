"""What the labels of a demo run say: its runs of equal formation, the chain, ties, rocks and overlaps."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .demo import Demo
from .demo_model import SIDE, STEP_HEIGHT
from .formations import encode, stand_in_valid
from .labels import Labels

__all__ = ["CHAIN", "FormationRun", "DemoReport", "formation_runs", "passes_chain", "demo_report"]

CHAIN = (
    ("g",),
    ("mx", "g"),
    ("mx", "g", "s"),
    ("mx", "gv", "sv"),
    ("mx", "sv"),
    ("sv",),
    ("t",),
    ("mz", "t"),
    ("t",),
)
_ROCK_WINDOW = 60


@dataclass(frozen=True)
class FormationRun:
    """Consecutive frames of one formation: its code, its first frame and its number of frames."""

    formation: int
    start: int
    frames: int


@dataclass(frozen=True, kw_only=True)
class DemoReport:
    """The labels of a run in numbers, beside which the document's can be put.

    Attributes:
        runs: number of runs of frames with one formation.
        formations: number of different formations.
        chain: whether the document's chain of nine formations is passed in order.
        invalid: frames whose formation the stand-in rejects.
        ties: frames that are ambiguous.
        overlap: deepest overlap between frames [m].
        riser_rock: largest tilt in the 0.6 s after the impact on the riser [rad]; nan if there is none.
        landing_seesaw: how far the box tilts back in the 0.6 s after landing on the platform [rad]; nan if it never lands.
    """

    runs: int
    formations: int
    chain: bool
    invalid: int
    ties: int
    overlap: float
    riser_rock: float
    landing_seesaw: float


def formation_runs(formation: NDArray[np.int64]) -> list[FormationRun]:
    """Split a sequence of formations into runs of equal ones.

    Args:
        formation: (N,) codes.

    Returns:
        The runs in order; empty for no frames.
    """
    starts = np.flatnonzero(np.diff(formation, prepend=-1))
    ends = np.append(starts[1:], len(formation))
    return [FormationRun(int(formation[a]), int(a), int(b - a)) for a, b in zip(starts, ends)]


def passes_chain(labels: Labels, chain: Sequence[Sequence[str]] = CHAIN) -> bool:
    """Whether a sequence of poses passes these formations in order, with others allowed in between.

    Args:
        labels: the labelled poses.
        chain: formations as lists of template names; the document's nine by default.

    Returns:
        True if each is reached after the one before.
    """
    wanted = [encode(names, labels.scene) for names in chain]
    reached = 0
    for run in formation_runs(labels.formation):
        if reached < len(wanted) and run.formation == wanted[reached]:
            reached += 1
    return reached == len(wanted)


def demo_report(demo: Demo, labels: Labels) -> DemoReport:
    """Summarise a run and its labels.

    Args:
        demo: the run.
        labels: the labels of its poses.

    Returns:
        Counts, the deepest overlap and the two rocks. The rocks are read from the poses, not from the labels.
    """
    x, tilt = demo.poses[:, 0], demo.poses[:, 2]
    hits = np.flatnonzero(-x - SIDE / 2 < STEP_HEIGHT / 50)
    landings = np.flatnonzero(tilt > np.pi / 2 - 0.01)
    rock = tilt[hits[0] : hits[0] + _ROCK_WINDOW].max() if len(hits) else np.nan
    seesaw = np.pi / 2 - tilt[landings[0] : landings[0] + _ROCK_WINDOW].min() if len(landings) else np.nan
    return DemoReport(
        runs=len(formation_runs(labels.formation)),
        formations=len(np.unique(labels.formation)),
        chain=passes_chain(labels),
        invalid=int((~stand_in_valid(labels.formation, labels.scene)).sum()),
        ties=int(labels.ambiguous.sum()),
        overlap=float(demo.overlap.max()),
        riser_rock=float(rock),
        landing_seesaw=float(seesaw),
    )
