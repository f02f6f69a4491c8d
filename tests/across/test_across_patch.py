"""A limit surface as friction in three dimensions: planar and hull steppers, closed forms, one wrench per support, refusals."""

import numpy as np
import pytest

from planarcontact.across import FlatBody, PatchFriction, simulate_patch, slide_flat
from planarcontact.dynamics import Body, ContactMode, Disc, EllipsoidalFriction, Plane, Scene, Sphere, Status, simulate
from planarcontact.errors import InputError, UnsupportedError
from planarcontact.limit_surface import (
    LimitSurfaceModel,
    SupportPoints,
    TriangularBlock,
    UniformRing,
    fit,
    howe_cutkosky,
    slide,
    statics_pressures,
)

BLOCK = TriangularBlock()
POINTS = BLOCK.supports("10_130")
MU = 0.3
INERTIA = BLOCK.mass * BLOCK.length**2
START = np.array([0.3, 0.1, 4.0])
THREE = SupportPoints(POINTS, statics_pressures(POINTS, BLOCK.weight), MU, BLOCK.length)


def _quartic() -> LimitSurfaceModel:
    twists = np.random.default_rng(0).normal(size=(100, 3)) / [1.0, 1.0, BLOCK.length]
    return fit(THREE.load(twists), twists, kind="poly4-cvx", length=BLOCK.length)


SURFACES = {"three points": THREE, "ellipsoid": howe_cutkosky(THREE), "quartic": _quartic()}
each_surface = pytest.mark.parametrize("surface", SURFACES.values(), ids=SURFACES)


def law(surface, **changes) -> PatchFriction:
    return PatchFriction(**({"surface": surface, "normal_load": BLOCK.weight} | changes))


def block(height: float, top: float = 0.0) -> Body:
    corners = [[*p, -height] for p in POINTS] + ([[*p, top] for p in POINTS] if top else [])
    return Body(BLOCK.mass, np.diag([INERTIA / 2, INERTIA / 2, INERTIA]), vertices=corners)


def scene(height: float, **changes) -> Scene:
    given = {
        "body": block(height), "friction": EllipsoidalFriction(mu=MU, e_r=0.06), "position": (0, 0, height),
        "velocity": (*START[:2], 0, 0, 0, START[2]), "step": 4e-3, "duration": 0.12,
    }  # fmt: skip
    return Scene(**(given | changes))


def push(t: float) -> np.ndarray:
    return np.array([2.0 * np.sin(9.0 * t), 3.0, 0.0, 0.0, 0.0, 0.1 * np.cos(5.0 * t)])


def hump(size: float, lever: float = 0.0):
    """A force along x that rises and falls within 0.3 s, `lever` beside the COM."""
    return lambda t: np.array([1.0, 0, 0, 0, 0, lever]) * (size * np.sin(np.pi * t / 0.3) if t < 0.3 else 0.0)


def tilts(run) -> np.ndarray:
    x, y = run.orientation[:, 1], run.orientation[:, 2]
    return np.degrees(2.0 * np.arcsin(np.hypot(x, y)))


def isotropic(reach: float) -> LimitSurfaceModel:
    largest = MU * BLOCK.weight
    return LimitSurfaceModel.from_coefficients(
        np.array([1.0, 0.0, 0.0, 1.0, 0.0, (BLOCK.length / reach) ** 2]) / largest**2, degree=2, length=BLOCK.length
    )


@each_surface
@pytest.mark.parametrize("height", [0.0, 0.04])
def test_on_its_face_it_is_the_planar_stepper(surface, height):
    flat = slide_flat(FlatBody(surface=surface, mass=BLOCK.mass, inertia=INERTIA, height=height, outline=POINTS), START, wrench=push, step=4e-3, duration=0.12)
    run = simulate_patch(scene(height, wrench=push), law(surface))
    assert run.ok and run.residual.max() <= 1e-12
    np.testing.assert_allclose(run.velocity[:, [0, 1, 5]], flat.velocity, atol=1e-10)
    np.testing.assert_allclose(run.position[:, :2], flat.pose[:, :2], atol=1e-12)
    np.testing.assert_allclose(run.impulse, flat.impulse, atol=1e-12)
    np.testing.assert_allclose(run.ecp[:, :2], flat.ecp, atol=1e-11)
    assert (run.contact == ContactMode.SURFACE).all() and tilts(run).max() <= 1e-9


