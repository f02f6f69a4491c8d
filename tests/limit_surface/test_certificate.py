"""Certificates: nothing that is not convex passes, and for quartics everything that is convex by a margin does."""

from fractions import Fraction

import numpy as np
import pytest
from ls_synthetic import sample
from planarcontact.limit_surface import LimitSurfaceModel, Proof, Weights, certify, fit, monomials
from planarcontact.limit_surface.certificate import exactly_semidefinite, round_part
from planarcontact.limit_surface.polynomial import directions
from scipy.optimize import minimize


def lowest_curvature(a, degree):
    """Smallest eigenvalue of the Hessian over unit loads: a fine net, then a descent from its lowest points."""
    basis, points = monomials(degree), directions(5000)
    values = np.linalg.eigvalsh(basis.hessians(points) @ a)[:, 0]

    def at(x):
        return np.linalg.eigvalsh(basis.hessians((x / np.linalg.norm(x))[None])[0] @ a)[0]

    starts = points[np.argsort(values)[:3]]
    return min(minimize(at, s, method="Nelder-Mead", options=dict(xatol=1e-9, fatol=1e-12)).fun for s in starts)


@pytest.mark.parametrize("solver", ["CLARABEL", "CVXPY", "SCS"])
@pytest.mark.parametrize(("kind", "degree"), [("quad", 4), ("poly4-cvx", 4), ("poly4-cvx", 6)])
@pytest.mark.parametrize("objective", ["printed", "released"])
def test_l2_after_any_fit_the_gram_matrix_is_definite(solver, kind, degree, objective):
    loads, twists = sample(4, 22, noise=0.1)
    weights = Weights(force=4.0) if objective == "released" else None
    model = fit(loads, twists, kind=kind, degree=degree, objective=objective, weights=weights, solver=solver)
    certificate = model.report.certificate
    assert certificate.certified and certificate.exact()
    assert np.linalg.eigvalsh(certificate.gram)[0] >= 0
    hessians = monomials(model.degree).hessians(directions(10_000)) @ model.coefficients
    assert np.linalg.eigvalsh(hessians)[:, 0].min() >= 0
    assert certificate.hessian(10_000) >= 0
    assert np.mean(model.value(loads)) == pytest.approx(1, abs=1e-9)


def test_a_rough_solution_is_repaired_and_the_repair_is_reported():
    from planarcontact.limit_surface.identification import finish
    from planarcontact.limit_surface.problem import FitProblem
    from planarcontact.limit_surface.solution import Solution
    from planarcontact.limit_surface.solve import solve

    loads, twists = sample(8, 12, noise=0.1)
    problem = FitProblem.build(
        loads, twists, degree=4, convex=True, objective="printed", weights=Weights(), whiten=False
    )
    good = solve(problem, "CLARABEL")
    inside = problem.basis.power_of_norm
    rough = Solution(good.b - 2e-3 * np.mean(problem.values @ good.b) / np.mean(problem.values @ inside) * inside, None, "Solved", "rough", 1)
    assert not certify(problem.coefficients(rough.b), 4).certified
    model = finish(problem, rough, "poly4-cvx", 1.0)
    assert 0 < model.report.repair <= 1e-1 and model.certificate.certified
    assert np.mean(model.value(loads)) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_convex_quartics_are_sos_convex(seed):
    """Footnote 5 of document 3 supposes a gap; Ahmadi, Blekherman and Parrilo (2024): for ternary quartics there is none."""
    rng = np.random.default_rng(seed)
    basis = monomials(4)
    form = rng.normal(size=15) / np.sqrt(basis.bombieri)
    amount = round_part(form, 4)
    size = np.abs(form).max()
    assert lowest_curvature(form + (amount + 3e-3 * size) * basis.power_of_norm, 4) > 0
    assert lowest_curvature(form + (amount - 3e-3 * size) * basis.power_of_norm, 4) < 0
    assert certify(form + (amount + 3e-3 * size) * basis.power_of_norm, 4).certified
    assert certify(form + (amount - 1e-2 * size) * basis.power_of_norm, 4).proof is Proof.REFUTED


