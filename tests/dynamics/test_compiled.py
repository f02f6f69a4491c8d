"""The compiled stepper against the JAX one, step by step from the same states, and against the laws alone."""

import subprocess
import sys

import numpy as np
import pytest
from bodies import ball, box, cylinder, resting
from step_audit import audit
from violent import violent_scene

from planarcontact.dynamics import Body, scenes, simulate
from planarcontact.dynamics.compiled import record
from planarcontact.dynamics.options import SimulateOptions
from planarcontact.dynamics.scenes import dumbbell_body, t_bar_body
from planarcontact.errors import UnsupportedError


def tumbling(body, **changes):
    """A body let fall, tilted and spinning, under a slow push."""
    push = body.mass * np.array([1.5, 0.8, 0.0, 0.02, 0.05, 0.03])
    q = np.array([0.97, 0.12, -0.17, 0.1])
    arguments = dict(
        height=body.bounding_radius * 1.1, orientation=q / np.linalg.norm(q), velocity=(0.4, -0.2, 0.0, 1.0, 0.5, 2.0),
        wrench=lambda t: push * np.sin(5 * t), duration=1.5,
    )  # fmt: skip
    return resting(body, **(arguments | changes))


SCENES = {
    "desk": scenes.desk(duration=1.0),
    "t-bar": tumbling(t_bar_body()),
    "dumbbell": tumbling(dumbbell_body()),
    "box": tumbling(box()),
    "ball": tumbling(ball(), height=0.12),
    "cylinder": resting(cylinder(), height=0.1, velocity=(0, 1.0, 0, 0, 0, 0.4), duration=0.5),
}


PAIRS = [("desk", "momentum"), ("t-bar", "explicit"), ("dumbbell", "momentum")]  # every pair costs a compilation by JAX
REST = [(name, form) for name in SCENES for form in ("momentum", "explicit") if (name, form) not in PAIRS]


@pytest.mark.parametrize("name, gyroscopic", PAIRS + [pytest.param(*pair, marks=pytest.mark.slow) for pair in REST])
def test_equals_the_jax_step_from_every_state(name, gyroscopic):
    scene = SCENES[name]
    reference = simulate(scene, gyroscopic=gyroscopic)
    assert reference.ok
    options = SimulateOptions(gyroscopic=gyroscopic)
    loads = scene.loads(options.sample)
    radius, speed, mass = scene.body.bounding_radius, scene.velocity_scale, scene.body.mass
    unit = np.repeat([speed, speed / radius], 3)
    for k, load in enumerate(loads):
        start = scene.replace(
            position=reference.position[k], orientation=reference.orientation[k], velocity=reference.velocity[k]
        )
        step = record(start, options, load[None])
        assert step.status[0] == 0
        assert np.abs((step.velocity[0] - reference.velocity[k + 1]) / unit).max() <= 1e-12
        assert np.abs(step.position[0] - reference.position[k + 1]).max() <= 1e-12 * radius
        assert np.abs(step.orientation[0] - reference.orientation[k + 1]).max() <= 1e-12
        scale = mass * speed * np.array([1, 1, 1, radius])
        assert np.abs((step.impulse[0] - reference.impulse[k]) / scale).max() <= 1e-12
        if reference.impulse[k, 0] > 0.0:
            moved = np.abs(step.ecp[0] - reference.ecp[k]).max() * reference.impulse[k, 0]
            assert moved <= 1e-12 * mass * speed * radius


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(k, marks=pytest.mark.slow) for k in range(2, 12))])
def test_every_law_holds_for_violent_bodies(seed):
    rng = np.random.default_rng(100 + seed)
    for kind in ("vertices", "flat", "discs", "cylinder", "spheres", "mixed"):
        scene = violent_scene(rng, kind=kind, steps=60)
        for gyroscopic in ("momentum", "explicit"):
            trajectory = simulate(scene, backend="compiled", gyroscopic=gyroscopic)
            assert trajectory.ok, trajectory.failures
            worst = audit(scene, trajectory, gyroscopic)
            assert max(worst.values()) <= 1e-12, (kind, worst)


