"""Cases from the field, each with its kind (the rest stand in test_closed_forms.py and test_bad_input.py)."""

import numpy as np
import pytest
from bodies import box, cylinder, resting

from planarcontact.dynamics import Body, ContactMode, EllipsoidalFriction, scenes, simulate
from planarcontact.dynamics.geometry import rotations


def one_step(v_t, v_o, v_r, *, mu=0.22, e=(1.0, 1.0, 0.1), mass=15.0, unit=1.0, turn=0.0):
    """Friction impulse of a heavy-footed block that slides and turns for one step of 0.01 s."""
    body = box(mass * 1.0, (0.2 * unit, 0.2 * unit, 1e-6 * unit))  # so flat that the ECP stays under the COM
    c, s = np.cos(turn), np.sin(turn)
    velocity = (c * v_t - s * v_o, s * v_t + c * v_o, 0, 0, 0, v_r)
    scene = resting(body, height=5e-7 * unit, mu=mu, e=e, velocity=velocity, gravity=9.8 * unit, duration=0.01)
    run = simulate(scene, backend="compiled")
    assert run.ok
    return run


def expected(run, mu, e):
    """Maximum dissipation by its closed form from the slip at the step's end."""
    at = run.velocity[1, :3] + np.cross(run.velocity[1, 3:], run.ecp[0] - run.position[1])
    slip = np.array([at[0], at[1], run.velocity[1, 5]]) * e
    return -mu * run.impulse[0, 0] * np.asarray(e) * slip / np.linalg.norm(slip)


@pytest.mark.parametrize("ratio", [0.01, 0.3, 1.0, 3.0, 100.0])
def test_d5_slide_and_spin_share_one_limit(ratio):
    e = (1.0, 1.0, 0.1)
    run = one_step(0.1 * 50, 0.0, 50.0 * ratio)
    assert run.impulse[0, 1:] == pytest.approx(expected(run, 0.22, e), abs=1e-12)
    used = np.linalg.norm(run.impulse[0, 1:] / e)
    assert used == pytest.approx(0.22 * 1.47, abs=1e-12)
    slip = np.abs(run.velocity[1, [0, 5]]) * [1.0, 0.1]
    if ratio == 1.0:  # v_t = e_r v_r at the step's end too: each takes 1 / sqrt(2) of the limit
        share = slip / np.linalg.norm(slip)
        assert np.abs(run.impulse[0, [1, 3]]) == pytest.approx(0.3234 * share * [1.0, 0.1], abs=1e-6)
        assert (0.3234 / np.sqrt(2), 0.03234 / np.sqrt(2)) == pytest.approx((0.228678, 0.0228678), abs=1e-6)


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e3])
def test_d5_kind_other_units_of_length_give_the_same_physics(unit):
    """Lengths in `unit` metres: e_r and all lengths scale, e_t and e_o do not."""
    reference = one_step(3.0, 1.0, 20.0)
    other = one_step(3.0 * unit, 1.0 * unit, 20.0, e=(1.0, 1.0, 0.1 * unit), unit=unit)
    assert other.impulse[0, :3] / unit == pytest.approx(reference.impulse[0, :3], rel=1e-11)
    assert other.impulse[0, 3] / unit**2 == pytest.approx(reference.impulse[0, 3], rel=1e-11)


@pytest.mark.parametrize("degrees", [0, 10, 30, 45, 77, 90, 150])
def test_d6_friction_off_the_axes_lies_on_the_ellipse(degrees):
    angle = np.radians(degrees)
    e = (1.0, 0.5, 0.1)
    run = one_step(50 * np.cos(angle), 50 * np.sin(angle), 0.0, e=e)
    force = run.impulse[0, 1:3] / (0.22 * run.impulse[0, 0])
    assert force[0] ** 2 + (force[1] / 0.5) ** 2 == pytest.approx(1.0, abs=1e-12)
    heading = np.arctan2(run.velocity[1, 1], run.velocity[1, 0])
    law = -np.array([np.cos(heading), 0.25 * np.sin(heading)]) / np.hypot(np.cos(heading), 0.5 * np.sin(heading))
    assert force == pytest.approx(law, abs=1e-12)
    if degrees == 30:
        exact = np.array([np.cos(angle), 0.25 * np.sin(angle)]) / np.hypot(np.cos(angle), 0.5 * np.sin(angle))
        assert exact == pytest.approx([0.960769, 0.138675], abs=1e-6)
        assert np.degrees(np.arctan2(exact[1], exact[0])) == pytest.approx(8.213, abs=1e-3)


