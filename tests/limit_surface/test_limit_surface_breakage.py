"""Hard use of limit surfaces: extreme magnitudes, unbounded or flat surfaces, stiff slides, values of the wrong type."""

import json

import numpy as np
import pytest
from ls_synthetic import sample
from numpy.testing import assert_allclose

from planarcontact.errors import ConvergenceError, DataError, InputError, PlanarContactError
from planarcontact.limit_surface import (
    InversionStatus,
    LimitSurfaceModel,
    SupportPoints,
    UniformDisc,
    UniformRectangle,
    WeightGrid,
    fit,
    free_sliding,
    load_pokes,
    push,
    slide,
)
from planarcontact.limit_surface.eigen_directions import eigen_directions
from planarcontact.limit_surface.free_sliding import slide_many
from planarcontact.limit_surface.polynomial import monomials
from planarcontact.limit_surface.robot_data import extract_pokes, read_poke_log
from planarcontact.limit_surface.stable_push import is_stable_push

LOADS, TWISTS = sample(1, 20, noise=0.02)
OTHERS = sample(2, 12, noise=0.02)
THREE = SupportPoints([[0.05, 0], [-0.03, 0.04], [-0.03, -0.04]], [1, 1, 1], 0.5, length=0.05)
POINT = SupportPoints([[0.0, 0.0]], [1.0], 0.5)


@pytest.fixture(scope="module")
def quartic():
    return fit(LOADS, TWISTS, kind="poly4-cvx")


def quartic_without_moments():
    exponents = monomials(4).exponents.tolist()
    coefficients = np.zeros(15)
    coefficients[[exponents.index([4, 0, 0]), exponents.index([0, 4, 0])]] = 1.0
    return LimitSurfaceModel.from_coefficients(coefficients)


# free slides keep the balance of momentum


@pytest.mark.parametrize("inertia", [1e-4, 1e-5])
def test_no_slide_stops_before_friction_can_stop_it(inertia):
    mass, limit = 0.306, 1.5
    out = slide(THREE, mass, inertia, (1, 0, 3))
    assert mass / limit <= out.stop_time <= 1.01 * mass / limit
    c, s = np.cos(out.pose[:, 2]), np.sin(out.pose[:, 2])
    f = out.load
    world = np.column_stack([c * f[:, 0] - s * f[:, 1], s * f[:, 0] + c * f[:, 1]])
    impulse = ((world[1:] + world[:-1]) / 2 * np.diff(out.time)[:, None]).sum(axis=0)
    assert_allclose(impulse, [mass, 0.0], atol=5e-3 * mass)


@pytest.mark.parametrize("surface", [THREE, UniformDisc(0.05, 3.0, 0.4)])
@pytest.mark.parametrize("steps", [1, 3])
def test_too_few_steps_are_refined(surface, steps):
    fine, coarse = (slide(surface, 0.306, 1e-3, (1, 0, 3), steps=n) for n in (200, steps))
    assert len(coarse.time) == steps + 2
    assert coarse.stop_time == pytest.approx(fine.stop_time, rel=3e-3)
    assert_allclose(coarse.pose[-1], fine.pose[-1], rtol=2e-2, atol=2e-3)


def test_too_stiff_a_slide_is_an_error(monkeypatch):
    monkeypatch.setattr(free_sliding, "_PARTS", 300)
    for call in (lambda: slide(THREE, 0.306, 1e-9, (1, 0, 3)), lambda: slide_many(THREE, 0.306, 1e-9, [[1, 0, 3]])):
        with pytest.raises(ConvergenceError, match="moment of inertia"):
            call()


# loads of twists: an honest status, any magnitude


def test_a_twist_without_a_load_is_marked():
    model = quartic_without_moments()
    for single in ([0, 0, 1.0], [[1.0, 0.3, 0.0], [0, 0, 1.0]]):
        with pytest.raises(ConvergenceError, match="unbounded"):
            model.load(single)
    result = model.invert([[1.0, 0.3, 0.0], [0, 0, 1.0]])
    assert result.status[1] == InversionStatus.NO_LOAD
    assert np.isfinite(result.load[0]).all() == (result.status[0] in (0, 1))


