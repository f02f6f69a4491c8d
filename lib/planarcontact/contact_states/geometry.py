"""A scene's numbers as arrays, and a batch of poses in the frames of its features."""

from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import finite_array
from .environment import CONCAVE
from .scene import Scene

__all__ = ["Slab", "Tables", "tables", "local_poses", "Placed", "place"]

RESOLUTION = 1e-3  # of eps_on: the coarsest spacing of floats at which labels still mean something


@dataclass(frozen=True)
class Slab:
    """Where an edge counts: low < s < high in its frame, and beyond a concave end by `reach` where the point is sunk.

    `low`, `high` may be infinite; `low_end`, `high_end` are the ends as finite numbers (0 where there is none, never
    used then); `low_reach`, `high_reach` are 0 but at concave ends. A corner pressed into a concave junction then
    belongs to both of its edges. All m, arrays of one shape.
    """

    low: Any
    high: Any
    low_end: Any
    high_end: Any
    low_reach: Any
    high_reach: Any

    def __getitem__(self, index: Any) -> "Slab":
        return Slab(*(getattr(self, name)[index] for name in ("low", "high", "low_end", "high_end", "low_reach", "high_reach")))


@dataclass(frozen=True)
class Tables:
    """Arrays of a scene, E relative to `anchor`; see `ConvexPolygon` and `Environment` for what they are.

    `before`, `after`: the edge beyond a convex end of each edge of E, the edge itself where there is none;
    `face_before`, `face_after`: the same for the box's faces.
    """

    anchor: NDArray[np.float64]
    corners: NDArray[np.float64]
    faces: NDArray[np.int64]
    face_lengths: NDArray[np.float64]
    face_tangents: NDArray[np.float64]
    face_normals: NDArray[np.float64]
    base: NDArray[np.float64]
    tangents: NDArray[np.float64]
    normals: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    low_concave: NDArray[np.bool_]
    high_concave: NDArray[np.bool_]
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    face_before: NDArray[np.int64]
    face_after: NDArray[np.int64]
    points: NDArray[np.float64]
    point_edges: NDArray[np.int64]
    radius: float

    def edge_slabs(self, eps_pen: float) -> Slab:
        """Return the slabs of E's edges, (e,)."""
        ends = [np.where(np.isfinite(limit), limit, 0.0) for limit in (self.low, self.high)]
        return Slab(self.low, self.high, *ends, eps_pen * self.low_concave, eps_pen * self.high_concave)

    def face_slabs(self) -> Slab:
        """Return the slabs of the box's faces, (f,)."""
        zero = np.zeros(len(self.faces))
        return Slab(zero, self.face_lengths, zero, self.face_lengths, zero, zero)


@lru_cache(maxsize=64)
def tables(scene: Scene) -> Tables:
    """Return a scene's arrays."""
    body, ground = scene.body, scene.environment
    anchor = np.array(ground.base[0])
    low, high = np.array(ground.low), np.array(ground.high)
    return Tables(
        anchor=anchor,
        corners=body.corners,
        faces=body.face_index,
        face_lengths=body.lengths,
        face_tangents=body.tangents,
        face_normals=body.normals,
        base=np.array(ground.base) - anchor,
        tangents=ground.tangents,
        normals=ground.normals,
        low=low,
        high=high,
        low_concave=ground.end_kinds[:, 0] == CONCAVE,
        high_concave=ground.end_kinds[:, 1] == CONCAVE,
        before=_neighbours(len(low), ground.vertex_edges[:, ::-1]),
        after=_neighbours(len(low), ground.vertex_edges),
        face_before=_neighbours(len(body.faces), body.vertex_faces[:, ::-1]),
        face_after=_neighbours(len(body.faces), body.vertex_faces),
        points=ground.vertices - anchor,
        point_edges=ground.vertex_edges,
        radius=scene.radius,
    )


def _neighbours(count: int, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each edge the second of its pair, itself where it is first in none."""
    others = np.arange(count)
    others[pairs[:, 0]] = pairs[:, 1]
    return others


def local_poses(poses: ArrayLike, scene: Scene, eps_on: float) -> NDArray[np.float64]:
    """Return checked poses relative to the scene's anchor, (N, 5), float64.

    Raises:
        InputError: no pose, a wrong shape, an entry that is not finite, or numbers whose type cannot resolve eps_on
            at their size (float32 beyond about 8 m for 1 mm).
    """
    kind = getattr(poses, "dtype", None)
    array = finite_array("poses", poses, (None, 5))
    if len(array) == 0:
        raise InputError("poses", array.shape, "holds no pose", "pass at least one row: box x z, theta, disk x z")
    largest = max(float(array.max()), -float(array.min()))
    stored = np.dtype(kind) if kind is not None and np.dtype(kind).kind == "f" else np.dtype(np.float64)
    spacing = float(np.finfo(stored).eps) * largest
    if spacing > RESOLUTION * eps_on:
        raise InputError(
            "poses", largest, f"of type {stored} is resolved to {spacing:.1e} only, eps_on is {eps_on:g} m",
            "pass float64 (in JAX: enable x64) or coordinates relative to a nearby origin",
        )  # fmt: skip
    anchor = tables(scene).anchor
    return array - np.array([anchor[0], anchor[1], 0.0, anchor[0], anchor[1]])


@dataclass(frozen=True)
class Placed:
    """Features of a batch of poses, world axes relative to the anchor.

    Shapes for leading axes N: corners (N, v, 2), face_start (N, f, 2), face_tangent (N, f, 2), face_normal
    (N, f, 2), disk (N, 2); corner coordinates in the edges' frames along (s) and above (y), (N, e, v).
    """

    corners: Any
    face_start: Any
    face_tangent: Any
    face_normal: Any
    disk: Any
    along: Any
    above: Any


def place(xp: ModuleType, poses: Any, table: Tables) -> Placed:
    """Return the features at local poses (..., 5); `xp` is numpy or jax.numpy."""
    cos, sin = xp.cos(poses[..., 2]), xp.sin(poses[..., 2])

    def turned(vectors: NDArray[np.float64]) -> Any:
        x = cos[..., None] * vectors[:, 0] + sin[..., None] * vectors[:, 1]
        z = cos[..., None] * vectors[:, 1] - sin[..., None] * vectors[:, 0]
        return xp.stack((x, z), axis=-1)

    corners = turned(table.corners) + poses[..., None, 0:2]
    offset = corners[..., None, :, :] - table.base[:, None, :]
    return Placed(
        corners=corners,
        face_start=corners[..., table.faces[:, 0], :],
        face_tangent=turned(table.face_tangents),
        face_normal=turned(table.face_normals),
        disk=poses[..., 3:5],
        along=xp.sum(offset * table.tangents[:, None, :], axis=-1),
        above=xp.sum(offset * table.normals[:, None, :], axis=-1),
    )
