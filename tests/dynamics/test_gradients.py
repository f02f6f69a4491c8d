"""Derivatives of the final state against central differences, through slides, landings and rolling."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_compiled import SCENES, tumbling

from planarcontact.dynamics import EllipsoidalFriction
from planarcontact.dynamics.compiled import record
from planarcontact.dynamics.gradients import PARAMETERS, final_state_gradient, rollout, sensitivity, with_parameters
from planarcontact.dynamics.options import SimulateOptions
from planarcontact.dynamics.precision import double_precision
from planarcontact.dynamics.scenes import t_bar_body
from planarcontact.errors import ConvergenceError, InputError, PlanarContactError

STEP = 1e-6  # at 1e-4 a difference already crosses changes of what touches or sticks


def values(scene):
    f, body = scene.friction, scene.body
    return {
        "mu": f.mu, "e_t": f.e_t, "e_o": f.e_o, "e_r": f.e_r, "mass": body.mass, "inertia": body.inertia,
        "gravity": scene.gravity, "wrench": scene.loads(), "position": scene.position, "orientation": scene.orientation,
        "velocity": scene.velocity,
    }  # fmt: skip


def final(scene, loads, parameters):
    changed, push = with_parameters(scene, loads, parameters)
    end = record(changed, SimulateOptions(), push)
    assert not end.status.any()
    return np.concatenate([end.position[-1], end.orientation[-1], end.velocity[-1]])


def direction(rng, name, value):
    """A random direction: inertias stay symmetric, orientations move along the sphere."""
    move = rng.normal(size=np.shape(value))
    if name == "inertia":
        return (move + move.T) / 2 * np.abs(value).max() * 0.1
    if name == "orientation":
        return move - value * (value @ move)
    return move


@pytest.mark.parametrize("name", ["t-bar", "dumbbell", pytest.param("desk", marks=pytest.mark.slow)])
def test_against_central_differences(name):
    scene = SCENES[name]
    found = sensitivity(scene)
    if name != "desk":
        assert len(set(found.trajectory.contact)) >= 3, "the scene should hold impacts and changes of contact"
    loads, base = scene.loads(), values(scene)
    gradient = final_state_gradient(scene, PARAMETERS)
    rng = np.random.default_rng(3)
    for parameter in PARAMETERS:
        if name == "desk" and parameter in ("position", "orientation", "velocity"):
            continue  # to lift or tilt a body that stands flat is no two-sided change
        move = direction(rng, parameter, base[parameter])
        ahead, behind = (final(scene, loads, {parameter: base[parameter] + s * STEP * move}) for s in (1, -1))
        slope = np.tensordot(gradient[parameter], move, np.ndim(move))
        assert np.abs((ahead - behind) / (2 * STEP) - slope).max() <= 1e-6 * max(1.0, np.abs(slope).max()), parameter
        assert found.forward({parameter: move}) == pytest.approx(slope, abs=1e-11 * max(1.0, np.abs(slope).max()))


def test_a_wrong_derivative_would_be_noticed():
    """The comparison above can fail: one transition in a hundred, scaled by a thousandth, moves the result by more."""
    found = sensitivity(SCENES["t-bar"])
    before = found.forward({"mu": 1.0})
    transition = found.transition.copy()
    transition[len(transition) // 2] *= 1.001
    spoilt = dataclasses.replace(found, transition=transition)
    assert np.abs(spoilt.forward({"mu": 1.0}) - before).max() > 1e-6 * np.abs(before).max()


def test_forward_and_reverse_agree():
    scene = SCENES["dumbbell"]
    found, rng = sensitivity(scene), np.random.default_rng(8)
    tangents = {name: direction(rng, name, value) for name, value in values(scene).items()}
    cotangent = rng.normal(size=13)
    gradient = found.reverse(cotangent)
    forward = cotangent @ found.forward(tangents)
    reverse = sum(float(np.sum(gradient[name] * tangents[name])) for name in tangents)
    assert forward == pytest.approx(reverse, rel=1e-11)


def test_jax_differentiates_a_rollout_both_ways():
    scene = SCENES["t-bar"]
    gradient = final_state_gradient(scene, ("mu", "e_r", "wrench", "velocity", "mass"))
    with double_precision():
        f = rollout(scene)
        base = {name: jnp.asarray(value) for name, value in values(scene).items() if name in gradient}
        forward = jax.jacfwd(f)(base)
        reverse = jax.grad(lambda p: f(p)[8])(base)
        for name, slope in gradient.items():
            assert np.asarray(forward[name]) == pytest.approx(slope, abs=1e-10 * np.abs(slope).max())
            assert np.asarray(reverse[name]) == pytest.approx(slope[8], abs=1e-10 * np.abs(slope).max())
        assert np.asarray(jax.jit(f)(base)) == pytest.approx(sensitivity(scene).final, abs=0.0)
        many = jax.vmap(lambda mu: f({"mu": mu}))(jnp.array([0.1, 0.2]))
        assert many.shape == (2, 13)


@pytest.mark.slow
def test_explicit_gyroscopic_term():
    scene = tumbling(t_bar_body(), duration=0.8)
    loads, move = scene.loads(), np.array([0, 0, 0, 0.3, 1.0, -0.5])
    gradient = final_state_gradient(scene, ("velocity",), gyroscopic="explicit")["velocity"]
    ends = []
    for sign in (1, -1):
        changed, push = with_parameters(scene, loads, {"velocity": scene.velocity + sign * STEP * move})
        end = record(changed, SimulateOptions(gyroscopic="explicit"), push)
        ends.append(np.concatenate([end.position[-1], end.orientation[-1], end.velocity[-1]]))
    slope = gradient @ move
    assert np.abs((ends[0] - ends[1]) / (2 * STEP) - slope).max() <= 1e-6 * max(1.0, np.abs(slope).max())


def test_what_has_no_derivative_is_refused():
    scene = SCENES["t-bar"]
    with pytest.raises(InputError, match="with_respect_to"):
        final_state_gradient(scene, ("mu", "colour"))
    with pytest.raises(PlanarContactError):
        with_parameters(scene, scene.loads(), {"mu": -1.0})
    with pytest.raises(InputError, match="wrench"):
        with_parameters(scene, scene.loads(), {"wrench": np.zeros((3, 6))})
    spun = scene.replace(wrench=lambda t: np.array([0, 0, 0, 1e300, 0, 0]), duration=0.05)
    with pytest.raises(ConvergenceError, match="no derivative"):
        final_state_gradient(spun)
    with pytest.raises(InputError, match="single precision"):
        rollout(scene)({"mu": 0.2})


def test_friction_has_no_effect_without_contact():
    scene = SCENES["t-bar"].replace(position=(0, 0, 30.0), friction=EllipsoidalFriction(mu=0.3))
    gradient = final_state_gradient(scene, ("mu", "e_r", "gravity"))
    assert not gradient["mu"].any() and not gradient["e_r"].any()
    assert gradient["gravity"][2] == pytest.approx(-(0.01**2) * 150 * 151 / 2, rel=1e-12)
