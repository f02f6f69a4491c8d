"""Homogeneous polynomials in three variables: monomials, derivatives, inner product, change of frame."""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import factorial

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .checks import whole_number

__all__ = ["Monomials", "directions", "monomials"]


@dataclass(frozen=True, eq=False)
class Monomials:
    """The monomials of one degree d in F = (F_x, F_y, F_z), in a fixed order.

    Order: exponents (i, j, k), i + j + k = d, sorted by falling i, then by falling j. Degree 2 is
    x^2, xy, xz, y^2, yz, z^2; degree 4 is x^4, x^3 y, x^3 z, x^2 y^2, x^2 yz, x^2 z^2, x y^3, x y^2 z,
    x y z^2, x z^3, y^4, y^3 z, y^2 z^2, y z^3, z^4.

    Attributes:
        degree: d, from 0 to 60.
        exponents: (m, 3) integers, m = (d + 1)(d + 2) / 2.

    Source: document 3, theorem 2 (H(F; a) = sum of a_i times monomial i).
    """

    degree: int
    exponents: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        d = _checked_degree(self.degree)
        object.__setattr__(self, "degree", d)
        rows = [(i, j, d - i - j) for i in range(d, -1, -1) for j in range(d - i, -1, -1)]
        exponents = np.array(rows, dtype=np.int64)
        exponents.setflags(write=False)
        object.__setattr__(self, "exponents", exponents)

    @property
    def count(self) -> int:
        """Number of monomials m."""
        return len(self.exponents)

    def index(self, exponents: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the positions (...,) of exponents (..., 3) in this order."""
        r = self.degree - exponents[..., 0]
        return r * (r + 1) // 2 + r - exponents[..., 1]

    def values(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the monomials (N, m) at points (N, 3)."""
        powers = self._powers(points)
        i, j, k = self.exponents.T
        return powers[:, 0, i] * powers[:, 1, j] * powers[:, 2, k]

    def gradients(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the monomials' gradients (N, 3, m) at points (N, 3)."""
        powers = self._powers(points)
        i, j, k = self._lowered
        return self.exponents.T * (powers[:, 0, i] * powers[:, 1, j] * powers[:, 2, k])

    def hessians(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the monomials' Hessians (N, 3, 3, m) at points (N, 3)."""
        powers = self._powers(points)
        out = np.empty((len(points), 3, 3, self.count))
        for row in range(3):
            for column in range(row, 3):
                lowered, factor = self.exponents.copy(), np.ones(self.count)
                for axis in (row, column):
                    factor = factor * lowered[:, axis]
                    lowered[:, axis] = np.maximum(lowered[:, axis] - 1, 0)
                i, j, k = lowered.T
                out[:, row, column] = factor * powers[:, 0, i] * powers[:, 1, j] * powers[:, 2, k]
                out[:, column, row] = out[:, row, column]
        return out

    def second(self, coefficients: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the second derivatives xx, xy, xz, yy, yz, zz of a form (m,) as forms (6, n) of degree d - 2 >= 0."""
        return self._second @ coefficients

    @cached_property
    def _second(self) -> NDArray[np.float64]:
        """The map (6, n, m) from coefficients to those of the second derivatives."""
        lower = monomials(self.degree - 2)
        out = np.zeros((6, lower.count, self.count))
        for row, axes in enumerate(((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))):
            lowered, factor = self.exponents.copy(), np.ones(self.count)
            for axis in axes:
                factor = factor * lowered[:, axis]
                lowered[:, axis] -= 1
            kept = np.flatnonzero(factor)
            out[row, lower.index(lowered[kept]), kept] = factor[kept]
        return out

    @cached_property
    def pure(self) -> NDArray[np.int64]:
        """Positions (3,) of x^d, y^d and z^d."""
        return self.index(self.degree * np.eye(3, dtype=np.int64))

    @cached_property
    def bombieri(self) -> NDArray[np.float64]:
        """Weights w (m,) of the rotation-invariant (Bombieri) norm: |H|^2 = sum of w_i a_i^2, w = i! j! k! / d!."""
        return np.array([factorial(i) * factorial(j) * factorial(k) / factorial(self.degree) for i, j, k in self.exponents.tolist()])

    @cached_property
    def power_of_norm(self) -> NDArray[np.float64]:
        """Coefficients (m,) of |F|^d, for even d."""
        half = self.degree // 2
        out = np.zeros(self.count)
        even = np.all(self.exponents % 2 == 0, axis=1)
        out[even] = [factorial(half) / np.prod([factorial(n // 2) for n in e]) for e in self.exponents[even].tolist()]
        return out

    def substitution(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return T (m, m) so that T @ a are the coefficients of u -> H(matrix @ u), matrix (3, 3)."""
        if self.degree < 2:
            return matrix.T.copy() if self.degree else np.ones((1, 1))
        points, inverse = self._interpolation
        return inverse @ self.values(points @ matrix.T)

    @cached_property
    def _lowered(self) -> NDArray[np.int64]:
        """Exponents (3, 3, m) of the derivatives: variable, axis, monomial."""
        return np.maximum(self.exponents.T[:, None, :] - np.eye(3, dtype=np.int64)[:, :, None], 0)

    @cached_property
    def _interpolation(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Well-spread points (2 m, 3), and the map (m, 2 m) from a form's values there to its coefficients."""
        points = directions(2 * self.count)
        return points, np.linalg.pinv(self.values(points))

    def _powers(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        powers = np.ones((len(points), 3, self.degree + 1))
        for k in range(1, self.degree + 1):
            powers[:, :, k] = powers[:, :, k - 1] * points
        return powers


def directions(count: int) -> NDArray[np.float64]:
    """Return `count` well-spread unit vectors (count, 3): a Fibonacci lattice."""
    k = np.arange(count) + 0.5
    z = 1.0 - 2.0 * k / count
    turn = np.pi * (1.0 + np.sqrt(5.0)) * k
    r = np.sqrt(1.0 - z**2)
    return np.column_stack([r * np.cos(turn), r * np.sin(turn), z])


@lru_cache(maxsize=None)
def _monomials(degree: int) -> Monomials:
    return Monomials(degree)


def monomials(degree: int) -> Monomials:
    """Return the (cached) monomials of a degree from 0 to 60; another one is an `InputError`."""
    return _monomials(_checked_degree(degree))


def _checked_degree(degree: int) -> int:
    return whole_number("degree", degree, 0, 60)


def even_degree(degree: int) -> int:
    """Return `degree` if it is an even integer from 2 to 12, or raise `InputError`."""
    if isinstance(degree, bool) or not isinstance(degree, (int, np.integer)) or degree < 2 or degree % 2 or degree > 12:
        raise InputError("degree", degree, "must be an even integer from 2 to 12", "H(F) = H(-F) needs an even degree")
    return int(degree)