def test_impulses_of_three_supports_are_those_of_statics():
    body = FlatBody(surface=THREE, mass=BLOCK.mass, inertia=INERTIA, height=0.06, pressure="statics")
    flat = slide_flat(body, START, wrench=push, step=4e-3, duration=0.12)
    run = simulate_patch(scene(0.06, wrench=push), law(THREE, pressure="contact"))
    assert run.ok
    np.testing.assert_allclose(run.velocity[:, [0, 1, 5]], flat.velocity, atol=1e-10)
    np.testing.assert_allclose(run.impulse, flat.impulse, atol=1e-11)


@each_surface
def test_thin_block_slides_as_document_3_says(surface):
    exact = slide(surface, BLOCK.mass, INERTIA, START, steps=400)
    misses = []
    for h in (4e-3, 2e-3):
        run = simulate_patch(scene(0.0, step=h, duration=0.16), law(surface))
        w, z = run.orientation[-1, 0], run.orientation[-1, 3]
        end = np.array([*run.position[-1, :2], 2.0 * np.arctan2(z, w)])
        misses.append(np.linalg.norm((end - exact.pose[-1]) * [1.0, 1.0, BLOCK.length]))
    assert misses[1] < 1.5e-3 and 1.8 < misses[0] / misses[1] < 2.2


@pytest.mark.parametrize("drop", [0.0, 0.005])
def test_isotropic_ellipsoid_at_the_floor_is_the_hull_stepper(drop):
    """Landing included: friction grows with the impulse of the landing."""
    case = scene(0.0, position=(0, 0, drop), wrench=push)
    hull = simulate(case, backend="compiled")
    run = simulate_patch(case, law(isotropic(0.06)))
    assert hull.ok and run.ok
    assert ((run.contact == ContactMode.APART).any(), run.impulse[:, 0].max() > 2 * BLOCK.weight * 4e-3) == (drop > 0, drop > 0)
    np.testing.assert_allclose(run.velocity, hull.velocity, atol=1e-10)
    np.testing.assert_allclose(run.position, hull.position, atol=1e-12)
    np.testing.assert_allclose(run.impulse, hull.impulse, atol=1e-11)


@each_surface
def test_slope_holds_it_or_lets_it_go(surface):
    """Along the fall line it stays below the load that the surface allows there, and above goes as that load lets it."""
    most = float(np.max(np.asarray(surface.load(np.array([[1.0, 0.0, 0.0]]))) @ [1.0, 0.0, 0.0]))
    for angle, turn in ((0.9 * np.arctan(most / BLOCK.weight), 0.0), (0.5, 0.0), (0.5, 1.0)):
        normal = np.array([np.sin(angle), 0.0, np.cos(angle)])
        case = scene(0.0, support=Plane(normal=normal), position=(0, 0, 0), orientation=_about(normal, angle, turn), velocity=np.zeros(6), duration=0.04)
        run = simulate_patch(case, law(surface))
        assert run.ok
        if angle < 0.5:
            assert np.abs(run.velocity).max() <= 1e-12
            continue
        frame, c, s = case.support.frame, np.cos(turn), np.sin(turn)
        down = np.array([c, -s, 0.0])  # the fall line in the body's axes
        start = np.abs(run.velocity[1] @ np.concatenate([normal, np.zeros(3)]))
        assert start <= 1e-13
        first = np.array([*(frame[1:] @ run.velocity[1, :3]), normal @ run.velocity[1, 3:]])
        mine = np.array([c * first[0] + s * first[1], -s * first[0] + c * first[1], first[2]])
        load = -run.impulse[0, 1:3] / 4e-3
        mine_load = np.array([c * load[0] + s * load[1], -s * load[0] + c * load[1], -run.impulse[0, 3] / 4e-3])
        share = np.cos(angle)
        np.testing.assert_allclose(np.asarray(surface.load(mine[None]))[0] * share, mine_load, atol=2e-3 * BLOCK.weight)  # its turn in a step is 2e-3
        unit = np.array([1.0, 1.0, BLOCK.length])
        np.testing.assert_allclose(BLOCK.mass * mine * unit, 4e-3 * (BLOCK.weight * np.sin(angle) * down - mine_load / unit), atol=2e-5)


