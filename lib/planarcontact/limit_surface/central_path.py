"""The central path of a fit, followed by Newton's method down to a fixed duality gap.

An interior-point solver stops somewhere within its tolerance, and where depends on rounding. The point of the central path
at a fixed gap is unique, depends smoothly on the data, and proves its own gap, for the barrier's gradient there is a
feasible dual point. So results do not hinge on the machine, on the solver that came near, or on where the path was entered,
and turning the data turns the result.

A norm |r| enters by its bound t and the barrier -log(t^2 - |r|^2), in which t is eliminated in closed form: the loss stays a
function of the coefficients alone, whatever the number of data.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .convex_cone import convex_cone

__all__ = ["GAP", "Loss", "descend", "inside"]

#: Duality gap at which fits are centred; their losses are 1 at H = 0.
GAP = 1e-9
#: From the interior the barrier's weight falls by this factor after each centring; ours: few Newton steps in all.
_SHRINK = 0.01
_STEPS = 400

Array = NDArray[np.float64]


@dataclass(eq=False)
class Loss:
    """b' quadratic b / 2 + linear . b + share * (sum of norms |matrix b + offset|), of value 1 at b = 0 for a sum of norms.

    Attributes:
        quadratic, linear: (m, m) and (m,).
        share: factor of the norms.
        rows, offsets, clipped, pointers: the norms' rows, one norm after the other; a clipped row counts while negative.
    """

    quadratic: Array
    linear: Array
    share: float = 1.0
    rows: Array = field(init=False)
    offsets: Array = field(init=False)
    clipped: NDArray[np.bool_] = field(init=False)
    pointers: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        m = len(self.linear)
        self.rows, self.offsets = np.empty((0, m)), np.empty(0)
        self.clipped, self.pointers = np.empty(0, dtype=np.bool_), np.zeros(1, dtype=np.int64)

    @classmethod
    def norms(cls, terms: list[tuple[Array, Array | float, NDArray[np.bool_] | bool]], share: float) -> "Loss":
        """Return the sum of norms of terms (matrices (K, n, m), offsets (K, n), clipped (K, n)): K norms of n rows each."""
        m = terms[0][0].shape[2]
        out = cls(np.zeros((m, m)), np.zeros(m), share)
        shapes = [matrix.shape[:2] for matrix, _, _ in terms]
        out.rows = np.concatenate([matrix.reshape(-1, m) for matrix, _, _ in terms])
        out.offsets = np.concatenate([np.broadcast_to(offset, s).ravel() for (_, offset, _), s in zip(terms, shapes)])
        out.clipped = np.concatenate([np.broadcast_to(c, s).ravel() for (_, _, c), s in zip(terms, shapes)])
        out.pointers = np.concatenate([[0], np.cumsum([n for k, n in shapes for _ in range(k)])]).astype(np.int64)
        return out

    @property
    def parameter(self) -> int:
        """Barrier parameter of the norms: 2 each."""
        return 2 * (len(self.pointers) - 1)

    def packed(self) -> tuple[Any, ...]:
        """Return what the compiled part reads."""
        return self.quadratic, self.linear, self.rows, self.offsets, self.clipped, self.pointers, self.share


def descend(loss: Loss, degree: int | None, margin: Array | None, x: Array, gap: float = 1.0) -> tuple[Array, int] | None:
    """Return the unknowns (b, w) of the central path at gap `GAP` and the Newton steps, or None if they were not reached.

    Args:
        loss: the loss.
        degree: degree of the form if it must be sos-convex, or None.
        margin: (rows,) what the blocks of the convex cone must at least be, where there is a degree.
        x: where to start: inside, or so near the optimum that a little of |F|^d brings it inside.
        gap: where the path is entered.
    """
    from .central_path_kernel import follow

    cone = _packed_cone(degree, margin)
    parameter = loss.parameter + int(np.sum(cone[2]))
    for push in (0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5):
        out = x + push * convex_cone(degree).interior if push else x.copy()
        reached, steps = follow(loss.packed(), cone, out, max(gap, GAP) / parameter, GAP / parameter, _SHRINK, _STEPS)
        if reached:
            return out, int(steps)
        if steps or degree is None:
            break
    return None


def inside(degree: int, rows: Array) -> bool:
    """Return whether the blocks of the convex cone in these rows are positive definite."""
    from .central_path_kernel import positive_definite

    return bool(positive_definite(rows, _entries(degree)[0]))


def _packed_cone(degree: int | None, margin: Array | None) -> tuple[Any, ...]:
    if degree is None or margin is None:
        nothing = np.empty(0, dtype=np.int64)
        entries = (np.zeros(1, dtype=np.int64), nothing, nothing, nothing, np.empty(0), nothing, np.empty(0))
        return np.empty((0, 0)), np.empty(0), nothing, entries
    orders, entries = _entries(degree)
    return convex_cone(degree).operator, margin, orders, entries


@lru_cache(maxsize=None)
def _entries(degree: int) -> tuple[NDArray[np.int64], tuple[Any, ...]]:
    """Return the blocks' orders and the operator's nonzero entries.

    Per entry: block pointers, row i >= column j in its block, unknown, weight in the barrier (the operator's entry, over
    sqrt(2) on the diagonal), row of the operator, and the operator's entry.
    """
    cone = convex_cone(degree)
    pointers, parts, start = [0], [], 0
    for n in cone.blocks:
        columns, rows = np.tril_indices(n)  # the upper triangle by columns
        block = cone.operator[start : start + len(rows)]
        at, unknown = np.nonzero(block)
        values = block[at, unknown]
        weights = values * np.where(rows[at] == columns[at], np.sqrt(0.5), 1.0)
        parts.append((columns[at], rows[at], unknown, weights, at + start, values))
        pointers.append(pointers[-1] + len(at))
        start += len(rows)
    joined = tuple(np.ascontiguousarray(np.concatenate(column)) for column in zip(*parts))
    return np.array(cone.blocks), (np.array(pointers), *joined)
