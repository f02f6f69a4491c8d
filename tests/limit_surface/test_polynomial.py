"""Forms: order of the monomials, derivatives, inner product, change of frame."""

import numpy as np
import pytest
from ls_synthetic import turn
from planarcontact.errors import InputError
from planarcontact.limit_surface import LimitSurfaceModel, monomials

DEGREES = [2, 4, 6, 8]


def test_order_is_the_documented_one():
    names = ["".join(n * e for n, e in zip("xyz", row)) for row in monomials(4).exponents]
    assert names == "xxxx xxxy xxxz xxyy xxyz xxzz xyyy xyyz xyzz xzzz yyyy yyyz yyzz yzzz zzzz".split()
    assert monomials(2).exponents.tolist() == [[2, 0, 0], [1, 1, 0], [1, 0, 1], [0, 2, 0], [0, 1, 1], [0, 0, 2]]


@pytest.mark.parametrize("degree", range(9))
def test_index_inverts_the_order(degree):
    basis = monomials(degree)
    assert basis.count == (degree + 1) * (degree + 2) // 2
    np.testing.assert_array_equal(basis.index(basis.exponents), np.arange(basis.count))


@pytest.mark.parametrize("degree", DEGREES)
def test_derivatives_by_complex_steps_and_by_euler(degree):
    rng = np.random.default_rng(degree)
    basis, x = monomials(degree), rng.normal(size=(7, 3))

    def values(points):
        return np.prod(points[:, None, :] ** basis.exponents, axis=2)

    np.testing.assert_allclose(basis.values(x), values(x), rtol=1e-12, atol=1e-13)
    gradient, hessian = basis.gradients(x), basis.hessians(x)
    for axis in range(3):
        step = np.zeros(3, complex)
        step[axis] = 1e-30j
        np.testing.assert_allclose(gradient[:, axis], values(x + step).imag / 1e-30, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(np.einsum("ni,nim->nm", x, gradient), degree * values(x), rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(np.einsum("nj,nijm->nim", x, hessian), (degree - 1) * gradient, rtol=1e-11, atol=1e-10)
    np.testing.assert_array_equal(hessian, np.swapaxes(hessian, 1, 2))


@pytest.mark.parametrize("degree", DEGREES)
def test_substitution_is_composition(degree):
    rng = np.random.default_rng(degree)
    basis, matrix, other = monomials(degree), rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    a, x = rng.normal(size=basis.count), rng.normal(size=(9, 3))
    direct = basis.values(x @ matrix.T) @ a
    np.testing.assert_allclose(basis.values(x) @ (basis.substitution(matrix) @ a), direct, rtol=1e-9, atol=1e-10 * abs(direct).max())
    both = basis.substitution(other) @ basis.substitution(matrix)
    np.testing.assert_allclose(basis.substitution(matrix @ other), both, rtol=1e-7, atol=1e-9 * abs(both).max())


@pytest.mark.parametrize("degree", DEGREES)
def test_bombieri_norm_is_invariant_and_the_monomial_norm_is_not(degree):
    rng = np.random.default_rng(degree)
    basis = monomials(degree)
    a = rng.normal(size=basis.count)
    rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    b = basis.substitution(rotation) @ a
    assert basis.bombieri @ b**2 == pytest.approx(basis.bombieri @ a**2, rel=1e-10)
    assert abs(b @ b / (a @ a) - 1) > 1e-3


@pytest.mark.parametrize("degree", DEGREES)
def test_power_of_the_norm(degree):
    x = np.random.default_rng(0).normal(size=(5, 3))
    expected = np.linalg.norm(x, axis=1) ** degree
    np.testing.assert_allclose(monomials(degree).values(x) @ monomials(degree).power_of_norm, expected, rtol=1e-12)


@pytest.mark.parametrize("degree", [1, 3, 5, 0, -2, 14, 4.0, True, "4"])
def test_degrees_that_are_refused(degree):
    with pytest.raises(InputError, match="degree"):
        LimitSurfaceModel.from_coefficients(np.ones(15), degree=degree)


def test_a_turn_of_the_frame_turns_the_level_set():
    a = np.random.default_rng(1).normal(size=15)
    rotation = turn(0.7)
    x = np.random.default_rng(2).normal(size=(4, 3))
    b = monomials(4).substitution(rotation.T) @ a
    np.testing.assert_allclose(monomials(4).values(x @ rotation.T) @ b, monomials(4).values(x) @ a, rtol=1e-10)


@pytest.mark.parametrize("degree", [2, 4, 6, 8])
def test_second_derivatives_as_forms_and_eulers_relations(degree):
    rng = np.random.default_rng(degree)
    basis, lower = monomials(degree), monomials(degree - 2)
    a, points = rng.normal(size=basis.count), rng.normal(size=(50, 3))
    hessians = basis.hessians(points) @ a
    upper = np.array([hessians[:, i, j] for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))])
    np.testing.assert_allclose(basis.second(a) @ lower.values(points).T, upper, rtol=1e-12, atol=1e-12)
    gradients = np.einsum("nij,nj->ni", hessians, points) / (degree - 1)
    np.testing.assert_allclose(gradients, basis.gradients(points) @ a, rtol=1e-11, atol=1e-11)
