"""Identification that follows a changing surface: Eq. 6 with forgetting, and projected gradient steps."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ConvergenceError, InputError
from ..validation import FARTHEST, finite_number, positive
from .convex_cone import convex_cone
from .fast_path import solve_quadratic
from .identification import prepare
from .model import LimitSurfaceModel
from .objectives import Weights, as_weights
from .polynomial import even_degree, monomials
from .problem import MARGIN
from .report import FitStatus
from .solution import Solution

__all__ = ["OnlineFit", "ProjectedGradient"]

Array = NDArray[np.float64]


@dataclass(eq=False)
class OnlineFit:
    """Eq. 6 with the i-th last datum weighted by forgetting^i, solved exactly from decayed statistics.

    The loss is quadratic in the coefficients, so a matrix (m, m) and a vector (m,) hold all the past; an update costs one
    decay and one solve, whatever the number of data.

    Args:
        size: typical size of a primed load, which becomes the unit of load [N].
        forgetting: weight of a datum against the next one, above 0, at most 1 [-].
        degree: even degree of the convex form.
        length: characteristic length rho [m].
        weights: as in `fit`; the ridge does not decay.

    Raises:
        InputError: a size, length or forgetting out of range, an odd degree, unknown weights.
    """

    size: float
    forgetting: float = 0.95
    degree: int = 4
    length: float = 1.0
    weights: Weights | None = None
    across: Array = field(init=False, repr=False)
    values: Array = field(init=False, repr=False)
    first: Array = field(init=False, repr=False)
    count: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self.size, self.length = positive("size", self.size), positive("length", self.length)
        self.forgetting = finite_number("forgetting", self.forgetting)
        if not 0.0 < self.forgetting <= 1.0:
            raise InputError("forgetting", self.forgetting, "must be above 0 and at most 1")
        self.degree, self.weights = even_degree(self.degree), as_weights(self.weights)
        m = monomials(self.degree).count
        self.across, self.values, self.first = np.zeros((m, m)), np.zeros((m, m)), np.zeros(m)

    def update(self, loads: ArrayLike, twists: ArrayLike) -> None:
        """Let the past decay and add data, one row after the other.

        Args:
            loads: (N, 3) rows (f_x, f_y, tau) [N, N, N m].
            twists: (N, 3) rows (v_x, v_y, omega) [m/s, m/s, rad/s].

        Raises:
            InputError: as in `fit`.
        """
        forces, directions = prepare("", loads, twists, self.length)
        rows, across = _equations(_sized(forces, self.size, self.degree), directions, self.degree)
        for row, part in zip(rows, across):
            self.across = self.forgetting * self.across + part.T @ part
            self.values = self.forgetting * self.values + np.outer(row, row)
            self.first = self.forgetting * self.first + row
            self.count = self.forgetting * self.count + 1.0

    def model(self) -> LimitSurfaceModel:
        """Return the convex form that is best for the weighted data; their weighted mean of H is 1.

        Returns:
            The model, with its certificate, without a report.

        Raises:
            InputError: there are no data yet.
            ConvergenceError: the optimum is H = 0.
        """
        if not self.count:
            raise InputError("count", 0, "data so far", "call update first")
        w, basis = self.weights, monomials(self.degree)
        assert w is not None
        ridge = w.ridge * (basis.bombieri if w.norm == "bombieri" else np.ones(basis.count))
        share = 2.0 / (w.force * self.count)
        hessian = share * (w.velocity * self.across + w.force * self.values + np.diag(ridge))
        solution = _solve(self.degree, hessian, -share * w.force * self.first)
        return _model(solution, self.first / self.count, self.degree, self.size, self.length)


@dataclass(eq=False)
class ProjectedGradient:
    """One gradient step on the newest datum's part of Eq. 6, then the nearest sos-convex form (document 3, section IV-C).

    Args:
        size: typical size of a primed load [N].
        step: length of the gradient step, relative to the inverse of the datum's largest curvature [-].
        degree, length, weights: as in `OnlineFit`.

    Raises:
        InputError: an argument out of range.
    """

    size: float
    step: float = 0.5
    degree: int = 4
    length: float = 1.0
    weights: Weights | None = None
    b: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.size, self.length = positive("size", self.size), positive("length", self.length)
        self.step = positive("step", self.step, largest=FARTHEST)
        self.degree, self.weights = even_degree(self.degree), as_weights(self.weights)
        self.b = monomials(self.degree).power_of_norm.copy()

    def update(self, loads: ArrayLike, twists: ArrayLike) -> None:
        """Take one projected step per datum.

        Args:
            loads: (N, 3) rows (f_x, f_y, tau) [N, N, N m].
            twists: (N, 3) rows (v_x, v_y, omega) [m/s, m/s, rad/s].

        Raises:
            InputError: as in `fit`.
        """
        w = self.weights
        assert w is not None
        forces, directions = prepare("", loads, twists, self.length)
        rows, across = _equations(_sized(forces, self.size, self.degree), directions, self.degree)
        for row, part in zip(rows, across):
            curvature = 2.0 * (w.velocity * part.T @ part + w.force * np.outer(row, row))
            slope = curvature @ self.b - 2.0 * w.force * row
            target = self.b - self.step / float(np.linalg.eigvalsh(curvature)[-1]) * slope
            self.b = _solve(self.degree, np.eye(len(row)), -target).b

    def model(self) -> LimitSurfaceModel:
        """Return the present form as a model.

        Returns:
            The model, as it stands: no rescaling.
        """
        return _model(Solution(self.b, None, "Solved", "projected gradient", 0), None, self.degree, self.size, self.length)


def _sized(forces: Array, size: float, degree: int) -> Array:
    """Loads in units of `size`, small enough that the squares of the equations stay within float64."""
    with np.errstate(over="ignore"):
        x = forces / size
    if not np.abs(x).max(initial=0.0) <= 1e120 ** (1.0 / degree):
        raise InputError("loads", float(np.abs(forces).max()), f"N is out of proportion to the typical size of {size:g} N", "check the units")
    if not np.abs(x).max(axis=1).min(initial=1.0) >= 1e-120 ** (1.0 / degree):
        raise InputError("loads", float(np.abs(forces).max(axis=1).min()), f"N is nothing beside the typical size of {size:g} N", "check the units")
    return x


def _equations(x: Array, directions: Array, degree: int) -> tuple[Array, Array]:
    """Rows of H(x_i) (N, m) and of the part of grad H(x_i) across V_i (N, 3, m)."""
    basis = monomials(degree)
    gradients = basis.gradients(x)
    along = directions[:, None, :] @ gradients
    return basis.values(x), gradients - directions[:, :, None] * along


def _solve(degree: int, hessian: Array, gradient: Array) -> Solution:
    cone = convex_cone(degree)
    return solve_quadratic(degree, hessian, gradient, MARGIN * cone.rows(np.eye(cone.bases[0].shape[0])))


def _model(solution: Solution, mean: Array | None, degree: int, size: float, length: float) -> LimitSurfaceModel:
    scale = 1.0 if mean is None else float(mean @ solution.b)
    if not scale > 1e-4:
        raise ConvergenceError(
            "the optimum is H = 0: give the force residual more weight", status=FitStatus.COLLAPSED, residual=scale
        )
    a = solution.b / scale / size**degree
    a.setflags(write=False)
    return LimitSurfaceModel(a, degree, length, "poly4-cvx")
