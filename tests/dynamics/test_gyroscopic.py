"""The momentum form of the gyroscopic term loses energy in free flight, by exactly half the inertia norm of the change."""

import numpy as np
import pytest
from random_bodies import random_body
from step_audit import rotation

from planarcontact.dynamics import Body, EllipsoidalFriction, Scene, simulate

VERTICES = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.05, 0.05)]  # one shape, compiled once


def some_body(rng):
    """The inertia of a random cloud of points, scaled to the box of `VERTICES`."""
    shape = random_body(rng, "cloud")
    return Body(shape.mass, shape.inertia * (0.15 / shape.bounding_radius) ** 2, VERTICES)


def flight(body, rng, step=0.01, steps=40):
    """A tumbling body in free fall far above the plane, with up to 0.8 rad a step."""
    q, omega = rng.normal(size=4), rng.normal(size=3)
    omega *= rng.uniform(0.05, 0.8) / step / np.linalg.norm(omega)
    return Scene(
        body=body, friction=EllipsoidalFriction(0.3), position=(0, 0, 50.0), orientation=q / np.linalg.norm(q),
        velocity=(*rng.normal(size=3), *omega), step=step, duration=step * steps,
    )  # fmt: skip


def turning(scene, run):
    """Rotational energy at every time [J], and the loss omega+ - R' omega in the inertia's norm over every step [J]."""
    turns = np.array([rotation(q) for q in run.orientation])
    spin = np.einsum("kij,ki->kj", turns, run.velocity[:, 3:])  # in the body's axes
    energy = np.einsum("ki,ij,kj->k", spin, scene.body.inertia, spin) / 2
    change = np.diff(spin, axis=0)
    return energy, np.einsum("ki,ij,kj->k", change, scene.body.inertia, change) / 2


@pytest.mark.parametrize("seed", range(30))
def test_free_flight_is_exactly_dissipative(seed):
    """E+ - E = -(w+ - w)' I (w+ - w) / 2 in the body's axes, since I w+ = R+' R I w and the Cayley turn keeps w+ fixed."""
    rng = np.random.default_rng([20261130, seed])
    scene = flight(some_body(rng), rng)
    run = simulate(scene)
    assert run.ok and not run.impulse.any()
    energy, loss = turning(scene, run)
    unit = scene.body.mass * scene.velocity_scale * scene.body.bounding_radius * np.linalg.norm(run.velocity[:, 3:], axis=1).max()
    slack = 2e-12 * unit  # what a step's accepted residual of angular momentum, times omega, can do
    assert np.abs(np.diff(energy) + loss).max() <= slack
    assert (np.diff(energy) <= slack).all()
    assert loss.max() > 1e3 * slack  # the bodies tumble: the loss is far above it


def test_the_explicit_form_is_not():
    """The document's term gains energy on the same flights, so the test above can fail."""
    gains = []
    for seed in range(8):
        rng = np.random.default_rng([20261130, seed])
        scene = flight(some_body(rng), rng)
        run = simulate(scene, gyroscopic="explicit")
        energy, _ = turning(scene, run)
        gains.append(np.nanmax(np.diff(energy) / energy[0]))
    assert max(gains) > 1e-6
