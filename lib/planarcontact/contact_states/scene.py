"""The planar scene: a convex box, a fixed polygonal environment and a disk that pushes the box."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..validation import boolean, finite_array, finite_number, positive
from .checks import LARGEST, LEAST, collection, instance_of
from .environment import Environment
from .polygon import ConvexPolygon

__all__ = ["Scene", "checked_scene", "polygon_scene", "step_scene"]

SIDE = 0.125  # m, the document's box
STEP_NAMES = {
    ("-z", "L"): "g", ("v+-", "L"): "gv", ("+x", "S"): "s", ("+x", "vS"): "sv",
    ("+x", "P"): "t", ("-x", "M"): "mx", ("-z", "M"): "mz",
}  # fmt: skip
STEP_DECLARED = (("g", "t"), ("gv", "s"), ("g", "sv"), ("g", "mz"))


@dataclass(frozen=True)
class Scene:
    """What can touch what. Build it with `step_scene` or `polygon_scene`.

    Attributes:
        body: the box B, a `ConvexPolygon` in its own frame (m).
        environment: the fixed body E, in the world frame (m).
        radius: the disk's radius (m).
        overlap_min: the least projected overlap of two edges in contact (m); the document's a/16.
        disk_environment: whether the catalog also holds the disk against the environment.
        short_names: pairs ((box feature, other), name) for templates that have a name of their own.
        declared: pairs of short names that the stand-in validity excludes.
    """

    body: ConvexPolygon
    environment: Environment
    radius: float
    overlap_min: float
    disk_environment: bool = False
    short_names: tuple[tuple[tuple[str, str], str], ...] = field(default=(), repr=False)
    declared: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        instance_of("body", self.body, ConvexPolygon, "use ConvexPolygon.from_vertices")
        instance_of("environment", self.environment, Environment, "use Environment.from_chain or from_polygons")
        for name in ("radius", "overlap_min"):
            object.__setattr__(self, name, _length(name, getattr(self, name)))
        object.__setattr__(self, "disk_environment", boolean("disk_environment", self.disk_environment))
        names = tuple(_pairs("short_names", self.short_names))
        known = {(feature, other) for feature in self.body.feature_names for other in self.others}
        for key, name in names:
            if not isinstance(key, tuple) or key not in known:
                raise InputError("short_names", key, "is no template of this scene", "see catalog(scene)")
            if not isinstance(name, str) or not name:
                raise InputError("short_names", name, "is not a name")
        given = [name for _, name in names]
        taken = {f"({feature},{other})" for feature, other in known - {key for key, _ in names}}
        if len(set(given)) < len(given) or len({key for key, _ in names}) < len(names) or taken & set(given):
            raise InputError("short_names", given, "names two templates alike", "give each template one name of its own")
        declared = tuple(_pairs("declared", self.declared))
        for name in (n for pair in declared for n in pair):
            if name not in given:
                raise InputError("declared", name, "is not among the short names")
        object.__setattr__(self, "short_names", names)
        object.__setattr__(self, "declared", declared)

    @property
    def others(self) -> tuple[str, ...]:
        """Names of what the box can touch, in catalog order: the disk M, then E's edges and convex vertices."""
        return ("M", *self.environment.feature_names)

    @property
    def shortest_edge(self) -> float:
        """Length of the shortest edge that can lie on another edge, m (the document's L_e)."""
        bounded = [h - w for w, h in zip(self.environment.low, self.environment.high) if np.isfinite(h - w)]
        return float(min([*self.body.lengths, *bounded]))

    def tilt_limit(self, eps_on: float) -> float:
        """Return theta_e = arcsin(eps_on / L_e), rad, the tilt up to which two edges count as parallel."""
        ratio = positive("eps_on", eps_on) / self.shortest_edge
        if ratio >= 1.0:
            raise InputError("eps_on", eps_on, f"is not shorter than the shortest edge, {self.shortest_edge:g} m")
        return float(np.arcsin(ratio))

    def moved(self, x: float, z: float, angle: float = 0.0) -> "Scene":
        """Return the scene with E turned clockwise about the world origin by `angle` (rad), then shifted (m)."""
        x, z, angle = finite_number("x", x), finite_number("z", z), finite_number("angle", angle)
        return replace(self, environment=self.environment.moved(x, z, angle))


