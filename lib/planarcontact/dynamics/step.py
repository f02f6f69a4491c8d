"""One time step of the hull method: the complementarity problem and its unit-free measure.

Unknowns z = (nu (6), w (m,), y (3)): the velocity at the step's end, the normal impulses of the generators, and the
friction impulse in units of its limit, (p_t, p_o, p_r) = mu p_n E y with E = diag(e_t, e_o, e_r).
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from .complementarity import ball_projection, cone_projection, fischer_burmeister, minimum
from .contact import Arms, arms, heads, lowest, scalar_count
from .parameters import Parameters
from .rotation import rotation_matrix, turn

__all__ = ["After", "Before", "advance", "cone_rows", "measure", "pairs", "residual", "slip", "slip_size", "unit_sizes"]

NO_IMPULSE = 1e-13  # in units of mass * speed: below it the impulses do not define the ECP, and the lowest point stands in


class Before(NamedTuple):
    """State at the step's start: position (3,) [m], quaternion (4,), velocity (6,) [m/s, rad/s]; and the load (6,) [N, N m]."""

    position: Array
    orientation: Array
    velocity: Array
    load: Array


class After(NamedTuple):
    """What the unknowns imply at the step's end.

    position (3,) [m], orientation (4,), rotation (3, 3); the generators' `Arms`; p_n [N s], the sum of w_i r_i (3,)
    [N s m] and of its turning part (3,); the ECP relative to the COM (3,) [m], and whether the impulses define it.
    """

    position: Array
    orientation: Array
    rotation: Array
    arms: Arms
    normal: Array
    moment: Array
    moment_turning: Array
    ecp: Array
    defined: Array


def unit_sizes(p: Parameters) -> Array:
    """Return the size (n,) of one unit of each unknown in z: speed [m/s], speed / radius [rad/s], mass * speed [N s], 1."""
    m = heads(p).shape[0]
    return jnp.concatenate([
        jnp.full(3, p.speed), jnp.full(3, p.speed / p.radius), jnp.full(m, p.mass * p.speed), jnp.ones(3)
    ])  # fmt: skip


def advance(p: Parameters, before: Before, z: Array) -> After:
    """Move the body with the unknown velocity and collect what its generators then do."""
    m = heads(p).shape[0]
    w = z[6 : 6 + m]
    position = before.position + p.step * z[:3]
    orientation = turn(before.orientation, p.step * z[3:6])
    rotation = rotation_matrix(orientation)
    a = arms(p, position, rotation)
    normal = (heads(p) * w).sum()
    turning = (w[:, None] * a.turning).sum(axis=0)
    moment = turning + (w[:, None] * a.still).sum(axis=0)
    defined = normal > NO_IMPULSE * p.mass * p.speed
    ecp = jnp.where(defined, moment / jnp.where(defined, normal, 1.0), lowest(p, a)[0])
    return After(position, orientation, rotation, a, normal, moment, turning, ecp, defined)


def _momentum(p: Parameters, before: Before, z: Array, after: After, explicit: bool) -> Array:
    """Return the residual of the Newton-Euler equations over the step (6,), in units of mass * speed and mass * speed * radius (document 1, Eq. 6)."""
    n, t, o = p.frame
    v, omega, y = z[:3], z[3:6], z[-3:]
    push = n + p.mu * (p.axes[0] * y[0] * t + p.axes[1] * y[1] * o)  # contact force per unit of normal impulse
    weight = p.mass * p.gravity * jnp.array([0.0, 0.0, 1.0])
    linear = p.mass * (v - before.velocity[:3]) - p.step * (before.load[:3] - weight) - after.normal * push
    start = rotation_matrix(before.orientation)
    inertia_start = start @ p.inertia @ start.T
    spin_start = before.velocity[3:]
    if explicit:
        change = inertia_start @ (omega - spin_start) + p.step * jnp.cross(spin_start, inertia_start @ spin_start)
    else:
        change = after.rotation @ (p.inertia @ (after.rotation.T @ omega)) - inertia_start @ spin_start
    moment = jnp.cross(after.moment, push) + p.mu * after.normal * p.axes[2] * y[2] * n
    angular = change - p.step * before.load[3:] - moment
    return jnp.concatenate([linear, angular / p.radius]) / (p.mass * p.speed)


def slip(p: Parameters, z: Array, after: After) -> Array:
    """Return E (v_t, v_o, v_r) at the ECP (3,) [m/s]."""
    n, t, o = p.frame
    at = z[:3] + jnp.cross(z[3:6], after.ecp)
    return p.axes * jnp.stack([t @ at, o @ at, n @ z[3:6]])


def slip_size(p: Parameters) -> Array:
    """Return g h [m/s], the change of velocity in a step at rest, against which slip is weighed in the friction map."""
    return p.speed**2 * p.step / p.radius


def pairs(p: Parameters, z: Array, after: After, length: Array) -> tuple[Array, Array]:
    """Return gaps in units of `length` and impulses in units of mass * speed (m,), which must be complementary."""
    return after.arms.gaps / length, z[6:-3] / (p.mass * p.speed)


def residual(p: Parameters, before: Before, z: Array, use_minimum: Array, explicit: bool) -> Array:
    """Return F(z) (n,): momentum, complementarity of every generator, and friction.

    Vertices and spheres use Fischer-Burmeister's function, or the minimum where `use_minimum`; discs and friction use
    the natural map of their cone and ball.
    """
    after = advance(p, before, z)
    c = scalar_count(p)
    a, b = pairs(p, z, after, p.step * p.speed)
    scalar = jnp.where(use_minimum, minimum(a[:c], b[:c])[0], fischer_burmeister(a[:c], b[:c])[0])
    cone = cone_rows(a[c:], b[c:])[0]
    y = z[-3:]
    friction = y - ball_projection(y - slip(p, z, after) / slip_size(p))[0]
    return jnp.concatenate([_momentum(p, before, z, after, explicit), scalar, cone, friction])


def cone_rows(a: Array, b: Array) -> tuple[Array, Array]:
    """Return the natural map of the discs (3 d,) and the derivative (d, 3, 3) of the projection in it."""
    if a.shape[0] == 0:
        return jnp.zeros(0), jnp.zeros((0, 3, 3))
    points, slopes = jax.vmap(cone_projection)((b - a).reshape(-1, 3))
    return b - points.reshape(-1), slopes


def measure(p: Parameters, before: Before, z: Array, explicit: bool) -> Array:
    """Return the unit-free residual: the maximum norm, with heights in R, velocities in sqrt(g R), impulses in m sqrt(g R).

    Complementary pairs enter by their natural maps, friction as an impulse against its limit mu p_n.
    """
    after = advance(p, before, z)
    c = scalar_count(p)
    a, b = pairs(p, z, after, p.radius)
    scalar = minimum(a[:c], b[:c])[0]
    cone = cone_rows(a[c:], b[c:])[0]
    limit = p.mu * jnp.maximum(after.normal, 0.0) / (p.mass * p.speed)
    friction = limit * z[-3:]
    trial = friction - slip(p, z, after) / p.speed
    length = jnp.sqrt(jnp.maximum(trial @ trial, 1e-300))
    friction = friction - jnp.where(length <= limit, trial, trial * limit / length)
    return jnp.abs(jnp.concatenate([_momentum(p, before, z, after, explicit), scalar, cone, friction])).max()
