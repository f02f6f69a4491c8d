"""A body on its flat face under a limit surface: closed forms, balances, optimality of a step, and the hull stepper."""

import numpy as np
import pytest
from triangular_block import BLOCK, INERTIA, MU, POINTS, START, SURFACES, isotropic, quartic, three_points

from planarcontact.across import FlatBody, FrictionKind, friction_step, slide_flat
from planarcontact.errors import InputError, UnsupportedError
from planarcontact.limit_surface import SupportPoints, UniformDisc, slide

each_surface = pytest.mark.parametrize("surface", SURFACES.values(), ids=SURFACES)


def body(surface, **changes) -> FlatBody:
    return FlatBody(**({"surface": surface, "mass": BLOCK.mass, "inertia": INERTIA, "outline": POINTS} | changes))


def push(t: float) -> np.ndarray:
    return np.array([2.0 * np.sin(9.0 * t), 3.0, 0.0, 0.0, 0.0, 0.1 * np.cos(5.0 * t)])


def test_disc_that_slides_straight_stops_after_v_over_mu_g():
    surface = UniformDisc(0.1, 9.8, 0.22)
    square = 0.05 * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    run = slide_flat(FlatBody(surface=surface, mass=1.0, inertia=0.005, outline=square), (0.6, 0.8, 0.0), step=1e-3, duration=0.6)
    expected = np.maximum(1.0 - 0.22 * 9.8 * run.time, 0.0)
    np.testing.assert_allclose(run.velocity[:, :2], np.outer(expected, [0.6, 0.8]), atol=1e-12)
    assert 0.0 <= run.stop_time - 1.0 / (0.22 * 9.8) <= 1e-3
    assert np.abs(run.velocity[:, 2]).max() <= 1e-12


def test_disc_that_spins_in_place_stops_after_its_moment():
    surface, inertia, square = UniformDisc(0.1, 9.8, 0.3), 0.005, 0.05 * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    run = slide_flat(FlatBody(surface=surface, mass=1.0, inertia=inertia, outline=square), (0.0, 0.0, 5.0), step=1e-3, duration=0.1)
    slowing = 2.0 / 3.0 * 0.3 * 9.8 * 0.1 / inertia
    np.testing.assert_allclose(run.velocity[:, 2], np.maximum(5.0 - slowing * run.time, 0.0), atol=1e-10)
    np.testing.assert_allclose(run.pose[:, :2], 0.0, atol=1e-12)


@each_surface
def test_momentum_and_energy_balance_in_every_step(surface):
    run = slide_flat(body(surface), START, wrench=push, step=4e-3, duration=0.2)
    mass = np.array([BLOCK.mass, BLOCK.mass, INERTIA])
    change = np.diff(run.velocity, axis=0)
    applied = 4e-3 * np.array([push(t + 2e-3) for t in run.time[:-1]])[:, [0, 1, 5]]
    arm = run.ecp - run.pose[1:, :2]
    friction = run.impulse[:, 1:].copy()
    friction[:, 2] += arm[:, 0] * run.impulse[:, 2] - arm[:, 1] * run.impulse[:, 1]
    np.testing.assert_allclose(mass * change, applied + friction, atol=1e-12)
    kinetic = 0.5 * (mass * run.velocity**2).sum(axis=1)
    lost = 0.5 * (mass * change**2).sum(axis=1)
    np.testing.assert_allclose(np.diff(kinetic), run.work - run.dissipation - lost, atol=1e-13)
    assert run.dissipation.min() >= 0.0
    np.testing.assert_allclose(run.work, (applied * run.velocity[1:]).sum(axis=1), atol=1e-15)
    assert run.residual.max() <= 1e-12


@each_surface
def test_loads_lie_on_the_surface_and_oppose_nothing_but_the_motion(surface):
    run = slide_flat(body(surface), START, step=4e-3, duration=0.2)
    moving = run.kind == FrictionKind.SLIDES
    c, s = np.cos(run.pose[1:, 2]), np.sin(run.pose[1:, 2])
    v = run.velocity[1:]
    twists = np.column_stack([c * v[:, 0] + s * v[:, 1], -s * v[:, 0] + c * v[:, 1], v[:, 2]])[moving]
    np.testing.assert_allclose(run.load[moving], surface.load(twists), atol=1e-9 * BLOCK.weight)
    assert 0 < moving.sum() < len(moving)


