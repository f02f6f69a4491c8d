"""What a fit says about itself."""

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .certificate import Certificate, certify
from .measures import mean_angle, rank
from .polynomial import monomials

__all__ = ["FitStatus", "FitReport"]


class FitStatus(IntEnum):
    """How a fit ended; `FitReport.sentence` says it in words."""

    OPTIMAL = 0
    ALMOST = 1
    COLLAPSED = 2
    FAILED = 3
    GIVEN = 4


_SENTENCE = {
    FitStatus.OPTIMAL: "the optimum was found to the solver's tolerances",
    FitStatus.ALMOST: "the solver stopped short of its tolerances: compare with another solver or rescale the data",
    FitStatus.COLLAPSED: "the optimum is H = 0: give the force residual more weight",
    FitStatus.FAILED: "the solver found no solution",
    FitStatus.GIVEN: "the coefficients were given, not fitted",
}


@dataclass(frozen=True, eq=False)
class FitReport:
    """The account of one fit; every figure is computed from the final coefficients and the data, when first asked for.

    Attributes:
        kind, objective, degree, length: what was asked for; length in m.
        status: a `FitStatus`; `sentence` says it in words.
        solver: the solver that produced the coefficients, with its version.
        solver_status: the solver's own word, and what was done after it.
        iterations: its iterations.
        weights: the weights used.
        loads, directions: (N, 3) the primed data [N, -].
        objective_value: the loss at the solver's coefficients; nan for a Gaussian process.
        scale: mean of H(F_i) before the final rescaling [-].
        repair: share of |F|^d that was mixed in so that the certificate holds [-]; 0 when none was needed.
        validation: mean angle on the validation data [deg], or nan.
        coefficients: the model's coefficients, or None.
        proved: the convexity certificate that the fit needed, or None; `certificate` is made from the coefficients then.
        training: mean angle over the data of a model without coefficients [deg].
    """

    kind: str
    objective: str
    degree: int
    length: float
    status: FitStatus
    solver: str
    solver_status: str
    iterations: int
    weights: object
    loads: NDArray[np.float64] = field(repr=False)
    directions: NDArray[np.float64] = field(repr=False)
    objective_value: float = float("nan")
    scale: float = float("nan")
    repair: float = 0.0
    validation: float = float("nan")
    coefficients: NDArray[np.float64] | None = field(default=None, repr=False)
    proved: Certificate | None = field(default=None, repr=False)
    training: float = float("nan")

    @property
    def sentence(self) -> str:
        """The status in words."""
        return _SENTENCE[self.status]

    @cached_property
    def certificate(self) -> Certificate | None:
        """The convexity certificate of the final coefficients; None for a Gaussian process."""
        if self.proved is not None or self.coefficients is None:
            return self.proved
        return certify(self.coefficients, self.degree)

    @property
    def ok(self) -> bool:
        """True where the optimum was found and, for a convex kind, convexity is proved."""
        if self.kind in ("quad", "poly4-cvx") and not (self.certificate and self.certificate.certified):
            return False
        return self.status is FitStatus.OPTIMAL

    @property
    def count(self) -> int:
        """Number of data."""
        return len(self.loads)

    @property
    def unknowns(self) -> int:
        """Number of coefficients; 0 for a Gaussian process."""
        return 0 if self.coefficients is None else len(self.coefficients)

    @cached_property
    def angle(self) -> float:
        """Mean angle between the model's twists and the measured ones, over the data [deg]."""
        if self.coefficients is None:
            return self.training
        return mean_angle(self.coefficients, self.degree, self.loads, self.directions)

    @cached_property
    def force_residual(self) -> float:
        """Root mean square of H(F_i) - 1 over the data [-]; nan for a Gaussian process."""
        if self.coefficients is None:
            return float("nan")
        return float(np.sqrt(np.mean((monomials(self.degree).values(self.loads) @ self.coefficients - 1.0) ** 2)))

    @cached_property
    def rank(self) -> int:
        """Rank of the data's equations in the coefficients; less than `unknowns` means that the data do not determine H."""
        return 0 if self.coefficients is None else rank(self.loads, self.directions, self.degree)

    @cached_property
    def dissipation(self) -> float:
        """Smallest cosine between F_i and V_i [-]; negative means that some datum has F . V < 0."""
        return float(np.min(self._cosines))

    @property
    def negative(self) -> int:
        """Number of data with F . V < 0."""
        return int(np.sum(self._cosines < 0))

    @cached_property
    def spread(self) -> float:
        """Largest over smallest root mean square of the three load components [-]."""
        sizes = np.sqrt(np.mean(self.loads**2, axis=0))
        return float(np.max(sizes) / max(float(np.min(sizes)), np.finfo(float).tiny))

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Remarks in words: data that do not determine H, uneven units, wrong signs."""
        out = []
        if self.rank < self.unknowns:
            out.append(f"the data determine {self.rank} of {self.unknowns} coefficients: the ridge decides the rest")
        if self.spread > 100:
            out.append("load components differ by more than 100 in size: check units and give length=")
        if self.negative:
            out.append(f"{self.negative} of {self.count} data have F . V < 0: check signs and frames")
        return tuple(out)

    @cached_property
    def _cosines(self) -> NDArray[np.float64]:
        return np.sum(self.loads * self.directions, axis=1) / np.linalg.norm(self.loads, axis=1)
