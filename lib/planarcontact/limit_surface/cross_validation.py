"""Choice of a fit's weights by the mean angle on validation data."""

import numpy as np
from numpy.typing import NDArray

from ..errors import ConvergenceError
from .objectives import WeightGrid
from .polynomial import monomials
from .problem import FitProblem
from .report import FitStatus
from .solve import Solution, solve

__all__ = ["TIE", "angles", "choose", "first_of_the_best", "mean_angle"]

#: Candidates whose validation error is within this of the best are tied [deg]: far above what a solver's rounding moves
#: (1e-6 deg), far below what validation data can tell apart, so that rounding cannot choose the winner.
TIE = 1e-3
#: Below this mean of H on the data the optimum is H = 0, as near as epsilon lets it: its gradient says nothing of the data.
COLLAPSE = 1e-4


def angles(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the angles (N,) between unit rows (N, 3), accurate near 0 and pi [rad]."""
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), np.sum(a * b, axis=1))


def mean_angle(
    coefficients: NDArray[np.float64], degree: int, loads: NDArray[np.float64], directions: NDArray[np.float64]
) -> float:
    """Return the mean angle between grad H(F_i) and V_i, in primed space [deg] (document 3, section V: delta)."""
    gradient = monomials(degree).gradients(loads) @ coefficients
    norms = np.linalg.norm(gradient, axis=1, keepdims=True)
    if not np.all(norms > 0):
        return float("inf")
    return float(np.degrees(np.mean(angles(gradient / norms, directions))))


def choose(
    problem: FitProblem, grid: WeightGrid, solver: str, check: tuple[NDArray[np.float64], NDArray[np.float64]]
) -> tuple[FitProblem, Solution]:
    """Return the problem with the grid's best weights and its solution.

    Candidates within `TIE` of the smallest validation error are tied; the first in the grid's order wins, which has the
    largest ridge, then the smallest force weight. Candidates whose optimum is H = 0 are passed over.
    """
    tried = []
    for weights in grid:
        candidate = problem.reweighted(weights)
        solution = solve(candidate, solver)
        if float(np.mean(candidate.values @ solution.b)) > COLLAPSE:
            error = mean_angle(candidate.coefficients(solution.b), problem.degree, *check)
            tried.append((error, candidate, solution))
    if not tried:
        raise ConvergenceError("the optimum is H = 0 for every weight of the grid", status=FitStatus.COLLAPSED)
    _, candidate, solution = tried[first_of_the_best([error for error, _, _ in tried])]
    return candidate, solution


def first_of_the_best(errors: list[float]) -> int:
    """Return the first index whose error is within `TIE` of the smallest."""
    return int(np.argmax(np.asarray(errors) <= min(errors) + TIE))
