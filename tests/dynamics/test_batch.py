"""Many scenes at once give what each gives alone."""

import numpy as np
import pytest
from violent import violent_scene

from planarcontact.dynamics import EllipsoidalFriction, scenes, simulate, simulate_batch
from planarcontact.errors import InputError, UnsupportedError


def same(a, b):
    names = ("time", "position", "orientation", "velocity", "ecp", "impulse", "residual", "iterations", "status", "contact")
    return all(np.array_equal(getattr(a, name), getattr(b, name), equal_nan=True) for name in names)


@pytest.mark.parametrize("backend", ["jax", "compiled"])
def test_each_scene_is_as_if_alone_whatever_its_neighbours(backend):
    rng = np.random.default_rng(5)
    batch = [violent_scene(rng, steps=int(rng.integers(5, 40))) for _ in range(12)]
    batch += [scenes.desk(duration=0.2).replace(friction=EllipsoidalFriction(mu=mu)) for mu in (0.1, 0.2, 0.3)]
    results = simulate_batch(batch, backend=backend)
    assert len(results) == len(batch)
    assert all(same(result, simulate(scene, backend="compiled")) for scene, result in zip(batch, results))
    backwards = simulate_batch(batch[::-1], backend=backend)
    assert all(same(a, b) for a, b in zip(results, backwards[::-1]))


def test_agrees_with_single_runs_of_the_jax_stepper():
    batch = [scenes.desk(duration=0.5).replace(velocity=(v, 0.2, 0, 0, 0, 0.5)) for v in (0.1, 0.3, 0.6)]
    for scene, result in zip(batch, simulate_batch(batch)):
        assert np.abs(result.velocity - simulate(scene).velocity).max() <= 1e-11


def test_loads_are_shared_only_where_they_are_the_same():
    """Two scenes with the same function and other steps, and closures that look alike, keep their own loads."""
    push = lambda size: lambda t: np.array([size * t, 0, 0, 0, 0, 0])  # noqa: E731
    shared = push(30.0)
    desk = scenes.desk(duration=0.1).replace(velocity=np.zeros(6))
    batch = [desk.replace(wrench=shared), desk.replace(wrench=shared, step=0.005), desk.replace(wrench=push(400.0)), desk]
    results = simulate_batch(batch)
    assert all(same(result, simulate(scene, backend="compiled")) for scene, result in zip(batch, results))
    assert results[2].velocity[-1, 0] > 0.0 == results[0].velocity[-1, 0].round(12)


def test_other_methods_run_one_by_one():
    batch = [scenes.desk(duration=0.05), scenes.desk(duration=0.1)]
    for scene, result in zip(batch, simulate_batch(batch, method="sliding")):
        assert same(result, simulate(scene, method="sliding"))
    with pytest.raises(UnsupportedError, match="compiled"):
        simulate_batch(batch, method="sliding", backend="compiled")


@pytest.mark.parametrize("bad", [[], [1], 3, [scenes.desk(duration=0.01), None]])
def test_bad_batches_are_refused(bad):
    with pytest.raises(InputError, match="scenes"):
        simulate_batch(bad)
