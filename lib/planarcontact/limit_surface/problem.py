"""One identification problem: data in the metric in which residuals are measured, unknowns in balanced coordinates."""

from copy import copy
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .convex_cone import convex_cone
from .objectives import Weights
from .polynomial import Monomials, monomials

__all__ = ["FitProblem", "MARGIN"]

#: epsilon of Eq. 8, Q >= epsilon I in metric loads (the document leaves it open): far below the Gram matrices of fitted
#: forms (of order 1), far above a solver's tolerance, so that the certificate holds without repair.
MARGIN = 1e-6
#: With a ridge of weight 0 and too few data the optimum is not unique; this share of the data's own moments decides.
TIE = 1e-9


@dataclass(frozen=True, eq=False)
class FitProblem:
    """Minimise a loss over forms H(F) = b . m(u), u = balance @ F, convex or free (document 3, Eqs. 6 to 8).

    Residuals and the ridge are those of a = the coefficients in the metric loads x = metric @ F. The unknowns b belong to
    loads u whose second moments over the data are one: another name for the same forms, chosen because it is well
    conditioned in any units and turns with the data.

    Attributes:
        loads: (N, 3) primed loads F' = (f_x, f_y, tau / length) [N].
        directions: (N, 3) unit primed twists V'.
        degree: d.
        convex: True where sos-convexity is asked for.
        objective: "printed" or "released".
        weights: the weights.
        metric: (3, 3), x = metric @ F': one over the mean |F'|, or the whitening.
        balance: (3, 3), u = balance @ F'.
    """

    loads: NDArray[np.float64]
    directions: NDArray[np.float64]
    degree: int
    convex: bool
    objective: str
    weights: Weights
    metric: NDArray[np.float64]
    balance: NDArray[np.float64]
    values: NDArray[np.float64] = field(init=False, repr=False)
    gradients: NDArray[np.float64] = field(init=False, repr=False)
    targets: NDArray[np.float64] = field(init=False, repr=False)
    to_metric: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        u = self.loads @ self.balance.T
        inverse = np.linalg.inv(self.metric)
        to_metric = self.balance @ inverse  # u = to_metric @ x
        targets = self.directions @ inverse
        for name, value in dict(
            values=self.basis.values(u),
            gradients=to_metric.T @ self.basis.gradients(u),
            targets=targets / np.linalg.norm(targets, axis=1, keepdims=True),
            to_metric=to_metric,
        ).items():
            object.__setattr__(self, name, value)

    def reweighted(self, weights: Weights) -> "FitProblem":
        """Return the same problem with other weights, sharing everything that does not depend on them."""
        other = copy(self)
        object.__setattr__(other, "weights", weights)
        return other

    @classmethod
    def build(
        cls,
        loads: NDArray[np.float64],
        directions: NDArray[np.float64],
        *,
        degree: int,
        convex: bool,
        objective: str,
        weights: Weights,
        whiten: bool,
    ) -> "FitProblem":
        """Choose metric and balance for primed data and return the problem."""
        moments, axes = np.linalg.eigh(loads.T @ loads / len(loads))
        # directions in which there are no loads at all are left as large as the others: nothing is known there
        sizes = np.sqrt(np.where(moments > 1e-10 * moments[-1], moments, moments[-1]))
        balance = axes.T / sizes[:, None]
        metric = axes @ balance if whiten else np.eye(3) / np.mean(np.linalg.norm(loads, axis=1))
        return cls(loads, directions, degree, convex, objective, weights, metric, balance)

    def in_metric_loads(self) -> "FitProblem":
        """Return the same problem with metric loads as balanced ones: better where the ridge, not the data, decides."""
        return FitProblem(
            self.loads, self.directions, self.degree, self.convex, self.objective, self.weights, self.metric, self.metric
        )

    @property
    def basis(self) -> Monomials:
        """The monomials of H."""
        return monomials(self.degree)

    def statistics(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return P (m, m) and q (m,): the printed loss over force * N is b' P b / 2 + q' b + 1, whatever N.

        A ridge of weight 0 is taken as the limit of ever smaller rotation-invariant ridges: 1e-9 of it is kept.
        """
        w = self.weights
        share = 2.0 / (w.force * len(self.loads))
        moments = w.velocity * self.moments[0] + w.force * self.moments[1]
        if w.ridge > 0:
            moments += w.ridge * self.ridge.T @ self.ridge
        else:
            moments[np.diag_indices_from(moments)] += TIE * float(np.mean(np.diag(moments))) * self.basis.bombieri
        return share * moments, -share * w.force * np.sum(self.values, axis=0)

    @cached_property
    def along(self) -> NDArray[np.float64]:
        """(N, m): the part of grad H(F_i) along V_i."""
        return (self.targets[:, None, :] @ self.gradients)[:, 0]

    @cached_property
    def across(self) -> NDArray[np.float64]:
        """(N, 3, m): the part of grad H(F_i) across V_i, whose square is alpha_i."""
        return self.gradients - self.targets[:, :, None] * self.along[:, None, :]

    @cached_property
    def moments(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(m, m) each: the sums of alpha_i and of H(F_i)^2 as quadratic forms in b."""
        across = self.across.reshape(-1, self.basis.count)
        return across.T @ across, self.values.T @ self.values

    @cached_property
    def triangles(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Triangular factors of all residuals across the twists (., m), and of (D, 1) (., m + 1): norms without the data."""
        count = len(self.loads)
        across = np.linalg.qr(self.across.reshape(3 * count, -1), mode="r")
        return across, np.linalg.qr(np.column_stack([self.values, np.ones(count)]), mode="r")

    @cached_property
    def sideways(self) -> NDArray[np.float64]:
        """(N, 2, m): the parts of grad H(F_i) along two unit normals of V_i."""
        smallest = np.eye(3)[np.argmin(np.abs(self.targets), axis=1)]
        first = np.cross(self.targets, smallest)
        first /= np.linalg.norm(first, axis=1, keepdims=True)
        return np.stack([first, np.cross(self.targets, first)], axis=1) @ self.gradients

    @cached_property
    def primed(self) -> NDArray[np.float64]:
        """(m, m): primed @ b are the coefficients of H in the primed loads F'."""
        return self.basis.substitution(self.balance)

    @cached_property
    def _substitution(self) -> NDArray[np.float64]:
        return self.basis.substitution(self.to_metric)

    @property
    def ridge(self) -> NDArray[np.float64]:
        """(m, m): |ridge @ b| is the ridge's norm of the coefficients in metric loads."""
        if self.weights.norm == "bombieri":
            return self._substitution * np.sqrt(self.basis.bombieri)[:, None]
        return self._substitution

    @cached_property
    def margin_gram(self) -> NDArray[np.float64]:
        """(n, n): epsilon I of Eq. 8 in metric loads, as a Gram matrix in balanced loads."""
        from_balanced = np.linalg.inv(self.to_metric)
        of_f = monomials(self.degree // 2 - 1).substitution(from_balanced)
        z, f = from_balanced.T @ from_balanced, of_f @ of_f.T
        n = len(z) * len(f)
        return MARGIN * (z[:, None, :, None] * f[None, :, None, :]).reshape(n, n)

    @cached_property
    def margin(self) -> NDArray[np.float64]:
        """(rows,): the same in the blocks of the convex cone."""
        return convex_cone(self.degree).rows(self.margin_gram)

    def coefficients(self, b: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the coefficients of H in the primed loads F'."""
        return self.primed @ b

    def loss(self, b: NDArray[np.float64]) -> float:
        """Return the objective's value at b."""
        w = self.weights
        across, along = self.across @ b, self.along @ b
        force = self.values @ b - 1.0
        ridge = self.ridge @ b
        if self.objective == "printed":
            return float(w.ridge * ridge @ ridge + w.velocity * np.sum(across**2) + w.force * force @ force)
        residuals = np.sqrt(np.sum(across**2, axis=1) + np.minimum(along, 0.0) ** 2)
        if self.degree > 2 and self.convex:
            return float(
                w.ridge * np.linalg.norm(ridge) + w.velocity * np.linalg.norm(residuals) + w.force * np.linalg.norm(force)
            )
        half = 0.5 if self.degree == 2 else 1.0
        return float(
            w.ridge * np.linalg.norm(ridge) + w.velocity * half * np.sum(residuals) + w.force * np.sum(np.abs(force))
        )
