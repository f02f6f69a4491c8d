"""Load from twist: the point of the level set H = 1 whose normal is a given twist."""

import warnings
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ConvergenceError, InputError, UnsupportedError
from ..validation import boolean, finite_array
from .measures import unit_rows
from .polynomial import monomials

if TYPE_CHECKING:
    from .model import LimitSurfaceModel

__all__ = ["Inversion", "InversionStatus", "invert"]

#: A row has converged when its angle residual is below this [rad]: 0.2 microdegrees.
TOLERANCE = 3e-9


class InversionStatus(IntEnum):
    """How the inversion of one row ended."""

    CONVERGED = 0
    SEARCHED = 1
    CAPPED = 2
    NO_LOAD = 3


@dataclass(frozen=True, eq=False)
class Inversion:
    """Loads of given twists, with an account per row.

    Attributes:
        load: (N, 3) or (3,) rows (f_x, f_y, tau) on the level set [N, N, N m].
        status: (N,) or () `InversionStatus`: 0 converged, 1 converged by the line search, 2 stopped at the cap,
            3 no load: the level set is unbounded along the twist, and the load is nan.
        residual: (N,) or () angle between grad H(load) and the twist [rad].
        iterations: (N,) or () Newton iterations.
    """

    load: NDArray[np.float64]
    status: NDArray[np.int64]
    residual: NDArray[np.float64]
    iterations: NDArray[np.int64]

    def checked(self) -> "Inversion":
        """Return self, or raise `ConvergenceError` if a row stopped at the cap or has no load."""
        absent = np.flatnonzero(np.atleast_1d(self.status) == InversionStatus.NO_LOAD)
        if len(absent):
            raise ConvergenceError(
                f"{len(absent)} twists have no load on the level set, the first is row {absent[0]}: "
                "the level set is unbounded there, or its loads lie outside the range of float64",
                status=InversionStatus.NO_LOAD,
            )
        capped = np.flatnonzero(np.atleast_1d(self.status) == InversionStatus.CAPPED)
        if len(capped):
            worst = float(np.max(np.atleast_1d(self.residual)[capped]))
            raise ConvergenceError(
                f"{len(capped)} twists were not inverted, the first is row {capped[0]}: allow more iterations",
                status=InversionStatus.CAPPED,
                residual=worst,
            )
        return self


def invert(model: "LimitSurfaceModel", twists: ArrayLike, *, uncertified: bool, max_iterations: int) -> Inversion:
    """Solve grad H(F) = V by minimising H(F) - V . F, then rescale to H = 1 (document 3, theorem 2)."""
    array = finite_array("twists", twists)
    single = array.ndim == 1
    array = finite_array("twists", array[None] if single else array, (None, 3))
    if isinstance(max_iterations, bool) or not isinstance(max_iterations, (int, np.integer)) or max_iterations < 1:
        raise InputError("max_iterations", max_iterations, "must be an integer of at least 1")
    allowed = boolean("uncertified", uncertified)
    if not model.certificate.certified:
        if not allowed:
            raise UnsupportedError(
                f"this model is not certified convex ({model.certificate.sentence}), so a twist may have no load or several; "
                "fit kind='poly4-cvx', or pass uncertified=True to invert it all the same"
            )
        warnings.warn("inverting a model that is not certified convex: a load may be one of several", stacklevel=3)
    largest = np.max(np.abs(array), axis=1, keepdims=True)
    if not np.all(largest > 0):
        raise InputError(f"twists[{int(np.argmin(largest))}]", 0.0, "this row is zero", "a resting object has a set of loads")
    directions = unit_rows(array, (1.0, 1.0, model.length))
    cap = min(int(max_iterations), 2**31 - 1)
    points, residual, iterations = _fast_pass(model, directions, cap)
    status = np.where(residual <= TOLERANCE, InversionStatus.CONVERGED, InversionStatus.CAPPED).astype(np.int64)
    missed = np.flatnonzero(~(residual <= TOLERANCE))  # written so that a NaN is missed
    if len(missed):
        points[missed], residual[missed], more = search(model, directions[missed], cap)
        iterations[missed] += more
        status[missed[residual[missed] <= TOLERANCE]] = InversionStatus.SEARCHED
    status[~np.all(np.isfinite(points), axis=1)] = InversionStatus.NO_LOAD
    load = points * (1.0, 1.0, model.length)
    if single:
        return Inversion(load[0], status[0], residual[0], iterations[0])
    return Inversion(load, status, residual, iterations)


