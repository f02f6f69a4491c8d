"""The identification problem solved without a modelling language: equations eliminated, data reduced to their statistics.

Two ways lead to the same point of the central path: Clarabel comes near it, or it is followed from the interior.
"""

import threading
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .central_path import Loss, descend, inside
from .conic import Cone, Panicked, clarabel_cones, clarabel_settings, solved, solver_name
from .convex_cone import ConvexCone, convex_cone
from .problem import FitProblem
from .released import released_loss, solve_released
from .solution import Solution

__all__ = ["COMPILED", "solve_compiled", "solve_direct", "solve_quadratic"]

Array = NDArray[np.float64]

#: Where Clarabel may stop when centring follows.
ROUGH = 1e-4
#: What a solution says of the solver where there is none but ours.
COMPILED = "central path from the interior, compiled"
_LOCAL = threading.local()


def solve_direct(problem: FitProblem) -> Solution:
    """Solve a `FitProblem` by Clarabel, called directly; `solve_statement` is the reference that this is held to."""
    if problem.objective == "released":
        return solve_released(problem)
    hessian, gradient = problem.statistics()
    if not problem.convex:
        return Solution(_minimum(hessian, gradient), None, "Solved", "least squares", 0)
    return solve_quadratic(problem.degree, hessian, gradient, problem.margin)


def solve_compiled(problem: FitProblem) -> Solution:
    """Solve a `FitProblem` by following the central path from |F|^d on."""
    if problem.objective == "printed":
        hessian, gradient = problem.statistics()
        if not problem.convex:
            return Solution(_minimum(hessian, gradient), None, "Solved", "least squares", 0)
        loss = Loss(hessian, gradient)
    else:
        loss = released_loss(problem)
    m = problem.basis.count
    start = convex_cone(problem.degree).interior if problem.convex else problem.basis.power_of_norm
    start = start / float(np.mean(problem.values @ start[:m]))
    found = descend(loss, problem.degree if problem.convex else None, problem.margin if problem.convex else None, start)
    if found is None:
        return Solution(np.zeros(m), None, "not reached", COMPILED, 0)
    x, steps = found
    return Solution(x[:m], convex_cone(problem.degree).gram(x) if problem.convex else None, "centred", COMPILED, steps)


def solve_quadratic(degree: int, hessian: Array, gradient: Array, margin: Array) -> Solution:
    """Minimise b' hessian b / 2 + gradient . b over sos-convex forms (Eqs. 6 to 8): a quadratic program over semidefinite blocks.

    The data enter as a matrix (m, m) and a vector (m,), whatever their number; `margin` is what the cone's blocks must at least be.
    """
    cone = convex_cone(degree)
    found = _already_convex(cone, _minimum(hessian, gradient), margin)
    if found is not None:
        return Solution(found[: len(gradient)], cone.gram(found), "Solved", solver_name(), 0)
    linear = np.append(gradient, np.zeros(cone.free))
    for attempt in (_reused, _fresh):
        result = attempt(cone, hessian, linear, margin)
        x, status = np.asarray(result.x), str(result.status)
        if not np.all(np.isfinite(x)):
            x = np.zeros(len(linear))
            continue
        centred = descend(Loss(hessian, gradient), degree, margin, x, ROUGH)
        if centred is not None:
            x, status = centred[0], f"{status}, centred"
            break
    return Solution(x[: len(gradient)], cone.gram(x), status, solver_name(), result.iterations)


def _minimum(hessian: Array, gradient: Array) -> Array:
    """Minimise b' H b / 2 + g' b."""
    try:
        np.linalg.cholesky(hessian)
        return np.linalg.solve(hessian, -gradient)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(hessian, -gradient, rcond=1e-14)[0]


def _already_convex(
    cone: ConvexCone, b: Array, margin: Array
) -> Array | None:
    """Return unknowns (b, w) inside the cone for a few plain choices of w, or None: then nothing is known."""
    rows = cone.operator[:, : len(b)] @ b
    if cone.degree != 4:
        trials = [np.zeros(cone.free)]
    else:
        size = float(np.mean(np.diag(cone.matrices(rows)[0])))
        trials = [share * size * np.array([1.0, 0.0, 1.0, 0.0, 0.0, 1.0]) for share in (0.1, 0.25, 0.4)]
    for w in trials:
        if inside(cone.degree, rows + cone.operator[:, len(b) :] @ w - margin):
            return np.append(b, w)
    return None


def _reused(cone: ConvexCone, hessian: Array, linear: Array, margin: Array) -> Any:
    """Solve with this thread's solver of this degree, whose cones stay and whose numbers are replaced.

    Equilibration is off, so that nothing of an earlier problem remains and results do not depend on their order.
    """
    solvers = _LOCAL.__dict__.setdefault("printed", {})
    if cone.degree not in solvers:
        settings = clarabel_settings(ROUGH, equilibrate=False)
        solvers[cone.degree] = _solver(cone, np.eye(len(hessian)), linear, margin, settings)
    entries, _, _ = _pattern(len(hessian))
    solvers[cone.degree].update(P=hessian[entries], q=linear, b=-margin)
    result = solved(solvers[cone.degree])
    if isinstance(result, Panicked):
        del solvers[cone.degree]
    return result


def _fresh(cone: ConvexCone, hessian: Array, linear: Array, margin: Array) -> Any:
    """Solve with a solver of its own, equilibrated and to the tighter tolerance."""
    return solved(_solver(cone, hessian, linear, margin, clarabel_settings()))


def _solver(
    cone: ConvexCone,
    hessian: Array,
    linear: Array,
    margin: Array,
    settings: Any,
) -> Any:
    import clarabel
    from scipy import sparse

    entries, indices, pointers = _pattern(len(hessian))
    pointers = np.append(pointers, np.full(cone.free, pointers[-1]))
    quadratic = sparse.csc_matrix((hessian[entries], indices, pointers), shape=(len(linear), len(linear)))
    return clarabel.DefaultSolver(
        quadratic,
        linear,
        sparse.csc_matrix(-cone.operator),
        -margin,
        clarabel_cones(_cones(cone)),
        settings,
    )


def _cones(cone: ConvexCone) -> list[Cone]:
    return [Cone("semidefinite", n, 1) for n in cone.blocks]


@lru_cache(maxsize=None)
def _pattern(size: int) -> tuple[tuple[NDArray[np.int64], ...], NDArray[np.int64], NDArray[np.int64]]:
    """Upper triangle by columns: index pair, row indices and column pointers."""
    columns, rows = np.tril_indices(size)
    return (rows, columns), rows, np.concatenate([[0], np.cumsum(np.arange(1, size + 1))])
