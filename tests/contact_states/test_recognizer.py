"""The field's cases for the recognizer, each with its kind, and what must not change a label."""

import itertools

import numpy as np
import pytest
from cs_poses import A, AWAY, H, R, box_with, disk_on_face, leaning, near_contact, turned

from planarcontact.contact_states import (
    RECOMMENDED,
    ConvexPolygon,
    Environment,
    Options,
    catalog,
    polygon_scene,
    recognize,
    step_scene,
)

SCENE = step_scene()
BOTH = pytest.mark.parametrize("options", [Options(), RECOMMENDED], ids=["document", "recommended"])


def names(box: tuple, disk: tuple = AWAY, options: Options = Options(), scene=SCENE) -> set[str]:
    labels = recognize([(*box, *disk)], scene, options)
    assert not labels.ambiguous[0]
    return set(labels.names(0))


@BOTH
@pytest.mark.parametrize(
    ("gap", "on"), [(25e-3, False), (1.1e-3, False), (0.9e-3, True), (0.0, True), (-0.5e-3, True), (1.0001e-3, False)]
)
def test_r3_near_is_not_touching(gap: float, on: bool, options: Options) -> None:
    """A record 25 mm away is no contact; the band ends at eps_on, for every kind of template."""
    found = {
        "g": names((-0.3, A / 2 + gap, 0.0), options=options),
        "s": names((-A / 2 - gap, A / 2 + 0.01, 0.0), options=options),
        "t": names((0.3, H + A / 2 + gap, np.pi / 2), options=options),
        "gv": names(box_with("v+-", (-0.3, gap), 0.3), options=options),
        "mx": names((-0.3, 0.4, 0.0), (-0.3 - A / 2 - R - gap, 0.4), options),
        "mz": names((-0.3, 0.4, 0.0), (-0.3, 0.4 - A / 2 - R - gap), options),
    }
    for name, labels in found.items():
        assert labels == ({name} if on else set()), name


@BOTH
@pytest.mark.parametrize("name", ["g", "s", "t", "gv", "mx", "sv", "(v-+,M)"])
def test_r4_kissing_contact_is_one_label(name: str, options: Options) -> None:
    """From 1e-12 m apart to 1e-12 m sunk the label stands, and it is monotone in the gap."""
    lean = leaning(0.2)
    fine = [-1e-12, -1e-15, 0.0, 1e-15, 1e-12]
    for gaps in (fine, np.linspace(1.5e-3, -1.5e-3, 301)):
        poses = []
        for g in gaps:
            box, disk = {
                "g": ((-0.3, A / 2 + g, 0.0), AWAY),
                "s": ((-A / 2 - g, A / 2 + 0.01, 0.0), AWAY),
                "t": ((0.3, H + A / 2 + g, np.pi / 2), AWAY),
                "gv": (box_with("v+-", (-0.3, g), 0.3), AWAY),
                "mx": ((-0.3, 0.4, 0.0), (-0.3 - A / 2 - R - g, 0.4)),
                # along the side by 5 mm, off the floor, so that only the step corner touches
                "sv": ((lean[0] + 5e-3 * np.sin(0.2) - g * np.cos(0.2), lean[1] + 5e-3 * np.cos(0.2) + g * np.sin(0.2), 0.2), AWAY),
                "(v-+,M)": ((-0.3, 0.4, 0.0), (-0.3 - A / 2 - (R + g) * 0.6, 0.4 + A / 2 + (R + g) * 0.8)),
            }[name]
            poses.append((*box, *disk))
        labels = recognize(poses, SCENE, options)
        made = [labels.names(i) for i in range(len(poses))]
        on = [seen == {name} for seen in made]
        assert not labels.ambiguous.any() and all(seen in ({name}, set()) for seen in made)
        assert all(on) if gaps is fine else on[-1] and not on[0] and all(b or not a for a, b in itertools.pairwise(on))


