"""The equations between coefficients and Gram matrices, and the cone with those equations eliminated."""

import numpy as np
import pytest
from planarcontact.limit_surface import monomials
from planarcontact.limit_surface.convex_cone import convex_cone, square, triangle
from planarcontact.limit_surface.sos import gram_map

SIZES = {2: (6, 6, 6), 4: (36, 45, 15), 6: (90, 171, 28), 8: (168, 465, 45)}


def biform(a, degree, x, z):
    """z' Hess H(x) z from the Hessian."""
    return np.einsum("ni,nijm,nj,m->n", z, monomials(degree).hessians(x), z, a)


def through(gram, degree, x, z):
    """y' Q y with y = z (x) m(x)."""
    y = (z[:, :, None] * monomials(degree // 2 - 1).values(x)[:, None, :]).reshape(len(x), -1)
    return np.einsum("ni,ij,nj->n", y, gram, y)


@pytest.mark.parametrize("degree", SIZES)
def test_l13_constraint_count_and_rank(degree):
    equations, entries, coefficients = SIZES[degree]
    matrix = gram_map(degree).matrix()
    assert matrix.shape == (equations, entries + coefficients)
    assert np.linalg.matrix_rank(matrix) == equations
    null = gram_map(degree).null()
    assert null.shape == (entries, entries - equations)
    assert np.linalg.matrix_rank(null) == entries - equations


@pytest.mark.parametrize("degree", SIZES)
def test_the_equations_say_that_both_biforms_are_one(degree):
    rng = np.random.default_rng(degree)
    grams, basis = gram_map(degree), monomials(degree)
    x, z, a = rng.normal(size=(20, 3)), rng.normal(size=(20, 3)), rng.normal(size=basis.count)
    triangle_of_q = grams.lift() @ a + grams.null() @ rng.normal(size=grams.null().shape[1])
    expected = biform(a, degree, x, z)
    np.testing.assert_allclose(through(grams.square(triangle_of_q), degree, x, z), expected, rtol=1e-9, atol=1e-9 * abs(expected).max())
    np.testing.assert_allclose(grams.matrix() @ np.append(triangle_of_q, a), 0, atol=1e-11 * abs(triangle_of_q).max())
    # and a matrix that misses one equation is not a Gram matrix of this form
    triangle_of_q[0] += 0.1
    assert not np.allclose(through(grams.square(triangle_of_q), degree, x, z), expected)


@pytest.mark.parametrize("degree", SIZES)
def test_reprojection_lands_on_the_nearest_gram_matrix(degree):
    rng = np.random.default_rng(degree)
    grams = gram_map(degree)
    a, noise = rng.normal(size=monomials(degree).count), rng.normal(size=(grams.size, grams.size))
    away = noise + noise.T
    nearest = grams.reproject(away, a)
    np.testing.assert_allclose(grams.matrix() @ np.append(nearest[grams.rows, grams.columns], a), 0, atol=1e-11)
    for column in grams.null().T:  # the way there is perpendicular to every move within the equations
        assert abs(np.sum((nearest - away) * grams.square(column))) < 1e-10


def test_the_quartic_cone_is_the_swap_symmetric_part_of_the_general_one():
    rng = np.random.default_rng(3)
    cone, grams = convex_cone(4), gram_map(4)
    assert cone.blocks == (6, 3) and cone.operator.shape == (27, 15 + 6)
    unknowns = rng.normal(size=21)
    gram = cone.gram(unknowns)
    np.testing.assert_allclose(grams.matrix() @ np.append(gram[grams.rows, grams.columns], unknowns[:15]), 0, atol=1e-12)
    swap = np.arange(9).reshape(3, 3).T.ravel()
    np.testing.assert_allclose(gram[np.ix_(swap, swap)], gram, atol=1e-13)
    # averaging any Gram matrix with its swapped self keeps the equations and cannot lower the smallest eigenvalue
    full = grams.square(grams.lift() @ unknowns[:15] + grams.null() @ rng.normal(size=9))
    mean = 0.5 * (full + full[np.ix_(swap, swap)])
    np.testing.assert_allclose(grams.matrix() @ np.append(mean[grams.rows, grams.columns], unknowns[:15]), 0, atol=1e-11)
    assert np.linalg.eigvalsh(mean)[0] >= np.linalg.eigvalsh(full)[0] - 1e-12
    symmetric, skew = cone.bases
    np.testing.assert_allclose(symmetric.T @ mean @ skew, 0, atol=1e-12)
    w = triangle(skew.T @ mean @ skew)
    np.testing.assert_allclose(cone.gram(np.append(unknowns[:15], w)), mean, atol=1e-11)


def test_scaled_triangles_keep_inner_products():
    rng = np.random.default_rng(0)
    a, b = (m + m.T for m in rng.normal(size=(2, 5, 5)))
    assert triangle(a) @ triangle(b) == pytest.approx(np.sum(a * b))
    np.testing.assert_allclose(square(triangle(a), 5), a)
