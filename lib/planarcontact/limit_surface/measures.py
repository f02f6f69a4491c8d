"""Measures of a form against data: angles, and what the data determine."""

import numpy as np
from numpy.typing import NDArray

from .polynomial import monomials

__all__ = ["angles", "exponents", "mean_angle", "mean_angles", "near_one", "rank", "unit_rows"]


def exponents(rows: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the powers of two (N, 1) by which `near_one` divides rows (N, n)."""
    return np.frexp(np.max(np.abs(rows), axis=1, initial=0.0, keepdims=True))[1]


def near_one(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows (N, 3) times powers of two that bring their largest entries near one: no square leaves float64."""
    return np.ldexp(rows, -exponents(rows))


def unit_rows(
    rows: NDArray[np.float64], scale: tuple[float, ...] = (1.0, 1.0, 1.0)
) -> NDArray[np.float64]:
    """Return rows (N, n), none zero, times `scale` and of unit norm, whatever their magnitude."""
    scaled = near_one(near_one(rows) * scale)
    return scaled / np.linalg.norm(scaled, axis=1, keepdims=True)


def angles(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the angles (...,) between rows (..., 3) of any size, accurate near 0 and pi [rad]."""
    x, y, z = (a[..., k] for k in range(3))
    u, v, w = (b[..., k] for k in range(3))
    across = np.sqrt((y * w - z * v) ** 2 + (z * u - x * w) ** 2 + (x * v - y * u) ** 2)
    return np.arctan2(across, x * u + y * v + z * w)


def mean_angle(
    coefficients: NDArray[np.float64], degree: int, loads: NDArray[np.float64], directions: NDArray[np.float64]
) -> float:
    """Return the mean angle between grad H(F_i) and V_i, in primed space [deg] (document 3, section V: delta)."""
    return float(mean_angles(coefficients[None], degree, loads, directions)[0])


def mean_angles(
    coefficients: NDArray[np.float64], degree: int, loads: NDArray[np.float64], directions: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return `mean_angle` for many forms (K, m); infinite where a gradient vanishes."""
    gradients = np.tensordot(coefficients, monomials(degree).gradients(near_one(loads)), axes=(1, 2))  # (K, N, 3)
    sizes = np.max(np.abs(gradients), axis=2, keepdims=True)
    means = np.degrees(np.mean(angles(gradients / np.where(sizes > 0, sizes, 1.0), directions), axis=1))
    return np.where(np.all(sizes[..., 0] > 0, axis=1), means, np.inf)


def rank(loads: NDArray[np.float64], directions: NDArray[np.float64], degree: int) -> int:
    """Return the rank of the equations H(F_i) = 1 and grad H(F_i) || V_i in the coefficients.

    Loads are first divided by their root mean squares along their principal axes, columns by their norms; singular values
    below 1e-6 of the largest count as zero.
    """
    moments, axes = np.linalg.eigh(loads.T @ loads / len(loads))
    sizes = np.sqrt(np.where(moments > 1e-10 * moments[-1], moments, moments[-1]))
    u, basis = loads @ axes / sizes, monomials(degree)
    gradients = (axes / sizes) @ basis.gradients(u)
    along = directions[:, None, :] @ gradients
    across = (gradients - directions[:, :, None] * along).reshape(-1, basis.count)
    rows = np.vstack([basis.values(u), across])
    moments = rows.T @ rows
    norms = np.sqrt(np.diag(moments))
    norms = np.where(norms > 0, norms, 1.0)
    values = np.linalg.eigvalsh(moments / norms / norms[:, None])
    return int(np.sum(values > 1e-12 * values[-1]))