@BOTH
def test_r5_a_face_contact_is_an_interval(options: Options) -> None:
    poses = [(-0.3, A / 2, 0.0, *AWAY), (A / 2 - 0.05, H + A / 2, 0.0, *AWAY), (A / 2 - 0.05, H + A / 2, np.pi / 2, *AWAY)]
    labels = recognize(poses, SCENE, options)
    for i, (template, left, right) in enumerate([("g", -0.3 - A / 2, -0.3 + A / 2), ("(-z,P)", -1e-3, 0.075), ("t", -1e-3, 0.075)]):
        ends = labels.contact_set(i, template)
        np.testing.assert_allclose(np.sort(ends[:, 0]), [left, right], atol=1e-15)
        np.testing.assert_allclose(ends[:, 1], 0.0 if template == "g" else H, atol=1e-15)
        np.testing.assert_allclose(labels.normal(i, template), [0.0, -1.0], atol=1e-15)


@BOTH
@pytest.mark.parametrize("overhang", [0.0, 0.01, 0.05, 0.1])
def test_r5_overhang_shortens_the_interval(overhang: float, options: Options) -> None:
    labels = recognize([(A / 2 - overhang, H + A / 2, 0.0, *AWAY)], SCENE, options)
    length = float(np.linalg.norm(np.diff(labels.contact_set(0, "(-z,P)"), axis=0)))
    assert length == pytest.approx(A - overhang + min(1e-3, overhang), abs=1e-15)


@BOTH
def test_r6_seams_and_the_inner_corner_catch_nothing(options: Options) -> None:
    tiles = [(-1.0, 0.0), (-0.4, 0.0), (-0.3, 0.0), (-0.1, 0.0), (0.0, 0.0), (0.0, H / 3), (0.0, H), (0.05, H), (1.0, H)]
    tiled = polygon_scene(ConvexPolygon.box(A, A), Environment.from_chain(tiles), R)
    assert tiled.environment.edge_names == ("E0", "E1", "E2") and len(tiled.environment.vertices) == 1
    fronts = np.concatenate((np.linspace(-0.5, -2e-3, 50), [-1.01e-3, -0.99e-3, -1e-6, 0.0, 1e-6, 0.5e-3]))
    poses = [(x - A / 2, A / 2, 0.0, *AWAY) for x in fronts]
    plain, seamed = recognize(poses, SCENE, options), recognize(poses, tiled, options)
    for i, x in enumerate(fronts):
        assert plain.names(i) == ({"g"} if x < -1e-3 else {"g", "s"})
        assert seamed.names(i) == ({"(-z,E0)"} if x < -1e-3 else {"(-z,E0)", "(+x,E1)"})
    assert not plain.ambiguous.any() and not seamed.ambiguous.any()
    assert {e.other for e in catalog(SCENE)} == {"M", "L", "S", "P", "vS"}


@pytest.mark.parametrize("sign", list(itertools.product((-1, 1), repeat=2)))
@pytest.mark.parametrize("way", np.linspace(0.05, 0.95, 7).tolist())
@pytest.mark.parametrize("theta", [0.0, 0.7, -2.0])
@BOTH
def test_r7_a_corner_has_one_contact_and_its_own_normal(sign: tuple[int, int], way: float, theta: float, options: Options) -> None:
    box = (-0.3, 0.5, theta)
    angle = way * np.pi / 2
    outward = turned(theta, (sign[0] * np.cos(angle), sign[1] * np.sin(angle)))
    corner = turned(theta, (sign[0] * A / 2, sign[1] * A / 2))
    disk = (box[0] + corner[0] + R * outward[0], box[1] + corner[1] + R * outward[1])
    labels = recognize([(*box, *disk)], SCENE, options)
    name = f"(v{'+' if sign[0] > 0 else '-'}{'+' if sign[1] > 0 else '-'},M)"
    assert labels.names(0) == {name} and not labels.ambiguous[0]
    assert abs(labels.gap[0, 4:8]).min() < 1e-15
    np.testing.assert_allclose(labels.normal(0, name), outward, atol=1e-12)


def test_r7_as_stated() -> None:
    centre = (-0.3 - A / 2 - R * np.sqrt(0.5), A + R * np.sqrt(0.5))
    labels = recognize([(-0.3, A / 2, 0.0, *centre)], SCENE, Options(contact_set_disk="point"))
    assert labels.names(0) == {"g", "(v-+,M)"}
    np.testing.assert_allclose(labels.normal(0, "(v-+,M)"), [-np.sqrt(0.5), np.sqrt(0.5)], atol=1e-15)
    np.testing.assert_allclose(labels.normal(0, 6), [-np.sqrt(0.5), np.sqrt(0.5)], atol=1e-15)


