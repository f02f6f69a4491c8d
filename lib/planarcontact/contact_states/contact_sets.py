"""Contact sets K_c: the part of the box's feature that touches (document 2, "The recognizer")."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .gaps import face_frames
from .geometry import Placed, Tables
from .options import Options

__all__ = ["FaceSets", "face_sets"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class FaceSets:
    """Contact sets of the box's faces as intervals of arc length (m) from the face's start; empty: start > stop.

    Attributes:
        start, stop: (N, pairs, faces), m.
        disk_start, disk_stop: (N, e), the disk's contact sets along E's edges, m from each edge's base.
    """

    start: Floats
    stop: Floats
    disk_start: Floats
    disk_stop: Floats


def face_sets(placed: Placed, table: Tables, options: Options) -> FaceSets:
    """Return the contact sets of all faces.

    An edge of E gives the stretch of the face that is off the edge by at most eps_on or has sunk below it; where a concave
    junction cuts that stretch in two, the interval that holds both. Against a vertex of E: the closest point. Against the disk: the point closest to
    its centre, or, with `contact_set_disk="interval"`, the part within eps_on of the disk.
    """
    lengths = table.face_lengths
    along, above = face_frames(np, placed, placed.disk[:, None, :])
    disk = _disk_sets(along, above, 0.0, lengths, table.radius, options)
    edges = _edge_sets(placed, table, options)
    points = np.broadcast_to(table.points, (len(placed.corners), *table.points.shape))
    nearest = np.clip(face_frames(np, placed, points)[0], 0.0, lengths)
    offset = placed.disk[:, None, :] - table.base
    s, y = np.sum(offset * table.tangents, axis=-1), np.sum(offset * table.normals, axis=-1)
    ground = _disk_sets(s, y, table.low, table.high, table.radius, options)
    return FaceSets(
        np.concatenate((disk[0], edges[0], nearest), axis=1), np.concatenate((disk[1], edges[1], nearest), axis=1), *ground
    )


def _disk_sets(
    s: Floats, y: Floats, low: Floats | float, high: Floats, radius: float, options: Options
) -> tuple[Floats, Floats]:
    """Contact sets of edges (low to high along s) with a disk centred at (s, y)."""
    if options.contact_set_disk == "point":
        nearest = np.clip(s, low, high)
        return nearest, nearest
    reach = radius + options.eps_on
    half = np.sqrt(np.maximum(reach**2 - y**2, 0.0))
    touches = np.abs(y) <= reach
    start = np.where(touches, np.maximum(s - half, low), np.inf)
    return start, np.where(touches, np.minimum(s + half, high), -np.inf)


def _edge_sets(placed: Placed, table: Tables, options: Options) -> tuple[Floats, Floats]:
    """Contact sets of the faces with E's edges, (N, e, f) each."""
    first, last = table.faces[:, 0], table.faces[:, 1]
    s, y = placed.along[..., first], placed.above[..., first]
    cosine = (placed.along[..., last] - s) / table.face_lengths
    sine = (placed.above[..., last] - y) / table.face_lengths
    slab = table.edge_slabs(options.eps_pen)[:, None]
    whole = (np.zeros_like(s), np.broadcast_to(table.face_lengths, s.shape))

    within = _restrict(_restrict(whole, slab.low - s, -cosine), s - slab.high, cosine)
    pieces = [_restrict(within, y - options.eps_on, sine)]
    sunk = _restrict(whole, y, sine)
    sunk = _restrict(_restrict(sunk, slab.low - slab.low_reach - s, -cosine), s - slab.high - slab.high_reach, cosine)
    pieces.append(sunk)
    for limit, end, side in ((slab.low, slab.low_end, -1.0), (slab.high, slab.high_end, 1.0)):
        beyond = _restrict(whole, side * (limit - s), -side * cosine)
        from_end = s - end
        middle = -(from_end * cosine + y * sine)
        chord = options.eps_on**2 - (from_end * sine - y * cosine) ** 2
        half = np.sqrt(np.maximum(chord, 0.0))
        start = np.where(chord >= 0.0, np.maximum(beyond[0], middle - half), np.inf)
        pieces.append((start, np.minimum(beyond[1], middle + half)))
    start, stop = np.full_like(s, np.inf), np.full_like(s, -np.inf)
    for a, b in pieces:
        some = a <= b
        start, stop = np.where(some, np.minimum(start, a), start), np.where(some, np.maximum(stop, b), stop)
    return start, stop


def _restrict(interval: tuple[Floats, Floats], constant: Floats, slope: Floats) -> tuple[Floats, Floats]:
    """The part of an interval where constant + slope * t <= 0."""
    start, stop = interval
    with np.errstate(divide="ignore", invalid="ignore"):
        root = -constant / slope
    start = np.where(slope < 0.0, np.maximum(start, root), start)
    stop = np.where(slope > 0.0, np.minimum(stop, root), stop)
    return np.where((slope == 0.0) & (constant > 0.0), np.inf, start), stop
