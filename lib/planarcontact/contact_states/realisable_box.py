"""Which contacts of the box with the environment can stand together, and exact box placements that realise them.

The floor is a half-plane and the step a convex quadrant, so the box has at most one principal contact with each. Two contacts, one with
each, need a common orientation (their normals) and must not ask one point of the box to be at two heights. What passes both tests is
realised by one of the twelve placements of the table, or by none: `placement_of` leaves nothing open for a step lower than the box.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from .exact_geometry import Point
from .exact_scene import ENDS, FEATURES, OTHERS, ExactScene
from .quadratic import Exact, exact_root

__all__ = ["PLACEMENTS", "BoxPlacement", "angle_set", "box_reason", "candidates", "corner_roles", "placement_of", "placement_templates"]

_FACES = ("-z", "+x", "+z", "-x")  # AB, BC, CD, DA of the box at rest
_VERTICES = ("v--", "v+-", "v++", "v-+")  # A, B, C, D
_SIDES = ("AB", "BC", "CD", "DA")
# outward normals, in quarter turns counter-clockwise from +x; a vertex has the cone between its two faces
_CONES = {"+x": (0, 0), "+z": (1, 1), "-x": (2, 2), "-z": (3, 3), "v++": (0, 1), "v-+": (1, 2), "v--": (2, 3), "v+-": (3, 4)}
_INWARD = {"L": (3, 3), "P": (3, 3), "S": (0, 0), "vS": (3, 4)}
_TABLE = {
    (): "free", (("AB", "L"),): "floor", (("A", "L"),): "floor-corner", (("BC", "S"),): "riser", (("B", "S"),): "riser-corner",
    (("AB", "P"),): "platform", (("A", "P"),): "platform-corner", (("AB", "vS"),): "edge", (("A", "vS"),): "edge-corner",
    (("A", "L"), ("B", "S")): "floor+riser", (("A", "L"), ("B", "vS")): "floor+edge-corner",
    (("A", "L"), ("AB", "vS")): "floor+edge", (("AB", "L"), ("BC", "S")): "nook",
}  # fmt: skip
PLACEMENTS = tuple(_TABLE.values())


@dataclass(frozen=True)
class BoxPlacement:
    """An exact pose of the box relative to the scene's origin.

    Attributes: ``corner``, where the corner A is, m; ``cos``, ``sin`` of the counter-clockwise turn phi; ``turned``, the quarter turns to
    count on top of those of the formation, for a corner on vS that is not the lowest.
    """

    corner: Point
    cos: Exact
    sin: Exact
    turned: int = 0


def angle_set(template: int) -> tuple[int, int]:
    """Return the open interval of phi, in quarter turns, in which a box-environment contact can be principal; a point if its ends agree.

    The box's outward normal at the contact is opposite to one of the environment's. On the ends of the interval an edge of the box lies flush,
    and the contact is the boundary of a larger one.
    """
    low, high = _CONES[FEATURES[template % 8]]
    first, last = _INWARD[OTHERS[template // 8]]
    return first - high, last - low


def box_reason(first: int, second: int) -> str | None:
    """Return why two box-environment templates cannot be principal at one pose, or None.

    Args:
        first: template index, 8 to 39.
        second: another one.
    Returns:
        ``convexity`` (two contacts of the box with one convex body), ``normals`` (no common orientation), ``height`` (the feature on the
        floor holds the feature at the step's height), or None.
    """
    if (first < 16) == (second < 16):
        return "convexity"
    (a, b), (c, d) = angle_set(first), angle_set(second)
    if not any(_overlap(a + shift, b + shift, c, d) for shift in (-4, 0, 4)):
        return "normals"
    first, second = sorted((first, second))
    on_floor, on_step = FEATURES[first % 8], FEATURES[second % 8]
    if OTHERS[second // 8] != "S" and (on_floor == on_step or on_step in ENDS.get(on_floor, ())):
        return "height"
    return None


def placement_of(templates: frozenset[int]) -> tuple[str, int] | None:
    """Return the placement and the quarter turns that realise a set of box-environment templates, None if none does."""
    for quarter in range(4):
        roles = corner_roles(quarter)
        key = tuple((roles[FEATURES[i % 8]], OTHERS[i // 8]) for i in sorted(templates))
        if key in _TABLE:
            return _TABLE[key], quarter
    return None


def placement_templates(placement: str) -> frozenset[int]:
    """Return the box-environment templates of a placement at no quarter turn."""
    key = next(key for key, name in _TABLE.items() if name == placement)
    feature = {role: name for name, role in corner_roles(0).items()}
    return frozenset(8 * OTHERS.index(other) + FEATURES.index(feature[role]) for role, other in key)


def corner_roles(quarter: int) -> dict[str, str]:
    """Return which of A to D and AB to DA each feature of the box is, after that many counter-clockwise quarter turns."""
    return {
        **{_VERTICES[(i - quarter) % 4]: "ABCD"[i] for i in range(4)},
        **{_FACES[(i - quarter) % 4]: _SIDES[i] for i in range(4)},
    }


def candidates(placement: str, scene: ExactScene) -> Iterator[BoxPlacement]:
    """Yield exact box placements, the plain ones first and then closer and closer to the placement's limits.

    Args:
        placement: a name of the table.
        scene: the exact scene, its step lower than the box.
    Yields:
        Placements whose box-environment contacts are those of the table, at no quarter turn.
    """
    a, h, far = scene.side, scene.height, 4 * (scene.side + scene.radius)
    zero, one = Fraction(0), Fraction(1)
    near = [Fraction(n, 8) for n in (4, 2, 6, 1, 7)] + [end for k in (5, 8, 14, 24) for end in (Fraction(1, 2**k), 1 - Fraction(1, 2**k))]
    steep = h / (2 * a)  # a half-angle's tangent below that of asin(h / a)
    turns = [_turn(f) for f in near]
    if placement == "free":
        yield from (BoxPlacement((-2 * a, far), c, s) for c, s in [_turn(Fraction(1, 3)), *turns[:5]])
    elif placement == "floor":
        yield BoxPlacement((-far, zero), one, zero)
    elif placement == "floor-corner":
        yield from (BoxPlacement((-far, zero), c, s) for c, s in turns)
    elif placement == "riser":
        yield from (BoxPlacement((-a, h * f), one, zero) for f in near)
    elif placement == "riser-corner":
        for c, s in (_turn(steep * f) for f in near):
            yield from (BoxPlacement((-a * c, (h - a * s) * f), c, s) for f in near[:7:2] + near[10::2])
    elif placement == "platform":
        yield from (BoxPlacement((x, h), one, zero) for x in [-a * f for f in near] + [zero, a, far])
    elif placement == "platform-corner":
        yield from (BoxPlacement((x, h), c, s) for c, s in turns for x in (a / 2, far, a / 64))
    elif placement == "edge":
        for c, s in turns:
            yield from (BoxPlacement((-k * c, h - k * s), c, s) for k in (min(a, h / s) * f for f in near[:7]))
    elif placement == "edge-corner":
        yield from (BoxPlacement((zero, h), c, s) for c, s in turns)
        yield BoxPlacement((-a, h), one, zero, 1)
        yield from (BoxPlacement((-a * c, h - a * s), c, s, 1) for c, s in (_turn(steep * f) for f in near))
    elif placement == "floor+edge-corner":
        c = exact_root(1 - (h / a) ** 2)
        yield BoxPlacement((c * -a, zero), c, h / a)
    elif placement == "nook":
        yield BoxPlacement((-a, zero), one, zero)
    else:
        ratio = float(h / a)
        precise = Fraction(ratio / (1 + sqrt(1 - ratio * ratio)))
        plain = precise.limit_denominator(100)  # the first five places need no more
        between = placement == "floor+riser"
        for limit, f in [(plain, f) for f in near[:5]] + [(precise, f) for f in near[5:]]:
            c, s = _turn(limit * f if between else limit + (1 - limit) * f)
            if between and s < h / a:
                yield BoxPlacement((-a * c, zero), c, s)
            elif not between and s > h / a:
                yield BoxPlacement((-h * c / s, zero), c, s)


def _turn(tau: Fraction) -> tuple[Fraction, Fraction]:
    return (1 - tau * tau) / (1 + tau * tau), 2 * tau / (1 + tau * tau)


def _overlap(a: int, b: int, c: int, d: int) -> bool:
    if a == b and c == d:
        return a == c
    return max(a, c) < min(b, d) if a < b and c < d else (c < a < d if a == b else a < c < b)
