"""First-order contact, the common baseline: gaps linearised at the step's start, forces at the step's start too."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from . import step as implicit
from .complementarity import ball_projection, fischer_burmeister, minimum
from .contact import Arms
from .newton import Equations, solve
from .options import SimulateOptions
from .parameters import Parameters, parameters
from .precision import double_precision
from .record import Record, trajectory
from .rotation import rotation_matrix, turn
from .scene import Scene, checked_scene
from .status import Status
from .trajectory import Trajectory

__all__ = ["simulate_linearised"]

LEVEL = 1e-9  # slope below which a disc counts as flat: its lowest rim point is then no single one
CHUNK = 128  # steps per call of the compiled loop, so that one compilation serves every duration
STARTS = (  # start, min-map instead of Fischer-Burmeister, descent of |F| demanded
    ("warm", False, False), ("zero", False, False), ("zero", True, False), ("zero", False, True), ("warm", True, True),
)  # fmt: skip


def candidates(p: Parameters, position: Array, rotation: Array) -> Array:
    """Return the contact points (k, 3) [m] that a collision search would offer, relative to the COM, at one pose.

    A vertex offers itself, a sphere its lowest point, a disc four points of its rim: the lowest, the highest and the two
    halfway, or its spokes' ends where it lies flat. They are material points for the length of the step.
    """
    n = p.frame[0]
    rotate = lambda points: (points[..., None, :] * rotation).sum(axis=-1)  # noqa: E731
    spokes = rotate(p.disc_spokes)  # (d, 2, 3)
    slope = (spokes * n).sum(axis=-1)
    steep = jnp.linalg.norm(slope, axis=1, keepdims=True)
    flat = steep <= LEVEL * jnp.linalg.norm(p.disc_spokes[:, 0], axis=1)[:, None]
    share = jnp.where(flat, jnp.array([1.0, 0.0]), -slope / jnp.where(flat, 1.0, steep))
    down = jnp.einsum("dk,dkx->dx", share, spokes)
    across = jnp.einsum("dk,dkx->dx", share[:, ::-1] * jnp.array([-1.0, 1.0]), spokes)
    rim = rotate(p.disc_centres)[:, None] + jnp.stack([down, across, -across, -down], axis=1)
    return jnp.concatenate([rotate(p.vertices), rotate(p.sphere_centres) - p.sphere_radii[:, None] * n, rim.reshape(-1, 3)])


def _advance(p: Parameters, before: implicit.Before, points: Array, z: Array) -> implicit.After:
    """Move the body; arms stay where they were, and gaps move with their velocity only."""
    n, w = p.frame[0], z[6:-3]
    position = before.position + p.step * z[:3]
    orientation = turn(before.orientation, p.step * z[3:6])
    gaps = (before.position + points) @ n - p.offset + p.step * (z[:3] + jnp.cross(z[3:6], points)) @ n
    normal, moment = w.sum(), (w[:, None] * points).sum(axis=0)
    defined = normal > implicit.NO_IMPULSE * p.mass * p.speed
    ecp = jnp.where(defined, moment / jnp.where(defined, normal, 1.0), points[jnp.argmin(gaps)])
    held = Arms(points, jnp.zeros_like(points), gaps)
    return implicit.After(
        position, orientation, rotation_matrix(orientation), held, normal, moment, jnp.zeros(3), ecp, defined
    )


def _momentum(p: Parameters, before: implicit.Before, z: Array, after: implicit.After) -> Array:
    """Return the defect (6,) of the Newton-Euler equations, in units of mass * speed (* radius)."""
    n, t, o = p.frame
    y = z[-3:]
    push = n + p.mu * (p.axes[0] * y[0] * t + p.axes[1] * y[1] * o)
    weight = p.mass * p.gravity * jnp.array([0.0, 0.0, 1.0])
    linear = p.mass * (z[:3] - before.velocity[:3]) - p.step * (before.load[:3] - weight) - after.normal * push
    begin = rotation_matrix(before.orientation)
    spin = lambda turned, omega: turned @ (p.inertia @ (turned.T @ omega))  # noqa: E731
    change = spin(after.rotation, z[3:6]) - spin(begin, before.velocity[3:])
    moment = jnp.cross(after.moment, push) + p.mu * after.normal * p.axes[2] * y[2] * n
    return jnp.concatenate([linear, (change - p.step * before.load[3:] - moment) / p.radius]) / (p.mass * p.speed)


def _residual(p: Parameters, before: implicit.Before, points: Array, z: Array, use_minimum: Array) -> Array:
    after = _advance(p, before, points, z)
    a, b = implicit.pairs(p, z, after, p.step * p.speed)
    normal = jnp.where(use_minimum, minimum(a, b)[0], fischer_burmeister(a, b)[0])
    friction = z[-3:] - ball_projection(z[-3:] - implicit.slip(p, z, after) / implicit.slip_size(p))[0]
    return jnp.concatenate([_momentum(p, before, z, after), normal, friction])


def _measure(p: Parameters, before: implicit.Before, points: Array, z: Array) -> Array:
    """Return the unit-free residual of the linearised problem, in the units of the hull method's."""
    after = _advance(p, before, points, z)
    a, b = implicit.pairs(p, z, after, p.radius)
    limit = p.mu * jnp.maximum(after.normal, 0.0) / (p.mass * p.speed)
    friction = limit * z[-3:]
    trial = friction - implicit.slip(p, z, after) / p.speed
    length = jnp.sqrt(jnp.maximum(trial @ trial, 1e-300))
    friction = friction - jnp.where(length <= limit, trial, trial * limit / length)
    return jnp.abs(jnp.concatenate([_momentum(p, before, z, after), minimum(a, b)[0], friction])).max()


