"""The oracle: principal contacts, admissibility and clearance of one exact pose, in rational or quadratic arithmetic.

It shares no code with the recognizer: the scene's numbers, the features and the order of the templates are stated anew in `exact_scene`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import atan2, hypot, inf

from ..errors import InputError
from .exact_geometry import Piece, Point, area_inside, meet
from .exact_scene import CORNERS, ENDS, FEATURES, OTHERS, ExactPose, ExactScene, formation_code
from .quadratic import Exact

__all__ = ["Clearance", "ExactState", "clearance", "examine", "environment_clearance", "nearest_feature"]


@dataclass(frozen=True)
class ExactState:
    """What the oracle says about a pose.

    Attributes: ``overlaps``, the pairs of bodies whose interiors meet; ``contacts``, the indices of the principal contacts;
    ``disk_touches_environment``; ``code``, the formation's number, None where two contacts share a pair (only under overlap).
    """

    overlaps: tuple[str, ...]
    contacts: frozenset[int]
    disk_touches_environment: bool
    code: int | None

    @property
    def admissible(self) -> bool:
        """True where no interiors meet."""
        return not self.overlaps


@dataclass(frozen=True)
class Clearance:
    """How far an exact pose is from the poses where another template would touch or stop touching.

    Each entry names a template by its index. Every template of the 40 is in one of the first three lists, or is a boundary of a
    principal contact (a face's end, the end of an edge of the environment at vS) and needs no margin of its own.

    Attributes:
        apart: (template, distance in m) where the closed features do not meet.
        crossing: (template, angle in rad between the two lines in [0, pi/2], projected overlap in m), for two edges that meet without
            being a principal contact: they meet in one point, an end of one of them.
        overlaps: (template, length in m of the common segment), for two edges in principal contact.
        foot: (template, length in m) for the disk's principal contact: on a face, how far the touching point is from the nearer end;
            at a vertex, how far the centre projects beyond the nearer adjoining face, zero on the border to contact with that face.
    """

    apart: tuple[tuple[int, float], ...]
    crossing: tuple[tuple[int, float, float], ...]
    overlaps: tuple[tuple[int, float], ...]
    foot: tuple[tuple[int, float], ...]

    @property
    def distance(self) -> float:
        """The least distance of features that do not touch, m."""
        return min((d for _, d in self.apart), default=inf)

    @property
    def angle(self) -> float:
        """The least angle of two edges that touch without a principal contact, rad."""
        return min((angle for _, angle, _ in self.crossing), default=inf)

    @property
    def overlap(self) -> float:
        """The least length of an edge-on-edge contact, m."""
        return min((length for _, length in self.overlaps), default=inf)


def examine(pose: ExactPose, scene: ExactScene = ExactScene()) -> ExactState:
    """Decide admissibility and the exact set of principal contacts of a pose.

    A pair of closed features that meet is principal if they meet in a point that is not an end of either which is itself a vertex
    feature, and if they are not the boundary of another such pair (document 2, "Principal contacts", after Xiao and Ji).

    Args:
        pose: the exact pose, world frame.
        scene: the exact scene.
    Returns:
        The state.
    """
    pose = pose.moved(-scene.origin[0], -scene.origin[1])
    corners = box_corners(pose, scene)
    h, r = scene.height, scene.radius
    overlaps = []
    polygon = [corners[name] for name in CORNERS]
    if area_inside(polygon, [(1, Fraction(0), -1)]) > 0 or area_inside(polygon, [(0, Fraction(0), 1), (1, h, -1)]) > 0:
        overlaps.append("box and environment")
    feature, square = nearest_feature(pose, scene)
    if square < r * r:
        overlaps.append("disk and box")
    reach = environment_clearance(pose.disk_x, pose.disk_z, scene)
    if reach < 0:
        overlaps.append("disk and environment")
    contacts = {8 * pair + f for f, pair in _box_contacts(corners, scene)}
    if square == r * r:
        contacts.add(FEATURES.index(feature))
    found = frozenset(contacts)
    alone = len({index // 8 for index in found}) == len(found)
    return ExactState(tuple(overlaps), found, reach == 0, formation_code(found) if alone else None)


def clearance(pose: ExactPose, scene: ExactScene = ExactScene()) -> Clearance:
    """Measure how far an exact pose is "well away from degenerate" (document 2, "Correctness"), in full.

    What touches is decided exactly; the lengths and angles are then floats of exact coordinates.

    Args:
        pose: an admissible exact pose, world frame.
        scene: the exact scene.
    Returns:
        The distances, angles and overlaps.
    Raises:
        InputError: the pose is not admissible.
    """
    state = examine(pose, scene)
    if not state.admissible:
        raise InputError("pose", pose.floats().tolist(), f"overlaps: {', '.join(state.overlaps)}")
    pose = pose.moved(-scene.origin[0], -scene.origin[1])
    corners = box_corners(pose, scene)
    centre, r = (float(pose.disk_x), float(pose.disk_z)), float(scene.radius)
    near, square = nearest_feature(pose, scene)
    touched = ({near} | set(_faces_at(near))) if square == scene.radius * scene.radius else set()
    apart = [(i, dist - r) for i, f in enumerate(FEATURES) if f not in touched for dist in [_distance(centre, *_floats(f, corners))]]
    crossing, overlaps = [], []
    for (pair, other), (i, feature) in product(enumerate(OTHERS[1:], 1), enumerate(FEATURES)):
        start, end = feature_ends(feature, corners)
        common, index, piece = meet(start, end, scene.piece(other)), 8 * pair + i, scene.piece(other)
        ends = _floats(feature, corners)
        stops = [float(stop) for stop in (piece.low, piece.high) if stop is not None]
        points = [(stop, float(piece.level)) if piece.axis == 0 else (float(piece.level), stop) for stop in stops]
        if not common:
            gaps = [_distance(point, *ends) for point in points] + [_piece_distance(point, piece) for point in ends]
            apart.append((index, min(gaps)))
        elif feature[0] != "v" and other != "vS":
            if index in state.contacts:
                overlaps.append((index, hypot(*(float(a - b) for a, b in zip(*common)))))
            else:
                run = [abs(b - a) for a, b in zip(*ends)]
                span = sorted(point[piece.axis] for point in ends)
                low = max(span[0], -inf if piece.low is None else float(piece.low))
                high = min(span[1], inf if piece.high is None else float(piece.high))
                crossing.append((index, atan2(run[1 - piece.axis], run[piece.axis]), max(high - low, 0.0)))
    return Clearance(tuple(apart), tuple(crossing), tuple(overlaps), _foot(pose, scene, near if touched else ""))


def box_corners(pose: ExactPose, scene: ExactScene) -> dict[str, Point]:
    """Return the box's vertices by name, pose and corners in one frame, m."""
    half = scene.side / 2
    return {name: pose.to_world(half if name[1] == "+" else -half, half if name[2] == "+" else -half) for name in CORNERS}


def feature_ends(feature: str, corners: dict[str, Point]) -> tuple[Point, Point]:
    """Return the end points of a box feature, equal for a vertex, m."""
    first, last = ENDS.get(feature, (feature, feature))
    return corners[first], corners[last]


def nearest_feature(pose: ExactPose, scene: ExactScene) -> tuple[str, Exact]:
    """Return the box feature nearest to the disk's centre and the squared distance of the two, m^2, zero inside the box."""
    half = scene.side / 2
    u, w = pose.to_box(pose.disk_x, pose.disk_z)
    du, dw = abs_exact(u) - half, abs_exact(w) - half
    side = ("+" if u > 0 else "-", "+" if w > 0 else "-")
    if du >= 0 and dw >= 0:
        return "v" + side[0] + side[1], du * du + dw * dw
    if du < 0 and dw < 0:
        return (side[0] + "x" if du > dw else side[1] + "z"), Fraction(0)
    return (side[0] + "x", du * du) if du >= 0 else (side[1] + "z", dw * dw)


def environment_clearance(x: Exact, z: Exact, scene: ExactScene) -> Exact:
    """Return a number with the sign of (distance of the disk's centre from the environment) - radius.

    Over the floor it is z - r, beside the riser -x - r, over the platform z - h - r, m; at the step corner the difference of squares, m^2.
    """
    r, up = scene.radius, z - scene.height
    if x >= 0:
        beside = up - r
    elif up <= 0:
        beside = -x - r
    else:
        beside = x * x + up * up - r * r
    return min(z - r, beside)


def abs_exact(number: Exact) -> Exact:
    """Return the absolute value of an exact number."""
    return -number if number < 0 else number


def _box_contacts(corners: dict[str, Point], scene: ExactScene) -> list[tuple[int, int]]:
    h = scene.height
    touching: dict[tuple[str, str], tuple[Point, ...]] = {}
    for feature, other in product(FEATURES, OTHERS[1:]):
        start, end = feature_ends(feature, corners)
        common = meet(start, end, scene.piece(other))
        if len(common) == 1:
            (point,) = common
            if feature[0] != "v" and point in (start, end) or other in ("S", "P") and point == (0, h):
                continue
        if common:
            touching[feature, other] = common
    return [(FEATURES.index(f), OTHERS.index(e)) for f, e in touching if not any(_bounds((f, e), pair) for pair in touching)]


def _bounds(low: tuple[str, str], high: tuple[str, str]) -> bool:
    on_feature = low[0] == high[0] or low[0] in ENDS.get(high[0], ())
    on_other = low[1] == high[1] or (low[1] == "vS" and high[1] in ("S", "P"))
    return low != high and on_feature and on_other


def _faces_at(vertex: str) -> list[str]:
    return [face for face, ends in ENDS.items() if vertex in ends]


def _floats(feature: str, corners: dict[str, Point]) -> tuple[tuple[float, float], tuple[float, float]]:
    start, end = feature_ends(feature, corners)
    return (float(start[0]), float(start[1])), (float(end[0]), float(end[1]))


def _distance(point: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    run = (end[0] - start[0], end[1] - start[1])
    to = (point[0] - start[0], point[1] - start[1])
    square = run[0] ** 2 + run[1] ** 2
    part = min(max((to[0] * run[0] + to[1] * run[1]) / square, 0.0), 1.0) if square else 0.0
    return hypot(to[0] - part * run[0], to[1] - part * run[1])


def _piece_distance(point: tuple[float, float], piece: Piece) -> float:
    along = point[piece.axis]
    below = 0.0 if piece.low is None else float(piece.low) - along
    above = 0.0 if piece.high is None else along - float(piece.high)
    return hypot(max(below, above, 0.0), point[1 - piece.axis] - float(piece.level))


def _foot(pose: ExactPose, scene: ExactScene, feature: str) -> tuple[tuple[int, float], ...]:
    if not feature:
        return ()
    u, w = (abs(float(c)) - float(scene.side / 2) for c in pose.to_box(pose.disk_x, pose.disk_z))
    length = min(u, w) if feature[0] == "v" else -min(u, w)
    return ((FEATURES.index(feature), length),)
