"""Ideal limit surfaces of point supports under Coulomb friction (document 3, Sections II and V; Goyal et al.)."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import FARTHEST, finite_array, finite_number
from .checks import MODERATE, moderate
from .ideal_inverse import twist_of_load
from .measures import exponents, near_one
from .surface_mesh import SurfaceMesh, mesh_surface

__all__ = ["Facet", "IdealSurface", "SupportPoints", "centre_of_rotation", "twist_about"]

Array = NDArray[np.float64]

#: A support is taken to stand still when its speed is below this fraction of the body's fastest possible point.
STANDSTILL = 1e-9


@dataclass(frozen=True)
class Facet:
    """A flat elliptic disc of the limit surface: all loads while the object turns about one support.

    Loads of the facet are `centre + x axes[0] + y axes[1]` with x^2 + y^2 <= 1.

    Attributes:
        support: index of the support that stands still.
        sense: +1 for a counter-clockwise turn, -1 for a clockwise one.
        twist: (3,) the facet's normal, the twist of that turn, omega = `sense` [m/s, m/s, rad/s].
        centre: (3,) load with no friction at that support [N, N, N m].
        axes: (2, 3) conjugate half-diameters, friction along x and along y at the support [N, N, N m].
        area: area in the primed space (moments divided by the characteristic length) [N2].
    """

    support: int
    sense: int
    twist: Array
    centre: Array
    axes: Array
    area: float

    def point(self, x: float, y: float) -> Array:
        """Load when the friction at the resting support is the fraction (x, y) of its limit.

        Args:
            x, y: fractions with x^2 + y^2 <= 1 [-].

        Returns:
            (3,) load [N, N, N m].

        Raises:
            InputError: the fractions are no numbers.
        """
        x, y = finite_number("x", x, largest=FARTHEST), finite_number("y", y, largest=FARTHEST)
        return self.centre + x * self.axes[0] + y * self.axes[1]


class IdealSurface(ABC):
    """The loads that a support can exert while the object slides, with isotropic Coulomb friction.

    A load is what the object applies to the surface, so that load . twist > 0. Rows are (f_x, f_y, tau) in
    N, N, N m and (v_x, v_y, omega) in m/s, m/s, rad/s, in a body frame with its origin at the centre of mass.

    Attributes:
        mu: coefficient of friction.
        length: characteristic length rho that makes forces and moments comparable [m].
    """

    mu: float
    length: float

    @abstractmethod
    def load(self, twists: ArrayLike) -> Array:
        """Loads of the given twists; where a twist allows a set of loads, the set's centre.

        Args:
            twists: (N, 3) twists of any magnitude but zero [m/s, m/s, rad/s].

        Returns:
            (N, 3) loads [N, N, N m].

        Raises:
            InputError: a twist is zero or not finite.
        """

    @abstractmethod
    def support(self, twists: ArrayLike) -> Array:
        """Power dissipated by the given twists, the support function of the set of loads.

        Args:
            twists: (N, 3) twists [m/s, m/s, rad/s].

        Returns:
            (N,) power [W].

        Raises:
            InputError: a twist is zero or not finite.
        """

    def twist(self, loads: ArrayLike) -> Array:
        """Directions of sliding under given loads, of which only the directions matter.

        Args:
            loads: (N, 3) loads of any magnitude but zero [N, N, N m].

        Returns:
            (N, 3) twists, of unit norm as (v_x, v_y, omega length) [-, -, 1/m].

        Raises:
            InputError: a load is zero or not finite.
            ConvergenceError: a row did not converge.
        """
        return twist_of_load(self, loads)

    def is_set_valued(self, twists: ArrayLike) -> NDArray[np.bool_]:
        """Tell which twists turn about a support and so allow a whole set of loads.

        Args:
            twists: (N, 3) twists [m/s, m/s, rad/s].

        Returns:
            (N,) True where the load is not unique; never for a distributed support.

        Raises:
            InputError: a twist is zero or not finite.
        """
        return np.zeros(len(twist_rows(twists)), dtype=np.bool_)

    @property
    def flat(self) -> bool:
        """True where the loads enclose no volume, because the body turns freely about its only point of support."""
        return False

    def facets(self) -> tuple[Facet, ...]:
        """The flat parts of the surface.

        Returns:
            Two facets per support, of opposite sense; none for a distributed support.
        """
        return ()

    def mesh(self, n: int = 1000) -> SurfaceMesh:
        """A triangle mesh whose vertices lie on the surface, refined around the facets.

        Args:
            n: number of well-spread twists to start from, at least 20.

        Returns:
            The mesh.

        Raises:
            InputError: too few twists, or a surface without volume.
        """
        return mesh_surface(self, n)


class SupportPoints(IdealSurface):
    """The ideal limit surface of point supports.

    Args:
        points: (P, 2) support points relative to the centre of mass [m].
        pressures: (P,) normal loads, none negative and not all zero [N].
        mu: coefficient of friction, positive.
        length: characteristic length rho [m].

    Raises:
        InputError: an argument is unusable.
    """

    def __init__(self, points: ArrayLike, pressures: ArrayLike, mu: float, length: float = 1.0):
        self.points = finite_array("points", points, (None, 2), largest=MODERATE)
        self.pressures = finite_array("pressures", pressures, (len(self.points),), largest=MODERATE)
        if len(self.points) == 0:
            raise InputError("points", self.points, "holds no support")
        if (self.pressures < 0.0).any():
            raise InputError("pressures", float(self.pressures.min()), "must not be negative", "supports only push")
        if not (self.pressures > 0.0).any():
            raise InputError("pressures", 0.0, "are all zero")
        self.mu = moderate("mu", mu)
        self.length = moderate("length", length)
        self.limits = self.mu * self.pressures
        if not self.limits.any():
            raise InputError("pressures", float(self.pressures.max()), "are too small for their friction to be held", "pass newtons")
        self._reach = float(np.linalg.norm(self.points, axis=1).max())

    def load(self, twists: ArrayLike) -> Array:
        rows = near_one(twist_rows(twists))
        velocity, speed = self._velocities(rows)
        resting = speed <= STANDSTILL * self._scale(rows)[:, None]
        direction = np.where(resting[..., None], 0.0, velocity / np.where(resting, 1.0, speed)[..., None])
        force = direction * self.limits[:, None]
        moment = self.points[:, 0] * force[..., 1] - self.points[:, 1] * force[..., 0]
        return np.column_stack([force.sum(axis=1), moment.sum(axis=1)])

    def support(self, twists: ArrayLike) -> Array:
        rows = twist_rows(twists)
        return powers_of(rows, self._velocities(near_one(rows))[1] @ self.limits)

    def is_set_valued(self, twists: ArrayLike) -> NDArray[np.bool_]:
        rows = near_one(twist_rows(twists))
        resting = self._velocities(rows)[1] <= STANDSTILL * self._scale(rows)[:, None]
        return (resting & (self.limits > 0.0)).any(axis=1)

    def resting_friction(self, twist: ArrayLike) -> Array:
        """Half-diameters of the set of loads of a turn about a support: friction along x and along y there.

        Args:
            twist: (3,) twist [m/s, m/s, rad/s].

        Returns:
            (2, 3) loads, zero where no loaded support stands still [N, N, N m].

        Raises:
            InputError: the twist is zero or not finite.
        """
        rows = near_one(twist_rows(finite_array("twist", twist, (3,))[None]))
        resting = self._velocities(rows)[1][0] <= STANDSTILL * self._scale(rows)[0]
        limits, (x, y) = self.limits * resting, self.points.T
        along = float(limits.sum())
        return np.array([[along, 0.0, -float(limits @ y)], [0.0, along, float(limits @ x)]])

    @property
    def flat(self) -> bool:
        pressed = self.points[self.limits > 0.0]
        return bool((np.abs(pressed - pressed[0]) <= STANDSTILL * self._reach).all())

    def facets(self) -> tuple[Facet, ...]:
        return tuple(self._facet(i, sense) for i in np.flatnonzero(self.limits) for sense in (1, -1))

    def _facet(self, index: int, sense: int) -> Facet:
        x, y = self.points[index]
        limit = float(self.limits[index])
        twist = sense * np.array([y, -x, 1.0])
        axes = limit * np.array([[1.0, 0.0, -y], [0.0, 1.0, x]])
        area = np.pi * limit**2 * np.sqrt(1.0 + (x * x + y * y) / self.length**2)
        return Facet(int(index), sense, twist, self.load(twist[None])[0], axes, float(area))

    def _velocities(self, rows: Array) -> tuple[Array, Array]:
        x, y = self.points.T
        velocity = np.stack([rows[:, :1] - rows[:, 2:] * y, rows[:, 1:2] + rows[:, 2:] * x], axis=2)
        return velocity, np.hypot(velocity[..., 0], velocity[..., 1])

    def _scale(self, rows: Array) -> Array:
        return np.hypot(rows[:, 0], rows[:, 1]) + np.abs(rows[:, 2]) * self._reach


def twist_rows(twists: ArrayLike) -> Array:
    """Check twists: finite rows of three, none of them zero."""
    rows = finite_array("twists", twists, (None, 3))
    zero = ~rows.any(axis=1)
    if zero.any():
        raise InputError(
            f"twists[{int(np.flatnonzero(zero)[0])}]", 0.0, "is zero", "a body at rest has no direction of sliding"
        )
    return rows


def powers_of(rows: Array, powers: Array) -> Array:
    """Powers (N,) of twists (N, 3) from those of `near_one` of the same twists."""
    with np.errstate(over="ignore"):
        whole = np.ldexp(powers, exponents(rows)[:, 0])
    if not np.isfinite(whole).all():
        row = int(np.argmin(np.isfinite(whole)))
        raise InputError(f"twists[{row}]", rows[row], "dissipates a power that float64 cannot hold", "pass SI units")
    return whole


def twist_about(centres: ArrayLike, *, sense: ArrayLike = 1) -> Array:
    """Twists that turn about given points of the plane.

    Args:
        centres: (N, 2) centres of rotation in the body frame [m].
        sense: +1 (counter-clockwise) or -1, one for all or (N,).

    Returns:
        (N, 3) twists with omega = `sense` [m/s, m/s, rad/s].

    Raises:
        InputError: an argument is unusable.
    """
    rows = finite_array("centres", centres, (None, 2))
    signs = finite_array("sense", sense)
    if signs.shape not in ((), (len(rows),)):
        raise InputError("sense", signs.shape, f"has this shape where () or ({len(rows)},) is needed")
    if (np.abs(signs) != 1.0).any():
        raise InputError("sense", sense, "must be +1 or -1")
    return np.column_stack([rows[:, 1], -rows[:, 0], np.ones(len(rows))]) * signs[..., None]


def centre_of_rotation(twists: ArrayLike) -> Array:
    """Centres of rotation of twists.

    Args:
        twists: (N, 3) twists [m/s, m/s, rad/s].

    Returns:
        (N, 2) points in the body frame [m]; rows of a pure translation, or of a turn too slow for float64,
        are infinite along the line of the centres.

    Raises:
        InputError: a twist is zero or not finite.
    """
    rows = twist_rows(twists)
    turning = rows[:, 2] != 0.0
    omega = np.where(turning, rows[:, 2], 1.0)[:, None]
    across = np.column_stack([-rows[:, 1], rows[:, 0]])
    far = np.where(across == 0.0, 0.0, np.copysign(np.inf, across))
    with np.errstate(over="ignore"):
        return np.where(turning[:, None], across / omega, far)
