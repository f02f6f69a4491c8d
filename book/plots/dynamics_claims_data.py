"""What the page on single claims computes: small experiments, each about one sentence of the document."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls
from scipy.spatial import ConvexHull

from planarcontact.dynamics import Body, ContactMode, EllipsoidalFriction, Plane, Scene, Sphere, Trajectory, geometry, scenes, simulate
from planarcontact.dynamics.uniqueness import outside
from planarcontact.limit_surface import SupportPoints


def ecp_outside_hull(scene: Scene, run: Trajectory) -> float:
    """Largest distance [R] of the ECP from the convex hull of what touches, over the steps in contact."""
    kept = np.flatnonzero((run.contact != ContactMode.APART) & (run.impulse[:, 0] > 0))
    far = [outside(scene, run.position[k + 1], run.orientation[k + 1], run.ecp[k]) for k in kept]
    return max(far) / scene.body.bounding_radius


def other_pressures(duration: float) -> tuple[float, float]:
    """Largest changes of the desk's velocity [m/s, rad/s] and ECP [m] when the floor can press elsewhere: legs doubled, only the hull's corners."""
    desk = scenes.desk(duration=duration)
    hull, body = simulate(desk, backend="compiled"), desk.body
    others = (body.vertices[[0, 4, 8, 12, 16, 17, 18, 19]], np.concatenate([body.vertices, body.vertices[:7]]))
    runs = [simulate(desk.replace(body=Body(body.mass, body.inertia, points)), backend="compiled") for points in others]
    apart = lambda name: max(float(np.abs(getattr(run, name) - getattr(hull, name)).max()) for run in runs)  # noqa: E731
    return apart("velocity"), apart("ecp")


def feet_grid(count: int = 12) -> NDArray[np.float64]:
    """Points (4 count^2, 2) [m] spread evenly over the desk's feet."""
    along = ((np.arange(count) + 0.5) / count - 0.5) * 0.06
    x, y = (part.ravel() for part in np.meshgrid(along, along))
    return np.concatenate([np.stack([x + 0.22 * i, y + 0.22 * j], axis=1) for i in (-1, 1) for j in (-1, 1)])


def turning_moments(mu: float = 0.22) -> tuple[float, float]:
    """Moments over mu N [m] of Coulomb's friction on the desk's feet turning about the centre: even pressure, and two feet only."""
    points = feet_grid()
    even = np.ones(len(points)) / len(points)
    diagonal = np.where(points[:, 0] * points[:, 1] > 0, 2.0, 0.0) / len(points)
    skewed = even * (1 + 0.9 * np.sign(np.hypot(*points.T) - np.median(np.hypot(*points.T))))
    twist = [[0.0, 0.0, 1.0]]
    load = lambda p: float(SupportPoints(points, p, mu).load(twist)[0, 2]) / mu  # noqa: E731
    assert abs(load(diagonal) - load(even)) < 1e-9
    return load(even), load(skewed / skewed.sum())


def dissipation_gap(trials: int, seed: int) -> float:
    """Largest relative difference between the power lost over random tractions on the feet and that of their resultant at the ECP."""
    rng, points, worst = np.random.default_rng(seed), feet_grid(4), 0.0
    for _ in range(trials):
        pressure, traction = rng.uniform(size=len(points)), rng.normal(size=(len(points), 2))
        v, spin = rng.normal(size=2), rng.normal()
        ecp = pressure @ points / pressure.sum()
        arm = points - ecp
        local = v + spin * np.stack([-arm[:, 1], arm[:, 0]], axis=1)
        whole = (traction * local).sum()
        moment = (arm[:, 0] * traction[:, 1] - arm[:, 1] * traction[:, 0]).sum()
        worst = max(worst, abs(whole - traction.sum(axis=0) @ v - moment * spin) / np.abs(traction * local).sum())
    return worst


def pressure_centres(trials: int, seed: int) -> float:
    """Largest distance [m] of the centre of random pressures on the feet from the hull of their corners."""
    rng, points, worst = np.random.default_rng(seed), feet_grid(4), 0.0
    corners = np.array([(-0.25, -0.25), (0.25, -0.25), (0.25, 0.25), (-0.25, 0.25)])
    for _ in range(trials):
        pressure = rng.uniform(size=len(points)) ** rng.choice([1, 8])
        centre = pressure @ points / pressure.sum()
        worst = max(worst, nnls(np.vstack([(corners - centre).T, np.full(4, 1e3)]), np.array([0, 0, 1e3]))[1])
    return worst


def best_of_random_wrenches(scene: Scene, run: Trajectory, trials: int, seed: int) -> float:
    """Largest excess of the power lost to any of `trials` random admissible friction impulses over the run's own [m V^2]."""
    rng, friction, worst = np.random.default_rng(seed), scene.friction, -np.inf
    n, t, o = scene.support.frame
    y = rng.normal(size=(trials, 3))
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    for k in np.flatnonzero(run.impulse[:, 0] > 0)[::10]:
        nu, arm = run.velocity[k + 1], run.ecp[k] - run.position[k + 1]
        at = nu[:3] + np.cross(nu[3:], arm)
        slip = np.array([at @ t, at @ o, nu[3:] @ n])
        others = -(friction.mu * run.impulse[k, 0] * y * friction.axes) @ slip
        worst = max(worst, (others.max() + run.impulse[k, 1:] @ slip) / (scene.body.mass * scene.velocity_scale**2))
    return worst