@pytest.mark.parametrize("factor", [1e300, 1e-200, 1e-300])
def test_only_the_direction_matters_at_any_magnitude(quartic, factor):
    gp, rectangle, disc = fit(LOADS, TWISTS, kind="gp"), UniformRectangle(0.1, 0.05, 10, 0.5), UniformDisc(0.05, 3.0, 0.4)
    quad = fit(LOADS, TWISTS, kind="quad")
    for surface in (quartic, quad, rectangle, disc, THREE):
        assert_allclose(surface.load(factor * TWISTS), surface.load(TWISTS), rtol=1e-7, atol=1e-9)
    for surface in (quartic, quad, gp, rectangle, disc):
        assert_allclose(surface.twist(factor * LOADS), surface.twist(LOADS), rtol=1e-6, atol=1e-6)
    assert_allclose(rectangle.support(factor * TWISTS) / factor, rectangle.support(TWISTS), rtol=1e-9)
    assert_allclose(gp.twist([1e200, 1e200, 1e198]), gp.twist([1, 1, 0.01]), rtol=1e-12)


def test_an_absurd_cap_is_no_overflow(quartic):
    assert (quartic.invert(TWISTS, max_iterations=10**20).status <= 1).all()


# fits: scale of the data


@pytest.mark.parametrize("kind", ["quad", "poly4", "poly4-cvx"])
@pytest.mark.parametrize("factor", [1e100, 1e-150, 1e160, 1e300, 1e-300])
def test_loads_beyond_float64_are_refused_by_name(kind, factor):
    with pytest.raises(InputError, match="loads.*scale"):
        fit(LOADS * factor, TWISTS, kind=kind)


@pytest.mark.parametrize("kind", ["quad", "poly4", "poly4-cvx", "gp"])
@pytest.mark.parametrize(("load", "twist"), [(1.0, 1e300), (1.0, 1e-300), (1e30, 1.0), (1e-30, 1e160)])
def test_far_units_are_fitted_alike(kind, load, twist):
    plain, model = fit(LOADS, TWISTS, kind=kind), fit(LOADS * load, TWISTS * twist, kind=kind)
    assert_allclose(model.twist(OTHERS[0]), plain.twist(OTHERS[0]), rtol=1e-4, atol=1e-5)
    if kind != "gp":
        assert np.isfinite(model.coefficients).all() and model.report.ok
        assert np.mean(model.value(LOADS * load)) == pytest.approx(1.0, abs=1e-13)


def test_mean_value_is_one_after_cross_validation():
    twists = np.random.default_rng(3).normal(size=(40, 3))
    twists[:, 2] *= 20.0
    loads = THREE.load(twists)
    grid = WeightGrid((0.0,), (1.0,))
    model = fit(loads[:12], twists[:12], kind="poly4-cvx", length=1.0, weights=grid, validation=(loads[12:], twists[12:]))
    assert np.mean(model.value(loads[:12])) == pytest.approx(1.0, abs=1e-13)
    assert model.certificate.certified


# surfaces without volume, sizes beyond float64


@pytest.mark.parametrize("surface", [POINT, SupportPoints([[0.1, 0.2]] * 2 + [[0, 0]], [1, 2, 0], 0.5)])
def test_a_single_support_has_no_surface(surface):
    for call in (
        lambda: surface.mesh(50),
        lambda: push(surface, [0.1, 0], [-1, 0], 0.3, [-1, 0.2]),
        lambda: slide(surface, 1.0, 1.0, (1, 0, 1)),
    ):
        with pytest.raises(InputError, match="volume"):
            call()


@pytest.mark.parametrize("size", [1e200, 1e-200])
def test_areas_beyond_float64_are_refused(size):
    with pytest.raises(InputError, match="vertices"):
        UniformRectangle(size, size, 1, 1)


# values of the wrong type: no foreign exception, nothing taken silently


@pytest.mark.parametrize("wrong", [None, "x", 3, [], object(), SupportPoints])
def test_what_is_not_a_surface(wrong):
    edge = [[-0.05, -0.02], [-0.05, 0.02]], [[1, 0], [1, 0]]
    for call in (
        lambda: slide(wrong, 1.0, 1.0, (1, 0, 0)),
        lambda: slide_many(wrong, 1.0, 1.0, [[1, 0, 0]]),
        lambda: push(wrong, [0.1, 0], [-1, 0], 0.3, [-1, 0.2]),
        lambda: is_stable_push(wrong, *edge, 0.3, [0, 1]),
        lambda: eigen_directions(wrong),
    ):
        with pytest.raises(InputError, match="surface"):
            call()


def test_eigen_directions_need_coefficients():
    for other in (THREE, fit(LOADS, TWISTS, kind="gp")):
        with pytest.raises(InputError, match="coefficients"):
            eigen_directions(other)


@pytest.mark.parametrize("n", [None, "x", [], np.nan, np.inf, 21.5, True, 19, -(10**400), 10**400])
def test_mesh_counts(n):
    with pytest.raises(InputError, match="^n ="):
        THREE.mesh(n)


