"""The gaps of one pose, compiled: the twin of `gaps`, one branch per case instead of masks."""

from math import cos, inf, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .geometry import Tables
from .jit import compiled

__all__ = [
    "KernelTables", "Scratch", "disk_gaps", "edge_gaps", "face_edge", "kernel_tables", "new_scratch", "place_pose", "point_gaps",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class KernelTables(NamedTuple):
    """A scene's arrays as the compiled functions take them.

    They are few and packed because each array that a compiled function fetches from a tuple costs a reference count.

    Attributes:
        corners: (v, 2).
        faces: (f, 3): tangent x, z, length; face_links: (f, 4): start and end vertex, face before, face after.
        edges: (e, 10): base x, z, tangent x, z, and low, high, low_end, high_end, low_reach, high_reach of the slab.
        edge_links: (e, 4): edge before, edge after, whether the low end, the high end is concave.
        points: (m, 2); point_edges: (m, 2).
    """

    corners: Floats
    faces: Floats
    face_links: Ints
    edges: Floats
    edge_links: Ints
    points: Floats
    point_edges: Ints
    radius: float
    disk_environment: bool


class Scratch(NamedTuple):
    """Features of the pose at hand: corners (v, 2), tangents of the faces (f, 2), and coordinates along and above.

    on_edges: (e, v, 2) corners in the edges' frames; on_faces: (1 + m, f, 2) the disk's centre and E's vertices in the
    faces' frames; disk: (e, 2) the disk's centre in the edges' frames.
    """

    corners: Floats
    tangents: Floats
    on_edges: Floats
    on_faces: Floats
    disk: Floats


def kernel_tables(table: Tables, eps_pen: float, disk_environment: bool) -> KernelTables:
    """Return the arrays for the compiled functions."""
    slab = table.edge_slabs(eps_pen)
    limits = (slab.low, slab.high, slab.low_end, slab.high_end, slab.low_reach, slab.high_reach)
    return KernelTables(
        np.ascontiguousarray(table.corners),
        np.column_stack((table.face_tangents, table.face_lengths)),
        np.column_stack((table.faces, table.face_before, table.face_after)).astype(np.int64),
        np.column_stack((table.base, table.tangents, *limits)).astype(np.float64),
        np.column_stack((table.before, table.after, table.low_concave, table.high_concave)).astype(np.int64),
        np.ascontiguousarray(table.points),
        np.ascontiguousarray(table.point_edges),
        float(table.radius),
        bool(disk_environment),
    )


def new_scratch(t: KernelTables) -> Scratch:
    """Return working arrays for one pose."""
    faces, vertices, edges, points = len(t.faces), len(t.corners), len(t.edges), len(t.points)
    shapes = ((vertices, 2), (faces, 2), (edges, vertices, 2), (1 + points, faces, 2), (edges, 2))
    return Scratch(*(np.empty(shape) for shape in shapes))


@compiled
def _point_edge(
    s: float, y: float, low: float, high: float, low_end: float, high_end: float, low_reach: float, high_reach: float,
    low_elsewhere: bool, high_elsewhere: bool,
) -> float:  # fmt: skip
    before, after = s <= low or low_elsewhere, s >= high or high_elsewhere
    if not (before or after):
        return y
    if y <= 0.0 and ((s <= low and s > low - low_reach) or (s >= high and s < high + high_reach)):
        return y
    end = low_end if before and (not after or s - low_end < high_end - s) else high_end
    return sqrt((s - end) * (s - end) + y * y)


@compiled
def face_edge(
    s0: float, s1: float, y0: float, y1: float, low: float, high: float, low_end: float, high_end: float,
    low_reach: float, high_reach: float, length: float,
) -> tuple[float, float]:  # fmt: skip
    """Gap of an edge and the segment (s0, y0) to (s1, y1), and the least height of its part within the slab."""
    if s0 > low and s1 > low and s0 < high and s1 < high:
        height = min(y0, y1)
        return height, height
    low_sunk, high_sunk = low - low_reach, high + high_reach
    height, square = inf, inf
    if (s0 > low and s0 < high) or (y0 <= 0.0 and ((s0 <= low and s0 > low_sunk) or (s0 >= high and s0 < high_sunk))):
        height = y0
    if (s1 > low and s1 < high) or (y1 <= 0.0 and ((s1 <= low and s1 > low_sunk) or (s1 >= high and s1 < high_sunk))):
        height = min(height, y1)
    if s0 <= low or s1 <= low:
        square, height = _beyond(-s0, -s1, y0, y1, -low, -low_end, low_reach, length, square, height)
    if s0 >= high or s1 >= high:
        square, height = _beyond(s0, s1, y0, y1, high, high_end, high_reach, length, square, height)
    return min(sqrt(square), height), height


@compiled
def _beyond(
    s0: float, s1: float, y0: float, y1: float, limit: float, end: float, reach: float, length: float, square: float,
    height: float,
) -> tuple[float, float]:  # fmt: skip
    """Least squared distance to an edge's end at s = end from a segment that reaches beyond the slab's limit, and height."""
    run, rise = s1 - s0, y1 - y0
    if (s0 >= limit) != (s1 >= limit):
        height = min(height, y0 + rise * (limit - s0) / run)
    if reach > 0.0 and (s0 >= limit + reach) != (s1 >= limit + reach):
        there = y0 + rise * (limit + reach - s0) / run
        if there <= 0.0:
            height = min(height, there)
    if s0 >= limit:
        square = min(square, (s0 - end) * (s0 - end) + y0 * y0)
    if s1 >= limit:
        square = min(square, (s1 - end) * (s1 - end) + y1 * y1)
    foot = (end - s0) * run - y0 * rise
    if foot > 0.0 and foot < length * length and foot * run >= (limit - s0) * (length * length):
        across = ((end - s0) * rise + y0 * run) / length
        square = min(square, across * across)
    return square, height


@compiled
def place_pose(i, local, corners, faces, face_links, edges, points, box, tangents, on_edges, on_faces, disk):  # type: ignore[no-untyped-def]
    """Write the features of local pose i into the scratch's arrays."""
    x, z, c, s = local[i, 0], local[i, 1], cos(local[i, 2]), sin(local[i, 2])
    for v in range(len(corners)):
        box[v, 0] = c * corners[v, 0] + s * corners[v, 1] + x
        box[v, 1] = c * corners[v, 1] - s * corners[v, 0] + z
    for f in range(len(faces)):
        tangents[f, 0] = c * faces[f, 0] + s * faces[f, 1]
        tangents[f, 1] = c * faces[f, 1] - s * faces[f, 0]
    for p in range(1 + len(points)):
        px = local[i, 3] if p == 0 else points[p - 1, 0]
        pz = local[i, 4] if p == 0 else points[p - 1, 1]
        for f in range(len(faces)):
            dx, dz = px - box[face_links[f, 0], 0], pz - box[face_links[f, 0], 1]
            on_faces[p, f, 0] = dx * tangents[f, 0] + dz * tangents[f, 1]
            on_faces[p, f, 1] = dx * tangents[f, 1] - dz * tangents[f, 0]
    for e in range(len(edges)):
        bx, bz, tx, tz = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
        for v in range(len(corners)):
            dx, dz = box[v, 0] - bx, box[v, 1] - bz
            on_edges[e, v, 0] = dx * tx + dz * tz
            on_edges[e, v, 1] = dz * tx - dx * tz
        dx, dz = local[i, 3] - bx, local[i, 4] - bz
        disk[e, 0] = dx * tx + dz * tz
        disk[e, 1] = dz * tx - dx * tz


@compiled
def point_gaps(i, local, faces, face_links, points, radius, box, on_faces, edge_count, gap):  # type: ignore[no-untyped-def]
    """Write the gaps of the box's features with the disk and with E's convex vertices."""
    face_count, width = len(faces), len(faces) + len(box)
    for p in range(1 + len(points)):
        px = local[i, 3] if p == 0 else points[p - 1, 0]
        pz = local[i, 4] if p == 0 else points[p - 1, 1]
        start = 0 if p == 0 else (edge_count + p) * width
        less = radius if p == 0 else 0.0
        deepest = -inf
        for f in range(face_count):
            s, y, length = on_faces[p, f, 0], on_faces[p, f, 1], faces[f, 2]
            deepest = max(deepest, y)
            sunk = p > 0 and y < 0.0
            low_elsewhere = sunk and on_faces[p, face_links[f, 2], 1] > y
            high_elsewhere = sunk and on_faces[p, face_links[f, 3], 1] > y
            gap[i, start + f] = _point_edge(s, y, 0.0, length, 0.0, length, 0.0, 0.0, low_elsewhere, high_elsewhere) - less
        for v in range(len(box)):
            dx, dz = px - box[v, 0], pz - box[v, 1]
            distance = deepest if p == 0 and deepest < 0.0 else sqrt(dx * dx + dz * dz)
            gap[i, start + face_count + v] = distance - less


@compiled
def edge_gaps(i, faces, face_links, edges, edge_links, on_edges, gap):  # type: ignore[no-untyped-def]
    """Write the gaps of the box's features with E's edges."""
    face_count, vertex_count = len(faces), on_edges.shape[1]
    for e in range(len(edges)):
        start = (1 + e) * (face_count + vertex_count)
        low, high, low_end, high_end = edges[e, 4], edges[e, 5], edges[e, 6], edges[e, 7]
        low_reach, high_reach = edges[e, 8], edges[e, 9]
        for f in range(face_count):
            a, b = face_links[f, 0], face_links[f, 1]
            gap[i, start + f] = face_edge(
                on_edges[e, a, 0], on_edges[e, b, 0], on_edges[e, a, 1], on_edges[e, b, 1],
                low, high, low_end, high_end, low_reach, high_reach, faces[f, 2],
            )[0]  # fmt: skip
        for v in range(vertex_count):
            s, y = on_edges[e, v, 0], on_edges[e, v, 1]
            low_elsewhere = y < 0.0 and on_edges[edge_links[e, 0], v, 1] > y
            high_elsewhere = y < 0.0 and on_edges[edge_links[e, 1], v, 1] > y
            gap[i, start + face_count + v] = _point_edge(
                s, y, low, high, low_end, high_end, low_reach, high_reach, low_elsewhere, high_elsewhere
            )


@compiled
def disk_gaps(i, local, edges, points, point_edges, radius, disk, start, gap):  # type: ignore[no-untyped-def]
    """Write the gaps of the disk with E, from index `start`."""
    for e in range(len(edges)):
        gap[i, start + e] = _point_edge(
            disk[e, 0], disk[e, 1], edges[e, 4], edges[e, 5], edges[e, 6], edges[e, 7], edges[e, 8], edges[e, 9], False, False
        ) - radius  # fmt: skip
    for p in range(len(points)):
        dx, dz = local[i, 3] - points[p, 0], local[i, 4] - points[p, 1]
        deepest = max(disk[point_edges[p, 0], 1], disk[point_edges[p, 1], 1])
        gap[i, start + len(edges) + p] = (deepest if deepest < 0.0 else sqrt(dx * dx + dz * dz)) - radius
