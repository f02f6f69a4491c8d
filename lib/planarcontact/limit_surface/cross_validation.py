"""Choice of a fit's weights by the mean angle on validation data."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ConvergenceError
from .measures import mean_angles
from .objectives import WeightGrid
from .problem import FitProblem
from .report import FitStatus
from .solve import Solution, solve

__all__ = ["COLLAPSE", "TIE", "choose", "first_of_the_best"]

#: Candidates whose validation error is within this of the best are tied [deg]: far above what a solver's rounding moves
#: (1e-6 deg), far below what validation data can tell apart, so that rounding cannot choose the winner.
TIE = 1e-3
#: Below this mean of H on the data the optimum is H = 0, as near as epsilon lets it: its gradient says nothing of the data.
COLLAPSE = 1e-4


def choose(
    problem: FitProblem, grid: WeightGrid, solver: str, check: tuple[NDArray[np.float64], NDArray[np.float64]]
) -> tuple[FitProblem, Solution]:
    """Return the problem with the grid's best weights and its solution.

    Candidates within `TIE` of the smallest validation error are tied; the first in the grid's order wins, which has the
    largest ridge, then the smallest force weight. Candidates whose optimum is H = 0 are passed over.
    """
    tried = []
    candidate = problem
    for weights in grid:
        candidate = candidate.reweighted(weights)  # of the last one, which holds what the solver has computed from the data
        solution = solve(candidate, solver)
        if float(np.mean(candidate.values @ solution.b)) > COLLAPSE:
            tried.append((candidate, solution))
    if not tried:
        raise ConvergenceError("the optimum is H = 0 for every weight of the grid", status=FitStatus.COLLAPSED)
    forms = np.array([problem.coefficients(solution.b) for _, solution in tried])
    return tried[first_of_the_best(mean_angles(forms, problem.degree, *check))]


def first_of_the_best(errors: ArrayLike) -> int:
    """Return the first index whose error is within `TIE` of the smallest."""
    return int(np.argmax(np.asarray(errors) <= np.min(errors) + TIE))
