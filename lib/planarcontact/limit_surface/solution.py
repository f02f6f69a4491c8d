"""What a solver hands back, whichever path led to it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Solution"]

#: Last words of cvxpy, of Clarabel ("AlmostSolved" is no " Solved") and of what proves an optimum after it.
_OPTIMAL = (" optimal", " Solved", "centred", "exact")


@dataclass(frozen=True, eq=False)
class Solution:
    """What a solver returned.

    Attributes:
        b: (m,) coefficients in balanced loads; zero where the solver found none.
        gram: (n, n) the solver's Gram matrix in balanced loads, or None.
        status: the solver's own word.
        solver: its name and version.
        iterations: its iterations.
    """

    b: NDArray[np.float64]
    gram: NDArray[np.float64] | None
    status: str
    solver: str
    iterations: int

    @property
    def optimal(self) -> bool:
        """True where the solver met its tolerances, or what follows it proves the optimum."""
        return f" {self.status.removesuffix(' after rescaling')}".endswith(_OPTIMAL)
