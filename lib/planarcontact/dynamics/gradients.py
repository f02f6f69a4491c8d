"""Derivatives of a simulation's final state, through contact and impacts."""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import finite_array
from .body import Body
from .compiled import record_with_pushes
from .friction import EllipsoidalFriction
from .gradients_step import STATE
from .options import SimulateOptions
from .record import trajectory
from .scene import Scene, checked_scene
from .sensitivity import PARAMETERS, Sensitivity, known, known_names, linearise, require, sensitivity

__all__ = ["PARAMETERS", "Sensitivity", "final_state_gradient", "rollout", "sensitivity", "with_parameters"]

SHAPES = {"inertia": (3, 3), "position": (3,), "orientation": (4,), "velocity": (6,)}  # of the parameters that are no numbers


def final_state_gradient(
    scene: Scene,
    with_respect_to: Sequence[str] = ("mu", "e_t", "e_o", "e_r"),
    *,
    gyroscopic: str = "momentum",
    sample: str = "mid",
) -> dict[str, NDArray[np.float64]]:
    """Return the derivative of the final state by parameters of the scene.

    Args:
        scene: any scene of the hull method.
        with_respect_to: names out of "mu", "e_t", "e_o", "e_r", "mass", "inertia" (3, 3) (its entries taken as independent:
            move both of a symmetric pair), "gravity", "wrench" (N, 6) (the load of every step), "position", "orientation"
            (kept at norm 1), "velocity".
        gyroscopic: as in `simulate`.
        sample: as in `simulate`.

    Returns:
        For every name an array (13, ...) whose further axes are the parameter's.

    Raises:
        InputError: a name is not one of these, or the scene or an option is not usable.
        ConvergenceError: a step did not converge, so that it has no derivative.
    """
    names = known_names(with_respect_to)
    found = sensitivity(scene, gyroscopic=gyroscopic, sample=sample)
    rows = [found.reverse(row) for row in np.eye(STATE)]
    return {name: np.stack([row[name] for row in rows]) for name in names}


def rollout(scene: Scene, *, gyroscopic: str = "momentum", sample: str = "mid") -> Callable[[dict[str, ArrayLike]], jax.Array]:
    """Return the final state as a function of parameters that JAX differentiates forward (jvp) and in reverse (grad).

    Args:
        scene: any scene of the hull method; parameters that are not given keep its values.
        gyroscopic: as in `simulate`.
        sample: as in `simulate`.

    Returns:
        A function from a dict of parameters (names and shapes as in `final_state_gradient`) to the final state (13,). It runs
        with JAX in double precision only. It raises what `final_state_gradient` does; where JAX compiles it, JAX wraps that
        exception in one of its own.

    Raises:
        InputError: the scene or an option is not usable.
    """
    options = SimulateOptions(gyroscopic=gyroscopic, sample=sample)
    loads = checked_scene(scene).loads(sample)
    steps = len(loads)

    def primal(parameters: dict) -> NDArray[np.float64]:
        changed, push = with_parameters(scene, loads, parameters)
        found, _ = record_with_pushes(changed, options, push)
        require(trajectory(changed, found))
        return np.concatenate([found.position[-1], found.orientation[-1], found.velocity[-1]])

    def slopes(parameters: dict) -> tuple:
        changed, push = with_parameters(scene, loads, parameters)
        found = linearise(changed, options, push)
        return (found.final, found.transition, found.by_load, found.by_parameter)

    shapes = _shapes(steps)

    @jax.custom_jvp
    def final(parameters: dict) -> jax.Array:
        return _called(primal, shapes[0], parameters)

    @final.defjvp
    def _(primals: tuple, tangents: tuple) -> tuple[jax.Array, jax.Array]:
        (parameters,), (moved,) = primals, tangents
        state, transition, by_load, by_parameter = _called(slopes, shapes, parameters)
        zero = {"wrench": jnp.zeros((steps, 6)), "position": jnp.zeros(3), "orientation": jnp.zeros(4), "velocity": jnp.zeros(6)}
        moved = {**zero, **moved}
        q = jnp.asarray(parameters.get("orientation", scene.orientation))
        q = q / jnp.linalg.norm(q)
        turned = moved["orientation"] - q * (q @ moved["orientation"])
        drift = jnp.einsum("kij,kj->ki", by_load, moved["wrench"])
        for name, part in by_parameter.items():
            if name in moved:
                drift = drift + jnp.tensordot(part, moved[name], jnp.ndim(moved[name]))
        start = jnp.concatenate([moved["position"], turned, moved["velocity"]])
        end, _ = jax.lax.scan(lambda x, step: (step[0] @ x + step[1], None), start, (transition, drift))
        return state, end

    def checked(parameters: dict[str, ArrayLike]) -> jax.Array:
        if not jax.config.jax_enable_x64:
            raise InputError("parameters", "float32", "JAX is set to single precision", "set jax_enable_x64 to True")
        if not isinstance(parameters, dict):
            raise InputError("parameters", parameters, "is not a dict of parameters", "use for example {'mu': 0.3}")
        return final({known(name): _number(name, value, loads) for name, value in parameters.items()})

    return checked


