"""The desk of document 1, the Jacobian of its step, and what a step reports."""

from functools import partial

import jax
import numpy as np
import pytest
from step_audit import audit

from planarcontact.dynamics import Body, ContactMode, Disc, Plane, Sphere, Status, scenes, simulate
from planarcontact.dynamics.diagnostics import diagnose
from planarcontact.dynamics.jacobian import jacobian
from planarcontact.dynamics.parameters import parameters
from planarcontact.dynamics.precision import double_precision
from planarcontact.dynamics.step import Before, residual

DISC, SPHERE = Disc((0.1, 0, 0), (1, 2, 3), 0.2), Sphere((0, 0.1, 0), 0.15)


@pytest.fixture(scope="module")
def desk():
    scene = scenes.desk()
    return scene, simulate(scene)


def test_every_law_holds_on_every_step(desk):
    scene, t = desk
    assert t.ok and len(t.residual) == 400 and t.residual.max() <= 1e-12
    assert max(audit(scene, t).values()) <= 1e-13
    found = diagnose(scene, t)
    for law in (found.penetration, found.signorini, found.momentum, found.coulomb, np.abs(found.dissipation)):
        assert law.max() <= 1e-14
    assert found.energy.friction.max() < 0


def test_all_feet_stay_on_the_floor_and_the_ecp_between_them(desk):
    scene, t = desk
    assert (t.contact == ContactMode.SURFACE).all()
    assert np.abs(t.ecp[:, 2]).max() <= 1e-14
    assert t.impulse[:, 0] == pytest.approx(15 * 9.8 * 0.01, abs=1e-13)
    assert np.abs(t.ecp[:, :2] - t.position[1:, :2]).max() < 0.25


def test_the_ecp_runs_ahead_by_the_height_times_the_friction(desk):
    scene, t = desk
    ahead = t.ecp[:, :2] - t.position[1:, :2]
    assert ahead == pytest.approx(-0.45 * t.impulse[:, 1:3] / t.impulse[:, :1], abs=1e-13)


def test_planar_motion_obeys_newton_in_the_plane(desk):
    """m dv = h f + p and I_z dw = h tau + p_r: the ECP's lever turns the desk too, so it enters with its arm."""
    scene, t = desk
    loads = scene.loads()
    assert 15 * np.diff(t.velocity[:, :2], axis=0) == pytest.approx(0.01 * loads[:, :2] + t.impulse[:, 1:3], abs=1e-13)
    arm = t.ecp - t.position[1:]
    moment = arm[:, 0] * t.impulse[:, 2] - arm[:, 1] * t.impulse[:, 1] + t.impulse[:, 3]
    assert 0.625 * np.diff(t.velocity[:, 5]) == pytest.approx(0.01 * loads[:, 5] + moment, abs=1e-13)


def test_a_cap_of_one_iteration_is_named_and_leaves_a_residual():
    t = simulate(scenes.desk(duration=0.05), max_iterations=1)
    assert not t.ok and t.status[0] == Status.ITERATION_LIMIT
    assert t.residual[0] > 1e-12 and np.isfinite(t.residual).all() and np.isfinite(t.position).all()
    assert "max_iterations" in t.failures[0] and f"{t.residual[0]:.3g}" in t.failures[0]


def test_an_overflow_is_named_and_the_last_state_is_held():
    scene = scenes.desk(duration=0.05).replace(wrench=lambda t: np.array([0, 0, 1e308 * (t > 0.02), 1e308 * (t > 0.02), 0, 0]))
    t = simulate(scene)
    assert t.status[:2].tolist() == [0, 0] and t.status[2] != 0 and t.status[-1] == Status.NOT_FINITE
    for values in (t.velocity, t.position, t.orientation, t.impulse):
        assert np.isfinite(values).all()
    assert not np.isnan(t.residual).any()


@pytest.mark.parametrize("explicit", [False, True])
def test_the_jacobian_is_the_derivative_of_the_residual(explicit):
    """Against automatic differentiation to rounding, and against central differences, away from kinks."""
    rng = np.random.default_rng(3)
    body = Body(2.0, np.diag([0.02, 0.03, 0.04]), rng.normal(size=(4, 3)) * 0.1, [DISC], [SPHERE])
    p = parameters(scenes.desk().replace(body=body, support=Plane((0.1, -0.2, 1.0), 0.1)))
    with double_precision():
        f = jax.jit(partial(residual, p, explicit=explicit))
        both = jax.jit(lambda b, z, k: (jacobian(p, b, z, k, explicit), jax.jacfwd(f, 1)(b, z, k)))
        for trial in range(16):
            q = rng.normal(size=4)
            before = Before(rng.normal(size=3), q / np.linalg.norm(q), rng.normal(size=6), rng.normal(size=6))
            z = np.concatenate([rng.normal(size=6) * 5, np.abs(rng.normal(size=8)) * 3, rng.normal(size=3)])
            k = np.array(trial % 2 == 0)
            a, b = both(before, z, k)
            size = np.abs(b).max(axis=1, keepdims=True)
            assert np.abs((a - b) / size).max() < 1e-12
            central = [(f(before, z + 1e-6 * e, k) - f(before, z - 1e-6 * e, k)) / 2e-6 for e in np.eye(len(z))]
            assert np.quantile(np.abs((a - np.stack(central, axis=1)) / size), 0.99) < 1e-5
