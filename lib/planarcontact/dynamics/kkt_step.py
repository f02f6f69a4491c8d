"""One step of the document's mixed nonlinear complementarity problem (document 1, Eqs. 6 to 17)."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from .convex import Inequalities, values_and_gradients
from .newton import Equations, Solution, solve
from .rotation import rotation_matrix, turn

__all__ = ["NONPENETRATION", "Problem", "solve_step", "unknowns"]

NONPENETRATION = ("equality", "max_f", "max_g")


class Problem(NamedTuple):
    """Numbers of a step: the scene's (SI units, `frame` with rows n, t, o), the state at its start, the load (6,), the
    body's inequalities, and the index `k` of the one inequality that the ECP is taken to lie on."""

    mass: Array
    inertia: Array
    frame: Array
    offset: Array
    gravity: Array
    mu: Array
    axes: Array
    step: Array
    radius: Array
    speed: Array
    position: Array
    orientation: Array
    velocity: Array
    load: Array
    f: Inequalities
    k: Array


class Unknowns(NamedTuple):
    """z_u = (nu (6), a1 (3), a2 (3), p_t, p_o, p_r) and z_v = (l_1 (m,), l_2, p_n, sigma), each in its own unit."""

    nu: Array
    a1: Array
    a2: Array
    friction: Array
    l1: Array
    l2: Array
    normal: Array
    sigma: Array


def unknowns(p: Problem, z: Array) -> Unknowns:
    """Give names and SI units to z (18 + m,), whose entries are in units of speed, radius and mass * speed."""
    m = z.shape[0] - 18
    nu = p.speed * jnp.concatenate([z[:3], z[3:6] / p.radius])
    impulse = p.mass * p.speed
    friction = impulse * z[12:15]
    return Unknowns(
        nu, p.position + p.radius * z[6:9], p.position + p.radius * z[9:12], friction, z[15 : 15 + m], z[15 + m],
        impulse * z[16 + m], z[17 + m],
    )  # fmt: skip


def _pair(a: Array, b: Array, measure: bool) -> Array:
    """Zero if and only if 0 <= a _|_ b >= 0: Fischer-Burmeister's function to solve with, the minimum to measure with."""
    if measure:
        return jnp.minimum(a, b)
    square = a * a + b * b
    origin = square == 0.0
    return a + b - jnp.where(origin, 0.0, jnp.sqrt(jnp.where(origin, 1.0, square)))


def _equations(p: Problem, z: Array, nonpenetration: str, explicit: bool, measure: bool) -> Array:
    n, t, o = p.frame
    u = unknowns(p, z)
    position = p.position + p.step * u.nu[:3]
    rotation = rotation_matrix(turn(p.orientation, p.step * u.nu[3:]))
    impulse = p.mass * p.speed

    # Eq. 6, with the unit wrenches at the end-of-step ECP a1.
    r = u.a1 - position
    wrench = lambda axis: jnp.concatenate([axis, jnp.cross(r, axis)])  # noqa: E731
    w_t, w_o, w_r = wrench(t), wrench(o), jnp.concatenate([jnp.zeros(3), n])
    contact = wrench(n) * u.normal + w_t * u.friction[0] + w_o * u.friction[1] + w_r * u.friction[2]
    start = rotation_matrix(p.orientation)
    inertia = start @ p.inertia @ start.T
    omega, spin = u.nu[3:], p.velocity[3:]
    if explicit:
        change = inertia @ (omega - spin) + p.step * jnp.cross(spin, inertia @ spin)
    else:
        change = rotation @ p.inertia @ (rotation.T @ omega) - inertia @ spin
    weight = p.mass * p.gravity * jnp.array([0.0, 0.0, 1.0])
    linear = p.mass * (u.nu[:3] - p.velocity[:3]) - p.step * (p.load[:3] - weight) - contact[:3]
    angular = change - p.step * p.load[3:] - contact[3:]
    momentum = jnp.concatenate([linear, angular / p.radius]) / impulse

    # Eq. 8: Fritz-John conditions of maximum dissipation, and the ellipsoid.
    slip = p.axes * jnp.stack([w_t @ u.nu, w_o @ u.nu, w_r @ u.nu]) / p.speed
    used = u.friction / p.axes / impulse
    limit = p.mu * u.normal / impulse
    friction = limit * slip + used * u.sigma
    cone = _pair(u.sigma, limit * limit - used @ used, measure)

    # Eqs. 13 to 15: closest points of Conv(F) and of the support's half-space g = n.x - offset <= 0.
    values, gradients = values_and_gradients(p.f, rotation.T @ r)
    values, gradients = values / p.radius, gradients @ rotation.T
    chosen = jnp.arange(values.shape[0]) == p.k
    direction = jnp.where(chosen, 1.0, u.l1) @ gradients
    closest = (u.a2 - u.a1) / p.radius - u.l1[p.k] * direction
    opposite = direction + u.l2 * n
    inside = _pair(u.l1, -values, measure)
    support = _pair(u.l2, -(n @ u.a2 - p.offset) / p.radius, measure)

    # Eqs. 10, 11, 16, 17: non-penetration, in the document's two forms, and with f_k(a1) = 0 instead of its pair.
    gap = (n @ u.a1 - p.offset) / p.radius
    if nonpenetration == "equality":
        inside = jnp.where(chosen, values, inside)
    elif nonpenetration == "max_f":
        gap = values_and_gradients(p.f, rotation.T @ (u.a2 - position))[0].max() / p.radius
    apart = _pair(u.normal / impulse, gap, measure)
    return jnp.concatenate([momentum, closest, opposite, friction, inside, support[None], apart[None], cone[None]])


@partial(jax.jit, static_argnames=("nonpenetration", "explicit"))
def solve_step(
    p: Problem, starts: Array, tolerance: Array, *, nonpenetration: str, explicit: bool, max_iterations: int
) -> tuple[Solution, Unknowns]:
    """Solve one step from each of `starts` (s, 18 + m) in turn; return the solution and its unknowns in SI units."""
    residual = lambda z: _equations(p, z, nonpenetration, explicit, False)  # noqa: E731
    slopes = jax.jacfwd(residual)
    equations = Equations(
        lambda z, k: residual(z),
        lambda z, k: slopes(z),
        lambda z: jnp.abs(_equations(p, z, nonpenetration, explicit, True)).max(),
        jnp.ones(starts.shape[1]),
        jnp.array([False, True, False, True]),
    )
    found = solve(equations, starts, max_iterations=max_iterations, tolerance=tolerance)
    return found, unknowns(p, found.z)