@each_surface
def test_step_is_the_unique_solution_of_the_variational_inequality(surface):
    """(V - a).(W - V) + k (S(W) - S(V)) >= 0 for every W, S being the power; and S(V) = V.F."""
    rng = np.random.default_rng(5)
    unit = np.array([1.0, 1.0, BLOCK.length])
    others = rng.normal(size=(2000, 3))
    power = (np.asarray(surface.load(others / unit)) / unit * others).sum(axis=1)
    kinds = set()
    for size in (0.2, 0.8, 1.05, 1.3, 3.0, 50.0):
        for row in rng.normal(size=(12, 3)):
            gain = 0.01
            free = row / np.linalg.norm(row) * size * gain * MU * BLOCK.weight
            step = friction_step(surface, 1.0, BLOCK.length, free, gain, np.zeros(3))
            kinds.add(step.kind)
            assert step.residual <= 1e-12
            own = float(step.velocity @ step.load)
            gap = (others - step.velocity) @ (step.velocity - free) + gain * (power - own)
            assert gap.min() >= -1e-12 * gain * MU * BLOCK.weight
            limit = float((np.asarray(surface.load(others / unit)) / unit * others).sum(axis=1).min())
            assert limit > 0.0 and (others @ step.load <= power * (1.0 + 1e-9)).all()  # the load lies inside the surface
    assert FrictionKind.STICKS in kinds and FrictionKind.SLIDES in kinds
    assert (FrictionKind.PIVOTS in kinds) == isinstance(surface, SupportPoints)


@each_surface
def test_step_does_not_depend_on_where_it_starts(surface):
    free, gain = np.array([0.04, -0.03, 0.02]), 0.004
    starts = np.vstack([np.zeros(3), np.eye(3), -np.eye(3), 1e-9 * np.ones(3)])
    found = np.array([friction_step(surface, 1.0, BLOCK.length, free, gain, s).velocity for s in starts])
    np.testing.assert_allclose(found, np.broadcast_to(found[0], found.shape), atol=1e-13)


@each_surface
def test_free_slide_converges_with_first_order_to_the_one_of_document_3(surface):
    exact = slide(surface, BLOCK.mass, INERTIA, START, steps=400)
    scale = np.array([1.0, 1.0, BLOCK.length])
    misses = []
    for h in (4e-3, 2e-3):
        run = slide_flat(body(surface), START, step=h, duration=0.16)
        misses.append(np.linalg.norm((run.pose[-1] - exact.pose[-1]) * scale))
        assert abs(run.stop_time - exact.stop_time) <= h
    assert misses[0] < 1e-3 and 1.9 < misses[0] / misses[1] < 2.1


def test_isotropic_ellipsoid_at_the_floor_is_the_hull_stepper():
    from planarcontact.dynamics import Body, EllipsoidalFriction, Scene, simulate

    reach, h = 0.06, 5e-3
    run = slide_flat(body(isotropic(reach)), START, wrench=push, step=h, duration=0.3)
    scene = Scene(
        body=Body(BLOCK.mass, np.diag([INERTIA / 2, INERTIA / 2, INERTIA]), vertices=[[*p, 0.0] for p in POINTS]),
        friction=EllipsoidalFriction(mu=MU, e_r=reach), gravity=9.8, velocity=(*START[:2], 0.0, 0.0, 0.0, START[2]),
        wrench=push, step=h, duration=0.3,
    )  # fmt: skip
    hull = simulate(scene, backend="compiled")
    assert hull.ok
    np.testing.assert_allclose(run.velocity, hull.velocity[:, [0, 1, 5]], atol=1e-11)
    np.testing.assert_allclose(run.pose[:, :2], hull.position[:, :2], atol=1e-12)
    np.testing.assert_allclose(run.impulse, hull.impulse, atol=1e-13)
    np.testing.assert_allclose(run.ecp, hull.ecp[:, :2], atol=1e-11)


