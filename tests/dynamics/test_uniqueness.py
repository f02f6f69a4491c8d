"""The ECP: one for every motion, from whatever start, in the hull of what touches, and fixed by the balance alone."""

import numpy as np
import pytest

from planarcontact.dynamics import scenes, simulate
from planarcontact.dynamics.uniqueness import balance, outside, random_contact, roots
from planarcontact.errors import InputError


def agree(kind, bodies, seed):
    """Check `bodies` random bodies; return how many roots there were, and the largest difference between two splits."""
    rng, apart, count = np.random.default_rng(seed), 0.0, 0
    for k in range(bodies):
        scene = random_contact(rng, kind)
        size, speed = scene.body.bounding_radius, scene.velocity_scale
        found = roots(scene, seed=k)
        groups = found.motions(1e-8 * speed * max(1.0, 1.0 / size))
        assert len(groups) == 1, (kind, k, groups)
        group = groups[0]
        assert found.impulse[group[0], 0] > 0.0
        assert np.abs(found.ecp[group] - found.ecp[group[0]]).max() <= 1e-9 * size
        assert outside(scene, found.position[group[0]], found.orientation[group[0]], found.ecp[group[0]]) <= 1e-9 * size
        force, point = balance(scene, found, group[0])
        assert np.abs(force - found.impulse[group[0]]).max() <= 1e-11 * scene.body.mass * speed
        assert np.abs(point - found.ecp[group[0]]).max() <= 1e-9 * size
        apart = max(apart, np.abs(found.split[group] - found.split[group[0]]).max() / found.impulse[group[0], 0])
        count += len(group)
    return count, apart


@pytest.mark.parametrize("kind", ["resting", "moving"])
def test_eight_feet_share_the_load_in_many_ways_and_have_one_ecp(kind):
    count, apart = agree(kind, 10, 1)
    assert count == 120
    assert apart > 0.1  # the starts did end on different splits


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["resting", "moving", "discs"])
def test_two_hundred_and_forty_bodies(campaign, kind):
    agree(kind, 80, 7)
    campaign(
        name=f"ECP unique, {kind}", seed=7, count=80 * 12, failures=0, note="80 random bodies, one step from each of 12 starts"
    )


def test_the_balance_is_checked_against_a_shifted_point():
    """A body at rest under a known load: the ECP of statics, and a point elsewhere that the checks must refuse."""
    push = np.array([20.0, 0, 0, 0, 0, 0])
    scene = scenes.desk(duration=0.01).replace(velocity=np.zeros(6), wrench=lambda t: push)
    found = roots(scene, starts=4)
    k = found.motions(1e-8)[0][0]
    assert found.ecp[k] == pytest.approx([0.45 * 20 / 147, 0, 0], abs=1e-9)
    assert balance(scene, found, k)[1] == pytest.approx(found.ecp[k], abs=1e-9)
    assert outside(scene, found.position[k], found.orientation[k], [0.26, 0, 0]) == pytest.approx(0.01, abs=1e-6)
    assert outside(scene, found.position[k] + [0, 0, 1], found.orientation[k], found.ecp[k]) == np.inf
    assert simulate(scene).ecp[0] == pytest.approx(found.ecp[k], abs=1e-9)


def test_bad_requests_are_refused():
    with pytest.raises(InputError, match="starts"):
        roots(scenes.desk(), starts=0)
    with pytest.raises(InputError, match="kind"):
        random_contact(np.random.default_rng(0), "flying")
