"""A limit surface as friction in three dimensions: planar and hull steppers, closed forms, one wrench per support, refusals."""

import numpy as np
import pytest
from triangular_block import BLOCK, INERTIA, MU, POINTS, START, SURFACES, isotropic, quartic

from planarcontact.across import FlatBody, PatchFriction, simulate_patch, slide_flat
from planarcontact.dynamics import Body, ContactMode, Disc, EllipsoidalFriction, Plane, Scene, Sphere, Status, simulate
from planarcontact.dynamics.geometry import rotations
from planarcontact.errors import ConvergenceError, InputError, UnsupportedError
from planarcontact.limit_surface import SupportPoints, UniformRing, slide

THREE = SURFACES["three points"]
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
        frame = case.support.frame
        c, s = frame[1:] @ rotations(run.orientation[1:2])[0][:, 0]  # the body's axes at the step's end
        rotate = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        velocity = rotate @ np.array([*(frame[1:] @ run.velocity[1, :3]), normal @ run.velocity[1, 3:]])
        arm = frame[1:] @ (run.ecp[0] - run.position[1])
        p = run.impulse[0]
        load = -rotate @ np.array([p[1], p[2], p[3] + arm[0] * p[2] - arm[1] * p[1]]) / 4e-3
        np.testing.assert_allclose(load, np.asarray(surface.load(velocity[None]))[0] * np.cos(angle), atol=1e-9 * BLOCK.weight)
        mass, pull = np.array([BLOCK.mass, BLOCK.mass, INERTIA]), BLOCK.weight * np.sin(angle) * np.array([c, -s, 0.0])
        np.testing.assert_allclose(mass * velocity, 4e-3 * (pull - load), atol=1e-12)


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


def _supports_miss(case: Scene, run, mu: float, k: int) -> float:
    """By how much the power of friction misses that of Coulomb's law at the supports that touch, over mass * speed^2; recomputed from the poses."""
    body, frame, w = case.body, case.support.frame, run.orientation[k + 1]
    turn = rotations(w[None])[0]
    arms = body.vertices @ turn.T
    low = (arms + run.position[k + 1]) @ frame[0] - case.support.offset <= 1e-9 * body.bounding_radius
    arms, pressed = arms[low], run.impulse[k, 0]
    if not pressed:
        return 0.0
    arm = run.ecp[k] - run.position[k + 1]
    share = np.linalg.lstsq(np.vstack([np.ones(len(arms)), frame[1:] @ arms.T]), np.array([1.0, *(frame[1:] @ arm)]), rcond=None)[0]
    at = lambda r: (run.velocity[k + 1, :3] + np.cross(run.velocity[k + 1, 3:], r)) @ frame[1:].T  # noqa: E731
    lost = -(run.impulse[k, 1:3] @ at(arm) + run.impulse[k, 3] * (frame[0] @ run.velocity[k + 1, 3:]))
    coulomb = mu * pressed * (share @ np.linalg.norm(at(arms), axis=1))
    return abs(lost - coulomb) / (body.mass * case.velocity_scale**2)


def _tall(seed: int) -> Scene:
    """A tall body with products of inertia, or one on three supports nearly in a line, that comes down tilted, spinning and slipping."""
    rng = np.random.default_rng(seed)
    line = seed % 3 == 0
    feet = 0.1 * np.array([[1.0, -0.02], [-1.0, -0.02], [0.2, 0.04]] if line else [[0.8, 0.1], [-0.5, 0.7], [-0.4, -0.7]])
    height = 0.1 * (rng.uniform(0.1, 1.0) if line else rng.uniform(1.5, 4.0))
    dots = 0.1 * rng.normal(size=(8, 3)) * rng.uniform(0.3, 1.0, 3)
    dots -= dots.mean(axis=0)
    body = Body(1.0, sum(d @ d * np.eye(3) - np.outer(d, d) for d in dots) / 8, vertices=[[*p, -height] for p in feet])
    tilt, way = (0.0, 0.0) if line else (rng.uniform(0.01, 0.4), rng.uniform(0.0, 6.0))
    turn = np.array([np.cos(tilt / 2), np.sin(tilt / 2) * np.cos(way), np.sin(tilt / 2) * np.sin(way), 0.0])
    low = (body.vertices @ rotations(turn[None])[0].T)[:, 2].min()
    step = rng.uniform(3e-3, 2e-2)
    return Scene(
        body=body, friction=EllipsoidalFriction(mu=rng.uniform(0.6, 1.5)), position=(0, 0, -low), orientation=turn, step=step, duration=12 * step,
        velocity=[*0.7 * rng.normal(size=2), 0, *rng.normal(size=2), rng.uniform(-20, 20)],
    )  # fmt: skip