@pytest.mark.parametrize("cor", [[[1, 2], [3]], None, "x", [[1, 2j]], [[np.nan, 0]], [10**400, 0]])
def test_centres_of_rotation(cor):
    with pytest.raises(InputError):
        is_stable_push(THREE, [[-0.05, -0.02], [-0.05, 0.02]], [[1, 0], [1, 0]], 0.3, cor)


@pytest.mark.parametrize("flag", ["no", 1, None, np.array([True])])
def test_flags_are_true_or_false(quartic, flag):
    for call in (
        lambda: fit(LOADS, TWISTS, kind="quad", whiten=flag),
        lambda: quartic.load(TWISTS, uncertified=flag),
        lambda: load_pokes("wood", "10_90", progress=flag),
    ):
        with pytest.raises(InputError, match="True nor False"):
            call()


@pytest.mark.parametrize("weights", [WeightGrid(0.1, 1.0), WeightGrid((), (1.0,)), WeightGrid(("a",), (1.0,)), WeightGrid(None, (1.0,))])
def test_grids_of_the_wrong_type(weights):
    with pytest.raises(InputError, match="weights"):
        fit(LOADS, TWISTS, kind="quad", weights=weights, validation=OTHERS)


@pytest.mark.parametrize("logs", [None, [1], 3, "x", [None]])
def test_what_is_not_a_log(logs):
    with pytest.raises(InputError, match="logs"):
        extract_pokes(logs)


@pytest.mark.parametrize("skip", [None, "a", [0.1, 0.2], np.nan])
def test_skip(skip):
    with pytest.raises(InputError, match="skip"):
        extract_pokes([1], skip=skip)


def test_no_predictions_for_no_loads():
    assert fit(LOADS, TWISTS, kind="gp").twist(np.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("path", [None, 1.5, "a\0b", [], ""])
def test_paths(quartic, path):
    gp = fit(LOADS, TWISTS, kind="gp")
    for call in (lambda: quartic.save(path), lambda: gp.save(path), lambda: type(quartic).load_file(path),
                 lambda: type(gp).load_file(path), lambda: read_poke_log(path)):
        with pytest.raises(PlanarContactError):
            call()


@pytest.mark.parametrize("kind", ["banana", None, 3, ["quad"]])
def test_kinds_in_files(quartic, tmp_path, kind):
    path = tmp_path / "model.json"
    quartic.save(path)
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"kind": kind}))
    with pytest.raises(DataError, match="kind"):
        LimitSurfaceModel.load_file(path)
    path.write_text("[" * 100_000)
    with pytest.raises(DataError):
        LimitSurfaceModel.load_file(path)


@pytest.mark.parametrize("factor", [1e-249, 1e249])
def test_coefficients_of_any_invertible_size(quartic, factor):
    scaled = LimitSurfaceModel.from_coefficients(quartic.coefficients * factor)
    assert_allclose(scaled.twist(LOADS), quartic.twist(LOADS), rtol=1e-9, atol=1e-12)
    assert_allclose(scaled.load(TWISTS) * factor**0.25, quartic.load(TWISTS), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("factor", [1e-300, 1e300])
def test_coefficients_and_loads_beyond_float64(quartic, factor):
    with pytest.raises(InputError, match="coefficients"):
        LimitSurfaceModel.from_coefficients(quartic.coefficients * factor)
    if factor > 1:
        with pytest.raises(InputError, match=r"loads\[0\]"):
            quartic.value(LOADS * factor)


@pytest.mark.parametrize("velocity", [[-1.0, 0.2], [-1.0, 3.0]])
@pytest.mark.parametrize("factor", [1e-300, 1e300])
def test_pushes_at_any_magnitude(velocity, factor):
    plain = push(THREE, [0.1, 0], [-1, 0], 0.3, velocity)
    far = push(THREE, [0.1, 0], [-factor, 0], 0.3, factor * np.array(velocity))
    assert far.mode == plain.mode
    assert_allclose(far.twist / factor, plain.twist, rtol=1e-9, atol=1e-12)
    assert_allclose(far.load, plain.load, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("position", "name"), [(0, "mass"), (1, "inertia"), (2, "twist")])
@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_slides_beyond_float64(position, name, factor):
    arguments = [1.0, 1.0, np.ones(3)]
    arguments[position] = arguments[position] * factor
    with pytest.raises(InputError, match=name):
        slide(THREE, *arguments)


def test_points_beyond_float64():
    with pytest.raises(InputError, match="points"):
        SupportPoints([[1e200, 0], [0, 1e200]], [1, 1], 0.5)
