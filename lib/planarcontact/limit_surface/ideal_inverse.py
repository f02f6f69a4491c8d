"""Twist from load on an ideal limit surface: the direction in which the object slides under a given load."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ConvergenceError, InputError
from ..validation import finite_array
from .measures import unit_rows

if TYPE_CHECKING:
    from .ideal import IdealSurface

__all__ = ["twist_of_load"]

Array = NDArray[np.float64]

_CAP = 80
_HALVINGS = 40
_DIFFERENCE = 1e-6


def twist_of_load(surface: IdealSurface, loads: ArrayLike) -> Array:
    """Directions of sliding under given loads, of which only the directions matter.

    The load is where the set of loads has the outward normal V, so V minimises the dissipated power h(V) among all V
    with F . V = 1: a convex problem in a plane. A load whose ray pierces a facet has that facet's normal.

    Args:
        surface: an ideal limit surface.
        loads: (N, 3) loads of any magnitude but zero [N, N, N m].

    Returns:
        (N, 3) twists, of unit norm as (v_x, v_y, omega length) [-, -, 1/m].

    Raises:
        InputError: a load is zero or not finite.
        ConvergenceError: a row did not converge.
    """
    if not all(hasattr(surface, name) for name in ("load", "facets", "length")) or isinstance(surface, type):
        raise InputError("surface", surface, "is not an ideal limit surface")
    scale = np.array([1.0, 1.0, surface.length])
    rows = finite_array("loads", loads, (None, 3))
    if not rows.any(axis=1).all():
        raise InputError("loads", 0.0, "holds a zero row", "a zero load has no direction of sliding")
    directions = unit_rows(rows, (1.0, 1.0, 1.0 / surface.length))
    found = np.full_like(directions, np.nan)
    for facet in surface.facets():
        normal = facet.twist * scale
        ahead, power = directions @ normal, float(facet.centre / scale @ normal)
        farthest = float(np.linalg.norm(facet.centre / scale) + np.linalg.norm(facet.axes / scale))
        hit = (ahead > 0.0) & (ahead * (2.0 * farthest) > power)  # other rays meet the plane far from the facet, if at all
        reach = power / np.where(hit, ahead, 1.0)
        share = np.linalg.lstsq((facet.axes / scale).T, (reach[:, None] * directions - facet.centre / scale).T, rcond=None)[0]
        inside = hit & ((np.minimum(np.abs(share), 2.0) ** 2).sum(axis=0) <= 1.0)
        found[inside] = normal / np.linalg.norm(normal)
    rest = np.isnan(found[:, 0])
    if rest.any():
        points = getattr(surface, "points", None)
        found[rest] = _minimise(surface, directions[rest], scale) if points is None else _among_points(surface, directions[rest])
    return found / scale


def _among_points(surface: Any, directions: Array) -> Array:
    """The same minimum for point supports, whose power has a kink at each, beside which the loads off a facet's rim lie."""
    from .ideal_inverse_kernel import twists_of_rows

    pressed = surface.limits > 0.0
    points, where = np.unique(surface.points[pressed] / surface.length, axis=0, return_inverse=True)
    limits = np.bincount(where.ravel(), surface.limits[pressed] / surface.limits.max())
    twists, slopes = twists_of_rows(points, limits, directions)
    _check(slopes)
    return twists


def _minimise(surface: IdealSurface, directions: Array, scale: Array) -> Array:
    """Damped Newton on h(f + a p + b q), where f, p, q are orthonormal and f is the load's direction."""
    p, q = _plane(directions)
    at = np.zeros((len(directions), 2))
    active = np.arange(len(directions))
    slope = np.full(len(directions), np.inf)

    def point(rows: NDArray[np.int64], x: Array) -> Array:
        return directions[rows] + x[:, :1] * p[rows] + x[:, 1:] * q[rows]

    def power(rows: NDArray[np.int64], x: Array) -> Array:
        return surface.support(point(rows, x) / scale)

    def gradient(rows: NDArray[np.int64], x: Array) -> Array:
        load = surface.load(point(rows, x) / scale) / scale
        return np.stack([(load * p[rows]).sum(axis=1), (load * q[rows]).sum(axis=1)], axis=1)

    size = power(active, at)
    for _ in range(_CAP):
        x = at[active]
        g = gradient(active, x)
        slope[active] = np.linalg.norm(g, axis=1) / size[active]
        going = slope[active] > 1e-11
        active, x, g = active[going], x[going], g[going]
        if not len(active):
            break
        h = _DIFFERENCE * (1.0 + np.linalg.norm(x, axis=1, keepdims=True))
        columns = [(gradient(active, x + h * e) - gradient(active, x - h * e)) / (2.0 * h) for e in np.eye(2)]
        hessian = np.stack(columns, axis=2)
        values, vectors = np.linalg.eigh((hessian + hessian.transpose(0, 2, 1)) / 2.0)
        values = np.maximum(np.abs(values), 1e-9 * np.abs(values).max(axis=1, keepdims=True) + 1e-300)
        step = -np.einsum("nij,nj->ni", vectors, np.einsum("nji,nj->ni", vectors, g) / values)
        before, descent = power(active, x), (step * g).sum(axis=1)
        length = np.ones(len(active))
        for _ in range(_HALVINGS):
            worse = power(active, x + length[:, None] * step) > before + 1e-4 * length * descent + 1e-15 * before
            if not worse.any():
                break
            length = np.where(worse, 0.5 * length, length)
        at[active] = x + length[:, None] * step
    _check(slope)
    twist = point(np.arange(len(directions)), at)
    return twist / np.linalg.norm(twist, axis=1, keepdims=True)


def _check(slopes: Array) -> None:
    bad = ~(slopes <= 1e-7)
    if bad.any():
        raise ConvergenceError(f"{int(bad.sum())} loads have no twist found within the cap of iterations", residual=float(slopes[bad].max()))


def _plane(directions: Array) -> tuple[Array, Array]:
    helper = np.eye(3)[np.argmin(np.abs(directions), axis=1)]
    p = np.cross(directions, helper)
    p /= np.linalg.norm(p, axis=1, keepdims=True)
    return p, np.cross(directions, p)
