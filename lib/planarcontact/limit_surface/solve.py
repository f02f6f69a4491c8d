"""Which path solves an identification problem."""

from ..errors import InputError
from .fast_path import solve_direct
from .problem import FitProblem
from .solution import Solution
from .statement import solve_statement

__all__ = ["Solution", "solve"]


def solve(problem: FitProblem, solver: str) -> Solution:
    """Solve directly ("CLARABEL") or as stated in cvxpy ("CVXPY" for Clarabel there, or a solver's name such as "SCS")."""
    if not isinstance(solver, str):
        raise InputError("solver", solver, "is not the name of a solver")
    if solver == "CLARABEL":
        return solve_direct(problem)
    return solve_statement(problem, "CLARABEL" if solver == "CVXPY" else solver)
