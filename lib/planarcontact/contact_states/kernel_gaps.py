"""The gaps of a block of poses, compiled: the twin of `gaps`, held to it by a test."""

from math import cos, inf, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import compiled
from .geometry import Tables
from .kernel_rows import (
    across_row, along_row, beyond_height_row, beyond_square_row, deepest_row, distance_row, edge_row, end_gap_row, least_row, over_row,
    point_gap_row, sunk_height_row, turned_row,
)  # fmt: skip

__all__ = ["BLOCK", "KernelTables", "Scratch", "block_gaps", "kernel_tables", "new_scratch", "place_block"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
BLOCK = 128  # poses whose features fit the processor's second cache


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
    """Features of the block of poses at hand; the last axis counts the poses.

    Attributes:
        turn: (5, B): cosine, sine, centre x, z, zeros; centres: (1 + m, 2, B): the disk's centre and E's vertices.
        box: (v, 2, B) corners; tangents: (f, 2, B) of the faces.
        on_edges: (e, v, 2, B): corners along and above the edges; on_faces: (1 + m, f, 2, B): centres along and above the faces.
        disk: (e, 2, B): the disk's centre along and above the edges.
        heights: (e, f, B): least height of a face's part within an edge's slab; gaps: (T, B); square, depth: (B,).
    """

    turn: Floats
    centres: Floats
    box: Floats
    tangents: Floats
    on_edges: Floats
    on_faces: Floats
    disk: Floats
    heights: Floats
    gaps: Floats
    square: Floats
    depth: Floats


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


def new_scratch(t: KernelTables, count: int) -> Scratch:
    """Return working arrays for one block of poses with `count` templates."""
    faces, vertices, edges, points = len(t.faces), len(t.corners), len(t.edges), len(t.points)
    shapes = ((5,), (1 + points, 2), (vertices, 2), (faces, 2), (edges, vertices, 2), (1 + points, faces, 2), (edges, 2),
              (edges, faces), (count,), (), ())  # fmt: skip
    made = Scratch(*(np.zeros((*shape, BLOCK)) for shape in shapes))
    made.centres[1:] = t.points[:, :, None]
    return made


@compiled
def place_block(first, n, local, corners, faces, face_links, edges, turn, centres, box, tangents, on_edges, on_faces, disk):  # type: ignore[no-untyped-def]
    """Write the features of local poses first to first + n into the scratch's arrays."""
    for i in range(n):
        turn[0, i], turn[1, i] = cos(local[first + i, 2]), sin(local[first + i, 2])
        turn[2, i], turn[3, i] = local[first + i, 0], local[first + i, 1]
        centres[0, 0, i], centres[0, 1, i] = local[first + i, 3], local[first + i, 4]
    for v in range(len(corners)):
        turned_row(n, turn[0], turn[1], corners[v, 0], corners[v, 1], turn[2], box[v, 0])
        turned_row(n, turn[0], turn[1], corners[v, 1], -corners[v, 0], turn[3], box[v, 1])
    for f in range(len(faces)):
        turned_row(n, turn[0], turn[1], faces[f, 0], faces[f, 1], turn[4], tangents[f, 0])
        turned_row(n, turn[0], turn[1], faces[f, 1], -faces[f, 0], turn[4], tangents[f, 1])
    for p in range(len(centres)):
        for f in range(len(faces)):
            x, z, v = centres[p, 0], centres[p, 1], face_links[f, 0]
            along_row(n, x, z, box[v, 0], box[v, 1], tangents[f, 0], tangents[f, 1], on_faces[p, f, 0])
            across_row(n, x, z, box[v, 0], box[v, 1], tangents[f, 0], tangents[f, 1], on_faces[p, f, 1])
    for e in range(len(edges)):
        x0, z0, tx, tz = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
        for v in range(len(corners)):
            edge_row(n, box[v, 0], box[v, 1], x0, z0, tx, tz, on_edges[e, v, 0])
            edge_row(n, box[v, 0], box[v, 1], x0, z0, -tz, tx, on_edges[e, v, 1])
        edge_row(n, centres[0, 0], centres[0, 1], x0, z0, tx, tz, disk[e, 0])
        edge_row(n, centres[0, 0], centres[0, 1], x0, z0, -tz, tx, disk[e, 1])


@compiled
def block_gaps(
    n, faces, face_links, edges, edge_links, point_edges, radius, disk_environment, centres, box, on_edges, on_faces, disk, heights, gaps,
    square, depth,
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Write the gaps of all templates, and the heights of the faces over the edges."""
    face_count, width, edge_count = len(faces), len(faces) + len(box), len(edges)
    for p in range(len(centres)):
        start = 0 if p == 0 else (edge_count + p) * width
        less = radius if p == 0 else 0.0
        least_row(n, -inf if p == 0 else 0.0, depth)
        for f in range(face_count):
            before, after = (f, f) if p == 0 else (face_links[f, 2], face_links[f, 3])
            if p == 0:
                deepest_row(n, on_faces[p, f, 1], depth)
            point_gap_row(
                n, on_faces[p, f, 0], on_faces[p, f, 1], on_faces[p, before, 1], on_faces[p, after, 1], 0.0, faces[f, 2], 0.0, faces[f, 2],
                0.0, 0.0, less, gaps[start + f],
            )  # fmt: skip
        for v in range(len(box)):
            distance_row(n, centres[p, 0], centres[p, 1], box[v, 0], box[v, 1], depth, less, gaps[start + face_count + v])
    for e in range(edge_count):
        start = (1 + e) * width
        low, high, low_end, high_end, low_reach, high_reach = edges[e, 4], edges[e, 5], edges[e, 6], edges[e, 7], edges[e, 8], edges[e, 9]
        for f in range(face_count):
            a, b, height = face_links[f, 0], face_links[f, 1], heights[e, f]
            s0, s1, y0, y1 = on_edges[e, a, 0], on_edges[e, b, 0], on_edges[e, a, 1], on_edges[e, b, 1]
            over_row(n, s0, s1, y0, y1, low, high, low - low_reach, high + high_reach, height)
            least_row(n, inf, square)
            for upper in range(2):
                side = 1.0 if upper else -1.0
                limit, end, reach = (high, high_end, high_reach) if upper else (-low, -low_end, low_reach)
                if limit < inf:
                    beyond_height_row(n, s0, s1, y0, y1, side, limit, height)
                    if reach > 0.0:
                        sunk_height_row(n, s0, s1, y0, y1, side, limit + reach, height)
                    beyond_square_row(n, s0, s1, y0, y1, side, limit, end, faces[f, 2], square)
            end_gap_row(n, square, height, gaps[start + f])
        before, after = edge_links[e, 0], edge_links[e, 1]
        for v in range(len(box)):
            point_gap_row(
                n, on_edges[e, v, 0], on_edges[e, v, 1], on_edges[before, v, 1], on_edges[after, v, 1], low, high, low_end, high_end,
                low_reach, high_reach, 0.0, gaps[start + face_count + v],
            )  # fmt: skip
    if disk_environment:
        _disk_gaps(n, edges, point_edges, radius, centres, disk, gaps, depth, (edge_count + len(centres)) * width)


@compiled
def _disk_gaps(n, edges, point_edges, radius, centres, disk, gaps, depth, start):  # type: ignore[no-untyped-def]
    """Write the gaps of the disk with E, from template `start`."""
    for e in range(len(edges)):
        point_gap_row(
            n, disk[e, 0], disk[e, 1], disk[e, 1], disk[e, 1], edges[e, 4], edges[e, 5], edges[e, 6], edges[e, 7], edges[e, 8], edges[e, 9],
            radius, gaps[start + e],
        )  # fmt: skip
    for p in range(1, len(centres)):
        least_row(n, -inf, depth)
        deepest_row(n, disk[point_edges[p - 1, 0], 1], depth)
        deepest_row(n, disk[point_edges[p - 1, 1], 1], depth)
        distance_row(n, centres[0, 0], centres[0, 1], centres[p, 0], centres[p, 1], depth, radius, gaps[start + len(edges) + p - 1])
