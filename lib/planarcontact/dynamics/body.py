"""Rigid bodies: mass, inertia, and the generators whose convex hull meets the support."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import FARTHEST, finite_array, positive

__all__ = ["Body", "Disc", "Sphere"]


@dataclass(frozen=True, eq=False)
class Disc:
    """A flat circular disc, in the body frame.

    Args:
        centre: (3,) position relative to the COM [m].
        axis: (3,) direction normal to the disc, of any length but zero [-]; stored with unit length.
        radius: positive radius [m].

    Raises:
        InputError: an entry is not finite, the axis is zero, or the radius is not positive.
    """

    centre: NDArray[np.float64]
    axis: NDArray[np.float64]
    radius: float

    def __init__(self, centre: ArrayLike, axis: ArrayLike, radius: float):
        axis = finite_array("axis", axis, (3,))
        largest = np.abs(axis).max()
        if largest == 0.0:
            raise InputError("axis", axis, "has zero length", "give the direction normal to the disc")
        axis = axis / largest  # so that no square overflows or vanishes
        length = np.linalg.norm(axis)
        object.__setattr__(self, "centre", _frozen(finite_array("centre", centre, (3,), largest=FARTHEST)))
        object.__setattr__(self, "axis", _frozen(axis / length))
        object.__setattr__(self, "radius", positive("radius", radius, largest=FARTHEST))

    @property
    def spokes(self) -> NDArray[np.float64]:
        """Two orthonormal vectors (2, 3) in the disc's plane, body frame [-]."""
        k = int(np.argmin(np.abs(self.axis)))
        first = np.cross(self.axis, np.eye(3)[k])
        first /= np.linalg.norm(first)
        return np.stack([first, np.cross(self.axis, first)])


@dataclass(frozen=True, eq=False)
class Sphere:
    """A ball, in the body frame.

    Args:
        centre: (3,) position relative to the COM [m].
        radius: positive radius [m].

    Raises:
        InputError: an entry is not finite, or the radius is not positive.
    """

    centre: NDArray[np.float64]
    radius: float

    def __init__(self, centre: ArrayLike, radius: float):
        object.__setattr__(self, "centre", _frozen(finite_array("centre", centre, (3,), largest=FARTHEST)))
        object.__setattr__(self, "radius", positive("radius", radius, largest=FARTHEST))


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body, described by what can touch: vertices, discs and spheres.

    Only the convex hull of these generators matters on a flat support, so a body whose contact patch is
    non-convex, or in pieces, needs no decomposition.

    Args:
        mass: positive mass [kg].
        inertia: (3, 3) inertia about the COM in the body frame [kg m2]: symmetric, positive definite, and no
            principal moment larger than the sum of the other two.
        vertices: (n, 3) points relative to the COM, body frame [m].
        discs: `Disc` objects.
        spheres: `Sphere` objects.
        patches: lists of vertex indices, one list per convex patch, for ``method="patches"``.

    Raises:
        InputError: one of these is violated, or the body has no generator at all.

    Source: document 1, Section 3; the inertia is the block of M(q) in Eq. 1.
    """

    mass: float
    inertia: NDArray[np.float64]
    vertices: NDArray[np.float64]
    discs: tuple[Disc, ...]
    spheres: tuple[Sphere, ...]
    patches: tuple[tuple[int, ...], ...] | None

    def __init__(
        self,
        mass: float,
        inertia: ArrayLike,
        vertices: ArrayLike = (),
        discs: Sequence[Disc] = (),
        spheres: Sequence[Sphere] = (),
        patches: Sequence[Sequence[int]] | None = None,
    ):
        put = lambda name, value: object.__setattr__(self, name, value)  # noqa: E731
        put("mass", positive("mass", mass))
        put("inertia", _inertia(inertia))
        points = finite_array("vertices", vertices, largest=FARTHEST)
        points = finite_array("vertices", points.reshape(0, 3) if points.size == 0 else points, (None, 3))
        put("vertices", _frozen(points))
        put("discs", _all_of("discs", discs, Disc))
        put("spheres", _all_of("spheres", spheres, Sphere))
        put("patches", None if patches is None else _patches(patches, len(points)))
        if not (len(points) or self.discs or self.spheres):
            raise InputError("vertices", vertices, "the body has nothing that can touch", "give vertices, discs or spheres")
        if not self.bounding_radius > 0.0:
            raise InputError("vertices", vertices, "all generators lie at the COM", "give the body an extent")

    @classmethod
    def from_mesh(cls, path: str | Path, *, mass: float | None = None, density: float | None = None) -> "Body":
        """Return the body that a closed mesh encloses, filled evenly, with the mesh's axes.

        Only the corners of its convex hull become vertices: nothing else can touch a plane.

        Args:
            path: a mesh file in a format that trimesh reads (STL, OBJ, PLY, ...), in metres.
            mass: mass [kg]; give this or `density`.
            density: density [kg/m3].

        Raises:
            InputError: neither or both of mass and density are given, the file is missing or unreadable, or the mesh
                is not watertight.
            UnsupportedError: trimesh is not installed.
        """
        from .mesh import mesh_solid

        return cls(*mesh_solid(path, mass, density))

    @cached_property
    def bounding_radius(self) -> float:
        """Largest distance of the body's hull from its COM [m]."""
        reach = [0.0, *np.linalg.norm(self.vertices, axis=1)]
        reach += [np.linalg.norm(s.centre) + s.radius for s in self.spheres]
        for disc in self.discs:
            along = float(disc.centre @ disc.axis)
            across = np.linalg.norm(disc.centre - along * disc.axis)
            reach.append(np.hypot(along, across + disc.radius))
        return float(max(reach))


