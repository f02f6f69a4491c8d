"""Semismooth Newton with a cascade of starts, in JAX."""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from .status import Status

__all__ = ["Equations", "Solution", "solve"]

PROXIMAL = 1e-9  # keeps the Jacobian regular where impulses are not unique; it moves no root
ARMIJO = 1e-4
SHORTEST = 2.0**-30
ROUNDING = 1e-15  # below this residual another iteration gains nothing


class Equations(NamedTuple):
    """A system F(z) = 0, possibly written differently for each start of the cascade.

    `residual(z, k)` returns F (n,) and `jacobian(z, k)` an element (n, n) of its generalised derivative, for start k,
    with rows scaled to order one. `scale` (n,) holds the size of one unit of each unknown. `measure(z)` returns the
    unit-free residual by which convergence is judged, the same for every start. `monotone` (s,) says for which starts
    a step must lower |F|: at the kinks of these equations full steps converge where a search for descent gets stuck.
    """

    residual: Callable[[Array, Array], Array]
    jacobian: Callable[[Array, Array], Array]
    measure: Callable[[Array], Array]
    scale: Array
    monotone: Array


class Solution(NamedTuple):
    """The best iterate, its measure, the iterations over all starts, a `Status` as integer, the last start used."""

    z: Array
    measure: Array
    iterations: Array
    status: Array
    start: Array


class _State(NamedTuple):
    z: Array  # last accepted point
    merit: Array  # |F|^2 there
    direction: Array
    alpha: Array  # length of the next trial along it
    fresh: Array  # the next trial is a start, not a point along the direction
    near: Array  # the last accepted point already met the tolerance
    best: Array
    measure: Array  # of the best point
    start: Array
    count: Array  # linear solves from this start
    total: Array
    stalled: Array
    done: Array


def solve(equations: Equations, starts: Array, *, max_iterations: int, tolerance: float) -> Solution:
    """Solve F(z) = 0 from each start in turn until one converges.

    One pass of the loop tries one point: it is taken if the start asks for no descent, or if |F|^2 falls by Armijo's
    rule, and then a new direction is solved for; otherwise the next pass tries half the way. A point that meets the tolerance is polished by one more
    iteration, unless its measure is at rounding already.

    Args:
        equations: what to solve.
        starts: (s, n) starting points, the most promising first.
        max_iterations: cap on iterations (linear solves) from each start.
        tolerance: accepted measure.

    Returns:
        A `Solution`; its status is CONVERGED, ITERATION_LIMIT, STALLED or NOT_FINITE.
    """
    last, n = starts.shape[0] - 1, starts.shape[1]
    one, zero = jnp.ones((), starts.dtype), jnp.zeros((), jnp.int32)
    yes, no = jnp.ones((), bool), jnp.zeros((), bool)

    def newton_direction(z: Array, f: Array, k: Array) -> Array:
        matrix = equations.jacobian(z, k) * equations.scale + PROXIMAL * jnp.eye(n)
        direction = equations.scale * jnp.linalg.solve(matrix, -f)
        return jnp.where(jnp.isfinite(direction).all(), direction, 0.0)

    def attempt(s: _State) -> _State:
        trial = jnp.where(s.fresh, starts[s.start], s.z + s.alpha * s.direction)
        f, measure = equations.residual(trial, s.start), equations.measure(trial)
        merit = f @ f
        descends = merit <= (1.0 - 2.0 * ARMIJO * s.alpha) * s.merit  # false for nan
        taken = s.fresh | descends | (~jnp.asarray(equations.monotone)[s.start] & jnp.isfinite(merit))
        met = measure <= tolerance
        better = taken & (measure < s.measure)  # false for nan
        least = jnp.where(better, measure, s.measure)
        finished = (taken & met & (s.near | (measure <= ROUNDING))) | (~taken & s.near)
        stalled = ~taken & (s.alpha <= SHORTEST) & ~finished
        capped = taken & (s.count >= max_iterations) & ~met
        give_up = stalled | capped
        turn = taken & ~finished & ~give_up
        direction = jax.lax.cond(
            turn, lambda: newton_direction(trial, f, s.start), lambda: jnp.where(taken, 0.0, s.direction)
        )
        return _State(
            z=jnp.where(taken, trial, s.z),
            merit=jnp.where(taken, merit, s.merit),
            direction=direction,
            alpha=jnp.where(taken, one, s.alpha / 2),
            fresh=give_up,
            near=taken & met,
            best=jnp.where(better, trial, s.best),
            measure=least,
            start=jnp.where(give_up & (s.start < last), s.start + 1, s.start),
            count=jnp.where(give_up, 0, s.count + turn),
            total=s.total + turn,
            stalled=stalled,
            done=finished | (give_up & (s.start == last)),
        )

    state = _State(
        starts[0], one * jnp.inf, jnp.zeros(n), one, yes, no, starts[0], one * jnp.inf, zero, zero, zero, no, no
    )
    end = jax.lax.while_loop(lambda s: ~s.done, attempt, state)
    status = jnp.where(end.stalled, Status.STALLED, Status.ITERATION_LIMIT)
    status = jnp.where(jnp.isfinite(end.measure), status, Status.NOT_FINITE)
    status = jnp.where(end.measure <= tolerance, Status.CONVERGED, status)
    return Solution(end.best, end.measure, end.total, status.astype(jnp.int32), end.start)
