"""Which path solves an identification problem."""

from collections.abc import Callable

import numpy as np

from ..errors import InputError
from .fast_path import solve_compiled, solve_direct
from .problem import FitProblem
from .solution import Solution
from .sos import outer_change
from .statement import solve_statement

__all__ = ["Solution", "solve"]


def solve(problem: FitProblem, solver: str) -> Solution:
    """Solve directly ("CLARABEL", "COMPILED") or as stated in cvxpy ("CVXPY" for Clarabel there, or a name such as "SCS")."""
    if not isinstance(solver, str):
        raise InputError("solver", solver, "is not the name of a solver")
    direct = {"CLARABEL": solve_direct, "COMPILED": solve_compiled}
    path = direct.get(solver) or _stated("CLARABEL" if solver == "CVXPY" else solver)
    solution = path(problem)
    if solution.optimal:
        return solution
    other = problem.in_metric_loads()
    again = path(other)
    return _renamed(again, other, problem) if again.optimal else solution


def _stated(solver: str) -> Callable[[FitProblem], Solution]:
    return lambda problem: solve_statement(problem, solver)


def _renamed(solution: Solution, source: FitProblem, target: FitProblem) -> Solution:
    """The same form in the balanced loads of another problem."""
    change = source.balance @ np.linalg.inv(target.balance)  # loads of the source from those of the target
    gram = solution.gram
    if gram is not None:
        whole = outer_change(change, source.degree)
        gram = whole.T @ gram @ whole
    b = source.basis.substitution(change) @ solution.b
    return Solution(b, gram, f"{solution.status} after rescaling", solution.solver, solution.iterations)
