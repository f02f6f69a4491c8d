"""The recognizer's labels on the stepper's exact motion."""

import numpy as np
import pytest

from planarcontact.across import BoxMotion, box_scene, label_poses, mujoco_run, planar_poses
from planarcontact.across.box_labels import confusion, reason, stepper_run
from planarcontact.contact_states import formation_label
from planarcontact.dynamics import ContactMode, simulate
from planarcontact.errors import InputError, UnsupportedError


@pytest.fixture(scope="module")
def run():
    return stepper_run(BoxMotion())


def _frames(run, eps):
    poses = planar_poses(run)[1:]
    labels = label_poses(poses, eps_on=eps)
    names = [formation_label(labels.names(i), labels.scene) for i in range(len(labels))]
    modes = [ContactMode(c).name for c in run.contact]
    corners = [poses[:, 1] - 0.0625 * np.cos(poses[:, 2]) - s * 0.0625 * np.sin(poses[:, 2]) for s in (1.0, -1.0)]
    gap, lift = np.minimum(*corners), np.abs(corners[0] - corners[1])
    return names, modes, [reason(m, n, g, l, eps) for m, n, g, l in zip(modes, names, gap, lift)], gap


@pytest.mark.parametrize("eps", [1e-3, 1e-5])
def test_every_frame_is_explained(run, eps):
    names, modes, why, gap = _frames(run, eps)
    assert run.ok and all(why)
    assert gap.min() >= -1e-12
    assert {"SURFACE", "LINE", "APART"} == set(modes)
    counts = confusion(names, modes)
    assert sum(counts.values()) == len(modes) and ("SURFACE", "{}") not in counts and ("APART", "{gv}") not in counts


def test_difference_shrinks_with_the_band(run):
    shares = [sum(w != "agree" for w in _frames(run, eps)[2]) for eps in (1e-3, 1e-4, 1e-6)]
    assert shares[0] > 3 * shares[2] > 0 and shares[0] > shares[1] > shares[2]


def test_slide_stops_where_friction_says(run):
    """In the air it keeps its speed; the landing, spread over two steps, takes mu times the speed of the fall; then mu g does."""
    motion = BoxMotion()
    landed = int(np.argmax(run.contact == ContactMode.SURFACE))
    after = run.velocity[landed + 2, 0]
    fall = np.sqrt(2 * 9.8 * motion.drop)
    assert after == pytest.approx(motion.speed - motion.mu * fall, abs=0.02)
    stop = landed + 2 + int(np.argmax(np.abs(run.velocity[landed + 2 :, 0]) < 1e-9))
    assert run.time[stop] - run.time[landed + 2] == pytest.approx(after / (motion.mu * 9.8), abs=2e-3)


def test_explains_nothing_that_is_wrong():
    assert reason("SURFACE", "{gv}", 0.0, 0.0, 1e-3) == ""
    assert reason("APART", "{g}", 2e-3, 0.0, 1e-3) == ""
    assert reason("LINE", "{g}", 0.0, 0.01, 1e-3) == ""
    with pytest.raises(InputError, match="frames"):
        confusion(["{g}"], [])


def test_motion_out_of_the_plane_is_refused():
    scene = box_scene(BoxMotion(duration=0.05)).replace(velocity=(0.5, 0.1, 0.0, 0.0, 0.0, 0.0))
    with pytest.raises(UnsupportedError, match="strays"):
        planar_poses(simulate(scene, backend="compiled"))


def test_mujoco_runs_the_same_motion(run):
    engine = mujoco_run(BoxMotion(), solref=(0.002, 1.0))
    poses = planar_poses(run)
    assert engine.poses.shape == poses.shape
    np.testing.assert_allclose(engine.poses[:40], poses[:40], atol=1e-4)  # free fall, up to each engine's step
    assert 0.0 < engine.overlap.max() < 1e-3
    assert not label_poses(engine.poses).ambiguous.any()
    with pytest.raises(InputError, match="timestep"):
        mujoco_run(BoxMotion(), timestep=3e-4)


@pytest.mark.parametrize(("name", "value"), [("drop", -1.0), ("mu", 0.0), ("duration", float("nan")), ("tilt", "high")])
def test_motion_refuses_bad_numbers(name, value):
    with pytest.raises(InputError, match=name):
        BoxMotion(**{name: value})
