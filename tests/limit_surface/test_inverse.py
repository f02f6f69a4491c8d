"""Load from twist: closed forms, round trips, statuses, and theorem 1."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ls_synthetic import angles, sample
from planarcontact.errors import ConvergenceError, InputError, UnsupportedError
from planarcontact.limit_surface import InversionStatus, LimitSurfaceModel, Weights, fit, monomials
from planarcontact.limit_surface.baselines import undamped_newton
from planarcontact.limit_surface.inverse import search


def form(degree, **terms):
    """Coefficients of a form given as x4=1, x2y2=0.5, ..."""
    basis, a = monomials(degree), np.zeros(monomials(degree).count)
    for name, value in terms.items():
        exponents = dict.fromkeys("xyz", 0)
        for letter, power in zip(name[::2], name[1::2]):
            exponents[letter] = int(power)
        a[basis.index(np.array(list(exponents.values())))] = value
    return a


@pytest.mark.parametrize("degree", [2, 4, 6, 8])
def test_l12_the_round_form_returns_the_twist_itself(degree):
    model = LimitSurfaceModel.from_coefficients(monomials(degree).power_of_norm, degree=degree)
    twists = np.random.default_rng(0).normal(size=(200, 3))
    result = model.invert(twists)
    unit = twists / np.linalg.norm(twists, axis=1, keepdims=True)
    np.testing.assert_allclose(result.load, unit, atol=1e-13)
    assert np.all(result.status == InversionStatus.CONVERGED)


@pytest.mark.parametrize("small", [1e-8, 1e-4, 1.0, 1e8])
@pytest.mark.parametrize("axis", range(3))
def test_l12_an_uneven_form_on_its_axes(small, axis):
    model = LimitSurfaceModel.from_coefficients(form(4, x4=1, y4=1, z4=small))
    expected = np.zeros(3)
    expected[axis] = small**-0.25 if axis == 2 else 1.0
    np.testing.assert_allclose(model.load(np.eye(3)[axis]), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("powers", [(1.0, 1.0, 1e-8), (1.0, 3.0, 0.2), (1e-3, 1.0, 1e3)])
def test_l12_a_separable_form_in_closed_form(powers):
    """grad H = 4 c_i F_i^3: F_i is the cube root of V_i / c_i, then rescaled."""
    c = np.array(powers)
    model = LimitSurfaceModel.from_coefficients(form(4, x4=c[0], y4=c[1], z4=c[2]))
    twists = np.random.default_rng(1).normal(size=(500, 3)) * np.logspace(-6, 0, 500)[:, None] ** np.eye(3)[0]
    expected = np.cbrt(twists / c)
    expected /= np.sum(c * expected**4, axis=1, keepdims=True) ** 0.25
    result = model.invert(twists)
    assert np.all(result.status <= InversionStatus.SEARCHED)
    assert np.max(np.degrees(result.residual)) < 1e-6
    np.testing.assert_allclose(result.load, expected, rtol=2e-5, atol=1e-9 * np.abs(expected).max())


def test_l12_a_capped_row_is_marked_and_load_raises():
    model = LimitSurfaceModel.from_coefficients(form(4, x4=1, y4=1, z4=1e-8))
    twists = [[0.3, 0.2, 1.0], [1.0, 0.0, 0.0]]
    result = model.invert(twists, max_iterations=1)
    assert result.status.tolist() == [InversionStatus.CAPPED, InversionStatus.CONVERGED]
    assert result.residual[0] > 1e-6 and np.all(np.isfinite(result.load))
    with pytest.raises(ConvergenceError) as caught:
        result.checked()
    assert caught.value.status is InversionStatus.CAPPED and caught.value.residual == result.residual[0]
    for cap in (0, -1, 1.5, True):
        with pytest.raises(InputError, match="max_iterations"):
            model.invert(twists, max_iterations=cap)


@pytest.mark.parametrize("kind", ["quad", "poly4-cvx"])
@pytest.mark.parametrize("degree", [4, 6])
@pytest.mark.parametrize("length", [0.05, 1.0, 20.0])
def test_round_trips_of_fitted_models(kind, degree, length):
    if kind == "quad":
        degree = 4
    rng = np.random.default_rng(degree)
    for seed in range(3):
        loads, twists = sample(seed, [7, 15, 40][seed], noise=0.1 * (seed % 2))
        primed = np.array([1.0, 1.0, length])
        model = fit(loads * primed, twists / primed, kind=kind, degree=degree, length=length)
        queries = rng.normal(size=(1000, 3)) / primed
        result = model.invert(queries)
        assert np.all(result.status == InversionStatus.CONVERGED)
        assert np.max(angles(model.twist(result.load) * primed, queries * primed)) < 1e-6
        np.testing.assert_allclose(model.value(result.load), 1, rtol=1e-12)
        np.testing.assert_allclose(model.load(-queries), -result.load, rtol=1e-9, atol=1e-12 * np.abs(result.load).max())
        np.testing.assert_allclose(model.load(1e5 * queries), result.load, rtol=1e-9, atol=1e-12 * np.abs(result.load).max())


def test_the_compiled_pass_agrees_with_the_readable_search():
    rng = np.random.default_rng(0)
    for seed in range(8):
        model = fit(*sample(seed, 12, noise=0.1), kind="poly4-cvx")
        queries = rng.normal(size=(200, 3))
        unit = queries / np.linalg.norm(queries, axis=1, keepdims=True)
        points, residual, _ = search(model, unit, 100)
        assert np.degrees(residual.max()) < 1e-6
        np.testing.assert_allclose(model.value(points), 1, rtol=1e-12)
        scale = np.linalg.norm(points, axis=1).max()
        assert np.max(np.abs(model.load(queries) - points)) < 1e-4 * scale  # flat directions: the normal is what is exact


def test_what_the_fast_pass_misses_the_search_finds(monkeypatch):
    from planarcontact.limit_surface import inverse_kernel

    def never(a, exponents, degree, start, directions, iterations):
        bad = np.full(len(directions), np.pi)
        bad[::2] = np.nan
        return np.ones((len(directions), 3)), bad, np.zeros(len(directions), dtype=np.int64)

    model = fit(*sample(3, 12, noise=0.1), kind="poly4-cvx")
    queries = np.random.default_rng(0).normal(size=(20, 3))
    expected = model.load(queries)
    monkeypatch.setattr(inverse_kernel, "newton_rows", never)
    result = model.invert(queries)
    assert np.all(result.status == InversionStatus.SEARCHED)
    np.testing.assert_allclose(result.load, expected, atol=1e-6)


def test_a_model_without_proof_is_inverted_on_request_only():
    model = LimitSurfaceModel.from_coefficients(form(4, x4=1, y4=1, z4=1, x2y2=-1.5))
    assert not model.certificate.certified
    with pytest.raises(UnsupportedError, match="certified"):
        model.load([1.0, 0.3, 0.2])
    with pytest.warns(UserWarning, match="not certified"):
        load = model.load([1.0, 0.3, 0.2], uncertified=True)
    assert angles(model.twist(load)[None], np.array([[1.0, 0.3, 0.2]]))[0] < 1e-6


@pytest.mark.parametrize("bad", [[0, 0, 0], [np.nan, 0, 1], [np.inf, 0, 1], [1, 2], [[1, 2, 3, 4]], "abc"])
def test_twists_that_are_refused(bad):
    model = LimitSurfaceModel.from_coefficients(monomials(4).power_of_norm)
    with pytest.raises(InputError, match="twists"):
        model.load(bad)


def test_no_rows_in_no_rows_out():
    model = LimitSurfaceModel.from_coefficients(monomials(4).power_of_norm)
    assert model.load(np.zeros((0, 3))).shape == model.twist(np.zeros((0, 3))).shape == (0, 3)


MODELS = {
    "quad": (1, 15, dict(kind="quad")),
    "quartic": (1, 15, dict(kind="poly4-cvx")),
    "quartic, few data": (2, 5, dict(kind="poly4-cvx", weights=Weights(ridge=0.0))),
    "sextic": (1, 30, dict(kind="poly4-cvx", degree=6)),
}


@cache
def fitted(name):
    seed, count, options = MODELS[name]
    return fit(*sample(seed, count, noise=0.1), **options)


vectors = st.tuples(*[st.floats(-1, 1, allow_subnormal=False)] * 3).map(np.array).filter(lambda v: np.linalg.norm(v) > 1e-3)


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=200, deadline=None)
@given(twist=vectors, other=vectors, inside=st.floats(0, 1))
def test_theorem_1_maximum_work(name, twist, other, inside):
    """No load of the body does more work along a twist than the load that goes with it (Eqs. 1 and 3)."""
    model = fitted(name)
    load = model.load(twist)
    other = inside * other / model.value(other) ** (1 / model.degree)
    assert model.value(other) <= 1 + 1e-12
    unit = twist / np.linalg.norm(twist)
    assert unit @ (other - load) <= 1e-9 * np.linalg.norm(load)


def test_theorem_1_needs_convexity():
    """On the level set of a form that is not convex some load does more work than the one whose normal it is."""
    model = LimitSurfaceModel.from_coefficients(form(4, x4=1, y4=1, z4=1, x2y2=-1.5))
    loads = np.random.default_rng(0).normal(size=(2000, 3))
    loads /= model.value(loads)[:, None] ** 0.25
    work = loads @ model.twist(loads).T  # [F', V(F)]
    assert np.max(work - np.diag(work)) > 0.05


def test_the_printed_update_without_safeguard():
    """Full Newton steps from F = V: exact at once for an ellipsoid, there in fifty steps for a fitted quartic, not in three."""
    queries = np.random.default_rng(0).normal(size=(200, 3))
    assert np.max(undamped_newton(fitted("quad"), queries, iterations=1)) < 1e-12
    assert np.max(undamped_newton(fitted("quartic"), queries)) < 1e-9 < 1e-3 < np.max(undamped_newton(fitted("quartic"), queries, iterations=3))


@pytest.mark.ci
def test_a_part_of_the_campaign_of_inversions():
    from ls_campaign import inversions

    count, failures, worst = inversions(seed=1, models=10, rows=2000)
    assert (count, failures) == (20_000, 0) and worst <= 1e-6


@pytest.mark.slow
def test_campaign_of_inversions(campaign):
    from ls_campaign import inversions

    count, failures, worst = inversions(seed=20261130, models=100, rows=10_000)
    campaign(
        name="limit surface: load from twist",
        seed=20261130,
        count=count,
        failures=failures,
        note=f"100 fitted models (quad, quartic, sextic; both losses), worst angle {worst:.1e} deg",
    )
    assert failures == 0 and worst <= 1e-6
