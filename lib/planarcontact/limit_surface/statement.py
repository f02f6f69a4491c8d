"""The identification problem stated in cvxpy: any even degree, any solver; the reference for the fast path."""

import warnings

import numpy as np

from ..errors import InputError
from .problem import FitProblem
from .solution import Solution
from .sos import gram_map

__all__ = ["solve_statement"]

#: Tighter than the solvers' own defaults, which leave eigenvalues of -7e-4 (SCS); cvxpy hands them on by name.
_TOLERANCES: dict[str, dict[str, float | int]] = {
    "CLARABEL": {"tol_gap_abs": 1e-10, "tol_gap_rel": 1e-10, "tol_feas": 1e-10, "max_iter": 200},
    "SCS": {"eps_abs": 1e-8, "eps_rel": 1e-8, "max_iters": 100_000},
}


def solve_statement(problem: FitProblem, solver: str) -> Solution:
    """State Eqs. 6 to 8 (or the released loss under 7 and 8) in cvxpy and solve them with the named solver."""
    import cvxpy as cp

    if solver not in cp.installed_solvers():
        raise InputError("solver", solver, "is not an installed solver", f"use one of {', '.join(cp.installed_solvers())}")
    b = cp.Variable(problem.basis.count)
    constraints, gram = [], None
    if problem.convex:
        grams = gram_map(problem.degree)
        gram = cp.Variable((grams.size, grams.size), symmetric=True)
        triangle = gram[grams.rows, grams.columns]
        constraints = [
            grams.matrix() @ cp.hstack([triangle, b]) == 0,
            gram - problem.margin_gram >> 0,
        ]
    objective = _loss(cp, problem, b, constraints)
    program = cp.Problem(cp.Minimize(objective), constraints)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # "may be inaccurate": the status says it, and the report keeps it
        try:
            program.solve(solver=solver, **_TOLERANCES.get(solver, {}))
            status = program.status
        except cp.error.SolverError:
            status = "solver_error"
        except (Exception, KeyboardInterrupt, SystemExit):
            raise
        except BaseException:  # a panic of Rust code is no Exception
            status = "panicked"
    name = f"{solver} through cvxpy {cp.__version__}"
    if b.value is None or not np.all(np.isfinite(b.value)):
        return Solution(np.zeros(problem.basis.count), None, status, name, 0)
    iterations = program.solver_stats.num_iters
    return Solution(np.array(b.value), None if gram is None else np.array(gram.value), status, name, int(iterations or 0))


def _loss(cp, problem: FitProblem, b, constraints: list):  # type: ignore[no-untyped-def]
    w = problem.weights
    count = len(problem.loads)
    ridge, force = problem.ridge @ b, problem.values @ b - 1.0
    if problem.objective == "printed":
        across = problem.across.reshape(3 * count, -1) @ b
        return w.ridge * cp.sum_squares(ridge) + w.velocity * cp.sum_squares(across) + w.force * cp.sum_squares(force)
    speed = cp.Variable(count, nonneg=True)  # s_i >= eps in the code: the sign of V is seen
    gradient = cp.reshape(problem.gradients.reshape(3 * count, -1) @ b, (count, 3), order="C")
    residual = gradient - cp.multiply(cp.reshape(speed, (count, 1), order="C") @ np.ones((1, 3)), problem.targets)
    if problem.degree > 2 and problem.convex:
        return w.ridge * cp.norm(ridge, 2) + w.velocity * cp.norm(residual, "fro") + w.force * cp.norm(force, 2)
    half = 0.5 if problem.degree == 2 else 1.0
    return w.ridge * cp.norm(ridge, 2) + w.velocity * half * cp.sum(cp.norm(residual, 2, axis=1)) + w.force * cp.norm(force, 1)
