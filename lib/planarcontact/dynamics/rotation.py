"""Quaternions w x y z and the Cayley update, in JAX."""

import jax.numpy as jnp
from jax import Array

__all__ = ["cross_matrix", "cayley_differential", "rotation_matrix", "turn"]


def cross_matrix(u: Array) -> Array:
    """Return [u]x (3, 3), so that [u]x w = u x w."""
    x, y, z = u[0], u[1], u[2]
    o = jnp.zeros_like(x)
    return jnp.stack([jnp.stack([o, -z, y]), jnp.stack([z, o, -x]), jnp.stack([-y, x, o])])


def rotation_matrix(q: Array) -> Array:
    """Return the rotation (3, 3) of a unit quaternion (4,) w x y z, body to world."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    return jnp.stack([
        jnp.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)]),
        jnp.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)]),
        jnp.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]),
    ])  # fmt: skip


def turn(q: Array, theta: Array) -> Array:
    """Return normalise(q + (0, theta) q / 2) (4,): q turned by 2 atan(|theta| / 2) about the world vector theta [rad]."""
    w, u = q[0], q[1:]
    moved = jnp.concatenate([(w - theta @ u / 2)[None], u + (theta * w + jnp.cross(theta, u)) / 2])
    return moved / jnp.linalg.norm(moved)


def cayley_differential(theta: Array) -> Array:
    """Return D (3, 3): the world rotation vector delta = D dtheta by which `turn(q, theta)` moves with theta."""
    return (jnp.eye(3) + cross_matrix(theta) / 2) / (1 + theta @ theta / 4)
