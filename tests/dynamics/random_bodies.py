"""Random bodies in violent scenes, and checks of each step that share nothing with a solver."""

import numpy as np
from step_audit import violations

from planarcontact.dynamics import Body, Disc, EllipsoidalFriction, Plane, Scene, Sphere, Status, geometry

KINDS = ("box", "cloud", "discs", "balls", "mixed")
SPIN = 75.0  # rad/s, largest initial spin


def random_body(rng, kind):
    size, mass = 10 ** rng.uniform(-1.3, 0.3), 10 ** rng.uniform(-1, 1.5)
    points = rng.normal(size=(30, 3)) * rng.uniform(0.2, 1, 3) * size / 2
    inertia = sum((p @ p) * np.eye(3) - np.outer(p, p) for p in points) * mass / 30
    cloud = lambda n: rng.normal(size=(n, 3)) * size * rng.uniform(0.1, 0.6, 3)  # noqa: E731
    discs = lambda n: [Disc(rng.normal(size=3) * size * 0.3, rng.normal(size=3), rng.uniform(0.1, 0.5) * size) for _ in range(n)]  # noqa: E731
    balls = lambda n: [Sphere(rng.normal(size=3) * size * 0.4, rng.uniform(0.05, 0.4) * size) for _ in range(n)]  # noqa: E731
    if kind == "box":
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return Body(mass, inertia, corners * rng.uniform(0.1, 1, 3) * size / 2)
    if kind == "discs":
        half = rng.uniform(0.1, 0.5) * size
        return Body(mass, inertia, discs=[Disc((0, 0, s * half), (0, 0, 1), rng.uniform(0.1, 0.5) * size) for s in (1, -1)])
    if kind == "balls":
        return Body(mass, inertia, spheres=balls(3))
    return Body(mass, inertia, cloud(12)) if kind == "cloud" else Body(mass, inertia, cloud(4), discs(1), balls(1))


def random_scene(rng, kind, steps):
    body = random_body(rng, kind)
    radius = body.bounding_radius
    tilt = rng.normal(size=3) * rng.choice([0.0, 0.2])
    plane = Plane(np.array([0, 0, 1.0]) + tilt * [1, 1, 0], rng.normal() * 0.3)
    q = rng.normal(size=4)
    q /= np.linalg.norm(q)
    low = geometry.lowest_height(body, Plane(plane.normal), np.zeros((1, 3)), q[None])[0]
    speed = np.sqrt(9.8 * radius)
    spin = rng.normal(size=3)
    spin *= min(SPIN, 4 * rng.uniform() ** 2 * speed / radius) / np.linalg.norm(spin)
    unit = body.mass * 9.8 * np.array([1, 1, 0.5, radius / 2, radius / 2, radius / 2])
    size, rate, phase = rng.normal(size=6) * rng.choice([0, 0.7]) * unit, rng.uniform(1, 20), rng.uniform(0, 6, 6)
    return Scene(
        body=body,
        support=plane,
        friction=EllipsoidalFriction(
            rng.choice([0, 0.05, 0.22, 0.6, 1.2]), *rng.uniform(0.5, 1, 2), rng.uniform(0.02, 0.5) * radius
        ),
        position=plane.normal * (plane.offset - low + rng.choice([0, 0.1, 1.0]) * radius),
        orientation=q,
        velocity=np.concatenate([rng.normal(size=3) * speed * rng.uniform(0, 1.5), spin]),
        wrench=lambda t: size * np.sin(rate * t + phase),
        step=0.01,
        duration=0.01 * steps,
    )


def ecp_outside(scene, run):
    """Largest distance [R] of the ECP from the hull of what touches, by linear least squares over convex weights."""
    from scipy.optimize import nnls

    worst = 0.0
    touching = geometry.touching_points(scene.body, scene.support, run.position[1:], run.orientation[1:])
    for points, ecp, impulse in zip(touching, run.ecp, run.impulse):
        if len(points) == 0 or impulse[0] == 0.0:
            continue
        matrix = np.vstack([(points - points[0]).T / scene.body.bounding_radius, np.full(len(points), 1e3)])
        _, gap = nnls(matrix, np.append((ecp - points[0]) / scene.body.bounding_radius, 1e3))
        worst = max(worst, gap)
    return worst


def check(scene, run):
    """Assert every law on the steps that are solved; return how many are not converged."""
    solved = (run.status == Status.CONVERGED) | (run.status == Status.GAINS)
    laws = {name: float(values[solved].max(initial=0.0)) for name, values in violations(scene, run).items()}
    assert max(laws.values()) <= 2e-11, laws
    return int((run.status != Status.CONVERGED).sum())
