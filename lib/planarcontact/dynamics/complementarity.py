"""Functions whose zeros are complementary pairs, with elements of their generalised derivatives."""

import jax.numpy as jnp
from jax import Array

__all__ = ["ball_projection", "cone_projection", "fischer_burmeister", "minimum"]


def fischer_burmeister(a: Array, b: Array) -> tuple[Array, Array, Array]:
    """Return phi = a + b - sqrt(a^2 + b^2) and its derivatives; phi = 0 if and only if 0 <= a _|_ b >= 0."""
    square = a * a + b * b
    origin = square == 0.0
    root = jnp.sqrt(jnp.where(origin, 1.0, square))  # sqrt(0) would give nan derivatives
    kink = jnp.sqrt(0.5)
    return (
        a + b - jnp.where(origin, 0.0, root),
        1.0 - jnp.where(origin, kink, a / root),
        1.0 - jnp.where(origin, kink, b / root),
    )


def minimum(a: Array, b: Array) -> tuple[Array, Array, Array]:
    """Return min(a, b) and its derivatives; it is zero if and only if 0 <= a _|_ b >= 0."""
    first = (a < b).astype(a.dtype)
    return jnp.minimum(a, b), first, 1.0 - first


def ball_projection(x: Array) -> tuple[Array, Array]:
    """Return the point of the unit ball that is closest to x (3,), and the derivative (3, 3)."""
    square = x @ x
    inside = square <= 1.0
    norm = jnp.sqrt(jnp.where(inside, 1.0, square))
    unit = x / norm
    slope = jnp.eye(3) / norm - jnp.where(inside, 0.0, 1.0) * jnp.outer(unit, unit) / norm
    return unit, slope


def cone_projection(x: Array) -> tuple[Array, Array]:
    """Return the point of the cone {x_0 >= |(x_1, x_2)|} that is closest to x (3,), and the derivative (3, 3)."""
    head, tail = x[0], x[1:]
    square = tail @ tail
    flat = square == 0.0
    norm = jnp.sqrt(jnp.where(flat, 1.0, square))
    length = jnp.where(flat, 0.0, norm)
    unit = jnp.where(flat, 0.0, tail / norm)
    half = 0.5 * (head + length)
    ratio = head / norm
    inside, polar = head >= length, head <= -length
    point = jnp.where(inside, x, jnp.where(polar, 0.0, half * jnp.concatenate([jnp.ones(1), unit])))
    block = (1.0 + ratio) * jnp.eye(2) - ratio * jnp.outer(unit, unit)
    mixed = 0.5 * jnp.block([[jnp.ones((1, 1)), unit[None, :]], [unit[:, None], block]])
    slope = jnp.where(inside, jnp.eye(3), jnp.where(polar, jnp.zeros((3, 3)), mixed))
    return point, slope
