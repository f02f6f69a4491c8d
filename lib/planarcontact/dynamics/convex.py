"""The convex hull of a body as an intersection of convex inequalities f_i <= 0, as the document describes it."""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from ..errors import UnsupportedError
from .body import Body

__all__ = ["Inequalities", "inequalities", "values_and_gradients"]


class Inequalities(NamedTuple):
    """f_i(xi) <= 0 in the body frame, relative to the COM [m]: planes normal.xi - bound (p of them), then for every
    round surface (|P (xi - centre)|^2 - radius^2) / (2 radius), whose gradient has length one on the surface; P removes
    the component along a cylinder's axis, or nothing for a sphere."""

    normals: NDArray[np.float64]
    bounds: NDArray[np.float64]
    centres: NDArray[np.float64]
    projections: NDArray[np.float64]
    radii: NDArray[np.float64]

    @property
    def count(self) -> int:
        """Number of inequalities."""
        return len(self.bounds) + len(self.radii)


def inequalities(body: Body) -> Inequalities:
    """Return the inequalities of a body's convex hull.

    Raises:
        UnsupportedError: the hull is none that a few smooth convex inequalities describe: it must be that of vertices
            (with a volume), of two equal coaxial discs (a cylinder), or of one sphere.
    """
    kinds = (len(body.vertices) > 0, len(body.discs), len(body.spheres))
    none = np.empty((0, 3)), np.empty(0), np.empty((0, 3)), np.empty((0, 3, 3)), np.empty(0)
    if kinds == (True, 0, 0):
        try:
            hull = ConvexHull(body.vertices)
        except (QhullError, ValueError) as error:
            raise UnsupportedError("method='kkt': the hull of the vertices has no volume; use method='hull'") from error
        faces = []
        for face in hull.equations:  # Qhull splits a face into triangles with equal planes
            if not any(np.abs(face - other).max() <= 1e-9 for other in faces):
                faces.append(face)
        planes = np.array(faces)
        return Inequalities(planes[:, :3], -planes[:, 3], *none[2:])
    if kinds == (False, 0, 1):
        ball = body.spheres[0]
        return Inequalities(*none[:2], ball.centre[None], np.eye(3)[None], np.array([ball.radius]))
    if kinds == (False, 2, 0):
        first, second = body.discs
        axis, apart = first.axis, second.centre - first.centre
        along = axis * (axis @ apart)
        close = 1e-9 * body.bounding_radius
        coaxial = np.linalg.norm(apart - along) <= close and np.linalg.norm(np.cross(axis, second.axis)) <= 1e-9
        if coaxial and abs(first.radius - second.radius) <= close and np.linalg.norm(along) > close:
            ends = np.sort([axis @ first.centre, axis @ second.centre])
            return Inequalities(
                np.stack([axis, -axis]), np.array([ends[1], -ends[0]]), first.centre[None],
                (np.eye(3) - np.outer(axis, axis))[None], np.array([first.radius]),
            )  # fmt: skip
    raise UnsupportedError(
        "method='kkt' describes a hull of vertices, of two equal coaxial discs, or of one sphere; use method='hull'"
    )


def values_and_gradients(f: Inequalities, point: Array) -> tuple[Array, Array]:
    """Return f_i (m,) [m] and their gradients (m, 3) at a point (3,) [m] of the body frame."""
    from_axis = jnp.einsum("kij,kj->ki", f.projections, point - f.centres)
    radii = f.radii.reshape(-1)
    round_ = (jnp.sum(from_axis**2, axis=1) - radii**2) / (2 * radii)
    return (
        jnp.concatenate([f.normals @ point - f.bounds, round_]),
        jnp.concatenate([f.normals, from_axis / radii[:, None]]),
    )
