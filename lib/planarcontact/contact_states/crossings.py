"""Whether outlines cross, touch or overlap, decided in exact arithmetic on the floats as they are given."""

from fractions import Fraction
from math import inf

import numpy as np
from numpy.typing import NDArray

__all__ = ["Side", "chain_sides", "inside", "meeting", "ring_sides"]

Floats = NDArray[np.float64]
Vector = tuple[Fraction, Fraction]


class Side:
    """A straight piece of an outline: start + t * way with 0 <= t <= last, which is infinite on a ray. Rational numbers, m."""

    def __init__(self, start: Floats, end: Floats, *, ray: bool = False):
        self.start: Vector = (Fraction(float(start[0])), Fraction(float(start[1])))
        self.way: Vector = (Fraction(float(end[0])) - self.start[0], Fraction(float(end[1])) - self.start[1])
        self.last = inf if ray else 1.0
        far = np.where(end == start, end, np.copysign(np.inf, end - start)) if ray else end
        self.low, self.high = np.minimum(start, far), np.maximum(start, far)

    def meets(self, other: "Side") -> bool:
        """Whether the two have a point in common."""
        across = _cross(self.way, other.way)
        offset = (other.start[0] - self.start[0], other.start[1] - self.start[1])
        if across != 0:
            return 0 <= _cross(offset, other.way) / across <= self.last and 0 <= _cross(offset, self.way) / across <= other.last
        if _cross(offset, self.way) != 0:
            return False
        first, run = (_dot(v, self.way) / _dot(self.way, self.way) for v in (offset, other.way))
        ends = sorted((first, first + run)) if other.last == 1.0 else ((first, inf) if run > 0 else (-inf, first))
        return ends[1] >= 0 and ends[0] <= self.last


def ring_sides(ring: Floats) -> list[Side]:
    """The sides of a closed outline (n, 2)."""
    return [Side(a, b) for a, b in zip(ring, np.roll(ring, -1, axis=0))]


def chain_sides(chain: Floats) -> list[Side]:
    """The sides of a chain (n, 2), n >= 3, whose first and last side are rays."""
    middle = [Side(a, b) for a, b in zip(chain[1:-2], chain[2:-1])]
    return [Side(chain[1], chain[0], ray=True), *middle, Side(chain[-2], chain[-1], ray=True)]


def meeting(first: list[Side], second: list[Side] | None = None, *, closed: bool = False) -> tuple[int, int] | None:
    """Return a side of one outline and one of another that meet, or None.

    Without a second outline: two sides of the first that meet and do not follow each other; in a closed outline the
    first side follows the last.
    """
    others = first if second is None else second
    low, high = (np.array([getattr(s, name) for s in first]) for name in ("low", "high"))
    low2, high2 = (np.array([getattr(s, name) for s in others]) for name in ("low", "high"))
    near = ((low[:, None] <= high2) & (low2 <= high[:, None])).all(axis=2)
    if second is None:
        near = np.triu(near, 2)
        near[0, -1] &= not closed
    return next(((int(i), int(k)) for i, k in np.argwhere(near) if first[i].meets(others[k])), None)


def inside(point: Floats, ring: Floats) -> bool:
    """Whether a point that is not on the outline lies inside it."""
    x, z = Fraction(float(point[0])), Fraction(float(point[1]))
    odd = False
    for side in ring_sides(ring):
        (ax, az), bz = side.start, side.start[1] + side.way[1]
        if (az > z) != (bz > z) and x < ax + side.way[0] * (z - az) / side.way[1]:
            odd = not odd
    return odd


def _cross(a: Vector, b: Vector) -> Fraction:
    return a[0] * b[1] - a[1] * b[0]


def _dot(a: Vector, b: Vector) -> Fraction:
    return a[0] * b[0] + a[1] * b[1]
