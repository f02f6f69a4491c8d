"""The same step told in another way: body frame turned, world turned about the vertical, other units."""

import numpy as np
from step_audit import rotation

from planarcontact.dynamics import Body, Disc, EllipsoidalFriction, Plane, Sphere, simulate


def times(a, b):
    """Product of quaternions w x y z."""
    return np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def changed(body, turn=None, length=1.0, mass=1.0):
    """The body with its frame turned by a rotation, in other units."""
    turn = np.eye(3) if turn is None else turn
    return Body(
        body.mass * mass,
        turn @ body.inertia @ turn.T * (mass * length**2),
        (body.vertices @ turn.T) * length,
        [Disc(turn @ d.centre * length, turn @ d.axis, d.radius * length) for d in body.discs],
        [Sphere(turn @ s.centre * length, s.radius * length) for s in body.spheres],
    )


def one_step(scene, run, k):
    """The scene of step k alone, under its load."""
    load = scene.loads()[k]
    return scene.replace(
        position=run.position[k], orientation=run.orientation[k], velocity=run.velocity[k], duration=scene.step, wrench=lambda t: load
    )


def turned_body(scene, rng):
    q = rng.normal(size=4)
    q /= np.linalg.norm(q)
    back = q * [1, -1, -1, -1]
    return scene.replace(body=changed(scene.body, rotation(q)), orientation=times(scene.orientation, back)), lambda v: v


def turned_world(scene, rng):
    """The friction is made isotropic in the plane for this one, by its caller."""
    angle = rng.uniform(0, 2 * np.pi)
    q = np.array([np.cos(angle / 2), 0, 0, np.sin(angle / 2)])
    turn, load = rotation(q), scene.loads()[0]
    both = lambda v: np.concatenate([turn @ v[:3], turn @ v[3:]])  # noqa: E731
    moved = scene.replace(
        support=Plane(turn @ scene.support.normal, scene.support.offset), position=turn @ scene.position,
        orientation=times(q, scene.orientation), velocity=both(scene.velocity), wrench=lambda t: both(load),
    )  # fmt: skip
    return moved, both


def other_units(scene, rng):
    length, mass, time = 10.0 ** rng.uniform(-2, 2, size=3)
    load, friction = scene.loads()[0], scene.friction
    force = mass * length / time**2
    velocity = np.repeat([length / time, 1 / time], 3)
    moved = scene.replace(
        body=changed(scene.body, None, length, mass), support=Plane(scene.support.normal, scene.support.offset * length),
        friction=EllipsoidalFriction(friction.mu, friction.e_t, friction.e_o, friction.e_r * length),
        gravity=scene.gravity * length / time**2, position=scene.position * length, velocity=scene.velocity * velocity,
        wrench=lambda t: load * np.repeat([force, force * length], 3), step=scene.step * time, duration=scene.step * time,
    )  # fmt: skip
    return moved, lambda v: v * velocity


def worst_change(scene, run, k, rng, backend="compiled"):
    """Largest unit-free change of the velocity after step k over the three ways, of those that converged."""
    worst = {}
    for name, way in (("body frame", turned_body), ("world", turned_world), ("units", other_units)):
        step = one_step(scene, run, k)
        if name == "world":
            f = step.friction
            step = step.replace(friction=EllipsoidalFriction(f.mu, f.e_t, f.e_t, f.e_r))
        other, there = way(step, rng)
        a, b = simulate(step, backend=backend), simulate(other, backend=backend)
        assert a.ok == b.ok, (name, a.failures, b.failures)
        unit = np.repeat([other.velocity_scale, other.velocity_scale / other.body.bounding_radius], 3)
        worst[name] = float(np.abs((there(a.velocity[1]) - b.velocity[1]) / unit).max())
    return worst