@pytest.mark.parametrize("turn", [0.4, 1.3, 2.9])
def test_isotropic_friction_turns_with_the_motion(turn):
    a, b = one_step(3.0, 1.0, 20.0), one_step(3.0, 1.0, 20.0, turn=turn)
    c, s = np.cos(turn), np.sin(turn)
    assert b.impulse[0, 1:3] == pytest.approx([[c, -s], [s, c]] @ a.impulse[0, 1:3], abs=1e-12)


@pytest.mark.parametrize(("force", "x"), [(20.0, 0.061224), (10.0, 0.030612), (30.0, 0.091837)])
def test_d8_the_ecp_of_a_leaning_desk_is_the_resultant(force, x):
    scene = scenes.desk(duration=0.5).replace(velocity=np.zeros(6), wrench=lambda t: np.array([force, 0, 0, 0, 0, 0]))
    run = simulate(scene, backend="compiled")
    assert run.ok and np.abs(run.velocity).max() < 1e-11
    assert run.ecp[:, 0] == pytest.approx(0.45 * force / 147, abs=1e-12)
    assert run.ecp[-1, 0] == pytest.approx(x, abs=1e-6)


@pytest.mark.parametrize("heading", [0.0, 1.0, 2.5])
def test_d8_sliding_desk_has_its_ecp_mu_h_ahead(heading):
    v = 3.0 * np.array([np.cos(heading), np.sin(heading)])
    scene = scenes.desk(duration=0.5).replace(velocity=(*v, 0, 0, 0, 0), wrench=lambda t: np.zeros(6))
    run = simulate(scene, backend="compiled")
    ahead = run.ecp[:, :2] - run.position[1:, :2]
    assert ahead == pytest.approx(np.tile(0.22 * 0.45 * v / 3.0, (50, 1)), abs=1e-12)


def test_d9_a_resting_desk_has_its_whole_weight_at_the_centre():
    scene = scenes.desk(duration=0.2).replace(velocity=np.zeros(6), wrench=lambda t: np.zeros(6))
    run = simulate(scene, backend="compiled")
    assert run.impulse[:, 0] / 0.01 == pytest.approx(147.0, abs=1e-10)
    assert run.ecp == pytest.approx(np.zeros((20, 3)), abs=1e-13)


def test_d9_kind_splitting_a_leg_in_two_changes_nothing():
    """More legs at the same places: the split is even less unique, the motion and the ECP are the same."""
    desk = scenes.desk(duration=0.5)
    body = desk.body
    doubled = desk.replace(body=Body(body.mass, body.inertia, np.concatenate([body.vertices, body.vertices[:7]])))
    a, b = simulate(desk, backend="compiled"), simulate(doubled, backend="compiled")
    assert b.velocity == pytest.approx(a.velocity, abs=1e-12)
    assert b.ecp == pytest.approx(a.ecp, abs=1e-12)


def test_d12_a_lying_dumbbell_does_not_rock():
    half = np.sqrt(0.5)
    scene = scenes.dumbbell(duration=10.0).replace(
        position=(0, 0, 0.1), orientation=(half, 0, half, 0), wrench=lambda t: np.zeros(6)
    )
    run = simulate(scene, backend="compiled")
    assert run.ok and len(run.residual) == 1000 and (run.contact == ContactMode.LINE).all()
    spoke = rotations(run.orientation)[:, :, 0]
    assert np.abs(spoke - spoke[0]).max() <= 1e-12
    assert np.abs(run.ecp[:, :2] - run.position[1:, :2]).max() <= 1e-12 and np.abs(run.ecp[:, 2]).max() <= 1e-13


def test_d12_kind_a_lying_cylinder_keeps_its_line_while_it_spins_and_rolls():
    scene = resting(cylinder(), height=0.1, velocity=(0, 0.5, 0, -5.0, 0, 2.0), duration=3.0)
    run = simulate(scene, backend="compiled")
    assert run.ok and (run.contact == ContactMode.LINE).all() and np.abs(run.position[:, 2] - 0.1).max() <= 1e-13


@pytest.mark.parametrize("name", ["desk", "t_bar", "dumbbell"])
def test_d21_every_scene_of_the_book_succeeds(name):
    scene = getattr(scenes, name)()
    run = simulate(scene, backend="compiled")
    assert run.ok and run.residual.max() <= 1e-12 and not run.failures
    capped = simulate(scene.replace(duration=0.2), backend="compiled", max_iterations=1)
    assert capped.ok or (capped.failures and np.isfinite(capped.residual).all())


def test_the_t_bars_two_rocks_are_mirror_images():
    """The second twist is the first one mirrored: so are the heights, and the corners in the order of their use."""
    run = simulate(scenes.t_bar(), backend="compiled")
    first, second = run.position[40:139, 2], run.position[190:289, 2]
    assert second == pytest.approx(first, abs=2e-3)
    friction = EllipsoidalFriction(0.22)
    assert friction.e_t == friction.e_o  # an isotropic floor, without which they would not be