def lifted(duration: float = 1.0) -> tuple[Scene, Trajectory]:
    """The desk at rest, lifted off the floor by 200 N for a fifth of a second, and let fall."""
    pull = lambda t: np.array([0, 0, 200.0 if 0.2 < t < 0.4 else 0.0, 0, 0, 0])  # noqa: E731
    scene = scenes.desk(duration=duration).replace(velocity=np.zeros(6), wrench=pull)
    return scene, simulate(scene, backend="compiled")


def rolling() -> Trajectory:
    """A cylinder that starts sliding at 1 m/s and ends rolling."""
    half = np.sqrt(0.5)
    discs = [d for d in scenes.dumbbell_body().discs]
    body = Body(3.0, np.diag([0.03, 0.03, 3.0 * 0.1**2 / 2]), discs=discs)
    scene = Scene(
        body=body, friction=EllipsoidalFriction(0.22), position=(0, 0, 0.1), orientation=(half, half, 0, 0),
        velocity=(1.0, 0, 0, 0, 0, 0), duration=0.4,
    )  # fmt: skip
    return simulate(scene, backend="compiled")


def rolling_ball() -> tuple[float, float]:
    """Speed [m/s] and spin [rad/s] at which a solid ball of 0.1 m that starts sliding at 1 m/s ends."""
    body = Body(2.0, 0.4 * 2.0 * 0.1**2 * np.eye(3), spheres=[Sphere((0, 0, 0), 0.1)])
    scene = Scene(body=body, friction=EllipsoidalFriction(0.22), position=(0, 0, 0.1), velocity=(1.0, 0, 0, 0, 0, 0), duration=0.4)
    run = simulate(scene, backend="compiled")
    assert run.ok and (run.contact == ContactMode.POINT).all()
    return float(run.velocity[-1, 0]), float(run.velocity[-1, 4])


def tripod(push: float = 3.0, height: float = 0.3, mass: float = 3.0) -> tuple[float, float]:
    """How far [m] ahead of its COM the ECP of a tripod at rest lies that is pushed at the COM: computed, and height push / weight."""
    angles = 2 * np.pi * np.arange(3) / 3
    feet = np.stack([0.2 * np.cos(angles), 0.2 * np.sin(angles), np.full(3, -height)], axis=1)
    load = np.array([push, 0, 0, 0, 0, 0])
    scene = Scene(body=Body(mass, 0.05 * np.eye(3), vertices=feet), friction=EllipsoidalFriction(0.22), position=(0, 0, height), wrench=lambda t: load, duration=1.0)
    run = simulate(scene, backend="compiled")
    assert run.ok and np.abs(run.velocity).max() <= 1e-12 and np.abs(run.ecp[:, 1]).max() <= 1e-12 and np.ptp(run.ecp[:, 0]) <= 1e-12
    return float(run.ecp[-1, 0]), height * push / (mass * 9.8)


def block_on_slope(degrees: float = 10.0, mass: float = 15.0) -> tuple[float, float]:
    """Friction [N] that holds a block at rest on a slope below the friction angle: computed, and m g sin(angle)."""
    angle = np.radians(degrees)
    corners = np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.05, 0.05)])
    inertia = mass / 12 * np.diag([0.05, 0.05, 0.08])
    plane = Plane((np.sin(angle), 0, np.cos(angle)))
    scene = Scene(
        body=Body(mass, inertia, vertices=corners), support=plane, friction=EllipsoidalFriction(0.22), position=0.05 * plane.normal,
        orientation=(np.cos(angle / 2), 0, np.sin(angle / 2), 0), duration=1.0,
    )  # fmt: skip
    run = simulate(scene, backend="compiled")
    assert run.ok and np.abs(run.velocity).max() <= 1e-12
    return float(np.hypot(*run.impulse[-1, 1:3]) / scene.step), mass * 9.8 * np.sin(angle)


def pedestal_overlap(under: float = 0.85, half: float = 0.1) -> float:
    """Least depth [m] within the desk's hull of the square head, 2 half wide [m], of a pedestal that carries the desk's top at `under` [m]."""
    hull = ConvexHull(scenes.desk_body().vertices)
    head = np.array([(x, y, under - 0.45) for x in (-half, half) for y in (-half, half)])
    return float(-(head @ hull.equations[:, :3].T + hull.equations[:, 3]).max())


def lying_segments() -> tuple[float, float]:
    """Ends [m] along the axis of what touches of a lying dumbbell, and the height [m] of its bar above the floor."""
    half = np.sqrt(0.5)
    points = geometry.touching_points(scenes.DUMBBELL, scenes.dumbbell().support, np.array([[0, 0, 0.1]]), np.array([[half, 0, half, 0]]))[0]
    return float(np.ptp(points[:, 0])), 0.1 - 0.05


def tumbling(form: str, spin: float = 32.0) -> tuple[float, float]:
    """Change of a tumbling body's energy in four seconds of free flight, and its largest rise in a step, both over the start's."""
    corners = np.array([(-1, -1, -1), (1, -1, -1), (1, 1, 1), (-1, 1, 1)]) * 0.1
    body = Body(2.0, np.diag([0.02, 0.05, 0.06]), vertices=corners)
    start = [0, 0, 0, 0.0125 * spin, spin, 0.0125 * spin]
    scene = Scene(body=body, friction=EllipsoidalFriction(0.22), gravity=0.0, position=(0, 0, 5), velocity=start, step=0.01, duration=4.0)
    run = simulate(scene, gyroscopic=form, backend="compiled")
    local = np.einsum("nji,nj->ni", geometry.rotations(run.orientation), run.velocity[:, 3:])
    energy = 0.5 * local**2 @ np.diag(body.inertia)
    return float(energy[-1] / energy[0] - 1.0), float(np.diff(energy).max() / energy[0])
