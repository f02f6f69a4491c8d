"""Sos-convexity of a form: the Gram matrices Q with z' Hess H(F) z = y(F, z)' Q y(F, z)."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .polynomial import monomials

__all__ = ["GramMap", "gram_map", "outer_change"]


@dataclass(frozen=True, eq=False)
class GramMap:
    """The linear equations between coefficients a and Gram matrices Q (document 3, Eqs. 4, 5 and 7).

    y(F, z) = z (x) m(F) with m the monomials of degree d / 2 - 1, z the slow index: for d = 4
    y = (z_1 F_x, z_1 F_y, z_1 F_z, z_2 F_x, ...). Every entry of Q feeds exactly one coefficient of the
    biform z' Hess H z, so the equations split into disjoint groups, one for each of its K monomials: K = 36 for d = 4
    (the document says 27), 90 for d = 6, 168 for d = 8, all independent.

    Attributes:
        degree: d, even.
        size: n, Q is (n, n).
        rows, columns: (p,) the upper triangle of Q, p = n (n + 1) / 2.
        group: (p,) the equation that each of those entries feeds.
        multiplicity: (p,) how often it is counted: 1 on the diagonal, else 2.
        right: (K, m) so that right @ a are the biform's coefficients.
    """

    degree: int
    size: int = field(init=False)
    rows: NDArray[np.int64] = field(init=False)
    columns: NDArray[np.int64] = field(init=False)
    group: NDArray[np.int64] = field(init=False)
    multiplicity: NDArray[np.float64] = field(init=False)
    right: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        d = self.degree
        half, whole, full = monomials(d // 2 - 1), monomials(d - 2), monomials(d)
        pairs = monomials(2)
        n = 3 * half.count
        rows, columns = np.triu_indices(n)
        z, f = np.divmod(np.arange(n), half.count)
        unit = np.eye(3, dtype=np.int64)
        pair = pairs.index(unit[z[rows]] + unit[z[columns]])
        power = whole.index(half.exponents[f[rows]] + half.exponents[f[columns]])
        right = np.zeros((pairs.count * whole.count, full.count))
        for p, e in enumerate(pairs.exponents):
            axes = np.repeat(np.arange(3), e)
            lowered, factor = full.exponents.copy(), np.full(full.count, 2.0 if axes[0] != axes[1] else 1.0)
            for axis in axes:
                factor *= lowered[:, axis]
                lowered[:, axis] -= 1
            kept = np.flatnonzero(factor)
            right[p * whole.count + whole.index(lowered[kept]), kept] = factor[kept]
        for name, value in dict(
            size=n,
            rows=rows,
            columns=columns,
            group=pair * whole.count + power,
            multiplicity=np.where(rows == columns, 1.0, 2.0),
            right=right,
        ).items():
            object.__setattr__(self, name, value)

    @property
    def equations(self) -> int:
        """K, the number of equations."""
        return len(self.right)

    def matrix(self) -> NDArray[np.float64]:
        """Return the constraint matrix (K, p + m) that (upper triangle of Q, a) annuls: (36, 45 + 15) for d = 4."""
        left = np.zeros((self.equations, len(self.rows)))
        left[self.group, np.arange(len(self.rows))] = self.multiplicity
        return np.hstack([left, -self.right])

    def lift(self) -> NDArray[np.float64]:
        """Return L (p, m): L @ a is the upper triangle of the smallest Q (Frobenius norm) that solves the equations."""
        weight = np.bincount(self.group, self.multiplicity, self.equations)
        return (self.right / weight[:, None])[self.group]

    def null(self) -> NDArray[np.float64]:
        """Return N (p, q): upper triangles of a basis of the Gram matrices of the zero form, q = p - K."""
        order = np.argsort(self.group, kind="stable")
        same = np.flatnonzero(self.group[order][1:] == self.group[order][:-1])
        out = np.zeros((len(self.rows), len(same)))
        columns = np.arange(len(same))
        before, after = order[same], order[same + 1]
        out[before, columns] = 1.0 / self.multiplicity[before]
        out[after, columns] = -1.0 / self.multiplicity[after]
        return out

    def square(self, triangle: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the symmetric matrix (n, n) whose upper triangle is given (p,)."""
        out = np.empty((self.size, self.size))
        out[self.rows, self.columns] = triangle
        out[self.columns, self.rows] = triangle
        return out

    def reproject(self, gram: NDArray[np.float64], coefficients: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the Gram matrix of these coefficients that is nearest to `gram` (n, n)."""
        triangle = gram[self.rows, self.columns]
        weight = np.bincount(self.group, self.multiplicity, self.equations)
        have = np.bincount(self.group, self.multiplicity * triangle, self.equations)
        return self.square(triangle + ((self.right @ coefficients - have) / weight)[self.group])


def outer_change(matrix: NDArray[np.float64], degree: int) -> NDArray[np.float64]:
    """Return C (n, n) with y(matrix @ F, matrix @ z) = C @ y(F, z): a Gram matrix Q becomes C' Q C."""
    half = monomials(degree // 2 - 1).substitution(matrix).T
    n = 3 * len(half)
    return (matrix[:, None, :, None] * half[None, :, None, :]).reshape(n, n)


@lru_cache(maxsize=None)
def gram_map(degree: int) -> GramMap:
    """Return the (cached) Gram map of an even degree."""
    return GramMap(degree)
