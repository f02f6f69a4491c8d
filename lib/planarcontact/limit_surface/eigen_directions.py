"""Eigen-directions of a limit surface: the motions that free sliding keeps, and those it ends with."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import ConvergenceError, InputError
from ..validation import positive
from .model import LimitSurfaceModel
from .polynomial import monomials
from .surface_mesh import spread_directions

__all__ = ["EigenDirections", "eigen_directions"]

Array = NDArray[np.float64]

_STARTS = 400
_CAP = 100


@dataclass(frozen=True)
class EigenDirections:
    """The directions in which a freely sliding body keeps its direction, one of each pair of opposites.

    Attributes:
        twists: (K, 3) twists in the body frame, of unit norm as (v_x, v_y, omega times the radius of gyration).
        loads: (K, 3) loads on the level set, parallel to the twists in the same metric [N, N, N m].
        attracting: (K,) True where neighbouring motions end: local minima of the level set's radius.
        kinds: (K,) number of descending directions of that radius: 0 minimum, 1 saddle, 2 maximum.
        radius: (K,) distance of the level set [N].
    """

    twists: Array
    loads: Array
    attracting: NDArray[np.bool_]
    kinds: NDArray[np.int64]
    radius: Array


def eigen_directions(model: LimitSurfaceModel, *, gyration: float | None = None) -> EigenDirections:
    """Find all eigen-directions of a fitted limit surface, the Z-eigenvectors grad H(F) = lambda F.

    They are the critical points of H on the unit sphere. Newton's method starts from points spread over the sphere;
    that none is missing is checked by Euler's count: minima - saddles + maxima = 2 over the whole sphere.

    Args:
        model: a fitted limit surface with polynomial coefficients.
        gyration: the body's radius of gyration [m]; by default the model's length.

    Returns:
        The eigen-directions, sorted by the radius of the level set.

    Raises:
        InputError: gyration is not positive, or the model has no coefficients.
        ConvergenceError: the critical points do not add up, for example where H is constant on a circle of the sphere.
    """
    if not isinstance(model, LimitSurfaceModel):
        raise InputError("model", model, "is not a fitted limit surface with coefficients", "pass what `fit` returns")
    rho = positive("gyration", model.length if gyration is None else gyration)
    if not 1e-12 < rho / model.length < 1e12:
        raise InputError("gyration", rho, f"m is out of proportion to the model's length of {model.length:g} m")
    basis = monomials(model.degree)
    # the same form in loads whose moments are divided by the radius of gyration
    coefficients = basis.substitution(np.diag([1.0, 1.0, rho / model.length])) @ model.coefficients
    x = _newton(basis, coefficients, spread_directions(_STARTS))
    points = _distinct(x)
    values = basis.values(points) @ coefficients
    hessians = basis.hessians(points) @ coefficients
    slopes = model.degree * values  # grad H = slope x on the sphere, by Euler's theorem
    curvatures = np.array([_tangent_eigenvalues(h, s, p) for h, s, p in zip(hessians, slopes, points)])
    falling = (curvatures < 0.0).sum(axis=1)
    flat = np.abs(curvatures).min(initial=np.inf) < 1e-7 * np.abs(slopes).max(initial=0.0)
    count = int(2 * (np.where(falling == 1, -1, 1)).sum())
    if flat or count != 2:
        raise ConvergenceError(
            f"{len(points)} eigen-directions found with the index sum {count}, where 2 is due"
            + ("; the surface is rotationally symmetric or nearly so: its eigen-directions are not isolated" if flat else ""),
            residual=float(abs(count - 2)),
        )
    order = np.argsort(values)[::-1]
    points, values, falling = points[order], values[order], falling[order]
    radius = values ** (-1.0 / model.degree)
    scale = np.array([1.0, 1.0, rho])
    return EigenDirections(points / scale, radius[:, None] * points * scale, falling == 2, 2 - falling, radius)


def _newton(basis: object, coefficients: Array, x: Array) -> Array:
    """Newton's method for the critical points of H on the sphere, all starts at once; rows that fail are dropped."""
    for _ in range(_CAP):
        gradient = basis.gradients(x) @ coefficients  # type: ignore[attr-defined]
        hessian = basis.hessians(x) @ coefficients  # type: ignore[attr-defined]
        slope = (gradient * x).sum(axis=1)
        residual = gradient - slope[:, None] * x
        if np.abs(residual).max() <= 1e-13 * np.abs(slope).max():
            break
        bordered = np.zeros((len(x), 4, 4))
        bordered[:, :3, :3] = hessian - slope[:, None, None] * np.eye(3)
        bordered[:, :3, 3] = bordered[:, 3, :3] = x
        right = np.concatenate([-residual, np.zeros((len(x), 1))], axis=1)
        move = np.einsum("nij,nj->ni", np.linalg.pinv(bordered, rcond=1e-12), right)[:, :3]
        size = np.linalg.norm(move, axis=1, keepdims=True)
        x = x + move * np.minimum(1.0, 0.3 / np.maximum(size, 1e-300))
        x = x / np.linalg.norm(x, axis=1, keepdims=True)
    good = np.linalg.norm(residual, axis=1) <= 1e-10 * np.abs(slope).max()
    return x[good]


def _distinct(points: Array) -> Array:
    """One of each pair of opposites, each once; the largest component is positive."""
    lead = np.abs(points).argmax(axis=1)
    rows = points * np.sign(points[np.arange(len(points)), lead])[:, None]
    kept: list[Array] = []
    for row in rows:
        if all(min(np.linalg.norm(row - other), np.linalg.norm(row + other)) > 1e-6 for other in kept):
            kept.append(row)
    return np.array(kept).reshape(-1, 3)


def _tangent_eigenvalues(hessian: Array, slope: float, point: Array) -> Array:
    """Curvatures of H on the sphere at a critical point."""
    tangent = np.linalg.svd(point[None])[2][1:]
    return np.linalg.eigvalsh(tangent @ (hessian - slope * np.eye(3)) @ tangent.T)
