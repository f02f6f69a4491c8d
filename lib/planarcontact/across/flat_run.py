"""What `slide_flat` returns."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["FlatRun"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FlatRun:
    """A body's way on its flat face: N + 1 states, and N steps between them.

    Attributes:
        time: (N + 1,) [s].
        pose: (N + 1, 3) world position of the COM's projection and unwrapped angle [m, m, rad].
        velocity: (N + 1, 3) velocity of the COM, world axes, and turn rate [m/s, m/s, rad/s].
        load: (N, 3) load on the surface at the step's end, body frame, about the COM's projection [N, N, N m].
        ecp: (N, 2) centre of pressure, the equivalent contact point, world [m].
        impulse: (N, 4) p_n, p_x, p_y [N s] and p_r [N m s] on the body, world axes, about the ECP.
        pressures: (N, P) pressures of three supports by statics [N]; (N, 0) where they are taken as fixed.
        margin: (N,) how far the ECP lies inside the patch's hull [m].
        work: (N,) work of the applied wrench in the step [J].
        dissipation: (N,) work that friction takes in the step, not negative [J].
        residual: (N,) unit-free residual of the step, with the pressures and the angle at its end.
        iterations: (N,) Newton iterations of the step.
        kind: (N,) `FrictionKind` of the step, as text.
    """

    time: Array
    pose: Array
    velocity: Array
    load: Array
    ecp: Array
    impulse: Array
    pressures: Array
    margin: Array
    work: Array
    dissipation: Array
    residual: Array
    iterations: NDArray[np.int64]
    kind: NDArray[Any]

    @property
    def stop_time(self) -> float:
        """End of the first step after which the body rests, nan if it still moves at the end [s]."""
        resting = np.flatnonzero(~self.velocity[1:].any(axis=1))
        return float(self.time[1 + resting[0]]) if len(resting) else float("nan")