@BOTH
def test_r9_listings_do_not_matter(options: Options) -> None:
    """Start index, direction, order of the polygons and form of the chain leave every label as it is."""
    box = np.array([(A / 2, A / 2), (-A / 2, A / 2), (-A / 2, -A / 2), (A / 2, -A / 2)])
    block = np.array([(-2.0, 0.0), (0.0, 0.0), (0.0, H), (2.0, H), (2.0, -1.0), (-2.0, -1.0)])
    roof = np.array([(-1.0, 1.0), (1.0, 1.0), (1.0, 1.2), (-1.0, 1.2)])
    poses = near_contact(np.random.default_rng(9), 200)
    expected = None
    for start, way, swap in itertools.product(range(4), (1, -1), (False, True)):
        solids = [np.roll(block, start, axis=0)[::way], np.roll(roof, start, axis=0)[::-way]]
        scene = polygon_scene(np.roll(box, start, axis=0)[::way], solids[::-1] if swap else solids, R)
        labels = recognize(poses, scene, options)
        seen = [labels.names(i) for i in range(len(poses))]
        expected = expected or seen
        assert seen == expected
    chain = [(-1.0, 0.0), (0.0, 0.0), (0.0, H), (1.0, H)]
    for points, solid in ((chain, "right"), (chain[::-1], "left")):
        ground = Environment.from_chain(points, solid=solid, edge_names=("L", "S", "P"), vertex_names=("vS",))
        scene = polygon_scene(box, ground, R, overlap_min=SCENE.overlap_min, short_names=dict(SCENE.short_names))
        np.testing.assert_array_equal(recognize(poses, scene, options).on, recognize(poses, SCENE, options).on)


@BOTH
def test_r10_edge_or_vertex_switches_at_theta_e(options: Options) -> None:
    assert names(box_with("v+-", (-0.3, 0.0), np.radians(1.83)), options=options) == {"g"}
    assert names(box_with("v+-", (-0.3, 0.0), np.radians(1.84)), options=options) == {"gv"}
    limit = float(np.arcsin(1e-3 / H))
    for delta, expected in ((-1e-9, {"g", "s"}), (1e-9, {"gv", "sv"})):
        assert names(leaning(limit + delta), options=options) == expected
    assert names(leaning(np.radians(1.83)), options=options) == {"g", "s"}
    assert names(leaning(np.radians(1.84)), options=options) == {"gv", "sv"}


@pytest.mark.parametrize(("vertex", "sign"), [("v+-", 1), ("v--", -1)])
@pytest.mark.parametrize("gap", [-0.5e-3, 0.0, 0.5e-3])
def test_r10_on_the_floor_at_any_gap_and_both_ways(vertex: str, sign: int, gap: float) -> None:
    limit = float(np.arcsin(1e-3 / H))
    vertex_name = "gv" if vertex == "v+-" else "(v--,L)"
    tilts = [tilt for tilt in np.linspace(0.0, 2.0 * limit, 41) if abs(tilt - limit) > 1e-9]
    labels = recognize([(*box_with(vertex, (-0.3, gap), sign * tilt), *AWAY) for tilt in tilts], SCENE)
    for i, tilt in enumerate(tilts):
        assert labels.names(i) == ({"g"} if tilt < limit else {vertex_name})


@BOTH
def test_r14_a_disk_inside_the_box_touches_nothing(options: Options) -> None:
    labels = recognize([(-0.3, 0.4, 0.3, -0.3, 0.4)], SCENE, options)
    np.testing.assert_allclose(labels.gap[0, :8], -A / 2 - R, atol=1e-15)
    assert not labels.on.any() and not labels.in_band[0].any() and not labels.ambiguous[0]
    rng = np.random.default_rng(14)
    inside = rng.uniform(-A / 2, A / 2, (2000, 2))
    poses = np.column_stack((np.full((2000, 2), (-0.3, 0.4)), np.zeros(2000), inside + (-0.3, 0.4)))
    labels = recognize(poses, SCENE, options)
    assert np.isfinite(labels.gap).all() and not labels.on.any() and not labels.ambiguous.any()
    again = recognize(poses, SCENE, options)
    np.testing.assert_array_equal(labels.gap, again.gap)
    for feature in range(8):
        assert np.linalg.norm(labels.normal(0, feature)) == pytest.approx(1.0, abs=1e-12)


