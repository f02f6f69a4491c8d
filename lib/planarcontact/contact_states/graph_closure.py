"""Which formation's poses reach which other's: exact boundary points of a formation, and exact curves that leave them into it.

A formation F reaches G where a pose of G is a limit of poses of F. The box's coordinates, all in products of intervals, are those of ``realisable_box``
with phi given by tau = tan(phi / 2), so that every pose is exact. From a boundary point u* the curve (1 - e) u* + e u goes to interior points u.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from .exact import box_corners, examine
from .exact_geometry import Point
from .exact_scene import ENDS, FEATURES, ExactPose, ExactScene, formation_code
from .quadratic import Exact, exact_root
from .realisable_box import PLACEMENTS, placement_templates

__all__ = ["closures", "unreached"]

Coordinates = tuple[Exact, ...]
Frame = tuple[Point, Exact, Exact]  # the corner A, cos phi, sin phi
Curve = Callable[[Fraction], Frame]
_STEPS = (Fraction(1, 2**12), Fraction(1, 2**24), Fraction(1, 2**48))
_PARTS = tuple(Fraction(n, 16) for n in (8, 2, 14, 1, 4, 12, 15))
_TURNS = tuple(Fraction(n, 8) for n in (0, 8, 3, 1, 6))


def closures(
    scene: ExactScene, valid: frozenset[int], *, clear: bool, placements: tuple[str, ...] = PLACEMENTS
) -> dict[tuple[int, int], ExactPose]:
    """Find the pairs (F, G) of realisable formations in which F reaches G, F at no quarter turn.

    Args:
        scene: the exact scene, its origin at zero.
        valid: numbers of the realisable formations.
        clear: True if the disk must not touch the environment.
        placements: those of F that are looked at.
    Returns:
        For each pair found a pose of G, from which exact poses of F are found at three distances that shrink to 2^-48; the oracle confirms all four.
    """
    found: dict[tuple[int, int], ExactPose] = {}
    for placement in placements:
        for here, curves in _boundary(placement, scene):
            box = examine(_pose(here, None, scene), scene)
            if not box.admissible:
                continue
            for feature, coordinate, mode in _disks():
                start = mode if mode is not None else feature
                first = placement_templates(placement) | ({FEATURES.index(start)} if start else set())
                last = box.contacts | ({FEATURES.index(feature)} if feature else set())
                pair = (formation_code(first), formation_code(last))
                if pair[0] == pair[1] or pair in found or not valid.issuperset(pair):
                    continue
                pose = _pose(here, _centre(here, feature, coordinate, Fraction(0), scene), scene)
                if not _is(pose, pair[1], scene, clear):
                    continue
                if any(_leaves(curve, pose, feature, coordinate, mode, pair[0], scene, clear) for curve in curves):
                    found[pair] = pose
    return found


def unreached(scene: ExactScene, valid: frozenset[int], found: dict[tuple[int, int], ExactPose]) -> set[tuple[int, int]]:
    """Return the pairs of realisable formations whose box placements and disk features are boundaries of each other, but that were not found."""
    missed = set()
    for placement in PLACEMENTS:
        for here, _ in _boundary(placement, scene):
            box = examine(_pose(here, None, scene), scene)
            for feature, _, mode in _disks():
                start = mode if mode is not None else feature
                first = placement_templates(placement) | ({FEATURES.index(start)} if start else set())
                pair = (formation_code(first), formation_code(box.contacts | ({FEATURES.index(feature)} if feature else set())))
                if box.admissible and pair[0] != pair[1] and valid.issuperset(pair) and pair not in found:
                    missed.add(pair)
    return missed


def _leaves(curve: Curve, limit: ExactPose, feature: str, coordinate: Exact, mode: str | None, code: int, scene: ExactScene, clear: bool) -> bool:
    """Whether a curve of the box, the disk kept, released, left behind or slid off its corner, stays in the formation as it nears the limit."""

    def poses(e: Fraction, speed: int) -> Iterator[ExactPose]:
        frame = curve(e**speed)
        yield _near(frame, feature, coordinate, mode, e, scene)
        if mode == "":
            yield _pose(frame, (limit.disk_x, limit.disk_z), scene)

    variants = [(speed, i) for speed in (1, 2) for i in range(2 if mode == "" else 1)]
    return any(all(_is(list(poses(e, speed))[i], code, scene, clear) for e in _STEPS) for speed, i in variants)


def _is(pose: ExactPose, code: int, scene: ExactScene, clear: bool) -> bool:
    state = examine(pose, scene)
    return state.admissible and state.code == code and not (clear and state.disk_touches_environment)


def _disks() -> Iterator[tuple[str, Exact, str | None]]:
    """The touched feature at the limit, where on it, and the feature touched before: None for the same, an empty string for none."""
    yield "", Fraction(0), None
    for feature in FEATURES:
        corner = feature[0] == "v"
        for coordinate in _TURNS if corner else _PARTS:
            yield feature, coordinate, None
            yield feature, coordinate, ""
        if corner:
            for coordinate, side in zip((Fraction(0), Fraction(1)), _faces_at(feature)):
                yield feature, coordinate, side


def _faces_at(vertex: str) -> tuple[str, str]:
    """The faces that end and that start at a vertex, counter-clockwise."""
    return next(f for f, ends in ENDS.items() if ends[1] == vertex), next(f for f, ends in ENDS.items() if ends[0] == vertex)


def _pose(frame: Frame, centre: Point | None, scene: ExactScene) -> ExactPose:
    (x, z), c, s = frame
    half = scene.side / 2
    away = centre or (x - 9 * scene.side, z + 9 * scene.side + 9 * scene.radius)
    return ExactPose(x + (c - s) * half, z + (c + s) * half, c, -s, *away)


def _centre(frame: Frame, feature: str, coordinate: Exact, gap: Exact, scene: ExactScene) -> Point | None:
    if not feature:
        return None
    corners = box_corners(_pose(frame, None, scene), scene)
    reach = scene.radius * (1 + gap)
    if feature[0] != "v":
        (x0, z0), (x1, z1) = (corners[name] for name in ENDS[feature])
        nx, nz = (z1 - z0) / scene.side, (x0 - x1) / scene.side
        return x0 + (x1 - x0) * coordinate + nx * reach, z0 + (z1 - z0) * coordinate + nz * reach
    cos, sin = (1 - coordinate * coordinate) / (1 + coordinate * coordinate), 2 * coordinate / (1 + coordinate * coordinate)
    x, z = corners[feature]
    for face, weight in zip(_faces_at(feature), (cos, sin)):
        (x0, z0), (x1, z1) = (corners[name] for name in ENDS[face])
        x, z = x + (z1 - z0) / scene.side * weight * reach, z + (x0 - x1) / scene.side * weight * reach
    return x, z


def _near(frame: Frame, feature: str, coordinate: Exact, mode: str | None, e: Fraction, scene: ExactScene) -> ExactPose:
    if not mode:
        return _pose(frame, _centre(frame, feature, coordinate, Fraction(0) if mode is None else e, scene), scene)
    along = 1 - e if ENDS[mode][1] == feature else e
    return _pose(frame, _centre(frame, mode, along, Fraction(0), scene), scene)


def _boundary(placement: str, scene: ExactScene) -> Iterator[tuple[Frame, list[Curve]]]:
    """Boundary and interior points of a placement as frames, each with curves e -> frame that leave it into the placement."""
    if placement == "free":
        for other in PLACEMENTS[1:]:
            for here, _ in _boundary(other, scene):
                (x, z), c, s = here
                yield here, [lambda e, x=x, z=z, c=c, s=s: ((x - scene.side * e, z + scene.side * e), c, s)]
        raised = ((-2 * scene.side, 9 * scene.side), Fraction(4, 5), Fraction(3, 5))
        yield raised, [lambda e: raised]
        return
    axes, inner = _domain(placement, scene)
    for u in product(*axes):
        curves = [lambda e, u=u, v=v: _frame(placement, tuple(p + (q - p) * e for p, q in zip(u, v)), scene) for v in product(*inner)]
        yield _frame(placement, u, scene), curves


def _domain(placement: str, scene: ExactScene) -> tuple[list[Coordinates], list[Coordinates]]:
    """Values of each coordinate, ends of its interval included, and interior ones."""
    a, h = scene.side, scene.height
    zero, one, half = Fraction(0), Fraction(1), Fraction(1, 2)
    lean = (1 - exact_root(1 - (h / a) ** 2)) * (a / h)  # tan(phi / 2) where sin(phi) = h / a
    small = (h / a) / 16, (h / a) / 4
    turns = (zero, *small, lean, Fraction(1, 3), Fraction(3, 5), Fraction(7, 8), Fraction(31, 32), one)
    inside = (*small, Fraction(1, 3), Fraction(3, 5), Fraction(7, 8))
    parts = (zero, Fraction(1, 8), half, Fraction(7, 8), one)
    domains: dict[str, tuple[list[Coordinates], list[Coordinates]]] = {
        "floor": ([(zero, a, 2 * a)], [(a,)]),
        "floor-corner": ([(zero, a, 4 * a), turns], [(a,), inside]),
        "riser": ([parts], [(half,)]),
        "riser-corner": ([(zero, *small, lean), parts], [small, (Fraction(1, 4), half, Fraction(15, 16))]),
        "platform": ([(-a, -a * Fraction(7, 8), -a / 2, -a / 8, zero, a)], [(-a / 2, a)]),
        "platform-corner": ([(zero, a / 4, 3 * a), turns], [(a / 4, 3 * a), inside]),
        "edge": ([turns, parts], [inside, (Fraction(1, 8), half, Fraction(7, 8))]),
        "edge-corner": ([(*turns, 1 + small[0], (1 + lean) / (1 - lean))], [(*inside, 1 + small[0])]),
        "floor+riser": ([(zero, *small, lean)], [small]),
        "floor+edge": ([(lean, *turns[4:])], [inside[2:]]),
    }
    return domains.get(placement, ([], []))


def _frame(placement: str, u: Coordinates, scene: ExactScene) -> Frame:
    a, h = scene.side, scene.height
    zero, one = Fraction(0), Fraction(1)
    angle = {"floor-corner": 1, "platform-corner": 1, "riser-corner": 0, "edge": 0, "edge-corner": 0, "floor+riser": 0, "floor+edge": 0}
    c, s = one, zero
    if placement in angle:
        tau = u[angle[placement]]
        c, s = (1 - tau * tau) / (1 + tau * tau), 2 * tau / (1 + tau * tau)
    elif placement == "floor+edge-corner":
        c, s = exact_root(1 - (h / a) ** 2), h / a
    steep = a * s > h
    if placement == "floor":
        corner = (-a - u[0], zero)
    elif placement == "floor-corner":
        corner = (-(h * c / s if steep else a * c) - u[0], zero)
    elif placement == "riser":
        corner = (-a, h * u[0])
    elif placement == "riser-corner":
        corner = (-a * c, (h - a * s) * u[1])
    elif placement in ("platform", "platform-corner"):
        corner = (u[0], h)
    elif placement == "edge":
        back = (h / s if steep else a) * u[1]
        corner = (-back * c, h - back * s)
    elif placement == "edge-corner":
        corner = (zero, h)
    elif placement == "floor+edge":
        corner = (-h * c / s, zero)
    else:
        corner = (-a * c, zero)
    return corner, c, s
