"""Semismooth Newton with a line search and a cascade of starts, in JAX."""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from .status import Status

__all__ = ["Equations", "Solution", "solve"]

PROXIMAL = 1e-9  # keeps the Jacobian regular where impulses are not unique; it moves no root
ARMIJO = 1e-4
HALVINGS = 30
ROUNDING = 1e-14  # below this residual another iteration gains nothing


class Equations(NamedTuple):
    """A system F(z) = 0, possibly written differently for each start of the cascade.

    `residual(z, k)` returns F (n,) and `jacobian(z, k)` an element (n, n) of its generalised derivative, for start k,
    with rows scaled to order one. `scale` (n,) holds the size of one unit of each unknown. `measure(z)` returns the
    unit-free residual by which convergence is judged, the same for every start.
    """

    residual: Callable[[Array, Array], Array]
    jacobian: Callable[[Array, Array], Array]
    measure: Callable[[Array], Array]
    scale: Array


class Solution(NamedTuple):
    """The best iterate, its measure, the iterations over all starts, a `Status` as integer, the last start used."""

    z: Array
    measure: Array
    iterations: Array
    status: Array
    start: Array


class _State(NamedTuple):
    z: Array
    f: Array
    best: Array
    measure: Array
    start: Array
    count: Array
    total: Array
    stalled: Array
    polished: Array


def solve(equations: Equations, starts: Array, *, max_iterations: int, tolerance: float) -> Solution:
    """Solve F(z) = 0 from each start in turn until one converges.

    Args:
        equations: what to solve.
        starts: (s, n) starting points, the most promising first.
        max_iterations: cap on iterations from each start.
        tolerance: accepted measure.

    Returns:
        A `Solution`; its status is CONVERGED, ITERATION_LIMIT, STALLED or NOT_FINITE.
    """
    last = starts.shape[0] - 1
    begin = starts[0]
    zero = jnp.zeros((), dtype=jnp.int32)
    no = jnp.zeros((), dtype=bool)
    state = _State(
        begin, equations.residual(begin, zero), begin, _finite(equations.measure(begin)), zero, zero, zero, no, no
    )

    def unfinished(s: _State) -> Array:
        converged = (s.measure <= tolerance) & (s.polished | (s.measure <= ROUNDING))
        exhausted = (s.start == last) & (s.stalled | (s.count >= max_iterations))
        return ~(converged | exhausted)

    def iterate(s: _State) -> _State:
        restart = (s.stalled | (s.count >= max_iterations)) & ~(s.measure <= tolerance)
        k = jnp.where(restart, s.start + 1, s.start)
        z = jnp.where(restart, starts[k], s.z)
        f = jnp.where(restart, equations.residual(starts[k], k), s.f)
        near = s.measure <= tolerance
        n = z.shape[0]
        matrix = equations.jacobian(z, k) * equations.scale + PROXIMAL * jnp.eye(n)
        direction = equations.scale * jnp.linalg.solve(matrix, -f)
        direction = jnp.where(jnp.isfinite(direction).all(), direction, 0.0)
        z, f, lowered = _line_search(lambda y: equations.residual(y, k), z, f, direction)
        measure = _finite(equations.measure(z))
        better = measure < s.measure
        return _State(
            z=z,
            f=f,
            best=jnp.where(better, z, s.best),
            measure=jnp.where(better, measure, s.measure),
            start=k,
            count=jnp.where(restart, 0, s.count) + 1,
            total=s.total + 1,
            stalled=~lowered,
            polished=near,
        )

    end = jax.lax.while_loop(unfinished, iterate, state)
    status = jnp.where(end.stalled, Status.STALLED, Status.ITERATION_LIMIT)
    status = jnp.where(jnp.isfinite(end.measure), status, Status.NOT_FINITE)
    status = jnp.where(end.measure <= tolerance, Status.CONVERGED, status)
    return Solution(end.best, end.measure, end.total, status.astype(jnp.int32), end.start)


def _finite(measure: Array) -> Array:
    return jnp.where(jnp.isnan(measure), jnp.inf, measure)


def _line_search(residual: Callable[[Array], Array], z: Array, f: Array, direction: Array) -> tuple[Array, Array, Array]:
    """Halve the step until |F|^2 falls by Armijo's rule; return the new point, its F, and whether it fell at all."""
    merit = f @ f

    def accepted(alpha: Array, g: Array) -> Array:
        return g @ g <= (1.0 - 2.0 * ARMIJO * alpha) * merit  # false for nan

    def shorten(carry: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        alpha, _, halvings = carry
        return alpha / 2, residual(z + alpha / 2 * direction), halvings + 1

    one = jnp.ones((), dtype=z.dtype)
    alpha, g, _ = jax.lax.while_loop(
        lambda c: ~accepted(c[0], c[1]) & (c[2] < HALVINGS),
        shorten,
        (one, residual(z + direction), jnp.zeros((), dtype=jnp.int32)),
    )
    lowered = accepted(alpha, g)
    return jnp.where(lowered, z + alpha * direction, z), jnp.where(lowered, g, f), lowered
