"""A body from a mesh file: mass and inertia of the enclosed solid, and the corners of its hull as generators."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, UnsupportedError
from ..validation import positive

__all__ = ["MeshSolid", "mesh_solid"]

FLAT = 1e-12  # of the bounding box's volume: a mesh that encloses less is no solid


class MeshSolid:
    """What a mesh says about the solid that it encloses, for unit density.

    volume [m3]; centroid (3,) [m]; second (3, 3): inertia about the centroid [m5]; corners (n, 3): corners of the
    convex hull relative to the centroid [m].
    """

    def __init__(self, triangles: NDArray[np.float64], hull: NDArray[np.float64]):
        origin = triangles.reshape(-1, 3).mean(axis=0)  # near the solid, so that sums do not cancel
        a, b, c = (triangles[:, k] - origin for k in range(3))
        six = np.einsum("ij,ij->i", a, np.cross(b, c))  # six times the signed volume of each cone over a triangle
        self.volume = six.sum() / 6.0
        box = np.ptp(triangles.reshape(-1, 3), axis=0).prod()
        if not self.volume > FLAT * box:
            raise InputError("path", float(self.volume), "is the volume that the mesh encloses: no solid", "orient its faces outwards")
        centroid = six @ (a + b + c) / (24.0 * self.volume)
        # The integral of x x' over a cone with corners 0, a, b, c is six (s s' + a a' + b b' + c c') / 120, s = a + b + c.
        moments = sum(np.einsum("i,ij,ik->jk", six, u, u) for u in (a, b, c, a + b + c)) / 120.0
        moments -= self.volume * np.outer(centroid, centroid)
        self.second = np.trace(moments) * np.eye(3) - moments
        self.centroid = origin + centroid
        self.corners = hull - self.centroid


def mesh_solid(path: str | Path, mass: float | None, density: float | None) -> tuple[float, NDArray, NDArray]:
    """Return mass [kg], inertia about the COM (3, 3) [kg m2] and the hull's corners (n, 3) relative to the COM [m].

    Args:
        path: a mesh file in a format that trimesh reads, in metres.
        mass: mass of the solid [kg], or None.
        density: density of the solid [kg/m3], or None.

    Raises:
        InputError: neither or both of mass and density are given, the file is missing or unreadable, or the mesh is
            not watertight.
        UnsupportedError: trimesh is not installed.
    """
    if (mass is None) == (density is None):
        given = "neither is given" if mass is None else "both are given"
        raise InputError("mass, density", (mass, density), given, "give exactly one of them")
    name, value = ("mass", positive("mass", mass)) if density is None else ("density", positive("density", density))
    mesh = _load(path)
    if not mesh.is_watertight or not mesh.is_winding_consistent:
        raise InputError("path", str(path), "the mesh is not watertight, so it encloses no solid", "close its holes first")
    solid = MeshSolid(np.array(mesh.triangles, dtype=np.float64), _hull(np.array(mesh.vertices, dtype=np.float64), path))
    density = value if name == "density" else value / solid.volume
    return density * solid.volume, density * solid.second, solid.corners


def _load(path: str | Path) -> Any:
    try:
        import trimesh
    except ImportError as error:
        raise UnsupportedError("reading a mesh needs trimesh: pip install planarcontact[mesh]") from error
    try:
        exists = Path(path).is_file()
    except (TypeError, ValueError) as error:
        raise InputError("path", path, "is not a path") from error
    if not exists:
        raise InputError("path", str(path), "there is no such file")
    try:
        mesh = trimesh.load_mesh(str(path))
    except Exception as error:  # readers of many formats, each with its own exceptions
        raise InputError("path", str(path), f"cannot be read as a mesh ({error})") from error
    solid = isinstance(mesh, trimesh.Trimesh) and len(mesh.faces) > 0 and np.shape(mesh.vertices)[1:] == (3,)
    if not solid or not np.isfinite(mesh.vertices).all():
        raise InputError("path", str(path), "holds no mesh of triangles with finite corners in space")
    mesh.merge_vertices()
    return mesh


def _hull(points: NDArray[np.float64], path: str | Path) -> NDArray[np.float64]:
    """The corners of the convex hull, in the order of the file."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return points[np.sort(ConvexHull(points).vertices)]
    except (QhullError, ValueError) as error:
        raise InputError("path", str(path), "the mesh is flat") from error
