"""Labels do not hinge on where the scene stands, on how it is listed, or on how a pose at an edge's end is rounded."""

import numpy as np
import pytest
from cs_poses import AWAY, CORNERS, A, H, R, box_with, near_contact, turned

from planarcontact.contact_states import (
    RECOMMENDED, ConvexPolygon, Environment, Options, decode, load_demo, polygon_scene, realisable_formations, recognize, step_scene,
)  # fmt: skip

SCENE = step_scene()
BOTH = pytest.mark.parametrize("options", [Options(), RECOMMENDED], ids=["document", "recommended"])
PLACES = [(0.0, 0.0), (1e3, -1e3), (-777.7, 123.4), (1e-3, 1e3)]


def clear_of_thresholds(poses: np.ndarray, options: Options) -> np.ndarray:
    """Poses whose labels stay the same when every tolerance and every coordinate is moved by 2e-9 m or rad."""
    same = np.ones(len(poses), dtype=bool)
    first = recognize(poses, SCENE, options)
    for eps_on, eps_pen in ((options.eps_on + 2e-9, options.eps_pen + 2e-9), (options.eps_on - 2e-9, options.eps_pen - 2e-9)):
        moved = Options(eps_on=eps_on, eps_pen=eps_pen, conflict=options.conflict, contact_set_disk=options.contact_set_disk)
        same &= (recognize(poses, SCENE, moved).on == first.on).all(axis=1)
    for way in np.concatenate((np.eye(5), -np.eye(5))):
        same &= (recognize(poses + 2e-9 * way, SCENE, options).on == first.on).all(axis=1)
    return same


@BOTH
@pytest.mark.parametrize("place", PLACES[1:])
def test_scene_and_poses_move_together(options: Options, place: tuple[float, float]) -> None:
    poses = np.concatenate((near_contact(np.random.default_rng(8), 3000, 3e-3), load_demo().poses))
    poses = poses[clear_of_thresholds(poses, options)]
    assert len(poses) > 4000
    here = recognize(poses, SCENE, options)
    there = recognize(poses + np.array([*place, 0.0, *place]), step_scene(place), options)
    moved = recognize(poses + np.array([*place, 0.0, *place]), SCENE.moved(*place), options)
    for labels in (there, moved):
        np.testing.assert_array_equal(labels.on, here.on)
        np.testing.assert_array_equal(labels.ties, here.ties)
        # the height at which a face almost upright crosses the end of a slab magnifies the rounding
        change = np.abs(labels.gap - here.gap)
        assert (change > 1e-12).mean() < 1e-3 and change.max() < 1e-6


@BOTH
def test_scene_and_poses_turn_together(options: Options) -> None:
    poses = near_contact(np.random.default_rng(9), 1500, 3e-3)
    poses = poses[clear_of_thresholds(poses, options)]
    here = recognize(poses, SCENE, options)
    for angle in (0.3, 1.7, -2.5):
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array(((c, s), (-s, c)))
        turned_poses = np.column_stack((poses[:, :2] @ turn.T, poses[:, 2] + angle, poses[:, 3:] @ turn.T))
        labels = recognize(turned_poses, SCENE.moved(0.0, 0.0, angle), options)
        np.testing.assert_array_equal(labels.on, here.on)


def test_a_whole_turn_of_the_box_changes_nothing() -> None:
    poses = near_contact(np.random.default_rng(10), 1000, 3e-3)
    poses = poses[clear_of_thresholds(poses, RECOMMENDED)]
    whole = recognize(poses + np.array([0, 0, 2 * np.pi, 0, 0]), SCENE, RECOMMENDED)
    np.testing.assert_array_equal(whole.on, recognize(poses, SCENE, RECOMMENDED).on)


