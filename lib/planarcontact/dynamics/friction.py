"""The friction law: Coulomb's cone with an ellipsoid as its section."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..validation import nonnegative, positive

__all__ = ["EllipsoidalFriction"]


@dataclass(frozen=True)
class EllipsoidalFriction:
    """Friction wrenches with (p_t/e_t)^2 + (p_o/e_o)^2 + (p_r/e_r)^2 <= (mu p_n)^2 at the ECP.

    Args:
        mu: coefficient of friction, not negative [-].
        e_t: positive semi-axis along t [-].
        e_o: positive semi-axis along o [-].
        e_r: positive semi-axis about n [m]: it is a length, and scales with the unit of length.

    Raises:
        InputError: mu is negative, or a semi-axis is not positive.

    Source: document 1, Eq. 5.
    """

    mu: float
    e_t: float = 1.0
    e_o: float = 1.0
    e_r: float = 0.1

    def __post_init__(self) -> None:
        object.__setattr__(self, "mu", nonnegative("mu", self.mu))
        for name in ("e_t", "e_o", "e_r"):
            object.__setattr__(self, name, positive(name, getattr(self, name)))

    @property
    def axes(self) -> NDArray[np.float64]:
        """The semi-axes (3,): e_t [-], e_o [-], e_r [m]."""
        return np.array([self.e_t, self.e_o, self.e_r])