@pytest.mark.slow
def test_campaign_of_violent_steps(campaign):
    seed, bodies, failures, steps = 20261130, 700, 0, 0
    rng = np.random.default_rng(seed)
    for _ in range(bodies):
        trajectory = simulate(violent_scene(rng), backend="compiled")
        failures += int((trajectory.status != 0).sum())
        steps += len(trajectory.status)
        assert (trajectory.residual[trajectory.status == 0] <= 1e-12).all()
    campaign(name="compiled stepper, violent steps", seed=seed, count=steps, failures=failures, note=f"{bodies} random bodies")
    assert failures <= steps / 100_000


def test_a_filter_of_candidates_changes_nothing():
    """A body of many coplanar generators moves as one of its hull's corners, and stays put 5 m up (D22)."""
    corners = np.array([(x, y, -0.1) for x in (-0.3, 0.3) for y in (-0.2, 0.2)])
    grid = np.array([(x, y, -0.1) for x in np.linspace(-0.3, 0.3, 31) for y in np.linspace(-0.2, 0.2, 21)])
    inertia = np.diag([0.2, 0.3, 0.4])
    few, many = (resting(Body(4.0, inertia, vertices=v), height=0.1, velocity=(0.5, 0.2, 0, 0, 0, 2.0)) for v in (corners, grid))
    a, b = simulate(few, backend="compiled"), simulate(many, backend="compiled")
    assert a.ok and b.ok
    assert np.abs(a.impulse - b.impulse).max() <= 1e-12 and np.abs(a.velocity - b.velocity).max() <= 1e-12
    high = simulate(many.replace(position=(0, 0, 5.0), duration=0.3), backend="compiled")
    assert high.ok and not high.impulse.any() and np.isnan(high.ecp).all()


def test_a_regular_polygon_with_very_many_corners():
    angle = np.arange(1024) * 2 * np.pi / 1024
    rim = np.column_stack([0.2 * np.cos(angle), 0.2 * np.sin(angle), np.full(1024, -0.05)])
    body = Body(2.0, np.diag([0.02, 0.02, 0.04]), vertices=rim)
    scene = resting(body, height=0.05, velocity=(0.8, 0, 0, 0, 0, 5.0), duration=0.5)
    trajectory = simulate(scene, backend="compiled")
    assert trajectory.ok
    assert max(audit(scene, trajectory).values()) <= 1e-12


def test_caps_are_kept_and_reported():
    trajectory = simulate(SCENES["t-bar"], backend="compiled", max_iterations=1)
    assert not trajectory.ok
    assert trajectory.iterations.max() <= 5 * 60
    assert np.isfinite(trajectory.velocity).all() and not np.isnan(trajectory.residual).any()
    assert all("residual" in line for line in trajectory.failures)


@pytest.mark.parametrize("load", [1e300, 1e200])
def test_overflow_is_a_status_and_holds_the_state(load):
    scene = resting(box(), height=0.05, wrench=lambda t: np.array([0, 0, 0, load, 0, 0]), duration=0.05)
    trajectory = simulate(scene, backend="compiled")
    assert not trajectory.ok
    for states in (trajectory.position, trajectory.orientation, trajectory.velocity, trajectory.impulse):
        assert np.isfinite(states).all()


def test_other_methods_are_refused():
    for method in ("sliding", "patches", "kkt"):
        with pytest.raises(UnsupportedError, match="compiled"):
            simulate(SCENES["desk"], method=method, backend="compiled")


@pytest.mark.ci
def test_works_where_nothing_can_be_cached(tmp_path):
    """A kernel must compile where no cache folder can be written (a read-only installation)."""
    blocked = tmp_path / "file"
    blocked.write_text("a file where a folder is wanted")
    code = (
        "import numba, planarcontact.dynamics.jit as jit\n"
        "def twice(x): return 2 * x\n"
        "assert jit.entry(twice)(2.0) == 4.0\n"
        "assert numba.config.CACHE_DIR == " + repr(str(blocked)) + "\n"
    )
    env = {"NUMBA_CACHE_DIR": str(blocked), "PATH": "", "PYTHONPATH": ":".join(p for p in sys.path if p)}
    subprocess.run([sys.executable, "-c", code], check=True, env=env, timeout=300)
