"""Connected regions: how many components a formation's poses have, sampled at link radii and joined by explicit paths (document 2, "Connected regions")."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import finite_array, positive
from .connectivity_paths import path_home
from .connectivity_strata import Stratum, stratum
from .exact_scene import ExactScene

__all__ = ["LINK_RADII", "Connectivity", "Stratum", "band_poses", "components", "connectivity", "joined", "stratum"]

LINK_RADII = (5e-3, 10e-3, 20e-3, 40e-3)


@dataclass(frozen=True)
class Connectivity:
    """The number of components of a formation's sampled poses at each link radius.

    Attributes: ``code``; ``dimension`` of its set of poses; ``radii`` (k,), m; ``exact``, ``band``, ``half``, (k,) counts for samples of the exact
    set, of the recognizer's band and of a random half of the band; ``count``, how many poses were sampled in each of the first two.
    """

    code: int
    dimension: int
    radii: tuple[float, ...]
    exact: tuple[int, ...]
    band: tuple[int, ...]
    half: tuple[int, ...]
    count: int


def components(poses: ArrayLike, radius: float, *, side: float) -> int:
    """Count the components of poses linked where their distance is at most a radius.

    Args:
        poses: (n, 5), m and rad.
        radius: link radius, m.
        side: the box's side, m; theta counts a/sqrt(2) m per radian, as in ``pose_distance``.
    Returns:
        The number of components.
    Raises:
        InputError: no pose, or a radius that is not positive.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    poses, radius = finite_array("poses", poses, (None, 5)), positive("radius", radius)
    if len(poses) == 0:
        raise InputError("poses", (0, 5), "holds no pose")
    arm = positive("side", side) / 2**0.5
    turn = 2 * np.pi * arm
    points = poses.copy()
    points[:, 2] = np.mod(poses[:, 2] * arm, turn)
    points[points[:, 2] >= turn, 2] = 0.0
    others = [0, 1, 3, 4]
    span = np.ptp(points[:, others]) + 1.0  # the other axes get a period too long to matter
    points[:, others] -= points[:, others].min(0)
    period = np.full(5, 3 * span + 3 * radius)
    period[2] = turn
    links = cKDTree(points, boxsize=period).query_pairs(radius, output_type="ndarray")
    graph = coo_matrix((np.ones(len(links), bool), (links[:, 0], links[:, 1])), shape=(len(points), len(points)))
    return int(connected_components(graph, directed=False)[0])


def band_poses(
    shape: Stratum,
    rng: np.random.Generator,
    count: int,
    label: Callable[[NDArray[np.float64]], ArrayLike],
    *,
    width: float = 1e-3,
    rounds: int = 200,
) -> NDArray[np.float64]:
    """Draw poses that a recognizer gives a formation's label, from the exact set by jitter.

    Args:
        shape: the formation.
        rng: the generator.
        count: how many poses are wanted.
        label: poses (n, 5) to formation numbers (n,), -1 where the label is not to be used.
        width: the jitter's half-width in each coordinate, m (theta: m over a/sqrt(2)).
        rounds: how many batches of ``count`` poses are tried at most.
    Returns:
        Poses (k, 5) with k <= count; fewer where the band is thin.
    """
    scale = np.array([1, 1, 2**0.5 / shape.side, 1, 1]) * positive("width", width)
    found: list[NDArray[np.float64]] = []
    total = 0
    for _ in range(rounds):
        poses = shape.poses(shape.sample(rng, count)) + scale * rng.uniform(-1, 1, (count, 5))
        found.append(poses[np.asarray(label(poses)) == shape.code])
        total += len(found[-1])
        if total >= count:
            break
    return np.concatenate(found)[:count]


def connectivity(
    code: int,
    label: Callable[[NDArray[np.float64]], ArrayLike],
    *,
    scene: ExactScene = ExactScene(),
    count: int = 1000,
    radii: tuple[float, ...] = LINK_RADII,
    seed: int = 0,
    rounds: int = 20,
) -> Connectivity:
    """Count components of sampled poses of a formation as document 2 does: the exact set, the full band, and a random half of the band.

    Args:
        code: a realisable formation.
        label: the recognizer, as in ``band_poses``.
        scene: the exact scene.
        count: poses sampled from the exact set and from the band.
        radii: link radii, m.
        seed: of the generator.
        rounds: batches of ``count`` jittered poses tried at most for the band.
    Returns:
        The counts; those of the band are 0 where the recognizer labels no sampled pose so.
    """
    shape, rng = stratum(code, scene), np.random.default_rng(seed)
    exact = shape.poses(shape.sample(rng, count))
    band = band_poses(shape, rng, count, label, rounds=rounds)
    half = band[rng.permutation(len(band))[: len(band) // 2]]
    counts = [tuple(components(p, r, side=shape.side) if len(p) else 0 for r in radii) for p in (exact, band, half)]
    return Connectivity(code, shape.size, tuple(radii), *counts, count)


def joined(shape: Stratum, u: ArrayLike, *, step: float = 4e-3) -> NDArray[np.float64]:
    """Return poses of the formation that join samples into one component at any link radius of at least a step.

    Args:
        shape: the formation.
        u: (n, size), sampled coordinates; all are joined to the first.
        step: the largest distance of neighbours on the paths, m.
    Returns:
        Poses (k, 5) on explicit paths, samples included, m and rad.
    """
    u = finite_array("u", u, (None, shape.size))
    return np.concatenate([path_home(start, u[0], shape, step=step) for start in u])
