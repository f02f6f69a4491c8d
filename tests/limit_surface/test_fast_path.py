"""The direct path is held to the statement in cvxpy, which is the reference."""

import numpy as np
import pytest
from ls_synthetic import angles, sample
from planarcontact.limit_surface import Weights, monomials
from planarcontact.limit_surface.fast_path import solve_compiled, solve_direct
from planarcontact.limit_surface.problem import FitProblem
from planarcontact.limit_surface.statement import solve_statement


def problem(seed, *, degree, convex, objective, weights, whiten=False, scale=1.0):
    loads, twists = sample(seed, [5, 7, 15, 22, 45][seed % 5], noise=0.1 * (seed % 2))
    return FitProblem.build(
        scale * loads, twists, degree=degree, convex=convex, objective=objective, weights=weights, whiten=whiten
    )


def gradient(problem, b, loads):
    rows = monomials(problem.degree).gradients(loads) @ problem.coefficients(b)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("degree", "convex"), [(2, True), (4, False), (4, True)])
@pytest.mark.parametrize("objective", ["printed", "released"])
def test_direct_path_against_the_statement(seed, degree, convex, objective):
    weights = Weights(ridge=[0.1, 2.0][seed % 2], force=4.0, norm=["monomial", "bombieri"][seed % 2])
    p = problem(seed, degree=degree, convex=convex, objective=objective, weights=weights, whiten=seed == 3, scale=10.0**seed)
    direct, compiled, stated = solve_direct(p), solve_compiled(p), solve_statement(p, "CLARABEL")
    assert direct.optimal, direct.status
    assert compiled.optimal, compiled.status
    assert p.loss(compiled.b) == pytest.approx(p.loss(direct.b), rel=1e-9)
    assert np.max(angles(gradient(p, direct.b, p.loads), gradient(p, compiled.b, p.loads))) < 1e-5
    assert p.loss(direct.b) <= p.loss(stated.b) * (1 + 1e-7)
    if stated.status == "optimal":
        assert p.loss(direct.b) >= p.loss(stated.b) * (1 - 1e-6)
        assert np.max(angles(gradient(p, direct.b, p.loads), gradient(p, stated.b, p.loads))) < 0.05
    if convex:
        assert np.linalg.eigvalsh(compiled.gram - p.margin_gram)[0] > -1e-10
        assert np.linalg.eigvalsh(direct.gram - p.margin_gram)[0] > -1e-10


@pytest.mark.parametrize("objective", ["printed", "released"])
def test_degree_six_against_the_statement(objective):
    p = problem(3, degree=6, convex=True, objective=objective, weights=Weights(force=4.0))
    direct, compiled, stated = solve_direct(p), solve_compiled(p), solve_statement(p, "CLARABEL")
    assert compiled.optimal and p.loss(compiled.b) == pytest.approx(p.loss(direct.b), rel=1e-8)
    assert p.loss(direct.b) == pytest.approx(p.loss(stated.b), rel=1e-6)


def test_the_optimum_of_the_printed_loss_by_its_own_conditions():
    """No feasible move of a convex problem descends: b + t (c - b) for random sos-convex c."""
    rng = np.random.default_rng(0)
    for seed in range(4):
        p = problem(seed, degree=4, convex=True, objective="printed", weights=Weights())
        b = solve_direct(p).b
        for _ in range(50):
            square = rng.normal(size=3)
            fourth_power = np.prod(square ** monomials(4).exponents, axis=1) / monomials(4).bombieri
            other = rng.uniform(0, 1) * b + fourth_power * rng.uniform(0, 0.1) + 1e-5 * monomials(4).power_of_norm
            assert p.loss(b + 1e-3 * (other - b)) >= p.loss(b) - 1e-9


def test_the_scales_of_the_released_loss_are_the_best_ones():
    """The loss with its scales gone equals the loss with the best scale of each datum."""
    p = problem(1, degree=4, convex=True, objective="released", weights=Weights(0.3, 1.0, 2.0))
    b = np.random.default_rng(0).normal(size=15)
    gradients = p.gradients @ b
    scales = np.maximum(0, np.sum(gradients * p.targets, axis=1))
    residual = gradients - scales[:, None] * p.targets
    expected = 0.3 * np.linalg.norm(p.ridge @ b) + np.linalg.norm(residual) + 2.0 * np.linalg.norm(p.values @ b - 1)
    assert p.loss(b) == pytest.approx(expected)
    for shift in (0.9, 1.1):
        assert np.linalg.norm(gradients - shift * scales[:, None] * p.targets) >= np.linalg.norm(residual)


def test_statistics_are_the_printed_loss():
    p = problem(2, degree=4, convex=True, objective="printed", weights=Weights(0.3, 0.7, 2.0))
    hessian, linear = p.statistics()
    b = np.random.default_rng(0).normal(size=15)
    expected = p.loss(b) / (2.0 * len(p.loads))
    assert 0.5 * b @ hessian @ b + linear @ b + 1.0 == pytest.approx(expected)
    metric = p.coefficients(b)  # the same from the document's formula, in metric loads x = F / mean |F|
    size = np.mean(np.linalg.norm(p.loads, axis=1))
    a = metric * size**4
    x = p.loads / size
    value = monomials(4).values(x) @ a
    grad = monomials(4).gradients(x) @ a
    alpha = np.sum((grad - np.sum(grad * p.directions, axis=1)[:, None] * p.directions) ** 2)
    assert p.loss(b) == pytest.approx(0.3 * a @ a + 0.7 * alpha + 2.0 * np.sum((value - 1) ** 2))
