"""First-order contact: exact where nothing tilts, off by h^2 in a step where something does."""

import numpy as np
import pytest

from planarcontact.dynamics import Body, EllipsoidalFriction, Scene, geometry, scenes, simulate
from planarcontact.dynamics.linearised import simulate_linearised
from planarcontact.errors import InputError


def low(scene, run):
    return geometry.lowest_height(scene.body, scene.support, run.position[1:], run.orientation[1:])


@pytest.fixture(scope="module")
def toppling():
    """The dumbbell at two steps by both schemes: it topples, lands, rolls and turns."""
    runs = {}
    for h in (0.01, 0.005):
        scene = scenes.dumbbell(step=h)
        runs[h] = scene, simulate_linearised(scene), simulate(scene, backend="compiled")
        assert all(run.ok for run in runs[h][1:])
    return runs


def test_it_is_the_hull_method_where_the_contact_stays_flat():
    body = Body(2.0, np.diag([0.02, 0.03, 0.04]), [(x, y, -0.05) for x in (-0.1, 0.1) for y in (-0.15, 0.15)])
    push = lambda t: np.array([3 * np.sin(9 * t), 4.0, 0, 0, 0, 0.3 * np.cos(7 * t)])  # noqa: E731
    scene = Scene(
        body=body, friction=EllipsoidalFriction(0.3, 1.0, 0.7, 0.08), position=(0, 0, 0.05), wrench=push,
        velocity=(0.4, -0.2, 0, 0, 0, 2.0), duration=1.5,
    )  # fmt: skip
    first, hull = simulate_linearised(scene), simulate(scene, backend="compiled")
    assert first.ok and hull.ok
    assert np.abs(first.velocity - hull.velocity).max() < 1e-11
    assert np.abs(first.impulse - hull.impulse).max() < 1e-11
    carried = hull.position[1:] - hull.position[:-1]  # the baseline's ECP is at the step's start
    assert np.abs(first.ecp + carried - hull.ecp).max() < 0.3 * 0.01 * 3.0  # it has not turned along


def test_a_rolling_and_turning_rim_sinks_by_the_square_of_the_step(toppling):
    deep = {h: -low(scene, first).min() for h, (scene, first, _) in toppling.items()}
    assert deep[0.01] > 5e-5
    assert deep[0.01] / deep[0.005] == pytest.approx(4.0, rel=0.05)
    for scene, _, hull in toppling.values():
        assert low(scene, hull).min() > -1e-12


def test_it_pushes_where_nothing_touches(toppling):
    gap = {h: low(scene, first)[first.impulse[:, 0] > 1e-6].max() for h, (scene, first, _) in toppling.items()}
    assert gap[0.01] > 1e-4
    assert gap[0.01] / gap[0.005] == pytest.approx(4.0, rel=0.2)


def test_both_schemes_have_one_limit(toppling):
    """Before the impact the motion is smooth, so their difference falls with the step."""
    apart = {h: np.abs(first.position - hull.position)[: round(0.7 / h)].max() for h, (_, first, hull) in toppling.items()}
    assert 1e-4 < apart[0.01] < 0.05
    assert apart[0.005] < 0.6 * apart[0.01]


def test_the_linearised_gap_is_the_first_order_of_the_true_one(toppling):
    """What a contact point's height is at the step's end less what the scheme took it for is h^2/2 n.(w x (w x r)) and smaller."""
    scene, first, _ = toppling[0.01]
    n, h = scene.support.normal, scene.step
    k = int(np.argmax(np.abs(first.velocity[1:70, 4]))) + 1
    omega, turn = first.velocity[k + 1, 3:], geometry.rotations(first.orientation[k : k + 2])
    for arm in scene.body.discs[0].radius * scene.body.discs[0].spokes + scene.body.discs[0].centre:
        before, after = turn @ arm
        defect = (after - before - h * np.cross(omega, before)) @ n
        second = 0.5 * h**2 * np.cross(omega, np.cross(omega, before)) @ n
        assert defect == pytest.approx(second, abs=2 * (h * np.linalg.norm(omega)) ** 3 * np.linalg.norm(arm))


def test_bad_requests_are_refused():
    with pytest.raises(InputError, match="scene"):
        simulate_linearised(scenes.desk_body())
    with pytest.raises(InputError, match="sample"):
        simulate_linearised(scenes.desk(), sample="never")
