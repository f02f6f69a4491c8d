"""A simulation linearised about its trajectory."""

from collections.abc import Sequence
from dataclasses import dataclass

import jax
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ConvergenceError, InputError
from ..validation import finite_array, one_of
from .compiled import Pushes, record_with_pushes
from .compiled_march import SLOTS
from .compiled_state import generators
from .gradients_step import STATE, Active, Fixed, Given, transitions
from .options import SimulateOptions
from .precision import double_precision
from .record import Record, trajectory
from .scene import Scene, checked_scene
from .trajectory import Trajectory

__all__ = ["PARAMETERS", "Sensitivity", "known", "known_names", "linearise", "require", "sensitivity"]

PARAMETERS = (
    "mu", "e_t", "e_o", "e_r", "mass", "inertia", "gravity", "wrench", "position", "orientation", "velocity",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """A simulation, linearised about its trajectory: how every step's end moves with its start and with the parameters.

    A state is position (3,) [m], orientation (4,) w x y z and velocity (6,) [m/s, rad/s]: 13 numbers.

    Args:
        trajectory: the trajectory.
        transition: (N, 13, 13) derivative of every next state by the state before.
        by_parameter: for "mu", "e_t", "e_o", "e_r", "mass", "inertia" and "gravity", (N, 13, ...) derivative of every next state.
        by_load: (N, 13, 6) derivative of every next state by the step's load.
    """

    trajectory: Trajectory
    transition: NDArray[np.float64]
    by_parameter: dict[str, NDArray[np.float64]]
    by_load: NDArray[np.float64]

    @property
    def final(self) -> NDArray[np.float64]:
        """The final state (13,)."""
        t = self.trajectory
        return np.concatenate([t.position[-1], t.orientation[-1], t.velocity[-1]])

    def forward(self, tangents: dict[str, ArrayLike]) -> NDArray[np.float64]:
        """Return how the final state (13,) moves when the parameters move along `tangents` (name to array of its shape)."""
        return self.history(tangents)[-1]

    def history(self, tangents: dict[str, ArrayLike]) -> NDArray[np.float64]:
        """Return how every state (N + 1, 13) moves when the parameters move along `tangents`."""
        tangents = {known(name): np.asarray(value, dtype=np.float64) for name, value in tangents.items()}
        states = np.zeros((len(self.transition) + 1, STATE))
        for part, name in ((slice(0, 3), "position"), (slice(3, 7), "orientation"), (slice(7, 13), "velocity")):
            states[0, part] += tangents.get(name, 0.0)
        states[0, 3:7] -= self.trajectory.orientation[0] * (self.trajectory.orientation[0] @ states[0, 3:7])
        push = tangents.get("wrench", np.zeros((len(self.transition), 6)))
        for k, step in enumerate(self.transition):
            states[k + 1] = step @ states[k] + self.by_load[k] @ push[k]
            for name, slopes in self.by_parameter.items():
                if name in tangents:
                    states[k + 1] += np.tensordot(slopes[k], tangents[name], tangents[name].ndim)
        return states

    def reverse(self, cotangent: ArrayLike) -> dict[str, NDArray[np.float64]]:
        """Return the gradient of cotangent.(final state) by every parameter (name to array of its shape)."""
        costate = finite_array("cotangent", cotangent, (STATE,))
        gradient = {name: np.zeros(slopes.shape[2:]) for name, slopes in self.by_parameter.items()}
        gradient["wrench"] = np.zeros((len(self.transition), 6))
        for k in range(len(self.transition) - 1, -1, -1):
            gradient["wrench"][k] = costate @ self.by_load[k]
            for name, slopes in self.by_parameter.items():
                gradient[name] += np.tensordot(costate, slopes[k], 1)
            costate = costate @ self.transition[k]
        q = self.trajectory.orientation[0]
        gradient["position"], gradient["velocity"] = costate[:3], costate[7:]
        gradient["orientation"] = costate[3:7] - q * (q @ costate[3:7])
        return gradient


def sensitivity(scene: Scene, *, gyroscopic: str = "momentum", sample: str = "mid") -> Sensitivity:
    """Simulate a scene by the hull method and linearise it about its trajectory.

    At the solution of a step what pushes, sticks and slides is held, and the implicit function theorem gives the
    derivative, also of steps that hold an impact. It is one-sided where a smaller change than any would alter that set.

    Args:
        scene: any scene of the hull method.
        gyroscopic: as in `simulate`.
        sample: as in `simulate`.

    Returns:
        A `Sensitivity`.

    Raises:
        InputError: the scene or an option is not usable.
        ConvergenceError: a step did not converge, so that it has no derivative.

    Source: the implicit function theorem on document 1, Eqs. 6 to 17, in the robust form.
    """
    options = SimulateOptions(gyroscopic=gyroscopic, sample=sample)
    return linearise(scene, options, checked_scene(scene).loads(sample))


def known(name: str) -> str:
    """Return the name of a parameter, or raise `InputError`."""
    return one_of("with_respect_to", name, PARAMETERS)


def known_names(names: Sequence[str], choices: Sequence[str] = PARAMETERS) -> list[str]:
    """Return the names of parameters as a list, or raise `InputError`."""
    try:
        each = [names] if isinstance(names, bytes) else list(names)
    except TypeError as error:
        raise InputError("with_respect_to", names, "is not a list of names", f"use some of {', '.join(map(repr, choices))}") from error
    return [str(one_of("with_respect_to", name, choices)) for name in each]


def require(result: Trajectory) -> None:
    """Raise `ConvergenceError` unless every step converged."""
    if not result.ok:
        worst = int(np.argmax(result.status != 0))
        text = f"the trajectory has no derivative: {result.failures[0]}"
        raise ConvergenceError(text, status=int(result.status[worst]), residual=float(result.residual[worst]))


def linearise(scene: Scene, options: SimulateOptions, loads: NDArray[np.float64]) -> Sensitivity:
    """Simulate a scene under the loads (N, 6) [N, N m] of its steps, and linearise it; see `sensitivity`."""
    found, pushes = record_with_pushes(scene, options, loads)
    result = trajectory(scene, found)
    require(result)
    body, friction = scene.body, scene.friction
    fixed = Fixed(scene.support.frame, scene.support.offset, scene.step, body.bounding_radius, scene.velocity_scale)
    given = Given(friction.mu, friction.axes, body.mass, body.inertia, scene.gravity, loads)
    states = np.hstack([result.position, result.orientation, result.velocity])[:-1]
    with double_precision():
        fixed, given = (jax.tree.map(np.float64, part) for part in (fixed, given))
        by_state, by_given = transitions(
            fixed, _active(scene, found, pushes), states, given, explicit=options.gyroscopic == "explicit"
        )
        by_given = jax.tree.map(np.asarray, by_given)
    by_parameter = {"mu": by_given.mu, "mass": by_given.mass, "inertia": by_given.inertia, "gravity": by_given.gravity}
    by_parameter |= {name: by_given.axes[..., k] for k, name in enumerate(("e_t", "e_o", "e_r"))}
    return Sensitivity(result, np.asarray(by_state), by_parameter, by_given.load)


def _active(scene: Scene, found: Record, pushes: Pushes) -> Active:
    """Gather the generators that push in each step."""
    points, discs = generators(scene)
    steps, many = len(pushes.index), len(points)
    point = (pushes.index >= 0) & (pushes.index < many)
    slots = min(SLOTS, 4 * (1 + int(point.sum(axis=1).max(initial=0)) // 4))  # few sizes, so few compilations
    chosen = np.where(point, pushes.index, 0)[:, :slots] if many else np.zeros((steps, slots), dtype=int)
    table = points if many else np.zeros((1, 4))
    disc_impulse = np.zeros((steps, len(discs), 3))
    discs_on = np.zeros((steps, len(discs)))
    for row, slot in np.argwhere(pushes.index >= many):
        disc = pushes.index[row, slot] - many
        disc_impulse[row, disc], discs_on[row, disc] = pushes.impulse[row, slot], 1.0
    weights = np.where(point, pushes.impulse[:, :, 0], 0.0)[:, :slots]
    z = np.hstack([found.velocity, weights, disc_impulse.reshape(steps, -1), pushes.friction])
    spans = np.broadcast_to(discs.reshape(-1, 3, 3), (steps, len(discs), 3, 3))
    return Active(table[chosen][:, :, :3], table[chosen][:, :, 3], point[:, :slots].astype(float), spans, discs_on, z)
