"""The scenes of document 1, with what it leaves open chosen by us (the chapter lists each choice)."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..validation import FARTHEST, finite_array, positive
from .body import Body, Disc
from .friction import EllipsoidalFriction
from .scene import Scene
from .support import Plane

__all__ = ["Topple", "Wobble", "desk", "desk_body", "dumbbell", "dumbbell_body", "t_bar", "t_bar_body"]

T = TypeVar("T")

FRICTION = EllipsoidalFriction(mu=0.22, e_t=1.0, e_o=1.0, e_r=0.1)


def box_inertia(mass: float, sides: tuple[float, float, float]) -> NDArray[np.float64]:
    """Return the inertia (3, 3) [kg m2] of a uniform box of the given mass [kg] and sides [m] about its centre."""
    a, b, c = (side * side for side in sides)
    return mass / 12.0 * np.diag([b + c, a + c, a + b])


def _sizes(**sizes: float) -> list[float]:
    return [positive(name, size, largest=FARTHEST) for name, size in sizes.items()]


def _loads(name: str, given: T | None, kind: type[T]) -> T:
    if given is not None and not isinstance(given, kind):
        raise InputError(name, given, f"is not a {kind.__name__}")
    return kind() if given is None else given


def desk_body(side: float = 0.5, foot: float = 0.06, height: float = 0.45, mass: float = 15.0) -> Body:
    """Return the desk: a square top on four square feet, its COM `height` [m] above the floor.

    The mass [kg] is taken as spread over the box side x side x 2 height, and the four corners of that box's top are
    generators too, so that a desk that topples lands on something.

    Source: document 1, Section 5.1; the inertia is ours.
    """
    side, foot, height, mass = _sizes(side=side, foot=foot, height=height, mass=mass)
    outer, inner = side / 2, side / 2 - foot
    near = [(outer, outer), (inner, outer), (inner, inner), (outer, inner)]
    feet = [(sx * x, sy * y, -height) for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1)) for x, y in near]
    top = [(sx * outer, sy * outer, height) for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    return Body(
        mass,
        box_inertia(mass, (side, side, 2 * height)),
        vertices=feet + top,
        patches=[range(4 * k, 4 * k + 4) for k in range(4)],
    )


def desk_wrench(t: float) -> NDArray[np.float64]:
    """Return the desk's load (6,) [N, N m] at time `t` [s]; the force is taken to act at the COM."""
    s, c = np.sin(2 * np.pi * t), np.cos(2 * np.pi * t)
    return np.array([22.5 * s + 22.5, 22.5 * c + 22.5, 0.0, 0.0, 0.0, 2.1 * c])


def desk(step: float = 0.01, duration: float = 4.0) -> Scene:
    """Return the desk of document 1, Section 5.1: four feet that slide and turn under a periodic push.

    Args:
        step: time step [s].
        duration: simulated time [s].

    Source: document 1, Section 5.1 and Fig. 4; the inertia and the height of the push (the COM's) are ours.
    """
    return Scene(
        body=desk_body(),
        support=Plane((0.0, 0.0, 1.0), 0.0),
        friction=FRICTION,
        gravity=9.8,
        position=(0.0, 0.0, 0.45),
        orientation=(1.0, 0.0, 0.0, 0.0),
        velocity=(0.3, 0.2, 0.0, 0.0, 0.0, 0.5),
        wrench=desk_wrench,
        step=step,
        duration=duration,
    )


