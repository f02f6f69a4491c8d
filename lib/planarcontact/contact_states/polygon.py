"""A convex polygon in its own frame: the faces and vertices that can make contact."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import finite_array, positive
from .checks import LARGEST, LEAST, distinct_names, sized, whole_number
from .crossings import meeting, ring_sides

__all__ = ["ConvexPolygon", "oriented"]

_STRAIGHT = 1e-9  # sine of a turn below which a listed vertex is a seam of one straight edge


def oriented(name: str, vertices: ArrayLike) -> NDArray[np.float64]:
    """Return a polygon's vertices counter-clockwise, seams removed, starting from the smallest x (then z).

    Args:
        name: the argument's name, for messages.
        vertices: (n, 2), m, in order around the polygon, either way round, from any start.

    Returns:
        (k, 2), m, with k <= n.

    Raises:
        InputError: fewer than 3 corners remain, an edge is shorter than a nanometre, the outline turns back on itself,
            crosses or touches itself, or lies farther than 1e9 m from the origin.
    """
    points = sized(name, finite_array(name, vertices, (None, 2)))
    if len(points) < 3:
        raise InputError(name, len(points), "vertices do not make a polygon", "pass at least 3")
    if (np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1) < LEAST).any():
        raise InputError(name, points.tolist(), "has two equal neighbouring vertices", "list each vertex once")
    turns = _turns(points)
    straight = np.abs(np.sin(turns)) <= _STRAIGHT
    if (straight & (np.cos(turns) < 0.0)).any() and np.linalg.matrix_rank(points - points[0]) > 1:
        raise InputError(name, points[straight & (np.cos(turns) < 0.0)][0].tolist(), "is where the outline turns back on itself")
    points = points[~straight]
    if len(points) < 3:
        raise InputError(name, len(points), "corners remain, so the polygon has no area")
    crossed = meeting(ring_sides(points), closed=True)
    if crossed is not None:
        ends = points[list(crossed)].tolist()
        raise InputError(name, ends, "start two sides that cross or touch", "list the corners of a simple polygon in order")
    x, z = (points - points.mean(axis=0)).T
    if np.dot(x, np.roll(z, -1)) - np.dot(z, np.roll(x, -1)) < 0.0:
        points = points[::-1]
    return np.roll(points, -int(np.lexsort((points[:, 1], points[:, 0]))[0]), axis=0)


def _turns(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The turn at each vertex, rad, positive to the left."""
    into = points - np.roll(points, 1, axis=0)
    out = np.roll(into, -1, axis=0)
    return np.arctan2(into[:, 0] * out[:, 1] - into[:, 1] * out[:, 0], np.sum(into * out, axis=1))


