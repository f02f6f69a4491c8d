"""Which formations exist: for each an exact pose that shows it, or a reason why there is none (document 2, "Validity", step 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from typing import Protocol

from ..errors import InputError, UnsupportedError
from ..validation import boolean
from .exact import clearance, examine
from .exact_scene import FEATURES, ExactPose, ExactScene, formation_code, formation_templates, template_name
from .quadratic import Exact, exact_root
from .realisable_box import PLACEMENTS, box_reason, candidates, corner_roles, placement_of, placement_templates
from .realisable_disk import disk_places
from .realisable_proof import refutes

__all__ = ["Realisable", "Reason", "exact_scene", "holds", "realisable_count", "realisable_formations", "thresholds"]

_TRIES = 6  # feasible poses of which the one farthest from degenerate becomes the witness


class StepScene(Protocol):
    """What is read of a scene of the library: its box, its environment and the disk's radius."""

    body: object
    environment: object
    radius: float


@dataclass(frozen=True)
class Reason:
    """Why no admissible pose realises a formation.

    Attributes:
        kind: ``convexity``, ``normals``, ``height`` (two templates of the box and the environment, see ``box_reason``) or
            ``clearance`` (a disk at that feature of a box so placed meets the environment, see ``realisable_proof``).
        templates: the templates it rests on: the two of the box, or the disk's one.
        placement: the box's placement, for ``clearance``.
        feature: the touched feature by its corners, for ``clearance``.
    """

    kind: str
    templates: tuple[int, ...]
    placement: str = ""
    feature: str = ""

    def __str__(self) -> str:
        named = " and ".join(template_name(i) for i in self.templates)
        return f"{self.kind}: {named}" + (f" with the box at {self.placement!r}, feature {self.feature}" if self.placement else "")


@dataclass(frozen=True)
class Realisable:
    """Which formations exist.

    Attributes:
        codes: numbers of the formations that some admissible pose realises, ascending.
        witnesses: an exact pose for each of them, confirmed by the oracle.
        refuted: a reason for every other formation that has one.
        undecided: numbers of the formations with neither; the count of valid formations lies in ``bracket``.
        scene: the exact scene.
        disk_may_touch_environment: whether a disk that touches the environment is admissible.
    """

    codes: tuple[int, ...]
    witnesses: Mapping[int, ExactPose]
    refuted: Mapping[int, Reason]
    undecided: tuple[int, ...]
    scene: ExactScene
    disk_may_touch_environment: bool

    @property
    def bracket(self) -> tuple[int, int]:
        """The least and the greatest number of valid formations."""
        return len(self.codes), len(self.codes) + len(self.undecided)


def realisable_formations(scene: StepScene | ExactScene, disk_may_touch_environment: bool = True) -> Realisable:
    """Sort the 9^5 formations into those that some admissible pose shows exactly, and those that none does.

    Args:
        scene: the document's scene, from ``step_scene`` (its floats are taken as the exact numbers that they are) or an ``ExactScene``.
        disk_may_touch_environment: False to ask that the disk be clear of the environment.
    Returns:
        Codes, witnesses, reasons and what is undecided. Nothing is undecided for radius < side - height and height <= side / sqrt(2).
    Raises:
        InputError: what is passed is no scene, or no truth value.
        UnsupportedError: the scene is not a square box before a single step, or the step is not lower than the box.
    """
    exact, touch = exact_scene(scene), boolean("disk_may_touch_environment", disk_may_touch_environment)
    if exact.height >= exact.side:
        raise UnsupportedError(f"the step, {float(exact.height):g} m, is not lower than the box, {float(exact.side):g} m")
    return _decide(exact, touch)


def holds(code: int, reason: Reason, scene: StepScene | ExactScene, disk_may_touch_environment: bool = True) -> bool:
    """Re-check a reason from the formation's templates alone.

    Args:
        code: the formation's number.
        reason: why it should not be realisable.
        scene: the scene.
        disk_may_touch_environment: as in ``realisable_formations``.
    Returns:
        True if the reason applies to the formation and is right.
    """
    templates = formation_templates(code)
    if not templates.issuperset(reason.templates):
        return False
    if reason.kind != "clearance":
        first, second = reason.templates
        return min(first, second) >= 8 and box_reason(first, second) == reason.kind
    placed = placement_of(frozenset(i for i in templates if i >= 8))
    if placed is None or len(reason.templates) != 1 or reason.templates[0] >= 8:
        return False
    feature = corner_roles(placed[1])[FEATURES[reason.templates[0]]]
    stated = (reason.placement, reason.feature) == (placed[0], feature)
    return stated and refutes(placed[0], feature, exact_scene(scene), clear=not disk_may_touch_environment)


def thresholds(scene: StepScene | ExactScene) -> dict[str, Exact]:
    """Return the radii at which the count changes, for radii below side - height, m.

    ``inscribed``: the inradius of the triangle under a box that leans from the floor on vS, (sqrt(a^2 - h^2) + h - a) / 2; ``fits``: h / 2;
    ``tall``: h; ``end``: a - h, where this table ends.
    """
    s = exact_scene(scene)
    root = exact_root(s.side * s.side - s.height * s.height)
    return {"inscribed": (root + s.height - s.side) / 2, "fits": s.height / 2, "tall": s.height, "end": s.side - s.height}


