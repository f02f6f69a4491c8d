"""The recognizer's four rules and its ties, one function each, readable: the reference for the fast kernel."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .catalog import catalog, closures, conflicts
from .contact_sets import FaceSets, face_sets
from .gaps import face_edge, face_frames, placed_gaps, sunk_elsewhere
from .geometry import Placed, Tables, place, tables
from .options import Options
from .scene import Scene

__all__ = ["END", "Verdict", "apply_rules", "in_band", "touches_interiors", "aligned", "larger_wins", "resolve_ties"]

END = 1e-6  # of eps_on: so near to an edge's end a point is at it, whatever rounding says

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Verdict:
    """Outcome of the rules: gaps (N, T) in m, `in_band` and `on` (N, T), `ties` (N,)."""

    gap: Floats
    in_band: Flags
    on: Flags
    ties: NDArray[np.int64]


def apply_rules(local: Floats, scene: Scene, options: Options) -> Verdict:
    """Return the labels of local poses (N, 5) by the four rules in the document's order."""
    table = tables(scene)
    placed = place(np, local, table)
    gap = placed_gaps(np, placed, table, options.eps_pen, scene.disk_environment)
    band = in_band(gap, options)
    sets = face_sets(placed, table, options)
    candidates = band & touches_interiors(placed, table, scene, options) & aligned(placed, table, scene, options)
    survivors = larger_wins(candidates, sets, scene, options)
    on, ties = resolve_ties(survivors, gap, scene, options)
    return Verdict(gap, band, on, ties)


def in_band(gap: Floats, options: Options) -> Flags:
    """Rule 1: the gap lies between -eps_pen and eps_on; the contact set is then not empty."""
    return (gap >= -options.eps_pen) & (gap <= options.eps_on)


def touches_interiors(placed: Placed, table: Tables, scene: Scene, options: Options) -> Flags:
    """Rule 2: what touches must reach past those ends of an edge that are vertex features of its own body.

    A face touches a point (the disk's centre, a vertex of E) inside if the point lies over the face's open slab, a
    vertex touches an edge of E inside if it lies over the edge's slab, open at convex vertices; where it is sunk nearer to
    the surface of the edge beyond such a vertex, it touches that one (`sunk_elsewhere`); and a face touches an
    edge of E inside if some part of it over that slab is within eps_on. Concave junctions are no features. A point within
    END * eps_on of an edge's end (a nanometre) is at the end: two vertices that meet exactly are then one contact of two
    vertices for every rounding of the pose.
    """
    end_part = END * options.eps_on
    count, corners = len(placed.corners), len(table.corners)
    always = np.ones((count, corners), dtype=bool)
    own_low = np.where(table.low_concave, -np.inf, table.low)
    own_high = np.where(table.high_concave, np.inf, table.high)

    def over_faces(points: Floats) -> tuple[Flags, Floats]:
        along, above = face_frames(np, placed, points)
        return (along > end_part) & (along < table.face_lengths - end_part), above

    blocks = [over_faces(placed.disk[:, None, :])[0][:, 0], always]
    slab = table.edge_slabs(options.eps_pen)
    start, end = table.faces[:, 0], table.faces[:, 1]
    low_elsewhere, high_elsewhere = sunk_elsewhere(placed.above, table.before, table.after, -2)
    for e in range(len(table.base)):
        s, y = placed.along[:, e], placed.above[:, e]
        height = face_edge(np, (s[:, start], s[:, end]), (y[:, start], y[:, end]), table.face_lengths, slab[e])[1]
        over = (s > own_low[e] + end_part) & (s < own_high[e] - end_part) & ~low_elsewhere[:, e] & ~high_elsewhere[:, e]
        blocks += [height <= options.eps_on, over]
    over, above = over_faces(np.broadcast_to(table.points, (count, *table.points.shape)))
    low_elsewhere, high_elsewhere = sunk_elsewhere(above, table.face_before, table.face_after, -1)
    over &= ~low_elsewhere & ~high_elsewhere
    for v in range(len(table.points)):
        blocks += [over[:, v], always]
    if scene.disk_environment:
        s = np.sum((placed.disk[:, None, :] - table.base) * table.tangents, axis=-1)
        blocks += [(s > own_low + end_part) & (s < own_high - end_part), np.ones((count, len(table.points)), dtype=bool)]
    return np.concatenate(blocks, axis=1)


