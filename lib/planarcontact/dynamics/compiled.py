"""The hull method as a compiled forward stepper."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import UnsupportedError
from .compiled_march import march
from .compiled_state import generators, numbers
from .options import SimulateOptions
from .record import Record, trajectory
from .scene import Scene
from .trajectory import Trajectory

__all__ = ["Pushes", "record", "record_with_pushes", "run"]


class Pushes(NamedTuple):
    """Which generators push in each of N steps: index (N, S), vertices, then spheres, then discs, -1 for none; their normal
    impulses (N, S, 3) [N s], of which a point has one; and the friction impulse over mu p_n e, y (N, 3)."""

    index: NDArray[np.int64]
    impulse: NDArray[np.float64]
    friction: NDArray[np.float64]


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
    return record_with_pushes(scene, options, loads)[0]


def record_with_pushes(scene: Scene, options: SimulateOptions, loads: NDArray[np.float64]) -> tuple[Record, Pushes]:
    """Return what the compiled stepper computes, and which generators push in each step."""
    points, discs = generators(scene)
    rows = march(
        numbers(scene, options), points, discs, scene.position, scene.orientation, scene.velocity, loads,
        options.max_iterations, options.tolerance,
    )  # fmt: skip
    return Record(*rows[:8]), Pushes(*rows[8:])