def _wrong_steps(seeds) -> tuple[int, int, int]:
    """Steps, of these not converged, and of the others those whose friction is not Coulomb's at the supports."""
    steps = failed = wrong = 0
    for seed in seeds:
        case = _tall(seed)
        feet, mu = np.array(case.body.vertices[:, :2]), case.friction.mu
        load = np.linalg.solve(np.vstack([np.ones(3), feet.T]), [1.0, 0.0, 0.0])
        run = simulate_patch(case, PatchFriction(surface=SupportPoints(feet, np.abs(load) * 9.8, mu, 0.1), pressure="contact"))
        for k in range(len(run.status)):
            steps += 1
            failed += run.status[k] != Status.CONVERGED
            wrong += run.status[k] == Status.CONVERGED and _supports_miss(case, run, mu, k) > 1e-9
    return steps, failed, wrong


@pytest.mark.ci
def test_tall_bodies_that_come_down_tilted_obey_coulomb_at_every_support():
    steps, failed, wrong = _wrong_steps(range(12))
    assert wrong == 0 and failed == 0 and steps == 12 * 12


@pytest.mark.slow
def test_many_tall_bodies(campaign):
    steps, failed, wrong = _wrong_steps(range(12, 312))
    campaign(name="three supports in three dimensions", seed=12, count=steps, failures=failed + wrong,
             note=f"300 tall or nearly collinear bodies that come down tilted and spinning, mu 0.6 to 1.5; {failed} steps not converged, {wrong} whose friction is not Coulomb's at every support")  # fmt: skip
    assert wrong == 0 and failed <= steps / 500


def test_a_step_at_which_the_halves_do_not_meet_is_solved_as_one():
    """A tall body on one corner: alternating between contact and friction does not settle, and the only root holds the corner."""
    feet = [[0.08, 0.01, -0.192], [-0.05, 0.07, -0.192], [-0.04, -0.07, -0.192]]
    inertia = [[0.00312, -0.00395, -0.00173], [-0.00395, 0.01074, -0.00061], [-0.00173, -0.00061, 0.01189]]
    turn = np.array([-0.9214814360059557, 0.012248005795237172, -0.0808740382661668, 0.3797121796637081])
    mu, step = 1.23, 0.016
    case = Scene(
        body=Body(1.0, inertia, vertices=feet), friction=EllipsoidalFriction(mu=mu), position=(0, 0, 0.20145041711155148), orientation=turn,
        velocity=[0.4, -0.9, -0.09, 1.8, 3.84, 10.53], step=step, duration=step,
    )  # fmt: skip
    run = simulate_patch(case, PatchFriction(surface=SupportPoints(np.array(feet)[:, :2], np.full(3, 9.8 / 3), mu, 0.1), pressure="contact"))
    assert run.ok and run.contact[0] == ContactMode.POINT
    slip = run.velocity[1, :3] + np.cross(run.velocity[1, 3:], run.ecp[0] - run.position[1])
    assert np.linalg.norm(slip[:2]) <= 1e-12 and np.linalg.norm(run.impulse[0, 1:3]) < 0.2 * mu * run.impulse[0, 0]


def test_result_says_which_law_a_step_took():
    case = scene(0.15, velocity=np.zeros(6), wrench=hump(9.0), duration=0.1)
    run = simulate_patch(case, law(SURFACES["quartic"], elsewhere="scene"))
    assert run.by_scene.shape == run.status.shape and run.by_scene[(run.contact == ContactMode.LINE)].all() and not run.by_scene[:5].any()
    assert not simulate_patch(case, law(THREE, pressure="contact")).by_scene.any()


def test_a_corner_given_twice_is_one_support():
    body = Body(BLOCK.mass, np.diag([INERTIA / 2, INERTIA / 2, INERTIA]), vertices=[[*p, 0.0] for p in (*POINTS, POINTS[0])])
    twice = simulate_patch(scene(0.0, body=body), law(THREE, pressure="contact"))
    once = simulate_patch(scene(0.0), law(THREE, pressure="contact"))
    assert twice.ok
    np.testing.assert_allclose(twice.velocity, once.velocity, atol=1e-10)


class Own:
    """A caller's own surface that does not keep to what a surface is."""

    length = 0.05

    def __init__(self, load):
        self.load = load

    def twist(self, loads):
        return np.asarray(loads)


def _broken(twists):
    raise KeyError("no")


@pytest.mark.parametrize("load", (_broken, lambda t: np.ones((len(t), 2)), lambda t: 1 / 0, lambda t: np.full((len(t), 3), np.nan)), ids=("raises", "shape", "zero", "nan"))
def test_a_callers_surface_that_fails_is_named(load):
    with pytest.raises(InputError, match="surface"):
        simulate_patch(scene(0.0), PatchFriction(surface=Own(load), normal_load=BLOCK.weight))


def test_an_error_of_a_step_names_its_time():
    with pytest.raises(ConvergenceError, match=r"t = 0\.004 s"):
        simulate_patch(scene(0.0, velocity=np.array([1e200, 0, 0, 0, 0, 0])), law(SURFACES["quartic"]))


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
