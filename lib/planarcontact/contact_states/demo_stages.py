"""The stages of the demo's controller: each gives the disk a reference and ends on a physical condition.

A stage sees the measured pose and velocity only; none sees a contact label.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .demo_model import BOX_WEIGHT, DISK_RADIUS, GRAVITY, SIDE, STEP_HEIGHT

__all__ = ["Observation", "Reference", "Stage", "Hold", "Travel", "Lean", "Push", "Run", "Tip", "Retreat"]

Vector = NDArray[np.float64]
_HALF = SIDE / 2
_STILL = 2e-3


@dataclass(frozen=True)
class Observation:
    """What the controller sees: time [s], pose (5,) [m, rad] and velocity (5,) [m/s, rad/s]."""

    time: float
    pose: Vector
    velocity: Vector

    @property
    def disk(self) -> Vector:
        """Disk centre (2,) [m]."""
        return self.pose[3:]

    @property
    def distance_to_riser(self) -> float:
        """Distance from the front of the box, taken as flat, to the riser [m]."""
        return float(-self.pose[0] - _HALF)

    @property
    def box_is_still(self) -> bool:
        """Whether no point of the box's sides moves faster than about 2 mm/s."""
        v_x, v_z, omega = np.abs(self.velocity[:3])
        return bool(max(v_x, v_z, _HALF * omega) < _STILL)

    def axes(self, face: str) -> tuple[Vector, Vector]:
        """Outward normal of the box's face and the direction along it (unit vectors, world)."""
        s, c = np.sin(self.pose[2]), np.cos(self.pose[2])
        x, z = np.array([c, -s]), np.array([s, c])
        return (-x, z) if face == "-x" else (-z, -x)

    def against(self, face: str) -> tuple[float, float]:
        """Gap from the disk to the line of a face, and coordinate of its foot from the face's middle [m]."""
        normal, along = self.axes(face)
        offset = self.disk - self.pose[:2]
        return float(offset @ normal) - _HALF - DISK_RADIUS, float(offset @ along)


@dataclass(frozen=True)
class Reference:
    """Where the disk should be (2,) [m], how fast (2,) [m/s], and a force to add (2,) [N]."""

    position: Vector
    velocity: Vector
    force: Vector


class Stage:
    """A stage: `begin` once, then `reference` at every control period until it returns None."""

    def begin(self, now: Observation) -> None:
        self.start = now

    def reference(self, now: Observation) -> Reference | None:
        raise NotImplementedError

    def elapsed(self, now: Observation) -> float:
        return now.time - self.start.time


def smooth(fraction: float) -> tuple[float, float]:
    """Minimum-jerk ramp from 0 to 1 and its slope."""
    s = min(max(fraction, 0.0), 1.0)
    return s**3 * (10 - 15 * s + 6 * s * s), 30 * s * s * (1 - s) ** 2


def on_face(now: Observation, face: str, gap: float, coordinate: float, force: float = 0.0) -> Reference:
    """Reference that rides on a face of the box: at this gap and coordinate [m], leaning with this force [N]."""
    normal, along = now.axes(face)
    arm = (_HALF + DISK_RADIUS + gap) * normal + coordinate * along
    omega = now.velocity[2]
    carried = now.velocity[:2] + omega * np.array([arm[1], -arm[0]])
    return Reference(now.pose[:2] + arm, carried, -force * normal)


@dataclass
class Hold(Stage):
    """Stay at a place for a time [s]."""

    duration: float

    def reference(self, now: Observation) -> Reference | None:
        if self.elapsed(now) >= self.duration:
            return None
        return Reference(self.start.disk, np.zeros(2), np.zeros(2))


@dataclass
class Travel(Stage):
    """Move to a place given relative to the box's centre at the start [m], at a mean speed [m/s]."""

    offset: tuple[float, float]
    speed: float

    def reference(self, now: Observation) -> Reference | None:
        goal = self.start.pose[:2] + np.array(self.offset)
        step = goal - self.start.disk
        duration = float(np.hypot(*step)) / self.speed
        if self.elapsed(now) >= duration:
            return None
        s, slope = smooth(self.elapsed(now) / duration)
        return Reference(self.start.disk + s * step, slope / duration * step, np.zeros(2))