def _fast_pass(
    model: "LimitSurfaceModel", directions: NDArray[np.float64], max_iterations: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """A quadratic form in closed form, F ~ A^-1 V; higher degrees by compiled Newton steps."""
    basis, a = monomials(model.degree), model.coefficients
    start = model.ellipsoid
    if model.degree == 2:
        points = directions @ start
        gradient = basis.gradients(points) @ a
        sine = np.linalg.norm(np.cross(gradient, directions), axis=1)
        residual = np.arctan2(sine, np.sum(gradient * directions, axis=1))
        return _on_level_set(model, points), residual, np.ones(len(points), dtype=np.int64)
    from .inverse_kernel import newton_rows

    return newton_rows(basis.second(a), monomials(model.degree - 2).exponents, model.degree, start, directions, max_iterations)


def _on_level_set(model: "LimitSurfaceModel", points: NDArray[np.float64]) -> NDArray[np.float64]:
    values = monomials(model.degree).values(points) @ model.coefficients
    return points * np.where(values > 0, np.abs(values), np.nan)[:, None] ** (-1.0 / model.degree)


def search(
    model: "LimitSurfaceModel", directions: NDArray[np.float64], max_iterations: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """The readable pass and the fallback: Newton on H(F) - V . F with |eigenvalues| and backtracking, in balanced loads.

    Returns points (N, 3) on the level set, angles (N,) between their normals and the directions [rad], iterations (N,).
    """
    basis, scale = monomials(model.degree), model.certificate.scale
    a = model.coefficients / np.prod(scale**basis.exponents, axis=1)
    goal = directions / scale
    goal /= np.linalg.norm(goal, axis=1, keepdims=True)
    points = goal.copy()
    points *= (np.abs(basis.values(points) @ a) * model.degree)[:, None] ** (-1.0 / (model.degree - 1))
    count = np.zeros(len(points), dtype=np.int64)
    active = np.arange(len(points))
    for _ in range(max_iterations):
        x, v = points[active], goal[active]
        gradient = basis.gradients(x) @ a - v
        going = np.linalg.norm(gradient, axis=1) > 1e-13
        active, x, v, gradient = active[going], x[going], v[going], gradient[going]
        if not len(active):
            break
        values, vectors = np.linalg.eigh(basis.hessians(x) @ a)
        values = np.maximum(np.abs(values), 1e-12 * np.abs(values[:, -1:]))
        step = -np.einsum("nij,nj->ni", vectors, np.einsum("nji,nj->ni", vectors, gradient) / values)
        slope = np.sum(step * gradient, axis=1)
        merit = basis.values(x) @ a - np.sum(x * v, axis=1)
        length = np.ones(len(x))
        for _ in range(40):
            trial = x + length[:, None] * step
            worse = basis.values(trial) @ a - np.sum(trial * v, axis=1) > merit + 1e-4 * length * slope + 1e-14
            if not np.any(worse):
                break
            length = np.where(worse, 0.5 * length, length)
        points[active] = x + length[:, None] * step
        count[active] += 1
    points = points / scale
    gradient = basis.gradients(points) @ model.coefficients
    sine = np.linalg.norm(np.cross(gradient, directions), axis=1)
    residual = np.arctan2(sine, np.sum(gradient * directions, axis=1))
    return _on_level_set(model, points), residual, count
