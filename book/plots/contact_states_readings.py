"""Other readings of document 2's recognizer, put together from the library's own rules, to see what hangs on each."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from planarcontact.contact_states import Options, Scene, catalog
from planarcontact.contact_states.contact_sets import FaceSets, face_sets
from planarcontact.contact_states.gaps import placed_gaps
from planarcontact.contact_states.geometry import Placed, local_poses, place, tables
from planarcontact.contact_states.rules import Verdict, aligned, in_band, larger_wins, resolve_ties, touches_interiors

ROUNDING = 1e-12  # m


def reading(poses: ArrayLike, scene: Scene, options: Options = Options(), *, cut: bool = False, loose: bool = False) -> Verdict:
    """Label poses by the four rules with one definition changed.

    Args:
        poses: (N, 5), m and rad.
        scene: the scene.
        options: tolerances and choices.
        cut: a contact set with an edge of E ends at the edge's end at a concave junction too, instead of reaching on by eps_pen.
        loose: rule 4 asks only that the set lie within eps_on of that of a larger contact of the same two bodies, whatever features they have.
    Returns:
        Gaps, what is in band, what is on, and the ties.
    """
    table = tables(scene)
    placed = place(np, local_poses(poses, scene, options.eps_on), table)
    gap = placed_gaps(np, placed, table, options.eps_pen, scene.disk_environment)
    band = in_band(gap, options)
    no_reach = replace(table, low_concave=np.zeros_like(table.low_concave), high_concave=np.zeros_like(table.high_concave))
    sets = face_sets(placed, no_reach if cut else table, options)
    candidates = band & touches_interiors(placed, table, scene, options) & aligned(placed, table, scene, options)
    survivors = _contained(candidates, placed, sets, scene, options) if loose else larger_wins(candidates, sets, scene, options)
    return Verdict(gap, band, *resolve_ties(survivors, gap, scene, options))


def _contained(candidates: NDArray[np.bool_], placed: Placed, sets: FaceSets, scene: Scene, options: Options) -> NDArray[np.bool_]:
    """Rule 4 by the sets alone: a contact's set lies in that of a larger one that is on, of the same two bodies."""
    entries, on = catalog(scene), candidates.copy()
    for small in sorted(entries, key=lambda entry: -entry.dimension):
        for large in entries:
            if large.dimension > small.dimension and (large.other == "M") == (small.other == "M"):
                rows = np.flatnonzero(on[:, small.index] & on[:, large.index])
                ends, (start, stop) = _ends(small.index, rows, placed, sets), _ends(large.index, rows, placed, sets)
                inside = [_distance(end, start, stop) <= options.eps_on + ROUNDING for end in ends]
                on[rows[inside[0] & inside[1]], small.index] = False
    return on


def _ends(template: int, rows: NDArray[np.int64], placed: Placed, sets: FaceSets) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The two ends (n, 2) of a template's contact set."""
    faces = placed.face_start.shape[1]
    pair, feature = divmod(template, faces + placed.corners.shape[1])
    if feature >= faces:
        return placed.corners[rows, feature - faces], placed.corners[rows, feature - faces]
    base, tangent = placed.face_start[rows, feature], placed.face_tangent[rows, feature]
    return base + sets.start[rows, pair, feature, None] * tangent, base + sets.stop[rows, pair, feature, None] * tangent


def _distance(point: NDArray[np.float64], start: NDArray[np.float64], stop: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distance of points to segments, (n,)."""
    way = stop - start
    length = np.sum(way**2, axis=1)
    share = np.clip(np.sum((point - start) * way, axis=1) / np.where(length > 0.0, length, 1.0), 0.0, 1.0)
    return np.linalg.norm(point - start - share[:, None] * way, axis=1)
