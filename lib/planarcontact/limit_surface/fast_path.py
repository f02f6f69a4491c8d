"""The identification problem handed to Clarabel directly: equations eliminated, data reduced to their statistics."""

import threading
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .convex_cone import ConvexCone, convex_cone
from .problem import MARGIN, FitProblem
from .solution import Solution

__all__ = ["solve_direct"]

TOLERANCE = 1e-10
_LOCAL = threading.local()


def solve_direct(problem: FitProblem) -> Solution:
    """Solve a `FitProblem`; `solve_statement` is the reference that this is held to."""
    if problem.objective == "printed":
        return _free(problem) if not problem.convex else _printed(problem)
    from .released import solve_released

    return solve_released(problem)


def _free(problem: FitProblem) -> Solution:
    """The least-squares optimum: of all optima the one with the smallest ridge norm."""
    hessian, gradient = problem.statistics()
    return Solution(_minimum(hessian, gradient), None, "Solved", "least squares", 0)


def _printed(problem: FitProblem) -> Solution:
    """Eqs. 6 to 8: a quadratic program over semidefinite blocks; the data enter as a matrix (m, m) and a vector (m,)."""
    cone = convex_cone(problem.degree)
    hessian, gradient = problem.statistics()
    found = _already_convex(cone, _minimum(hessian, gradient))
    if found is not None:
        return Solution(found[: problem.basis.count], cone.gram(found), "Solved", solver_name(), 0)
    solution = _reused(problem.degree, hessian, gradient)
    if str(solution.status) != "Solved":
        solution = _fresh(problem.degree, hessian, gradient, equilibrate=True).solve()
    x = np.asarray(solution.x)
    status = str(solution.status)
    if not np.all(np.isfinite(x)):
        return Solution(np.zeros(problem.basis.count), None, status, solver_name(), solution.iterations)
    return Solution(x[: problem.basis.count], cone.gram(x), status, solver_name(), solution.iterations)


def _minimum(hessian: NDArray[np.float64], gradient: NDArray[np.float64]) -> NDArray[np.float64]:
    """Minimise b' H b / 2 + g' b."""
    try:
        factor = np.linalg.cholesky(hessian)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(hessian, -gradient, rcond=1e-14)[0]
    return np.linalg.solve(factor.T, np.linalg.solve(factor, -gradient))


def _already_convex(cone: ConvexCone, b: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return unknowns (b, w) inside the cone for a few plain choices of w, or None: then nothing is known."""
    rows = cone.operator[:, : len(b)] @ b
    if cone.degree != 4:
        trials = [np.zeros(cone.free)]
    else:
        size = float(np.mean(np.diag(cone.matrices(rows)[0])))
        trials = [share * size * np.array([1.0, 0.0, 1.0, 0.0, 0.0, 1.0]) for share in (0.1, 0.25, 0.4)]
    for w in trials:
        blocks = cone.matrices(rows + cone.operator[:, len(b) :] @ w)
        if all(np.linalg.eigvalsh(block)[0] >= MARGIN for block in blocks):
            return np.append(b, w)
    return None


def _reused(degree: int, hessian: NDArray[np.float64], gradient: NDArray[np.float64]) -> Any:
    """Solve with this thread's solver of this degree, whose constraints stay and whose objective is replaced.

    Equilibration is off, so that nothing of an earlier problem remains and results do not depend on their order.
    """
    solvers = _LOCAL.__dict__.setdefault("printed", {})
    if degree not in solvers:
        solvers[degree] = _fresh(degree, np.eye(len(hessian)), gradient, equilibrate=False)
    entries, _, _ = _pattern(len(hessian))
    linear = np.append(gradient, np.zeros(convex_cone(degree).free))
    solvers[degree].update(P=hessian[entries], q=linear)
    return solvers[degree].solve()


def _fresh(degree: int, hessian: NDArray[np.float64], gradient: NDArray[np.float64], *, equilibrate: bool) -> Any:
    import clarabel
    from scipy import sparse

    cone = convex_cone(degree)
    entries, indices, pointers = _pattern(len(hessian))
    size = len(hessian) + cone.free
    pointers = np.append(pointers, np.full(cone.free, pointers[-1]))
    quadratic = sparse.csc_matrix((hessian[entries], indices, pointers), shape=(size, size))
    linear = np.append(gradient, np.zeros(cone.free))
    cones = [clarabel.PSDTriangleConeT(n) for n in cone.blocks]
    return clarabel.DefaultSolver(
        quadratic, linear, sparse.csc_matrix(-cone.operator), -MARGIN * cone.identity, cones, settings(equilibrate)
    )


def settings(equilibrate: bool = True, tolerance: float = TOLERANCE) -> Any:
    """Clarabel's settings, all that matter named here: no default that changes with a release decides."""
    import clarabel

    out = clarabel.DefaultSettings()
    out.verbose = False
    out.max_iter = 100
    out.tol_gap_abs = out.tol_gap_rel = out.tol_feas = tolerance
    out.equilibrate_enable = equilibrate
    out.presolve_enable = False
    out.chordal_decomposition_enable = False
    out.direct_solve_method = "qdldl"
    return out


@lru_cache(maxsize=None)
def _pattern(size: int) -> tuple[tuple[NDArray[np.int64], ...], NDArray[np.int64], NDArray[np.int64]]:
    """Upper triangle by columns: index pair, row indices and column pointers."""
    columns, rows = np.tril_indices(size)
    return (rows, columns), rows, np.concatenate([[0], np.cumsum(np.arange(1, size + 1))])


@lru_cache(maxsize=None)
def solver_name() -> str:
    """Name and version of the solver."""
    import clarabel

    return f"Clarabel {clarabel.__version__}, called directly"
