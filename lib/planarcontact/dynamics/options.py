"""What a caller may choose about a simulation."""

from dataclasses import dataclass
from numbers import Integral

from ..errors import InputError
from ..validation import one_of, positive

__all__ = ["SimulateOptions", "METHODS"]

MOST_ITERATIONS = 2**31 - 1  # counters of the solvers hold 32 bits
METHODS = ("hull", "sliding", "patches", "kkt")


@dataclass(frozen=True)
class SimulateOptions:
    """The keyword options of `simulate`, checked.

    Args:
        method: "hull" (one ECP from the convex hull), "sliding" (planar quadratic model), "patches" (one ECP per
            patch) or "kkt" (the document's own equations).
        backend: "jax" or "compiled".
        reference: where ``method="patches"`` takes its friction moments: the "common" ECP or each patch's "own".
        gyroscopic: "momentum" (I(q+) omega+ - I(q) omega) or "explicit" (the document's -omega x I omega).
        sample: where within a step the load is sampled: "start", "mid" or "end".
        max_iterations: cap on Newton iterations for each solver of the cascade.
        tolerance: largest accepted unit-free complementarity residual.

    Raises:
        InputError: a value is not one of those above, or not positive.
    """

    method: str = "hull"
    backend: str = "jax"
    reference: str = "common"
    gyroscopic: str = "momentum"
    sample: str = "mid"
    max_iterations: int = 50
    tolerance: float = 1e-12

    def __post_init__(self) -> None:
        one_of("method", self.method, METHODS)
        one_of("backend", self.backend, ("jax", "compiled"))
        one_of("reference", self.reference, ("common", "own"))
        one_of("gyroscopic", self.gyroscopic, ("momentum", "explicit"))
        one_of("sample", self.sample, ("start", "mid", "end"))
        if isinstance(self.max_iterations, bool) or not isinstance(self.max_iterations, Integral) or self.max_iterations < 1:
            raise InputError("max_iterations", self.max_iterations, "must be a whole number of at least 1")
        if self.max_iterations > MOST_ITERATIONS:
            raise InputError("max_iterations", self.max_iterations, f"must not exceed {MOST_ITERATIONS}")
        object.__setattr__(self, "max_iterations", int(self.max_iterations))
        object.__setattr__(self, "tolerance", positive("tolerance", self.tolerance))
