"""Gaps of all templates: signed height in a feature's slab, distance to its end outside (document 2, rule 1)."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError, UnsupportedError
from ..validation import nonnegative
from .geometry import Placed, Slab, Tables, local_poses, place, tables
from .options import Options
from .scene import Scene, checked_scene

__all__ = ["gaps", "jax_gaps", "placed_gaps"]


def gaps(poses: ArrayLike, scene: Scene, *, eps_pen: float = Options.eps_pen) -> NDArray[np.float64]:
    """Return the gap of every template at every pose.

    The gap of a point and an edge is the signed height over the edge within the edge's slab, negative when sunk, and
    the distance to the nearer end outside; slabs are open at convex vertices, and for sunk points they reach `eps_pen`
    beyond a concave junction, where the other edge's body is. A vertex sunk at a convex corner belongs to the edge it is
    sunk across the least. Two edges have the least gap over the points of the box's face; two vertices their distance; the disk
    the gap of its centre less its radius. A disk centred inside the box is sunk for the box's vertices too: their gap
    is then the centre's depth, so no vertex seems to touch a disk that lies in the box.

    Args:
        poses: (N, 5): box x z (m), theta (rad, clockwise), disk x z (m).
        scene: from `step_scene` or `polygon_scene`.
        eps_pen: reach of a slab beyond a concave junction for sunk points, m.

    Returns:
        (N, T), m, in catalog order.

    Raises:
        InputError: see `recognize`.

    Source: document 2, "The recognizer", rule 1.
    """
    eps_pen = nonnegative("eps_pen", eps_pen)
    table = tables(checked_scene(scene))
    local = local_poses(poses, scene, Options.eps_on)
    return placed_gaps(np, place(np, local, table), table, eps_pen, scene.disk_environment)


def jax_gaps(scene: Scene, *, eps_pen: float = Options.eps_pen) -> Callable[[Any], Any]:
    """Return a JAX function from one pose (5,) to the gaps (T,), with finite gradients everywhere.

    Args:
        scene: from `step_scene` or `polygon_scene`.
        eps_pen: reach of a slab beyond a concave junction for sunk points, m.

    Returns:
        A function for `jax.jit`, `jax.grad`, `jax.vmap`; m, m/m and m/rad. It raises `UnsupportedError` where the
        pose is not float64, because float32 does not resolve a millimetre far from the origin, and `InputError` where it
        is no pose.
    """
    import jax.numpy as jnp

    eps_pen = nonnegative("eps_pen", eps_pen)
    table = tables(checked_scene(scene))
    anchor = np.array([table.anchor[0], table.anchor[1], 0.0, table.anchor[0], table.anchor[1]])

    def all_gaps(pose: Any) -> Any:
        try:
            pose = jnp.asarray(pose)
        except Exception as error:  # JAX raises what the object's own methods raise
            raise InputError("pose", pose, "is not an array of real numbers") from error
        if pose.shape[-1:] != (5,):
            raise InputError("pose", pose.shape, "has this shape where (5,) is needed")
        if pose.dtype != jnp.float64:
            raise UnsupportedError(f"pose is {pose.dtype}: enable x64 in JAX and pass float64")
        return placed_gaps(jnp, place(jnp, pose - anchor, table), table, eps_pen, scene.disk_environment)

    return all_gaps


def norm(xp: ModuleType, x: Any, y: Any) -> Any:
    """Length of (x, y), with gradient 0 where it is 0."""
    square = x * x + y * y
    positive = square > 0.0
    return xp.where(positive, xp.sqrt(xp.where(positive, square, 1.0)), 0.0)


def point_edge(xp: ModuleType, s: Any, y: Any, slab: Slab, elsewhere: tuple[Any, Any] = (False, False)) -> Any:
    """Gap of points at (s, y) in an edge's frame: y in its slab, else the distance to the nearer end.

    `elsewhere`: whether a sunk point belongs to the edge beyond the low, the high end (see `sunk_elsewhere`).
    """
    before, after = (s <= slab.low) | elsewhere[0], (s >= slab.high) | elsewhere[1]
    outside = (before | after) & ~_sunk_beyond(s, y, slab)
    nearer_low = before & (~after | (s - slab.low_end < slab.high_end - s))
    end = xp.where(nearer_low, slab.low_end, slab.high_end)
    return xp.where(outside, norm(xp, xp.where(outside, s - end, 1.0), xp.where(outside, y, 0.0)), y)


def sunk_elsewhere(y: Any, before: NDArray[np.int64], after: NDArray[np.int64], axis: int) -> tuple[Any, Any]:
    """Whether points sunk below an edge are nearer to the surface across the edge beyond its low, its high convex end.

    `axis` of the heights y runs over the edges. Such a point is sunk into the body across that other edge: a corner
    a little below the platform is no contact with the riser.
    """
    at = (Ellipsis, before, slice(None)) if axis == -2 else (Ellipsis, before)
    beyond = (Ellipsis, after, slice(None)) if axis == -2 else (Ellipsis, after)
    return (y < 0.0) & (y[at] > y), (y < 0.0) & (y[beyond] > y)


def _sunk_beyond(s: Any, y: Any, slab: Slab) -> Any:
    """Whether points lie below an edge's line and beyond its concave end, by no more than the slab's reach."""
    return (y <= 0.0) & (((s <= slab.low) & (s > slab.low - slab.low_reach)) | ((s >= slab.high) & (s < slab.high + slab.high_reach)))


def face_edge(xp: ModuleType, s: Any, y: Any, length: Any, slab: Slab) -> tuple[Any, Any]:
    """Least gap between an edge and the segment of known length from (s[0], y[0]) to (s[1], y[1]) in its frame.

    Returns the gap, and the least height of the part of the segment within the slab (inf if there is none).
    """
    height = xp.inf
    for k in (0, 1):
        inside = ((s[k] > slab.low) & (s[k] < slab.high)) | _sunk_beyond(s[k], y[k], slab)
        height = xp.minimum(height, xp.where(inside, y[k], xp.inf))
    gap = xp.minimum(*(point_edge(xp, s[k], y[k], slab) for k in (0, 1)))
    run, rise = s[1] - s[0], y[1] - y[0]
    for limit, end, reach, side in (
        (slab.low, slab.low_end, slab.low_reach, -1.0),
        (slab.high, slab.high_end, slab.high_reach, 1.0),
    ):
        for border, sunk_only in ((limit, False), (limit + side * reach, True)):
            crosses = ((s[0] - border) * side >= 0.0) != ((s[1] - border) * side >= 0.0)
            there = y[0] + rise * (xp.where(crosses, border, 0.0) - s[0]) / xp.where(crosses, run, 1.0)
            counts = crosses & (there <= 0.0) if sunk_only else crosses
            height = xp.where(counts, xp.minimum(height, there), height)
        # the end's foot on the segment, if it lies within the segment and beyond the slab
        foot = (end - s[0]) * run - y[0] * rise
        beyond = (foot > 0.0) & (foot < length * length) & (foot * run * side >= (limit - s[0]) * side * (length * length))
        distance = xp.abs(((end - s[0]) * rise + y[0] * run) / length)
        gap = xp.where(beyond, xp.minimum(gap, distance), gap)
    return xp.minimum(gap, height), height


def face_frames(xp: ModuleType, placed: Placed, points: Any) -> tuple[Any, Any]:
    """Coordinates of points (..., m, 2) along and above every face, (..., m, f)."""
    offset = points[..., :, None, :] - placed.face_start[..., None, :, :]
    along = xp.sum(offset * placed.face_tangent[..., None, :, :], axis=-1)
    above = xp.sum(offset * placed.face_normal[..., None, :, :], axis=-1)
    return along, above


def placed_gaps(xp: ModuleType, placed: Placed, table: Tables, eps_pen: float, disk_environment: bool) -> Any:
    """Gaps (..., T) of placed features."""
    lead = placed.corners.shape[:-2]
    whole, slab = table.face_slabs(), table.edge_slabs(eps_pen)

    def to_vertices(points: Any) -> Any:
        d = points[..., :, None, :] - placed.corners[..., None, :, :]
        return norm(xp, d[..., 0], d[..., 1])

    blocks = []
    centre = placed.disk[..., None, :]
    along, above = face_frames(xp, placed, centre)
    deepest = xp.max(above, axis=-1, keepdims=True)
    vertex = xp.where(deepest < 0.0, deepest, to_vertices(centre))
    blocks.append(xp.concatenate((point_edge(xp, along, above, whole), vertex), axis=-1) - table.radius)

    start, end = table.faces[:, 0], table.faces[:, 1]
    s = (placed.along[..., start], placed.along[..., end])
    y = (placed.above[..., start], placed.above[..., end])
    faces = face_edge(xp, s, y, table.face_lengths, slab[:, None])[0]
    elsewhere = sunk_elsewhere(placed.above, table.before, table.after, -2)
    corners = point_edge(xp, placed.along, placed.above, slab[:, None], elsewhere)
    blocks.append(xp.concatenate((faces, corners), axis=-1))

    points = xp.broadcast_to(xp.asarray(table.points), (*lead, *table.points.shape))
    along, above = face_frames(xp, placed, points)
    elsewhere = sunk_elsewhere(above, table.face_before, table.face_after, -1)
    blocks.append(xp.concatenate((point_edge(xp, along, above, whole, elsewhere), to_vertices(points)), axis=-1))

    flat = [block.reshape((*lead, -1)) for block in blocks]
    if disk_environment:
        flat.append(disk_gaps(xp, placed, table, slab))
    return xp.concatenate(flat, axis=-1)


def disk_gaps(xp: ModuleType, placed: Placed, table: Tables, slab: Slab) -> Any:
    """Gaps (..., e + m) of the disk and E's edges and convex vertices."""
    offset = placed.disk[..., None, :] - table.base
    s = xp.sum(offset * table.tangents, axis=-1)
    y = xp.sum(offset * table.normals, axis=-1)
    edges = point_edge(xp, s, y, slab)
    d = placed.disk[..., None, :] - table.points
    deepest = xp.maximum(y[..., table.point_edges[:, 0]], y[..., table.point_edges[:, 1]])
    points = xp.where(deepest < 0.0, deepest, norm(xp, d[..., 0], d[..., 1]))
    return xp.concatenate((edges, points), axis=-1) - table.radius


def face_tilts(xp: ModuleType, theta: Any, scene: Scene) -> Any:
    """Angles (..., f, e) in rad by which each face, at box angles theta (...,), is turned from lying on each edge of E.

    Computed by arctan2, which has a finite value and gradient for equal and for opposite directions.
    """
    table = tables(scene)
    cos, sin = xp.cos(theta)[..., None], xp.sin(theta)[..., None]
    x = cos * table.face_normals[:, 0] + sin * table.face_normals[:, 1]
    z = cos * table.face_normals[:, 1] - sin * table.face_normals[:, 0]
    onto = -table.normals
    across = x[..., None] * onto[:, 1] - z[..., None] * onto[:, 0]
    return xp.arctan2(across, x[..., None] * onto[:, 0] + z[..., None] * onto[:, 1])
