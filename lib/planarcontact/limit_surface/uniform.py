"""Ideal limit surfaces of evenly pressed areas: disc, ring, rectangle, polygon, all in closed form."""

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import hyp2f1

from ..errors import InputError
from ..validation import finite_array, positive
from .checks import MODERATE, moderate
from .ideal import IdealSurface, powers_of, twist_rows
from .measures import near_one

__all__ = ["UniformDisc", "UniformRing", "UniformPolygon", "UniformRectangle"]

Array = NDArray[np.float64]

#: The closed form of a polygon loses as many digits as its area is smaller than the square of its longest edge; ours.
_THINNEST, _SHORTEST = 1e-9, 1e-12


class _Round(IdealSurface):
    """A support with rotational symmetry: the power depends on speed and turn rate alone.

    With b = |v| / (|omega| R), the distance of the centre of rotation in radii, the power is
    mu N |omega| R g(b), where g(b) is the mean distance, in radii, of the support from that centre.
    """

    def __init__(self, radius: float, normal_load: float, mu: float, length: float = 1.0):
        self.radius = moderate("radius", radius)
        self.normal_load = moderate("normal_load", normal_load)
        self.mu = moderate("mu", mu)
        self.length = moderate("length", length)

    def load(self, twists: ArrayLike) -> Array:
        rows = near_one(twist_rows(twists))
        speed = np.hypot(rows[:, 0], rows[:, 1])
        force, arm = self._parts(speed, np.abs(rows[:, 2]))
        along = rows[:, :2] / np.where(speed > 0.0, speed, 1.0)[:, None]
        limit = self.mu * self.normal_load
        return limit * np.column_stack([force[:, None] * along, self.radius * arm * np.sign(rows[:, 2])])

    def support(self, twists: ArrayLike) -> Array:
        rows = twist_rows(twists)
        near = near_one(rows)
        return powers_of(rows, np.einsum("ij,ij->i", self.load(near), near))

    def _parts(self, speed: Array, turn: Array) -> tuple[Array, Array]:
        """g'(b) and g(b) - b g'(b): the force and moment as fractions of mu N and mu N R."""
        rim = turn * self.radius
        inside = speed <= rim
        small, large = np.where(inside, speed, rim), np.where(inside, rim, speed)
        ratio = np.clip(small / large, 0.0, 1.0)
        inner, outer = self._inside(ratio), self._outside(ratio)
        return np.where(inside, inner[0], outer[0]), np.where(inside, inner[1], outer[1])

    @abstractmethod
    def _inside(self, b: Array) -> tuple[Array, Array]:
        """Force and moment fractions for a centre of rotation at b <= 1 radii."""

    @abstractmethod
    def _outside(self, c: Array) -> tuple[Array, Array]:
        """Force and moment fractions for a centre of rotation at 1/c >= 1 radii."""


class UniformDisc(_Round):
    """The ideal limit surface of an evenly pressed disc.

    The mean distance is g = (2/3) F(-1/2, -3/2; 1; b^2) inside and g = b F(-1/2, -1/2; 2; 1/b^2) outside, F being
    Gauss's hypergeometric function.

    Args:
        radius: radius of the disc, centred at the centre of mass [m].
        normal_load: total normal load [N].
        mu: coefficient of friction, positive.
        length: characteristic length rho [m].

    Raises:
        InputError: an argument is not positive, or not between 1e-30 and 1e30.
    """

    def _inside(self, b: Array) -> tuple[Array, Array]:
        z = b * b
        slope = b * hyp2f1(0.5, -0.5, 2.0, z)
        return slope, (2.0 / 3.0) * hyp2f1(-0.5, -1.5, 1.0, z) - b * slope

    def _outside(self, c: Array) -> tuple[Array, Array]:
        z = c * c
        slope = hyp2f1(0.5, 0.5, 3.0, z)
        return hyp2f1(-0.5, -0.5, 2.0, z) - 0.25 * z * slope, 0.25 * c * slope


class UniformRing(_Round):
    """The ideal limit surface of an evenly pressed thin ring.

    The mean distance is g = F(-1/2, -1/2; 1; b^2) inside and g = b F(-1/2, -1/2; 1; 1/b^2) outside.

    Args:
        radius: radius of the ring, centred at the centre of mass [m].
        normal_load: total normal load [N].
        mu: coefficient of friction, positive.
        length: characteristic length rho [m].

    Raises:
        InputError: an argument is not positive, or not between 1e-30 and 1e30.
    """

    def _inside(self, b: Array) -> tuple[Array, Array]:
        force, moment = self._outside(b)
        return moment, force  # inside and outside exchange their parts

    def _outside(self, c: Array) -> tuple[Array, Array]:
        z = c * c
        slope = hyp2f1(0.5, 0.5, 2.0, z)
        return hyp2f1(-0.5, -0.5, 1.0, z) - 0.5 * z * slope, 0.5 * c * slope


