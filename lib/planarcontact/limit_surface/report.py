"""What a fit says about itself."""

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .certificate import Certificate, certify

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
    """The account of one fit; every figure is recomputed from the final coefficients.

    Attributes:
        kind, objective, degree, length: what was asked for; length in m.
        status: a `FitStatus`; `sentence` says it in words.
        solver: the solver that produced the coefficients, with its version.
        solver_status: the solver's own word.
        iterations: its iterations.
        weights: the weights used.
        objective_value: the loss at the coefficients before they were rescaled.
        proved: the convexity certificate that the fit needed, or None; `certificate` is made from the coefficients then.
        repair: amount of |F|^d that was added so that the certificate holds, relative [-]; 0 when none was needed.
        force_residual: root mean square of H(F_i) - 1 over the data [-].
        angle: mean angle between model.twist(F_i) and V_i over the data [deg].
        rank: rank of the data's equations in the unknowns (scaled columns, relative 1e-6); less than `unknowns` means that the data do not determine H.
        unknowns: number of coefficients.
        count: number of data.
        scale: mean of H(F_i) before the final rescaling [-].
        dissipation: smallest cosine between F_i and V_i [-]; negative means that some datum has F . V < 0.
        negative: number of data with F . V < 0.
        spread: largest over smallest root mean square of the three load components [-].
        validation: mean angle on the validation data [deg], or nan.
        notes: remarks in words, such as data that do not determine H.
        coefficients: the model's coefficients.
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
    objective_value: float
    proved: Certificate | None = field(repr=False)
    repair: float
    force_residual: float
    angle: float
    rank: int
    unknowns: int
    count: int
    scale: float
    dissipation: float
    negative: int
    spread: float
    validation: float = float("nan")
    notes: tuple[str, ...] = ()
    coefficients: NDArray[np.float64] | None = field(default=None, repr=False)

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
