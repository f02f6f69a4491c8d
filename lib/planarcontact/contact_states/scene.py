"""The planar scene: a convex box, a fixed polygonal environment and a disk that pushes the box."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..validation import finite_array, finite_number, positive
from .environment import Environment
from .polygon import ConvexPolygon

__all__ = ["Scene", "step_scene", "polygon_scene"]

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
    a = positive("side", side)
    h = a / 4 if height is None else positive("height", height)
    r = a / 8 if radius is None else positive("radius", radius)
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
        InputError: a degenerate polygon, a body that is not convex, a length that is not positive.
    """
    shape = body if isinstance(body, ConvexPolygon) else ConvexPolygon.from_vertices(body)
    ground = environment if isinstance(environment, Environment) else Environment.from_polygons(environment)
    scene = Scene(shape, ground, positive("radius", radius), 1.0, bool(disk_environment), tuple((short_names or {}).items()))
    known = {(feature, other) for feature in shape.feature_names for other in scene.others}
    for key, _ in scene.short_names:
        if key not in known:
            raise InputError("short_names", key, "is no template of this scene", "see catalog(scene)")
    overlap = scene.shortest_edge / 16 if overlap_min is None else positive("overlap_min", overlap_min)
    return replace(scene, overlap_min=overlap)