def exact_scene(scene: StepScene | ExactScene) -> ExactScene:
    """Return a scene in the rational numbers that its floats are.

    Args:
        scene: a scene of the library, or an exact one.
    Returns:
        The exact scene.
    Raises:
        UnsupportedError: it is not a square box before a step with edges L, S, P.
        InputError: it is no scene.
    """
    if isinstance(scene, ExactScene):
        return scene
    try:
        ground, body, radius = scene.environment, scene.body, Fraction(scene.radius)
        names, vertices = tuple(ground.edge_names), [tuple(map(Fraction, v)) for v in body.vertices]
        sides = {abs(c) for v in vertices for c in v}
    except (AttributeError, TypeError, ValueError) as error:
        raise InputError("scene", scene, "is not a scene", "use step_scene()") from error
    if names != ("L", "S", "P") or len(vertices) != 4 or len(sides) != 1:
        raise UnsupportedError("exact validity is known for the square box before one step only; use step_scene()")
    if tuple(ground.tangent) != ((1.0, 0.0), (0.0, 1.0), (1.0, 0.0)):
        raise UnsupportedError("exact validity needs a level floor and an upright riser; use step_scene()")
    foot = (Fraction(ground.base[1][0]), Fraction(ground.base[1][1]))
    return ExactScene(2 * sides.pop(), Fraction(ground.high[1]), radius, foot)


def realisable_count(scene: StepScene | ExactScene, disk_may_touch_environment: bool = True) -> tuple[int, int]:
    """Return the bracket of ``realisable_formations`` without its lists: at no quarter turn, one witness or refutation for each placement and feature.

    The other three quarter turns rename the box's features, and only the box that touches nothing is its own image.

    Args:
        scene: the scene.
        disk_may_touch_environment: as in ``realisable_formations``.
    Returns:
        The least and the greatest number of valid formations.
    Raises:
        InputError, UnsupportedError: as ``realisable_formations``.
    """
    return _bracket(exact_scene(scene), boolean("disk_may_touch_environment", disk_may_touch_environment))


@lru_cache(maxsize=32)
def _bracket(exact: ExactScene, touch: bool) -> tuple[int, int]:
    low = high = 0
    for placement in PLACEMENTS:
        weight = 1 if placement == "free" else 4
        for role in ("", *corner_roles(0).values()):
            found = next(_poses(placement, role, exact, touch), None) is not None
            low += weight * found
            high += weight * (found or not refutes(placement, role, exact, clear=not touch))
    return low, high


@lru_cache(maxsize=32)
def _decide(scene: ExactScene, touch: bool) -> Realisable:
    witnesses: dict[int, ExactPose] = {}
    refuted: dict[int, Reason] = {}
    undecided: list[int] = []
    home = ExactScene(scene.side, scene.height, scene.radius)
    best = {(placement, role): _best(placement, role, home, touch) for placement in PLACEMENTS for role in ("", *corner_roles(0).values())}
    for step in product(range(-1, 8), repeat=4):
        box = tuple(8 * pair + f for pair, f in enumerate(step, 1) if f >= 0)
        first = formation_code(frozenset(box))
        clash = next((Reason(kind, (i, j)) for i in box for j in box if i < j and (kind := box_reason(i, j))), None)
        placed = None if clash else placement_of(frozenset(box))
        if placed is None:
            undecided += [] if clash else range(first, first + 9)
            refuted.update({code: clash for code in range(first, first + 9) if clash})
            continue
        roles = corner_roles(placed[1])
        for code, f in enumerate(("", *FEATURES), first):
            role = roles.get(f, "")
            pose = _turned(best[placed[0], role], placed[1], scene)
            if pose is not None and examine(pose, scene).code == code:
                witnesses[code] = pose
            elif refutes(placed[0], role, scene, clear=not touch):
                refuted[code] = Reason("clearance", (FEATURES.index(f),), placed[0], role)
            else:
                undecided.append(code)
    return Realisable(tuple(sorted(witnesses)), witnesses, refuted, tuple(sorted(undecided)), scene, touch)


def _best(placement: str, role: str, scene: ExactScene, touch: bool) -> ExactPose | None:
    tried = islice(_poses(placement, role, scene, touch), _TRIES)
    return max(tried, key=lambda pose: _margin(pose, scene), default=None)


def _turned(pose: ExactPose | None, quarter: int, scene: ExactScene) -> ExactPose | None:
    if pose is None:
        return None
    c, s = pose.cos, pose.sin
    for _ in range(quarter):
        c, s = s, -c
    return ExactPose(pose.x, pose.z, c, s, pose.disk_x, pose.disk_z).moved(*scene.origin)


def _poses(placement: str, role: str, scene: ExactScene, touch: bool) -> Iterator[ExactPose]:
    feature = next((name for name, r in corner_roles(0).items() if r == role), None)
    half = scene.side / 2
    wanted = placement_templates(placement) | ({FEATURES.index(feature)} if feature else set())
    for box in candidates(placement, scene):
        c, s = box.cos, box.sin
        x, z = box.corner[0] + (c - s) * half, box.corner[1] + (c + s) * half
        for _ in range(box.turned):
            c, s = -s, c
        apart = ExactPose(x, z, c, -s, Fraction(0), Fraction(0))
        for centre in disk_places(apart, feature, scene, clear=not touch):
            pose = ExactPose(x, z, c, -s, *centre)
            state = examine(pose, scene)
            if state.admissible and state.contacts == wanted:
                yield pose


def _margin(pose: ExactPose, scene: ExactScene) -> float:
    found = clearance(pose, scene)
    return min(found.distance, found.overlap / 4, float(scene.side) * found.angle / 4)
