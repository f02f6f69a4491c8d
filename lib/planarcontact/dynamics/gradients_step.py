"""The derivative of one step at its solution, by the implicit function theorem."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from .rotation import rotation_matrix, turn

__all__ = ["Active", "Fixed", "Given", "STATE", "transitions"]

STATE = 13  # position (3), orientation (4), velocity (6)


class Fixed(NamedTuple):
    """What is not differentiated: frame (3, 3) with rows n, t, o; offset [m]; step [s]; radius [m]; speed [m/s]."""

    frame: Array
    offset: Array
    step: Array
    radius: Array
    speed: Array


class Given(NamedTuple):
    """What a step depends on besides its state: mu; axes (3,); mass [kg]; inertia (3, 3) [kg m2]; gravity [m/s2]; load (6,)."""

    mu: Array
    axes: Array
    mass: Array
    inertia: Array
    gravity: Array
    load: Array


class Active(NamedTuple):
    """The solution of a step, over the generators that push: points (S, 3) [m] with ball radii (S,) and flags on (S,); discs
    (D, 3, 3) [m], centre and spokes, with flags on (D,); and z = (nu (6), impulses (S + 3 D,), y (3))."""

    points: Array
    balls: Array
    points_on: Array
    discs: Array
    discs_on: Array
    z: Array


def _residual(fixed: Fixed, active: Active, z: Array, state: Array, given: Given, explicit: bool) -> Array:
    """The step's equations with the set of what pushes, sticks and slides held: a smooth system at its solution."""
    n, t, o = fixed.frame
    slots, discs = active.points.shape[0], active.discs.shape[0]
    v, omega, y = z[:3], z[3:6], z[-3:]
    unit, impulse = fixed.speed, given.mass * fixed.speed
    w = z[6 : 6 + slots] * active.points_on
    cones = z[6 + slots : -3].reshape(discs, 3)
    pushes = cones * active.discs_on[:, None]
    x, q = state[:3], state[3:7]
    before = rotation_matrix(q)
    turned = rotation_matrix(turn(q, fixed.step * omega))
    position = x + fixed.step * v
    points = active.points @ turned.T
    spans = active.discs @ turned.T
    normal = w.sum() + pushes[:, 0].sum()
    moment = w @ points - (w @ active.balls) * n + jnp.einsum("dk,dkx->x", pushes, spans)
    on = normal > 0.0
    ecp = moment / jnp.where(on, normal, 1.0)

    push = n + given.mu * (given.axes[0] * y[0] * t + given.axes[1] * y[1] * o)
    weight = given.mass * given.gravity * jnp.array([0.0, 0.0, 1.0])
    linear = given.mass * (v - state[7:10]) - fixed.step * (given.load[:3] - weight) - normal * push
    inertia = before @ given.inertia @ before.T
    if explicit:
        change = inertia @ (omega - state[10:]) + fixed.step * jnp.cross(state[10:], inertia @ state[10:])
    else:
        change = turned @ given.inertia @ (turned.T @ omega) - inertia @ state[10:]
    twist = given.mu * normal * given.axes[2] * y[2] * n
    angular = change - fixed.step * given.load[3:] - jnp.cross(moment, push) - twist

    level = n @ position - fixed.offset
    length = fixed.step * unit
    touch = jnp.where(active.points_on > 0, (level + points @ n - active.balls) / length, z[6 : 6 + slots] / impulse)
    gaps = (spans @ n + level * jnp.array([1.0, 0.0, 0.0])) / length
    natural = cones / impulse - jax.vmap(_cone)(cones / impulse - gaps)
    cone = jnp.where(active.discs_on[:, None] > 0, natural, cones / impulse)
    at = v + jnp.cross(omega, ecp)
    slip = given.axes * jnp.stack([t @ at, o @ at, n @ omega]) / unit
    trial = y - slip
    size = jnp.sqrt(jnp.maximum(trial @ trial, 1.0))
    friction = jnp.where(on, y - trial / size, y)
    return jnp.concatenate([linear / impulse, angular / (impulse * fixed.radius), touch, cone.reshape(-1), friction])


def _cone(x: Array) -> Array:
    """Projection on the cone x_0 >= |(x_1, x_2)|."""
    square = x[1] ** 2 + x[2] ** 2
    length = jnp.sqrt(jnp.where(square > 0.0, square, 1.0))
    length_safe = jnp.where(square > 0.0, length, 0.0)
    half = 0.5 * (x[0] + length_safe)
    mixed = jnp.stack([half, half * x[1] / length, half * x[2] / length])
    return jnp.where(x[0] >= length_safe, x, jnp.where(x[0] <= -length_safe, 0.0, mixed))


def _advance(fixed: Fixed, z: Array, state: Array) -> Array:
    return jnp.concatenate([state[:3] + fixed.step * z[:3], turn(state[3:7], fixed.step * z[3:6]), z[:6]])


def _one(fixed: Fixed, active: Active, state: Array, given: Given, explicit: bool) -> tuple[Array, Given]:
    slots, discs = active.points.shape[0], active.discs.shape[0]
    unit = jnp.concatenate([
        jnp.full(3, fixed.speed), jnp.full(3, fixed.speed / fixed.radius),
        jnp.full(slots + 3 * discs, given.mass * fixed.speed), jnp.ones(3),
    ])  # fmt: skip
    residual = partial(_residual, fixed, active, explicit=explicit)
    by_z = jax.jacfwd(residual)(active.z, state, given) * unit
    by_state, by_given = jax.jacfwd(residual, argnums=(1, 2))(active.z, state, given)
    # Where more generators push than are independent, their impulses are not unique, but the motion is.
    inverse = unit[:, None] * jnp.linalg.pinv(by_z, rtol=1e-10)
    moved_z, moved_state = jax.jacfwd(partial(_advance, fixed), argnums=(0, 1))(active.z, state)
    through = -moved_z @ inverse
    return moved_state + through @ by_state, jax.tree.map(lambda leaf: jnp.tensordot(through, leaf, 1), by_given)


@partial(jax.jit, static_argnames="explicit")
def transitions(fixed: Fixed, active: Active, states: Array, given: Given, *, explicit: bool) -> tuple[Array, Given]:
    """Return for each of N steps the derivative of the next state by the state (N, 13, 13), and by what is given.

    Leaves of `active` and the states have a leading axis N; of `given` only the load has.
    """
    axes = Given(None, None, None, None, None, 0)
    return jax.vmap(lambda a, s, g: _one(fixed, a, s, g, explicit), in_axes=(0, 0, axes))(active, states, given)
