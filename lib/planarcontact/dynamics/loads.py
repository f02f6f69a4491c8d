"""Applied loads given as a table."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import finite_array, finite_number

__all__ = ["SampledWrench"]


@dataclass(frozen=True, eq=False)
class SampledWrench:
    """A load that is linear between the rows of a table.

    Args:
        times: (n,) strictly increasing times [s].
        values: (n, 6) force [N] and moment about the COM [N m], world axes, gravity excluded.

    Raises:
        InputError: shapes differ, an entry is not finite, or the times do not increase.
    """

    times: NDArray[np.float64]
    values: NDArray[np.float64]

    def __init__(self, times: ArrayLike, values: ArrayLike):
        times = finite_array("times", times, (None,))
        if len(times) == 0:
            raise InputError("times", times, "is empty")
        values = finite_array("values", values, (len(times), 6))
        if (np.diff(times) <= 0.0).any():
            at = int(np.argmax(np.diff(times) <= 0.0)) + 1
            raise InputError(f"times[{at}]", float(times[at]), "does not come after the time before it")
        object.__setattr__(self, "times", np.array(times))
        object.__setattr__(self, "values", np.array(values))

    def __call__(self, t: float) -> NDArray[np.float64]:
        """Return the load (6,) [N, N m] at time `t` [s]; a time outside the table is an `InputError`."""
        return self.at([finite_number("t", t)])[0]

    def at(self, t: ArrayLike) -> NDArray[np.float64]:
        """Return the loads (n, 6) [N, N m] at the times (n,) [s]."""
        t = finite_array("t", t, (None,))
        slack = 1e-9 * max(self.times[-1] - self.times[0], 1e-300)
        outside = (t < self.times[0] - slack) | (t > self.times[-1] + slack)
        if outside.any():
            raise InputError(
                "t", float(t[outside][0]), f"lies outside the table, which covers {self.times[0]} to {self.times[-1]} s",
                "extend the table or shorten the simulation",
            )  # fmt: skip
        return np.stack([np.interp(t, self.times, column) for column in self.values.T], axis=1)
