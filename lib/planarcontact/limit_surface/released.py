"""The loss of the authors' released code, handed to Clarabel directly.

Its residual G_i a - s_i V_i has a scale s_i >= 0 per datum. For the best s_i the residual's square is that of the part
across V_i plus min(0, V_i . G_i a)^2, so the scales go: poly4-cvx needs two triangular factors (m, m) of the data's
statistics, and one extra row per datum whose predicted twist points backwards, which is added when met.
"""

import numpy as np
from numpy.typing import NDArray

from .central_path import Loss, descend
from .conic import TOLERANCE, ConicProgram, solver_name
from .convex_cone import convex_cone
from .problem import FitProblem
from .solution import Solution

__all__ = ["released_loss", "solve_released"]

#: A loss below this, relative to that of H = 0, is one of exact data.
EXACT = 1e-7


def solve_released(problem: FitProblem) -> Solution:
    """Minimise the released loss of the problem's kind: norms for poly4-cvx, sums of norms for poly4 and quad."""
    if problem.convex and problem.degree > 2:
        return _norms(problem)
    return _sums(problem)


def _program(problem: FitProblem) -> ConicProgram:
    if problem.convex:
        return ConicProgram(problem.basis.count, problem.degree, problem.margin)
    return ConicProgram(problem.basis.count)


def _solution(problem: FitProblem, x: NDArray[np.float64], status: str, iterations: int) -> Solution:
    m = problem.basis.count
    gram = None
    if problem.convex and np.any(x):
        cone = convex_cone(problem.degree)
        gram = cone.gram(x[: m + cone.free])
    if problem.loss(x[:m]) <= EXACT * problem.loss(np.zeros(m)):
        status = f"{status}, exact"  # no loss is negative: this one proves its gap itself
    return Solution(x[:m], gram, status, solver_name(), iterations)


def _norms(problem: FitProblem) -> Solution:
    """ridge |a| + velocity |residuals| + force |D a - 1|, adding the rows of data that point backwards as they are met."""
    m, w, count = problem.basis.count, problem.weights, len(problem.loads)
    across, factor = problem.triangles
    along = problem.along
    backward = np.zeros(count, dtype=bool)
    total = 0
    while True:
        program = _program(problem)
        if w.ridge > 0:
            program.norms(w.ridge * problem.ridge[None], np.zeros((1, m)))
        program.norms(w.force * factor[None, :, :m], -w.force * factor[None, :, m])
        slack = program.backward(along[backward])[None] if np.any(backward) else None
        program.norms(w.velocity * across[None], np.zeros((1, len(across))), w.velocity, slack)
        x, status, iterations = program.solve(w.force * np.sqrt(count))
        total += iterations
        ahead = along @ x[:m]
        missed = ~backward & (ahead < -1e-9 * np.max(np.abs(ahead), initial=0.0))
        if not np.any(missed):
            break
        backward |= missed
    return _centred(problem, x, status, total)


def _centred(problem: FitProblem, x: NDArray[np.float64], status: str, iterations: int) -> Solution:
    """Move what Clarabel found to the central path."""
    m = problem.basis.count
    unknowns = x[: m + convex_cone(problem.degree).free] if problem.convex else x[:m]
    if np.any(x):
        cone = (problem.degree, problem.margin) if problem.convex else (None, None)
        found = descend(released_loss(problem), *cone, unknowns, TOLERANCE)
        if found is not None:
            unknowns, status = found[0], f"{status}, centred"
    return _solution(problem, unknowns, status, iterations)


def released_loss(problem: FitProblem) -> Loss:
    """The loss as norms of rows: one of all data each for poly4-cvx, one of each datum for poly4 and quad."""
    m, w, count = problem.basis.count, problem.weights, len(problem.loads)
    terms: list[tuple[NDArray[np.float64], NDArray[np.float64] | float, NDArray[np.bool_] | bool]] = []
    if w.ridge > 0:
        terms.append((w.ridge * problem.ridge[None], 0.0, False))
    if problem.convex and problem.degree > 2:
        across, factor = problem.triangles
        terms.append((w.force * factor[None, :, :m], -w.force * factor[:, m], False))
        rows = np.vstack([across, problem.along])
        terms.append((w.velocity * rows[None], 0.0, np.arange(len(rows)) >= len(across)))
        return Loss.norms(terms, 1.0 / (w.force * np.sqrt(count)))
    weight = _weight(problem)
    terms.append((w.force * problem.values[:, None], -w.force, False))
    rows = weight * np.concatenate([problem.sideways, problem.along[:, None]], axis=1)
    terms.append((rows, 0.0, np.array([False, False, True])))
    return Loss.norms(terms, 1.0 / (w.force * count))


def _weight(problem: FitProblem) -> float:
    return problem.weights.velocity * (0.5 if problem.degree == 2 else 1.0)


def _sums(problem: FitProblem) -> Solution:
    """ridge |a| + velocity sum |residual_i| + force sum |D_i a - 1|; a quadratic form's residual is half its gradient's."""
    m, w, count = problem.basis.count, problem.weights, len(problem.loads)
    weight = _weight(problem)
    rows = weight * problem.sideways
    program = _program(problem)
    if w.ridge > 0:
        program.norms(w.ridge * problem.ridge[None], np.zeros((1, m)))
    program.absolute(w.force * problem.values, np.full(count, -w.force))
    program.norms(rows, np.zeros((count, 2)), weight, program.backward(problem.along)[:, None])
    x, status, iterations = program.solve(w.force * count)
    return _centred(problem, x, status, iterations)
