"""Cones of twists: they cover about what they promise, and they know where data are."""

import numpy as np
import pytest
from ls_synthetic import angles, sample
from planarcontact.errors import InputError
from planarcontact.limit_surface import bootstrap, fit


def cones(seed=1, **options):
    return bootstrap(*sample(seed, 30, noise=0.1), kind="poly4-cvx", replicates=40, seed=7, **options)


@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.9])
def test_coverage_of_new_measurements(coverage):
    held = []
    for seed in range(4):
        rng_loads, rng_twists = sample(seed, 430, noise=0.1)
        found = bootstrap(rng_loads[:30], rng_twists[:30], kind="poly4-cvx", replicates=40, seed=seed)
        off = angles(found.model.twist(rng_loads[30:]), rng_twists[30:])
        held.append(np.mean(off <= np.degrees(found.half_angle(rng_loads[30:], coverage))))
    assert coverage - 0.12 <= np.mean(held) <= coverage + 0.12


def test_cones_are_seeded_and_grow_with_coverage():
    loads = sample(2, 10)[0]
    one, other = cones(), cones()
    np.testing.assert_array_equal(one.half_angle(loads), other.half_angle(loads))
    assert np.all(one.half_angle(loads, 0.95) >= one.half_angle(loads, 0.5)) and np.all(one.half_angle(loads, 0.99) <= np.pi)
    np.testing.assert_array_equal(one.model.coefficients, fit(*sample(1, 30, noise=0.1), kind="poly4-cvx").coefficients)


def test_the_spread_is_larger_far_from_data():
    loads, twists = sample(1, 60, noise=0.05)
    near = loads[:, 2] > 0.1 * np.abs(loads[:, 2]).max()
    found = bootstrap(loads[near], twists[near], kind="poly4-cvx", replicates=40, seed=1)
    sideways = np.abs(loads[:, 2]) < 0.05 * np.abs(loads[:, 2]).max()
    assert np.mean(found.spread(loads[sideways])) > np.mean(found.spread(loads[near]))


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: bootstrap(*sample(1, 4), kind="poly4-cvx", seed=1), "loads"),
        (lambda: bootstrap(*sample(1, 9), kind="poly4-cvx", replicates=5, seed=1), "replicates"),
        (lambda: bootstrap(*sample(1, 9), kind="gp", seed=1), "kind"),
        (lambda: cones().half_angle([[1.0, 0, 0]], 1.0), "coverage"),
    ],
)
def test_bad_input(call, name):
    with pytest.raises(InputError, match=name):
        call()
