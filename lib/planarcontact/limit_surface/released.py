"""The loss of the authors' released code, handed to Clarabel directly.

Its residual G_i a - s_i V_i has a scale s_i >= 0 per datum. For the best s_i the residual's square is that of the part
across V_i plus min(0, V_i . G_i a)^2, so the scales go: poly4-cvx needs two triangular factors (m, m) of the data's
statistics, and one extra row per datum whose predicted twist points backwards, which is added when met.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .convex_cone import convex_cone
from .problem import MARGIN, FitProblem
from .solution import Solution

__all__ = ["solve_released"]

#: Second-order cones bring Clarabel to 1e-9 everywhere, to 1e-10 not always.
TOLERANCE = 1e-9


def solve_released(problem: FitProblem) -> Solution:
    """Minimise the released loss of the problem's kind: norms for poly4-cvx, sums of norms for poly4 and quad."""
    if problem.convex and problem.degree > 2:
        return _norms(problem)
    return _sums(problem)


def _norms(problem: FitProblem) -> Solution:
    """ridge |a| + velocity |residuals| + force |D a - 1|, adding the rows of data that point backwards as they are met."""
    from .fast_path import solver_name

    m, w, count = problem.basis.count, problem.weights, len(problem.loads)
    across = np.linalg.qr(problem.across.reshape(3 * count, m), mode="r")
    factor = np.linalg.qr(np.column_stack([problem.values, np.ones(count)]), mode="r")
    along = problem.along
    backward = np.zeros(count, dtype=bool)
    iterations = 0
    while True:
        program = _Program(m, convex_cone(problem.degree).free)
        program.norm(w.ridge * problem.ridge, np.zeros(m))
        program.norm(w.force * factor[:, :m], -w.force * factor[:, m])
        rows = int(np.sum(backward))
        slack = program.extra(rows)
        program.norm(w.velocity * across, np.zeros(len(across)), w.velocity, slack)
        if rows:
            program.at_least(along[backward], slack)
        program.convex(problem.degree)
        x, status, steps = program.solve()
        iterations += steps
        b = x[:m]
        missed = ~backward & (along @ b < -1e-12 * np.max(np.abs(along @ b), initial=0.0))
        if not np.any(missed) or not np.any(b):
            gram = convex_cone(problem.degree).gram(x[: m + program.free]) if np.any(b) else None
            return Solution(b, gram, status, solver_name(), iterations)
        backward |= missed


def _sums(problem: FitProblem) -> Solution:
    """ridge |a| + velocity sum |residual_i| + force sum |D_i a - 1|; a quadratic form's residual is half its gradient's."""
    from .fast_path import solver_name

    m, w, count = problem.basis.count, problem.weights, len(problem.loads)
    weight = w.velocity * (0.5 if problem.degree == 2 else 1.0)
    program = _Program(m, convex_cone(problem.degree).free if problem.convex else 0)
    program.norm(w.ridge * problem.ridge, np.zeros(m))
    program.absolute(w.force * problem.values, np.full(count, -w.force))
    first, second = _normals(problem.targets)
    slack = program.extra(count)
    rows = weight * np.stack([(v[:, None, :] @ problem.gradients)[:, 0] for v in (first, second)], axis=1)
    for i in range(count):
        program.norm(rows[i], np.zeros(2), weight, slack[i : i + 1])
    program.at_least(problem.along, slack)
    if problem.convex:
        program.convex(problem.degree)
    x, status, iterations = program.solve()
    gram = convex_cone(problem.degree).gram(x[: m + program.free]) if problem.convex and np.any(x) else None
    return Solution(x[:m], gram, status, solver_name(), iterations)