def t_bar_body(
    bar: tuple[float, float] = (0.1, 0.4), stem: tuple[float, float] = (0.3, 0.1), thickness: float = 0.05, mass: float = 2.0
) -> Body:
    """Return the T-shaped bar lying flat: crossbar along y, stem along +x, uniform density.

    The lower face has all eight corners (the patch method needs the inner two); the upper face the six that can touch.

    Args:
        bar: width along x and length along y of the crossbar [m].
        stem: length along x and width along y of the stem [m].
        thickness: height of the T [m].
        mass: mass [kg].

    Source: document 1, Section 5.2; the thickness is twice the document's q_z when flat, the other sizes are ours.
    """
    (a, b), (c, d) = (finite_array(name, value, (2,)).tolist() for name, value in (("bar", bar), ("stem", stem)))
    _sizes(bar_width=a, bar_length=b, stem_length=c, stem_width=d)
    thickness, mass = _sizes(thickness=thickness, mass=mass)
    areas, centres = np.array([a * b, c * d]), np.array([0.0, (a + c) / 2])
    middle = float(areas @ centres / areas.sum())
    outline = np.array([
        (-a / 2, b / 2), (-a / 2, -b / 2), (a / 2, -b / 2), (a / 2, -d / 2),
        (a / 2 + c, -d / 2), (a / 2 + c, d / 2), (a / 2, d / 2), (a / 2, b / 2),
    ]) - [middle, 0.0]  # fmt: skip
    inertia = np.zeros((3, 3))
    for area, centre, (along, across) in zip(areas, centres, ((a, b), (c, d))):
        part = mass * area / areas.sum()
        inertia += box_inertia(part, (along, across, thickness)) + part * (centre - middle) ** 2 * np.diag([0.0, 1.0, 1.0])
    lower = [(x, y, -thickness / 2) for x, y in outline]
    upper = [(x, y, thickness / 2) for x, y in outline[[0, 1, 2, 4, 5, 7]]]
    return Body(mass, inertia, vertices=lower + upper, patches=[(0, 1, 2, 7), (3, 4, 5, 6)])


T_BAR = t_bar_body()


@dataclass(frozen=True)
class Wobble:
    """The loads on the T-bar: two mirror-image twists that tilt it, then a push that slides it.

    A twist lasts `pulse` seconds. It raises the bar about the end of its stem by a half-sine of T_y, and over its second
    half tips it onto one corner by a half-sine of T_x. Both peaks are given as multiples of the moment that only just
    lifts the resting bar about that edge or corner: weight times the COM's distance. The second twist has T_x
    reversed, in the bar's own axes, so that its motion is the mirror image of the first. The push is the desk's in
    proportion to the weight.

    Args:
        raising: peak of T_y over weight times the COM's distance from the stem's end [-].
        tipping: peak of T_x over weight times half the stem's width [-].
        pulse: duration of a twist [s].
        starts: times at which the two twists begin [s].
        heading: angle by which the bar stands turned when the second twist begins [rad].
        slide: time from which the push acts [s].
    """

    raising: float = 1.36
    tipping: float = 1.18
    pulse: float = 0.7
    starts: tuple[float, float] = (0.4, 1.9)
    heading: float = -0.045
    slide: float = 3.0

    def __call__(self, t: float) -> NDArray[np.float64]:
        """Return the load (6,) [N, N m] at time `t` [s]."""
        load = np.zeros(6)
        end, half_width, weight = T_BAR.vertices[4, 0], T_BAR.vertices[5, 1], T_BAR.mass * 9.8
        for start, side, heading in zip(self.starts, (-1.0, 1.0), (0.0, self.heading)):
            phase = (t - start) / self.pulse
            if not 0.0 < phase < 1.0:
                continue
            raising = self.raising * weight * end * np.sin(np.pi * phase)
            tipping = side * self.tipping * weight * half_width * np.sin(2 * np.pi * max(phase - 0.5, 0.0))
            c, s = np.cos(heading), np.sin(heading)
            load[3:5] = c * tipping - s * raising, s * tipping + c * raising
        return load + desk_wrench(t) * (T_BAR.mass / 15.0) if t > self.slide else load


def t_bar(step: float = 0.01, duration: float = 5.0, wobble: Wobble | None = None) -> Scene:
    """Return the T-bar of document 1, Section 5.2: it rocks on two corners, twice, and then slides flat.

    Args:
        step: time step [s].
        duration: simulated time [s].
        wobble: the loads; a `Wobble` with its defaults if None.

    Source: document 1, Section 5.2 and Figs. 5 and 6; plan dimensions and loads are ours.
    """
    return Scene(
        body=T_BAR, support=Plane((0.0, 0.0, 1.0), 0.0), friction=FRICTION, gravity=9.8, position=(0.0, 0.0, 0.025),
        wrench=_loads("wobble", wobble, Wobble), step=step, duration=duration,
    )  # fmt: skip


