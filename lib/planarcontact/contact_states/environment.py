"""The fixed body E: edges in order along its boundary, and the convex vertices between them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import finite_array, finite_number, one_of
from .checks import LEAST, collection, distinct_names, sized, whole_number
from .crossings import chain_sides, inside, meeting, ring_sides
from .polygon import _STRAIGHT, oriented

__all__ = ["Environment", "OPEN", "CONVEX", "CONCAVE"]

OPEN, CONVEX, CONCAVE = 0, 1, 2  # how an edge ends: it does not, at a convex vertex, at a concave junction


@dataclass(frozen=True)
class Environment:
    """A polygonal solid; free space lies on the left of every edge.

    Build it with `from_chain` or `from_polygons`. Edge k is the set of points `base[k] + s * tangent[k]` with
    `low[k] <= s <= high[k]` (m); `next_edge[k]` is the edge that starts where it ends, or -1.

    Args:
        base, tangent: per edge, world frame, m and unit.
        low, high: per edge, m; infinite where the edge has no end.
        next_edge: per edge, the index of its successor along the boundary, or -1.
        edge_names, vertex_names: names of the edges and of the convex vertices.
    """

    base: tuple[tuple[float, float], ...]
    tangent: tuple[tuple[float, float], ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    next_edge: tuple[int, ...]
    edge_names: tuple[str, ...]
    vertex_names: tuple[str, ...]

    def __post_init__(self) -> None:
        base = sized("base", finite_array("base", self.base, (None, 2)))
        tangent = finite_array("tangent", self.tangent, base.shape)
        count = len(base)
        if count == 0 or (np.abs(np.hypot(*tangent.T) - 1.0) > 1e-9).any():
            raise InputError("tangent", self.tangent, "must be one unit vector for each of at least one edge")
        ends = []
        for name in ("low", "high"):
            values = [float(v) if isinstance(v, (int, float)) and np.isinf(v) else finite_number(name, v) for v in collection(name, getattr(self, name))]
            ends.append(tuple(values))
        if {len(ends[0]), len(ends[1])} != {count} or not all(a <= b and a < np.inf and b > -np.inf for a, b in zip(*ends)):
            raise InputError("low, high", ends, f"must be {count} pairs of ends in ascending order")
        following = tuple(whole_number("next_edge", k, -1) for k in collection("next_edge", self.next_edge))
        named = [k for k in following if k >= 0]
        if len(following) != count or any(k >= count for k in named) or len(set(named)) < len(named):
            raise InputError("next_edge", self.next_edge, f"must lead from {count} edges to different edges, or be -1")
        for name, value in (
            ("base", tuple(map(tuple, base.tolist()))), ("tangent", tuple(map(tuple, tangent.tolist()))), ("low", ends[0]),
            ("high", ends[1]), ("next_edge", following), ("edge_names", distinct_names("edge_names", self.edge_names, count)),
        ):  # fmt: skip
            object.__setattr__(self, name, value)
        object.__setattr__(self, "vertex_names", distinct_names("vertex_names", self.vertex_names, len(self.convex)))
        if set(self.edge_names) & set(self.vertex_names) or "M" in self.feature_names:
            raise InputError("vertex_names", self.vertex_names, "holds the name of an edge or of the disk, M")

    @classmethod
    def from_chain(
        cls, points: ArrayLike, *, solid: str = "right", edge_names: Sequence[str] = (), vertex_names: Sequence[str] = ()
    ) -> "Environment":
        """Return the solid on one side of a chain whose first and last edges are unbounded.

        Args:
            points: (n, 2), m, n >= 2; the first and the last point only give the directions of the two rays.
            solid: "right" or "left" of the direction of travel. Reversing the list and the side changes nothing.
            edge_names, vertex_names: names in order of travel with the solid on the right; E0, E1, ... and V0, V1, ...
                if left out.

        Raises:
            InputError: repeated points, a side that is neither, a chain that turns back on itself, crosses or touches itself
                (its rays included), or lies farther than 1e9 m from the origin.
        """
        chain = sized("points", finite_array("points", points, (None, 2)))
        if one_of("solid", solid, ("right", "left")) == "left":
            chain = chain[::-1]
        if len(chain) < 2 or (np.linalg.norm(np.diff(chain, axis=0), axis=1) < LEAST).any():
            raise InputError("points", chain.tolist(), "does not make a chain", "pass 2 or more different points")
        steps = np.diff(chain, axis=0)
        steps = steps / np.linalg.norm(steps, axis=1, keepdims=True)
        turn = steps[:-1, 0] * steps[1:, 1] - steps[:-1, 1] * steps[1:, 0]
        back = (np.abs(turn) <= _STRAIGHT) & (np.sum(steps[:-1] * steps[1:], axis=1) < 0.0)
        if back.any():
            raise InputError("points", chain[1:-1][back][0].tolist(), "is where the chain turns back on itself")
        chain = chain[np.concatenate(([True], np.abs(turn) > _STRAIGHT, [True]))]
        crossed = meeting(chain_sides(chain)) if len(chain) > 2 else None
        if crossed is not None:
            raise InputError("points", chain[list(crossed)].tolist(), "start two sides that cross or touch", "pass a chain without crossings")
        count = len(chain) - 1
        edges = []
        for k in range(count):
            start, end = chain[k], chain[k + 1]
            length = float(np.linalg.norm(end - start))
            base = end if k == 0 else start  # a ray is measured from its only end
            low = -np.inf if k == 0 else 0.0
            high = np.inf if k == count - 1 else (0.0 if k == 0 else length)
            edges.append((base, (end - start) / length, low, high, k + 1 if k + 1 < count else -1))
        return cls._named(edges, edge_names, vertex_names)

    @classmethod
    def from_polygons(
        cls, polygons: Sequence[ArrayLike], *, edge_names: Sequence[str] = (), vertex_names: Sequence[str] = ()
    ) -> "Environment":
        """Return the solid made of simple polygons that do not touch each other.

        The order of the polygons, and the start and direction of each listing, do not matter.

        Args:
            polygons: each (n, 2), m, world frame.
            edge_names, vertex_names: names in the order of the edges and convex vertices found (each polygon from its
                leftmost corner, solid on the right; polygons by their leftmost corners).

        Raises:
            InputError: no polygon, one that is degenerate or not simple, or two that overlap or touch.
        """
        listed = collection("polygons", polygons)
        if len(listed) == 0:
            raise InputError("polygons", [], "is empty", "pass at least one polygon")
        rings = [oriented(f"polygons[{k}]", polygon) for k, polygon in enumerate(listed)]
        outlines = [ring_sides(ring) for ring in rings]
        for i, k in combinations(range(len(rings)), 2):
            if meeting(outlines[i], outlines[k]) or inside(rings[i][0], rings[k]) or inside(rings[k][0], rings[i]):
                raise InputError(f"polygons[{k}]", rings[k].tolist(), f"overlaps or touches polygons[{i}]", "pass their union")
        rings.sort(key=lambda ring: (ring[0, 0], ring[0, 1]))
        edges: list[tuple] = []
        for ring in rings:
            walk = np.concatenate((ring[:1], ring[:0:-1]))  # clockwise: the solid is on the right
            first, count = len(edges), len(walk)
            for k in range(count):
                step = walk[(k + 1) % count] - walk[k]
                length = float(np.linalg.norm(step))
                edges.append((walk[k], step / length, 0.0, length, first + (k + 1) % count))
        return cls._named(edges, edge_names, vertex_names)

    @classmethod
    def _named(cls, edges: list[tuple], edge_names: Sequence[str], vertex_names: Sequence[str]) -> "Environment":
        base, tangent, low, high, following = zip(*edges)
        names = collection("edge_names", edge_names) or [f"E{k}" for k in range(len(edges))]
        corners = collection("vertex_names", vertex_names)
        if not corners:
            turns = [tangent[k][0] * tangent[n][1] - tangent[k][1] * tangent[n][0] for k, n in enumerate(following) if n >= 0]
            corners = [f"V{k}" for k in range(sum(turn < 0.0 for turn in turns))]
        return cls(base, tangent, low, high, following, tuple(names), tuple(corners))

    def moved(self, x: float, z: float, angle: float = 0.0) -> "Environment":
        """Return the solid turned by `angle` (rad, clockwise positive, about the world origin), then shifted (m)."""
        x, z, angle = finite_number("x", x), finite_number("z", z), finite_number("angle", angle)
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array(((c, s), (-s, c)))
        base = np.array(self.base) @ turn.T + (x, z)
        tangent = np.array(self.tangent) @ turn.T
        return replace(self, base=tuple(map(tuple, base.tolist())), tangent=tuple(map(tuple, tangent.tolist())))

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features in catalog order: edges, then convex vertices."""
        return self.edge_names + self.vertex_names

    @cached_property
    def tangents(self) -> NDArray[np.float64]:
        """Unit tangents of the edges, (n, 2)."""
        return np.array(self.tangent)

    @cached_property
    def normals(self) -> NDArray[np.float64]:
        """Unit normals of the edges into free space, (n, 2)."""
        return np.stack((-self.tangents[:, 1], self.tangents[:, 0]), axis=1)

    @cached_property
    def turn(self) -> NDArray[np.float64]:
        """Signed turn at the end of each edge, (n,), rad, negative at a convex vertex, 0 where the edge has no end."""
        angles = np.zeros(len(self.base))
        for k, n in enumerate(self.next_edge):
            if n >= 0:
                t, u = self.tangents[k], self.tangents[n]
                angles[k] = np.arctan2(t[0] * u[1] - t[1] * u[0], t @ u)
        return angles

    @cached_property
    def convex(self) -> tuple[int, ...]:
        """Edges that end at a convex vertex, in order: vertex k lies at the end of edge `convex[k]`."""
        return tuple(k for k in range(len(self.base)) if self.turn[k] < 0.0)

    @cached_property
    def vertices(self) -> NDArray[np.float64]:
        """The convex vertices, (m, 2), m, world frame."""
        ends = [np.array(self.base[k]) + self.high[k] * self.tangents[k] for k in self.convex]
        return np.array(ends).reshape(-1, 2)

    @cached_property
    def vertex_edges(self) -> NDArray[np.int64]:
        """The edge that ends and the edge that starts at each convex vertex, (m, 2)."""
        return np.array([(k, self.next_edge[k]) for k in self.convex], dtype=np.int64).reshape(-1, 2)

    @cached_property
    def end_kinds(self) -> NDArray[np.int64]:
        """How each edge starts and ends, (n, 2): OPEN, CONVEX or CONCAVE."""
        kinds = np.full((len(self.base), 2), OPEN)
        for k, n in enumerate(self.next_edge):
            if n >= 0:
                kinds[k, 1] = kinds[n, 0] = CONVEX if self.turn[k] < 0.0 else CONCAVE
        return kinds

    @cached_property
    def together(self) -> NDArray[np.bool_]:
        """Which edges bound one convex piece of the solid, (n, n).

        Two edges do when only convex vertices lie between them, every edge on the way lies behind both of their
        lines, and the boundary turns by less than a full circle: then the piece that they bound is convex, and a
        convex body touches it at one place only.
        """
        count = len(self.base)
        shared = np.eye(count, dtype=bool)
        for k in range(count):
            way, total, edge = [k], 0.0, k
            while self.next_edge[edge] >= 0 and self.turn[edge] < 0.0 and self.next_edge[edge] != k:
                total += self.turn[edge]
                edge = self.next_edge[edge]
                way.append(edge)
                if total > -2 * np.pi + _STRAIGHT and self._supports(way):
                    shared[k, edge] = shared[edge, k] = True
        return shared

    def _supports(self, way: list[int]) -> bool:
        """Whether each of these edges lies behind the line of every other."""
        scale = max(abs(b) for k in way for b in (self.low[k], self.high[k]) if np.isfinite(b))
        for k in way:
            for other in way:
                for s in (self.low[other], self.high[other]):
                    far = s if np.isfinite(s) else np.copysign(1e3 * (1.0 + scale), s)
                    point = np.array(self.base[other]) + far * self.tangents[other] - np.array(self.base[k])
                    if point @ self.normals[k] > 1e-9 * (1.0 + abs(far)):
                        return False
        return True
