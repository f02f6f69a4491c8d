"""What the contact of a step adds to the energy at hand, in JAX: the check by which false roots are told."""

import jax.numpy as jnp
from jax import Array

from .contact import arms, lowest
from .parameters import Parameters
from .rotation import rotation_matrix
from .step import Before, advance

__all__ = ["GAIN", "gain"]

GAIN = 0.2  # of the energy at hand; ours, from random violent bodies (at most 0.04) and from false roots (0.5 and more)


def gain(p: Parameters, before: Before, z: Array, explicit: bool) -> Array:
    """Return the work of the contact beyond lifting the body out of the plane, over the energy at hand; at least 0.

    Impulses do the work m v+.(v+ - v_free) + omega+.(L+ - L_free). A body that starts below the plane by a depth is
    lifted out by the work p_n depth / step; more than that no contact does in a small turn. The energy at hand is that
    work and the kinetic energy of the free motion.
    """
    v, omega, after = z[:3], z[3:6], advance(p, before, z)
    turned = rotation_matrix(before.orientation)
    start = turned @ p.inertia @ turned.T
    inertia = start if explicit else after.rotation @ p.inertia @ after.rotation.T
    spin = before.velocity[3:]
    momentum = start @ spin + p.step * before.load[3:]
    if explicit:
        momentum = momentum - p.step * jnp.cross(spin, start @ spin)
    free = before.velocity[:3] + p.step * (before.load[:3] / p.mass - p.gravity * jnp.array([0.0, 0.0, 1.0]))
    work = p.mass * v @ (v - free) + omega @ (inertia @ omega - momentum)
    inverse = (turned if explicit else after.rotation) @ p.inverse_inertia @ (turned if explicit else after.rotation).T
    energy = 0.5 * p.mass * free @ free + 0.5 * momentum @ (inverse @ momentum)
    depth = jnp.maximum(-lowest(p, arms(p, before.position, turned))[1], 0.0)
    lift = after.normal * depth / p.step
    at_hand = energy + lift
    return jnp.where(work > lift, (work - lift) / jnp.where(at_hand > 0.0, at_hand, 1e-300), 0.0)
