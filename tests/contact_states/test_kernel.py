"""The compiled kernel is held to the readable rules, bit by bit."""

import numpy as np
import pytest
from cs_poses import A, R, near_contact

from planarcontact.contact_states import RECOMMENDED, Environment, Options, polygon_scene, recognize, step_scene
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