@BOTH
def test_a_batch_is_its_poses_one_by_one(options: Options) -> None:
    poses = near_contact(np.random.default_rng(1), 120)
    batch = recognize(poses, SCENE, options)
    for i, pose in enumerate(poses):
        single = recognize(pose[None], SCENE, options)
        for name in ("on", "in_band", "gap", "ties", "formation", "ambiguous"):
            np.testing.assert_array_equal(getattr(single, name)[0], getattr(batch, name)[i])


@BOTH
@pytest.mark.parametrize("angle", [0.0, 0.4, -2.5])
@pytest.mark.parametrize("shift", [(0.0, 0.0), (1e3, -1e3), (-7.25, 312.5)])
def test_labels_move_with_the_scene(shift: tuple[float, float], angle: float, options: Options) -> None:
    poses = near_contact(np.random.default_rng(2), 1500)
    fixed = recognize(poses, SCENE, options)
    moved = poses.copy()
    c, s = np.cos(angle), np.sin(angle)
    for k in (0, 3):
        moved[:, k] = c * poses[:, k] + s * poses[:, k + 1] + shift[0]
        moved[:, k + 1] = c * poses[:, k + 1] - s * poses[:, k] + shift[1]
    moved[:, 2] += angle
    there = recognize(moved, SCENE.moved(*shift, angle), options)
    np.testing.assert_allclose(there.gap, fixed.gap, atol=1e-9)
    np.testing.assert_array_equal(there.on, fixed.on)
    np.testing.assert_array_equal(there.ties, fixed.ties)
    if angle == 0.0:
        np.testing.assert_array_equal(recognize(moved, step_scene(shift), options).on, fixed.on)
    for i in np.flatnonzero(fixed.on.any(axis=1))[:40]:
        t = int(np.flatnonzero(fixed.on[i])[0])
        x, z = fixed.contact_set(i, t).T
        expected = np.stack((c * x + s * z + shift[0], c * z - s * x + shift[1]), axis=1)
        np.testing.assert_allclose(there.contact_set(i, t), expected, atol=1e-9)


@BOTH
def test_at_most_one_contact_per_pair(options: Options) -> None:
    labels = recognize(near_contact(np.random.default_rng(3), 4000, jitter=5e-3), SCENE, options)
    per_pair = labels.on.reshape(-1, 5, 8).sum(axis=2)
    assert per_pair.max() == 1 and labels.in_band.sum(axis=1).max() >= 5
    assert (labels.on <= labels.in_band).all()


def test_the_five_touching_pairs_of_a_flat_box() -> None:
    labels = recognize([(-0.3, A / 2, 0.0, *AWAY)], SCENE)
    touching = {e.name for e, flag in zip(catalog(SCENE), labels.in_band[0]) if flag}
    assert touching == {"g", "gv", "(v--,L)", "(+x,L)", "(-x,L)"} and labels.names(0) == {"g"}


def test_conflict_convex_reports_what_text_lets_pass() -> None:
    """A vertex on the platform with its side 0.5 mm over the step corner: two contacts with one convex piece."""
    theta = np.radians(10.0)
    depth = 0.5e-3 / np.sin(theta)
    box = box_with("v+-", (depth, H), theta)
    text, convex = (recognize([(*box, *AWAY)], SCENE, Options(conflict=c)) for c in ("text", "convex"))
    assert text.names(0) == {"(v+-,P)", "(-z,vS)"} and text.ties[0] == 0
    assert convex.names(0) == {"(v+-,P)"} and convex.ties[0] == 1


def test_a_disk_near_a_corner_ties_as_a_point_and_not_as_an_interval() -> None:
    box = (-0.3, 0.4, 0.0)
    distances = np.linspace(0.1e-3, 12e-3, 120)
    poses = [(*box, *disk_on_face(box, "-x", A / 2 - d)) for d in distances]
    point, interval = (recognize(poses, SCENE, Options(contact_set_disk=k)) for k in ("point", "interval"))
    assert (point.formation == 2).all() and (interval.formation == 2).all() and not interval.ambiguous.any()
    reach = np.sqrt((R + 1e-3) ** 2 - R**2)
    np.testing.assert_array_equal(point.ambiguous, (distances > 1e-3 + 1e-9) & (distances < reach))
