"""One implicit step on point supports, whose power has a kink wherever the body turns about a support."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from ..limit_surface import SupportPoints

__all__ = ["PointStep", "point_step"]

Array = NDArray[np.float64]

_CAP, _HALVINGS = 60, 40
#: Merits that differ by less than this share are told apart by their slopes [-].
_ROUNDS = 1e-12
#: A facet is near where its friction fractions would be less than this [-].
_BESIDE = 3.0
#: Smoothing lengths as shares of the free velocity, one after the other [-].
_SMOOTHING = 10.0 ** -np.arange(1.0, 9.0)


@dataclass(frozen=True)
class PointStep:
    """Velocity (3,) and load (3,), primed; whether the body rests or pivots; residual [-] and Newton iterations."""

    velocity: Array
    load: Array
    rests: bool
    pivots: bool
    residual: float
    iterations: int


def point_step(surface: SupportPoints, gyration: float, free: Array, k: float, start: Array) -> PointStep:
    """Minimise |V - a|^2 / 2 + k S(V), S being the sum of mu N |v| over the supports.

    A turn about a support is a linear equation: V = s n and a = s n + k (c + x p + y q) with x^2 + y^2 <= 1. Elsewhere Newton's
    method has the velocity of the slowest support among its unknowns, so that no rounding hides its direction. Whether the
    body rests is told by the limit of a smoothed power.

    Args:
        surface: point supports.
        gyration: radius of gyration [m].
        free: (3,) a, not zero [m/s].
        k: step over mass times the factor on the loads [s/kg].
        start: (3,) where to start [m/s].
    """
    problem = _Problem(surface, gyration, free, k)
    normals, centres, axes = _facets(surface, gyration)
    columns = np.concatenate([normals[:, None], k * axes], axis=1).transpose(0, 2, 1)
    found = np.linalg.solve(columns, (free - k * centres)[:, :, None])[:, :, 0]
    size = np.linalg.norm(found[:, 1:], axis=1)
    over = np.flatnonzero((found[:, 0] > 0.0) & (size <= 1.0))
    if len(over):
        j = int(over[0])
        velocity, load = found[j, 0] * normals[j], centres[j] + found[j, 1:] @ axes[j]
        return PointStep(velocity, load, False, True, problem.residual(velocity + k * load - free, load), 0)
    starts = [problem.seen(free), problem.seen(start)] if start.any() else [problem.seen(free)]
    near = np.flatnonzero((found[:, 0] > 0.0) & (size < _BESIDE))
    starts += [problem.beside(int(j) // 2, normals[j], axes[j], float(found[j, 0]), found[j, 1:]) for j in near]
    merits = [problem.merit(*s) for s in starts]
    least = min(merits)
    best = min((s for s, m in zip(starts, merits) if m <= least + _ROUNDS * abs(least)), key=lambda s: problem.slope(*s))
    if least >= 0.0:  # no better than rest
        best = problem.smoothed()
        if best is None:
            return PointStep(np.zeros(3), free / k, True, False, 0.0, 0)
    solved = problem.solved(*best)
    if solved.residual > _ROUNDS:  # jammed where a support nearly stands still
        past = problem.smoothed()
        more = [problem.solved(*s) for s in (*starts, *([] if past is None else [past]))]
        solved = min([solved, *more], key=lambda step: step.residual)
    return solved


@lru_cache(maxsize=16)
def _facets(surface: SupportPoints, gyration: float) -> tuple[Array, Array, Array]:
    unit = np.array([1.0, 1.0, gyration])
    facets = surface.facets()
    normals, centres, axes = (np.array([getattr(facet, name) for facet in facets]) for name in ("twist", "centre", "axes"))
    return normals * unit, centres / unit, axes / unit


class _Problem:
    """The merit in terms of w = (velocity of support i, omega times the radius of gyration)."""

    def __init__(self, surface: SupportPoints, gyration: float, free: Array, k: float):
        pressed = surface.limits > 0.0
        self.x, self.y = surface.points[pressed].T / gyration
        self.limits, self.free, self.k = surface.limits[pressed], free, k
        self.size = float(np.linalg.norm(free))

    def map(self, i: int) -> Array:
        """B (3, 3) with V = B w."""
        return np.array([[1.0, 0.0, self.y[i]], [0.0, 1.0, -self.x[i]], [0.0, 0.0, 1.0]])

    def seen(self, velocity: Array) -> tuple[int, Array]:
        """The slowest support and w of a velocity (3,)."""
        speeds = np.stack([velocity[0] - velocity[2] * self.y, velocity[1] + velocity[2] * self.x], axis=1)
        i = int(np.argmin((speeds**2).sum(axis=1)))
        return i, np.append(speeds[i], velocity[2])

    def speeds(self, i: int, w: Array) -> Array:
        return np.stack([w[0] - w[2] * (self.y - self.y[i]), w[1] + w[2] * (self.x - self.x[i])], axis=1)

    def merit(self, i: int, w: Array, e: float = 0.0) -> float:
        """The minimised function less its value at rest [m2/s2]."""
        velocity = self.map(i) @ w
        power = self.limits @ np.sqrt((self.speeds(i, w) ** 2).sum(axis=1) + e * e)
        return float((0.5 * velocity - self.free) @ velocity) + self.k * float(power)

    def forces(self, i: int, w: Array, e: float = 0.0) -> tuple[Array, Array, Array]:
        """Unit directions (P, 2), shortened where smoothed, friction limits over speeds (P,), and forces (P, 2)."""
        speeds = self.speeds(i, w)
        size = np.maximum(np.sqrt((speeds**2).sum(axis=1) + e * e), np.finfo(float).tiny)
        u = speeds / size[:, None]
        return u, self.limits / size, self.limits[:, None] * u

    def load(self, i: int, w: Array) -> Array:
        force = self.forces(i, w)[2]
        return np.append(force.sum(axis=0), self.x @ force[:, 1] - self.y @ force[:, 0])

    def arms(self, i: int) -> Array:
        """(P, 2, 3) the supports' velocities per w."""
        out = np.zeros((len(self.x), 2, 3))
        out[:, 0, 0] = out[:, 1, 1] = 1.0
        out[:, 0, 2], out[:, 1, 2] = self.y[i] - self.y, self.x - self.x[i]
        return out

    def slope(self, i: int, w: Array, e: float = 0.0) -> float:
        """Size of the merit's gradient by w [m/s]."""
        back = self.map(i)
        pull = np.einsum("pia,pi->a", self.arms(i), self.forces(i, w, e)[2])
        return float(np.linalg.norm(back.T @ (back @ w - self.free) + self.k * pull))

    def beside(self, i: int, normal: Array, axes: Array, turn: float, share: Array) -> tuple[int, Array]:
        """The slow creep v of support i beside a facet, to first order: v = G (share - v / |v|), G (2, 2) positive.

        With v = e d and |d| = 1 the one unknown e makes |(1 + e / G)^-1 share| = 1, which falls as e grows.
        """
        values, vectors = np.linalg.eigh(self.k * axes @ axes.T / self.limits[i])
        along = vectors.T @ share

        def excess(e: float) -> float:
            return float(((along / (1.0 + e / values)) ** 2).sum()) - 1.0

        end = float(values[1] * np.linalg.norm(share))
        e = max(brentq(excess, 0.0, end, xtol=1e-300), 1e-150) if excess(0.0) > 0.0 else 1e-150  # its square stays a number
        creep = e * vectors @ (along / (1.0 + e / values))
        shift = float(normal @ (self.map(i)[:, :2] @ creep)) / float(normal @ normal)
        return i, np.append(creep, normal[2] * (turn - shift))

    def solved(self, i: int, w: Array) -> PointStep:
        i, w, count = self.newton(i, w)
        velocity, load = self.map(i) @ w, self.load(i, w)
        return PointStep(velocity, load, False, False, self.residual(velocity + self.k * load - self.free, load), count)

    def residual(self, miss: Array, load: Array) -> float:
        return float(np.linalg.norm(miss)) / max(self.size, self.k * float(np.linalg.norm(load)))

    def newton(self, i: int, w: Array, e: float = 0.0) -> tuple[int, Array, int]:
        """Newton's method with a line search on the merit, or on the residual where the merit only rounds."""
        count = 0
        for count in range(1, _CAP + 1):
            back = self.map(i)
            u, rate, force = self.forces(i, w, e)
            arms = self.arms(i)
            gradient = back.T @ (back @ w - self.free) + self.k * np.einsum("pia,pi->a", arms, force)
            size = float(np.linalg.norm(gradient))
            if size <= 1e-15 * max(self.size, self.k * float(self.limits.sum())):
                break
            inner = rate[:, None, None] * (np.eye(2) - u[:, :, None] * u[:, None, :])
            slope = back.T @ back + self.k * np.einsum("pia,pij,pjb->ab", arms, inner, arms)
            move = np.linalg.solve(slope, -gradient)
            now, down, length = self.merit(i, w, e), float(gradient @ move), 1.0
            rounds = _ROUNDS * self.size * float(np.linalg.norm(w))
            for _ in range(_HALVINGS):
                trial = w + length * move
                then = self.merit(i, trial, e)
                if then <= now + 1e-4 * length * down - rounds:
                    break
                if then <= now + rounds and self.slope(i, trial, e) < (1.0 - 1e-3 * length) * size:
                    break
                length *= 0.5
            else:
                break  # rounding lets nothing better be found; the residual says how good this is
            speeds = (self.speeds(i, trial) ** 2).sum(axis=1)
            j = int(np.argmin(speeds))
            w = trial
            if j != i and speeds[j] < 1e-2 * speeds[i]:
                i, w = j, np.append(self.speeds(i, trial)[j], trial[2])
        return i, w, count

    def smoothed(self) -> tuple[int, Array] | None:
        """A place to start from: the limit of smoothed powers; None where that limit is rest."""
        i, w = self.seen(self.free)
        for e in self.size * _SMOOTHING:
            i, w, _ = self.newton(i, w, float(e))
        velocity, load = self.map(i) @ w, self.load(i, w)
        return (i, w) if float(velocity @ (self.free - self.k * load)) > 0.0 else None
