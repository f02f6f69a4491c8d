"""The campaign of random bodies: every law, recomputed; failures counted, each with a true status and residual."""

import collections
from dataclasses import dataclass, field

import numpy as np
import pytest
from invariance import worst_change
from random_bodies import KINDS, check, ecp_outside, random_scene
from root_scan import Boxes, StepScan, lawful_boxes
from tqdm import tqdm

from planarcontact.dynamics import ContactMode, EllipsoidalFriction, Status, simulate


LIMIT = 80.0  # rad/s: steps that begin with a faster spin are checked, but counted apart


@dataclass
class Tally:
    """What random bodies did: failures; steps proven to have no lawful root; counts; the same of steps that spin faster."""

    failures: list = field(default_factory=list)
    rootless: list = field(default_factory=list)
    modes: collections.Counter = field(default_factory=collections.Counter)
    impacts: int = 0
    total: int = 0
    fast_failures: list = field(default_factory=list)
    fast: int = 0

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def violent(kind, count, steps, seed, backend="compiled", every=1):
    """Run random bodies under every check, and tell one step of each `every`-th body in other frames and units."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    ways = np.random.default_rng([seed, KINDS.index(kind), 1])
    tally = Tally()
    for k in tqdm(range(count), desc=kind, disable=None):
        scene = random_scene(rng, kind, steps)
        run = simulate(scene, backend=backend)
        check(scene, run)
        slow = np.linalg.norm(run.velocity[:-1, 3:], axis=1) < LIMIT
        for i in np.flatnonzero(run.status):
            status, residual = Status(run.status[i]), float(run.residual[i])
            assert status.sentence and (residual > 1e-12 or status == Status.GAINS)
            what = (kind, k, int(i), status.name, residual)
            if status == Status.GAINS and residual <= 1e-12 and lawful_boxes(scene, run, i)[0] == 0:
                tally.rootless.append(what)
            else:
                (tally.failures if slow[i] else tally.fast_failures).append(what)
        if k % every == 0:
            i = int(ways.integers(steps))
            changes = worst_change(scene, run, i, ways, backend)
            assert max(changes.values()) <= 1e-9, (kind, k, i, changes)
        tally.modes.update(ContactMode(m).name for m in run.contact[slow])
        jump = np.diff(run.impulse[:, 0], prepend=0.0) > 0.1 * scene.body.mass * scene.velocity_scale
        tally.impacts += int((jump & slow).sum())
        tally.total += int(slow.sum())
        tally.fast += int((~slow).sum())
    return tally


@pytest.mark.ci
@pytest.mark.parametrize("kind", KINDS)
def test_laws_hold_on_random_bodies(kind):
    """Every step is solved, but for those that are proven, box by box, to have no root whose contact does no work."""
    tally = violent(kind, 12, 60, 5)
    assert not tally.failures and len(tally.rootless) <= 2 and not tally.fast_failures, tally
    assert tally.total - tally.modes["APART"] >= 0.3 * tally.total and tally.impacts >= 0.03 * tally.total


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
    all_of = Tally()
    for kind in KINDS:
        all_of.add(violent(kind, 720, 60, 2026, every=4))
    total, modes = all_of.total, all_of.modes
    note = (
        f"random bodies, 3600; steps below 80 rad/s; modes {dict(modes)}, {all_of.impacts} impacts; failures: "
        f"{len(all_of.rootless)} steps proven to have no root whose contact does no work, {len(all_of.failures)} others; "
        f"of {all_of.fast} faster steps {len(all_of.fast_failures)} failed"
    )
    print(note, all_of.failures, all_of.rootless, all_of.fast_failures, sep="\n")
    assert total >= 200_000 and total - modes["APART"] >= 0.3 * total and all_of.impacts >= 0.05 * total
    campaign(name="dynamics-random-bodies", seed=2026, count=total, failures=len(all_of.failures) + len(all_of.rootless), note=note)
    assert len(all_of.failures) <= total / 100_000 and len(all_of.rootless) <= total / 10_000, all_of