@dataclass(frozen=True)
class ConvexPolygon:
    """A convex body: named vertices, and faces given by their two end vertices.

    Args:
        vertices: (n, 2), m, body frame.
        faces: for each face the indices of its start and end vertex, counter-clockwise.
        face_names: one name a face.
        vertex_names: one name a vertex.
    """

    vertices: tuple[tuple[float, float], ...]
    faces: tuple[tuple[int, int], ...]
    face_names: tuple[str, ...]
    vertex_names: tuple[str, ...]

    def __post_init__(self) -> None:
        corners = sized("vertices", finite_array("vertices", self.vertices, (None, 2)))
        n = len(corners)
        try:
            faces = tuple((whole_number("faces", a, 0), whole_number("faces", b, 0)) for a, b in self.faces)
        except (TypeError, ValueError) as error:
            raise error if isinstance(error, InputError) else InputError("faces", self.faces, "are no pairs of vertices") from error
        if n < 3 or sorted(a for a, _ in faces) != list(range(n)) or sorted(b for _, b in faces) != list(range(n)):
            raise InputError("faces", faces, f"do not lead once around {n} vertices, at least 3")
        object.__setattr__(self, "vertices", tuple(map(tuple, corners.tolist())))
        object.__setattr__(self, "faces", faces)
        object.__setattr__(self, "face_names", distinct_names("face_names", self.face_names, n))
        object.__setattr__(self, "vertex_names", distinct_names("vertex_names", self.vertex_names, n))
        if set(self.face_names) & set(self.vertex_names):
            raise InputError("vertex_names", self.vertex_names, "are names of faces too")
        order = [faces[0][0]]
        following = dict(faces)
        while len(order) < n:
            order.append(following[order[-1]])
        turns = _turns(corners[order])
        if len(set(order)) < n or (self.lengths < LEAST).any() or (turns <= 0.0).any() or turns.sum() > 3 * np.pi:
            raise InputError("vertices", corners.tolist(), "is no convex polygon with faces counter-clockwise", "use from_vertices")

    @classmethod
    def box(cls, side_x: float, side_z: float) -> "ConvexPolygon":
        """Return a rectangle centred on its frame, with the document's feature names and order; sides in m."""
        sides = [positive(name, side) for name, side in (("side_x", side_x), ("side_z", side_z))]
        for name, side in zip(("side_x", "side_z"), sides):
            if not LEAST <= side <= LARGEST:
                raise InputError(name, side, f"m is not between {LEAST:g} and {LARGEST:g} m")
        x, z = sides[0] / 2, sides[1] / 2
        return cls(
            ((x, z), (x, -z), (-x, z), (-x, -z)),
            ((1, 0), (2, 3), (0, 2), (3, 1)),
            ("+x", "-x", "+z", "-z"),
            ("v++", "v+-", "v-+", "v--"),
        )

    @classmethod
    def from_vertices(cls, vertices: ArrayLike) -> "ConvexPolygon":
        """Return the polygon with these corners: faces e0, e1, ... and vertices v0, v1, ... counter-clockwise.

        A rectangle centred on the frame and aligned with it gets the names of `box`. The listing's start and
        direction do not matter.

        Args:
            vertices: (n, 2), m, body frame.

        Raises:
            InputError: the polygon is not convex, or is degenerate.
        """
        points = oriented("vertices", vertices)
        turns = _turns(points)
        if (turns < 0.0).any():
            corner = points[int(np.argmin(turns))]
            raise InputError("vertices", corner.tolist(), "is a concave corner", "pass a convex polygon")
        x, z = np.abs(points).T
        if len(points) == 4 and np.ptp(x) <= 1e-12 * x.max() and np.ptp(z) <= 1e-12 * z.max():
            return cls.box(2 * float(x[0]), 2 * float(z[0]))
        n = len(points)
        return cls(
            tuple((float(a), float(b)) for a, b in points),
            tuple((k, (k + 1) % n) for k in range(n)),
            tuple(f"e{k}" for k in range(n)),
            tuple(f"v{k}" for k in range(n)),
        )

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features in catalog order: faces, then vertices."""
        return self.face_names + self.vertex_names

    @cached_property
    def corners(self) -> NDArray[np.float64]:
        """The vertices, (n, 2), m, body frame."""
        return np.array(self.vertices)

    @cached_property
    def face_index(self) -> NDArray[np.int64]:
        """Start and end vertex of each face, (n, 2)."""
        return np.array(self.faces)

    @cached_property
    def lengths(self) -> NDArray[np.float64]:
        """Lengths of the faces, (n,), m."""
        start, end = self.corners[self.face_index[:, 0]], self.corners[self.face_index[:, 1]]
        return np.linalg.norm(end - start, axis=1)

    @cached_property
    def tangents(self) -> NDArray[np.float64]:
        """Unit tangents of the faces from start to end, (n, 2), body frame."""
        start, end = self.corners[self.face_index[:, 0]], self.corners[self.face_index[:, 1]]
        return (end - start) / self.lengths[:, None]

    @cached_property
    def normals(self) -> NDArray[np.float64]:
        """Outward unit normals of the faces, (n, 2), body frame."""
        return np.stack((self.tangents[:, 1], -self.tangents[:, 0]), axis=1)

    @cached_property
    def vertex_faces(self) -> NDArray[np.int64]:
        """The face that ends and the face that starts at each vertex, (n, 2)."""
        ends, starts = self.face_index[:, 1], self.face_index[:, 0]
        order = range(len(self.vertices))
        return np.array([(int(np.flatnonzero(ends == v)[0]), int(np.flatnonzero(starts == v)[0])) for v in order])
