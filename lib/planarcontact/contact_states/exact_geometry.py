"""Exact planar predicates for the oracle: contact of a segment with an axis-parallel piece, and overlap by clipping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from .quadratic import Exact, sign

__all__ = ["Piece", "Point", "area_inside", "meet"]

Point = tuple[Exact, Exact]


@dataclass(frozen=True)
class Piece:
    """A closed piece of an axis-parallel line: coordinate ``1 - axis`` equals ``level``, coordinate ``axis`` runs over [low, high].

    Attributes: ``axis``, 0 for x and 1 for z; ``level``, m; ``low`` and ``high``, m, None where unbounded. A point has low = high.
    """

    axis: int
    level: Fraction
    low: Fraction | None
    high: Fraction | None

    def holds(self, along: Exact) -> bool:
        """Return whether the coordinate lies in the piece's closed range."""
        return (self.low is None or along >= self.low) and (self.high is None or along <= self.high)


def meet(start: Point, end: Point, piece: Piece) -> tuple[Point, ...]:
    """Intersect the closed segment from start to end (a point where they are equal) with a piece.

    Args:
        start: first end point, m.
        end: last end point, m.
        piece: the other closed set.
    Returns:
        The end points of the common set: none, one point, or two different ones.
    """
    axis, off = piece.axis, 1 - piece.axis
    below, above = start[off] - piece.level, end[off] - piece.level
    if sign(below) == 0 and sign(above) == 0:
        low, high = sorted((start[axis], end[axis]))
        low = low if piece.low is None else max(low, piece.low)
        high = high if piece.high is None else min(high, piece.high)
        if low > high:
            return ()
        ends = (low,) if low == high else (low, high)
        return tuple(_point(axis, along, piece.level) for along in ends)
    if sign(below) * sign(above) > 0:
        return ()
    along = start[axis] + (end[axis] - start[axis]) * (below / (below - above))
    return (_point(axis, along, piece.level),) if piece.holds(along) else ()


def area_inside(polygon: Sequence[Point], cuts: Sequence[tuple[int, Exact, int]]) -> Exact:
    """Clip a convex polygon by half-planes (Sutherland and Hodgman) and return twice the area that is left, m^2.

    Args:
        polygon: corners, counter-clockwise, m.
        cuts: half-planes (axis, level, side): kept is side (coordinate[axis] - level) >= 0.
    Returns:
        Twice the area, exact.
    """
    corners = list(polygon)
    for axis, level, side in cuts:
        kept: list[Point] = []
        for i, here in enumerate(corners):
            back = corners[i - 1]
            h_here, h_back = (here[axis] - level) * side, (back[axis] - level) * side
            if sign(h_here) * sign(h_back) < 0:
                part = h_back / (h_back - h_here)
                kept.append((back[0] + (here[0] - back[0]) * part, back[1] + (here[1] - back[1]) * part))
            if h_here >= 0:
                kept.append(here)
        corners = kept
    total: Exact = Fraction(0)
    for i, here in enumerate(corners):
        back = corners[i - 1]
        total = total + (back[0] * here[1] - here[0] * back[1])
    return total


def _point(axis: int, along: Exact, level: Exact) -> Point:
    return (along, level) if axis == 0 else (level, along)
