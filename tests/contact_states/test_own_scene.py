"""Scenes of one's own: any convex polygon on any polygonal ground, the disk on the ground, and MuJoCo models."""

import mujoco
import numpy as np
import pytest
from cs_poses import A, H, R

from planarcontact.contact_states import (
    RECOMMENDED,
    Environment,
    Options,
    catalog,
    polygon_scene,
    poses_from_mujoco,
    recognize,
    scene_from_mujoco,
    step_scene,
)
from planarcontact.contact_states.demo import load_demo
from planarcontact.contact_states.demo_model import DemoSettings, demo_model
from planarcontact.errors import InputError, UnsupportedError

VALLEY = [(-2.0, 0.5), (-0.5, 0.5), (-0.2, 0.1), (0.1, 0.0), (0.4, 0.3), (0.5, 0.25), (2.0, 0.25)]
BODIES = {
    "triangle": [(-0.03, -0.02), (0.05, -0.02), (0.0, 0.05)],
    "hexagon": [(0.04 * np.cos(k * np.pi / 3), 0.04 * np.sin(k * np.pi / 3)) for k in range(6)],
    "trapezoid": [(-0.05, 0.0), (0.05, 0.0), (0.03, 0.04), (-0.03, 0.04)],
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("options", [Options(), RECOMMENDED], ids=["document", "recommended"])
def test_every_face_lies_flat_on_every_edge(body: str, options: Options) -> None:
    scene = polygon_scene(BODIES[body], Environment.from_chain(VALLEY), 0.01, disk_environment=True)
    shape, ground = scene.body, scene.environment
    for e, (base, tangent) in enumerate(zip(np.array(ground.base), ground.tangents)):
        low, high = max(ground.low[e], -1.0), min(ground.high[e], 1.0)
        if high - low < 0.2:
            continue
        middle = base + (low + high) / 2 * tangent + 1e-4 * ground.normals[e]
        for f, name in enumerate(shape.face_names):
            theta = np.arctan2(shape.tangents[f, 1], shape.tangents[f, 0]) - np.arctan2(-tangent[1], -tangent[0])
            # a face runs against the edge that it lies on
            theta += np.pi
            c, s = np.cos(theta), np.sin(theta)
            at = shape.corners[shape.faces[f][0]] + shape.lengths[f] / 2 * shape.tangents[f]
            x, z = middle - (c * at[0] + s * at[1], c * at[1] - s * at[0])
            labels = recognize([(x, z, theta, 5.0, 5.0)], scene, options)
            assert labels.names(0) == {f"({name},{ground.edge_names[e]})"} and not labels.ambiguous[0], (name, e)
            length = np.linalg.norm(np.diff(labels.contact_set(0, next(iter(labels.names(0)))), axis=0))
            assert length == pytest.approx(shape.lengths[f], abs=1e-9)


def test_convex_vertices_are_found_by_the_turn() -> None:
    ground = Environment.from_chain(VALLEY)
    np.testing.assert_allclose(ground.vertices, [(-0.5, 0.5), (0.4, 0.3)])
    block = Environment.from_polygons([[(0, 0), (1, 0), (1, 1), (0.5, 0.4), (0, 1)]])
    assert len(block.vertices) == 4 and len(block.base) == 5  # one corner is concave


def test_pieces_that_a_convex_body_touches_once() -> None:
    square = Environment.from_polygons([[(0, 0), (1, 0), (1, 1), (0, 1)]])
    assert square.together.all()
    step = step_scene().environment
    assert step.together.tolist() == [[True, False, False], [False, True, True], [False, True, True]]
    valley = Environment.from_chain(VALLEY)
    assert valley.together.sum() == len(valley.base) + 2 * 2  # each peak joins its two edges
    two = Environment.from_polygons([[(0, 0), (1, 0), (1, 1), (0, 1)], [(2, 0), (3, 0), (3, 1), (2, 1)]])
    assert not two.together[:4, 4:].any() and two.together[:4, :4].all()


def test_disk_on_the_environment() -> None:
    scene = step_scene(disk_environment=True)
    places = {"L": (-0.4, R), "S": (-R, H / 2), "P": (0.3, H + R), "vS": (-R * 0.6, H + R * 0.8)}
    for options in (Options(), RECOMMENDED):
        for other, disk in places.items():
            labels = recognize([(-0.9, 0.6, 0.0, *disk)], scene, options)
            expected = {f"(M,{other})"} | ({"(M,L)"} if other == "S" and disk[1] - R < 1e-3 else set())
            assert labels.names(0) == expected and not labels.ambiguous[0]
            assert np.linalg.norm(labels.normal(0, f"(M,{other})")) == pytest.approx(1.0)
            touched = labels.contact_set(0, f"(M,{other})")
            assert np.linalg.norm(touched.mean(axis=0) - disk) == pytest.approx(R, abs=1e-9)
    corner = recognize([(-0.9, 0.6, 0.0, -R, R)], scene)
    assert corner.names(0) == {"(M,L)", "(M,S)"}


def test_five_lines_from_a_mujoco_model_to_labels() -> None:
    model, demo = demo_model(DemoSettings()), load_demo()
    ground = Environment.from_chain([(-1, 0), (0, 0), (0, H), (1, H)], edge_names=("L", "S", "P"), vertex_names=("vS",))
    scene = scene_from_mujoco(model, "box", "disk", ground)
    poses = poses_from_mujoco(model, demo.poses, "box", "disk")
    labels = recognize(poses, scene)
    np.testing.assert_allclose(poses, demo.poses, atol=1e-12)
    known = recognize(demo.poses, step_scene())
    np.testing.assert_array_equal(labels.on, known.on)
    assert (scene.body, scene.radius) == (step_scene().body, R) and len(catalog(scene)) == 40


def test_what_is_no_planar_model_is_refused() -> None:
    model = demo_model(DemoSettings())
    for call in (
        lambda: scene_from_mujoco(model, "crate", "disk", [[(0, 0), (1, 0), (1, 1)]]),
        lambda: scene_from_mujoco(model, "disk", "disk", [[(0, 0), (1, 0), (1, 1)]]),
        lambda: scene_from_mujoco(model, "box", "box", [[(0, 0), (1, 0), (1, 1)]]),
        lambda: poses_from_mujoco(model, np.zeros((2, 4)), "box", "disk"),
        lambda: poses_from_mujoco(model, np.full((2, 5), np.nan), "box", "disk"),
    ):
        with pytest.raises(InputError):
            call()
    free = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><body><freejoint/><geom name="b" type="box" size=".1 .1 .1"/></body>'
        '<geom name="d" type="sphere" size=".1"/></worldbody></mujoco>'
    )
    with pytest.raises(UnsupportedError, match="frame 1"):
        poses_from_mujoco(free, [[0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0.8, 0.6, 0, 0]], "b", "d")


def test_box_side_is_the_documents() -> None:
    assert step_scene().body.vertices[0] == (A / 2, A / 2)