@each_surface
def test_motion_does_not_depend_on_the_world_frame(surface):
    here = slide_flat(body(surface), START, step=4e-3, duration=0.1)
    c, s = np.cos(1.1), np.sin(1.1)
    turn = np.array([[c, -s], [s, c]])
    there = slide_flat(body(surface), [*(turn @ START[:2]), START[2]], pose=(3.0, -2.0, 1.1), step=4e-3, duration=0.1)
    np.testing.assert_allclose(there.pose[:, :2], here.pose[:, :2] @ turn.T + [3.0, -2.0], atol=1e-11)
    np.testing.assert_allclose(there.pose[:, 2], here.pose[:, 2] + 1.1, atol=1e-10)


def test_tips_where_the_centre_of_pressure_reaches_the_edge():
    surface = UniformDisc(0.05, 9.8, 0.4)
    half = 0.03
    square = half * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    stands = lambda height: FlatBody(surface=surface, mass=1.0, inertia=0.001, outline=square, height=height)  # noqa: E731
    limit = half / 0.4  # mu H = half
    run = slide_flat(stands(limit * (1 - 1e-6)), (1.0, 0.0, 0.0), step=0.01, duration=0.1)
    np.testing.assert_allclose(run.ecp - run.pose[1:, :2], np.tile([half, 0.0], (10, 1)), atol=1e-7)  # ahead of the COM
    with pytest.raises(UnsupportedError, match=r"t = 0\.01 s the body would tip.*outside the patch"):
        slide_flat(stands(limit * (1 + 1e-6)), (1.0, 0.0, 0.0), step=0.01, duration=0.1)


def test_pressures_follow_statics():
    height = 0.06
    rising = body(three_points(), height=height, pressure="statics")
    run = slide_flat(rising, START, wrench=push, step=4e-3, duration=0.1)
    np.testing.assert_allclose(run.pressures.sum(axis=1), BLOCK.weight, rtol=1e-12)
    for k, (angle, centre) in enumerate(zip(run.pose[1:, 2], run.ecp - run.pose[1:, :2])):
        c, s = np.cos(angle), np.sin(angle)
        np.testing.assert_allclose(run.pressures[k] @ POINTS / BLOCK.weight, np.array([[c, s], [-s, c]]) @ centre, atol=1e-12)
        friction = run.impulse[k, 1:3] / 4e-3  # tilting moments about the COM vanish
        np.testing.assert_allclose(BLOCK.weight * centre + height * friction, 0.0, atol=1e-11)
    assert run.residual.max() <= 1e-11
    level = slide_flat(rising.replace(height=0.0), START, step=4e-3, duration=0.1)
    fixed = slide_flat(rising.replace(height=0.0, pressure="fixed"), START, step=4e-3, duration=0.1)
    np.testing.assert_allclose(level.pose, fixed.pose, atol=1e-13)


def test_loads_grow_with_the_normal_load():
    press = lambda t: np.array([0.0, 0.0, -BLOCK.weight, 0.0, 0.0, 0.0])  # noqa: E731
    plain = slide_flat(body(three_points(2 * MU)), START, step=4e-3, duration=0.1)
    pressed = slide_flat(body(three_points()), START, wrench=press, step=4e-3, duration=0.1)
    np.testing.assert_allclose(pressed.pose, plain.pose, atol=1e-12)
    with pytest.raises(UnsupportedError, match="lifted"):
        slide_flat(body(three_points()), START, wrench=lambda t: -2.0 * press(t), duration=0.1)


