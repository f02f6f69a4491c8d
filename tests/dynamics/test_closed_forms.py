"""The hull method against motions that are known in closed form."""

import numpy as np
import pytest
from bodies import ball, box, cylinder, resting, slope

from planarcontact.dynamics import ContactMode, simulate
from planarcontact.dynamics.diagnostics import diagnose


def sound(scene, trajectory, **how):
    """Every step converged, and every law holds by a computation that the solver has no part in."""
    assert trajectory.ok, trajectory.failures[:3]
    assert trajectory.residual.max() <= 1e-12
    found = diagnose(scene, trajectory, **how)
    for law in ("penetration", "signorini", "momentum", "coulomb"):
        assert getattr(found, law).max() <= 1e-12, law
    assert np.abs(found.dissipation).max() <= 1e-12
    return trajectory


def test_d1_block_holds_on_a_slope_without_creep():
    plane, q = slope(np.radians(10))
    scene = resting(box(), height=0.05, plane=plane, orientation=q, duration=4.0)
    t = sound(scene, simulate(scene))
    assert np.abs(t.velocity).max() <= 1e-12
    assert np.abs(t.position - t.position[0]).max() < 1e-10
    force = t.impulse / scene.step
    assert np.hypot(force[:, 1], force[:, 2]) == pytest.approx(25.526, abs=5e-4)
    assert 0.22 * force[:, 0] == pytest.approx(31.849, abs=5e-4)


@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize("degrees", [15.0, 25.0])
def test_d1_block_slides_down_a_steep_slope(degrees, axis):
    angle = np.radians(degrees)
    plane, q = slope(angle, axis)
    scene = resting(box(), height=0.05, plane=plane, orientation=q, duration=1.0)
    t = sound(scene, simulate(scene))
    a = 9.8 * (np.sin(angle) - 0.22 * np.cos(angle))
    if degrees == 15.0:
        assert a == pytest.approx(0.453891, abs=5e-7)
    assert np.linalg.norm(t.velocity[:, :3], axis=1) == pytest.approx(a * t.time, abs=1e-12)
    assert np.abs(t.velocity[:, 3:]).max() <= 1e-12


@pytest.mark.parametrize("angle", [0.0, 0.3])
def test_d1_block_on_the_verge_of_sliding_holds_below_and_slides_above(angle):
    """On either side of the friction angle, for any heading of the block on the slope."""
    for excess, moves in ((-1e-6, False), (1e-6, True)):
        plane, q = slope(np.arctan(0.22) + excess)
        half = np.array([np.cos(angle), 0, 0, np.sin(angle)])
        turned = np.array([
            q[0] * half[0] - q[2] * half[2], q[0] * half[1] + q[2] * half[3],
            q[0] * half[2] + q[2] * half[0], q[0] * half[3] - q[2] * half[1],
        ])  # fmt: skip
        scene = resting(box(), height=0.05, plane=plane, orientation=turned, duration=0.5)
        t = sound(scene, simulate(scene))
        assert (np.abs(t.velocity[-1]).max() > 1e-7) == moves


def test_d3_friction_is_below_its_limit_in_the_step_that_stops():
    scene = resting(box(), height=0.05, velocity=(0.3, 0, 0, 0, 0, 0), duration=0.2)
    t = sound(scene, simulate(scene))
    ratio = np.hypot(t.impulse[:, 1], t.impulse[:, 2]) / t.impulse[:, 0]
    assert ratio[:13] == pytest.approx(0.22, abs=1e-13)
    assert ratio[13] == pytest.approx(0.201224, abs=5e-7)
    assert ratio[13] == pytest.approx((0.3 - 13 * 0.22 * 9.8 * 0.01) / (9.8 * 0.01), abs=1e-12)
    assert np.abs(ratio[14:]).max() <= 1e-13
    assert np.abs(t.velocity[14:, :3]).max() <= 1e-14


@pytest.mark.parametrize(("speed", "mu", "heading"), [(0.3, 0.22, 0.7), (1.0, 0.5, 2.0), (0.05, 0.9, 4.0)])
def test_d3_kind_any_sliding_block_stops_in_the_right_step(speed, mu, heading):
    v = speed * np.array([np.cos(heading), np.sin(heading)])
    scene = resting(box(), height=0.05, mu=mu, velocity=(*v, 0, 0, 0, 0), duration=0.5)
    t = sound(scene, simulate(scene))
    expected = np.maximum(speed - mu * 9.8 * t.time, 0.0)
    assert np.linalg.norm(t.velocity[:, :2], axis=1) == pytest.approx(expected, abs=1e-12)
    assert np.abs(t.velocity[:, 3:]).max() <= 1e-12


def test_spinning_block_slows_down_linearly():
    """Pure spin about the normal: the moment is mu m g e_r until the spin is gone."""
    body = box()
    scene = resting(body, height=0.05, velocity=(0, 0, 0, 0, 0, 6.0), duration=1.0)
    t = sound(scene, simulate(scene))
    rate = 0.22 * body.mass * 9.8 * 0.1 / body.inertia[2, 2]
    assert t.velocity[:, 5] == pytest.approx(np.maximum(6.0 - rate * t.time, 0.0), abs=1e-12)
    assert np.abs(t.velocity[:, :5]).max() <= 1e-11