@dataclass
class Lean(Stage):
    """Close in on a face at a speed [m/s], slide to a coordinate [m], lean with a force [N] until the box is still."""

    face: str
    coordinate: float
    speed: float
    force: float
    settle: float

    def begin(self, now: Observation) -> None:
        super().begin(now)
        self._calm_since = now.time

    def reference(self, now: Observation) -> Reference | None:
        gap0, coordinate0 = self.start.against(self.face)
        gap, coordinate = now.against(self.face)
        path = self.coordinate - coordinate0
        duration = 2 * abs(path) / self.speed
        s = smooth(self.elapsed(now) / duration)[0] if duration > 0 else 1.0
        arrived = gap < 1e-4 and s == 1.0 and abs(coordinate - self.coordinate) < 2e-3
        if not (arrived and now.box_is_still):
            self._calm_since = now.time
        if now.time - self._calm_since >= self.settle:
            return None
        approach = max(gap0 - self.speed * self.elapsed(now), 0.0)
        return on_face(now, self.face, approach, coordinate0 + s * path, self.force if approach == 0.0 else 0.0)


@dataclass
class Push(Stage):
    """Move along +x at a speed [m/s], reached over 0.3 s, until a condition on the observation holds."""

    speed: float
    until: Callable[[Observation, Observation], bool]

    def reference(self, now: Observation) -> Reference | None:
        if self.until(self.start, now):
            return None
        t, ramp = self.elapsed(now), 0.3
        travelled = self.speed * (t - ramp / 2 if t > ramp else t * t / (2 * ramp))
        position = self.start.disk + np.array([travelled, 0.0])
        return Reference(position, np.array([self.speed * min(t / ramp, 1.0), 0.0]), np.zeros(2))


@dataclass
class Run(Stage):
    """Drive along +x towards a speed [m/s] that the motors cannot reach at once, until the box meets the riser."""

    speed: float

    def reference(self, now: Observation) -> Reference | None:
        if now.distance_to_riser < 5e-4:
            return None
        return Reference(np.array([now.disk[0], self.start.disk[1]]), np.array([self.speed, 0.0]), np.zeros(2))


@dataclass
class Tip(Stage):
    """Tip the box about the step corner: static load fed forward, tilt fed back, until its energy carries it over.

    The disk lets go once the box, turning about the corner, could lift its weight to the balance with `carry` [m] of
    height to spare.
    """

    angle: float
    duration: float
    lift: float
    stiffness: float
    damping: float
    carry: float

    def reference(self, now: Observation) -> Reference | None:
        x, z, theta = now.pose[:3]
        corner = np.array([-x, STEP_HEIGHT - z])
        distance = float(np.hypot(*corner))
        turning = (SIDE**2 / 6 + distance**2) * now.velocity[2] ** 2 / (2 * GRAVITY)
        if x > 0.0 or turning > distance + corner[1] + self.carry:
            return None
        s, slope = smooth(self.elapsed(now) / self.duration)
        coordinate = now.against("-x")[1]
        lever = coordinate - float(corner @ np.array([np.sin(theta), np.cos(theta)]))
        force = BOX_WEIGHT * -x / max(lever, _HALF / 4)
        force += self.stiffness * (s * self.angle - theta)
        force += self.damping * (slope / self.duration * self.angle - now.velocity[2])
        force = max(force, 0.05)
        ride = on_face(now, "-x", 0.0, coordinate, force)
        return Reference(ride.position, ride.velocity, ride.force + self.lift * force * now.axes("-x")[1])


@dataclass
class Retreat(Stage):
    """Back off from a face by a distance [m] at a speed [m/s], then wait until the box has been still for a time [s]."""

    face: str
    distance: float
    speed: float
    settle: float

    def begin(self, now: Observation) -> None:
        super().begin(now)
        self._calm_since = now.time

    def reference(self, now: Observation) -> Reference | None:
        duration = self.distance / self.speed
        if not now.box_is_still or self.elapsed(now) < duration:
            self._calm_since = now.time
        if now.time - self._calm_since >= self.settle:
            return None
        normal = self.start.axes(self.face)[0]
        s, slope = smooth(self.elapsed(now) / duration)
        step = self.distance * normal
        return Reference(self.start.disk + s * step, slope / duration * step, np.zeros(2))