def aligned(placed: Placed, table: Tables, scene: Scene, options: Options) -> Flags:
    """Rule 3: edge on edge, the two are parallel within theta_e and their projections overlap by overlap_min.

    sin(theta_e) = eps_on / L_e, so the sine of the tilt is compared and no arcsine is rounded.
    """
    count, features = len(placed.corners), len(table.faces) + len(table.corners)
    start, end = table.faces[:, 0], table.faces[:, 1]
    passes = np.ones((count, len(catalog(scene))), dtype=bool)
    limit = np.sin(scene.tilt_limit(options.eps_on))
    for e in range(len(table.base)):
        facing = placed.face_normal @ table.normals[e]
        tilt = placed.face_normal @ table.tangents[e]
        s = placed.along[:, e]
        low = np.maximum(np.minimum(s[:, start], s[:, end]), table.low[e])
        high = np.minimum(np.maximum(s[:, start], s[:, end]), table.high[e])
        flat = (facing < 0.0) & (np.abs(tilt) <= limit) & (high - low >= scene.overlap_min)
        passes[:, (1 + e) * features : (1 + e) * features + len(table.faces)] = flat
    return passes


def larger_wins(candidates: Flags, sets: FaceSets, scene: Scene, options: Options) -> Flags:
    """Rule 4: drop a contact whose set lies, within eps_on, in that of a larger one that contains it and is on."""
    table, body = tables(scene), scene.body
    dimensions = np.array([entry.dimension for entry in catalog(scene)])
    faces, features = len(table.faces), len(table.faces) + len(table.corners)
    pairs = len(scene.others)
    on = candidates.copy()
    for dimension in (1, 0):
        for i in np.flatnonzero(dimensions == dimension):
            for j in np.flatnonzero(closures(scene)[i] & (dimensions > dimension)):
                if i < pairs * features:
                    inside = _inside(i, j, sets, features, faces, body.faces, table.face_lengths, options.eps_on)
                else:
                    edge, point = j - pairs * features, i - pairs * features - len(table.base)
                    at = table.low[edge] if table.point_edges[point, 1] == edge else table.high[edge]
                    inside = (sets.disk_start[:, edge] - options.eps_on <= at) & (at <= sets.disk_stop[:, edge] + options.eps_on)
                on[:, i] &= ~(on[:, j] & inside)
    return on


def _inside(
    i: int, j: int, sets: FaceSets, features: int, faces: int, ends: tuple, lengths: Floats, eps_on: float
) -> Flags:
    """Whether K_c of template i lies within eps_on of K_c of template j, which contains it."""
    (pair, feature), (larger_pair, larger) = divmod(int(i), features), divmod(int(j), features)
    count = len(sets.start)
    if larger >= faces:
        return np.ones(count, dtype=bool)  # the same vertex of the box
    if feature >= faces:
        start = stop = np.full(count, lengths[larger] if ends[larger][1] == feature - faces else 0.0)
    else:
        start, stop = sets.start[:, pair, feature], sets.stop[:, pair, feature]
    return (sets.start[:, larger_pair, larger] - eps_on <= start) & (stop <= sets.stop[:, larger_pair, larger] + eps_on)


def resolve_ties(survivors: Flags, gap: Floats, scene: Scene, options: Options) -> tuple[Flags, NDArray[np.int64]]:
    """Where contacts exclude each other keep one: highest dimension first, then least gap, then lowest index.

    Returns the flags and the number of contacts dropped at each pose.
    """
    clash = conflicts(scene, options.conflict)
    on = survivors.copy()
    rows = np.flatnonzero(((survivors @ clash) & survivors).any(axis=1))
    if len(rows):
        dimensions = np.array([entry.dimension for entry in catalog(scene)])
        order = np.lexsort((np.broadcast_to(np.arange(gap.shape[1]), (len(rows), gap.shape[1])), gap[rows],
                            np.broadcast_to(-dimensions, (len(rows), gap.shape[1]))), axis=1)  # fmt: skip
        kept = np.zeros((len(rows), gap.shape[1]), dtype=bool)
        for rank in range(gap.shape[1]):
            t = order[:, rank]
            free = survivors[rows, t] & ~(kept & clash[t]).any(axis=1)
            kept[np.arange(len(rows)), t] = free
        on[rows] = kept
    return on, (survivors & ~on).sum(axis=1)
