"""The scenes of document 1, with what it leaves open chosen by us (the chapter lists each choice)."""

import numpy as np
from numpy.typing import NDArray

from .body import Body, Disc
from .friction import EllipsoidalFriction
from .scene import Scene
from .support import Plane

__all__ = ["desk"]

FRICTION = EllipsoidalFriction(mu=0.22, e_t=1.0, e_o=1.0, e_r=0.1)


def box_inertia(mass: float, sides: tuple[float, float, float]) -> NDArray[np.float64]:
    """Return the inertia (3, 3) [kg m2] of a uniform box of the given mass [kg] and sides [m] about its centre."""
    a, b, c = (side * side for side in sides)
    return mass / 12.0 * np.diag([b + c, a + c, a + b])


def desk_body(side: float = 0.5, foot: float = 0.06, height: float = 0.45, mass: float = 15.0) -> Body:
    """Return the desk: a square top on four square feet, its COM `height` [m] above the floor.

    The mass [kg] is taken as spread over the box side x side x 2 height, and the four corners of that box's top are
    generators too, so that a desk that topples lands on something.

    Source: document 1, Section 5.1; the inertia is ours.
    """
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
    bar: tuple[float, float] = (0.4, 0.1), stem: tuple[float, float] = (0.1, 0.3), thickness: float = 0.05, mass: float = 2.0
) -> Body:
    """Return the T-shaped bar lying flat: crossbar along x, stem towards -y, uniform density.

    The lower face has all eight corners (the patch method needs the inner two); the upper face the six that can touch.

    Args:
        bar: length along x and width along y of the crossbar [m].
        stem: width along x and length along y of the stem [m].
        thickness: height of the T [m].
        mass: mass [kg].

    Source: document 1, Section 5.2; the thickness is twice the document's q_z when flat, the other sizes are ours.
    """
    (a, b), (c, d) = bar, stem
    areas = np.array([a * b, c * d])
    centres = np.array([0.0, -(b + d) / 2])
    middle = float(areas @ centres / areas.sum())
    outline = np.array([
        (a / 2, b / 2), (-a / 2, b / 2), (-a / 2, -b / 2), (-c / 2, -b / 2),
        (-c / 2, -b / 2 - d), (c / 2, -b / 2 - d), (c / 2, -b / 2), (a / 2, -b / 2),
    ]) - [0.0, middle]  # fmt: skip
    inertia = np.zeros((3, 3))
    for area, centre, sides in zip(areas, centres, ((a, b, thickness), (c, d, thickness))):
        part = mass * area / areas.sum()
        shift = centre - middle
        inertia += box_inertia(part, sides) + part * shift**2 * np.diag([1.0, 0.0, 1.0])
    lower = [(x, y, -thickness / 2) for x, y in outline]
    upper = [(x, y, thickness / 2) for x, y in outline[[0, 1, 2, 4, 5, 7]]]
    return Body(mass, inertia, vertices=lower + upper, patches=[(0, 1, 2, 7), (3, 4, 5, 6)])


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