@partial(jax.jit, static_argnames=("max_iterations",))
def _chunk(p: Parameters, state: tuple, loads: Array, count: int, tolerance: float, *, max_iterations: int) -> tuple:
    """Take `count` steps, at most CHUNK: the state at their end, and their rows."""
    least = jnp.array([kind for _, kind, _ in STARTS])
    monotone = jnp.array([kind for _, _, kind in STARTS])
    many = _many(p)
    scale = jnp.concatenate([
        jnp.full(3, p.speed), jnp.full(3, p.speed / p.radius), jnp.full(many, p.mass * p.speed), jnp.ones(3)
    ])  # fmt: skip

    def advance(carry: tuple, load: Array) -> tuple:
        position, orientation, velocity, rest = carry
        before = implicit.Before(position, orientation, velocity, load)
        points = candidates(p, position, rotation_matrix(orientation))
        equations = Equations(
            lambda z, k: _residual(p, before, points, z, least[k]),
            lambda z, k: jax.jacfwd(lambda x: _residual(p, before, points, x, least[k]))(z),
            lambda z: _measure(p, before, points, z),
            scale,
            monotone,
        )
        warm, zero = jnp.concatenate([velocity, rest]), jnp.concatenate([velocity, jnp.zeros(many + 3)])
        starts = jnp.stack([warm if kind == "warm" else zero for kind, _, _ in STARTS])
        found = solve(equations, starts, max_iterations=max_iterations, tolerance=tolerance)
        usable = jnp.isfinite(found.z).all()
        z = jnp.where(usable, found.z, jnp.concatenate([velocity, jnp.zeros(many + 3)]))
        after = _advance(p, before, points, z)
        impulse = jnp.concatenate([after.normal[None], p.mu * after.normal * p.axes * z[-3:]])
        row = (after.position, after.orientation, z[:6], position + after.ecp, impulse, found.measure, found.iterations,
               jnp.where(usable, found.status, Status.NOT_FINITE), after.defined)  # fmt: skip
        return (after.position, after.orientation, z[:6], z[6:]), row

    shape = jax.eval_shape(advance, state, loads[0])[1]
    kept = jax.tree.map(lambda leaf: jnp.zeros((CHUNK, *leaf.shape), leaf.dtype), shape)

    def body(k: Array, carry: tuple) -> tuple:
        state, row = advance(carry[0], loads[k])
        return state, jax.tree.map(lambda rows, value: rows.at[k].set(value), carry[1], row)

    return jax.lax.fori_loop(0, count, body, (state, kept))


def _many(p: Parameters) -> int:
    return p.vertices.shape[0] + p.sphere_radii.shape[0] + 4 * p.disc_centres.shape[0]


def simulate_linearised(scene: Scene, *, sample: str = "mid", max_iterations: int = 50, tolerance: float = 1e-12) -> Trajectory:
    """Simulate a scene with first-order contact: the baseline that the document's geometric implicitness is meant to beat.

    At the start of each step the contact points are found, and gaps, arms and the ECP are held there: a gap moves by its
    velocity only, phi + h (W_n . nu+). Friction law, gyroscopic term, Newton driver and everything else are the hull method's.

    Args:
        scene: a `Scene`.
        sample: sample the load at the "start", "mid" (default) or "end" of a step.
        max_iterations: cap on Newton iterations for each start of the cascade.
        tolerance: largest accepted unit-free residual of the linearised problem.

    Returns:
        A `Trajectory`. Its ``ecp`` is where the impulse acted, at the step's **start**, nan where none did. Its ``status``
        judges the linearised problem; that the body lies below the support, which this scheme allows, is no failure.

    Raises:
        InputError: the scene or an option is not usable.

    Source: the discretization that document 1, Section 3.3, holds against (its Eq. 9 to first order).
    """
    checked_scene(scene)
    options = SimulateOptions(sample=sample, max_iterations=max_iterations, tolerance=tolerance)
    p, loads, parts = parameters(scene), scene.loads(options.sample), []
    state = (scene.position, scene.orientation, scene.velocity, np.zeros(_many(p) + 3))
    with double_precision():
        for first in range(0, scene.steps, CHUNK):
            block = loads[first : first + CHUNK]
            padded = np.concatenate([block, np.zeros((CHUNK - len(block), 6))])
            state, kept = _chunk(p, state, padded, len(block), options.tolerance, max_iterations=options.max_iterations)
            parts.append([np.asarray(row)[: len(block)] for row in kept])
    rows = [np.concatenate(part) for part in zip(*parts)]
    record, acted = Record(*rows[:8]), rows[8]
    run = trajectory(scene, record)
    kept = np.where(run.status == Status.PENETRATES, record.status, run.status)
    values = {name: getattr(run, name) for name in run.__dataclass_fields__}
    values |= {"status": kept.astype(np.int64), "ecp": np.where(acted[:, None], record.ecp, np.nan)}
    return Trajectory(**values)
