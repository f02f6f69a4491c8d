"""A step of a body on point supports as one problem: contact and friction of every support at once.

It takes over where rounds between normal contact and friction do not settle, as on a tall body that comes down on a corner.
"""

from collections.abc import Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ..dynamics import Scene
from ..dynamics.geometry import rotations

__all__ = ["SupportProblem"]

Array = NDArray[np.float64]

_CAP, _TURN = 80, 20  # Newton iterations, and after how many the two forms of complementarity take turns
_DIFFERENCE = 1e-7
_SOLVED, _ROOT = 1e-14, 1e-11


class SupportProblem:
    """Newton-Euler, complementarity of height and normal impulse, and Coulomb's law at up to six vertices.

    `index` are the vertices taken, the lowest before the step. Unknowns z are the velocity (6,) and three impulses (n, t, o) a vertex, all in units of the scene's speed, bounding radius and mass.

    Args:
        scene: the scene; friction is not taken from it.
        mu: coefficient of friction at every vertex [-].
        state: position (3,) [m], orientation (4,) and velocity (6,) [m/s, rad/s] before the step.
        load: force and moment over the step (6,) [N, N m].
    """

    def __init__(self, scene: Scene, mu: float, state: tuple[Array, Array, Array], load: Array):
        body, self.frame = scene.body, scene.support.frame
        self.position, self.orientation, self.start = state
        self.mu, self.mass, self.step = mu, body.mass, scene.step
        self.speed, self.radius, self.inertia = scene.velocity_scale, body.bounding_radius, body.inertia
        turned = rotations(self.orientation[None])[0]
        heights = body.vertices @ turned.T @ self.frame[0]
        self.index = np.sort(np.argsort(heights, kind="stable")[:6])
        self.vertices = body.vertices[self.index]
        self.offset = scene.support.offset
        self.momentum = turned @ self.inertia @ turned.T @ self.start[3:] + self.step * load[3:]
        self.free = self.start[:3] + self.step * (load[:3] / self.mass - scene.gravity * np.array([0.0, 0.0, 1.0]))
        self.units = np.append(np.full(3, self.speed), np.full(3, self.speed / self.radius))

    def end(self, z: Array) -> tuple[Array, Array, Array, Array, Array]:
        """Return position (3,) [m], orientation (4,), velocity (6,) [m/s, rad/s], arms (k, 3) about the COM [m] and impulses (k, 3), world axes."""
        turned, _, arms, impulses, place = (values[0] for values in self._moved(z[None]))
        return place, turned, z[:6] * self.units, arms, impulses @ self.frame

    def solve(self, velocity: Array) -> tuple[Array, float]:
        """Return the best z found, and its residual [-].

        Friction is first raised from none to all, each root being the start of the next; then come starts about the given velocity and
        the one before the step.
        """
        best = (np.empty(0), np.inf)
        for found in chain(map(self._raised, (8, 32)), map(self._newton, self._starts(velocity, 16))):
            best = min(best, found, key=lambda pair: pair[1])
            if best[1] <= _ROOT:
                break
        return best

    def _raised(self, count: int) -> tuple[Array, float]:
        mu, z, miss = self.mu, np.concatenate([self.start / self.units, np.zeros(3 * len(self.vertices))]), 0.0
        try:
            for k in range(count + 1):
                self.mu = mu * k / count
                z, miss = self._newton(z)
                if miss > _ROOT:
                    return z, np.inf
        finally:
            self.mu = mu
        return z, miss

    def _starts(self, velocity: Array, count: int) -> Iterator[Array]:
        random = np.random.default_rng(0)
        for k in range(count):
            z = np.concatenate([(velocity if k % 2 else self.start) / self.units, np.zeros(3 * len(self.vertices))])
            if k > 1:
                z[:6] += random.normal(size=6) * 10.0 ** random.uniform(-3.0, 0.0) * max(0.1, float(np.abs(z[:6]).max()))
                z[6::3] = 0.1 * np.abs(random.normal(size=len(self.vertices)))
            yield z

    def _moved(self, z: Array) -> tuple[Array, Array, Array, Array, Array]:
        """Orientations (b, 4), turns (b, 3, 3), arms (b, k, 3) [m], impulses (n, t, o) (b, k, 3) [N s] and positions (b, 3) [m] at the ends of z (b, n)."""
        spin = 0.5 * self.step * z[:, 3:6] * self.units[3:]
        w, u = self.orientation[0], self.orientation[1:]
        turned = np.column_stack([w - spin @ u, u + w * spin + _cross(spin, u)])
        turned /= np.linalg.norm(turned, axis=1)[:, None]
        turn = rotations(turned)
        arms = self.vertices @ turn.transpose(0, 2, 1)
        impulses = z[:, 6:].reshape(len(z), -1, 3) * (self.mass * self.speed)
        return turned, turn, arms, impulses, self.position + self.step * self.speed * z[:, :3]

    def _residual(self, z: Array, smooth: bool) -> Array:
        """Residuals (b, n) of unknowns (b, n)."""
        _, turn, arms, impulses, place = self._moved(z)
        v, omega, unit = z[:, :3] * self.speed, z[:, 3:6] * self.units[3:], self.mass * self.speed
        forces = impulses @ self.frame
        linear = self.mass * (v - self.free) - forces.sum(axis=1)
        body_spin = (omega[:, None] @ turn)[:, 0]
        angular = (turn @ (body_spin @ self.inertia)[:, :, None])[:, :, 0] - self.momentum - _cross(arms, forces).sum(axis=1)
        gaps = ((place @ self.frame[0] - self.offset)[:, None] + arms @ self.frame[0]) / (self.step * self.speed)
        slip = (v[:, None] + _cross(omega[:, None], arms)) @ self.frame[1:].T / self.speed
        pressed, friction = impulses[:, :, 0] / unit, impulses[:, :, 1:] / unit
        normal = gaps + pressed - np.hypot(gaps, pressed) if smooth else np.minimum(gaps, pressed)
        trial, limit = friction - slip, self.mu * np.maximum(pressed, 0.0)
        size = np.hypot(trial[..., 0], trial[..., 1])
        share = np.where(size > limit, limit / np.where(size > 0.0, size, 1.0), 1.0)
        supports = np.concatenate([normal[..., None], friction - trial * share[..., None]], axis=2)
        return np.concatenate([linear / unit, angular / (unit * self.radius), supports.reshape(len(z), -1)], axis=1)

    def _newton(self, z: Array) -> tuple[Array, float]:
        best = (z, np.inf)
        for k in range(_CAP):
            true = float(np.abs(self._residual(z[None], False)).max())
            if not np.isfinite(true):
                break
            if true < best[1]:
                best = (z, true)
            if true <= _SOLVED:
                break
            smooth = k % (2 * _TURN) < _TURN and true > 1e-6
            value = self._residual(z[None], smooth)[0]
            move = -np.linalg.lstsq(self._slope(z, smooth), value, rcond=1e-13)[0]
            size, length = float(np.linalg.norm(value)), 1.0
            while length > 1e-4 and not np.linalg.norm(self._residual((z + length * move)[None], smooth)) < (1.0 - 1e-4 * length) * size:
                length *= 0.5
            if length <= 1e-4:
                if true <= _ROOT:
                    break
                length = 0.3 if k % 7 == 3 else 1e-2  # over a kink
            z = z + length * move
        return best

    def _slope(self, z: Array, smooth: bool) -> Array:
        size = _DIFFERENCE * np.maximum(1.0, np.abs(z))
        values = self._residual(z + np.concatenate([np.diag(size), -np.diag(size)]), smooth)
        return ((values[: len(z)] - values[len(z) :]) / (2.0 * size[:, None])).T


def _cross(a: Array, b: Array) -> Array:
    """a x b along the last axis, without the overhead of np.cross."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-1)
