"""The compiled kernel is held to the readable rules, bit by bit."""

import numpy as np
import pytest
from cs_poses import A, R, near_contact

from planarcontact.contact_states import RECOMMENDED, Environment, Options, load_demo, polygon_scene, recognize, step_scene
from planarcontact.contact_states.kernel_gaps import BLOCK
from planarcontact.contact_states.rules import apply_rules

HEXAGON = [(0.06 * np.cos(k), 0.06 * np.sin(k)) for k in np.linspace(0.1, 0.1 + 2 * np.pi, 7)[:-1]]
HILLS = [(-1.0, 0.0), (-0.1, 0.0), (-0.05, 0.04), (0.0, 0.02), (0.05, 0.06), (0.12, 0.0), (0.12, -0.1), (1.0, -0.1)]
SCENES = {
    "step": step_scene(),
    "step with the disk on E": step_scene(disk_environment=True),
    "hexagon on hills": polygon_scene(HEXAGON, Environment.from_chain(HILLS), R, disk_environment=True),
    "blocks": polygon_scene(
        [(-A / 2, -A / 2), (A / 2, -A / 2), (0.0, A / 2)],
        [[(-1, -1), (1, -1), (1, 0), (-1, 0)], [(0.02, 0.01), (0.2, 0.01), (0.2, 0.2), (0.05, 0.25)]],
        R,
    ),
}
OPTIONS = [
    Options(),
    RECOMMENDED,
    Options(eps_on=0.4e-3, eps_pen=0.0, conflict="convex"),
    Options(eps_on=2e-3, eps_pen=5e-3, contact_set_disk="interval"),
]


@pytest.mark.parametrize("options", OPTIONS, ids=["document", "recommended", "no overlap", "wide"])
@pytest.mark.parametrize("name", SCENES)
def test_kernel_equals_the_readable_rules(name: str, options: Options) -> None:
    random = np.random.default_rng(7)
    wild = random.uniform((-0.2, 0.0, -3.2, -0.2, 0.0), (0.2, 0.25, 3.2, 0.2, 0.25), (1500, 5))
    poses = np.concatenate((near_contact(random, 1200, 3e-3), near_contact(random, 300, 8e-3), wild))
    found = recognize(poses, SCENES[name], options)
    expected = apply_rules(found.local, SCENES[name], options)
    np.testing.assert_array_equal(found.gap, expected.gap)
    np.testing.assert_array_equal(found.in_band, expected.in_band)
    np.testing.assert_array_equal(found.on, expected.on)
    np.testing.assert_array_equal(found.ties, expected.ties)
    assert found.on.any() and ((found.ties > 0).any() or options.conflict == "text")


@pytest.mark.parametrize("name", SCENES)
def test_blocks_of_poses_do_not_show(name: str) -> None:
    """The kernel takes poses by blocks: any batch gives what its poses give one by one, in any order."""
    random = np.random.default_rng(11)
    poses = np.concatenate((near_contact(random, 150, 4e-3), random.uniform(-0.2, 0.25, (2 * BLOCK - 149, 5))))
    whole = recognize(poses, SCENES[name])
    singles = [recognize(pose[None], SCENES[name]) for pose in poses]
    for field in ("gap", "in_band", "on", "ties", "formation"):
        np.testing.assert_array_equal(getattr(whole, field), np.concatenate([getattr(one, field) for one in singles]))
    for count in (BLOCK - 1, BLOCK, BLOCK + 1):
        np.testing.assert_array_equal(recognize(poses[:count], SCENES[name]).gap, whole.gap[:count])
    order = random.permutation(len(poses))
    shuffled = recognize(poses[order], SCENES[name])
    np.testing.assert_array_equal(shuffled.on, whole.on[order])
    np.testing.assert_array_equal(shuffled.gap, whole.gap[order])


@pytest.mark.parametrize("options", OPTIONS, ids=["document", "recommended", "no overlap", "wide"])
def test_kernel_equals_the_readable_rules_at_thresholds(options: Options) -> None:
    """Poses that meet the bounds of the band, the tilt, the overlap and the slabs exactly, and one rounding step beside them."""
    scene = SCENES["step with the disk on E"]
    tilt, rows = scene.tilt_limit(options.eps_on), []
    for gap in (options.eps_on, 0.0, -options.eps_pen, -1e-9, options.eps_on * (1 - 1e-6)):
        for x in (-A / 2 - options.eps_on, -A / 2, -A / 2 + scene.overlap_min, A / 2 - scene.overlap_min, A / 2, -0.3, 0.3):
            for z in (A / 2 + gap, A / 2 + A / 4 + gap):
                for angle in (0.0, tilt, -tilt, np.pi / 2, np.pi, np.pi / 2 + tilt):
                    for disk in ((x - A / 2 - R - gap, z), (x - A / 2, z + A / 2 + R + gap), (x, z), (-R - gap, R + gap)):
                        rows.append((x, z, angle, *disk))
    exact = np.array(rows)
    poses = np.concatenate((exact, np.nextafter(exact, np.inf), np.nextafter(exact, -np.inf)))
    found = recognize(poses, scene, options)
    expected = apply_rules(found.local, scene, options)
    for field in ("gap", "in_band", "on", "ties"):
        np.testing.assert_array_equal(getattr(found, field), getattr(expected, field))


def test_kernel_equals_the_readable_rules_on_the_demo() -> None:
    for demo in (load_demo(), load_demo(soft=True)):
        found = recognize(demo.poses, SCENES["step"])
        expected = apply_rules(found.local, SCENES["step"], Options())
        for field in ("gap", "in_band", "on", "ties"):
            np.testing.assert_array_equal(getattr(found, field), getattr(expected, field))
