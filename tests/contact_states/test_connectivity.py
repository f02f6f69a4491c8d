"""One connected region per formation: the explicit paths stay in it; and the counts of sampled components."""

from fractions import Fraction as F

import numpy as np
import pytest

from planarcontact.contact_states import RECOMMENDED, recognize, step_scene
from planarcontact.contact_states.connectivity import Stratum, band_poses, components, connectivity, joined, stratum
from planarcontact.contact_states.connectivity_paths import path_between, pose_distance
from planarcontact.contact_states.connectivity_strata import no_overlap
from planarcontact.contact_states.exact_scene import ExactScene
from planarcontact.contact_states.realisable import realisable_formations
from planarcontact.contact_states.realisable_box import PLACEMENTS
from planarcontact.errors import InputError



@pytest.fixture(scope="module")
def codes() -> tuple[int, ...]:
    return realisable_formations(ExactScene()).codes


@pytest.fixture(scope="module")
def base(codes) -> list[Stratum]:
    """The formations at no quarter turn; the other turns rename features."""
    return [shape for shape in map(stratum, codes) if shape.quarter == 0]



def label(poses):
    labels = recognize(poses, step_scene(), options=RECOMMENDED)
    return np.where(labels.ambiguous, -1, labels.formation)


def check_paths(shape: Stratum, seed: int, count: int) -> int:
    u = shape.sample(np.random.default_rng(seed), count + 1)
    points = 0
    for start in u[1:]:
        path = path_between(start, u[0], shape, step=5e-3)
        poses = shape.poses(path)
        assert shape.holds(path).all()
        assert pose_distance(poses[1:], poses[:-1], shape.side).max() <= 5e-3
        assert pose_distance(poses[:1], shape.poses(start[None]), shape.side) < 1e-12
        assert pose_distance(poses[-1:], shape.poses(u[:1]), shape.side) < 1e-12
        points += len(path)
    return points


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_any_two_poses_of_a_formation_are_joined_inside_it(placement, base):
    shapes = [shape for shape in base if shape.placement == placement]
    assert len(shapes) >= 6
    for shape in shapes:
        check_paths(shape, shape.code, 3)


def test_quarter_turns_only_rename(codes):
    for code in codes[::7]:
        check_paths(stratum(code), code, 1)


@pytest.mark.slow
def test_paths_of_every_formation(campaign, codes):
    count = sum(check_paths(stratum(code), 11, 40) for code in codes)
    campaign(name="contact states: paths inside each formation", seed=11, count=count, failures=0, note="poses on 40 paths in each of 357 formations")


def test_samples_carry_the_label_of_their_formation(base):
    """Where no feature is near another without touching it and no edge nearly flush, the recognizer sees the sample's formation.

    Vertex on vS is left out: there the recognizer's label changes at the very pose.
    """
    seen = 0
    for shape in base:
        code = shape.code
        if shape.placement.endswith("edge-corner"):
            continue
        poses = shape.poses(shape.sample(np.random.default_rng(code), 40))
        labels = recognize(poses, step_scene(), options=RECOMMENDED)
        tilt = np.abs(np.remainder(poses[:, 2] + np.pi / 4, np.pi / 2) - np.pi / 4)
        gap = np.abs(labels.gap)
        calm = ~((gap < 12e-3) & (gap > 1e-9)).any(1) & ((tilt < 1e-12) | (tilt > 0.06))
        assert (np.asarray(labels.formation)[calm] == code).all()
        seen += int(calm.sum())
    assert seen > 800


def test_overlap_measures_agree_with_shapely():
    from shapely.geometry import Point, Polygon

    shape, rng = stratum(0), np.random.default_rng(1)
    a, h, r = shape.side, shape.height, shape.radius
    ground = Polygon([(-2, -2), (2, -2), (2, h), (0, h), (0, 0), (-2, 0)])
    poses = rng.uniform([-0.3, 0, -np.pi, -0.3, 0], [0.3, 0.3, np.pi, 0.3, 0.3], (500, 5))
    box, disk, apart = no_overlap(poses, shape)
    for pose, *clear in zip(poses, box, disk, apart):
        c, s = np.cos(pose[2]), np.sin(pose[2])
        body = Polygon([(pose[0] + c * u + s * w, pose[1] - s * u + c * w) for u, w in np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * a / 2])
        centre = Point(pose[3:])
        for number, free in zip(clear, (not body.intersects(ground), ground.distance(centre) > r, body.distance(centre) > r)):
            assert (number > 0) == free


def test_components_of_known_sets():
    line = np.zeros((11, 5))
    line[:, 0] = np.arange(11) * 5e-3
    assert [components(line, r, side=0.125) for r in (4.9e-3, 5.1e-3)] == [11, 1]
    turn = np.zeros((2, 5))
    turn[:, 2] = [-np.pi + 0.01, np.pi - 0.01]
    assert components(turn, 0.02 * 0.125 / 2**0.5 * 1.01, side=0.125) == 1
    assert components(turn, 0.02 * 0.125 / 2**0.5 * 0.99, side=0.125) == 2
    with pytest.raises(InputError):
        components(np.zeros((0, 5)), 1e-3, side=0.125)


def test_counts_fall_with_the_radius_and_joined_samples_are_one():
    found = connectivity(119, label, count=200, seed=2)
    assert found.exact[0] >= found.exact[-1] >= 1 and found.band[0] >= found.band[-1] >= 1
    shape = stratum(119)
    u = shape.sample(np.random.default_rng(2), 20)
    assert components(joined(shape, u), 5e-3, side=shape.side) == 1


def test_band_poses_carry_the_label():
    shape = stratum(38)
    poses = band_poses(shape, np.random.default_rng(0), 100, label)
    assert len(poses) == 100 and (label(poses) == 38).all()


def test_bad_input_is_refused():
    with pytest.raises(InputError):
        stratum(9 * 3 + 81 * 3 + 729)
    with pytest.raises(InputError):
        stratum(36, ExactScene(radius=F(1, 64))).poses(np.zeros((1, 2)))
