"""Parameters from a noisy slide, and a push to a goal."""

import numpy as np
import pytest

from planarcontact.dynamics import EllipsoidalFriction, scenes, simulate
from planarcontact.dynamics.estimation import estimate_parameters, push_to_goal
from planarcontact.errors import InputError

NOISE = np.array([1e-3] * 3 + [2e-3] * 4 + [1.0] * 6)  # camera: 1 mm, 0.2 degrees, no velocities


def slide(mu=0.22, e_r=0.1):
    still = lambda t: np.zeros(6)  # noqa: E731
    scene = scenes.desk(step=0.005, duration=0.5).replace(velocity=(0.8, 0.3, 0, 0, 0, 3.0), wrench=still)
    return scene.replace(friction=EllipsoidalFriction(mu=mu, e_r=e_r))


def camera(scene, rng):
    t = simulate(scene, backend="compiled")
    states = np.hstack([t.position, t.orientation, t.velocity])
    states += rng.normal(size=states.shape) * NOISE
    states[:, 7:] = np.nan
    return states


@pytest.mark.parametrize("slides, least", [(4, 5), pytest.param(40, 69, marks=pytest.mark.slow)])
def test_intervals_hold_the_truth_as_often_as_they_say(slides, least):
    """Of 2 intervals a slide at 95 %: fewer than `least` that hold the truth would come about less than once in 1,000 times."""
    rng, held = np.random.default_rng(6), 0
    for _ in range(slides):
        found = estimate_parameters(slide(0.35, 0.2), camera(slide(), rng), NOISE)
        assert found.values["mu"] == pytest.approx(0.22, rel=0.03) and found.values["e_r"] == pytest.approx(0.1, rel=0.2)
        assert 0.8 < found.misfit < 1.2
        held += sum(low <= truth <= high for (low, high), truth in zip(found.intervals.values(), (0.22, 0.1)))
    assert held >= least


def test_a_push_brings_the_desk_to_its_goal():
    scene = scenes.desk(duration=1.0).replace(velocity=np.zeros(6))
    goal = np.full(13, np.nan)
    goal[[0, 1, 3, 6]] = 0.35, 0.2, np.cos(0.2), np.sin(0.2)
    push = push_to_goal(scene, goal, np.tile([45.0, 25.0, 0, 0, 0, 1.5], (2, 1)))
    assert np.abs(push.miss).max() <= 1e-3
    end = simulate(push.scene)
    assert end.ok
    assert end.position[-1, :2] == pytest.approx([0.35, 0.2], abs=1e-3)
    assert 2 * np.arctan2(end.orientation[-1, 3], end.orientation[-1, 0]) == pytest.approx(0.4, abs=2e-3)


def test_bad_requests_are_refused():
    scene = slide()
    with pytest.raises(InputError, match="observed"):
        estimate_parameters(scene, np.zeros((3, 13)), NOISE)
    with pytest.raises(InputError, match="noise"):
        estimate_parameters(scene, np.zeros((101, 13)), np.zeros(13))
    with pytest.raises(InputError, match="with_respect_to"):
        estimate_parameters(scene, np.zeros((101, 13)), NOISE, ["inertia"])
    with pytest.raises(InputError, match="goal"):
        push_to_goal(scene, [0, 0, 0], np.zeros((1, 6)))