@BOTH
def test_the_listing_of_the_outlines_does_not_matter(options: Options) -> None:
    """Start, direction and order of the lists, on a scene of three polygons: the labels by place, not by name."""
    random = np.random.default_rng(12)
    body = np.array([(-0.05, -0.03), (0.06, -0.02), (0.02, 0.06), (-0.03, 0.04)])
    ground = [np.array([(-1, -1), (1, -1), (1, 0), (-1, 0.0)]), np.array([(0.02, 0.01), (0.2, 0.01), (0.2, 0.2), (0.05, 0.25)]),
              np.array([(-0.4, 0.02), (-0.3, 0.02), (-0.35, 0.1)])]  # fmt: skip
    poses = np.column_stack((random.uniform(-0.4, 0.2, 2000), random.uniform(0.02, 0.1, 2000), random.uniform(-3, 3, 2000),
                             random.uniform(-0.4, 0.2, 2000), random.uniform(0.0, 0.1, 2000)))  # fmt: skip
    first = recognize(poses, polygon_scene(body, ground, 0.02, disk_environment=True), options)
    assert first.on.any(axis=1).mean() > 0.1
    for _ in range(6):
        listed = [np.roll(p, random.integers(len(p)), axis=0)[:: random.choice([-1, 1])] for p in (body, *ground)]
        rest = [listed[1:][k] for k in random.permutation(3)]
        again = recognize(poses, polygon_scene(listed[0], rest, 0.02, disk_environment=True), options)
        np.testing.assert_array_equal(again.on, first.on)
        np.testing.assert_array_equal(again.gap, first.gap)
    chain = [(-1.0, 0.0), (0.0, 0.0), (0.0, H), (1.0, H)]
    ways = [Environment.from_chain(chain), Environment.from_chain(chain[::-1], solid="left")]
    box = ConvexPolygon.box(A, A)
    one, two = (recognize(near_contact(random, 500), polygon_scene(box, way, R), options) for way in ways)
    assert ways[0] == ways[1] and one.scene == two.scene


@BOTH
def test_a_vertex_exactly_on_the_step_corner_is_two_vertices_for_every_rounding(options: Options) -> None:
    """Exactly there the vertex meets the edges S, P, and its own sides meet vS, at ends that are features: rule 2 drops them all.

    The pose has no open neighbourhood with one label, so the text's tolerances alone leave it to rounding; a point within
    a nanometre of an edge's end is therefore at the end.
    """
    random = np.random.default_rng(13)
    rows, names = [], []
    for vertex, quarter in (("v+-", 0), ("v++", 1), ("v-+", 2), ("v--", 3)):
        for tilt in random.uniform(0.05, np.pi / 2 - 0.05, 200):
            rows.append((*box_with(vertex, (0.0, H), tilt + quarter * np.pi / 2), *AWAY))
            names.append(f"({vertex},vS)")
    exact = np.array(rows)
    rounded = [np.nextafter(exact, side) for side in (-np.inf, np.inf)] + [exact + random.uniform(-1e-12, 1e-12, exact.shape) for _ in range(5)]
    for place in PLACES:
        scene, shift = step_scene(place), np.array([*place, 0.0, *place])
        for poses in (exact, *rounded):
            labels = recognize(poses + shift, scene, options)
            assert all(labels.names(i) == {name} for i, name in enumerate(names))
            assert not labels.ambiguous.any()


@BOTH
def test_a_disk_exactly_over_a_vertex_touches_the_vertex_for_every_rounding(options: Options) -> None:
    """On the border between side and corner the touching point is the side's end."""
    random = np.random.default_rng(14)
    rows = []
    for theta in random.uniform(-3, 3, 300):
        dx, dz = turned(theta, (CORNERS["v-+"][0] - R, CORNERS["v-+"][1]))
        rows.append((-0.3, 0.4, theta, -0.3 + dx, 0.4 + dz))
    exact = np.array(rows)
    for poses in (exact, np.nextafter(exact, np.inf), np.nextafter(exact, -np.inf), exact + random.uniform(-1e-12, 1e-12, exact.shape)):
        labels = recognize(poses, SCENE, options)
        assert all(labels.names(i) == {"(v-+,M)"} for i in range(len(labels)))


def test_every_formation_is_recognised_at_its_exact_witness_wherever_the_scene_stands() -> None:
    """All 357, those without a well-away pose included; under the document's exclusions 28 carry a second contact with the step."""
    found = realisable_formations(SCENE)
    poses = np.array([found.witnesses[code].floats() for code in found.codes])
    for place in PLACES:
        labels = recognize(poses + np.array([*place, 0.0, *place]), step_scene(place), RECOMMENDED)
        np.testing.assert_array_equal(labels.formation, found.codes)
        document = recognize(poses + np.array([*place, 0.0, *place]), step_scene(place))
        other = [i for i, code in enumerate(found.codes) if document.formation[i] != code]
        assert len(other) == 28 and not document.ambiguous.any()
        assert other == np.flatnonzero(labels.ambiguous).tolist()  # the recommended options call the same 28 a tie
        assert all(document.names(i) > decode(found.codes[i], SCENE) for i in other)
