"""The campaign of random bodies: every law, recomputed; failures counted, each with a true status and residual."""

import collections

import numpy as np
import pytest
from invariance import worst_change
from random_bodies import KINDS, check, ecp_outside, random_scene
from root_scan import Boxes, StepScan, lawful_boxes
from tqdm import tqdm

from planarcontact.dynamics import ContactMode, EllipsoidalFriction, Status, simulate


def violent(kind, count, steps, seed, backend="compiled", frames=1):
    """Run random bodies under every check; return failures, steps proven to have no lawful root, and counts."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    ways = np.random.default_rng([seed, KINDS.index(kind), 1])
    failures, rootless, modes, impacts, total, spin = [], [], collections.Counter(), 0, 0, 0.0
    for k in tqdm(range(count), desc=kind):
        scene = random_scene(rng, kind, steps)
        run = simulate(scene, backend=backend)
        check(scene, run)
        for i in np.flatnonzero(run.status):
            status, residual = Status(run.status[i]), float(run.residual[i])
            what = (kind, k, int(i), status.name, residual)
            if status == Status.GAINS and residual <= 1e-12 and lawful_boxes(scene, run, i)[0] == 0:
                rootless.append(what)
            else:
                assert status.sentence and (residual > 1e-12 or status == Status.GAINS)
                failures.append(what)
        for i in ways.integers(steps, size=frames):
            changes = worst_change(scene, run, int(i), ways, backend)
            assert max(changes.values()) <= 1e-9, (kind, k, int(i), changes)
        modes.update(ContactMode(m).name for m in run.contact)
        mass_speed = scene.body.mass * scene.velocity_scale
        impacts += int((np.diff(run.impulse[:, 0], prepend=0.0) > 0.1 * mass_speed).sum())
        total += scene.steps
        spin = max(spin, float(np.linalg.norm(run.velocity[0, 3:])))
    return failures, rootless, modes, impacts, total, spin


@pytest.mark.ci
@pytest.mark.parametrize("kind", KINDS)
def test_laws_hold_on_random_bodies(kind):
    """Every step is solved, but for those that are proven, box by box, to have no root whose contact does no work."""
    failures, rootless, modes, impacts, total, spin = violent(kind, 12, 60, 5)
    assert not failures and len(rootless) <= 2, (failures, rootless)
    assert total - modes["APART"] >= 0.3 * total and impacts >= 0.03 * total and spin < 80


@pytest.mark.ci
def test_the_scan_finds_what_is_there():
    """Small boxes round the root of a solved step are kept, and so is a root that gains energy where that is allowed."""
    rng = np.random.default_rng([5, KINDS.index("mixed")])
    scene = [random_scene(rng, "mixed", 60) for _ in range(6)][5]
    run = simulate(scene, backend="compiled")
    gains = [int(i) for i in np.flatnonzero(run.status == Status.GAINS)]
    assert gains
    for i in [*np.flatnonzero((run.status == 0) & (run.impulse[:, 0] > 0.0))[:10], *gains]:
        kept = {}
        for share in (0.2, 2.0):
            scan = StepScan(scene, run, i, share)
            g, arm = scan.axes.T @ run.velocity[i + 1, 3:] * scene.step / 2, run.ecp[i] - run.position[i + 1]
            root = Boxes(np.concatenate([g, [arm @ scan.t, arm @ scan.o]])[None], np.full((1, 5), 1e-7))
            kept[share] = len(scan.undecided(root).half) == 1
            aside = Boxes(root.centre + [0.05, 0, 0, 0, 0], root.half)
            assert len(scan.undecided(aside).half) == 0
        assert kept[2.0] and kept[0.2] == (i not in gains)


@pytest.mark.ci
def test_roots_that_stick_are_found_however_rough_the_plane():
    """Rough planes hide the root from starts that slide: every step is solved, or its status says what it is."""
    lost = 0
    for seed, mu in ((1, 1.2), (2, 2.0), (3, 4.0)):
        for kind in ("cloud", "balls", "discs"):
            rng = np.random.default_rng([seed, KINDS.index(kind), 77])
            for scene in [random_scene(rng, kind, 60) for _ in range(40)]:
                run = simulate(scene.replace(friction=EllipsoidalFriction(mu, *scene.friction.axes)), backend="compiled")
                lost += int((run.status != 0).sum())
    assert lost == 0


@pytest.mark.ci
def test_the_ecp_lies_in_the_hull_of_what_touches():
    rng = np.random.default_rng(11)
    for _ in range(20):
        scene = random_scene(rng, "cloud", 40)
        assert ecp_outside(scene, simulate(scene, backend="compiled")) <= 1e-9


@pytest.mark.slow
def test_200_000_steps_of_random_bodies(campaign):
    """At least 200 bodies and 200,000 steps; of those with a lawful root at most one in 100,000 may fail."""
    failures, rootless, modes, impacts, total = [], [], collections.Counter(), 0, 0
    for kind in KINDS:
        lost, without, seen, hits, steps, _ = violent(kind, 400, 100, 2026)
        failures += lost
        rootless += without
        modes += seen
        impacts += hits
        total += steps
    assert total >= 200_000 and total - modes["APART"] >= 0.3 * total and impacts >= 0.05 * total
    print(f"modes {dict(modes)}, {impacts} impacts; failures {failures}; proven to have no lawful root {rootless}")
    note = (
        f"random bodies, steps; modes {dict(modes)}, {impacts} impacts; failures: {len(rootless)} steps proven to have no "
        f"root whose contact does no work, {len(failures)} others"
    )
    campaign(name="dynamics-random-bodies", seed=2026, count=total, failures=len(failures) + len(rootless), note=note)
    assert len(failures) <= total / 100_000 and len(rootless) <= total / 10_000, (failures, rootless)
