"""Overlaps removed by the smallest translation: the box out of the environment, then the disk out of the box.

E is taken as the convex pieces that its edges bound together (`Environment.together`); a box and a convex piece are apart
along the normal of an edge of the piece or of a face of the box, so leaving each overlapped piece is a choice of one
half-plane for the translation, and the shortest vector in the intersection of the chosen half-planes is wanted.
"""

from functools import lru_cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from .geometry import Tables, place, tables
from .options import Options
from .scene import Scene

__all__ = ["depenetrated"]

Floats = NDArray[np.float64]
_ROUNDS = 4  # leaving one piece may enter another; a step needs one round, a narrow slot two
_TIGHT = 1e-12  # m


def depenetrated(local: Floats, scene: Scene, options: Options) -> Floats:
    """Return local poses (N, 5) without overlaps of up to eps_pen.

    A pose in which the box overlaps a piece of E, or the disk the box, by more than eps_pen stays as it is, and so does one
    that leaving its overlaps would bring into a deeper one.
    """
    table, moved = tables(scene), local.copy()
    pieces = _pieces(scene)
    deep = _disk_exit(moved, table)[1] > options.eps_pen
    for _ in range(_ROUNDS):
        ways, depth = _ways(moved, table, pieces)
        deep |= (depth > options.eps_pen).any(axis=1)
        choices = _choices(ways, depth, ~deep, options.eps_pen)
        if not choices:
            break
        for i, sets in choices.items():
            moved[i, :2] += _shortest(sets)
    outwards, depth = _disk_exit(moved, table)
    deep |= depth > options.eps_pen
    moved[deep] = local[deep]
    sunk = (depth > 0.0) & ~deep
    moved[sunk, 3:] += outwards[sunk] * depth[sunk, None]
    return moved


@lru_cache(maxsize=64)
def _pieces(scene: Scene) -> tuple[tuple[int, ...], ...]:
    """Edges of each convex piece: the largest sets that bound one together."""
    together = scene.environment.together
    sets = {tuple(np.flatnonzero(row & together[np.flatnonzero(row)].all(axis=0)).tolist()) for row in together}
    return tuple(s for s in sorted(sets) if s and not any(set(s) < set(other) for other in sets))


def _ways(local: Floats, table: Tables, pieces: tuple[tuple[int, ...], ...]) -> tuple[list[tuple[list[Floats], Floats]], Floats]:
    """For each piece the normals [(N, 2)] along which the box can leave it, how far it must go (N, k), and the least of these (N, pieces)."""
    placed = place(np, local, table)
    ways: list[tuple[list[Floats], Floats]] = []
    for piece in pieces:
        normals, depths = [], []
        for e in piece:
            normals.append(np.broadcast_to(table.normals[e], (len(local), 2)))
            depths.append(-placed.above[:, e].min(axis=1))
        vertices = [v for v, pair in enumerate(table.point_edges) if set(pair.tolist()) <= set(piece)]
        for f in range(len(table.faces)):
            outward = placed.face_normal[:, f]
            for v in vertices:
                before, after = table.point_edges[v]
                # the piece lies beyond the face if both of its edges lead away from the vertex on that side
                away = (outward @ -table.tangents[before] >= 0.0) & (outward @ table.tangents[after] >= 0.0)
                height = np.sum((table.points[v] - placed.face_start[:, f]) * outward, axis=1)
                normals.append(-outward)
                depths.append(np.where(away, -height, np.inf))
        ways.append((normals, np.stack(depths, axis=1)))
    return ways, np.stack([far.min(axis=1) for _, far in ways], axis=1)


def _choices(
    ways: list[tuple[list[Floats], Floats]], depth: Floats, movable: NDArray[np.bool_], eps_pen: float
) -> dict[int, list[list[tuple[float, float, float]]]]:
    """For each movable pose, for each overlapped piece the half-planes (m_x, m_z, depth): leave by t . m >= depth."""
    choices: dict[int, list[list[tuple[float, float, float]]]] = {}
    for (normals, far), least in zip(ways, depth.T):
        for i in np.flatnonzero((least > _TIGHT) & movable):
            kept = [(*normals[k][i], far[i, k]) for k in range(far.shape[1]) if far[i, k] <= 2.0 * eps_pen]
            choices.setdefault(int(i), []).append(kept)
    return choices


def _shortest(sets: list[list[tuple[float, float, float]]]) -> Floats:
    """The shortest translation that satisfies one half-plane of every set."""
    best, best_length = np.zeros(2), np.inf
    for chosen in product(*sets):
        found = [np.array((mx, mz)) * d for mx, mz, d in chosen]
        for (ax, az, a), (bx, bz, b) in combinations(chosen, 2):
            determinant = ax * bz - az * bx
            if abs(determinant) > 1e-9:
                found.append(np.array((a * bz - b * az, b * ax - a * bx)) / determinant)
        for t in found:
            length = float(np.hypot(*t))
            if length < best_length and all(t[0] * mx + t[1] * mz >= d - _TIGHT for mx, mz, d in chosen):
                best, best_length = t, length
    return best


def _disk_exit(local: Floats, table: Tables) -> tuple[Floats, Floats]:
    """Direction (N, 2) in which the disk leaves the box soonest, and by how much it overlaps it (N,)."""
    placed = place(np, local, table)
    start, tangent, normal = placed.face_start, placed.face_tangent, placed.face_normal
    offset = local[:, None, 3:] - start
    height = np.sum(offset * normal, axis=2)
    along = np.clip(np.sum(offset * tangent, axis=2), 0.0, table.face_lengths)
    apart = local[:, None, 3:] - (start + along[..., None] * tangent)
    distance = np.sqrt((apart**2).sum(axis=2))
    rows, nearest, top = np.arange(len(local)), distance.argmin(axis=1), height.argmax(axis=1)
    inside = height[rows, top] <= 0.0
    from_point = apart[rows, nearest] / np.maximum(distance[rows, nearest], 1e-300)[:, None]
    out = np.where(inside[:, None], normal[rows, top], from_point)
    return out, table.radius - np.where(inside, height[rows, top], distance[rows, nearest])
