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
    `accepts(z)`, if given, says whether a root is one that is looked for; the cascade goes on after one that is not, and
    returns it, as GAINS, only if no start leads to another.
    """

    residual: Callable[[Array, Array], Array]
    jacobian: Callable[[Array, Array], Array]
    measure: Callable[[Array], Array]
    scale: Array
    monotone: Array
    accepts: Callable[[Array], Array] | None = None


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
    refused: Array  # a root that is not accepted
    refused_measure: Array


def solve(
    equations: Equations, starts: Array | Callable[[Array], Array], *, max_iterations: int, tolerance: float
) -> Solution:
    """Solve F(z) = 0 from each start in turn until one converges.

    One pass of the loop tries one point: it is taken if the start asks for no descent, or if |F|^2 falls by Armijo's
    rule, and then a new direction is solved for; otherwise the next pass tries half the way. A point that meets the tolerance is polished by one more
    iteration, unless its measure is at rounding already.

    Args:
        equations: what to solve.
        starts: (s, n) starting points, the most promising first; or a function of their number, for starts that cost
            something and are seldom needed.
        max_iterations: cap on iterations (linear solves) from each start.
        tolerance: accepted measure.

    Returns:
        A `Solution`; its status is CONVERGED, ITERATION_LIMIT, STALLED, NOT_FINITE or GAINS.
    """
    last = jnp.asarray(equations.monotone).shape[0] - 1
    table = starts
    start_of = starts if callable(starts) else lambda k: table[k]
    first = start_of(jnp.zeros((), jnp.int32))
    n = first.shape[0]
    one, zero = jnp.ones((), first.dtype), jnp.zeros((), jnp.int32)
    yes, no = jnp.ones((), bool), jnp.zeros((), bool)

    def newton_direction(z: Array, f: Array, k: Array) -> Array:
        matrix = equations.jacobian(z, k) * equations.scale + PROXIMAL * jnp.eye(n)
        direction = equations.scale * jnp.linalg.solve(matrix, -f)
        return jnp.where(jnp.isfinite(direction).all(), direction, 0.0)

    def attempt(s: _State) -> _State:
        trial = jax.lax.cond(s.fresh, lambda: start_of(s.start), lambda: s.z + s.alpha * s.direction)
        f, measure = equations.residual(trial, s.start), equations.measure(trial)
        merit = f @ f
        descends = merit <= (1.0 - 2.0 * ARMIJO * s.alpha) * s.merit  # false for nan
        taken = s.fresh | descends | (~jnp.asarray(equations.monotone)[s.start] & jnp.isfinite(merit))
        met = measure <= tolerance
        better = taken & (measure < s.measure)  # false for nan
        least = jnp.where(better, measure, s.measure)
        finished = (taken & met & (s.near | (measure <= ROUNDING))) | (~taken & s.near)
        best = jnp.where(better, trial, s.best)
        refuse = no
        if equations.accepts is not None:
            refuse = jax.lax.cond(finished, lambda: ~equations.accepts(best), lambda: no)
            finished = finished & ~refuse
        stalled = ~taken & (s.alpha <= SHORTEST) & ~finished & ~refuse
        capped = taken & (s.count >= max_iterations) & ~met
        give_up = stalled | capped | refuse
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
            best=best,
            measure=jnp.where(refuse, jnp.inf, least),
            start=jnp.where(give_up & (s.start < last), s.start + 1, s.start),
            count=jnp.where(give_up, 0, s.count + turn),
            total=s.total + turn,
            stalled=stalled,
            done=finished | (give_up & (s.start == last)),
            refused=jnp.where(refuse, best, s.refused),
            refused_measure=jnp.where(refuse, least, s.refused_measure),
        )

    state = _State(
        first, one * jnp.inf, jnp.zeros(n), one, yes, no, first, one * jnp.inf, zero, zero, zero, no, no, first, one * jnp.inf
    )
    end = jax.lax.while_loop(lambda s: ~s.done, attempt, state)
    status = jnp.where(end.stalled, Status.STALLED, Status.ITERATION_LIMIT)
    status = jnp.where(jnp.isfinite(end.measure), status, Status.NOT_FINITE)
    gains = ~(end.measure <= tolerance) & jnp.isfinite(end.refused_measure)
    status = jnp.where(end.measure <= tolerance, Status.CONVERGED, jnp.where(gains, Status.GAINS, status))
    z, measure = jnp.where(gains, end.refused, end.best), jnp.where(gains, end.refused_measure, end.measure)
    return Solution(z, measure, end.total, status.astype(jnp.int32), end.start)
