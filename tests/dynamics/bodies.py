"""Bodies and scenes that several tests of the dynamics use; boxes share one compiled step."""

import numpy as np

from planarcontact.dynamics import Body, Disc, EllipsoidalFriction, Plane, Scene, Sphere

GRAVITY = 9.8


def box(mass=15.0, sides=(0.2, 0.2, 0.1)):
    a, b, c = sides
    corners = np.array([[x, y, z] for x in (-a, a) for y in (-b, b) for z in (-c, c)]) / 2
    inertia = mass / 12 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
    return Body(mass, inertia, corners)


def ball(mass=2.0, radius=0.1):
    return Body(mass, 0.4 * mass * radius**2 * np.eye(3), spheres=[Sphere((0, 0, 0), radius)])


def cylinder(mass=3.0, radius=0.1, length=0.3):
    """A solid cylinder whose axis is the body's x."""
    across = mass * (3 * radius**2 + length**2) / 12
    discs = [Disc((s * length / 2, 0, 0), (1, 0, 0), radius) for s in (1, -1)]
    return Body(mass, np.diag([mass * radius**2 / 2, across, across]), discs=discs)


def slope(angle, axis="x"):
    """A plane that falls along the world's x (or y) by an angle [rad], and the orientation of a body that lies on it."""
    s, c = np.sin(angle / 2), np.cos(angle / 2)
    if axis == "x":
        return Plane((np.sin(angle), 0, np.cos(angle))), np.array([c, 0, s, 0])
    return Plane((0, np.sin(angle), np.cos(angle))), np.array([c, -s, 0, 0])


def resting(body, *, height, mu=0.22, plane=None, orientation=(1, 0, 0, 0), e=(1.0, 1.0, 0.1), **changes):
    """A scene of a body whose COM is `height` above the plane's origin, at rest unless `changes` say otherwise."""
    plane = plane or Plane()
    return Scene(
        body=body,
        support=plane,
        friction=EllipsoidalFriction(mu, *e),
        gravity=changes.pop("gravity", GRAVITY),
        position=height * plane.normal,
        orientation=orientation,
        **changes,
    )
