"""Free sliding and eigen-directions: closed forms, an integrator of another kind, invariances (cases L9, L12)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from planarcontact.errors import ConvergenceError, InputError, UnsupportedError
from planarcontact.limit_surface import LimitSurfaceModel
from planarcontact.limit_surface.block import TriangularBlock
from planarcontact.limit_surface.eigen_directions import eigen_directions
from planarcontact.limit_surface.free_sliding import slide, slide_many
from planarcontact.limit_surface.ideal import SupportPoints
from planarcontact.limit_surface.polynomial import monomials
from planarcontact.limit_surface.statics import statics_pressures
from planarcontact.limit_surface.uniform import UniformDisc, UniformRectangle, UniformRing

BLOCK = TriangularBlock()
INERTIA = BLOCK.mass * BLOCK.length**2
MU = 0.22


def quartic(length=0.05, *, extra=0.0):
    """A convex quartic without symmetry: a sum of fourth powers of linear forms, in newtons."""
    rows = np.random.default_rng(6).normal(size=(9, 3)) / 6.0
    basis = monomials(4)
    samples = np.random.default_rng(7).normal(size=(60, 3))
    values = ((samples @ rows.T) ** 4).sum(axis=1) + extra * (samples**2).sum(axis=1) ** 2
    coefficients = np.linalg.lstsq(basis.values(samples), values, rcond=None)[0]
    return LimitSurfaceModel.from_coefficients(coefficients, 4, length)


def test_l9_disc_stops_at_the_right_moment_and_never_turns_back():
    g = 9.8
    out = slide(UniformDisc(0.1, 2.0 * g, MU), 2.0, 0.01, (1.0, 0.0, 0.0))
    assert out.stop_time == pytest.approx(0.4638219, abs=1e-6)
    assert out.stop_time == pytest.approx(1.0 / (MU * g), rel=1e-7)
    assert out.time[-1] == out.stop_time and not out.twist[-1].any()
    assert (np.diff(out.twist[:, 0]) < 0).all() and (out.twist[:, 0] >= 0).all()
    assert_allclose(out.twist[:, 1:], 0.0, atol=1e-15)
    assert_allclose(out.pose[-1], [1.0 / (2 * MU * g), 0, 0], atol=1e-7)


@pytest.mark.parametrize("speed", [1e-6, 0.03, 1.0, 50.0])
@pytest.mark.parametrize("make", [UniformDisc, UniformRing])
def test_l9_pure_slips_and_pure_spins_of_round_supports(make, speed):
    surface, mass, inertia = make(0.1, 20.0, MU), 2.0, 0.013
    slip = slide(surface, mass, inertia, (0.6 * speed, -0.8 * speed, 0.0))
    assert slip.stop_time == pytest.approx(speed * mass / (MU * 20.0), rel=2e-7)
    arm = {UniformDisc: 2.0 / 3.0, UniformRing: 1.0}[make] * 0.1
    spin = slide(surface, mass, inertia, (0.0, 0.0, -speed))
    assert spin.stop_time == pytest.approx(speed * inertia / (MU * 20.0 * arm), rel=2e-7)
    assert spin.pose[-1, 2] == pytest.approx(-0.5 * speed * spin.stop_time, rel=1e-6)


def surfaces():
    points = BLOCK.supports("10_90")
    yield "disc", UniformDisc(0.05, 3.0, 0.4)
    yield "rectangle", UniformRectangle(0.15, 0.08, BLOCK.weight, 0.3)
    yield "screws", SupportPoints(points, statics_pressures(points, BLOCK.weight), 0.3, BLOCK.length)
    yield "quartic", quartic(extra=0.02)


SURFACES = dict(surfaces())
STARTS = ([0.15, -0.15, 6.0], [0.5, 0.1, 3.0], [0.0, 0.3, -20.0])


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("start", STARTS)
def test_energy_falls_by_what_friction_takes_and_the_body_rests(name, start):
    surface = SURFACES[name]
    out = slide(surface, BLOCK.mass, INERTIA, start)
    energy = 0.5 * BLOCK.mass * (out.twist[:, :2] ** 2).sum(axis=1) + 0.5 * INERTIA * out.twist[:, 2] ** 2
    assert (np.diff(energy) < 0).all() and energy[-1] == 0.0
    assert (np.diff(out.time) > 0).all()
    power = (out.twist * out.load).sum(axis=1)
    work = np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(out.time))
    assert work == pytest.approx(energy[0], rel=2e-3)
    assert np.isfinite(out.pose).all()


@pytest.mark.parametrize("name", ["disc", "rectangle", "quartic"])
def test_against_newtons_law_in_the_world_frame(name):
    """Another frame, another independent variable, another integrator: none of the body-frame terms is shared."""
    surface, start = SURFACES[name], np.array([0.4, -0.2, 8.0])

    def newton(_, state):
        c, s = np.cos(state[2]), np.sin(state[2])
        body = np.array([[c * state[3] + s * state[4], -s * state[3] + c * state[4], state[5]]])
        f = surface.load(body)[0]
        return [*state[3:], -(c * f[0] - s * f[1]) / BLOCK.mass, -(s * f[0] + c * f[1]) / BLOCK.mass, -f[2] / INERTIA]

    slow = 1e-4
    stop = lambda _, y: np.linalg.norm(y[3:] * [1, 1, BLOCK.length]) - slow  # noqa: E731
    stop.terminal = True
    pose = np.array([0.3, -0.1, 0.7])
    turn = np.array([[np.cos(0.7), -np.sin(0.7)], [np.sin(0.7), np.cos(0.7)]])
    state = np.concatenate([pose, turn @ start[:2], start[2:]])
    theirs = solve_ivp(newton, (0, 10), state, events=stop, rtol=1e-8, atol=1e-10)
    ours = slide(surface, BLOCK.mass, INERTIA, start, pose)
    assert theirs.status == 1
    assert_allclose(ours.pose[-1], theirs.y[:3, -1], atol=3e-5)
    assert ours.stop_time == pytest.approx(theirs.t[-1], rel=2e-3)


def test_fifty_steps_are_enough_for_a_smooth_surface():
    surface = SURFACES["quartic"]
    for start in STARTS[:2]:
        fine, coarse = (slide(surface, BLOCK.mass, INERTIA, start, steps=n) for n in (400, 50))
        assert_allclose(coarse.pose[-1, :2], fine.pose[-1, :2], atol=3e-4)
        assert coarse.pose[-1, 2] == pytest.approx(fine.pose[-1, 2], abs=2e-3)


def test_many_agrees_with_one_by_one():
    surface = SURFACES["quartic"]
    times, poses, last = slide_many(surface, BLOCK.mass, INERTIA, STARTS, steps=100)
    for k, start in enumerate(STARTS):
        one = slide(surface, BLOCK.mass, INERTIA, start, steps=100)
        assert times[k] == pytest.approx(one.stop_time, rel=1e-12)
        assert_allclose(poses[k], one.pose[-1], atol=1e-13)
        assert_allclose(np.cross(last[k], one.twist[-2]), 0.0, atol=1e-9)


def test_scale_and_frame_do_not_matter():
    surface = SURFACES["rectangle"]
    base = slide(surface, BLOCK.mass, INERTIA, STARTS[0])
    heavy = slide(UniformRectangle(0.15, 0.08, 7 * BLOCK.weight, 0.3), 7 * BLOCK.mass, 7 * INERTIA, STARTS[0])
    assert_allclose(heavy.pose, base.pose, atol=1e-13)
    moved = slide(surface, BLOCK.mass, INERTIA, STARTS[0], (1.0, 2.0, np.pi / 2))
    assert_allclose(moved.pose[:, 0] - 1.0, -base.pose[:, 1], atol=1e-13)
    assert_allclose(moved.pose[:, 2] - np.pi / 2, base.pose[:, 2], atol=1e-13)


def test_eigen_directions_of_the_sum_of_fourth_powers():
    coefficients = np.zeros(15)
    coefficients[[0, 10, 14]] = 1.0
    found = eigen_directions(LimitSurfaceModel.from_coefficients(coefficients, 4))
    assert np.bincount(found.kinds).tolist() == [3, 6, 4]
    assert_allclose(np.abs(found.twists[:3]), np.eye(3)[np.abs(found.twists[:3]).argmax(axis=1)], atol=1e-12)
    assert_allclose(found.radius, [1.0] * 3 + [2**0.25] * 6 + [3**0.25] * 4, rtol=1e-12)
    assert found.attracting.tolist() == [True] * 3 + [False] * 10


def test_eigen_directions_of_an_ellipsoid_are_its_axes():
    rows = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    matrix = rows @ np.diag([1.0, 3.0, 0.5]) @ rows.T
    coefficients = [matrix[0, 0], 2 * matrix[0, 1], 2 * matrix[0, 2], matrix[1, 1], 2 * matrix[1, 2], matrix[2, 2]]
    found = eigen_directions(LimitSurfaceModel.from_coefficients(coefficients, 2))
    assert_allclose(np.abs(found.twists @ rows), np.eye(3)[[1, 0, 2]], atol=1e-9)
    assert found.kinds.tolist() == [0, 1, 2]


@pytest.mark.parametrize("gyration", [0.05, 0.03])
def test_free_sliding_ends_in_the_attracting_directions(gyration):
    model = quartic(0.05, extra=0.001)
    found = eigen_directions(model, gyration=gyration)
    scale = np.array([1.0, 1.0, gyration])
    units = found.twists * scale
    assert_allclose(np.linalg.norm(units, axis=1), 1.0, rtol=1e-12)
    assert_allclose(model.value(found.loads), 1.0, rtol=1e-10)
    assert_allclose(np.cross(found.loads / scale, units), 0.0, atol=1e-9)
    starts = np.random.default_rng(2).normal(size=(60, 3)) * [0.3, 0.3, 0.3 / gyration]
    _, _, last = slide_many(model, 1.0, gyration**2, starts, steps=200)
    cosine = np.abs((last * scale) @ units.T)
    near = cosine.max(axis=1)
    assert np.median(near) > 1 - 1e-6 and np.quantile(near, 0.05) > 1 - 1e-3  # past a saddle it takes long
    assert found.attracting[cosine.argmax(axis=1)].mean() > 0.9


def test_a_round_surface_has_no_isolated_eigen_directions():
    with pytest.raises(ConvergenceError, match="not isolated"):
        eigen_directions(LimitSurfaceModel.from_coefficients(monomials(4).power_of_norm, 4))


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda d: slide(d, 1.0, 1.0, (0, 0, 0)), InputError),
        (lambda d: slide(d, 0.0, 1.0, (1, 0, 0)), InputError),
        (lambda d: slide(d, 1.0, -1.0, (1, 0, 0)), InputError),
        (lambda d: slide(d, 1.0, 1.0, (1, 0)), InputError),
        (lambda d: slide(d, 1.0, 1.0, (1, 0, np.nan)), InputError),
        (lambda d: slide(d, 1.0, 1.0, (1, 0, 0), steps=0), InputError),
        (lambda d: slide_many(d, 1.0, 1.0, [[1, 0, 0], [0, 0, 0]]), InputError),
        (lambda d: eigen_directions(quartic(), gyration=0.0), InputError),
        (lambda d: slide(LimitSurfaceModel.from_coefficients([1, 0, 0, -0.5, 0, 1], 2), 1.0, 1.0, (1, 0, 0)), UnsupportedError),
    ],
)
def test_unusable_input(call, error):
    with pytest.raises(error):
        call(UniformDisc(0.1, 1.0, 0.3))


def test_compiled_steps_are_the_readable_ones(monkeypatch):
    """On a level set the steps are compiled; the plain ones are the reference, kept states included, and one body is as many."""
    rng = np.random.default_rng(8)
    surface, twists = quartic(extra=0.02), rng.normal(size=(12, 3)) * [0.3, 0.3, 6.0]
    fast = slide_many(surface, BLOCK.mass, INERTIA, twists)
    one = slide(surface, BLOCK.mass, INERTIA, twists[3], steps=50)
    assert_allclose(one.pose[-1], fast[1][3], rtol=0, atol=1e-12)
    assert one.stop_time == pytest.approx(fast[0][3], rel=1e-12)
    monkeypatch.setattr("planarcontact.limit_surface.free_sliding._compiled", lambda *_: None)
    plain = slide_many(surface, BLOCK.mass, INERTIA, twists)
    for ours, reference in zip(fast, plain):
        assert_allclose(ours, reference, rtol=0, atol=1e-10)
    reference = slide(surface, BLOCK.mass, INERTIA, twists[3], steps=50)
    for ours, expected in ((one.time, reference.time), (one.pose, reference.pose), (one.twist, reference.twist), (one.load, reference.load)):
        assert_allclose(ours, expected, rtol=0, atol=1e-9)


def test_bodies_that_need_more_steps_take_them_among_others():
    """The batch's answer for a body does not depend on the rest of the batch."""
    rng = np.random.default_rng(9)
    surface, twists = quartic(), rng.normal(size=(300, 3)) * [0.3, 0.3, 6.0]
    many = slide_many(surface, BLOCK.mass, INERTIA, twists, steps=12)
    for k in (0, 17, 299):
        for whole, single in zip(many, slide_many(surface, BLOCK.mass, INERTIA, twists[k : k + 1], steps=12)):
            assert_allclose(whole[k], single[0], rtol=0, atol=1e-12)
    fine = slide_many(surface, BLOCK.mass, INERTIA, twists, steps=400)
    assert np.max(np.abs(many[0] - fine[0])) < 0.02 * np.max(fine[0])