def _about(normal, angle: float, turn: float):
    """Quaternion that lays z along the normal, a tilt about y, after a turn about z."""
    a, b = np.array([np.cos(angle / 2), 0, np.sin(angle / 2), 0]), np.array([np.cos(turn / 2), 0, 0, np.sin(turn / 2)])
    w = a[0] * b[0] - a[1:] @ b[1:]
    return np.array([w, *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


@pytest.mark.ci
def test_tipping_block_is_that_of_one_wrench_per_support():
    """Document 1's stepper with a contact at every support, whose moment about itself goes to zero, tips alike."""
    case = scene(0.15, velocity=np.zeros(6), wrench=hump(7.0), duration=0.16)
    run = simulate_patch(case, law(THREE, pressure="contact"))
    assert run.ok and ContactMode.LINE in run.contact and tilts(run).max() > 0.2
    feet = Body(BLOCK.mass, case.body.inertia, vertices=case.body.vertices, patches=[[0], [1], [2]])
    misses = []
    for reach in (2e-3, 1e-3):
        other = simulate(case.replace(body=feet, friction=EllipsoidalFriction(mu=MU, e_r=reach)), method="patches", reference="own")
        assert other.ok
        misses.append(np.abs(other.velocity - run.velocity).max())
    assert misses[1] <= 1e-4 and misses[0] > 2.0 * misses[1]


def test_friction_takes_energy_and_supports_stay_in_their_cones():
    run = simulate_patch(scene(0.1, velocity=np.zeros(6), wrench=hump(9.0, 0.02), duration=0.3), law(THREE, pressure="contact"))
    assert run.ok
    assert (np.linalg.norm(run.impulse[:, 1:3], axis=1) <= MU * run.impulse[:, 0] * (1 + 1e-9)).all()
    arm = run.ecp - run.position[1:]
    at = run.velocity[1:, :3] + np.cross(run.velocity[1:, 3:], arm)
    work = (run.impulse[:, 1:3] * at[:, :2]).sum(axis=1) + run.impulse[:, 3] * run.velocity[1:, 5]
    assert work.max() <= 1e-12 and work.min() < -1e-4


def test_single_support_is_a_point_of_coulomb_friction():
    """On one corner friction is mu p_n against that corner's slip, or holds it."""
    tilt = 0.2
    normal = np.array([0.0, 0.0, 1.0])
    axis = np.array([POINTS[0, 1], -POINTS[0, 0], 0.0])
    axis /= -np.linalg.norm(axis)
    turn = np.array([np.cos(tilt / 2), *(np.sin(tilt / 2) * axis)])
    high = scene(0.05, position=(0, 0, 1.0), orientation=turn, velocity=(0.2, 0, 0, 0, 0, 0))
    from planarcontact.dynamics.geometry import rotations

    corners = high.body.vertices @ rotations(turn[None])[0].T
    case = high.replace(position=(0, 0, -corners[:, 2].min()), duration=0.02)
    run = simulate_patch(case, law(THREE, pressure="contact"))
    assert run.ok and (run.contact == ContactMode.POINT).any()
    for k in np.flatnonzero(run.contact == ContactMode.POINT):
        slip = run.velocity[k + 1, :3] + np.cross(run.velocity[k + 1, 3:], run.ecp[k] - run.position[k + 1])
        force, most = run.impulse[k, 1:3], MU * run.impulse[k, 0]
        assert abs(run.impulse[k, 3]) <= 1e-12 and abs(slip @ normal) < 1.0
        if np.linalg.norm(slip[:2]) > 1e-9:
            np.testing.assert_allclose(force, -most * slip[:2] / np.linalg.norm(slip[:2]), atol=1e-10)
        else:
            assert np.linalg.norm(force) <= most * (1 + 1e-12)


def test_body_in_the_air_has_no_friction():
    run = simulate_patch(scene(0.02, position=(0, 0, 1.0), duration=0.04), law(SURFACES["quartic"]))
    assert run.ok and not run.impulse.any() and (run.contact == ContactMode.APART).all()
    np.testing.assert_allclose(run.velocity[:, :2], np.broadcast_to(START[:2], (11, 2)), atol=1e-14)


def test_ring_of_a_disc_lies_on_its_face():
    ring = UniformRing(0.05, BLOCK.weight, MU)
    body = Body(BLOCK.mass, np.diag([1e-3, 1e-3, 2e-3]), discs=[Disc(centre=(0, 0, 0), axis=(0, 0, 1), radius=0.05)])
    run = simulate_patch(scene(0.0, body=body, velocity=(0.2, 0, 0, 0, 0, 0), duration=0.02), PatchFriction(surface=ring, normal_load=BLOCK.weight))
    assert run.ok
    np.testing.assert_allclose(np.diff(run.velocity[:, 0]), -MU * BLOCK.gravity * 4e-3, atol=1e-9)


def test_tipping_is_refused_or_left_to_the_scene():
    case = scene(0.15, velocity=np.zeros(6), wrench=hump(9.0), duration=0.2)
    with pytest.raises(UnsupportedError, match=r"by t = 0\.\d+ s the body is off its face \(contact: LINE"):
        simulate_patch(case, law(SURFACES["quartic"]))
    run = simulate_patch(case, law(SURFACES["quartic"], elsewhere="scene"))
    assert run.ok and {ContactMode.SURFACE, ContactMode.LINE} <= set(run.contact)
    tilted = case.replace(position=run.position[-1], orientation=run.orientation[-1], velocity=run.velocity[-1], wrench=lambda t: np.zeros(6), duration=0.02)
    with pytest.raises(UnsupportedError, match="off its face"):
        simulate_patch(tilted, law(SURFACES["quartic"]))
    left, own = simulate_patch(tilted, law(SURFACES["quartic"], elsewhere="scene")), simulate(tilted, backend="compiled")
    assert (own.contact != ContactMode.SURFACE).all()
    np.testing.assert_allclose(left.velocity, own.velocity, atol=1e-12)


def test_pressures_of_four_supports_are_refused():
    square = 0.04 * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    body = Body(BLOCK.mass, np.diag([INERTIA / 2, INERTIA / 2, INERTIA]), vertices=[[*p, -0.01] for p in square])
    surface = SupportPoints(square, np.full(4, BLOCK.weight / 4), MU)
    with pytest.raises(UnsupportedError, match="4 vertices touch"):
        simulate_patch(scene(0.01, body=body), PatchFriction(surface=surface, pressure="contact"))
    assert simulate_patch(scene(0.01, body=body), PatchFriction(surface=surface)).ok


def test_a_step_that_is_not_solved_says_so():
    run = simulate_patch(scene(0.0, duration=0.02), law(THREE, pressure="contact"), tolerance=1e-300)
    assert not run.ok and set(run.status) <= {Status.STALLED, Status.ITERATION_LIMIT} and 0.0 < run.residual.max() < 1e-10
    lost = simulate_patch(scene(0.0, wrench=lambda t: np.full(6, 1e308), duration=0.02), law(THREE))
    assert (lost.status == Status.NOT_FINITE).all() and np.isfinite(lost.velocity).all() and not lost.impulse.any()


SQUARE = 0.05 * np.array([[1.0, 1], [-1, 1], [-1, -1], [1, -1]])


@pytest.mark.parametrize(
    "make, error",
    [
        (lambda: PatchFriction(surface="quartic", normal_load=1.0), "surface"),
        (lambda: PatchFriction(surface=SURFACES["quartic"]), "normal_load"),
        (lambda: PatchFriction(surface=THREE, normal_load=-1.0), "normal_load"),
        (lambda: PatchFriction(surface=THREE, pressure="statics"), "pressure"),
        (lambda: PatchFriction(surface=THREE, elsewhere="anywhere"), "elsewhere"),
        (lambda: PatchFriction(surface=SURFACES["quartic"], normal_load=1.0, pressure="contact"), "only SupportPoints"),
        (lambda: law(THREE).height("block"), "body"),
        (lambda: law(THREE).height(Body(1.0, np.eye(3), spheres=[Sphere((0, 0, 0), 0.1)])), "no flat face"),
        (lambda: law(THREE).height(Body(1.0, np.eye(3), vertices=[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 1]])), "no flat face"),
        (lambda: law(THREE).height(Body(1.0, np.eye(3), vertices=[[*p, 0] for p in SQUARE])), "not on a corner"),
        (lambda: law(SupportPoints(POINTS, [1.0, 2.0, 5.0], MU)).height(block(0.01)), "centre of pressure"),
        (lambda: law(SURFACES["quartic"]).height(Body(1.0, np.eye(3), vertices=[[*(p + 1.0), 0] for p in SQUARE])), "does not hold"),
        (lambda: simulate_patch(None, law(THREE)), "scene"),
        (lambda: simulate_patch(scene(0.0), THREE), "friction"),
        (lambda: simulate_patch(scene(0.0), law(THREE), max_iterations=0), "max_iterations"),
        (lambda: simulate_patch(scene(0.0), law(THREE), tolerance=-1.0), "tolerance"),
        (lambda: simulate_patch(scene(0.0, step=1e-7, duration=1.0), law(THREE)), "longer step"),
    ],
)
def test_what_cannot_be_used_is_refused(make, error):
    with pytest.raises((InputError, UnsupportedError), match=error):
        make()
