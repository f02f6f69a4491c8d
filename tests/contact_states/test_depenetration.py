"""Overlaps removed by the smallest translation, against shapely and against a search in all directions."""

import numpy as np
import pytest
import shapely
from cs_poses import A, H, R, near_contact

from planarcontact.contact_states import Options, box_corners, recognize, step_scene
from planarcontact.contact_states.depenetration import depenetrated
from planarcontact.contact_states.geometry import local_poses

SCENE = step_scene()
GROUND = shapely.Polygon([(-9, -9), (-9, 0), (0, 0), (0, H), (9, H), (9, -9)])
OPTIONS = Options(depenetrate=True)


def box(pose: np.ndarray, shift: np.ndarray = np.zeros(2)) -> shapely.Polygon:
    return shapely.Polygon(box_corners([pose], SCENE)[0] + shift)


@pytest.fixture(scope="module")
def batch() -> tuple[np.ndarray, np.ndarray]:
    poses = near_contact(np.random.default_rng(4), 500, jitter=4e-3)
    return poses, depenetrated(local_poses(poses, SCENE, 1e-3), SCENE, OPTIONS)


def test_what_floats_stays_and_what_overlaps_is_freed(batch: tuple[np.ndarray, np.ndarray]) -> None:
    poses, freed = batch
    moved = 0
    for before, after in zip(poses, freed):
        if np.array_equal(before[:3], after[:3]):
            assert box(before).intersection(GROUND).area < 1e-12 or np.abs(after[:2] - before[:2]).max() == 0.0
        else:
            assert box(before).bounds[1] >= -OPTIONS.eps_pen  # deeper in the floor nothing moves, whatever the riser would do
            moved += 1
            assert box(after).buffer(-1e-9).intersection(GROUND).area == 0.0
            assert box(after).distance(GROUND) < 1e-9
        depth = R - box(after).distance(shapely.Point(after[3:]))
        assert depth < 1e-9 or depth > 0.0 and R > OPTIONS.eps_pen and np.array_equal(before[3:], after[3:])
    assert moved > 150


def test_the_translation_is_the_shortest(batch: tuple[np.ndarray, np.ndarray]) -> None:
    poses, freed = batch
    shifts = freed[:, :2] - poses[:, :2]
    lengths = np.hypot(*shifts.T)
    ways = np.linspace(0.0, 2.0 * np.pi, 90, endpoint=False)
    for i in np.flatnonzero(lengths > 1e-6)[::12]:
        for way in ways:
            shift = (lengths[i] * 0.998) * np.array((np.cos(way), np.sin(way)))
            assert box(poses[i], shift).buffer(-1e-9).intersection(GROUND).area > 0.0


def test_labels_are_those_of_the_freed_pose(batch: tuple[np.ndarray, np.ndarray]) -> None:
    poses, freed = batch
    labels = recognize(poses, SCENE, OPTIONS)
    np.testing.assert_array_equal(labels.local, freed)
    np.testing.assert_array_equal(labels.on, recognize(freed, SCENE, Options()).on)


def test_exact_contacts_and_deep_overlaps_are_left_alone() -> None:
    poses = np.array([(-0.3, A / 2, 0.0, -0.3 - A / 2 - R, A / 2), (-A / 2, A / 2, 0.0, -1, 1), (-0.3, A / 2 - 0.02, 0.0, -1, 1)])
    np.testing.assert_array_equal(depenetrated(poses, SCENE, OPTIONS), poses)


def test_a_box_in_the_corner_leaves_both_edges() -> None:
    pose = np.array([(-A / 2 + 2e-3, A / 2 - 1e-3, 0.0, -1.0, 1.0)])
    np.testing.assert_allclose(depenetrated(pose, SCENE, OPTIONS)[0, :2], (-A / 2, A / 2), atol=1e-15)
    assert recognize(pose, SCENE, OPTIONS).names(0) == {"g", "s"}


@pytest.mark.parametrize(
    "pose",
    [
        (0.0, 0.0, 0.5, 0.0, 0.0),  # 116 mm in the floor, 31 mm in the step, the disk at the box's centre
        (-A / 2 + 2e-3, A / 2 - 20e-3, 0.0, -1.0, 1.0),  # 2 mm in the riser, but 20 mm in the floor
        (-A / 2 + 20e-3, A / 2 - 2e-3, 0.0, -1.0, 1.0),  # the other way round
        (-0.4, A / 2 - 2e-3, 0.0, -0.4 - A / 2 - R + 12e-3, A / 2),  # 2 mm in the floor, the disk 12 mm in the box
        (-0.4, A / 2 - 20e-3, 0.0, -0.4 - A / 2 - R + 2e-3, A / 2),  # 20 mm in the floor, the disk 2 mm in the box
    ],
)
def test_a_pose_with_a_deeper_overlap_than_eps_pen_is_left_as_it_is(pose: tuple[float, ...]) -> None:
    local = local_poses([pose], SCENE, 1e-3)
    np.testing.assert_array_equal(depenetrated(local, SCENE, OPTIONS), local)
    plain, freed = (recognize([pose], SCENE, Options(depenetrate=on)) for on in (False, True))
    np.testing.assert_array_equal(freed.on, plain.on)
    np.testing.assert_array_equal(freed.gap, plain.gap)


def test_each_pose_is_freed_by_itself() -> None:
    poses = near_contact(np.random.default_rng(5), 60, jitter=8e-3)
    local = local_poses(poses, SCENE, 1e-3)
    together = depenetrated(local, SCENE, OPTIONS)
    np.testing.assert_array_equal(together, np.concatenate([depenetrated(row[None], SCENE, OPTIONS) for row in local]))
