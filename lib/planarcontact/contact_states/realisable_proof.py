"""Why the disk cannot touch a feature of the box while the box is placed in a given way: identities that a program re-checks.

Lengths are in units of the box's side. The box's corners are A B C D counter-clockwise; A is the lowest (bottom left where the box is
flat), turned counter-clockwise by phi in [0, 90 deg) with c = cos phi, s = sin phi. A disk that touches a feature has its centre at (X, Z), a
polynomial in the placement's parameters. It is clear of the floor and of the step if and only if Z >= r ("floor") and one of

    "beside"  X <= -r,     "above"  Z >= h + r,     "corner"  X <= 0, Z >= h and X^2 + (Z - h)^2 >= r^2.

A refutation gives for each of the three cases a sum of products of premises that are >= 0. The sum is the zero polynomial, yet one of its
products is > 0: so the premises contradict each other. A term is a product of premises; ``[a+b]`` is a sum of premises, ``(a-b)^2`` a square.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from .exact_scene import ExactScene
from .quadratic import Exact, exact_root, sign
from .realisable_polynomial import Polynomial, constant, variable

__all__ = ["CASES", "REFUTATIONS", "conditions", "premises", "refutes", "term_product"]

CASES = ("beside", "above", "corner")
_h, _r, _q, _c, _s, _t, _l, _m, _x, _z, _k = map(variable, "hrqcstlmxzk")
_one, _zero = constant(1), constant(0)
_SQUARES = {"s": 1 - _c * _c, "m": 1 - _l * _l, "q": 1 - _h * _h}

# placement: (A, (c, s), premises of its own, all of them > 0); q is the root of 1 - h^2, so that a box leaning from the floor on vS has c = q
_TILTED, _FLAT = (_c, _s), (_one, _zero)
_PLACEMENTS: dict[str, tuple[tuple[Polynomial, Polynomial], tuple[Polynomial, Polynomial], dict[str, Polynomial]]] = {
    "floor": ((_x, _zero), _FLAT, {}),
    "floor-corner": ((_x, _zero), _TILTED, {"c": _c, "s": _s}),
    "riser": ((-_one, _z), _FLAT, {"below": _h - _z}),
    "riser-corner": ((-_c, _z - _s), _TILTED, {"c": _c, "s": _s, "below": _h - _z}),
    "platform": ((_x - 1, _h), _FLAT, {"x": _x}),
    "platform-corner": ((_x, _h), _TILTED, {"c": _c, "s": _s, "x": _x}),
    "edge": ((-_k * _c, _h - _k * _s), _TILTED, {"c": _c, "s": _s, "k": _k}),
    "edge-corner": ((_zero, _h), _TILTED, {"s": _s}),
    "floor+riser": ((-_c, _zero), _TILTED, {"c": _c, "s": _s, "below": _h - _s}),
    "floor+edge-corner": ((-_q, _zero), (_q, _h), {"c": _q, "s": _h}),
    "floor+edge": ((_x, _zero), _TILTED, {"c": _c, "s": _s}),
    "nook": ((-_one, _zero), _FLAT, {}),
}

_UNDER_FLAT = {"AB": "floor | 2 r", "A": "floor | l r | r", "B": "floor | l r | r"}
_UNDER_CORNER = "floor | l r c | m r s | r"
_AT_RISER = {  # B on the riser or at vS, the disk at B
    "beside": "beside | r l s | r m c | r",
    "corner": "left l c | left m s | r l m | r s c",
}
_INSCRIBED = (  # r reaches the inradius of the triangle under the leaning box
    "2 [q+c] [q+c] c floor | 2 [q+c] [q+c] s beside | [1+c+s] [q+c] [q+c] inscribed"
    " | [1+c+s] [q+c] below below | 2 [1+c+s] [q+c] below shallow | [1+c+s] below below [h+s]"
)
_UNIT_S = "1/2 r (m-s)^2 | 1/2 r l l | 1/2 r c c"  # r (1 - m s)
_UNIT_C = "1/2 r (m-c)^2 | 1/2 r l l | 1/2 r s s"  # r (1 - m c)

# placement and feature: one sum for all three cases, or one for each
REFUTATIONS: dict[tuple[str, str], str | dict[str, str]] = {
    **{(place, feature): terms for place in ("floor", "nook") for feature, terms in _UNDER_FLAT.items()},
    **{(place, "A"): _UNDER_CORNER for place in ("floor-corner", "floor+riser", "floor+edge-corner", "floor+edge")},
    ("riser", "AB"): "floor | below | fits",
    ("riser", "A"): "floor | below | l r | tall",
    ("riser", "B"): {"beside": "beside | m r | r", "above": "above | below | l r | r", "corner": "high | below | l r"},
    ("riser-corner", "AB"): {
        "beside": "c floor | s beside | c below | c fits | r 1-c | r s",
        "above": "above | below | u s | r c | r",
        "corner": "high | below | u s | r c",
    },
    ("riser-corner", "A"): "floor | below | s | r l c | r m s | tall",
    ("riser-corner", "B"): {**_AT_RISER, "above": f"above | below | r l c | {_UNIT_S}"},
    ("platform", "AB"): "floor | fits",
    ("platform", "A"): "floor | l r | tall",
    ("platform", "B"): {"beside": "beside | x | m r | r", "above": "above | l r | r", "corner": "left | x | m r"},
    ("platform-corner", "A"): {
        "beside": f"beside | x | r l s | {_UNIT_C}",
        "above": "above | r l c | r m s | r",
        "corner": "high l s | high m c | r s c | r l m",
    },
    ("edge", "A"): "floor | k s | r l c | r m s | tall",
    ("edge-corner", "A"): {
        "beside": f"beside | r l s | {_UNIT_C}",
        "above": "above | r m s | 1/2 r (l+c)^2 | 1/2 r m m | 1/2 r s s",
        "corner": "l left | m high | r s",
    },
    ("floor+riser", "AB"): {"beside": _INSCRIBED, "above": "above | below | u s | r c | r", "corner": "high | below | u s | r c"},
    ("floor+riser", "B"): {**_AT_RISER, "above": f"above | below | r l c | {_UNIT_S}"},
    ("floor+edge-corner", "AB"): {
        "beside": "2 c floor | 2 s beside | [1+c+s] inscribed",
        "above": "above | u s | r c | r",
        "corner": "high | u s | r c",
    },
    ("floor+edge-corner", "B"): {**_AT_RISER, "above": "above | r l q | 1/2 r (m-h)^2 | 1/2 r l l | 1/2 r q q"},
}


@dataclass(frozen=True)
class _Premise:
    polynomial: Polynomial
    positive: bool


def conditions(scene: ExactScene) -> dict[str, Exact]:
    """Return what a refutation may assume of the scene's lengths, each usable where it is >= 0; units of the side.

    ``fits``: 2 r - h. ``tall``: r - h. ``inscribed``: 2 r - (q + h - 1), q^2 = 1 - h^2. ``shallow``: q - h.
    """
    values = _lengths(scene)
    return {name: polynomial.value(values) for name, polynomial in _CONDITIONS.items()}


def premises(placement: str, feature: str, case: str, scene: ExactScene, *, clear: bool) -> dict[str, _Premise]:
    """State everything known of a disk that touches a feature of a placed box.

    Args:
        placement: the box's placement.
        feature: the box's feature by its corners, as in ``AB`` or ``A``.
        case: one of ``CASES``.
        scene: the exact scene.
        clear: True if the disk must not touch the environment.
    Returns:
        Names and what is known to be >= 0 or > 0.
    """
    (xa, za), (c, s), own = _PLACEMENTS[placement]
    normal = {"AB": (s, -c), "BC": (c, s), "CD": (-s, c), "DA": (-c, -s)}
    corner = {"A": (xa, za), "B": (xa + c, za + s)}
    known = {"1": _Premise(_one, True), "r": _Premise(_r, True), "h": _Premise(_h, True), "q": _Premise(_q, True)}
    known.update({name: _Premise(polynomial, True) for name, polynomial in own.items()})
    known.update({"l": _Premise(_l, False), "m": _Premise(_m, False), "t": _Premise(_t, True), "u": _Premise(1 - _t, True)})
    known["1-c"] = _Premise(1 - c, False)
    if feature == "AB":
        centre = (xa + _t * c + _r * s, za + _t * s - _r * c)
    else:
        first, second = normal["AB"], normal["DA" if feature == "A" else "BC"]
        centre = tuple(p + _r * (_l * n + _m * k) for p, n, k in zip(corner[feature], first, second))
    x, z = centre
    known["floor"] = _Premise(z - _r, clear)
    if case == "beside":
        known["beside"] = _Premise(-_r - x, clear)
    elif case == "above":
        known["above"] = _Premise(z - _h - _r, clear)
    else:
        known.update({"left": _Premise(-x, False), "high": _Premise(z - _h, False)})
    for name, value in conditions(scene).items():
        if sign(value) >= 0:
            known[name] = _Premise(_CONDITIONS[name], sign(value) > 0)
    return known


def refutes(placement: str, feature: str, scene: ExactScene, *, clear: bool) -> bool:
    """Re-check that a disk cannot touch a feature of a placed box, from the identities alone.

    Args:
        placement: the box's placement.
        feature: the box's feature by its corners.
        scene: the exact scene.
        clear: True if the disk must not touch the environment.
    Returns:
        True if every case is contradictory; False if there is no such refutation or a premise that it needs does not hold in this scene.
    """
    entry = REFUTATIONS.get((placement, feature))
    if entry is None:
        return False
    return all(_contradicts(entry if isinstance(entry, str) else entry[case], premises(placement, feature, case, scene, clear=clear)) for case in CASES)


def term_product(term: str, known: Mapping[str, _Premise]) -> _Premise | None:
    """Multiply out one term; None if it names a premise that is not known."""
    product, positive = _one, True
    for factor in term.split():
        if factor in known:
            polynomial, strict = known[factor].polynomial, known[factor].positive
        elif factor.startswith("["):
            parts = [known.get(name) for name in factor[1:-1].split("+")]
            if None in parts:
                return None
            polynomial, strict = sum((p.polynomial for p in parts if p), _zero), any(p.positive for p in parts if p)
        elif factor.endswith("^2"):
            root = variable(factor[1]) + variable(factor[3]) * (1 if factor[2] == "+" else -1)
            polynomial, strict = root * root, False
        elif factor.replace("/", "").isdigit():
            polynomial, strict = constant(Fraction(factor)), True
        else:
            return None
        product, positive = product * polynomial, positive and strict
    return _Premise(product, positive)


_CONDITIONS = {"fits": 2 * _r - _h, "tall": _r - _h, "inscribed": 2 * _r - (_q + _h - 1), "shallow": _q - _h}


def _lengths(scene: ExactScene) -> dict[str, Exact]:
    h, r = scene.height / scene.side, scene.radius / scene.side
    return {"h": h, "r": r, "q": exact_root(1 - h * h)}


def _contradicts(terms: str, known: Mapping[str, _Premise]) -> bool:
    products = [term_product(term, known) for term in terms.split("|")]
    if any(product is None for product in products):
        return False
    total = sum((p.polynomial for p in products if p), _zero).reduced(_SQUARES)
    return total.is_zero and any(p.positive for p in products if p)
