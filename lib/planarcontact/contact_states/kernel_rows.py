"""Arithmetic on rows of a block of poses, compiled: one operation for all poses at a time, without branches.

Each function writes one row, so that the compiler can prove that rows do not overlap and work on several poses at once.
No sum is reordered: each number is the one that `gaps` gives, to the bit.
"""

from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from ..jit import compiled

__all__ = [
    "across_row", "along_row", "beyond_height_row", "beyond_square_row", "deepest_row", "distance_row", "edge_row", "end_gap_row",
    "least_row", "over_row", "point_gap_row", "sunk_height_row", "turned_row",
]  # fmt: skip

Row = NDArray[np.float64]


@compiled
def turned_row(n: int, c: Row, s: Row, a: float, b: float, shift: Row, out: Row) -> None:
    for i in range(n):
        out[i] = c[i] * a + s[i] * b + shift[i]


@compiled
def along_row(n: int, x: Row, z: Row, x0: Row, z0: Row, tx: Row, tz: Row, out: Row) -> None:
    for i in range(n):
        out[i] = (x[i] - x0[i]) * tx[i] + (z[i] - z0[i]) * tz[i]


@compiled
def across_row(n: int, x: Row, z: Row, x0: Row, z0: Row, tx: Row, tz: Row, out: Row) -> None:
    for i in range(n):
        out[i] = (x[i] - x0[i]) * tz[i] - (z[i] - z0[i]) * tx[i]


@compiled
def edge_row(n: int, x: Row, z: Row, x0: float, z0: float, a: float, b: float, out: Row) -> None:
    for i in range(n):
        out[i] = (x[i] - x0) * a + (z[i] - z0) * b


@compiled
def deepest_row(n: int, y: Row, out: Row) -> None:
    for i in range(n):
        out[i] = max(out[i], y[i])


@compiled
def distance_row(n: int, x: Row, z: Row, x0: Row, z0: Row, depth: Row, less: float, out: Row) -> None:
    """Distance of two points, or the depth where that is negative."""
    for i in range(n):
        dx, dz = x[i] - x0[i], z[i] - z0[i]
        away = sqrt(dx * dx + dz * dz)
        out[i] = (depth[i] if depth[i] < 0.0 else away) - less


@compiled
def point_gap_row(
    n: int, s: Row, y: Row, y_before: Row, y_after: Row, low: float, high: float, low_end: float, high_end: float, low_reach: float,
    high_reach: float, less: float, out: Row,
) -> None:  # fmt: skip
    """Gap of a point at (s, y) and an edge; the point is at y_before and y_after over the edges beyond its convex ends."""
    for i in range(n):
        si, yi = s[i], y[i]
        below, above = si <= low, si >= high
        before = below | ((yi < 0.0) & (y_before[i] > yi))
        after = above | ((yi < 0.0) & (y_after[i] > yi))
        sunk = (yi <= 0.0) & ((below & (si > low - low_reach)) | (above & (si < high + high_reach)))
        first = before & ((not after) | (si - low_end < high_end - si))
        end = low_end if first else high_end
        away = sqrt((si - end) * (si - end) + yi * yi)
        out[i] = (away if (before | after) & (not sunk) else yi) - less


@compiled
def over_row(n: int, s0: Row, s1: Row, y0: Row, y1: Row, low: float, high: float, low_sunk: float, high_sunk: float, out: Row) -> None:
    """Least height of those ends of the segment from (s0, y0) to (s1, y1) that are over an edge's slab."""
    for i in range(n):
        a, b, ya, yb = s0[i], s1[i], y0[i], y1[i]
        first = ((a > low) & (a < high)) | ((ya <= 0.0) & (((a <= low) & (a > low_sunk)) | ((a >= high) & (a < high_sunk))))
        second = ((b > low) & (b < high)) | ((yb <= 0.0) & (((b <= low) & (b > low_sunk)) | ((b >= high) & (b < high_sunk))))
        out[i] = min(ya if first else inf, yb if second else inf)


@compiled
def beyond_height_row(n: int, s0: Row, s1: Row, y0: Row, y1: Row, side: float, limit: float, out: Row) -> None:
    """Least of the height so far and that of the segment where it crosses the slab's limit; side is 1 at the upper end, else -1."""
    for i in range(n):
        a, b = side * s0[i], side * s1[i]
        there = y0[i] + (y1[i] - y0[i]) * (limit - a) / (b - a)
        out[i] = min(out[i], there if (a >= limit) != (b >= limit) else inf)


@compiled
def sunk_height_row(n: int, s0: Row, s1: Row, y0: Row, y1: Row, side: float, limit: float, out: Row) -> None:
    """The same at the limit of the slab for sunk points, where the segment is sunk there."""
    for i in range(n):
        a, b = side * s0[i], side * s1[i]
        there = y0[i] + (y1[i] - y0[i]) * (limit - a) / (b - a)
        out[i] = min(out[i], there if ((a >= limit) != (b >= limit)) & (there <= 0.0) else inf)


@compiled
def beyond_square_row(
    n: int, s0: Row, s1: Row, y0: Row, y1: Row, side: float, limit: float, end: float, length: float, out: Row
) -> None:
    """Least of the square so far and of the squared distance to an edge's end from a segment's part beyond the slab's limit."""
    whole = length * length
    for i in range(n):
        a, b, ya, yb = side * s0[i], side * s1[i], y0[i], y1[i]
        run, rise = b - a, yb - ya
        first = (a - end) * (a - end) + ya * ya
        second = (b - end) * (b - end) + yb * yb
        foot = (end - a) * run - ya * rise
        across = ((end - a) * rise + ya * run) / length
        middle = (foot > 0.0) & (foot < whole) & (foot * run >= (limit - a) * whole) & ((a >= limit) | (b >= limit))
        ends = min(first if a >= limit else inf, second if b >= limit else inf)
        out[i] = min(out[i], min(ends, across * across if middle else inf))


@compiled
def end_gap_row(n: int, square: Row, height: Row, out: Row) -> None:
    for i in range(n):
        out[i] = min(sqrt(square[i]), height[i])


@compiled
def least_row(n: int, value: float, out: Row) -> None:
    for i in range(n):
        out[i] = value