@pytest.mark.parametrize("degree", [2, 4, 6])
def test_no_form_with_negative_curvature_is_certified(degree):
    rng = np.random.default_rng(degree)
    basis = monomials(degree)
    seen = {True: 0, False: 0}
    for _ in range(60):
        a = rng.normal(size=basis.count) + rng.uniform(-2, 10) * basis.power_of_norm
        certificate = certify(a, degree)
        curvature = np.linalg.eigvalsh(basis.hessians(directions(4000)) @ a)[:, 0].min()
        seen[certificate.certified] += 1
        if certificate.certified:
            assert curvature >= 0
        if certificate.proof is Proof.REFUTED:
            assert np.linalg.eigvalsh(basis.hessians(certificate.witness[None])[0] @ a)[0] < 0
    assert min(seen.values()) >= 5


SEXTIC = {  # convex, and not sos-convex (Ahmadi and Parrilo, A complete characterization of the gap, 2013)
    (6, 0, 0): 77, (5, 1, 0): -155, (4, 2, 0): 445, (3, 3, 0): 76, (2, 4, 0): 556, (1, 5, 0): 68, (0, 6, 0): 240,
    (5, 0, 1): -9, (3, 2, 1): -1129, (2, 3, 1): 62, (1, 4, 1): 1206, (0, 5, 1): -343, (4, 0, 2): 363, (3, 1, 2): 773,
    (2, 2, 2): 891, (1, 3, 2): -869, (0, 4, 2): 1043, (3, 0, 3): -14, (2, 1, 3): -1108, (1, 2, 3): -216,
    (0, 3, 3): -839, (2, 0, 4): 721, (1, 1, 4): 436, (0, 2, 4): 378, (1, 0, 5): 48, (0, 1, 5): -97, (0, 0, 6): 89,
}  # fmt: skip


def test_from_degree_six_on_there_is_a_gap():
    a = np.zeros(28)
    for exponents, value in SEXTIC.items():
        a[monomials(6).index(np.array(exponents))] = value
    assert lowest_curvature(a, 6) > 1.0
    certificate = certify(a, 6)
    assert certificate.proof is Proof.UNDECIDED and certificate.margin < -1e-3


@pytest.mark.parametrize("small", [1.0, 1e-8, 1e-20, 1e12])
def test_forms_on_the_boundary_are_proved_in_fractions(small):
    a = np.zeros(15)
    a[[0, 10, 14]] = 1, 1, small
    certificate = certify(a, 4)
    assert certificate.proof is Proof.EXACT and certificate.exact()
    a[0] = -1e-9
    assert not certify(a, 4).certified


def test_exact_elimination_against_eigenvalues():
    rng = np.random.default_rng(0)
    for k in range(40):
        factor = rng.integers(-3, 4, size=(5, rng.integers(1, 6)))
        whole = factor @ factor.T  # semidefinite, often singular
        assert exactly_semidefinite([[Fraction(int(x)) for x in row] for row in whole])
        whole[k % 5, k % 5] -= 1 + whole[k % 5, k % 5]
        assert not exactly_semidefinite([[Fraction(int(x)) for x in row] for row in whole])


def test_the_certificate_is_of_the_coefficients_and_not_of_the_units():
    loads, twists = sample(2, 20, noise=0.05)
    model = fit(loads, twists, kind="poly4-cvx")
    for factor in (1e-6, 1e6):
        scaled = model.coefficients * np.prod(np.array([1.0, 1.0, factor]) ** monomials(4).exponents, axis=1)
        assert LimitSurfaceModel.from_coefficients(scaled).certificate.certified


def test_zero_and_concave_forms_are_not_certified():
    assert not certify(np.zeros(15), 4).certified
    assert certify(-monomials(4).power_of_norm, 4).proof is Proof.REFUTED