class UniformPolygon(IdealSurface):
    """The ideal limit surface of an evenly pressed convex polygon.

    In polar coordinates about the centre of rotation the direction of sliding depends on the angle alone, so every
    triangle between the centre and an edge integrates in closed form; far centres, where those triangles cancel, are
    integrated by Gauss's rule.

    Args:
        vertices: (n, 2) corners, counter-clockwise, relative to the centre of mass [m].
        normal_load: total normal load [N].
        mu: coefficient of friction, positive.
        length: characteristic length rho [m].

    Raises:
        InputError: an argument is unusable, or the polygon is not convex and counter-clockwise, or all but a line.
    """

    _FAR = 4.0  # distance of the centre, in radii of the polygon, beyond which Gauss's rule is exact to rounding
    _ORDER = 20

    def __init__(self, vertices: ArrayLike, normal_load: float, mu: float, length: float = 1.0):
        self.vertices = finite_array("vertices", vertices, (None, 2))
        size = float(np.max(np.abs(self.vertices), initial=0.0))
        if size and not 1.0 / MODERATE <= size <= MODERATE:
            raise InputError("vertices", size, "is a size whose area float64 cannot hold", "pass metres")
        following = np.roll(self.vertices, -1, axis=0)
        edges = following - self.vertices
        turns = _cross(edges, np.roll(edges, -1, axis=0))
        if len(self.vertices) < 3 or (turns <= 0.0).any():
            raise InputError("vertices", self.vertices, "are not a convex polygon listed counter-clockwise")
        self.normal_load = moderate("normal_load", normal_load)
        self.mu = moderate("mu", mu)
        self.length = moderate("length", length)
        self._area = float(_cross(self.vertices, following).sum() / 2.0)
        sides = np.hypot(*edges.T)
        if not (self._area >= _THINNEST * sides.max() ** 2 and sides.min() >= _SHORTEST * sides.max()):
            raise InputError(
                "vertices", self.vertices, "are so thin a polygon, or have so short an edge, that float64 loses its area's digits",
                "pass `SupportPoints` along a line, or leave out corners that all but coincide",
            )
        self._reach = float(np.linalg.norm(self.vertices, axis=1).max())
        self._nodes, self._weights = self._rule()

    def load(self, twists: ArrayLike) -> Array:
        rows = near_one(twist_rows(twists))
        speed, turn = np.hypot(rows[:, 0], rows[:, 1]), np.abs(rows[:, 2])
        near = speed < self._FAR * self._reach * turn
        loads = np.empty_like(rows)
        loads[near] = self._near(rows[near])
        loads[~near] = self._distant(rows[~near])
        return self.mu * self.normal_load * loads

    def support(self, twists: ArrayLike) -> Array:
        rows = twist_rows(twists)
        near = near_one(rows)
        return powers_of(rows, np.einsum("ij,ij->i", self.load(near), near))

    def _near(self, rows: Array) -> Array:
        """Mean direction of sliding and mean moment about the centre of mass, by closed form."""
        centre = np.column_stack([-rows[:, 1], rows[:, 0]]) / rows[:, 2:]
        radial, moment = np.zeros((len(rows), 2)), np.zeros(len(rows))
        for start, end in zip(self.vertices, np.roll(self.vertices, -1, axis=0)):
            along = (end - start) / np.linalg.norm(end - start)
            normal = np.array([along[1], -along[0]])
            height = (start - centre) @ normal
            a, b = (start - centre) @ along, (end - centre) @ along
            safe = np.where(height == 0.0, 1.0, np.abs(height))
            swept = height**2 * (np.arcsinh(b / safe) - np.arcsinh(a / safe))
            far_a, far_b = np.hypot(a, height), np.hypot(b, height)
            radial += 0.5 * swept[:, None] * normal + 0.5 * (height * (far_b - far_a))[:, None] * along
            moment += height / 6.0 * (b * far_b - a * far_a + swept)
        sense = np.sign(rows[:, 2])
        force = sense[:, None] * np.column_stack([-radial[:, 1], radial[:, 0]]) / self._area
        about = sense * moment / self._area + _cross(centre, force)
        return np.column_stack([force, about])

    def _distant(self, rows: Array) -> Array:
        x, y = self._nodes.T
        velocity = np.stack([rows[:, :1] - rows[:, 2:] * y, rows[:, 1:2] + rows[:, 2:] * x], axis=2)
        direction = velocity / np.linalg.norm(velocity, axis=2, keepdims=True)
        moment = x * direction[..., 1] - y * direction[..., 0]
        parts = direction[..., 0], direction[..., 1], moment
        return np.column_stack([part @ self._weights for part in parts])

    def _rule(self) -> tuple[Array, Array]:
        """Gauss nodes over the fan of triangles from the first corner, weights with the sum 1."""
        s, w = np.polynomial.legendre.leggauss(self._ORDER)
        s, w = (s + 1.0) / 2.0, w / 2.0
        u, v = np.meshgrid(s, s, indexing="ij")
        weight = np.outer(w * s, w)
        nodes, weights = [], []
        for k in range(1, len(self.vertices) - 1):
            p, q, r = self.vertices[0], self.vertices[k], self.vertices[k + 1]
            nodes.append((p + u[..., None] * ((q - p) + v[..., None] * (r - q))).reshape(-1, 2))
            weights.append((weight * _cross(q - p, r - p)).ravel())
        total = np.concatenate(weights)
        return np.vstack(nodes), total / total.sum()


class UniformRectangle(UniformPolygon):
    """The ideal limit surface of an evenly pressed rectangle.

    Args:
        width: edge along x [m].
        height: edge along y [m].
        normal_load: total normal load [N].
        mu: coefficient of friction, positive.
        length: characteristic length rho [m].

    Raises:
        InputError: an argument is not positive, or not between 1e-30 and 1e30.
    """

    def __init__(self, width: float, height: float, normal_load: float, mu: float, length: float = 1.0):
        self.width = positive("width", width)
        self.height = positive("height", height)
        corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * [self.width, self.height]
        super().__init__(corners, normal_load, mu, length)


def _cross(a: Array, b: Array) -> Array:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
