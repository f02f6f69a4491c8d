"""A body that stays on one flat patch whose friction is a limit surface."""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import ConvexHull, QhullError

from ..errors import InputError, UnsupportedError
from ..limit_surface import SupportPoints
from ..limit_surface.pushing import Surface, checked_surface
from ..validation import FARTHEST, finite_array, nonnegative, one_of, positive

__all__ = ["FlatBody"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class FlatBody:
    """A body on its flat face: a limit surface, a mass, and what tells whether it stays flat.

    The surface belongs to one flat patch with one distribution of pressure, at rest and level. Three things are
    assumed or refused. Loads grow with the normal load: at p_n they are p_n / `normal_load` times those of the surface.
    The vertical is a principal axis of inertia, so that no spin tilts the body. The pressure either stays as it is
    (`pressure="fixed"`, exact only for a COM at the floor's height; with a higher one it is an assumption), or follows
    from statics (`pressure="statics"`), which three supports alone determine.

    Args:
        surface: a fitted model or an ideal limit surface, loads about the COM's projection.
        mass: mass [kg].
        inertia: moment of inertia about the vertical through the COM [kg m2].
        height: height of the COM above the floor [m].
        gravity: acceleration of gravity [m/s2].
        outline: (M, 2) points whose hull is the patch, relative to the COM's projection [m]; the supports of a
            `SupportPoints` if left out.
        normal_load: normal load that the surface's loads belong to [N]; the sum of the pressures of a `SupportPoints`, else
            the weight.
        pressure: "fixed" or "statics".

    Raises:
        InputError: an argument is unusable; the patch has no area or does not hold the COM; the pressures are not centred
            under the COM.
        UnsupportedError: "statics" for a surface whose pressure statics do not determine.
    """

    surface: Surface
    mass: float
    inertia: float
    height: float = 0.0
    gravity: float = 9.8
    outline: ArrayLike | None = None
    normal_load: float | None = None
    pressure: str = "fixed"

    def __post_init__(self) -> None:
        put = lambda name, value: object.__setattr__(self, name, value)  # noqa: E731
        surface: Any = checked_surface(self.surface)
        points = isinstance(surface, SupportPoints)
        for name in ("mass", "inertia", "gravity"):
            put(name, positive(name, getattr(self, name)))
        put("height", nonnegative("height", self.height))
        one_of("pressure", self.pressure, ("fixed", "statics"))
        if self.outline is None and not points:
            raise InputError("outline", None, "is needed to tell whether the body tips", "pass the patch's corners")
        corners = surface.points if self.outline is None else self.outline
        put("outline", finite_array("outline", corners, (None, 2), largest=FARTHEST))
        normals, offsets = _edges(self.outline)
        put("_normals", normals)
        put("_offsets", offsets)
        if not self.margin(np.zeros(2)) > 0.0:
            raise InputError("outline", self.outline, "does not hold the COM's projection", "the body would tip where it stands")
        if points:
            lever = surface.pressures @ surface.points / surface.pressures.sum()
            if np.linalg.norm(lever) > 1e-6 * float(np.abs(self.outline).max()):
                raise InputError("surface", lever, "is its centre of pressure, which is not under the COM", "see statics_pressures")
        if self.pressure == "statics" and not (points and len(surface.points) == 3):
            raise UnsupportedError(
                "pressure='statics': statics determine the pressures of three point supports only; "
                "pressure='fixed' takes those that the surface was made with"
            )
        load = float(surface.pressures.sum()) if points else self.mass * self.gravity
        put("normal_load", load if self.normal_load is None else positive("normal_load", self.normal_load))

    @property
    def gyration(self) -> float:
        """Radius of gyration [m]."""
        return float(np.sqrt(self.inertia / self.mass))

    def replace(self, **changes: Any) -> "FlatBody":
        """Return a body with some arguments changed, checked again; an unknown name is an `InputError`."""
        names = [entry.name for entry in fields(self)]
        for name in changes:
            if name not in names:
                raise InputError(name, changes[name], "is not an argument of FlatBody", f"use one of {', '.join(names)}")
        return replace(self, **changes)

    def margin(self, point: Array) -> float:
        """Return how far a point (2,), body frame, lies inside the patch's hull, negative outside [m]; a point that is none is an `InputError`."""
        return float(np.min(self._offsets - self._normals @ finite_array("point", point, (2,), largest=FARTHEST)))

    def centre_of_pressure(self, normal: float, friction: Array, wrench: Array) -> Array:
        """Return the centre of pressure (2,) relative to the COM's projection, in the axes of its arguments [m].

        The tilting moments about the COM vanish: normal c_x + H friction_x = M_y and normal c_y + H friction_y = -M_x.

        Args:
            normal: normal load [N].
            friction: (2,) friction on the body, at the floor [N].
            wrench: (6,) applied force and moment about the COM, gravity excluded [N, N m].

        Raises:
            InputError: an argument is unusable, or the centre is out of the range of float64.
        """
        load, push, applied = positive("normal", normal), finite_array("friction", friction, (2,)), finite_array("wrench", wrench, (6,))
        with np.errstate(over="ignore", invalid="ignore"):
            centre = (np.array([applied[4], -applied[3]]) - self.height * push) / load
        return finite_array("centre", centre, (2,))

    def shifted(self, centre: Array) -> tuple[SupportPoints, Array]:
        """Return the ideal surface of three supports whose centre of pressure lies at `centre` (2,), and the pressures (3,).

        Pressures are for the normal load of the surface; those that statics make negative, where the body would tip, are
        held at zero in the surface and returned as they are.

        Raises:
            InputError: the centre is unusable.
            UnsupportedError: the surface is not that of three supports.
        """
        given: Any = self.surface
        if not (isinstance(given, SupportPoints) and len(given.points) == 3):
            raise UnsupportedError("statics determine the pressures of three point supports only")
        centre = finite_array("centre", centre, (2,), largest=FARTHEST)
        system = np.vstack([np.ones(3), given.points.T])
        pressures = self.normal_load * np.linalg.solve(system, np.append(1.0, centre))
        return SupportPoints(given.points, np.maximum(pressures, 0.0), given.mu, given.length), pressures


def _edges(points: Array) -> tuple[Array, Array]:
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError, IndexError) as error:
        raise InputError("outline", points, "has no area", "a body stays flat only on a patch that spans a surface") from error
    return hull.equations[:, :2], -hull.equations[:, 2]
