"""Where the Newton iterations of a step start, other than at the step before, in JAX."""

import jax.numpy as jnp
from jax import Array

from .contact import heads, lowest, scalar_count
from .parameters import Parameters
from .rotation import rotation_matrix
from .step import Before, advance

__all__ = ["predictor", "sticking"]


def predictor(p: Parameters, before: Before) -> Array:
    """Start from free motion and the normal impulse at the lowest generator that would keep it above the plane."""
    m = heads(p).shape[0]
    n = p.frame[0]
    rotation = rotation_matrix(before.orientation)
    inverse = rotation @ p.inverse_inertia @ rotation.T
    spin = before.velocity[3:]
    gyroscopic = jnp.cross(spin, rotation @ (p.inertia @ (rotation.T @ spin)))
    v = before.velocity[:3] + p.step * (before.load[:3] / p.mass - jnp.array([0.0, 0.0, 1.0]) * p.gravity)
    omega = spin + p.step * inverse @ (before.load[3:] - gyroscopic)
    free = jnp.concatenate([v, omega, jnp.zeros(m + 3)])
    a = advance(p, before, free).arms
    arm, height = lowest(p, a)
    lever = jnp.cross(arm, n)
    impulse = jnp.maximum(-height, 0.0) / p.step / (1.0 / p.mass + lever @ inverse @ lever)
    w = jnp.zeros(m).at[_slot(p, a.gaps)].set(impulse)
    return jnp.concatenate([v + impulse / p.mass * n, omega + impulse * inverse @ lever, w, jnp.zeros(3)])


def sticking(p: Parameters, before: Before) -> Array:
    """Start from the motion in which friction, however large, stops the body's lowest point r.

    The moment about that point is balanced while it comes to rest, and the spin about the normal with it:
    (I + m (r.r - r r')) omega - n p_r = L_free - m r x v_free and n.omega = 0. The friction that this takes is cut off at
    its limit; a contact that would have to pull leaves no impulse.
    """
    m = heads(p).shape[0]
    n, t, o = p.frame
    rotation = rotation_matrix(before.orientation)
    inertia, spin = rotation @ p.inertia @ rotation.T, before.velocity[3:]
    free = before.velocity[:3] + p.step * (before.load[:3] / p.mass - jnp.array([0.0, 0.0, 1.0]) * p.gravity)
    a = advance(p, before, jnp.concatenate([before.velocity, jnp.zeros(m + 3)])).arms
    r = lowest(p, a)[0]
    about = inertia + p.mass * (r @ r * jnp.eye(3) - jnp.outer(r, r))
    moment = inertia @ spin + p.step * before.load[3:] - p.mass * jnp.cross(r, free)
    matrix = jnp.block([[about, -n[:, None]], [n[None], jnp.zeros((1, 1))]])
    omega, twist = jnp.split(jnp.linalg.solve(matrix, jnp.append(moment, 0.0)), [3])
    v = -jnp.cross(omega, r)
    push = p.mass * (v - free)
    normal = jnp.maximum(n @ push, 0.0)
    limit = p.mu * normal
    y = jnp.concatenate([jnp.stack([t @ push, o @ push]), twist]) / p.axes / jnp.where(limit > 0.0, limit, jnp.inf)
    w = jnp.zeros(m).at[_slot(p, a.gaps)].set(normal)
    return jnp.concatenate([v, omega, w, y / jnp.maximum(jnp.sqrt(y @ y), 1.0)])


def _slot(p: Parameters, gaps: Array) -> Array:
    """Return where in w the impulse of the lowest generator stands, a disc by its centre."""
    c = scalar_count(p)
    index = jnp.argmin(jnp.concatenate([gaps[:c], gaps[c:].reshape(-1, 3)[:, 0]]))
    return jnp.where(index < c, index, c + 3 * (index - c))
