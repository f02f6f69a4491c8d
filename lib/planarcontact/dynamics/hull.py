"""The hull method: one equivalent contact point for all that touches, from the convex hull of the generators."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from . import step
from .contact import heads, scalar_count
from .jacobian import jacobian
from .newton import Equations, solve
from .options import SimulateOptions
from .parameters import Parameters, parameters
from .precision import double_precision
from .record import Record, trajectory
from .scene import Scene
from .starts import predictor, sticking
from .status import Status
from .trajectory import Trajectory
from .work import GAIN, gain

__all__ = ["Memory", "StepResult", "run", "solve_step"]

CHUNK = 128  # steps per call of the compiled loop, so that one compilation serves every duration

CASCADE = (  # start, min-map instead of Fischer-Burmeister, descent of |F| demanded
    ("warm", False, False),
    ("fresh", False, False),
    ("fresh", True, False),
    ("fresh", False, True),
    ("warm", True, True),
    ("stick", False, False),
    ("stick", True, False),
)


class Memory(NamedTuple):
    """What a step hands to the next: position (3,), orientation (4,), velocity (6,), and w (m,), y (3,) as warm start."""

    position: Array
    orientation: Array
    velocity: Array
    w: Array
    y: Array


class StepResult(NamedTuple):
    """What is kept of a step: state, ECP (3,) [m], impulse (4,), measure, iterations, status."""

    position: Array
    orientation: Array
    velocity: Array
    ecp: Array
    impulse: Array
    measure: Array
    iterations: Array
    status: Array


def solve_step(
    p: Parameters, memory: Memory, load: Array, *, explicit: bool, max_iterations: int, tolerance: float
) -> tuple[Memory, StepResult]:
    """Take one step of the hull method.

    Args:
        p: the scene's numbers.
        memory: state and warm start.
        load: (6,) force [N] and moment [N m] over the step.
        explicit: the document's gyroscopic term instead of the momentum form.
        max_iterations: cap for each start of the cascade.
        tolerance: accepted unit-free residual.

    Returns:
        The memory for the next step, and the step's result.
    """
    before = step.Before(memory.position, memory.orientation, memory.velocity, load)
    least = jnp.array([minimum for _, minimum, _ in CASCADE])
    equations = Equations(
        lambda z, k: step.residual(p, before, z, least[k], explicit),
        lambda z, k: jacobian(p, before, z, least[k], explicit),
        lambda z: step.measure(p, before, z, explicit),
        step.unit_sizes(p),
        jnp.array([monotone for _, _, monotone in CASCADE]),
        lambda z: gain(p, before, z, explicit) <= GAIN,
    )
    warm = jnp.concatenate([memory.velocity, memory.w, memory.y])
    kinds = jnp.array([("warm", "fresh", "stick").index(kind) for kind, _, _ in CASCADE])
    begin = lambda k: jax.lax.switch(  # noqa: E731
        kinds[k], [lambda: warm, lambda: predictor(p, before), lambda: sticking(p, before)]
    )
    found = solve(equations, begin, max_iterations=max_iterations, tolerance=tolerance)
    z = _clean(p, before, found.z)
    after = step.advance(p, before, z)
    measure = step.measure(p, before, z, explicit)
    finite = jnp.isfinite(measure) & jnp.isfinite(z).all() & (after.orientation @ after.orientation > 0.5)
    lost = finite & (found.status == Status.CONVERGED) & ~(measure <= tolerance)
    status = jnp.where(finite, jnp.where(lost, Status.STALLED, found.status), Status.NOT_FINITE)
    m = heads(p).shape[0]
    hold = lambda new, old: jnp.where(finite, new, old)  # noqa: E731
    friction = p.mu * after.normal * p.axes * z[-3:]
    result = StepResult(
        hold(after.position, before.position),
        hold(after.orientation, before.orientation),
        hold(z[:6], before.velocity),
        hold(after.position + after.ecp, before.position),
        hold(jnp.concatenate([after.normal[None], friction]), jnp.zeros(4)),
        jnp.where(finite, measure, jnp.inf),
        found.iterations,
        status,
    )
    following = Memory(
        result.position, result.orientation, result.velocity, hold(z[6 : 6 + m], memory.w), hold(z[-3:], memory.y)
    )
    return following, result


def _clean(p: Parameters, before: step.Before, z: Array) -> Array:
    """Make exactly zero the impulses of generators that do not touch, and bring y into its ball.

    Both change z by less than the tolerance; afterwards p_n is exactly zero in free flight and the ECP lies in the hull
    of what touches.
    """
    c = scalar_count(p)
    a, b = step.pairs(p, z, step.advance(p, before, z), p.radius)
    scalar = jnp.where((b[:c] > a[:c]) & (b[:c] > 0.0), z[6 : 6 + c], 0.0)
    cones = z[6 + c : -3].reshape(-1, 3)
    keep = b[c:].reshape(-1, 3)[:, 0] > jnp.linalg.norm(a[c:].reshape(-1, 3), axis=1) * 1e-12
    cones = jnp.where(keep[:, None], cones, 0.0)
    y = z[-3:]
    return jnp.concatenate([z[:6], scalar, cones.reshape(-1), y / jnp.maximum(jnp.sqrt(y @ y), 1.0)])


@partial(jax.jit, static_argnames=("explicit",))
def _chunk(p, memory, loads, count, max_iterations, tolerance, *, explicit):
    """Take `count` steps, at most CHUNK, and keep their results."""
    advance = partial(solve_step, p, explicit=explicit, max_iterations=max_iterations, tolerance=tolerance)
    shape = jax.eval_shape(advance, memory, loads[0])[1]
    kept = jax.tree.map(lambda leaf: jnp.zeros((CHUNK, *leaf.shape), leaf.dtype), shape)

    def body(k, carry):
        memory, kept = carry
        memory, result = advance(memory, loads[k])
        return memory, jax.tree.map(lambda rows, row: rows.at[k].set(row), kept, result)

    return jax.lax.fori_loop(0, count, body, (memory, kept))


def start(scene: Scene, p: Parameters) -> Memory:
    """Return the memory (NumPy) before the first step of a scene."""
    m = p.vertices.shape[0] + p.sphere_radii.shape[0] + 3 * p.disc_centres.shape[0]
    return Memory(scene.position, scene.orientation, scene.velocity, np.zeros(m), np.zeros(3))


def run(scene: Scene, options: SimulateOptions) -> Trajectory:
    """Simulate a scene with one equivalent contact point (document 1, Eqs. 6 to 17, in the robust form)."""
    p = parameters(scene)
    loads = scene.loads(options.sample)
    memory = start(scene, p)
    parts = []
    with double_precision():
        for first in range(0, scene.steps, CHUNK):
            block = loads[first : first + CHUNK]
            count = len(block)
            block = np.concatenate([block, np.zeros((CHUNK - count, 6))])
            memory, kept = _chunk(
                p, memory, block, count, options.max_iterations, options.tolerance,
                explicit=options.gyroscopic == "explicit",
            )  # fmt: skip
            parts.append(jax.tree.map(lambda leaf: np.asarray(leaf)[:count], kept))
    return trajectory(scene, Record(*(np.concatenate(rows) for rows in zip(*parts))))