def dumbbell_body(length: float = 0.3, bar: float = 0.18, radius: float = 0.1, bar_radius: float = 0.05, mass: float = 3.0) -> Body:
    """Return the dumbbell: two cylinders of `radius` joined by a bar, its axis along the body's z, uniform density.

    Its generators are the two outer faces: their hull holds the inner faces and the bar.

    Args:
        length: length of the whole [m].
        bar: length of the bar [m].
        radius: radius of the ends [m].
        bar_radius: radius of the bar [m].
        mass: mass [kg].

    Source: document 1, Section 5.3 and Fig. 7a; the uniform density is ours.
    """
    length, bar, radius, bar_radius, mass = _sizes(length=length, bar=bar, radius=radius, bar_radius=bar_radius, mass=mass)
    if not bar < length:
        raise InputError("bar", bar, "is not shorter than the whole", f"which is {length:g} m long")
    end = (length - bar) / 2
    volumes = np.array([radius**2 * end, bar_radius**2 * bar, radius**2 * end])
    inertia = np.zeros((3, 3))
    for part, r, size, shift in zip(
        mass * volumes / volumes.sum(), (radius, bar_radius, radius), (end, bar, end), ((bar + end) / 2, 0.0, (bar + end) / 2)
    ):
        across = part * ((3 * r**2 + size**2) / 12 + shift**2)
        inertia += np.diag([across, across, part * r**2 / 2])
    faces = [Disc((0.0, 0.0, z), (0.0, 0.0, 1.0), radius) for z in (-length / 2, length / 2)]
    return Body(mass, inertia, discs=faces)


@dataclass(frozen=True)
class Topple:
    """The loads on the dumbbell: a twist that topples it off its end, later a push and a twist that roll and turn it.

    Both are half-sines in time.

    Args:
        overload: peak of T_y over weight times the end's radius, the moment that only just lifts the rim [-].
        pulse: duration of the first twist [s].
        push: peak force along y, square to the lying axis [N].
        twist: peak moment about z; beyond mu m g e_r it turns the dumbbell where it lies [N m].
        roll: beginning and end of push and twist [s].
    """

    overload: float = 1.36
    pulse: float = 0.6
    push: float = 6.0
    twist: float = 1.0
    roll: tuple[float, float] = (1.2, 1.9)

    def __call__(self, t: float) -> NDArray[np.float64]:
        """Return the load (6,) [N, N m] at time `t` [s]."""
        load = np.zeros(6)
        if t < self.pulse:
            load[4] = self.overload * DUMBBELL.mass * 9.8 * DUMBBELL.discs[0].radius * np.sin(np.pi * t / self.pulse)
        begin, end = self.roll
        if begin < t < end:
            load[[1, 5]] = np.sin(np.pi * (t - begin) / (end - begin)) * np.array([self.push, self.twist])
        return load


def dumbbell(step: float = 0.01, duration: float = 2.5, topple: Topple | None = None) -> Scene:
    """Return the dumbbell of document 1, Section 5.3: it stands on an end, topples, lies on two segments, rolls and turns.

    Args:
        step: time step [s].
        duration: simulated time [s].
        topple: the loads; a `Topple` with its defaults if None.

    Source: document 1, Section 5.3 and Fig. 7; the density and the loads are ours.
    """
    return Scene(
        body=DUMBBELL, support=Plane((0.0, 0.0, 1.0), 0.0), friction=FRICTION, gravity=9.8, position=(0.0, 0.0, 0.15),
        wrench=_loads("topple", topple, Topple), step=step, duration=duration,
    )  # fmt: skip


DUMBBELL = dumbbell_body()
