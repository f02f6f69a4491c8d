"""One contact per patch: it agrees with one ECP where friction is taken about the common one, and only there."""

import numpy as np
import pytest
from step_audit import audit

from planarcontact.dynamics import Body, Sphere, scenes, simulate
from planarcontact.dynamics.options import SimulateOptions
from planarcontact.dynamics.patches import run_with_wrenches
from planarcontact.errors import InputError, UnsupportedError

COMMON, OWN = (SimulateOptions(method="patches", reference=name) for name in ("common", "own"))
STILL = lambda t: np.zeros(6)  # noqa: E731


@pytest.fixture(scope="module")
def runs():
    scene = scenes.desk(duration=2.0)
    return scene, simulate(scene, method="sliding"), run_with_wrenches(scene, COMMON), run_with_wrenches(scene, OWN)


def test_common_reference_gives_the_motion_of_one_ecp(runs):
    scene, one, (common, _), _ = runs
    assert common.ok
    assert np.abs(common.velocity - one.velocity).max() <= 1e-12
    assert np.abs(common.ecp - one.ecp).max() <= 1e-11
    assert np.abs(common.impulse - one.impulse).max() <= 1e-11
    assert max(audit(scene, common).values()) <= 1e-13


def test_own_reference_does_not_as_soon_as_the_body_turns(runs):
    scene, one, _, (own, _) = runs
    assert own.ok
    apart = np.abs(own.velocity - one.velocity).max(axis=0)
    assert 5e-3 < apart[0] < 5e-2 and 0.2 < apart[5] < 0.8
    laws = audit(scene, own)
    assert max(laws[name] for name in ("momentum", "moment", "kinematics", "penetration", "gap")) <= 1e-13
    # Seen as one contact, friction spends more than one ellipsoid allows: the feet resist turning by their distance.
    assert laws["cone"] > 1e-4


def test_own_reference_agrees_without_rotation():
    scene = scenes.desk(duration=0.5).replace(
        velocity=(0.3, 0.2, 0, 0, 0, 0), wrench=lambda t: np.array([22.5 * np.sin(6 * t), 12.0, 0, 0, 0, 0])
    )
    one, own = simulate(scene, method="sliding"), simulate(scene, method="patches", reference="own")
    assert own.ok and np.abs(own.velocity - one.velocity).max() <= 1e-12


def test_the_motion_depends_on_the_split_only_with_own_references(runs):
    scene, _, (common, _), (own, _) = runs
    other = dict(stiffness=[1, 3, 1, 3])
    assert np.abs(run_with_wrenches(scene, COMMON, **other)[0].velocity - common.velocity).max() <= 1e-12
    assert np.abs(run_with_wrenches(scene, OWN, **other)[0].velocity - own.velocity).max() > 1e-2


def test_the_wrenches_of_the_feet_add_up_and_each_stays_on_its_ellipsoid(runs):
    scene, _, *both = runs
    for (trajectory, feet), own in zip(both, (False, True)):
        assert feet.impulse[..., :3].sum(axis=1) == pytest.approx(trajectory.impulse[:, :3], abs=1e-13)
        used = np.linalg.norm(feet.impulse[..., 1:] / scene.friction.axes, axis=-1)
        assert (used <= 0.22 * feet.impulse[..., 0] * (1 + 1e-12) + 1e-14).all()
        if own:  # about the common ECP only a moment about the normal is left
            push = feet.impulse[..., :3] @ np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
            moment = np.cross(feet.ecp - trajectory.ecp[:, None], push).sum(axis=1)
            moment[:, 2] += feet.impulse[..., 3].sum(axis=1)
            assert moment == pytest.approx(trajectory.impulse[:, 3:] * [[0, 0, 1]], abs=1e-12)


@pytest.mark.parametrize("force, shift", [(0.0, 0.0), (20.0, 10.227272727272727), (-20.0, -10.227272727272727)])
def test_d9_the_least_norm_split_of_the_load(force, shift):
    """A quarter each, and H f / (4 d) more in front for feet centred at d; the corners' own lever widens d to d + s^2/d."""
    scene = scenes.desk(duration=0.05).replace(velocity=np.zeros(6), wrench=lambda t: np.array([force, 0, 0, 0, 0, 0.0]))
    trajectory, feet = run_with_wrenches(scene, OWN)
    assert trajectory.ok and np.abs(trajectory.velocity).max() <= 1e-14
    load = feet.impulse[-1, :, 0] / scene.step
    assert load.sum() == pytest.approx(147.0)
    sides = np.sign(feet.ecp[-1, :, 0])
    # Corner loads 36.75/4 (1 + c x) with c from the moment; a foot's mean x is .22, the mean x^2 of its corners .22^2 + .03^2.
    expected = 36.75 + sides * force * 0.45 * 0.22 / (4 * (0.22**2 + 0.03**2))
    assert load == pytest.approx(expected, abs=1e-9)
    # The split over four points at the feet's centres, by moments: 36.75 -/+ f H / (4 d).
    assert force * 0.45 / (4 * 0.22) == pytest.approx(shift)


def test_falls_and_lands_like_the_hull():
    turn = np.array([np.cos(0.01), np.sin(0.01), 0.0, 0.0])
    scene = scenes.desk(duration=0.4).replace(
        position=(0, 0, 0.46), orientation=turn, velocity=(0.2, 0, 0, 0, 0, 0.3), wrench=STILL
    )
    patches, hull = simulate(scene, method="patches"), simulate(scene, method="hull")
    assert patches.ok and hull.ok
    assert len(set(hull.contact)) >= 3
    assert np.abs(patches.velocity - hull.velocity).max() <= 1e-9
    assert (patches.contact == hull.contact).all()


def test_refuses_what_it_cannot_do():
    scene = scenes.desk(duration=0.02)
    body = scene.body
    with pytest.raises(UnsupportedError, match="patches"):
        simulate(scene.replace(body=Body(1.0, np.eye(3), vertices=body.vertices)), method="patches")
    round_ = Body(1.0, np.eye(3), vertices=body.vertices, patches=body.patches, spheres=[Sphere((0, 0, 0), 0.1)])
    with pytest.raises(UnsupportedError, match="patches"):
        simulate(scene.replace(body=round_), method="patches")
    for stiffness in ([1, 1, 0, 1], [1, 1, -1, 1], [1, 1, 1], [1, np.nan, 1, 1]):
        with pytest.raises(InputError, match="stiffness"):
            run_with_wrenches(scene, OWN, stiffness=stiffness)