def _normals(v: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two unit normals (N, 3) of each unit row of v."""
    smallest = np.eye(3)[np.argmin(np.abs(v), axis=1)]
    first = np.cross(v, smallest)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return first, np.cross(v, first)


class _Program:
    """A conic program in (b, w, extra unknowns), built term by term: rows of G with G x + s = h, s in a cone."""

    def __init__(self, count: int, free: int):
        self.count, self.free, self.size = count, free, count + free
        self.cost: list[int] = []
        self.blocks: list[tuple[list[tuple[NDArray[np.int64], NDArray[np.float64]]], NDArray[np.float64], Any]] = []

    def extra(self, number: int) -> NDArray[np.int64]:
        """Add unknowns and return their columns."""
        columns = np.arange(self.size, self.size + number)
        self.size += number
        return columns

    def norm(
        self,
        matrix: NDArray[np.float64],
        offset: NDArray[np.float64],
        weight: float = 1.0,
        slack: NDArray[np.int64] | None = None,
    ) -> None:
        """Add |(matrix b + offset, weight * slack)| to the loss."""
        import clarabel

        bound = self.extra(1)
        slack = np.empty(0, dtype=np.int64) if slack is None else slack
        n, k = len(matrix), len(slack)
        terms = [
            (bound, np.vstack([[[-1.0]], np.zeros((n + k, 1))])),
            (np.arange(self.count), np.vstack([np.zeros((1, self.count)), -matrix, np.zeros((k, self.count))])),
            (slack, np.vstack([np.zeros((1 + n, k)), -weight * np.eye(k)])),
        ]
        self.cost.append(int(bound[0]))
        self.blocks.append((terms, np.concatenate([[0.0], offset, np.zeros(k)]), clarabel.SecondOrderConeT(1 + n + k)))

    def absolute(self, matrix: NDArray[np.float64], offset: NDArray[np.float64]) -> None:
        """Add the sum of |matrix b + offset| to the loss."""
        import clarabel

        n = len(matrix)
        bounds = self.extra(n)
        self.cost.extend(bounds.tolist())
        terms = [(bounds, np.vstack([-np.eye(n), -np.eye(n)])), (np.arange(self.count), np.vstack([matrix, -matrix]))]
        self.blocks.append((terms, np.concatenate([-offset, offset]), clarabel.NonnegativeConeT(2 * n)))

    def at_least(self, matrix: NDArray[np.float64], slack: NDArray[np.int64]) -> None:
        """Require slack >= -matrix b and slack >= 0."""
        import clarabel

        n = len(matrix)
        terms = [
            (slack, np.vstack([-np.eye(n), -np.eye(n)])),
            (np.arange(self.count), np.vstack([-matrix, np.zeros_like(matrix)])),
        ]
        self.blocks.append((terms, np.zeros(2 * n), clarabel.NonnegativeConeT(2 * n)))

    def convex(self, degree: int) -> None:
        """Require sos-convexity, Q >= MARGIN I."""
        import clarabel

        cone, start, columns = convex_cone(degree), 0, np.arange(self.count + self.free)
        for n in cone.blocks:
            stop = start + n * (n + 1) // 2
            terms = [(columns, -cone.operator[start:stop])]
            self.blocks.append((terms, -MARGIN * cone.identity[start:stop], clarabel.PSDTriangleConeT(n)))
            start = stop

    def solve(self) -> tuple[NDArray[np.float64], str, int]:
        """Return the unknowns (zeros where none were found), the solver's word and its iterations."""
        import clarabel
        from scipy import sparse

        from .fast_path import settings

        rows = sum(len(offset) for _, offset, _ in self.blocks)
        matrix, start = np.zeros((rows, self.size)), 0
        for terms, offset, _ in self.blocks:
            for columns, values in terms:
                matrix[start : start + len(offset), columns] += values
            start += len(offset)
        cost = np.zeros(self.size)
        cost[self.cost] = 1.0
        offsets = np.concatenate([offset for _, offset, _ in self.blocks])
        nothing = sparse.csc_matrix((self.size, self.size))
        cones = [cone for _, _, cone in self.blocks]
        result = clarabel.DefaultSolver(nothing, cost, sparse.csc_matrix(matrix), offsets, cones, settings(tolerance=TOLERANCE)).solve()
        x = np.asarray(result.x)
        if not np.all(np.isfinite(x)):
            x = np.zeros(self.size)
        return x, str(result.status), int(result.iterations)
