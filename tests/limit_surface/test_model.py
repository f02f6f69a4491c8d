"""The model: values, twists, files."""

import json

import numpy as np
import pytest
from ls_synthetic import sample
from planarcontact.errors import DataError, InputError, UnsupportedError
from planarcontact.limit_surface import GaussianProcessModel, LimitSurfaceModel, fit, monomials


@pytest.fixture(scope="module")
def model():
    return fit(*sample(1, 20, noise=0.05), kind="poly4-cvx", length=0.3)


def test_value_and_twist_by_the_definition(model):
    load = np.array([0.3, -0.5, 0.02])
    primed = load / (1, 1, 0.3)
    value = np.sum(model.coefficients * np.prod(primed ** monomials(4).exponents, axis=1))
    assert model.value(load) == pytest.approx(value)
    steps = 1e-6 * np.diag([1, 1, 0.3])
    gradient = np.array([(model.value(load + s) - model.value(load - s)) / 2e-6 for s in steps])
    unit = model.twist(load) * (1, 1, 0.3)
    np.testing.assert_allclose(unit, gradient / np.linalg.norm(gradient), atol=1e-7)


def test_one_row_and_many_rows_agree(model):
    loads = np.random.default_rng(0).normal(size=(5, 3))
    for method in (model.value, model.twist, model.load):
        np.testing.assert_allclose(np.array([method(row) for row in loads]), method(loads), rtol=1e-12)


def test_symmetry_and_scale(model):
    loads = np.random.default_rng(0).normal(size=(5, 3))
    np.testing.assert_allclose(model.value(-3 * loads), 81 * model.value(loads))
    np.testing.assert_allclose(model.twist(-3 * loads), -model.twist(loads), rtol=1e-12)
    np.testing.assert_allclose(model.twist(1e-200 * loads), model.twist(loads), rtol=1e-12)


def test_files_keep_every_bit(model, tmp_path):
    path = tmp_path / "a model.json"
    model.save(path)
    other = LimitSurfaceModel.load_file(path)
    np.testing.assert_array_equal(other.coefficients, model.coefficients)
    assert (other.degree, other.length, other.kind) == (4, 0.3, "poly4-cvx")
    assert other.certificate.certified
    twists = np.random.default_rng(0).normal(size=(9, 3))
    np.testing.assert_array_equal(other.load(twists), model.load(twists))


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.update(format="something else"),
        lambda c: c.update(degree=3),
        lambda c: c.update(degree=6),
        lambda c: c.update(length=-1),
        lambda c: c.pop("coefficients"),
        lambda c: c.update(coefficients=[float("nan")] * 15),
        lambda c: c["monomials"].reverse(),
        lambda c: c.update(coefficients="abc"),
    ],
)
def test_damaged_files_are_our_error(model, tmp_path, change):
    path = tmp_path / "model.json"
    model.save(path)
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    with pytest.raises(DataError):
        LimitSurfaceModel.load_file(path)


def test_missing_and_foreign_files_are_our_error(model, tmp_path):
    with pytest.raises(DataError, match="cannot read"):
        LimitSurfaceModel.load_file(tmp_path / "none.json")
    (tmp_path / "foreign.json").write_text("[1, 2]")
    (tmp_path / "broken.json").write_text("{")
    for name in ("foreign.json", "broken.json"):
        for reader in (LimitSurfaceModel, GaussianProcessModel):
            with pytest.raises(DataError):
                reader.load_file(tmp_path / name)
    with pytest.raises(DataError, match="cannot be written"):
        model.save(tmp_path / "no folder" / "model.json")


@pytest.mark.parametrize("bad", [np.ones(14), np.ones((15, 1)), np.full(15, np.inf), np.zeros(15), "abc", None])
def test_coefficients_that_are_refused(bad):
    with pytest.raises(InputError, match="coefficients"):
        LimitSurfaceModel.from_coefficients(bad)


@pytest.mark.parametrize("bad", [0, -1, np.nan, "a", None])
def test_lengths_that_are_refused(bad):
    with pytest.raises(InputError, match="length"):
        LimitSurfaceModel.from_coefficients(monomials(4).power_of_norm, length=bad)


def test_the_given_coefficients_are_copied():
    a = monomials(4).power_of_norm.copy()
    model = LimitSurfaceModel.from_coefficients(a)
    a[:] = 0
    assert model.value([1, 0, 0]) == 1
    with pytest.raises(ValueError):
        model.coefficients[0] = 2.0


def test_loads_without_a_direction_are_refused(model):
    for bad in ([0, 0, 0], [[1, 0, 0], [0, 0, 0]], [np.nan, 0, 0]):
        with pytest.raises(InputError, match="loads"):
            model.twist(bad)
    flat = np.zeros(15)
    flat[0] = 1.0
    with pytest.raises(InputError, match="gradient"):
        LimitSurfaceModel.from_coefficients(flat).twist([0, 1, 0])


def test_a_gaussian_process_has_neither_surface_nor_inverse(tmp_path):
    gp = fit(*sample(1, 20, noise=0.05), kind="gp", length=0.3)
    for method in (gp.value, gp.load):
        with pytest.raises(UnsupportedError):
            method([[1.0, 0.0, 0.0]])
    gp.save(tmp_path / "gp.json")
    other = GaussianProcessModel.load_file(tmp_path / "gp.json")
    loads = np.random.default_rng(0).normal(size=(9, 3))
    np.testing.assert_allclose(other.twist(loads), gp.twist(loads), rtol=1e-12)
    np.testing.assert_allclose(gp.twist(loads[0]), gp.twist(loads)[0], rtol=1e-12)