def test_rests_under_a_small_push_and_slides_under_a_larger_one():
    limit = MU * BLOCK.weight
    for share, moves in ((0.999, False), (1.001, True)):
        run = slide_flat(body(isotropic(0.06)), (0.0, 0.0, 0.0), wrench=lambda t: share * limit * np.eye(6)[0], duration=0.1)
        assert run.velocity.any() == moves


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"mass": 0.0}, InputError, "mass"),
        ({"inertia": float("nan")}, InputError, "inertia"),
        ({"height": -0.1}, InputError, "height"),
        ({"surface": 3.0}, InputError, "surface"),
        ({"outline": [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]}, InputError, "no area"),
        ({"outline": POINTS + 1.0}, InputError, "does not hold"),
        ({"surface": SURFACES["quartic"], "outline": None}, InputError, "outline"),
        ({"surface": SupportPoints(POINTS, [3.0, 4.0, 5.0], MU)}, InputError, "not under the COM"),
        ({"surface": SURFACES["quartic"], "pressure": "statics"}, UnsupportedError, "three point supports"),
        ({"pressure": "even"}, InputError, "pressure"),
        ({"normal_load": -1.0}, InputError, "normal_load"),
    ],
)
def test_body_refuses_what_it_cannot_be(changes, error, words):
    with pytest.raises(error, match=words):
        body(three_points(), **changes) if "surface" not in changes else body(**changes)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"velocity": (1.0, 2.0)}, "velocity"),
        ({"velocity": START, "step": 0.0}, "step"),
        ({"velocity": START, "duration": float("inf")}, "duration"),
        ({"velocity": START, "step": 1e-9, "duration": 1e3}, "step"),
        ({"velocity": START, "wrench": 3.0}, "wrench"),
        ({"velocity": START, "wrench": lambda t: [np.nan] * 6}, "wrench"),
        ({"velocity": START, "pose": (0.0, 0.0, np.nan)}, "pose"),
    ],
)
def test_slide_refuses_bad_arguments(arguments, words):
    with pytest.raises(InputError, match=words):
        slide_flat(body(three_points()), **arguments)


@pytest.mark.parametrize("kind", ["anywhere", "beside a facet", "at the limit of rest"])
def test_step_on_awkward_supports_is_solved_and_optimal(kind):
    """Supports on a line, two almost in one place, one with nearly all the load; free velocities where a support creeps or the body hardly moves."""
    rng = np.random.default_rng(["anywhere", "beside a facet", "at the limit of rest"].index(kind))
    for trial in range(300):
        count = int(rng.integers(3, 9))
        points, pressures = rng.normal(size=(count, 2)), rng.exponential(size=count)
        if trial % 4 == 1:
            points[:, 1] = 0.0
        if trial % 4 == 2:
            points[1] = points[0] * (1.0 + 10.0 ** rng.uniform(-12.0, -2.0))
        if trial % 4 == 3:
            pressures[0] *= 1e6
        surface, gyration, k = SupportPoints(points, pressures, 0.3), 10.0 ** rng.uniform(-1.5, 1.0), 10.0 ** rng.uniform(-3.0, 2.0)
        unit, off = np.array([1.0, 1.0, gyration]), rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-15.0, -0.5)
        if kind == "beside a facet":
            facet, angle = surface.facets()[int(rng.integers(2 * count))], rng.uniform(0.0, 2.0 * np.pi)
            rim = facet.point((1.0 + off) * np.cos(angle), (1.0 + off) * np.sin(angle))
            free = 10.0 ** rng.uniform(-9.0, 1.0) * facet.twist * unit + k * rim / unit
        elif kind == "at the limit of rest":
            free = k * (1.0 + off) * surface.load(rng.normal(size=(1, 3)))[0] / unit
        else:
            free = rng.normal(size=3) * 10.0 ** rng.uniform(-3.0, 2.0)
        step = friction_step(surface, 1.0, gyration, free, k, np.zeros(3) if trial % 2 else rng.normal(size=3))
        assert step.residual <= 1e-10  # two supports 1e-12 apart leave four digits of their curvature
        others = np.vstack([rng.normal(size=(50, 3)) * np.linalg.norm(free), step.velocity + np.linalg.norm(free) * rng.normal(size=(50, 3)) * 10.0 ** rng.uniform(-8.0, -1.0, (50, 1))])
        power = surface.support(others / unit)
        own = surface.support(step.velocity[None] / unit)[0] if step.velocity.any() else 0.0
        change = 0.5 * ((others - free) ** 2).sum(axis=1) - 0.5 * float((step.velocity - free) @ (step.velocity - free)) + k * (power - own)
        assert change.min() >= -1e-13 * max(float(free @ free), k * float(power.max()))