def _called(function: Callable, shapes: Any, parameters: dict) -> Any:
    """Call in Python where all parameters are numbers, so that exceptions stay ours; as a callback where JAX traces them."""
    if any(isinstance(value, jax.core.Tracer) for value in parameters.values()):
        return jax.pure_callback(function, shapes, parameters, vmap_method="sequential")
    return jax.tree.map(jnp.asarray, function(parameters))


def _number(name: str, value: ArrayLike, loads: NDArray[np.float64]) -> jax.Array:
    """Return a parameter, traced or not, as an array of its shape, or raise `InputError`."""
    shape = loads.shape if name == "wrench" else SHAPES.get(name, ())
    if not isinstance(value, jax.core.Tracer):
        return jnp.asarray(finite_array(name, value, shape))
    if value.shape != shape:
        raise InputError(name, value.shape, f"has this shape where {shape} is needed")
    return value.astype(jnp.float64)


def with_parameters(scene: Scene, loads: NDArray[np.float64], parameters: dict) -> tuple[Scene, NDArray[np.float64]]:
    """Return a scene with parameters (names and shapes as in `final_state_gradient`) in place of its own, and the loads (N, 6).

    Raises:
        InputError: a parameter is none that the scene can have.
    """
    values = {name: finite_array(name, value, SHAPES.get(name, ())) for name, value in parameters.items() if name != "wrench"}
    loads = finite_array("wrench", parameters.get("wrench", loads), loads.shape)
    friction = {name: float(values.pop(name, getattr(scene.friction, name))) for name in ("mu", "e_t", "e_o", "e_r")}
    body = scene.body
    mass, inertia = float(values.pop("mass", body.mass)), values.pop("inertia", body.inertia)
    if "gravity" in values:
        values["gravity"] = float(values["gravity"])
    if "orientation" in values:
        norm = float(np.linalg.norm(values["orientation"]))
        if not 0.0 < norm < np.inf:
            raise InputError("orientation", values["orientation"].tolist(), "is no quaternion that can be brought to norm 1")
        values["orientation"] = values["orientation"] / norm
    body = Body(mass, inertia, body.vertices, body.discs, body.spheres, body.patches)
    return scene.replace(body=body, friction=EllipsoidalFriction(**friction), **values), loads


def _shapes(steps: int) -> tuple:
    array = lambda *shape: jax.ShapeDtypeStruct(shape, np.float64)  # noqa: E731
    by_parameter = {name: array(steps, STATE) for name in ("mu", "e_t", "e_o", "e_r", "mass", "gravity")}
    by_parameter["inertia"] = array(steps, STATE, 3, 3)
    return array(STATE), array(steps, STATE, STATE), array(steps, STATE, 6), by_parameter
