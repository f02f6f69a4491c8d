"""Gaps against shapely, their JAX twin and its gradients (R12)."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import shapely
from cs_poses import A, H, R, box_with, disk_on_face, leaning, near_contact, turned

from planarcontact.contact_states import catalog, gaps, jax_gaps, step_scene
from planarcontact.contact_states.gaps import face_tilts

SCENE = step_scene(disk_environment=True)
BOX = {"+x": ("v+-", "v++"), "-x": ("v-+", "v--"), "+z": ("v++", "v-+"), "-z": ("v--", "v+-")}
FLOOR = {"L": [(-50, 0), (0, 0)], "S": [(0, 0), (0, H)], "P": [(0, H), (50, H)], "vS": (0, H)}


@pytest.fixture(scope="module", autouse=True)
def _x64():  # type: ignore[no-untyped-def]
    with jax.enable_x64(True):
        yield


@pytest.fixture(scope="module")
def compiled():  # type: ignore[no-untyped-def]
    one = jax_gaps(SCENE)
    weights = jnp.asarray(np.random.default_rng(1).uniform(0.5, 1.5, len(catalog(SCENE))))  # no NaN can cancel

    def both(pose):  # type: ignore[no-untyped-def]
        gap, pull = jax.vjp(one, pose)
        return gap, pull(weights)[0], jnp.sum(weights[:, None] * jax.jacfwd(one)(pose), axis=0)

    return jax.jit(jax.vmap(both))


def features(pose: np.ndarray) -> dict[str, shapely.Geometry]:
    corners = {}
    for name in ("v++", "v+-", "v-+", "v--"):
        dx, dz = turned(pose[2], ((1 if name[1] == "+" else -1) * A / 2, (1 if name[2] == "+" else -1) * A / 2))
        corners[name] = (pose[0] + dx, pose[1] + dz)
    made = {name: shapely.Point(at) for name, at in corners.items()}
    return made | {name: shapely.LineString([corners[a], corners[b]]) for name, (a, b) in BOX.items()}


def test_apart_the_gap_is_the_distance_of_the_features() -> None:
    """For bodies that do not overlap, gap = distance of the closed features, by another library."""
    poses = near_contact(np.random.default_rng(0), 700, jitter=20e-3)
    ground = {k: shapely.Point(v) if k == "vS" else shapely.LineString(v) for k, v in FLOOR.items()}
    solid = shapely.Polygon([(-50, -50), (-50, 0), (0, 0), (0, H), (50, H), (50, -50)])
    found, checked = gaps(poses, SCENE), 0
    for pose, gap in zip(poses, found):
        own, centre = features(pose), shapely.Point(pose[3:])
        box = shapely.Polygon([own[n].coords[0] for n in ("v++", "v-+", "v--", "v+-")])
        disk = centre.distance(box) >= R and centre.distance(solid) >= R
        if box.distance(solid) == 0.0 or not disk:
            continue
        checked += 1
        for entry in catalog(SCENE):
            if entry.feature == "M":
                expected = centre.distance(ground[entry.other]) - R
            elif entry.other == "M":
                expected = centre.distance(own[entry.feature]) - R
            else:
                expected = own[entry.feature].distance(ground[entry.other])
            if gap[entry.index] < 0.0:  # behind the feature's line
                assert gap[entry.index] < -1e-3, entry.name
            elif gap[entry.index] > expected + 1e-12:  # behind it too, and nearer to the surface across another
                point, edge = (own[entry.feature], ground[entry.other])[:: 1 if entry.feature[0] == "v" else -1]
                ends = min(point.distance(shapely.Point(end)) for end in edge.coords if abs(end[0]) < 49)
                assert gap[entry.index] == pytest.approx(ends, abs=1e-12) and gap[entry.index] > 1e-3, entry.name
            else:
                assert gap[entry.index] == pytest.approx(expected, abs=1e-12), entry.name
    assert checked > 100


def test_sunk_by_a_depth_the_gap_is_its_negative() -> None:
    for depth in (1e-6, 1e-3, 5e-3):
        poses = [
            (-0.3, A / 2 - depth, 0.0, -1, 1), (-A / 2 + depth, A / 2, 0.0, -1, 1), (0.3, H + A / 2 - depth, np.pi / 2, -1, 1),
            (*box_with("v+-", (-0.2, -depth), 0.4), -1, 1),
        ]  # fmt: skip
        box = (-0.3, 0.4, 0.2)
        poses.append((*box, *disk_on_face(box, "-x", 0.01, -depth)))
        lean = leaning(0.3)
        poses.append((lean[0] + depth * np.cos(0.3), lean[1] - depth * np.sin(0.3), 0.3, -1, 1))
        found = gaps(poses, SCENE)
        index = {e.name: e.index for e in catalog(SCENE)}
        for row, name in enumerate(("g", "s", "t", "gv", "mx", "sv")):
            assert found[row, index[name]] == pytest.approx(-depth, abs=1e-15), name


def test_a_corner_pressed_into_the_junction_belongs_to_both_edges() -> None:
    index = {e.name: e.index for e in catalog(SCENE)}
    for dx, dz in ((1e-3, -1e-3), (5e-3, -2e-3), (9e-3, -9e-3)):
        found = gaps([(*box_with("v+-", (dx, dz), 0.3), -1, 1)], SCENE)[0]
        assert found[index["gv"]] == pytest.approx(dz, abs=1e-15)
        assert found[index["(v+-,S)"]] == pytest.approx(-dx, abs=1e-15)


def exact_poses() -> list[tuple[float, ...]]:
    corner = (-0.3 - A / 2, 0.4 + A / 2)
    return [
        (-A / 2, A / 2, 0.0, -A, A),  # {g, s} with the disk's centre on a corner
        (-0.3, 0.4, 0.0, -0.3, 0.4),  # the disk in the box's middle
        (-0.3, 0.4, 0.0, *corner),  # centre on the corner: distance 0
        (-0.3, 0.4, 0.0, corner[0], 0.4),  # centre on a face
        (*box_with("v+-", (0.0, H), 0.4), 0.0, H),  # vertex on vertex, the disk's centre on vS too
        (A / 2, H + A / 2, 0.0, 0.0, 0.0),  # box flush with the step's edge, disk in the junction
        (0.0, H, 0.0, 0.0, H),
    ]


def test_r12_jax_gaps_agree_and_their_gradients_are_finite(compiled) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(12)
    poses = np.concatenate((exact_poses(), near_contact(rng, 300), rng.uniform(-0.3, 0.3, (300, 5))))
    values, gradients, forward = map(np.asarray, compiled(poses))
    weights = np.random.default_rng(1).uniform(0.5, 1.5, len(catalog(SCENE)))
    np.testing.assert_allclose(gradients, forward, atol=1e-9)
    np.testing.assert_allclose(values, gaps(poses, SCENE), atol=1e-15)
    assert np.isfinite(values).all() and np.isfinite(gradients).all()
    poses, gradients = poses[len(exact_poses()) :], gradients[len(exact_poses()) :]  # the exact ones sit on kinks
    step, smooth = 1e-7, 0
    for k in range(5):
        shift = np.eye(5)[k] * step
        above, below, middle = (gaps(p, SCENE) for p in (poses + shift, poses - shift, poses))
        regular = (np.abs(above - 2 * middle + below) < 1e-11).all(axis=1)  # no kink or jump of any gap within the step
        smooth += int(regular.sum())
        slope = ((above - below) / (2 * step)) @ weights
        np.testing.assert_allclose(slope[regular], gradients[regular, k], atol=1e-5)
    assert smooth > 0.5 * gradients.size


def test_r12_equal_directions_have_tilt_zero_and_gradient_one() -> None:
    """The angle of two equal unit vectors comes from both sine and cosine, never from an arccosine."""
    one = jax.jit(jax.value_and_grad(lambda theta: face_tilts(jnp, theta, SCENE)[3, 0]))
    value, slope = one(0.0)
    assert float(value) == 0.0 and abs(float(slope)) == 1.0


def test_a_corner_just_below_the_platform_is_no_contact_with_the_riser() -> None:
    """A sunk vertex belongs to the edge it is sunk across the least, on E and on the box."""
    index = {e.name: e.index for e in catalog(SCENE)}
    for x in (2e-3, 5e-3, 9e-3):
        found = gaps([(*box_with("v+-", (x, H - 1e-4), np.pi / 2), -1, 1)], SCENE)[0]
        assert found[index["(v+-,P)"]] == pytest.approx(-1e-4, abs=1e-15)
        assert found[index["(v+-,S)"]] == pytest.approx(np.hypot(x, 1e-4), abs=1e-15)
        over = gaps([(*box_with("v+-", (-x, H - 1e-4), np.pi / 2), -1, 1)], SCENE)[0]  # vS inside the box
        assert over[index["sv"]] == pytest.approx(-1e-4, abs=1e-15)
        assert over[index["(-z,vS)"]] == pytest.approx(np.hypot(x, 1e-4), abs=1e-15)
