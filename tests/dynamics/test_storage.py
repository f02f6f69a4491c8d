"""A scene on disk is the same scene: every number exact, and a damaged file is an error of ours."""

import json
import subprocess
import sys

import numpy as np
import pytest

from planarcontact.dynamics import Body, Disc, EllipsoidalFriction, Plane, SampledWrench, Scene, Sphere, load_scene, save_scene, scenes
from planarcontact.errors import DataError, InputError, UnsupportedError


def scene(seed):
    rng = np.random.default_rng(seed)
    vertices, moments = rng.normal(size=(6, 3)), rng.uniform(1, 2, 3)
    moments[2] = moments[:2].sum() * 0.7
    body = Body(
        rng.uniform(), np.diag(moments), vertices, [Disc(rng.normal(size=3), rng.normal(size=3), rng.uniform())] * (seed % 3),
        [Sphere(rng.normal(size=3), 0.1)] * (seed % 2), patches=None if seed % 2 else [(0, 1, 2), (3, 4, 5)],
    )  # fmt: skip
    orientation = rng.normal(size=4)
    changes = {"wrench": SampledWrench(np.linspace(0, 1, 7), rng.normal(size=(7, 6)))} if seed % 2 else {}
    return Scene(
        body=body, support=Plane(rng.normal(size=3), rng.normal()), friction=EllipsoidalFriction(*rng.uniform(0.1, 1, 4)),
        gravity=rng.uniform(), position=rng.normal(size=3), orientation=orientation / np.linalg.norm(orientation),
        velocity=rng.normal(size=6), step=rng.uniform(0.001, 0.1), duration=0.9, **changes,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_every_number_comes_back(tmp_path, seed):
    one = scene(seed)
    save_scene(tmp_path / "scene.json", one)
    two = load_scene(str(tmp_path / "scene.json"))
    for name in ("position", "orientation", "velocity", "gravity", "step", "duration"):
        assert np.array_equal(getattr(one, name), getattr(two, name)), name
    for name in ("mass", "inertia", "vertices", "patches"):
        a, b = getattr(one.body, name), getattr(two.body, name)
        assert a == b if name == "patches" else np.array_equal(a, b), name
    assert len(two.body.discs) == seed % 3 and len(two.body.spheres) == seed % 2
    for a, b in zip(one.body.discs + one.body.spheres, two.body.discs + two.body.spheres):
        assert all(np.array_equal(getattr(a, name), getattr(b, name)) for name in vars(a))
    assert np.array_equal(one.support.normal, two.support.normal) and one.support.offset == two.support.offset
    assert one.friction == two.friction
    assert np.array_equal(one.loads(), two.loads())
    save_scene(tmp_path / "again.json", two)
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "scene.json").read_bytes()


@pytest.mark.parametrize("wrench", [lambda t: np.zeros(6), scenes.desk_wrench, scenes.Wobble()])
def test_a_function_of_time_is_refused_before_anything_is_written(tmp_path, wrench):
    with pytest.raises(UnsupportedError, match="SampledWrench"):
        save_scene(tmp_path / "scene.json", scenes.desk().replace(wrench=wrench))
    assert not (tmp_path / "scene.json").exists()


def damaged(**changes):
    def change(plain):
        return {**plain, **changes}

    return change


DAMAGE = {
    "another format": damaged(format="x"),
    "a later version": damaged(version=2),
    "not a dictionary": lambda plain: [plain],
    "no body": lambda plain: {k: v for k, v in plain.items() if k != "body"},
    "no load entry": lambda plain: {k: v for k, v in plain.items() if k != "wrench"},
    "body is a number": damaged(body=3),
    "an infinite position": damaged(position=[0.0, float("inf"), 0.0]),
    "text for a number": damaged(gravity="9.8"),
    "a huge step": damaged(step=10**400),
    "an unknown entry of friction": damaged(friction={"mu": 0.1, "colour": 1}),
    "a short load": damaged(wrench={"times": [0.0, 1.0], "values": [[0.0] * 6]}),
    "a quaternion that is none": damaged(orientation=[1.0, 1.0, 0.0, 0.0]),
    "a normal without length": damaged(support={"normal": [0.0, 0.0, 0.0], "offset": 0.0}),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_files(tmp_path, name):
    save_scene(tmp_path / "scene.json", scene(2))
    plain = DAMAGE[name](json.loads((tmp_path / "scene.json").read_text()))
    (tmp_path / "scene.json").write_text(json.dumps(plain))
    with pytest.raises(DataError, match="scene.json"):
        load_scene(tmp_path / "scene.json")


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"{", b"[" * 200_000, b"1" * 10_000, b"null"])
def test_files_that_are_no_scene(tmp_path, content):
    (tmp_path / "scene.json").write_bytes(content)
    with pytest.raises(DataError, match="scene.json"):
        load_scene(tmp_path / "scene.json")


def test_paths_and_types(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        load_scene(tmp_path / "missing.json")
    with pytest.raises(DataError, match="cannot be written"):
        save_scene(tmp_path / "no" / "folder.json", scene(0))
    with pytest.raises(InputError, match="scene"):
        save_scene(tmp_path / "x.json", {"body": 1})
    for path in (3, None, "a\0b"):
        with pytest.raises(InputError, match="path"):
            load_scene(path)
        with pytest.raises(InputError, match="path"):
            save_scene(path, scene(0))


def test_names_that_are_imported_when_first_asked_for():
    code = (
        "import sys, planarcontact.dynamics as d\n"
        "late = [f'planarcontact.dynamics.{m}' for m in ('storage', 'gradients', 'estimation', 'mesh')]\n"
        "assert not set(late) & set(sys.modules), set(late) & set(sys.modules)\n"
        "assert 'trimesh' not in sys.modules\n"
        "for name in d.__all__: assert getattr(d, name) is not None and name in dir(d)\n"
        "assert not hasattr(d, 'nothing')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
