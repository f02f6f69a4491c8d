"""The loss of the authors' released code, handed to Clarabel directly.

Its residual G_i a - s_i V_i has a scale s_i >= 0 per datum. For the best s_i the residual's square is that of the part
across V_i plus min(0, V_i . G_i a)^2, so the scales go: poly4-cvx needs two triangular factors (m, m) of the data's
statistics, and one extra row per datum whose predicted twist points backwards, which is added when met.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .centring import centre, inside
from .conic import ConicProgram, solver_name
from .convex_cone import convex_cone
from .kinks import polish
from .problem import FitProblem
from .solution import Solution

__all__ = ["solve_released"]

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
    across = np.linalg.qr(problem.across.reshape(3 * count, m), mode="r")
    factor = np.linalg.qr(np.column_stack([problem.values, np.ones(count)]), mode="r")
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
    if not np.any(x):
        return _solution(problem, x, status, total)
    cone = convex_cone(problem.degree)
    unknowns = x[: m + cone.free]
    terms = [(w.ridge * problem.ridge, np.zeros(m)), (w.force * factor[:, :m], -w.force * factor[:, m])]
    terms.append((w.velocity * np.vstack([across, along[backward]]), np.zeros(len(across) + int(np.sum(backward)))))
    derivatives = _sum_of_norms([term for term in terms if np.any(term[0])], len(across), 1.0 / (w.force * np.sqrt(count)))
    centred = centre(derivatives, cone, problem.margin, unknowns, cone.interior)
    if centred is not None:
        unknowns, status = centred, f"{status}, centred"
    return _solution(problem, unknowns, status, total)


def _sum_of_norms(
    terms: list[tuple[NDArray[np.float64], NDArray[np.float64]]], always: int, share: float
) -> Callable[[NDArray[np.float64]], tuple[NDArray[np.float64], NDArray[np.float64]] | None]:
    """Derivatives of share * sum of |matrix b + offset|; rows of the last term from `always` on count only while negative."""

    def derivatives(b: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        gradient, hessian = np.zeros(len(b)), np.zeros((len(b), len(b)))
        for k, (matrix, offset) in enumerate(terms):
            rest = matrix @ b + offset
            if k == len(terms) - 1:
                kept = (np.arange(len(rest)) < always) | (rest < 0)
                matrix, rest = matrix[kept], rest[kept]
            size = float(np.linalg.norm(rest))
            if size < 1e-7 / share:  # a norm has a kink at zero: exact data stay with the solver's own accuracy
                return None
            slope = matrix.T @ rest / size
            gradient += share * slope
            hessian += share / size * (matrix.T @ matrix - np.outer(slope, slope))
        return gradient, hessian

    return derivatives


def _sums(problem: FitProblem) -> Solution:
    """ridge |a| + velocity sum |residual_i| + force sum |D_i a - 1|; a quadratic form's residual is half its gradient's."""
    m, w, count = problem.basis.count, problem.weights, len(problem.loads)
    weight = w.velocity * (0.5 if problem.degree == 2 else 1.0)
    rows = weight * np.stack([(v[:, None, :] @ problem.gradients)[:, 0] for v in _normals(problem.targets)], axis=1)
    program = _program(problem)
    if w.ridge > 0:
        program.norms(w.ridge * problem.ridge[None], np.zeros((1, m)))
    program.absolute(w.force * problem.values, np.full(count, -w.force))
    program.norms(rows, np.zeros((count, 2)), weight, program.backward(problem.along)[:, None])
    x, status, iterations = program.solve(w.force * count)
    terms = [(w.ridge * problem.ridge[None], np.zeros((1, m)))] if w.ridge > 0 else []
    terms.append((w.force * problem.values[:, None], np.full((count, 1), -w.force)))
    terms.append((rows, np.zeros((count, 2))))
    polished = polish(terms, weight * problem.along, x[:m]) if np.any(x) else None
    if polished is not None:
        if not problem.convex:
            x, status = polished, f"{status}, polished"
        else:
            unknowns = np.append(polished, x[m : m + convex_cone(problem.degree).free])
            cone = convex_cone(problem.degree)
            if inside(cone, cone.operator @ unknowns - problem.margin):
                x, status = unknowns, f"{status}, polished"
    return _solution(problem, x, status, iterations)


def _normals(v: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two unit normals (N, 3) of each unit row of v."""
    smallest = np.eye(3)[np.argmin(np.abs(v), axis=1)]
    first = np.cross(v, smallest)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return first, np.cross(v, first)
