"""Small conic programs, assembled term by term and handed to Clarabel."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .convex_cone import convex_cone

__all__ = ["Cone", "ConicProgram", "Panicked", "clarabel_cones", "clarabel_settings", "solved", "solver_name"]

#: Where Clarabel may stop: second-order cones do not always let it go further.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Cone:
    """`copies` cones of one kind and order, one after the other: "semidefinite" (scaled triangles), "second order", "nonnegative"."""

    kind: str
    order: int
    copies: int


@dataclass(eq=False)
class ConicProgram:
    """Minimise cost . x over x = (b, w, further unknowns) with offset - matrix @ x in a product of cones.

    Attributes:
        count: number of coefficients b.
        degree: degree of the form if it must be sos-convex, or None.
        margin: (rows,) what the blocks of the convex cone must at least be, where there is a degree.
    """

    count: int
    degree: int | None = None
    margin: NDArray[np.float64] | None = None
    size: int = field(init=False)
    cost: list[int] = field(default_factory=list)
    blocks: list[tuple[list[tuple[NDArray[np.int64], NDArray[np.float64]]], NDArray[np.float64], Cone]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.size = self.count
        if self.degree is not None and self.margin is not None:
            cone, start = convex_cone(self.degree), 0
            self.size += cone.free
            for n in cone.blocks:
                stop = start + n * (n + 1) // 2
                terms = [(np.arange(self.size), -cone.operator[start:stop])]
                self.blocks.append((terms, -self.margin[start:stop], Cone("semidefinite", n, 1)))
                start = stop

    def extra(self, number: int) -> NDArray[np.int64]:
        """Add unknowns and return their columns."""
        columns = np.arange(self.size, self.size + number)
        self.size += number
        return columns

    def norms(
        self,
        matrices: NDArray[np.float64],
        offsets: NDArray[np.float64],
        weight: float = 1.0,
        slack: NDArray[np.int64] | None = None,
    ) -> None:
        """Add the sum over k of |(matrices[k] b + offsets[k], weight * slack[k])|: shapes (K, n, m), (K, n), (K, p)."""
        groups, n, _ = matrices.shape
        slack = np.empty((groups, 0), dtype=np.int64) if slack is None else slack
        p = slack.shape[1]
        bound = self.extra(groups)
        self.cost.extend(bound.tolist())
        order, every = 1 + n + p, np.arange(groups)
        of_bound, of_b = np.zeros((groups * order, groups)), np.zeros((groups, order, self.count))
        of_slack = np.zeros((groups * order, groups * p))
        of_bound[every * order, every] = -1.0
        of_b[:, 1 : 1 + n] = -matrices
        for k in range(p):
            of_slack[every * order + 1 + n + k, every * p + k] = -weight
        terms = [(bound, of_bound), (np.arange(self.count), of_b.reshape(-1, self.count)), (slack.ravel(), of_slack)]
        right = np.concatenate([np.zeros((groups, 1)), offsets, np.zeros((groups, p))], axis=1).ravel()
        self.blocks.append((terms, right, Cone("second order", order, groups)))

    def absolute(self, matrix: NDArray[np.float64], offset: NDArray[np.float64]) -> None:
        """Add the sum of |matrix b + offset|."""
        n = len(matrix)
        bounds = self.extra(n)
        self.cost.extend(bounds.tolist())
        terms = [(bounds, np.vstack([-np.eye(n), -np.eye(n)])), (np.arange(self.count), np.vstack([matrix, -matrix]))]
        self.blocks.append((terms, np.concatenate([-offset, offset]), Cone("nonnegative", 2 * n, 1)))

    def backward(self, matrix: NDArray[np.float64]) -> NDArray[np.int64]:
        """Add unknowns that are at least 0 and at least -matrix b, and return their columns."""
        n = len(matrix)
        slack = self.extra(n)
        terms = [
            (slack, np.vstack([-np.eye(n), -np.eye(n)])),
            (np.arange(self.count), np.vstack([-matrix, np.zeros_like(matrix)])),
        ]
        self.blocks.append((terms, np.zeros(2 * n), Cone("nonnegative", 2 * n, 1)))
        return slack

    def solve(self, scale: float) -> tuple[NDArray[np.float64], str, int]:
        """Return the unknowns (zeros where none were found), a word on how it went, and Clarabel's iterations.

        scale: the loss at x = 0, to which gaps are relative.
        """
        import clarabel
        from scipy import sparse

        matrix = np.zeros((sum(len(offset) for _, offset, _ in self.blocks), self.size))
        start = 0
        for terms, offset, _ in self.blocks:
            for columns, values in terms:
                matrix[start : start + len(offset), columns] += values
            start += len(offset)
        cost = np.zeros(self.size)
        cost[self.cost] = 1.0 / scale
        offsets = np.concatenate([offset for _, offset, _ in self.blocks])
        cones = [cone for _, _, cone in self.blocks]
        nothing = sparse.csc_matrix((self.size, self.size))
        settings = clarabel_settings()
        result = solved(clarabel.DefaultSolver(nothing, cost, sparse.csc_matrix(matrix), offsets, clarabel_cones(cones), settings))
        x, status = np.asarray(result.x), str(result.status)
        if not np.all(np.isfinite(x)):
            return np.zeros(self.size), status, int(result.iterations)
        return x, status, int(result.iterations)


@dataclass(frozen=True)
class Panicked:
    """What stands for Clarabel's result where its Rust code panicked: no numbers."""

    x: tuple[float, ...] = (float("nan"),)
    status: str = "panicked"
    iterations: int = 0


def solved(solver: Any) -> Any:
    """Return the result of a Clarabel solver, or `Panicked`: a panic of Rust code leaves as what is no `Exception`."""
    try:
        return solver.solve()
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ != "PanicException":
            raise
        return Panicked()


def clarabel_cones(cones: list[Cone]) -> list[Any]:
    """Return Clarabel's names for these cones."""
    import clarabel

    names = {
        "semidefinite": clarabel.PSDTriangleConeT,
        "second order": clarabel.SecondOrderConeT,
        "nonnegative": clarabel.NonnegativeConeT,
    }
    return [names[cone.kind](cone.order) for cone in cones for _ in range(cone.copies)]


def clarabel_settings(tolerance: float = TOLERANCE, equilibrate: bool = True) -> Any:
    """Return Clarabel's settings, all that matter named here: no default that changes with a release decides."""
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
def solver_name() -> str:
    """Return name and version of the solver."""
    import clarabel

    return f"Clarabel {clarabel.__version__}, called directly"