def test_spinning_disc_slows_down_linearly_and_turns_by_the_cayley_map():
    """The same for a cylinder standing on one of its end discs."""
    q = np.array([np.cos(np.pi / 4), 0, np.sin(np.pi / 4), 0])  # the body's x points down
    body = cylinder()
    scene = resting(body, height=0.15, orientation=q, velocity=(0, 0, 0, 0, 0, 5.0), duration=0.5)
    t = sound(scene, simulate(scene))
    rate = 0.22 * body.mass * 9.8 * 0.1 / body.inertia[0, 0]
    spin = np.maximum(5.0 - rate * t.time, 0.0)
    assert t.velocity[:, 5] == pytest.approx(spin, abs=1e-12)
    assert (t.contact == ContactMode.SURFACE).all()
    angle = np.concatenate([[0.0], np.cumsum(2 * np.arctan(0.01 * spin[1:] / 2))])
    turned = np.abs(t.orientation @ np.array([0, 0, 1, 0])) / np.abs(q[2])  # q_z(angle) * q: y part is cos(angle / 2)
    assert turned == pytest.approx(np.abs(np.cos(angle / 2)), abs=1e-12)


@pytest.mark.parametrize("shape", ["cylinder", "ball"])
def test_d14_sliding_turns_into_rolling_without_resistance(shape):
    body, gyration = (cylinder(), 0.5) if shape == "cylinder" else (ball(), 0.4)
    scene = resting(body, height=0.1, velocity=(0, 1, 0, 0, 0, 0) if shape == "cylinder" else (1, 0, 0, 0, 0, 0), duration=1.0)
    t = sound(scene, simulate(scene))
    v = t.velocity[:, 1] if shape == "cylinder" else t.velocity[:, 0]
    spin = -t.velocity[:, 3] if shape == "cylinder" else t.velocity[:, 4]
    rolling = 1 / (1 + gyration)
    time = rolling * gyration / (0.22 * 9.8)  # v0 - mu g t = v0 / (1 + gyration)
    if shape == "cylinder":
        assert time == pytest.approx(0.154607, abs=5e-7)
        assert int(np.ceil(time / 0.01)) == 16
    k = int(np.ceil(time / 0.01))
    assert v[:k] == pytest.approx(1 - 0.22 * 9.8 * t.time[:k], abs=1e-12)
    assert v[k:] == pytest.approx(rolling, abs=1e-12)
    assert spin[k:] == pytest.approx(rolling / 0.1, abs=1e-11)
    slip = diagnose(scene, t).slip
    assert np.abs(slip[k:, :2]).max() <= 1e-12


def test_d17_angular_velocity_is_spatial_and_quaternions_are_wxyz():
    half = np.sqrt(0.5)
    scene = resting(box(), height=5.0, orientation=(half, 0, 0, half), velocity=(0, 0, 0, 1, 0, 0), duration=0.01)
    t = simulate(scene)
    a, b = t.orientation
    w = b[0] * a[0] + b[1:] @ a[1:]
    world = -b[0] * a[1:] + a[0] * b[1:] - np.cross(b[1:], a[1:])  # vector part of b a*
    turned = 2 * np.arctan2(1, w / np.linalg.norm(world)) * world / np.linalg.norm(world)
    assert turned == pytest.approx([2 * np.arctan(0.005), 0, 0], abs=1e-14)
    body = a[0] * b[1:] - b[0] * a[1:] - np.cross(a[1:], b[1:])  # vector part of a* b: the same turn in body axes
    assert body / np.linalg.norm(body) == pytest.approx([0, -1, 0], abs=1e-12)


def test_d18_one_push_gives_the_exact_velocity_and_implicit_euler_position():
    body = box(mass=1.0)
    push = np.array([1000.0, 0, 0, 0, 0, 0])
    scene = resting(body, height=5.0, gravity=0.0, wrench=lambda t: push, step=0.001, duration=0.001)
    t = simulate(scene)
    assert t.ok
    assert t.velocity[1] == pytest.approx([1, 0, 0, 0, 0, 0], abs=1e-15)
    assert t.position[1, 0] == pytest.approx(0.001, abs=1e-15)


@pytest.mark.parametrize("step", [0.001, 0.01])
def test_d18_kind_position_error_of_constant_acceleration_is_a_h_t_over_2(step):
    scene = resting(box(mass=2.0), height=5.0, gravity=0.0, wrench=lambda t: np.array([6.0, 0, 0, 0, 0, 0]), step=step, duration=0.5)
    t = simulate(scene)
    assert t.position[:, 0] - 1.5 * t.time**2 == pytest.approx(3.0 * step * t.time / 2, abs=1e-13)
    assert t.velocity[:, 0] == pytest.approx(3.0 * t.time, abs=1e-13)


def test_d20_free_flight_has_no_friction_and_succeeds():
    scene = resting(box(), height=5.0, duration=0.1)
    t = sound(scene, simulate(scene))
    assert t.position[0, 2] - t.position[-1, 2] == pytest.approx(9.8 * 0.01**2 * 55, abs=1e-13)
    assert 9.8 * 0.01**2 * 55 == pytest.approx(0.0539, abs=1e-15)
    assert not t.impulse.any()
    assert np.isnan(t.ecp).all() and (t.contact == ContactMode.APART).all()


@pytest.mark.parametrize("velocity", [(0, 0, 0, 0, 0, 0), (1, 2, 3, 4, 5, 6), (0, 0, -5, 9, 0, 0)])
@pytest.mark.parametrize("mu", [0.0, 0.22])
def test_d20_kind_flight_is_exact_whatever_the_spin(velocity, mu):
    scene = resting(box(), height=5.0, mu=mu, velocity=velocity, duration=0.3)
    t = sound(scene, simulate(scene))
    assert not t.impulse.any()
    assert t.velocity[:, :3] - t.velocity[0, :3] == pytest.approx(-9.8 * t.time[:, None] * [0, 0, 1], abs=1e-13)


@pytest.mark.parametrize("height", [5.0, 1e-3, 1e-6])
def test_d22_no_force_acts_at_a_distance(height):
    scene = resting(box(), height=0.05 + height, velocity=(0, 0, 0.2, 0, 0, 0), duration=0.02)
    assert not simulate(scene).impulse.any()
