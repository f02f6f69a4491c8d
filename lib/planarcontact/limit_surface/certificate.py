"""A proof, from the coefficients alone, that a form is sos-convex, or a direction that shows it is not convex."""

from dataclasses import dataclass, field
from enum import IntEnum
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..validation import finite_array
from .checks import whole_number
from .conic import solved
from .polynomial import directions, even_degree, monomials
from .sos import GramMap, gram_map

__all__ = ["Certificate", "Proof", "certify", "round_part"]

_SCREEN = 512


class Proof(IntEnum):
    """How far convexity is established; the members' sentences are in `Certificate.sentence`."""

    VERIFIED = 0
    EXACT = 1
    UNDECIDED = 2
    REFUTED = 3


_SENTENCE = {
    Proof.VERIFIED: "sos-convex: a Gram matrix of these coefficients is positive definite by more than its rounding errors",
    Proof.EXACT: "sos-convex: a Gram matrix of these coefficients is positive semidefinite in rational arithmetic",
    Proof.UNDECIDED: "no proof: no positive semidefinite Gram matrix was found, nor a load where the Hessian is indefinite",
    Proof.REFUTED: "not convex: the Hessian has a negative eigenvalue at the witness",
}


@dataclass(frozen=True, eq=False)
class Certificate:
    """What is known about the convexity of H(F; a), recomputed from a.

    Attributes:
        proof: `Proof.VERIFIED`, `EXACT`, `UNDECIDED` or `REFUTED`.
        coefficients: (m,) the coefficients that it is about.
        degree: their degree.
        gram: (n, n) the Gram matrix, in the balanced loads u = scale * F.
        scale: (3,) powers of two.
        witness: (3,) a load at which the Hessian is indefinite, where refuted.
    """

    proof: Proof
    coefficients: NDArray[np.float64] = field(repr=False)
    degree: int
    gram: NDArray[np.float64] = field(repr=False)
    scale: NDArray[np.float64]
    witness: NDArray[np.float64] | None = None

    @property
    def certified(self) -> bool:
        """True where convexity is proved."""
        return self.proof <= Proof.EXACT

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        return _SENTENCE[self.proof]

    @cached_property
    def margin(self) -> float:
        """Smallest eigenvalue of the Gram matrix over its mean eigenvalue, in balanced coordinates [-]."""
        return _margin(self.gram) if np.any(self.gram) else 0.0

    def hessian(self, count: int = 10_000) -> float:
        """Return the smallest eigenvalue of the Hessian over its mean eigenvalue, on `count` well-spread loads [-]."""
        net = whole_number("count", count, 1, 10**6)
        return _screen(_balanced(self.coefficients, self.degree, self.scale), self.degree, net)[0]

    def exact(self) -> bool:
        """Return whether the Gram matrix, solving the equations in fractions, is positive semidefinite in fractions."""
        a = _balanced(self.coefficients, self.degree, self.scale)
        return exactly_semidefinite(exact_gram(self.gram, a, gram_map(self.degree)))


