"""The fixed body E: edges in order along its boundary, and the convex vertices between them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import finite_array
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
            InputError: repeated points, or a side that is neither.
        """
        chain = finite_array("points", points, (None, 2))
        if solid not in ("right", "left"):
            raise InputError("solid", solid, "is no side", "use 'right' or 'left'")
        if solid == "left":
            chain = chain[::-1]
        if len(chain) < 2 or (np.linalg.norm(np.diff(chain, axis=0), axis=1) == 0.0).any():
            raise InputError("points", chain.tolist(), "does not make a chain", "pass 2 or more different points")
        steps = np.diff(chain, axis=0)
        steps = steps / np.linalg.norm(steps, axis=1, keepdims=True)
        turn = steps[:-1, 0] * steps[1:, 1] - steps[:-1, 1] * steps[1:, 0]
        chain = chain[np.concatenate(([True], np.abs(turn) > _STRAIGHT, [True]))]
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
            InputError: no polygon, or a degenerate one.
        """
        if len(polygons) == 0:
            raise InputError("polygons", [], "is empty", "pass at least one polygon")
        rings = [oriented(f"polygons[{k}]", polygon) for k, polygon in enumerate(polygons)]
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
        made = cls(
            tuple((float(p[0]), float(p[1])) for p in base),
            tuple((float(t[0]), float(t[1])) for t in tangent),
            tuple(map(float, low)),
            tuple(map(float, high)),
            tuple(map(int, following)),
            tuple(edge_names) or tuple(f"E{k}" for k in range(len(edges))),
            (),
        )
        count = len(made.convex)
        made = replace(made, vertex_names=tuple(vertex_names) or tuple(f"V{k}" for k in range(count)))
        for name, names, wanted in (("edge_names", made.edge_names, len(edges)), ("vertex_names", made.vertex_names, count)):
            if len(names) != wanted or len(set(names)) != wanted:
                raise InputError(name, names, f"must be {wanted} different names")
        return made

    def moved(self, x: float, z: float, angle: float = 0.0) -> "Environment":
        """Return the solid turned by `angle` (rad, clockwise positive, about the world origin), then shifted (m)."""
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