def _frozen(array: NDArray[np.float64]) -> NDArray[np.float64]:
    array = np.array(array)
    array.flags.writeable = False
    return array


def _all_of(name: str, items: Sequence, kind: type) -> tuple:
    try:
        items = tuple(items)
    except TypeError as error:
        raise InputError(name, items, f"is not a sequence of {kind.__name__} objects") from error
    for k, item in enumerate(items):
        if not isinstance(item, kind):
            raise InputError(f"{name}[{k}]", item, f"is not a {kind.__name__}")
    return items


def _inertia(value: ArrayLike) -> NDArray[np.float64]:
    inertia = finite_array("inertia", value, (3, 3))
    scale = np.abs(inertia).max()
    if not np.allclose(inertia, inertia.T, rtol=0.0, atol=1e-9 * scale):
        raise InputError("inertia", value, "is not symmetric")
    inertia = (inertia + inertia.T) / 2
    moments = np.linalg.eigvalsh(inertia)
    if moments[0] <= 0.0:
        raise InputError("inertia", float(moments[0]), "a principal moment must be positive")
    if moments[2] > (moments[0] + moments[1]) * (1 + 1e-9):
        raise InputError(
            "inertia", moments.tolist(), "a principal moment exceeds the sum of the other two: no body has it",
            "check products of inertia and units",
        )  # fmt: skip
    return _frozen(inertia)


def _patches(patches: Sequence[Sequence[int]], count: int) -> tuple[tuple[int, ...], ...]:
    checked = []
    try:
        patches = list(patches)
    except TypeError as error:
        raise InputError("patches", patches, "is not a list of lists of vertex indices") from error
    for k, patch in enumerate(patches):
        try:
            indices = np.asarray(patch)
        except ValueError as error:
            raise InputError(f"patches[{k}]", patch, "is not a list of vertex indices") from error
        if indices.ndim != 1 or indices.size == 0 or indices.dtype.kind not in "iu":
            raise InputError(f"patches[{k}]", patch, "is not a list of vertex indices")
        if indices.min() < 0 or indices.max() >= count:
            raise InputError(f"patches[{k}]", patch, f"holds an index outside 0..{count - 1}")
        checked.append(tuple(int(i) for i in indices))
    if not checked:
        raise InputError("patches", patches, "is empty", "give at least one patch, or None")
    return tuple(checked)
