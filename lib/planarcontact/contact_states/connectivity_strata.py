"""The poses of one realisable formation in coordinates of its own: where the box is placed, and where on it the disk touches.

Corners A to D, sides AB to DA and the angle phi are those of ``realisable_box``. The box's coordinates, by placement:

    free (x, z of the centre, phi); floor (x of A); floor-corner (x of A, phi); riser (z of A); riser-corner (sin phi, z of B);
    platform (x of A); platform-corner (x of A, phi); edge (phi, distance of vS from A); edge-corner (phi); floor+riser (phi);
    floor+edge (phi); floor+edge-corner and nook have none.

The disk's: the fraction t along a side, the angle psi from the first border of a corner's normal cone, or its centre where it touches nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import finite_array
from .exact_scene import FEATURES, ExactScene, formation_templates
from .realisable_box import corner_roles, placement_of

__all__ = ["SIDES", "Stratum", "no_overlap", "stratum"]

SIDES = ("AB", "BC", "CD", "DA")
_CORNERS = "ABCD"
_BOX = {"free": 3, "floor": 1, "floor-corner": 2, "riser": 1, "riser-corner": 2, "platform": 1, "platform-corner": 2, "edge": 2, "edge-corner": 1,
        "floor+riser": 1, "floor+edge-corner": 0, "floor+edge": 1, "nook": 0}  # fmt: skip
_REACH = 0.3  # m, the window of sampled box positions


@dataclass(frozen=True)
class Stratum:
    """The poses that realise one formation, as an open or half-open set of coordinates.

    Attributes: ``code``; ``placement`` and ``quarter``, of the box; ``role``, the side or corner that the disk touches, or an empty string;
    ``side``, ``height``, ``radius``, m.
    """

    code: int
    placement: str
    quarter: int
    role: str
    side: float
    height: float
    radius: float

    @property
    def box_size(self) -> int:
        """The number of the box's coordinates."""
        return _BOX[self.placement]

    @property
    def size(self) -> int:
        """The dimension of the set of poses."""
        return self.box_size + (2 if self.role == "" else 1)

    def frame(self, u: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the corner A (n, 2), m, and phi (n,), rad, at coordinates u (n, size)."""
        a, h, place, zero = self.side, self.height, self.placement, np.zeros(len(u))
        first = u[:, 0] if self.box_size else zero
        if place == "free":
            c, s = np.cos(u[:, 2]), np.sin(u[:, 2])
            return u[:, :2] - a / 2 * np.stack([c - s, c + s], 1), u[:, 2]
        if place == "floor":
            return np.stack([first, zero], 1), zero
        if place == "floor-corner":
            return np.stack([first, zero], 1), u[:, 1]
        if place == "riser":
            return np.stack([zero - a, first], 1), zero
        if place == "riser-corner":
            return np.stack([-a * np.sqrt(1 - first**2), u[:, 1] - a * first], 1), np.arcsin(first)
        if place == "platform":
            return np.stack([first, zero + h], 1), zero
        if place == "platform-corner":
            return np.stack([first, zero + h], 1), u[:, 1]
        if place == "edge":
            return np.stack([-u[:, 1] * np.cos(first), h - u[:, 1] * np.sin(first)], 1), first
        if place == "edge-corner":
            return np.stack([zero, zero + h], 1), first
        if place == "floor+riser":
            return np.stack([-a * np.cos(first), zero], 1), first
        if place == "floor+edge":
            return np.stack([-h / np.tan(first), zero], 1), first
        if place == "nook":
            return np.stack([zero - a, zero], 1), zero
        return np.stack([zero - np.sqrt(a * a - h * h), zero], 1), zero + np.arcsin(h / a)

    def poses(self, u: ArrayLike) -> NDArray[np.float64]:
        """Return the poses (n, 5), m and rad, at coordinates u (n, size)."""
        u = finite_array("u", u, (None, self.size))
        corner, phi = self.frame(u)
        a, c, s = self.side, np.cos(phi), np.sin(phi)
        centre = corner + a / 2 * np.stack([c - s, c + s], 1)
        along = {"AB": (c, s), "BC": (-s, c), "CD": (-c, -s), "DA": (s, -c)}
        if self.role == "":
            disk = u[:, -2:]
        else:
            start, point = self.role[0], corner
            for side in SIDES[: _CORNERS.index(start)]:
                point = point + a * np.stack(along[side], 1)
            if self.role in SIDES:
                x, z = along[self.role]
                disk = point + a * u[:, -1:] * np.stack([x, z], 1) + self.radius * np.stack([z, -x], 1)
            else:
                beta = phi + u[:, -1] + np.pi * (_CORNERS.index(start) / 2 - 1)
                disk = point + self.radius * np.stack([np.cos(beta), np.sin(beta)], 1)
        turn = phi + self.quarter * np.pi / 2
        return np.column_stack([centre, np.arctan2(-np.sin(turn), np.cos(turn)), disk])

    def inside(self, u: ArrayLike) -> NDArray[np.bool_]:
        """Return whether coordinates (n, size) lie in the open domain of the formation, overlap of the bodies aside."""
        u = finite_array("u", u, (None, self.size))
        a, h, place = self.side, self.height, self.placement
        first, second = (u[:, 0] if self.box_size else 0.0), (u[:, 1] if self.size > 1 else 0.0)
        tilted = lambda phi: (phi > 0) & (phi < np.pi / 2)  # noqa: E731
        lean = np.arcsin(h / a)
        with np.errstate(divide="ignore", invalid="ignore"):
            rule: dict[str, Callable[[], NDArray[np.bool_]]] = {
                "floor": lambda: first < -a,
                "floor-corner": lambda: tilted(second) & (first < -np.minimum(a * np.cos(second), h / np.tan(second))),
                "riser": lambda: (first > 0) & (first < h),
                "riser-corner": lambda: (first > 0) & (second > a * first) & (second < h),
                "platform": lambda: first > -a,
                "platform-corner": lambda: tilted(second) & (first > 0),
                "edge": lambda: tilted(first) & (second > 0) & (second < np.minimum(a, h / np.sin(first))),
                "edge-corner": lambda: (first > 0) & (first < np.pi / 2 + lean),
                "floor+riser": lambda: (first > 0) & (first < lean),
                "floor+edge": lambda: (first > lean) & (first < np.pi / 2),
            }
            ok = rule[place]() if place in rule else np.ones(len(u), bool)
        if self.role in SIDES:
            return ok & (u[:, -1] > 0) & (u[:, -1] < 1)
        return ok & (u[:, -1] >= 0) & (u[:, -1] <= np.pi / 2) if self.role else ok

    def holds(self, u: ArrayLike) -> NDArray[np.bool_]:
        """Return whether coordinates (n, size) give admissible poses of the formation, to rounding."""
        poses, clear = self.poses(u), self.inside(u)
        box_clear, disk_clear, gap = no_overlap(poses, self)
        ok = clear & (box_clear > -1e-12) & (disk_clear > -1e-12)
        ok &= (gap > 0) if self.role == "" else (np.abs(gap) < 1e-12)
        return ok & (box_clear > 0) if self.placement == "free" else ok

    def sample(self, rng: np.random.Generator, count: int) -> NDArray[np.float64]:
        """Draw coordinates (count, size) uniformly from the formation's set within a window, by rejection.

        The window holds box positions within 0.3 m, and the disk's centre within 2 r of the box's bounding circle where it touches nothing.
        """
        found, drawn = np.empty((0, self.size)), 0
        while len(found) < count:
            u = self._draw(rng, 4096)
            found = np.concatenate([found, u[self.holds(u)]])
            drawn += 4096
            if drawn > 4096 * 4096:
                raise InputError("count", count, f"poses of formation {self.code} were not found", "its window holds too few")
        return found[:count]

    def _draw(self, rng: np.random.Generator, n: int) -> NDArray[np.float64]:
        a, h, turn = self.side, self.height, np.pi / 2
        lean = np.arcsin(h / a)
        span = {
            "free": [(-_REACH, _REACH), (0, _REACH), (0, turn)], "floor": [(-_REACH, -a)], "floor-corner": [(-_REACH, 0), (0, turn)],
            "riser": [(0, h)], "riser-corner": [(0, h / a), (0, h)], "platform": [(-a, _REACH)], "platform-corner": [(0, _REACH), (0, turn)],
            "edge": [(0, turn), (0, a)], "edge-corner": [(0, turn + lean)], "floor+riser": [(0, lean)], "floor+edge": [(lean, turn)],
        }.get(self.placement, [])  # fmt: skip
        columns = [rng.uniform(low, high, n) for low, high in span]
        if self.placement == "free":
            columns[2] = rng.uniform(0, 2 * np.pi, n)
        if self.role:
            columns.append(rng.uniform(0, 1 if self.role in SIDES else turn, n))
            return np.stack(columns, 1)
        corner, phi = self.frame(np.stack([*columns, np.zeros(n), np.zeros(n)], 1))
        c, s = np.cos(phi), np.sin(phi)
        out = a / 2**0.5 + 3 * self.radius
        return np.column_stack([*columns, corner + a / 2 * np.stack([c - s, c + s], 1) + rng.uniform(-out, out, (n, 2))])


def stratum(code: int, scene: ExactScene = ExactScene()) -> Stratum:
    """Return the set of poses of a realisable formation.

    Args:
        code: the formation's number.
        scene: the exact scene; poses are relative to its origin.
    Returns:
        The stratum.
    Raises:
        InputError: no placement of the box realises the formation.
    """
    templates = formation_templates(code)
    placed = placement_of(frozenset(i for i in templates if i >= 8))
    if placed is None:
        raise InputError("code", code, "is realised by no placement of the box")
    roles = corner_roles(placed[1])
    role = next((roles[FEATURES[i]] for i in templates if i < 8), "")
    return Stratum(code, *placed, role, float(scene.side), float(scene.height), float(scene.radius))


def no_overlap(poses: NDArray[np.float64], shape: Stratum) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return how far the bodies are apart at poses (n, 5): box from environment (a lower bound with the right sign), disk from environment, disk from box, m."""
    a, h, r = shape.side, shape.height, shape.radius
    c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * a / 2
    x = poses[:, :1] + np.outer(c, signs[:, 0]) + np.outer(s, signs[:, 1])
    z = poses[:, 1:2] - np.outer(s, signs[:, 0]) + np.outer(c, signs[:, 1])
    to = np.stack([-poses[:, 0], h - poses[:, 1]], 1)
    local = np.stack([c * to[:, 0] - s * to[:, 1], s * to[:, 0] + c * to[:, 1]], 1)
    # vS is beyond a face whose outward normal has no part towards the inside of the step
    normals = [(c, -s), (-c, s), (s, c), (-s, -c)]
    beyond = [local[:, 0], -local[:, 0], local[:, 1], -local[:, 1]]
    gaps = [np.where((nx >= -1e-15) & (nz <= 1e-15), out - a / 2, -np.inf) for (nx, nz), out in zip(normals, beyond)]
    step = np.max([-x.max(1), z.min(1) - h, *gaps], axis=0)
    box = np.minimum(z.min(1), step)
    mx, mz = poses[:, 3], poses[:, 4]
    corner = np.hypot(np.minimum(mx, 0), np.maximum(mz - h, 0))
    beside = np.where(mx >= 0, mz - h, np.where(mz <= h, -mx, corner))
    dx, dz = mx - poses[:, 0], mz - poses[:, 1]
    u, w = np.abs(c * dx - s * dz) - a / 2, np.abs(s * dx + c * dz) - a / 2
    apart = np.hypot(np.maximum(u, 0), np.maximum(w, 0)) + np.minimum(np.maximum(u, w), 0)
    return box, np.minimum(mz, beside) - r, apart - r
