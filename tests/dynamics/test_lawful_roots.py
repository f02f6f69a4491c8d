"""Which roots the JAX stepper takes, and how it says that it found none."""

import jax.numpy as jnp
import numpy as np
import pytest
from invariance import one_step
from random_bodies import KINDS, random_scene
from step_audit import audit

from planarcontact.dynamics import EllipsoidalFriction, Status, patches_step, scenes, simulate
from planarcontact.dynamics.newton import Equations, Solution, solve
from planarcontact.dynamics.precision import double_precision
from planarcontact.errors import InputError


def body(kind, number):
    rng = np.random.default_rng([5, KINDS.index(kind)])
    return [random_scene(rng, kind, 60) for _ in range(number + 1)][number]


@pytest.mark.ci
@pytest.mark.parametrize("backend", ["jax", "compiled"])
def test_a_root_whose_contact_does_work_has_its_own_status(backend):
    """One step turns this body by half a radian; its only root (see the scan of random bodies) gains nine tenths."""
    scene = body("mixed", 5)
    run = simulate(scene, backend="compiled")
    k = int(np.flatnonzero(run.status == Status.GAINS)[0])
    step = simulate(one_step(scene, run, k), backend=backend)
    assert step.status.tolist() == [Status.GAINS] and step.residual[0] <= 1e-12
    assert "smaller step" in step.failures[0]
    halves = simulate(one_step(scene, run, k).replace(step=scene.step / 2), backend=backend)
    assert halves.ok and len(halves.status) == 2


@pytest.mark.ci
def test_a_root_that_sticks_is_found_by_both_steppers():
    scene = body("balls", 9).replace(duration=0.05)
    fast, slow = simulate(scene, backend="compiled"), simulate(scene)
    assert fast.ok and slow.ok
    assert np.abs(fast.velocity - slow.velocity).max() <= 1e-9
    assert max(audit(scene, slow).values()) <= 1e-11


def test_the_cascade_goes_on_after_a_root_that_is_refused():
    """x^2 = 1 from -2 and from 2: the root that is accepted is returned, or the refused one as GAINS."""
    def found(accepts):
        equations = Equations(
            lambda z, k: z * z - 1.0, lambda z, k: jnp.diag(2.0 * z), lambda z: jnp.abs(z * z - 1.0).max(), jnp.ones(1),
            jnp.array([False, False]), accepts,
        )  # fmt: skip
        return solve(equations, jnp.array([[-2.0], [2.0]]), max_iterations=50, tolerance=1e-12)

    with double_precision():
        any_root, right, neither = found(None), found(lambda z: z[0] > 0.0), found(lambda z: z[0] > 5.0)
    any_root, right, neither = ([*map(np.asarray, s)] for s in (any_root, right, neither))
    any_root, right, neither = (Solution(*s) for s in (any_root, right, neither))
    assert any_root.status == Status.CONVERGED and abs(any_root.z[0] + 1.0) <= 1e-12 and any_root.start == 0
    assert right.status == Status.CONVERGED and abs(right.z[0] - 1.0) <= 1e-12 and right.start == 1
    assert neither.status == Status.GAINS and neither.measure <= 1e-12


@pytest.mark.parametrize("mu", [1e3, 1e6])
def test_a_very_rough_plane_stops_the_desk(mu):
    scene = scenes.desk(duration=0.1).replace(friction=EllipsoidalFriction(mu))
    run = simulate(scene)
    assert run.ok, run.failures
    assert max(audit(scene, run).values()) <= 1e-10 * mu


def test_other_caps_compile_nothing_anew():
    scene = scenes.desk(duration=0.02)
    simulate(scene, method="patches", max_iterations=40)
    before = patches_step.solve_step._cache_size()
    simulate(scene, method="patches", max_iterations=41)
    assert patches_step.solve_step._cache_size() == before


def test_an_exception_of_the_load_names_the_time_and_is_the_cause():
    def push(t):
        if t > 0.02:
            raise KeyError("no such motor")
        return np.zeros(6)

    with pytest.raises(InputError, match=r"wrench\(0\.025\).*KeyError.*no such motor") as caught:
        simulate(scenes.desk(duration=0.1).replace(wrench=push))
    assert isinstance(caught.value.__cause__, KeyError)
    with pytest.raises(InputError, match=r"wrench\(0\.005\)"):
        simulate(scenes.desk(duration=0.1).replace(wrench=lambda t: np.zeros(5)))
    with pytest.raises(InputError, match=r"wrench\(0\.015\)\[2\]"):
        simulate(scenes.desk(duration=0.1).replace(wrench=lambda t: np.array([0, 0, np.inf if t > 0.01 else 0, 0, 0, 0])))
