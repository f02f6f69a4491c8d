"""Triangle meshes of limit surfaces: vertices exactly on the surface, facets filled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from ..errors import InputError

if TYPE_CHECKING:
    from .ideal import IdealSurface

__all__ = ["SurfaceMesh", "mesh_surface", "spread_directions"]

Array = NDArray[np.float64]

_RING = 48  # points per ring
_RING_ANGLES = np.geomspace(1e-5, 0.12, 12)  # distance of the rings from a facet's normal [rad]
_DISC_RADII = np.linspace(0.0, 1.0, 7)[1:]


@dataclass(frozen=True)
class SurfaceMesh:
    """Triangles that approximate a limit surface.

    Attributes:
        vertices: (M, 3) loads on the surface [N, N, N m].
        triangles: (K, 3) indices of vertices, counter-clockwise seen from outside.
        facet: (M,) index of the facet that the vertex lies in, -1 elsewhere.
        length: characteristic length of the primed space [m].
    """

    vertices: Array
    triangles: NDArray[np.int64]
    facet: NDArray[np.int64]
    length: float

    @property
    def primed(self) -> Array:
        """(M, 3) vertices in the primed space, moments divided by the length [N]."""
        return self.vertices / [1.0, 1.0, self.length]

    @property
    def area(self) -> float:
        """Area in the primed space [N2]."""
        a, b, c = (self.primed[self.triangles[:, k]] for k in range(3))
        return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)

    @property
    def volume(self) -> float:
        """Volume inside, in the primed space [N3]."""
        a, b, c = (self.primed[self.triangles[:, k]] for k in range(3))
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


def spread_directions(n: int) -> Array:
    """Directions spread evenly over the sphere, with each also its opposite.

    Args:
        n: number of directions, at least 2; an odd number is rounded up.

    Returns:
        (n, 3) unit vectors [-].
    """
    half = (n + 1) // 2
    k = np.arange(half) + 0.5
    z = k / half
    angle = np.pi * (1.0 + np.sqrt(5.0)) * k
    ring = np.sqrt(1.0 - z * z)
    upper = np.column_stack([ring * np.cos(angle), ring * np.sin(angle), z])
    return np.vstack([upper, -upper])


def mesh_surface(surface: IdealSurface, n: int) -> SurfaceMesh:
    """Mesh a limit surface from well-spread twists, rings of twists around the facets' normals, and the facets.

    The surface is star-shaped about the origin, so the hull of the vertices' directions connects them all, those in
    the middle of a facet included; the vertices themselves are evaluated, never interpolated.

    Args:
        surface: an ideal limit surface.
        n: number of well-spread twists, at least 20.

    Returns:
        The mesh.

    Raises:
        InputError: too few twists, or a surface without volume.
    """
    if isinstance(n, (bool, np.bool_)) or not isinstance(n, (int, np.integer)) or not 20 <= n <= 10_000_000:
        raise InputError("n", n, "is not a number of twists for a mesh", "use an integer of at least 20")
    if surface.flat:
        raise InputError("surface", surface, "has no volume", "use two or more supports apart from each other")
    scale = np.array([1.0, 1.0, surface.length])
    facets = surface.facets() if len(surface.facets()) <= 64 else ()
    normals = [f.twist * scale / np.linalg.norm(f.twist * scale) for f in facets]

    spread = spread_directions(n)
    if normals:
        nearest = (spread @ np.array(normals).T).max(axis=1)
        spread = spread[nearest < np.cos(_RING_ANGLES[-1])]
    twists = np.vstack([spread, *(_rings(normal) for normal in normals)])
    vertices = [surface.load(twists / scale)]
    facet = [np.full(len(twists), -1)]
    circle = 2.0 * np.pi * np.arange(_RING) / _RING
    for index, flat in enumerate(facets):
        discs = [flat.centre[None]] + [
            flat.centre + r * (np.cos(circle)[:, None] * flat.axes[0] + np.sin(circle)[:, None] * flat.axes[1])
            for r in _DISC_RADII
        ]
        vertices += discs
        facet.append(np.full(1 + _RING * len(_DISC_RADII), index))
    loads = np.vstack(vertices)
    primed = loads / scale
    directions = primed / np.linalg.norm(primed, axis=1, keepdims=True)
    try:
        triangles = _oriented(ConvexHull(directions).simplices, directions)
    except QhullError as error:
        raise InputError("length", surface.length, "makes the surface all but flat", "pass a length like the support's size") from error
    return SurfaceMesh(loads, triangles, np.concatenate(facet), surface.length)


def _rings(normal: Array) -> Array:
    """Unit twists on circles around a facet's normal: their loads close in on the facet's edge."""
    helper = np.eye(3)[np.argmin(np.abs(normal))]
    first = np.cross(normal, helper)
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    around = 2.0 * np.pi * np.arange(_RING) / _RING
    circle = np.cos(around)[:, None] * first + np.sin(around)[:, None] * second
    return np.vstack([np.cos(a) * normal + np.sin(a) * circle for a in _RING_ANGLES])


def _oriented(triangles: NDArray[np.int32], points: Array) -> NDArray[np.int64]:
    faces = triangles.astype(np.int64)
    a, b, c = (points[faces[:, k]] for k in range(3))
    inward = np.einsum("ij,ij->i", a, np.cross(b, c)) < 0.0
    faces[inward] = faces[inward][:, ::-1]
    return faces
