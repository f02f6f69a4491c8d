"""The choice of weights and of the Gaussian process's parameters on validation data."""

import numpy as np
import pytest
from ls_synthetic import angles, sample
from planarcontact.limit_surface import BOARD_GRID, SIMULATION_GRID, WeightGrid, Weights, fit
from planarcontact.limit_surface.cross_validation import TIE, first_of_the_best
from planarcontact.limit_surface.gaussian_process import GP_GRID

TRAIN, CHECK = sample(1, 15, noise=0.1), sample(1, 60)


def test_the_grids_are_the_authors():
    assert (SIMULATION_GRID.ridge, SIMULATION_GRID.force) == ((0.0, 0.1, 2.0, 8.0), (0.5, 1.0, 4.0))
    assert (BOARD_GRID.ridge, BOARD_GRID.force) == ((0.1, 2.0, 8.0, 16.0), (0.1, 1.0, 4.0, 8.0))
    assert GP_GRID == (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
    order = [(w.ridge, w.force) for w in SIMULATION_GRID]
    assert order[0] == (8.0, 0.5) and order[-1] == (0.0, 4.0) and len(order) == 12


@pytest.mark.parametrize("kind", ["quad", "poly4", "poly4-cvx"])
@pytest.mark.parametrize("objective", ["printed", "released"])
def test_the_choice_is_the_best_of_the_grid(kind, objective):
    grid = WeightGrid((0.1, 2.0), (4.0, 8.0))
    chosen = fit(*TRAIN, kind=kind, objective=objective, weights=grid, validation=CHECK)
    each = {w: fit(*TRAIN, kind=kind, objective=objective, weights=w, validation=CHECK).report.validation for w in grid}
    assert chosen.report.validation == pytest.approx(min(each.values()), abs=2 * TIE)
    assert each[chosen.report.weights] <= min(each.values()) + TIE
    assert chosen.report.validation == pytest.approx(np.mean(angles(chosen.twist(CHECK[0]), CHECK[1])))


def test_weights_that_are_given_stay():
    model = fit(*TRAIN, kind="poly4-cvx", weights=Weights(0.3, 1.0, 2.0), validation=CHECK)
    assert model.report.weights == Weights(0.3, 1.0, 2.0) and np.isfinite(model.report.validation)


def test_rounding_cannot_flip_a_tie():
    errors = np.array([12.0, 11.0, 11.0, 13.0])
    for noise in np.random.default_rng(0).normal(scale=1e-6, size=(200, 4)):
        assert first_of_the_best(list(errors + noise)) == 1


def test_a_tie_between_forces_of_a_free_scale_goes_to_the_smaller_one():
    """Exact data of an ellipsoid without ridge: every force weight gives the same model."""
    shape = np.diag([1.0, 2.0, 0.5])
    twists = np.random.default_rng(1).normal(size=(20, 3))
    loads = np.linalg.solve(shape, twists.T).T
    loads /= np.sqrt(np.einsum("ni,ij,nj->n", loads, shape, loads))[:, None]
    grid = WeightGrid((0.0,), (4.0, 0.5, 1.0))
    model = fit(loads, twists, kind="quad", weights=grid, validation=(loads, twists))
    assert model.report.weights.force == 0.5


def test_collapsed_candidates_are_passed_over():
    grid = WeightGrid((8.0,), (0.001, 8.0))
    model = fit(*sample(7, 45, noise=0.1), kind="poly4-cvx", objective="released", weights=grid, validation=CHECK)
    assert model.report.weights.force == 8.0


def test_gaussian_process_grid_against_its_members():
    chosen = fit(*TRAIN, kind="gp", validation=CHECK)
    errors = {
        (noise, scale): fit(*TRAIN, kind="gp", weights=(noise, scale), validation=CHECK).report.validation
        for noise in GP_GRID[::2]
        for scale in GP_GRID[::2]
    }
    assert chosen.report.validation <= min(errors.values()) + TIE
    noise, scale = chosen.report.weights["noise"], chosen.report.weights["scale"]
    again = fit(*TRAIN, kind="gp", weights=(noise, scale), validation=CHECK)
    assert again.report.validation == pytest.approx(chosen.report.validation, abs=1e-9)


def test_the_odd_kernel_is_the_augmented_data():
    """Every datum with its opposite: the mean is odd, as footnote 4 wants it."""
    model = fit(*TRAIN, kind="gp", weights=(0.2, 0.8))
    loads = CHECK[0]
    np.testing.assert_allclose(model.twist(-loads), -model.twist(loads), atol=1e-9)
    unit = TRAIN[0] / np.linalg.norm(TRAIN[0], axis=1, keepdims=True)

    def kernel(a, b):
        return np.exp(-np.sum((a[:, None] - b[None]) ** 2, axis=2) / (2 * 0.8**2))

    points = loads / np.linalg.norm(loads, axis=1, keepdims=True)
    odd = kernel(unit, unit) - kernel(unit, -unit)
    mean = (kernel(points, unit) - kernel(points, -unit)) @ np.linalg.solve(odd + 0.04 * np.eye(len(unit)), TRAIN[1])
    mean /= np.linalg.norm(mean, axis=1, keepdims=True)
    np.testing.assert_allclose(model.twist(loads), mean, atol=1e-9)
