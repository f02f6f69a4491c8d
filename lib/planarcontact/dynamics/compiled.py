"""The hull method as a compiled forward stepper."""

import numpy as np
from numpy.typing import NDArray

from ..errors import UnsupportedError
from .compiled_march import march
from .compiled_state import generators, numbers
from .options import SimulateOptions
from .record import Record, trajectory
from .scene import Scene
from .trajectory import Trajectory

__all__ = ["record", "run"]


def run(scene: Scene, options: SimulateOptions) -> Trajectory:
    """Simulate a scene by the hull method, compiled.

    It solves the equations of the JAX stepper by another path: velocities are eliminated, and only a working set of
    generators takes part, which grows until nothing penetrates. It gives no derivatives.

    Args:
        scene: any scene that ``method="hull"`` can do.
        options: checked options; ``method`` is "hull".

    Returns:
        A `Trajectory`.

    Raises:
        UnsupportedError: another method was asked for.

    Source: document 1, Eqs. 6 to 17, in the robust form.
    """
    if options.method != "hull":
        raise UnsupportedError(f"backend='compiled' does method='hull' only, not {options.method!r}; use backend='jax'")
    return trajectory(scene, record(scene, options, scene.loads(options.sample)))


def record(scene: Scene, options: SimulateOptions, loads: NDArray[np.float64]) -> Record:
    """Return what the compiled stepper computes for a scene under the loads (N, 6) [N, N m] of its steps."""
    points, discs = generators(scene)
    rows = march(
        numbers(scene, options), points, discs, scene.position, scene.orientation, scene.velocity, loads,
        options.max_iterations, options.tolerance,
    )  # fmt: skip
    return Record(*rows)