def step_scene(
    origin: ArrayLike = (0.0, 0.0),
    *,
    side: float = SIDE,
    height: float | None = None,
    radius: float | None = None,
    disk_environment: bool = False,
) -> Scene:
    """Return the document's scene: a square box, a step and a disk.

    E is the floor L = {z = 0, x <= 0}, the riser S = {x = 0, 0 <= z <= h}, the platform P = {z = h, x >= 0} and
    the step corner vS, with x and z measured from `origin`.

    Args:
        origin: (2,), m, where the floor meets the riser.
        side: a, m.
        height: h, m; a/4 if left out.
        radius: r, m; a/8 if left out.
        disk_environment: True for the catalog of 44, with the disk against L, S, P and vS.

    Returns:
        The `Scene`.

    Raises:
        InputError: a length that is not positive, an origin that is not finite.

    Source: document 2, "The scene".
    """
    x, z = finite_array("origin", origin, (2,))
    a = _length("side", side)
    h = a / 4 if height is None else _length("height", height)
    r = a / 8 if radius is None else _length("radius", radius)
    chain = [(x - a, z), (x, z), (x, z + h), (x + a, z + h)]
    ground = Environment.from_chain(chain, edge_names=("L", "S", "P"), vertex_names=("vS",))
    # axis-parallel by definition: differences of a far origin would tilt the edges by rounding
    ground = replace(
        ground, tangent=((1.0, 0.0), (0.0, 1.0), (1.0, 0.0)), high=(0.0, h, np.inf)
    )
    names = tuple(STEP_NAMES.items())
    return Scene(ConvexPolygon.box(a, a), ground, r, a / 16, disk_environment, names, STEP_DECLARED)


def polygon_scene(
    body: ArrayLike | ConvexPolygon,
    environment: Environment | Sequence[ArrayLike],
    radius: float,
    *,
    overlap_min: float | None = None,
    disk_environment: bool = False,
    short_names: Mapping[tuple[str, str], str] | None = None,
) -> Scene:
    """Return a scene with any convex body, any polygonal environment and a disk.

    Args:
        body: (n, 2), m, the moving polygon's corners in its own frame (any start, either way round).
        environment: an `Environment`, or a sequence of solid polygons, each (n, 2), m, world frame.
        radius: the disk's radius, m.
        overlap_min: m; a sixteenth of the shortest edge if left out.
        disk_environment: whether the catalog holds the disk against the environment.
        short_names: names for chosen (box feature, other) pairs.

    Returns:
        The `Scene`.

    Raises:
        InputError: a degenerate polygon, a body that is not convex, outlines of the environment that cross or overlap, a
            length that is not positive, short names that are no templates or not distinct.
    """
    shape = body if isinstance(body, ConvexPolygon) else ConvexPolygon.from_vertices(body)
    ground = environment if isinstance(environment, Environment) else Environment.from_polygons(environment)
    names = {} if short_names is None else instance_of("short_names", short_names, Mapping, "map (feature, other) to a name")
    scene = Scene(shape, ground, radius, LARGEST, disk_environment, tuple(names.items()))
    return replace(scene, overlap_min=scene.shortest_edge / 16 if overlap_min is None else overlap_min)


def checked_scene(scene: Scene) -> Scene:
    """Return the scene, or raise `InputError` if it is none."""
    return instance_of("scene", scene, Scene, "use step_scene() or polygon_scene()")


def _length(name: str, value: float) -> float:
    length = positive(name, value)
    if not LEAST <= length <= LARGEST:
        raise InputError(name, length, f"m is not between {LEAST:g} and {LARGEST:g} m")
    return length


def _pairs(name: str, value: object) -> list[tuple]:
    pairs = [item if isinstance(item, tuple) else tuple(collection(name, item)) for item in collection(name, value)]
    if any(len(pair) != 2 for pair in pairs):
        raise InputError(name, value, "holds something that is no pair")
    return pairs
