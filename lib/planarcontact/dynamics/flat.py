"""Bodies that stand flat on their support: the patch that touches, and whether an ECP lies in its hull."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from ..errors import UnsupportedError
from .geometry import TOUCH, rotations
from .scene import Scene

__all__ = ["FlatPatch", "standing_flat"]


@dataclass(frozen=True, eq=False)
class FlatPatch:
    """The hull of what touches while a body stands flat: its straight edges, and its circles.

    Args:
        height: distance of the COM from the support [m].
        axes: (2, 3) the contact frame's t and o at the start, in the body frame [-].
        normals: (k, 2) outward unit normals of the hull's straight edges, along `axes` [-].
        supports: (k,) distances of these edges from the COM's projection [m].
        centres: (c, 2) centres of the circles that touch, along `axes` [m]; none if all that touches are points.
        radii: (c,) their radii, 0 for a point [m].
        slack: how far outside the hull an ECP may lie by rounding [m].
    """

    height: float
    axes: NDArray[np.float64]
    normals: NDArray[np.float64]
    supports: NDArray[np.float64]
    centres: NDArray[np.float64]
    radii: NDArray[np.float64]
    slack: float

    def margin(self, arms: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far (m,) [m] points (m, 3) lie inside the hull, negative outside.

        The points are given relative to the COM in the body frame [m]; a point is inside if the hull's support
        function exceeds its own along every edge normal and along the ray from every circle's centre through it.
        """
        points = arms @ self.axes.T
        depth = np.min(self.supports - points @ self.normals.T, axis=1, initial=np.inf)
        for centre in self.centres[self.radii > 0.0]:
            ray = points - centre
            length = np.linalg.norm(ray, axis=1, keepdims=True)
            ray = np.divide(ray, length, out=np.tile([1.0, 0.0], (len(ray), 1)), where=length > 0.0)
            reach = np.max(ray @ self.centres.T + self.radii, axis=1)
            depth = np.minimum(depth, reach - np.sum(ray * points, axis=1))
        return depth


def standing_flat(scene: Scene, *, method: str) -> FlatPatch:
    """Return the patch of a body that starts flat on its support, without lifting or tilting speed.

    Raises:
        UnsupportedError: nothing, or only a point or a line, touches at the start; or the body lifts or tilts.
    """
    body, frame = scene.body, scene.support.frame
    n, slack = frame[0], TOUCH * body.bounding_radius
    rotation = rotations(scene.orientation[None])[0]
    height = float(scene.support.height(scene.position))
    axes = frame @ rotation  # rows n, t, o in the body frame
    flat = [d for d in body.discs if np.linalg.norm(np.cross(d.axis, axes[0])) * d.radius <= slack]
    tilted = [d for d in body.discs if d not in flat]
    rims = [d.centre - d.radius * _towards(axes[0], d.axis) for d in tilted]
    points = [*body.vertices, *rims, *(s.centre - s.radius * axes[0] for s in body.spheres)]
    circles = np.array([[*d.centre, d.radius] for d in flat] + [[*p, 0.0] for p in points])
    heights = height + circles[:, :3] @ axes[0]
    circles = circles[np.abs(heights) <= slack]
    hull = _straight_edges(circles[:, :3] @ axes[1:].T, circles[:, 3], slack) if heights.min() >= -slack else None
    if hull is None:
        raise UnsupportedError(f"method={method!r}: the body does not stand flat on its support at the start; use method='hull'")
    speed = 1e-9 * scene.velocity_scale
    spin = scene.velocity[3:] - (scene.velocity[3:] @ n) * n
    with np.errstate(over="ignore"):
        tilting = np.linalg.norm(spin) * body.bounding_radius > speed
    if abs(scene.velocity[:3] @ n) > speed or tilting:
        raise UnsupportedError(f"method={method!r}: the body lifts, falls or tilts at the start; use method='hull'")
    circles = circles if (circles[:, 3] > 0.0).any() else circles[:0]
    return FlatPatch(height, axes[1:], *hull, circles[:, :3] @ axes[1:].T, circles[:, 3], slack)


def _towards(normal: NDArray[np.float64], axis: NDArray[np.float64]) -> NDArray[np.float64]:
    """The direction of steepest ascent in the plane of a tilted disc."""
    slope = normal - (normal @ axis) * axis
    return slope / np.linalg.norm(slope)


def _straight_edges(
    points: NDArray[np.float64], radii: NDArray[np.float64], slack: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Outward normals and supports of the edges of the hull of circles; None if the hull has no area."""
    corners = points[radii == 0.0]
    try:
        hull = ConvexHull(corners)
    except (QhullError, ValueError, IndexError):  # too few corners, or all on one line
        if not (radii > 0.0).any():
            return None
    else:
        if not (radii > 0.0).any():
            return hull.equations[:, :2], -hull.equations[:, 2]
        corners = corners[hull.vertices]
    points = np.concatenate([points[radii > 0.0], corners])
    radii = np.concatenate([radii[radii > 0.0], np.zeros(len(corners))])
    normals, supports = np.empty((0, 2)), np.empty(0)
    for i in range(len(points)):
        for j in range(len(points)):
            gap = points[j] - points[i]
            length = np.hypot(*gap)
            sine = (radii[i] - radii[j]) / length if length > 0.0 else 1.0
            if abs(sine) >= 1.0:
                continue
            along = gap / length
            normal = sine * along + np.sqrt(1.0 - sine * sine) * np.array([along[1], -along[0]])
            support = points[i] @ normal + radii[i]
            if np.all(points @ normal + radii <= support + slack):
                normals, supports = np.vstack([normals, normal]), np.append(supports, support)
    return normals, supports
