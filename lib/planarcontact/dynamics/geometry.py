"""Where the generators of a body are at given poses: NumPy, and shared with no solver."""

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .body import Body
from .status import ContactMode
from .support import Plane

__all__ = ["TOUCH", "contact_modes", "contacts", "lowest_height", "rotations", "touching_points"]

TOUCH = 1e-9  # of the bounding radius: generators no higher than this touch


def rotations(orientation: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rotations (n, 3, 3), body to world, of quaternions (n, 4) w x y z."""
    w, u = orientation[:, 0], orientation[:, 1:]
    cross = np.zeros((len(w), 3, 3))
    cross[:, 0, 1], cross[:, 0, 2], cross[:, 1, 2] = -u[:, 2], u[:, 1], -u[:, 0]
    cross -= cross.transpose(0, 2, 1)
    square = (orientation**2).sum(axis=1)
    outer = u[:, :, None] * u[:, None, :]
    diagonal = (w**2 - (u**2).sum(axis=1))[:, None, None] * np.eye(3)
    return (diagonal + 2 * outer + 2 * w[:, None, None] * cross) / square[:, None, None]


def generator_points(
    body: Body, support: Plane, position: NDArray[np.float64], orientation: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points (n, k, 3) [m] whose lowest are the body's lowest, and their heights (n, k) [m].

    A vertex gives itself, a sphere its lowest point, a disc four points of its rim: the lowest, the highest, and the two
    halfway. A disc touches along its whole face exactly if these four touch.
    """
    normal = support.normal
    turn = rotations(orientation)
    columns = [turn[:, None, :, j] for j in range(3)]  # products by columns: einsum takes ten times as long

    def at(points: NDArray[np.float64]) -> NDArray[np.float64]:
        world = columns[0] * points[:, 0:1]
        world += columns[1] * points[:, 1:2]
        world += columns[2] * points[:, 2:3]
        world += position[:, None, :]
        return world

    points = [at(body.vertices)]
    if body.spheres:
        centres = at(np.array([s.centre for s in body.spheres]))
        points.append(centres - np.array([s.radius for s in body.spheres])[None, :, None] * normal)
    for disc in body.discs:
        spokes = turn @ disc.spokes.T  # (n, 3, 2), columns
        slope = np.einsum("nik,i->nk", spokes, normal)
        steepness = np.linalg.norm(slope, axis=1)[:, None]
        share = np.where(steepness > 0.0, -slope / np.where(steepness > 0.0, steepness, 1.0), [1.0, 0.0])
        down = np.einsum("nik,nk->ni", spokes, share)
        across = np.einsum("nik,nk->ni", spokes, share[:, ::-1] * [-1.0, 1.0])
        rim = disc.radius * np.stack([down, across, -across, -down], axis=1)
        points.append(at(disc.centre[None]) + rim)
    points = np.concatenate(points, axis=1)
    return points, points @ normal - support.offset


def lowest_height(
    body: Body, support: Plane, position: NDArray[np.float64], orientation: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the height (n,) [m] of the body's lowest point above the plane, at each of n poses."""
    return generator_points(body, support, position, orientation)[1].min(axis=1)


def touching_points(body: Body, support: Plane, position: NDArray[np.float64], orientation: NDArray[np.float64]):
    """Return, for each of n poses, the points (k, 3) [m] of the generators that touch the plane (k may be 0)."""
    points, heights = generator_points(body, support, position, orientation)
    limit = TOUCH * body.bounding_radius
    return [pts[low <= limit] for pts, low in zip(points, heights)]


def contact_modes(
    body: Body, support: Plane, position: NDArray[np.float64], orientation: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return the `ContactMode` (n,) at each of n poses, as integers."""
    return contacts(body, support, position, orientation)[0]


def contacts(
    body: Body, support: Plane, position: NDArray[np.float64], orientation: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the `ContactMode` (n,) at each of n poses, as integers, and the height (n,) [m] of the body's lowest point."""
    limit = TOUCH * body.bounding_radius
    if not body.discs and not body.spheres:
        # Vertices keep their distances, so one look at each set that touches serves all poses.
        down = np.sum(rotations(orientation) * support.normal[:, None], axis=1)
        heights = (np.sum(position * support.normal, axis=1) - support.offset)[:, None]
        for axis in range(3):
            heights = heights + down[:, axis, None] * body.vertices[:, axis]
        packed = np.packbits(heights <= limit, axis=1)
        sets, which = np.unique(packed, axis=0, return_inverse=True)
        touches = np.unpackbits(sets, axis=1, count=len(body.vertices)).astype(bool)
        points = np.broadcast_to(body.vertices, (len(sets), *body.vertices.shape))
        return _modes(points, touches, limit)[which.reshape(-1)], heights.min(axis=1)
    points, heights = generator_points(body, support, position, orientation)
    return _modes(points, heights <= limit, limit), heights.min(axis=1)


def _modes(points: NDArray[np.float64], touches: NDArray[np.bool_], limit: float) -> NDArray[np.int64]:
    """Return the `ContactMode` (n,) of the points (n, k, 3) [m] that touch (n, k)."""
    count = touches.sum(axis=1)
    first = points[np.arange(len(points)), touches.argmax(axis=1)]
    offsets = np.where(touches[:, :, None], points - first[:, None, :], 0.0)
    lengths = np.linalg.norm(offsets, axis=2)
    far = lengths.argmax(axis=1)
    extent = lengths[np.arange(len(points)), far]
    direction = offsets[np.arange(len(points)), far] / np.where(extent > 0.0, extent, 1.0)[:, None]
    width = np.linalg.norm(np.cross(offsets, direction[:, None, :]), axis=2).max(axis=1)
    mode = np.where(width > limit, ContactMode.SURFACE, np.where(extent > limit, ContactMode.LINE, ContactMode.POINT))
    return np.where(count == 0, ContactMode.APART, mode).astype(np.int64)


def patch_polygons(body: Body) -> list[NDArray[np.float64]]:
    """Return the corners (k, 3) [m] of each of the body's patches in the body frame, in order around the patch.

    Raises:
        InputError: the body has no patches.
    """
    if body.patches is None:
        raise InputError("body.patches", None, "the body has no patches", "give lists of vertex indices")
    polygons = []
    for patch in body.patches:
        points = body.vertices[list(patch)]
        offsets = points - points.mean(axis=0)
        axes = np.linalg.svd(offsets)[2][:2]
        angle = np.arctan2(offsets @ axes[1], offsets @ axes[0])
        polygons.append(points[np.argsort(angle)])
    return polygons
