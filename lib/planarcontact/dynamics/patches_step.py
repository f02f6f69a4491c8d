"""One step with one equivalent contact point and one contact wrench for every patch."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from .newton import Equations, Solution, solve
from .rotation import rotation_matrix, turn

__all__ = ["Feet", "Start", "Outcome", "outcome", "solve_step"]


class Feet(NamedTuple):
    """Numbers of a scene: mass [kg]; inertia (3, 3) [kg m2]; corners (n, 3) [m] of all patches, body frame; member
    (J, n), 1 where a corner belongs to a patch; frame (3, 3), rows n, t, o; offset [m]; gravity [m/s2]; mu; axes (3,);
    step [s]; radius [m] and speed [m/s], the units of the residual."""

    mass: Array
    inertia: Array
    corners: Array
    member: Array
    frame: Array
    offset: Array
    gravity: Array
    mu: Array
    axes: Array
    step: Array
    radius: Array
    speed: Array


class Start(NamedTuple):
    """State at the step's start, the load (6,) [N, N m], and the projection `split` (n, n): which distribution of the
    normal impulse over the corners friction sees."""

    position: Array
    orientation: Array
    velocity: Array
    load: Array
    split: Array


class Outcome(NamedTuple):
    """What z implies at the step's end: state; corner heights (n,) [m]; corner impulses (n,) [N s] after the split; per
    patch its ECP (J, 3) and the point where its friction is taken (J, 3), relative to the COM [m]; p_n (J,) [N s]; friction
    impulses over the axes e (J, 3) [N s]; all corner arms (n, 3) [m] and impulses (n,) [N s] before the split."""

    position: Array
    orientation: Array
    rotation: Array
    heights: Array
    corners: Array
    ecps: Array
    points: Array
    normal: Array
    friction: Array
    arms: Array
    raw: Array


def outcome(f: Feet, start: Start, z: Array, common: bool) -> Outcome:
    """Move the body by z = (nu (6), corner impulses (n,), friction over axes (3 J,)), and collect what follows."""
    count, feet = f.corners.shape[0], f.member.shape[0]
    raw, friction = z[6 : 6 + count], z[6 + count :].reshape(feet, 3)
    position = start.position + f.step * z[:3]
    orientation = turn(start.orientation, f.step * z[3:6])
    rotation = rotation_matrix(orientation)
    arms = f.corners @ rotation.T
    heights = (position + arms) @ f.frame[0] - f.offset
    corners = start.split @ raw
    normal = f.member @ corners
    weighted = (f.member * corners) @ arms
    centre = (f.member @ arms) / f.member.sum(axis=1, keepdims=True)
    tiny = 1e-13 * f.mass * f.speed
    pressed = normal > tiny
    ecps = jnp.where(pressed[:, None], weighted / jnp.where(pressed, normal, 1.0)[:, None], centre)
    total = raw.sum()
    whole = jnp.where(total > tiny, raw @ arms / jnp.where(total > tiny, total, 1.0), centre.mean(axis=0))
    points = jnp.broadcast_to(whole, ecps.shape) if common else ecps
    return Outcome(position, orientation, rotation, heights, corners, ecps, points, normal, friction, arms, raw)


def _momentum(f: Feet, start: Start, z: Array, out: Outcome, explicit: bool) -> Array:
    n, t, o = f.frame
    weight = f.mass * f.gravity * jnp.array([0.0, 0.0, 1.0])
    pulls = f.axes[0] * out.friction[:, :1] * t + f.axes[1] * out.friction[:, 1:2] * o
    push = out.raw.sum() * n + pulls.sum(axis=0)
    linear = f.mass * (z[:3] - start.velocity[:3]) - f.step * (start.load[:3] - weight) - push
    before = rotation_matrix(start.orientation)
    inertia = before @ f.inertia @ before.T
    omega, spin = z[3:6], start.velocity[3:]
    if explicit:
        change = inertia @ (omega - spin) + f.step * jnp.cross(spin, inertia @ spin)
    else:
        change = out.rotation @ f.inertia @ (out.rotation.T @ omega) - inertia @ spin
    moment = jnp.cross(out.raw @ out.arms, n) + jnp.cross(out.points, pulls).sum(axis=0)
    moment = moment + f.axes[2] * out.friction[:, 2].sum() * n
    return jnp.concatenate([linear, (change - f.step * start.load[3:] - moment) / f.radius]) / (f.mass * f.speed)


def _friction(f: Feet, z: Array, out: Outcome) -> Array:
    """Maximum dissipation of every patch on its own ellipsoid: the natural map of a ball of radius mu p_n (J, 3)."""
    n, t, o = f.frame
    at = z[:3] + jnp.cross(z[3:6], out.points)
    slip = f.axes * jnp.stack([at @ t, at @ o, jnp.broadcast_to(z[3:6] @ n, at.shape[:1])], axis=1) / f.speed
    mine = out.friction / (f.mass * f.speed)
    limit = f.mu * jnp.maximum(out.normal, 0.0)[:, None] / (f.mass * f.speed)
    trial = mine - slip
    square = (trial * trial).sum(axis=1, keepdims=True)
    inside = square <= limit * limit
    length = jnp.sqrt(jnp.where(inside, 1.0, square))
    return mine - jnp.where(inside, trial, trial * limit / length)


def _equations(f: Feet, start: Start, z: Array, length: Array, common: bool, explicit: bool) -> Array:
    out = outcome(f, start, z, common)
    pairs = jnp.minimum(out.heights / length, out.raw / (f.mass * f.speed))
    return jnp.concatenate(
        [_momentum(f, start, z, out, explicit), pairs, _friction(f, z, out).reshape(-1)]
    )


@partial(jax.jit, static_argnames=("common", "explicit"))
def solve_step(
    f: Feet, start: Start, starts: Array, tolerance: Array, *, common: bool, explicit: bool, max_iterations: int
) -> tuple[Solution, Outcome]:
    """Solve one step from each of `starts` (s, n) in turn; return the solution and what it implies."""
    residual = lambda z: _equations(f, start, z, f.step * f.speed, common, explicit)  # noqa: E731
    slopes = jax.jacfwd(residual)
    impulse = f.mass * f.speed
    count = f.corners.shape[0] + 3 * f.member.shape[0]
    scale = jnp.concatenate([jnp.full(3, f.speed), jnp.full(3, f.speed / f.radius), jnp.full(count, impulse)])
    equations = Equations(
        lambda z, k: residual(z),
        lambda z, k: slopes(z),
        lambda z: jnp.abs(_equations(f, start, z, f.radius, common, explicit)).max(),
        scale,
        jnp.array([False, False, True]),
    )
    found = solve(equations, starts, max_iterations=max_iterations, tolerance=tolerance)
    return found, outcome(f, start, found.z, common)
