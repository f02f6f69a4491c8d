"""Scenes and arguments that once broke the simulation: long steps, deep starts, overflow, caps, and odd scales."""

import numpy as np
import pytest

from planarcontact.dynamics import Body, Disc, EllipsoidalFriction, SampledWrench, Scene, scenes, simulate, simulate_batch
from planarcontact.errors import InputError

TILT = np.array([0.9, 0.3, 0.2, 0.1])


def brick(**changes):
    corners = [(x, y, z) for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (-0.1, 0.1)]
    body = Body(1.0, 0.1 * np.eye(3), vertices=corners)
    arguments = dict(body=body, friction=EllipsoidalFriction(0.2), position=(0, 0, 0.1), duration=0.03)
    return Scene(**(arguments | changes))


@pytest.mark.parametrize("step", [0.1, 0.3, 1.0, 3.0])
def test_what_rests_stays_at_rest_however_long_the_step(step):
    desk = scenes.desk().replace(velocity=np.zeros(6), wrench=lambda t: np.zeros(6), step=step, duration=3 * step)
    for scene in (brick(step=step, duration=3 * step), desk):
        for trajectory in (simulate(scene, backend="compiled"), simulate_batch([scene])[0]):
            rests = np.abs(trajectory.velocity).max() <= 1e-10
            assert rests and trajectory.ok, (step, trajectory.velocity, trajectory.status)


@pytest.mark.parametrize("depth", [0.01, 0.1, 1.0, 10.0, 100.0])
def test_a_flat_body_is_lifted_out_with_depth_over_step_and_no_spin(depth):
    trajectory = simulate(brick(position=(0, 0, 0.1 - depth)), backend="compiled")
    assert trajectory.ok
    assert np.abs(trajectory.velocity[1] - [0, 0, depth / 0.01, 0, 0, 0]).max() <= 1e-9 * depth / 0.01


HARD = {
    "rest": brick(step=1.0, duration=3.0),
    "deep": brick(position=(0, 0, -10.0)),
    "tilted": brick(position=(0, 0, -1.0), orientation=TILT / np.linalg.norm(TILT)),
    "dropped": brick(position=(0, 0, 0.11), velocity=(0, 0, -100.0, 0, 0, 0)),
}


def test_the_same_roots_as_the_jax_stepper():
    for name, scene in HARD.items():
        a, b = simulate(scene), simulate(scene, backend="compiled")
        solved = (b.status == 0).cumprod().astype(bool)
        assert a.ok and solved[0], name
        scale = max(1.0, np.abs(a.velocity).max())
        assert np.abs(a.velocity[1:] - b.velocity[1:])[solved].max() <= 1e-9 * scale, name


def test_no_motion_gains_energy_from_contact():
    """Bricks at any pose and step: kinetic energy at most that of the free motion, or the step has not converged."""
    rng = np.random.default_rng(20)
    for _ in range(40):
        q, step = rng.normal(size=4), 10.0 ** rng.uniform(-2, 0)
        scene = brick(position=(0, 0, 0.3), orientation=q / np.linalg.norm(q), step=step, duration=step)
        trajectory = simulate(scene, backend="compiled")
        v = trajectory.velocity[1]
        if trajectory.ok:  # starts above the plane, so nothing is lifted out
            free = 0.5 * (9.8 * step) ** 2
            assert 0.5 * v[:3] @ v[:3] + 0.05 * v[3:] @ v[3:] <= 1.2 * free + 1e-12


PUSHED = dict(velocity=(1, 0.3, 0, 0, 0, 1), wrench=lambda t: np.array([5, 0, 0, 0, 0, 1.0]))


@pytest.mark.parametrize("cap", [1, 2, 5])
def test_sliding_keeps_its_cap(cap):
    trajectory = simulate(brick(**PUSHED), method="sliding", max_iterations=cap)
    assert trajectory.iterations.max() <= (2 + 20) * cap
    assert ((trajectory.status == 0) == (trajectory.residual <= 1e-12)).all()


def test_sliding_keeps_its_best_iterate():
    scene = brick(**PUSHED)
    good, best = (simulate(scene, method="sliding", tolerance=tolerance) for tolerance in (1e-12, 1e-17))
    assert good.ok and not best.ok and best.residual.max() <= 1e-15
    assert np.abs(good.velocity - best.velocity).max() <= 1e-12


OVERFLOWS = [
    dict(velocity=(0, 0, 0, 0, 0, 1e300)), dict(velocity=(1e200, 0, 0, 0, 0, 0)), dict(gravity=1e300),
    dict(wrench=lambda t: np.array([0, 0, 0, 0, 0, 1e300])),
]  # fmt: skip


@pytest.mark.parametrize("change", OVERFLOWS)
@pytest.mark.parametrize("options", [dict(backend="compiled"), dict(method="sliding")], ids=["compiled", "sliding"])
def test_overflow_holds_the_state_without_a_warning(change, options):
    trajectory = simulate(brick(**change), **options)
    for rows in (trajectory.position, trajectory.orientation, trajectory.velocity, trajectory.impulse):
        assert np.isfinite(rows).all()
    assert not trajectory.ok or np.abs(np.linalg.norm(trajectory.orientation, axis=1) - 1).max() <= 1e-9


@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1.0, 1e200, 1e300])
def test_the_axis_of_a_disc_is_a_direction(scale):
    assert np.abs(Disc((0, 0, 0), np.array([1, 1, 0]) * scale, 0.1).axis - np.sqrt([0.5, 0.5, 0])).max() <= 1e-15


def test_odd_arguments_are_input_errors():
    for cap in (2**31, 2**40, 10**30):
        with pytest.raises(InputError, match="max_iterations"):
            simulate(brick(), max_iterations=cap)
    with pytest.raises(InputError, match="patches"):
        Body(1.0, np.eye(3), vertices=np.eye(3), patches=[[0, 1], [[1], 2]])
    table = SampledWrench([0, 1], np.zeros((2, 6)))
    for t in ([[1], [1, 2]], [0.5], "1", None):
        with pytest.raises(InputError, match="t"):
            table(t)
