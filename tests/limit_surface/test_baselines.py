"""The ellipsoid of known pressures and the pressures on a grid."""

import numpy as np
import pytest
from ls_synthetic import slide
from planarcontact.errors import InputError
from planarcontact.limit_surface import SupportPoints, UniformDisc, grid_points, howe_cutkosky, pressure_grid

TRIANGLE = np.array([[0.0, 0.0], [0.15, 0.0], [0.0, 0.15]])


def test_the_ellipsoid_of_a_disc_in_closed_form():
    model = howe_cutkosky(UniformDisc(0.1, 10.0, 0.3, length=0.05))
    moment = 2 / 3 * 0.1 * 3.0  # of a uniform disc: 2/3 R mu N
    for load in ([3.0, 0, 0], [0, 3.0, 0], [0, 0, moment], [3 / np.sqrt(2), 0, moment / np.sqrt(2)]):
        assert model.value(load) == pytest.approx(1, rel=1e-6)
    assert model.certificate.certified and model.degree == 2


def test_nodes_of_a_triangle():
    nodes = grid_points(TRIANGLE, 0.05)
    assert len(nodes) == 10 and np.all(nodes.sum(axis=1) <= 0.15 + 1e-12)
    assert len(grid_points(TRIANGLE, 0.15)) == 3


@pytest.mark.parametrize("length", [0.05, 1.0])
def test_pressures_on_the_grid_are_recovered(length):
    nodes = grid_points(TRIANGLE - 0.05, 0.025)
    share = np.zeros(len(nodes))
    share[[2, 9, 20]] = 1.0, 2.0, 0.5
    twists = np.random.default_rng(0).normal(size=(60, 3)) * (1, 1, 20)
    found = pressure_grid(slide(nodes[[2, 9, 20]], share[[2, 9, 20]], twists), twists, nodes, length=length)
    assert isinstance(found, SupportPoints)
    kept = found.pressures > 1e-6
    np.testing.assert_allclose(found.points[kept], nodes[[2, 9, 20]])
    np.testing.assert_allclose(found.pressures[kept], [1.0, 2.0, 0.5], rtol=1e-6)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: grid_points(TRIANGLE, 0.0), "spacing"),
        (lambda: grid_points(TRIANGLE[:, :1], 0.1), "outline"),
        (lambda: pressure_grid([[1.0, 0, 0]], [[1.0, 0, 0]], np.zeros((2, 3))), "points"),
        (lambda: pressure_grid([[-1.0, 0, 0]], [[1.0, 0, 0]], np.zeros((1, 2))), "loads"),
    ],
)
def test_bad_input(call, name):
    with pytest.raises(InputError, match=name):
        call()
