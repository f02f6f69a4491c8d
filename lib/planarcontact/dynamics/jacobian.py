"""The derivative of one step's equations in closed form (an element of the generalised derivative at kinks)."""

import jax.numpy as jnp
from jax import Array

from .complementarity import ball_projection, fischer_burmeister, minimum
from .contact import heads, scalar_count
from .parameters import Parameters
from .rotation import cayley_differential, cross_matrix, rotation_matrix
from .step import After, Before, advance, cone_rows, pairs, slip, slip_size

__all__ = ["jacobian"]


def jacobian(p: Parameters, before: Before, z: Array, use_minimum: Array, explicit: bool) -> Array:
    """Return the derivative (n, n) of `step.residual` with respect to z."""
    after = advance(p, before, z)
    differential = p.step * cayley_differential(p.step * z[3:6])  # world rotation of the body per change of omega
    return jnp.concatenate([
        _momentum_rows(p, before, z, after, differential, explicit),
        _generator_rows(p, z, after, differential, use_minimum),
        _friction_rows(p, z, after, differential),
    ])  # fmt: skip


def _momentum_rows(p: Parameters, before: Before, z: Array, after: After, differential: Array, explicit: bool) -> Array:
    n, t, o = p.frame
    omega, y, head = z[3:6], z[-3:], heads(p)
    slope = p.mu * p.axes[:2, None] * jnp.stack([t, o])  # (2, 3): change of the push with y_t, y_o
    push = n + y[:2] @ slope  # contact force per unit of normal impulse
    twist = p.mu * p.axes[2] * n
    if explicit:
        start = rotation_matrix(before.orientation)
        spin = start @ p.inertia @ start.T
    else:
        inertia = after.rotation @ p.inertia @ after.rotation.T
        spin = inertia + (inertia @ cross_matrix(omega) - cross_matrix(inertia @ omega)) @ differential
    spin = spin - cross_matrix(push) @ cross_matrix(after.moment_turning) @ differential
    reach = after.arms.turning + after.arms.still
    linear = [p.mass * jnp.eye(3), jnp.zeros((3, 3)), -push[:, None] * head, -after.normal * slope.T, jnp.zeros((3, 1))]
    angular = [
        jnp.zeros((3, 3)),
        spin,
        -(jnp.cross(reach, push) + head[:, None] * y[2] * twist).T,
        -jnp.cross(after.moment, slope).T,
        -after.normal * twist[:, None],
    ]
    rows = jnp.concatenate([jnp.concatenate(linear, axis=1), jnp.concatenate(angular, axis=1) / p.radius])
    return rows / (p.mass * p.speed)


def _generator_rows(p: Parameters, z: Array, after: After, differential: Array, use_minimum: Array) -> Array:
    n, head, c = p.frame[0], heads(p), scalar_count(p)
    length, impulse = p.step * p.speed, p.mass * p.speed
    a, b = pairs(p, z, after, length)
    slopes = [head[:, None] * (p.step * n), jnp.cross(after.arms.turning, n) @ differential]
    by_nu = jnp.concatenate(slopes, axis=1) / length
    chosen = zip(minimum(a[:c], b[:c]), fischer_burmeister(a[:c], b[:c]))
    _, da, db = (jnp.where(use_minimum, first, second) for first, second in chosen)
    cones = cone_rows(a[c:], b[c:])[1]
    d = cones.shape[0]
    blocks = jnp.eye(d)[:, None, :, None] * (jnp.eye(3) - cones)[:, :, None, :]
    rows = jnp.zeros((c + 3 * d, 6 + c + 3 * d + 3))
    rows = rows.at[:c, :6].set(da[:, None] * by_nu[:c])
    rows = rows.at[c:, :6].set((cones @ by_nu[c:].reshape(d, 3, 6)).reshape(3 * d, 6))
    rows = rows.at[:c, 6 : 6 + c].set(jnp.diag(db / impulse))
    return rows.at[c:, 6 + c : 6 + c + 3 * d].set(blocks.reshape(3 * d, 3 * d) / impulse)


def _friction_rows(p: Parameters, z: Array, after: After, differential: Array) -> Array:
    n, plane = p.frame[0], p.frame[1:]
    omega, head = z[3:6], heads(p)
    share = jnp.where(after.defined, 1.0 / jnp.where(after.defined, after.normal, 1.0), 0.0)
    ecp_by_w = share * (after.arms.turning + after.arms.still - head[:, None] * after.ecp)  # (m, 3)
    ecp_by_omega = -share * cross_matrix(after.moment_turning) @ differential  # (3, 3)
    lever = jnp.cross(plane, omega)  # (2, 3): t.(omega x da) = (t x omega).da
    sliding = [plane, jnp.cross(after.ecp, plane) + lever @ ecp_by_omega, lever @ ecp_by_w.T]
    turning = [jnp.zeros(3), n, jnp.zeros(head.shape[0])]
    rows = jnp.concatenate([jnp.concatenate(sliding, axis=1), jnp.concatenate(turning)[None]])
    rows = p.axes[:, None] / slip_size(p) * rows
    ball = ball_projection(z[-3:] - slip(p, z, after) / slip_size(p))[1]
    return jnp.concatenate([ball @ rows, jnp.eye(3) - ball], axis=1)
