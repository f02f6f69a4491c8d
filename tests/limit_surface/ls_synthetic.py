"""Loads and twists of made-up supports, by the law of each support point and nothing of the library."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def supports(rng: np.random.Generator, count: int = 3) -> tuple[Array, Array]:
    """Points on the unit circle, shifted to their centre of pressure, and loads that sum to one."""
    angle = rng.uniform(0, 2 * np.pi, count)
    share = rng.dirichlet(np.ones(count))
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    return points - share @ points, share


def ring(count: int = 60) -> tuple[Array, Array]:
    angle = 2 * np.pi * np.arange(count) / count
    return np.column_stack([np.cos(angle), np.sin(angle)]), np.full(count, 1 / count)


def slide(points: Array, share: Array, twists: Array) -> Array:
    """Loads (N, 3) that the object applies: every support pushes the surface along its velocity."""
    out = np.zeros((len(twists), 3))
    for (x, y), weight in zip(points, share):
        v = np.column_stack([twists[:, 0] - twists[:, 2] * y, twists[:, 1] + twists[:, 2] * x])
        f = weight * v / np.linalg.norm(v, axis=1, keepdims=True)
        out += np.column_stack([f, x * f[:, 1] - y * f[:, 0]])
    return out


def sample(seed: int, count: int, noise: float = 0.0, body: tuple[Array, Array] | None = None) -> tuple[Array, Array]:
    """Loads and unit twists, with noise on both."""
    rng = np.random.default_rng(seed)
    points, share = supports(rng) if body is None else body
    twists = rng.normal(size=(count, 3))
    loads = slide(points, share, twists / np.linalg.norm(twists, axis=1, keepdims=True))
    twists = twists / np.linalg.norm(twists, axis=1, keepdims=True)
    loads = loads + noise * rng.normal(size=loads.shape)
    twists = twists + noise * rng.normal(size=twists.shape)
    keep = np.sum(loads * twists, axis=1) > 0
    return loads[keep], twists[keep] / np.linalg.norm(twists[keep], axis=1, keepdims=True)


def turn(angle: float) -> Array:
    """Rotation of loads and twists when the body frame turns."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def angles(a: Array, b: Array) -> Array:
    """Angles between rows [deg]."""
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), np.sum(a * b, axis=1)))
