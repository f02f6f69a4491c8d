"""Bad input ends in an error of ours that names the value; coarse number types are refused (R15)."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from planarcontact.contact_states import (
    ConvexPolygon,
    Environment,
    Options,
    Scene,
    gaps,
    jax_gaps,
    polygon_scene,
    recognize,
    step_scene,
)
from planarcontact.errors import InputError, UnsupportedError

SCENE = step_scene()
POSE = np.array([[-0.3, 0.0625, 0.0, -1.0, 1.0]])
SQUARE = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]


@pytest.mark.parametrize(
    "poses", [np.zeros((0, 5)), np.zeros(5), np.zeros((2, 4)), [[0, 0, 0, 0, "x"]], [[1, 2], [3]], None]
)
def test_poses_that_are_none(poses: object) -> None:
    with pytest.raises(InputError, match="poses"):
        recognize(poses, SCENE)
    with pytest.raises(InputError, match="poses"):
        gaps(poses, SCENE)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("column", range(5))
def test_poses_that_are_not_finite(column: int, value: float) -> None:
    poses = np.repeat(POSE, 3, axis=0)
    poses[1, column] = value
    with pytest.raises(InputError, match=rf"poses\[1, {column}\]"):
        recognize(poses, SCENE)


@pytest.mark.parametrize(
    "wrong",
    [
        {"eps_on": 0.0}, {"eps_on": -1e-3}, {"eps_on": np.nan}, {"eps_on": "1"}, {"eps_pen": -1e-3}, {"eps_pen": np.inf},
        {"conflict": "both"}, {"contact_set_disk": "line"}, {"depenetrate": 1},
    ],
)  # fmt: skip
def test_options(wrong: dict) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        Options(**wrong)


def test_objects_of_another_kind() -> None:
    with pytest.raises(InputError, match="scene"):
        recognize(POSE, "step")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="options"):
        recognize(POSE, SCENE, {"eps_on": 1e-3})  # type: ignore[arg-type]
    with pytest.raises(InputError, match="eps_on"):
        recognize(POSE, SCENE, Options(eps_on=0.04))  # longer than the riser


@pytest.mark.parametrize(
    "wrong",
    [{"origin": (0, np.nan)}, {"origin": (0, 0, 0)}, {"side": 0.0}, {"height": -1.0}, {"radius": np.inf}, {"origin": "ab"}],
)
def test_step_scene(wrong: dict) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        step_scene(**wrong)


@pytest.mark.parametrize(
    "vertices",
    [
        SQUARE[:2],  # no polygon
        [(0, 0), (1, 0), (2, 0)],  # no area
        [(0, 0), (1, 0), (1, 0), (1, 1)],  # an edge without length
        [(0, 0), (2, 0), (1, 0.1), (1, 2)],  # a concave corner
        [(np.cos(k * 4 * np.pi / 5), np.sin(k * 4 * np.pi / 5)) for k in range(5)],  # a star winds twice
        [(0, 0), (1, 0), (1, np.nan)],
    ],
)
def test_bodies(vertices: list) -> None:
    with pytest.raises(InputError, match="vertices"):
        ConvexPolygon.from_vertices(vertices)


def test_environments() -> None:
    for call in (
        lambda: Environment.from_chain([(0, 0)]),
        lambda: Environment.from_chain([(0, 0), (0, 0)]),
        lambda: Environment.from_chain([(0, 0), (1, 0)], solid="up"),
        lambda: Environment.from_chain([(0, 0), (1, 0)], edge_names=("a", "b")),
        lambda: Environment.from_polygons([]),
        lambda: Environment.from_polygons([SQUARE[:2]]),
        lambda: Environment.from_polygons([SQUARE], edge_names=("a", "a", "b", "c")),
        lambda: polygon_scene(SQUARE, [SQUARE], 0.0),
        lambda: polygon_scene(SQUARE, [SQUARE], 0.1, overlap_min=-1.0),
        lambda: polygon_scene(SQUARE, [SQUARE], 0.1, short_names={("+x", "floor"): "f"}),
    ):
        with pytest.raises(InputError):
            call()


def test_labels_refuse_what_they_do_not_have() -> None:
    labels = recognize(POSE, SCENE)
    for call in (
        lambda: labels.names(1), lambda: labels.names(-2), lambda: labels.names(0.0),
        lambda: labels.contact_set(0, "t"), lambda: labels.contact_set(0, "k"), lambda: labels.normal(0, 40),
    ):  # fmt: skip
        with pytest.raises(InputError):
            call()


@pytest.mark.parametrize("convert", [np.float32, jnp.float32, np.float16])
def test_r15_float32_far_away_is_refused(convert: type) -> None:
    far = POSE + np.array([1e4, 0, 0, 1e4, 0])
    scene = step_scene((1e4, 0.0))
    assert recognize(far, scene).names(0) == {"g"}
    with pytest.raises(InputError, match="float"):
        recognize(np.asarray(far).astype(np.float32) if convert is np.float32 else jnp.asarray(far, dtype=convert), scene)


def test_r15_where_float32_resolves_a_micrometre_it_is_taken() -> None:
    assert recognize(POSE.astype(np.float32), SCENE).names(0) == {"g"}
    with pytest.raises(InputError, match="resolved"):
        recognize(POSE + np.array([1e11, 0, 0, 0, 0]), SCENE)


def test_r15_jax_without_x64_is_refused() -> None:
    with jax.enable_x64(False), pytest.raises(UnsupportedError, match="x64"):
        jax_gaps(SCENE)(jnp.asarray(POSE[0]))


def test_scene_is_frozen_and_hashable() -> None:
    assert hash(step_scene()) == hash(SCENE) and step_scene() == SCENE and isinstance(SCENE, Scene)
    assert step_scene((1.0, 0.0)) != SCENE
