"""Random bodies thrown onto random planes: the scenes on which steppers are tried hardest."""

import numpy as np

from planarcontact.dynamics import Body, Disc, EllipsoidalFriction, Plane, Scene, Sphere


def violent_scene(rng, *, kind=None, steps=300):
    """A body of 1 to 12 vertices, or discs, or spheres, or all, falling, sliding and spinning at up to 40 rad/s."""
    kind = kind or rng.choice(["vertices", "flat", "discs", "cylinder", "spheres", "mixed"])
    vertices, discs, spheres = [], [], []
    if kind in ("vertices", "mixed"):
        vertices = rng.normal(size=(int(rng.integers(1, 13)), 3)) * 0.2
    if kind == "flat":
        corners = rng.normal(size=(int(rng.integers(3, 9)), 2)) * 0.25
        vertices = [(*c, z) for c in corners for z in (-0.1, 0.12)]
    if kind in ("discs", "mixed"):
        for _ in range(int(rng.integers(1, 4))):
            discs.append(Disc(rng.normal(size=3) * 0.15, rng.normal(size=3), rng.uniform(0.05, 0.25)))
    if kind == "cylinder":
        radius, half = rng.uniform(0.05, 0.2), rng.uniform(0.05, 0.3)
        discs = [Disc((0, 0, z), (0, 0, 1), radius) for z in (-half, half)]
    if kind in ("spheres", "mixed"):
        for _ in range(int(rng.integers(1, 4))):
            spheres.append(Sphere(rng.normal(size=3) * 0.1, rng.uniform(0.05, 0.2)))
    mass = 10.0 ** rng.uniform(-1, 1.5)
    cloud = rng.normal(size=(6, 3)) * 0.15
    second = cloud.T @ cloud / 6
    inertia = mass * (np.trace(second) * np.eye(3) - second)
    normal = np.array([0, 0, 1.0]) + rng.normal(size=3) * 0.15
    q = rng.normal(size=4)
    push = rng.normal(size=6) * mass * np.repeat([4.0, 0.4], 3)
    rate = rng.uniform(1, 15, size=6)
    plane = Plane(normal, rng.normal() * 0.3)
    body = Body(mass, inertia, vertices=vertices, discs=discs, spheres=spheres)
    return Scene(
        body=body,
        support=plane,
        friction=EllipsoidalFriction(rng.uniform(0, 1.0), rng.uniform(0.5, 1.5), rng.uniform(0.5, 1.5), 10 ** rng.uniform(-2.5, -0.5)),
        gravity=9.8,
        position=plane.normal * (plane.offset + body.bounding_radius * rng.uniform(1.0, 1.3)),
        orientation=q / np.linalg.norm(q),
        velocity=np.concatenate([rng.normal(size=3) * 1.0, rng.normal(size=3) * 10.0 ** rng.uniform(-1, 1.2)]),
        wrench=lambda t: push * np.sin(rate * t),
        step=0.01,
        duration=0.01 * steps,
    )
