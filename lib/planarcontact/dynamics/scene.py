"""A scene: one body, its support, friction, gravity, loads and the initial state."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError, UnsupportedError
from ..validation import FARTHEST, finite_array, nonnegative, one_of, positive
from .body import Body
from .friction import EllipsoidalFriction
from .loads import SampledWrench
from .support import Plane

__all__ = ["Scene", "checked_scene", "no_load"]

MAX_STEPS = 10**8
SAMPLE_SHIFT = {"start": 0.0, "mid": 0.5, "end": 1.0}


def no_load(t: float) -> NDArray[np.float64]:
    """Return the zero load (6,) [N, N m] at any time `t` [s]."""
    return np.zeros(6)


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """All that one simulation needs; every argument is by keyword.

    The body may start below the support: the first step then lifts it out, with a velocity of depth / step.

    Args:
        body: one `Body`.
        support: a `Plane`; no other support is modelled.
        friction: an `EllipsoidalFriction`.
        gravity: acceleration along the world's -z, not negative [m/s2]; the stepper adds it to the loads.
        position: (3,) initial COM, world [m].
        orientation: (4,) initial unit quaternion w x y z, rotating body vectors into the world; norm 1 within 1e-6.
        velocity: (6,) initial COM velocity [m/s] and **spatial** angular velocity [rad/s], both in world axes.
        wrench: function of the time [s] that returns force [N] and moment about the COM [N m] as (6,), world axes,
            gravity excluded; or a `SampledWrench`.
        step: positive time step [s].
        duration: positive simulated time [s], rounded to whole steps (at least one).

    Raises:
        InputError: an argument has the wrong type, shape or value.
        UnsupportedError: the support is not a plane, or there is more than one body.
    """

    body: Body
    support: Plane = dataclasses.field(default_factory=Plane)
    friction: EllipsoidalFriction
    gravity: float = 9.8
    position: ArrayLike = (0.0, 0.0, 0.0)
    orientation: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    velocity: ArrayLike = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    wrench: Callable[[float], ArrayLike] | SampledWrench = no_load
    step: float = 0.01
    duration: float = 1.0

    def __post_init__(self) -> None:
        put = lambda name, value: object.__setattr__(self, name, value)  # noqa: E731
        if isinstance(self.body, (list, tuple)):
            raise UnsupportedError(f"body: {len(self.body)} bodies given, and only one can be simulated; use one Body a scene")
        if not isinstance(self.body, Body):
            raise InputError("body", self.body, "is not a Body")
        if not isinstance(self.support, Plane):
            raise UnsupportedError(
                f"support = {type(self.support).__name__}: only a Plane is modelled. The body's convex hull stands for the "
                "body, and on any other support (a pedestal between the feet, a step) that hull would touch where the "
                "body does not; split the scene so that the body meets one plane."
            )
        if not isinstance(self.friction, EllipsoidalFriction):
            raise InputError("friction", self.friction, "is not an EllipsoidalFriction")
        put("gravity", nonnegative("gravity", self.gravity))
        put("position", finite_array("position", self.position, (3,)))
        orientation = finite_array("orientation", self.orientation, (4,), largest=FARTHEST)
        norm = float(np.linalg.norm(orientation))
        if abs(norm - 1.0) > 1e-6:
            raise InputError("orientation", orientation.tolist(), f"has norm {norm:.9g}", "give a unit quaternion w x y z")
        put("orientation", orientation / norm)
        put("velocity", finite_array("velocity", self.velocity, (6,)))
        if not callable(self.wrench):
            raise InputError("wrench", self.wrench, "is neither a function of the time nor a SampledWrench")
        put("step", positive("step", self.step))
        put("duration", positive("duration", self.duration))
        if not self.duration / self.step <= MAX_STEPS:
            raise InputError("step", self.step, f"asks for more than {MAX_STEPS} steps", "use a longer step")

    def replace(self, **changes: object) -> "Scene":
        """Return a scene with some arguments changed, checked again; an unknown name is an `InputError`."""
        names = [field.name for field in dataclasses.fields(self)]
        for name in changes:
            if name not in names:
                raise InputError(name, changes[name], "is not an argument of Scene", f"use one of {', '.join(names)}")
        return dataclasses.replace(self, **changes)

    @property
    def steps(self) -> int:
        """Number of steps: duration / step rounded to a whole number, at least one."""
        return max(1, round(self.duration / self.step))

    @property
    def time(self) -> NDArray[np.float64]:
        """The times (steps + 1,) of the states [s]."""
        return self.step * np.arange(self.steps + 1)

    @property
    def velocity_scale(self) -> float:
        """sqrt(g R) [m/s], the unit of velocity in residuals (R / step where there is no gravity)."""
        radius = self.body.bounding_radius
        scale = float(np.sqrt(self.gravity * radius))
        return scale if scale > 0.0 else radius / self.step

    def loads(self, sample: str = "mid") -> NDArray[np.float64]:
        """Return the loads (steps, 6) [N, N m] at the "start", "mid" or "end" of every step.

        Raises:
            InputError: the wrench raises an exception (it is the cause of ours), returns something else than six finite
                numbers, or its table does not cover a time.
        """
        times = self.step * (np.arange(self.steps) + SAMPLE_SHIFT[one_of("sample", sample, tuple(SAMPLE_SHIFT))])
        if isinstance(self.wrench, SampledWrench):
            return self.wrench.at(times)
        if self.wrench is no_load:
            return np.zeros((self.steps, 6))
        rows = [self._load(t) for t in times.tolist()]
        if all(type(row) is np.ndarray and row.dtype == np.float64 and row.shape == (6,) for row in rows):
            loads = np.array(rows)
            if np.isfinite(loads).all():
                return loads
        return np.array([finite_array(f"wrench({t:.9g})", row, (6,)) for t, row in zip(times, rows)])

    def _load(self, t: float) -> ArrayLike:
        try:
            return self.wrench(t)
        except Exception as error:
            name = f"wrench({t:.9g})"
            raise InputError(name, self.wrench, f"raised {type(error).__name__}: {error}", "see the exception's cause") from error


def checked_scene(scene: Scene, name: str = "scene") -> Scene:
    """Return the scene, or raise `InputError` if it is none."""
    if not isinstance(scene, Scene):
        raise InputError(name, scene, "is not a Scene")
    return scene