def certify(
    coefficients: NDArray[np.float64], degree: int, hint: NDArray[np.float64] | None = None
) -> Certificate:
    """Decide whether H(F; a) is sos-convex (document 3, Eqs. 4 and 5), from its coefficients.

    For three variables and degree 4 every convex form is sos-convex, so there the answer is about convexity itself.

    Args:
        coefficients: (m,) a, in the order of `Monomials`.
        degree: d, even.
        hint: (n, n) a Gram matrix in the loads F to start from, such as the solver's; it is re-projected.

    Returns:
        A `Certificate`; what it claims does not rest on the hint or on a solver's word.

    Raises:
        InputError: the degree is not even and from 2 to 12, or the coefficients or the hint have another shape.
    """
    degree = even_degree(degree)
    coefficients = finite_array("coefficients", coefficients, (monomials(degree).count,))
    if hint is not None:
        hint = finite_array("hint", hint, (gram_map(degree).size,) * 2)
    if not np.any(coefficients):
        size = gram_map(degree).size
        return Certificate(Proof.UNDECIDED, coefficients, degree, np.zeros((size, size)), np.ones(3))
    grams = gram_map(degree)
    scale = _balance(coefficients, degree)
    a = _balanced(coefficients, degree, scale)

    def verdict(proof: Proof, gram: NDArray[np.float64], witness: NDArray[np.float64] | None = None) -> Certificate:
        return Certificate(proof, coefficients, degree, gram, scale, witness)

    candidates = []
    if hint is not None:
        powers = np.prod(scale ** -monomials(degree // 2 - 1).exponents.astype(float), axis=1)
        change = np.multiply.outer(1.0 / scale, powers).ravel()
        candidates.append(grams.reproject(hint * change * change[:, None], a))
        if _verified(candidates[0]):
            return verdict(Proof.VERIFIED, candidates[0])
    candidates.append(grams.square(grams.lift() @ a))
    if _verified(candidates[-1]):
        return verdict(Proof.VERIFIED, candidates[-1])
    worst, where = _screen(a, degree, _SCREEN)
    if worst < -1e-9:
        return verdict(Proof.REFUTED, candidates[-1], where / scale)
    candidates.append(grams.reproject(_deepest(a, grams), a))
    if _verified(candidates[-1]):
        return verdict(Proof.VERIFIED, candidates[-1])
    for gram in candidates:
        if _margin(gram) > -1e-12 and exactly_semidefinite(exact_gram(gram, a, grams)):
            return verdict(Proof.EXACT, gram)
    return verdict(Proof.UNDECIDED, candidates[-1])


def round_part(coefficients: NDArray[np.float64], degree: int, count: int = 2000) -> float:
    """Return the smallest t so that H + t |F|^d has no negative curvature on `count` well-spread loads; negative if H has room.

    Args:
        coefficients: (m,) of H.
        degree: d, even.
        count: number of loads.

    Returns:
        t, from below: a finer net can only raise it [-].
    """
    from scipy.linalg import eigh

    hessians = monomials(degree).hessians(directions(count))
    of_form, of_norm = hessians @ coefficients, hessians @ monomials(degree).power_of_norm
    return max(float(eigh(-a, b, eigvals_only=True)[-1]) for a, b in zip(of_form, of_norm))


def exact_gram(gram: NDArray[np.float64], coefficients: NDArray[np.float64], grams: GramMap) -> list[list[Fraction]]:
    """Return a Gram matrix in fractions that solves the equations for these (float) coefficients exactly."""
    a = [Fraction(float(x)) for x in coefficients]
    left = [sum((Fraction(float(r)) * x for r, x in zip(row, a) if r), Fraction(0)) for row in grams.right]
    weight = [Fraction(0)] * grams.equations
    triangle = [Fraction(float(x)) for x in gram[grams.rows, grams.columns]]
    for g, times, entry in zip(grams.group, grams.multiplicity, triangle):
        left[g] -= int(times) * entry
        weight[g] += int(times)
    out = [[Fraction(0)] * grams.size for _ in range(grams.size)]
    for g, i, j, entry in zip(grams.group, grams.rows, grams.columns, triangle):
        out[i][j] = out[j][i] = entry + left[g] / weight[g]
    return out


def exactly_semidefinite(matrix: list[list[Fraction]]) -> bool:
    """Return whether a symmetric matrix of fractions is positive semidefinite, by exact elimination."""
    m = [row[:] for row in matrix]
    for k in range(len(m)):
        if m[k][k] < 0 or (m[k][k] == 0 and any(m[k][k:])):
            return False
        if m[k][k] == 0:
            continue
        for i in range(k + 1, len(m)):
            if m[i][k]:
                factor = m[i][k] / m[k][k]
                for j in range(i, len(m)):
                    m[i][j] -= factor * m[k][j]
                    m[j][i] = m[i][j]
    return True


def _verified(gram: NDArray[np.float64]) -> bool:
    """A Cholesky factorisation that survives a shift larger than all rounding errors proves definiteness (Rump, 2006).

    The shift covers the factorisation (n^2 u max) and the equations' residual after re-projection (n^2 u max).
    """
    n = len(gram)
    shift = 8.0 * n * n * np.finfo(float).eps * float(np.max(np.abs(gram)))
    if not shift > 0:
        return False
    try:
        np.linalg.cholesky(gram - shift * np.eye(n))
    except np.linalg.LinAlgError:
        return False
    return True


def _margin(gram: NDArray[np.float64]) -> float:
    mean = float(np.trace(gram)) / len(gram)
    return float(np.linalg.eigvalsh(gram)[0]) / mean if mean > 0 else -np.inf


def _balance(coefficients: NDArray[np.float64], degree: int) -> NDArray[np.float64]:
    """Powers of two that bring the coefficients of x^d, y^d, z^d near one."""
    size = np.abs(coefficients[monomials(degree).pure])
    size = np.where(size > 0, size, max(float(np.max(np.abs(coefficients))), np.finfo(float).tiny))
    return np.exp2(np.round(np.log2(size) / degree))


def _balanced(coefficients: NDArray[np.float64], degree: int, scale: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coefficients in the loads u = scale * F; exact, for the scales are powers of two."""
    return coefficients / np.prod(scale ** monomials(degree).exponents, axis=1)


def _screen(a: NDArray[np.float64], degree: int, count: int) -> tuple[float, NDArray[np.float64]]:
    points = directions(count)
    hessians = monomials(degree).hessians(points) @ a
    trace = np.trace(hessians, axis1=1, axis2=2) / 3.0
    typical = float(np.mean(np.abs(trace))) or 1.0
    lowest = np.linalg.eigvalsh(hessians)[:, 0] / typical
    k = int(np.argmin(lowest))
    return float(lowest[k]), points[k]


def _deepest(a: NDArray[np.float64], grams: GramMap) -> NDArray[np.float64]:
    """The Gram matrix of a with the largest smallest eigenvalue, by a small semidefinite program."""
    import clarabel
    from scipy import sparse

    n, null, lift = grams.size, grams.null(), grams.lift() @ a
    size = float(np.max(np.abs(lift)))
    # Clarabel's triangle runs down the columns of the upper triangle, off-diagonal entries times sqrt(2)
    order = np.lexsort((grams.rows, grams.columns))
    weight = np.sqrt(grams.multiplicity)[order]
    eye = (grams.rows == grams.columns).astype(float)
    columns = np.column_stack([null, -eye])[order] * weight[:, None]
    problem = (
        sparse.csc_matrix((columns.shape[1], columns.shape[1])),
        np.append(np.zeros(null.shape[1]), -1.0),
        sparse.csc_matrix(-columns),
        lift[order] * weight / size,
    )
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    solution = solved(clarabel.DefaultSolver(*problem, [clarabel.PSDTriangleConeT(n)], settings))
    free = np.asarray(solution.x)[:-1]
    if not np.all(np.isfinite(free)):
        return grams.square(lift)
    return grams.square(lift + size * (null @ free))
