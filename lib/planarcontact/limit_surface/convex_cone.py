"""The sos-convex forms as a linear map into cones of semidefinite matrices, with the equations eliminated."""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from .polynomial import Monomials, monomials
from .sos import gram_map

__all__ = ["ConvexCone", "convex_cone"]

_HALF = float(np.sqrt(0.5))


@dataclass(frozen=True, eq=False)
class ConvexCone:
    """H(F; a) is sos-convex exactly when some w makes every block of `operator @ (a, w)` positive semidefinite.

    In general the one block is the Gram matrix Q = Q0(a) + sum of w_k N_k of `GramMap`: 24 unknowns and a 9 x 9 block for
    d = 4. For d = 4 there is a smaller equivalent. The biform z' Hess H(F) z is 12 times the symmetric tensor of H at
    (F, F, z, z), so swapping F and z does not change it, and Q may be averaged with its swapped self: it splits into a
    6 x 6 block on the symmetric part of z (x) F and a 3 x 3 block on z x F. The 6 x 6 block is then fixed by a and the
    3 x 3 block: 21 unknowns, blocks 6 and 3.

    Attributes:
        degree: d, even.
        blocks: orders of the blocks.
        free: number of the unknowns w.
        operator: (rows, m + free), onto the blocks' upper triangles, column by column, off-diagonal entries times
            sqrt(2), one block after the other.
        identity: (rows,) the same for identity blocks, which stand for the identity as Gram matrix.
        bases: per block (n, order), orthonormal columns: Q is the sum of basis @ block @ basis'.
    """

    degree: int
    blocks: tuple[int, ...] = field(init=False)
    free: int = field(init=False)
    operator: NDArray[np.float64] = field(init=False)
    identity: NDArray[np.float64] = field(init=False)
    bases: tuple[NDArray[np.float64], ...] = field(init=False)

    def __post_init__(self) -> None:
        if self.degree == 4:
            bases = _symmetric_and_skew()
            operator, free = _split_quartic(bases)
        else:
            grams = gram_map(self.degree)
            bases = (np.eye(grams.size),)
            order = np.lexsort((grams.rows, grams.columns))
            operator = np.hstack([grams.lift(), grams.null()])[order] * np.sqrt(grams.multiplicity)[order, None]
            free = operator.shape[1] - monomials(self.degree).count
        blocks = tuple(basis.shape[1] for basis in bases)
        identity = np.concatenate([triangle(np.eye(n)) for n in blocks])
        for name, value in dict(blocks=blocks, free=free, operator=operator, identity=identity, bases=bases).items():
            object.__setattr__(self, name, value)

    def matrices(self, rows: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Return the blocks (order, order) whose scaled triangles are `rows`."""
        out, start = [], 0
        for n in self.blocks:
            stop = start + n * (n + 1) // 2
            out.append(square(rows[start:stop], n))
            start = stop
        return out

    def gram(self, unknowns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the Gram matrix (n, n) of unknowns (a, w)."""
        blocks = self.matrices(self.operator @ unknowns)
        return sum((basis @ block @ basis.T for basis, block in zip(self.bases, blocks)), np.zeros((1, 1)))


    def rows(self, gram: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the blocks of a Gram matrix (n, n) that is its own swap, as rows of the cone."""
        return np.concatenate([triangle(basis.T @ gram @ basis) for basis in self.bases])

    @cached_property
    def interior(self) -> NDArray[np.float64]:
        """Unknowns (a, w) of |F|^d whose blocks are positive definite.

        z' Hess |F|^d z = d |F|^(d-2) |z|^2 + d (d-2) |F|^(d-4) (F . z)^2. The first term has a diagonal, definite Gram matrix
        with multinomial coefficients, the second a sum of squares of (F . z) times the monomials of |F|^(d-4).
        """
        d, half = self.degree, monomials(self.degree // 2 - 1)
        gram = np.kron(np.eye(3), np.diag(d * _multinomials(half)))
        if d > 2:
            lower = monomials(d // 2 - 2)
            for row, share in zip(lower.exponents, _multinomials(lower)):
                across = np.zeros((3, half.count))
                across[np.arange(3), half.index(row + np.eye(3, dtype=np.int64))] = 1.0
                gram += d * (d - 2) * share * np.outer(across, across)
        m = monomials(d).power_of_norm
        w = np.linalg.lstsq(self.operator[:, len(m) :], self.rows(gram) - self.operator[:, : len(m)] @ m, rcond=None)[0]
        return np.append(m, w)


def _multinomials(basis: Monomials) -> NDArray[np.float64]:
    """Coefficients of (x + y + z)^k in the order of the basis."""
    return 1.0 / basis.bombieri


def triangle(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scaled upper triangle of a symmetric matrix, column by column."""
    rows, columns, weight = _layout(len(matrix))
    return matrix[rows, columns] * weight


def square(rows: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Return the symmetric matrix (n, n) with this scaled upper triangle."""
    i, j, weight = _layout(n)
    out = np.empty((n, n))
    out[i, j] = out[j, i] = rows / weight
    return out


@lru_cache(maxsize=None)
def _layout(n: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    columns, rows = np.tril_indices(n)
    return rows, columns, np.where(rows == columns, 1.0, np.sqrt(2.0))


def _symmetric_and_skew() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Orthonormal bases of the symmetric (9, 6) and skew (9, 3) parts of z (x) F."""
    symmetric, skew = np.zeros((9, 6)), np.zeros((9, 3))
    for column, (i, j) in enumerate([(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]):
        symmetric[[3 * i + j, 3 * j + i], column] = 1.0 if i == j else _HALF
    for column, (i, j) in enumerate([(1, 2), (2, 0), (0, 1)]):
        skew[[3 * i + j, 3 * j + i], column] = _HALF, -_HALF
    return symmetric, skew


def _split_quartic(bases: tuple[NDArray[np.float64], ...]) -> tuple[NDArray[np.float64], int]:
    """Solve the 36 equations for the 6 x 6 block, given a and the 3 x 3 block; no entry is left over."""
    grams = gram_map(4)
    left = grams.matrix()[:, : len(grams.rows)]

    def equations(basis: NDArray[np.float64]) -> NDArray[np.float64]:
        n = basis.shape[1]
        squares = [basis @ square(unit, n) @ basis.T for unit in np.eye(n * (n + 1) // 2)]
        return np.column_stack([left @ q[grams.rows, grams.columns] for q in squares])

    symmetric, skew = map(equations, bases)
    of_a = np.linalg.lstsq(symmetric, grams.right, rcond=None)[0]
    of_w = np.linalg.lstsq(symmetric, -skew, rcond=None)[0]
    operator = np.block([[of_a, of_w], [np.zeros((6, of_a.shape[1])), np.eye(6)]])
    operator[np.abs(operator) < 1e-12] = 0.0
    return operator, 6


@lru_cache(maxsize=None)
def convex_cone(degree: int) -> ConvexCone:
    """Return the (cached) cone of an even degree."""
    return ConvexCone(degree)
