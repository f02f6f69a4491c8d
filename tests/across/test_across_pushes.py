"""Two-finger pushes as contact problems, and the chain from pokes to executed pushes."""

import numpy as np
import pytest

from planarcontact.across import FingerMode, TwoFingers, push_two_fingers
from planarcontact.across.push_chain import SLIPPED, draw_pushers, predict, simulate_pokes, surface_from_pokes
from planarcontact.errors import InputError
from planarcontact.limit_surface import SupportPoints, TriangularBlock, UniformDisc, is_stable_push, statics_pressures

BLOCK = TriangularBlock()
POINTS = BLOCK.supports("30_90")
TRUTH = SupportPoints(POINTS, statics_pressures(POINTS, BLOCK.weight), 0.3, BLOCK.length)
FINGERS = np.array([[-0.1, -0.02], [-0.1, 0.02]])


def disc() -> UniformDisc:
    return UniformDisc(0.1, 9.8, 0.3, length=0.07)


def test_straight_push_carries_the_disc_along():
    run = push_two_fingers(disc(), TwoFingers(FINGERS, (1.0, 0.0), 0.5, (2e-3, 0.0, 0.0)), step=0.5, duration=5.0)
    assert set(run.mode) == {FingerMode.STICK}
    np.testing.assert_allclose(run.pose[-1], [0.01, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(run.force.sum(axis=1), np.tile([0.3 * 9.8, 0.0], (10, 1)), atol=1e-9)
    assert max(run.slip) <= 1e-12


def test_pusher_that_moves_across_slips_at_the_edge_of_its_cone():
    mu = 0.2
    run = push_two_fingers(disc(), TwoFingers(FINGERS, (1.0, 0.0), mu, (1e-3, 2e-3, 0.0)), step=0.25, duration=2.0)
    assert set(run.mode) <= {FingerMode.SLIP, FingerMode.ONE_SLIPS}
    np.testing.assert_allclose(run.force[..., 1], mu * run.force[..., 0], atol=1e-9)  # the fingers drag the body along +y
    assert run.gap.min() >= -1e-9 and run.slip[0] > 1e-4


def _balance(run, fingers, surface):
    """Worst distance of the fingers' wrench from the load of the step's twist, over the largest force."""
    edge, worst = fingers.normal, 0.0
    along = np.array([-edge[1], edge[0]])
    for k in range(len(run.mode)):
        x, y, angle = run.pose[k + 1]
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[c, -s], [s, c]])
        at = (fingers.places(run.time[k + 1], run.pose[0]) - [x, y]) @ turn
        at = at + run.gap[k][:, None] * edge
        force = run.force[k] @ np.stack([edge, along])
        wrench = np.append(force.sum(axis=0), (at[:, 0] * force[:, 1] - at[:, 1] * force[:, 0]).sum())
        load = surface.load(run.twist[k : k + 1])[0]
        worst = max(worst, float(np.abs((wrench - load) / [1.0, 1.0, surface.length]).max() / surface.limits.sum()))
    return worst


def test_every_push_obeys_balance_coulomb_and_signorini():
    modes = set()
    for fingers in draw_pushers(8, 0.5, seed=4):
        run = push_two_fingers(TRUTH, fingers, step=1.0, duration=4.0)
        modes |= set(run.mode)
        assert _balance(run, fingers, TRUTH) <= 1e-7
        normal, tangential = run.force[..., 0], run.force[..., 1]
        assert normal.min() >= 0.0 and (np.abs(tangential) <= 0.5 * normal + 1e-8).all()
        assert run.gap.min() >= -1e-8 and (normal * run.gap).max() <= 1e-8
    assert len(modes) >= 2


def test_stable_by_the_rule_means_carried_in_the_execution():
    pushers = draw_pushers(10, 0.5, seed=9)
    result = predict(TRUTH, pushers, step=1.0)
    assert (result.stable == ~result.slips).all() and 0 < result.stable.sum() < 10
    assert result.slip[result.stable].max() <= 1e-3 * SLIPPED
    for fingers, stable in zip(pushers, result.stable):
        assert stable == is_stable_push(TRUTH, fingers.points, np.tile(fingers.normal, (2, 1)), 0.5, fingers.twist)


def test_pokes_lie_on_the_surface_and_are_those_of_their_seed():
    loads, twists, _ = simulate_pokes(TRUTH, 20, seed=3)
    np.testing.assert_allclose((loads * twists).sum(axis=1), TRUTH.support(twists), rtol=1e-6)
    again = simulate_pokes(TRUTH, 20, seed=3)
    np.testing.assert_array_equal(loads, again[0])
    noisy = simulate_pokes(TRUTH, 20, seed=3, noise=0.1)[0]
    spread = (noisy - loads) / [1.0, 1.0, BLOCK.length] / TRUTH.limits.sum()
    assert 0.07 < spread.std() < 0.13


def test_identified_surface_predicts_slip_or_not():
    pushers = draw_pushers(8, 0.5, seed=6)
    executed = predict(TRUTH, pushers, step=1.0)
    guess = predict(surface_from_pokes(TRUTH, 40, seed=6), pushers, step=1.0)
    assert (guess.stable == ~executed.slips).sum() >= 7


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"points": [[0.0, 0.0], [0.0, 0.0]]}, "points"),
        ({"points": [[-0.1, 0.0], [0.0, 0.02]]}, "straight edge"),
        ({"normal": (0.0, 0.0)}, "normal"),
        ({"mu": -0.1}, "mu"),
        ({"twist": (0.0, 0.0, 0.0)}, "twist"),
    ],
)
def test_fingers_refuse_what_they_cannot_be(changes, words):
    given = {"points": FINGERS, "normal": (1.0, 0.0), "mu": 0.5, "twist": (1.0, 0.0, 0.0)} | changes
    with pytest.raises(InputError, match=words):
        TwoFingers(**given)
