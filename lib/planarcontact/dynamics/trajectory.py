"""The result of a simulation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .status import Status

__all__ = ["Trajectory"]


@dataclass(frozen=True, eq=False)
class Trajectory:
    """States at N + 1 times and what happened in the N steps between them.

    Row k of a step's array belongs to the step from time[k] to time[k + 1].

    Args:
        time: (N + 1,) times [s].
        position: (N + 1, 3) COM, world [m].
        orientation: (N + 1, 4) unit quaternions w x y z.
        velocity: (N + 1, 6) COM velocity [m/s], then spatial angular velocity [rad/s], world axes.
        ecp: (N, 3) equivalent contact point at the step's end, world [m]; nan while apart.
        impulse: (N, 4) p_n, p_t, p_o [N s] and p_r [N m s] on the body, contact frame, about the ECP.
        residual: (N,) unit-free complementarity residual of each step.
        iterations: (N,) Newton iterations of each step, over all solvers of the cascade.
        status: (N,) `Status` of each step as integers; 0 is converged.
        contact: (N,) `ContactMode` at each step's end as integers.
    """

    time: NDArray[np.float64]
    position: NDArray[np.float64]
    orientation: NDArray[np.float64]
    velocity: NDArray[np.float64]
    ecp: NDArray[np.float64]
    impulse: NDArray[np.float64]
    residual: NDArray[np.float64]
    iterations: NDArray[np.int64]
    status: NDArray[np.int64]
    contact: NDArray[np.int64]

    @property
    def ok(self) -> bool:
        """True if every step converged."""
        return bool((self.status == Status.CONVERGED).all())

    @property
    def failures(self) -> list[str]:
        """One line for every step that did not converge: its number, status and residual."""
        return [
            f"step {k} (t = {self.time[k + 1]:.9g} s): residual {self.residual[k]:.3g}. {Status(self.status[k]).sentence}"
            for k in np.flatnonzero(self.status != Status.CONVERGED)
        ]
