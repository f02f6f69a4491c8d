"""Every public entry point, every argument, every kind of wrong value: an error of ours, and no warning, comes out."""

import inspect
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import networkx as nx
import numpy as np
import pytest
from planarcontact import contact_states as cs
from planarcontact.contact_states.demo_model import demo_model
from planarcontact.errors import DataError, InputError, UnsupportedError

SCENE = cs.step_scene()
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
POSES = np.array([[-0.3, 0.0625, 0.0, -1.0, 1.0], [-0.3, 0.2, 0.1, -1.0, 1.0]])
LABELS = cs.recognize(POSES, SCENE)
DEMO = cs.Demo(np.array([0.0, 0.01]), POSES, np.zeros((2, 2)), np.zeros(2, dtype=int), np.zeros(2))


class Odd:
    """An object that nothing here knows."""

    def __repr__(self) -> str:
        raise RuntimeError("even its repr fails")


ODD = Odd()
HUGE = 1e300
OBJECTS = [None, ODD, "x", 1.5, [], {}, np.nan, np.zeros(3), lambda: None]
LENGTHS = [None, ODD, "1", [1.0], np.array([1.0, 2.0]), True, np.nan, np.inf, -np.inf, 0.0, -1.0, 1j, HUGE, 1e-300]
NUMBERS = [ODD, "1", [1.0], np.array([1.0, 2.0]), True, np.nan, np.inf, 1j]
TOLERANCES = [None, *NUMBERS, -1.0]
SWITCHES = [None, ODD, 0, 1, "yes", [], np.array([True, False]), np.nan]
TEXTS = [None, ODD, 1, b"g", "unheard of", ["g"], np.array(["g"]), np.array(["g", "s"]), np.nan]
COUNTS = [None, ODD, "1", 1.0, True, -1, [1], np.nan, np.array([1, 2])]
PATHS = [None, ODD, 1, b"a.csv", "a\0b.csv", ["a.csv"], np.nan]
POSES_WRONG = [
    None, ODD, "x", 1.0, [], [[1.0, 2.0], [3.0]], np.zeros((0, 5)), np.zeros(5), np.zeros((2, 4)), np.zeros((1, 2, 5)),
    np.full((2, 5), np.nan), np.full((2, 5), np.inf), np.full((2, 5), 1j), np.full((2, 5), "a"), [[None] * 5], np.full((2, 5), HUGE),
    np.ones((2, 5), dtype=bool), np.ma.masked_array(np.zeros((2, 5)), True),
]  # fmt: skip
POINTS = [None, ODD, "ab", 1.0, [], (1.0,), (1.0, 2.0, 3.0), (np.nan, 0.0), (np.inf, 0.0), ("a", "b"), [[1.0, 2.0]], (1j, 0.0), [None, None]]
OUTLINES = [
    None, ODD, "box", 1.0, [], SQUARE[:2], [(0, 0), (1, 0), (2, 0)], [(0, 0), (1, 0), (1, 0), (1, 1)], [(0, 0), (1, np.nan), (0, 1)],
    [(0, 0), (HUGE, 0), (0, HUGE)], [(0, 0), (1e-300, 0), (0, 1e-300)], [(0, 0), (1, 0), (0, 1), (1, 1)], [(0, 0, 0), (1, 0, 0), (0, 1, 0)],
    [(0, 0), (2, 0), (1, 0), (1, 1), (0, 1)], [(0, 0), (1, 1), (2, 0), (2, 2), (1, 1), (0, 2)],
]  # fmt: skip
BODIES = [*OUTLINES, [(0, 0), (2, 0), (1, 0.1), (1, 2)], [(np.cos(k * 2.5133), np.sin(k * 2.5133)) for k in range(5)]]
CHAINS = [
    None, ODD, "ab", 1.0, [], [(0, 0)], [(0, 0), (0, 0)], [(0, 0), (1, np.inf)], [(0, 0), (HUGE, 0)], [(-1, 0), (0, 0), (-0.5, 0), (1, 1)],
    [(-1, 0), (0, 0), (1, 1), (1, 0), (0.2, 1)], [(-1, 0), (0, 0), (1, 1), (0, 1), (0.5, 0)], [(0, 0, 0), (1, 0, 0)],
]  # fmt: skip
GROUNDS = [
    None, ODD, 1.0, "ground", [], *([outline] for outline in OUTLINES), [SQUARE, SQUARE], [SQUARE, [(0.2, 0.2), (0.4, 0.2), (0.2, 0.4)]],
    [SQUARE, [(0.5, 0.5), (2, 0.5), (2, 2)]], [SQUARE, [(1, 1), (2, 1), (2, 2)]], [SQUARE, [(0.2, 1), (0.4, 1), (0.3, 2)]],
]  # fmt: skip
NAMES = [ODD, 1, "ab", [1, 2], ["a"], ["a", "a", "b", "c"], [None] * 4, ["", "a", "b", "c"]]
TEMPLATES = [None, ODD, 1.0, "g", b"g", ["h"], [40], [-1], [True], [1.0], ["g", "gv"], [None], [["g"]], [ODD]]
CODES = [None, ODD, "1", 1.0, True, -1, 9**5, [1], np.nan, 10**30]
CODE_ARRAYS = [None, ODD, "1", 1, [[1]], [1.0], ["a"], [-1], [9**5], [True], [[1], [1, 2]], [None], [10**30], [ODD]]
TIMES = [ODD, "ab", 1.0, [0.0], [0.0, np.nan], [[0.0, 1.0]], ["a", "b"], [1j, 2j]]
GRAPHS = [ODD, "x", 1, [], nx.Graph([(1, 2)]), {1: [2]}]
SHORT = [ODD, "x", 1, [("+x", "L")], {"+x": "a"}, {("+x", "floor"): "a"}, {("+x", "E0"): 1}, {("+x", "E0"): ""}, {("+x", "E0"): "a", ("-x", "E0"): "a"},
         {("+x", "E0"): "(-x,E0)"}, {1: "a"}]  # fmt: skip
TRAJECTORIES = [
    None, ODD, 1, POSES, cs.Demo(None, None, None, None, None), cs.Demo(np.array([0.0, np.nan]), POSES, *[np.zeros(2)] * 3),
    cs.Demo(np.zeros(2), POSES, *[np.zeros(2)] * 3), cs.Demo(np.array([0.0]), POSES[:1], *[np.zeros(1)] * 3),
]  # fmt: skip


class Call:
    """A call that works, and for each argument what must not."""

    def __init__(self, call: Callable, good: dict[str, Any], bad: dict[str, list]):
        self.call, self.good, self.bad = call, good, bad


MODEL = demo_model()
FOLDER = "/nowhere/at/all"
BOX = cs.ConvexPolygon.box(1.0, 1.0)
GROUND = cs.Environment.from_polygons([SQUARE])
CALLS: dict[str, Call] = {
    "catalog": Call(cs.catalog, {"scene": SCENE}, {"scene": OBJECTS}),
    "all_formations": Call(cs.all_formations, {"scene": SCENE}, {"scene": OBJECTS}),
    "encode": Call(cs.encode, {"templates": ["g"], "scene": SCENE}, {"templates": TEMPLATES, "scene": OBJECTS}),
    "decode": Call(cs.decode, {"code": 2, "scene": SCENE}, {"code": CODES, "scene": OBJECTS}),
    "formation_label": Call(cs.formation_label, {"names": ["g"], "scene": SCENE}, {"names": [t for t in TEMPLATES if t != ["g", "gv"]], "scene": OBJECTS}),
    "stand_in_valid": Call(cs.stand_in_valid, {"codes": [2], "scene": SCENE}, {"codes": CODE_ARRAYS, "scene": OBJECTS}),
    "gaps": Call(cs.gaps, {"poses": POSES, "scene": SCENE, "eps_pen": 1e-3}, {"poses": POSES_WRONG, "scene": OBJECTS, "eps_pen": TOLERANCES}),
    "jax_gaps": Call(cs.jax_gaps, {"scene": SCENE, "eps_pen": 1e-3}, {"scene": OBJECTS, "eps_pen": TOLERANCES}),
    "recognize": Call(cs.recognize, {"poses": POSES, "scene": SCENE, "options": cs.RECOMMENDED}, {"poses": POSES_WRONG, "scene": OBJECTS, "options": OBJECTS}),
    "explain": Call(cs.explain, {"poses": POSES, "scene": SCENE, "options": cs.RECOMMENDED}, {"poses": POSES_WRONG, "scene": OBJECTS, "options": OBJECTS}),
    "box_corners": Call(cs.box_corners, {"poses": POSES, "scene": SCENE}, {"poses": POSES_WRONG, "scene": OBJECTS}),
    "box_with_vertex": Call(
        cs.box_with_vertex, {"scene": SCENE, "vertex": "v+-", "point": (0.0, 0.0), "theta": 0.1},
        {"scene": OBJECTS, "vertex": TEXTS, "point": POINTS, "theta": [None, *NUMBERS]},
    ),
    "disk_on_face": Call(
        cs.disk_on_face, {"scene": SCENE, "box": (0.0, 0.0, 0.0), "face": "-x", "share": 0.5, "gap": 0.0},
        {"scene": OBJECTS, "box": [p for p in POINTS if p != (1.0, 2.0, 3.0)], "face": TEXTS, "share": [None, *NUMBERS], "gap": [None, *NUMBERS]},
    ),
    "jittered": Call(
        cs.jittered, {"poses": POSES, "count": 3, "size": 1e-3, "arm": 0.1, "seed": 0},
        {"poses": [p for p in POSES_WRONG if not (isinstance(p, np.ndarray) and p.dtype == float and (p == HUGE).any())], "count": [*COUNTS, 0],
         "size": TOLERANCES, "arm": LENGTHS[:-2], "seed": COUNTS},
    ),
    "Options": Call(
        cs.Options, dict(vars(cs.Options())),
        {"eps_on": LENGTHS[:-2], "eps_pen": TOLERANCES, "conflict": TEXTS, "contact_set_disk": TEXTS, "depenetrate": SWITCHES},
    ),
    "step_scene": Call(
        cs.step_scene, {"origin": (0.0, 0.0), "side": 0.1, "height": 0.02, "radius": 0.01, "disk_environment": False},
        {"origin": [*POINTS, (HUGE, 0.0)], "side": LENGTHS, "height": LENGTHS[1:], "radius": LENGTHS[1:], "disk_environment": SWITCHES},
    ),
    "polygon_scene": Call(
        cs.polygon_scene, {"body": SQUARE, "environment": [SQUARE], "radius": 0.1, "overlap_min": 0.1, "disk_environment": False, "short_names": None},
        {"body": BODIES, "environment": GROUNDS, "radius": LENGTHS, "overlap_min": LENGTHS[1:], "disk_environment": SWITCHES, "short_names": SHORT},
    ),
    "Scene": Call(
        cs.Scene, {"body": BOX, "environment": GROUND, "radius": 0.1, "overlap_min": 0.1, "disk_environment": False, "short_names": (), "declared": ()},
        {"body": OBJECTS, "environment": OBJECTS, "radius": LENGTHS, "overlap_min": LENGTHS, "disk_environment": SWITCHES,
         "short_names": [None, ODD, "x", ((1, 2),), ((("+x", "L"), "a"),), (("+x",),)], "declared": [None, ODD, "x", ((1, 2),), (("g", "s"),)]},
    ),
    "Scene.moved": Call(SCENE.moved, {"x": 0.0, "z": 0.0, "angle": 0.0}, {name: [None, *NUMBERS] for name in ("x", "z", "angle")}),
    "Scene.tilt_limit": Call(SCENE.tilt_limit, {"eps_on": 1e-3}, {"eps_on": LENGTHS[:-1]}),
    "ConvexPolygon": Call(
        cs.ConvexPolygon, {k: getattr(BOX, k) for k in ("vertices", "faces", "face_names", "vertex_names")},
        {"vertices": [*OUTLINES, SQUARE[::-1]], "faces": [None, ODD, "ab", 1, ((0, 1),), ((0, 1), (1, 2), (2, 3), (3, 9)), ((0, 1), (1, 0), (2, 3), (3, 2)), ((1, 2, 3),) * 4],
         "face_names": [None, *NAMES], "vertex_names": [None, *NAMES]},
    ),
    "ConvexPolygon.box": Call(cs.ConvexPolygon.box, {"side_x": 1.0, "side_z": 1.0}, {"side_x": LENGTHS, "side_z": LENGTHS}),
    "ConvexPolygon.from_vertices": Call(cs.ConvexPolygon.from_vertices, {"vertices": SQUARE}, {"vertices": BODIES}),
    "Environment": Call(
        cs.Environment, {k: getattr(GROUND, k) for k in ("base", "tangent", "low", "high", "next_edge", "edge_names", "vertex_names")},
        {"base": OUTLINES[:7], "tangent": [None, ODD, "ab", 1.0, [], SQUARE, ((1.0, 0.0),)], "low": [None, ODD, "abcd", 1.0, (), (5.0,) * 4, (np.nan,) * 4, ("a",) * 4],
         "high": [None, ODD, 1.0, (), (-5.0,) * 4, (np.nan,) * 4], "next_edge": [None, ODD, 1, (), (0, 0, 0, 0), (1.0, 2.0, 3.0, 0.0), (4, 5, 6, 7)],
         "edge_names": [None, *NAMES], "vertex_names": [None, *NAMES, ("E0", "a", "b", "c"), ("M", "a", "b", "c")]},
    ),
    "Environment.from_chain": Call(
        cs.Environment.from_chain, {"points": ((-1, 0), (0, 0), (0, 1)), "solid": "right", "edge_names": (), "vertex_names": ()},
        {"points": CHAINS, "solid": TEXTS, "edge_names": [None, *NAMES], "vertex_names": [None, *NAMES]},
    ),
    "Environment.from_polygons": Call(
        cs.Environment.from_polygons, {"polygons": [SQUARE], "edge_names": (), "vertex_names": ()},
        {"polygons": GROUNDS, "edge_names": [None, *NAMES], "vertex_names": [None, *NAMES]},
    ),
    "Labels.names": Call(LABELS.names, {"i": 0}, {"i": [*COUNTS[:4], True, -3, 2, [1], np.nan]}),
    "Labels.contact_set": Call(
        LABELS.contact_set, {"i": 0, "template": "g"},
        {"i": [*COUNTS[:4], True, -3, 2, np.nan], "template": [None, ODD, 1.0, "h", -1, 40, True, ["g"], np.array([1]), "t"]},
    ),
    "Labels.normal": Call(
        LABELS.normal, {"i": 0, "template": "g"},
        {"i": [*COUNTS[:4], True, -3, 2, np.nan], "template": [None, ODD, 1.0, "h", -1, 40, True, ["g"], np.array([1])]},
    ),
    "segment": Call(cs.segment, {"labels": LABELS, "release": 2e-3}, {"labels": OBJECTS, "release": [*NUMBERS, 1e-4, -1.0, 0.5]}),
    "Segments.names": Call(cs.segment(LABELS).names, {"k": 0}, {"k": [None, ODD, "1", 1.0, True, 2, -3, [0]]}),
    "Segments.label": Call(cs.segment(LABELS).label, {"k": 0}, {"k": [None, ODD, "1", 1.0, True, 2, -3, [0]]}),
    "flag_runs": Call(cs.flag_runs, {"flags": LABELS.on}, {"flags": [None, ODD, "x", 1, [], [[True]], np.zeros((2, 2)), np.zeros(3, dtype=bool), np.nan]}),
    "export_catalog": Call(cs.export_catalog, {"scene": SCENE, "path": "c.csv"}, {"scene": OBJECTS, "path": [*PATHS, "c", "c.xls", f"{FOLDER}/c.csv"]}),
    "export_labels": Call(
        cs.export_labels, {"labels": LABELS, "path": "l.csv", "time": None},
        {"labels": OBJECTS, "path": [*PATHS, "c", "c.xls", f"{FOLDER}/c.csv", f"{FOLDER}/c.json", f"{FOLDER}/c.npz"], "time": TIMES},
    ),
    "export_segments": Call(
        cs.export_segments, {"source": LABELS, "path": "s.csv", "time": None, "transitions": False},
        {"source": OBJECTS, "path": [*PATHS, "c", "c.xls", f"{FOLDER}/c.csv"], "time": TIMES, "transitions": SWITCHES},
    ),
    "viewer_data": Call(cs.viewer_data, {"trajectory": DEMO, "labels": LABELS, "title": "t"}, {"trajectory": TRAJECTORIES, "labels": OBJECTS, "title": [None, ODD, 1, b"t"]}),
    "write_viewer": Call(
        cs.write_viewer, {"trajectory": DEMO, "labels": LABELS, "folder": "viewer", "title": "t"},
        {"trajectory": TRAJECTORIES, "labels": OBJECTS, "folder": [*PATHS, "/dev/null/viewer"], "title": [None, ODD, 1, b"t"]},
    ),
    "scene_from_mujoco": Call(
        cs.scene_from_mujoco, {"model": MODEL, "box": "box", "disk": "disk", "ground": [SQUARE], "disk_environment": False},
        {"model": OBJECTS, "box": TEXTS, "disk": TEXTS, "ground": GROUNDS, "disk_environment": SWITCHES},
    ),
    "poses_from_mujoco": Call(
        cs.poses_from_mujoco, {"model": MODEL, "qpos": POSES, "box": "box", "disk": "disk"},
        {"model": OBJECTS, "qpos": [p for p in POSES_WRONG if not (isinstance(p, np.ndarray) and p.shape == (0, 5)) and not np.array_equal(p, POSES_WRONG[15])],
         "box": TEXTS, "disk": TEXTS},
    ),
    "realisable_formations": Call(cs.realisable_formations, {"scene": SCENE, "disk_may_touch_environment": True}, {"scene": OBJECTS, "disk_may_touch_environment": SWITCHES}),
    "realisable_count": Call(cs.realisable_count, {"scene": SCENE, "disk_may_touch_environment": True}, {"scene": OBJECTS, "disk_may_touch_environment": SWITCHES}),
    "formation_graph": Call(cs.formation_graph, {"scene": SCENE, "disk_may_touch_environment": True}, {"scene": OBJECTS, "disk_may_touch_environment": SWITCHES}),
    "driven_graph": Call(cs.driven_graph, {"graph": None}, {"graph": GRAPHS}),
    "plan": Call(
        cs.plan, {"start": ["g"], "goal": ["t"], "steps": None, "through": (), "avoid": (), "scene": None},
        {"start": [*TEMPLATES, ["(v--,L)", "s", "t"]], "goal": TEMPLATES, "steps": [*GRAPHS, nx.DiGraph()], "through": [None, ODD, 1, "g", [None], [["h"]], ["g"]],
         "avoid": [None, ODD, 1, "g", ["h"], [None], ["g"]], "scene": OBJECTS[1:]},
    ),
    "make_demo": Call(
        cs.make_demo, {"settings": cs.DemoSettings(), "parameters": cs.ControllerParameters(), "seed": None, "duration": 0.01},
        {"settings": OBJECTS, "parameters": OBJECTS, "seed": COUNTS[1:], "duration": LENGTHS[:-1]},
    ),
    "soft_demo": Call(cs.soft_demo, {}, {}),
    "load_demo": Call(cs.load_demo, {"path": None, "soft": False}, {"path": [*PATHS[1:], "missing.npz", __file__, FOLDER, "/"], "soft": SWITCHES}),
    "Demo.save": Call(DEMO.save, {"path": "d.npz"}, {"path": [*PATHS, "d.csv", f"{FOLDER}/d.npz"]}),
    "perturbed_settings": Call(cs.perturbed_settings, {"seed": 1, "settings": cs.DemoSettings()}, {"seed": COUNTS, "settings": OBJECTS}),
    "DemoSettings": Call(
        cs.DemoSettings, dict(vars(cs.DemoSettings())),
        {name: TEXTS if isinstance(value, str) else LENGTHS[:-2] for name, value in vars(cs.DemoSettings()).items()},
    ),
    "ControllerParameters": Call(cs.ControllerParameters, dict(vars(cs.ControllerParameters())), {name: LENGTHS[:-2] for name in vars(cs.ControllerParameters())}),
}  # fmt: skip
# what the library hands out and nobody needs to make: their methods are in the table
RESULTS = {"Labels", "Segments", "Realisable", "Reason", "Template", "Demo", "RECOMMENDED"}
PARAMETERS = [(name, argument) for name, entry in CALLS.items() for argument in entry.bad]


def test_the_table_holds_every_public_name_and_argument() -> None:
    assert set(cs.__all__) - RESULTS == {name for name in CALLS if "." not in name}
    for name in RESULTS - {"RECOMMENDED"}:
        methods = {m for m, f in vars(getattr(cs, name)).items() if inspect.isfunction(f) and not m.startswith("_")}
        with_arguments = {m for m in methods if len(inspect.signature(getattr(getattr(cs, name), m)).parameters) > 1}
        assert {f"{name}.{m}" for m in with_arguments} <= set(CALLS), name
    for name, entry in CALLS.items():
        assert set(inspect.signature(entry.call).parameters) == set(entry.bad) == set(entry.good), name


@pytest.mark.parametrize("name", [n for n in CALLS if n not in ("soft_demo", "plan", "driven_graph", "realisable_formations")])
def test_the_good_call_works(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    CALLS[name].call(**CALLS[name].good)


def _values(name: str, argument: str) -> Iterator[tuple[int, Any]]:
    yield from enumerate(CALLS[name].bad[argument])


@pytest.mark.parametrize(("name", "argument"), PARAMETERS, ids=[f"{n}-{a}" for n, a in PARAMETERS])
def test_a_wrong_argument_raises_an_error_of_ours(name: str, argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number, value in _values(name, argument):
        try:
            made = CALLS[name].call(**{**CALLS[name].good, argument: value})
        except (InputError, UnsupportedError, DataError) as error:
            assert str(error)
            continue
        except Exception as error:
            pytest.fail(f"wrong value {number} of {argument}: {type(error).__name__}: {error}")
        pytest.fail(f"wrong value {number} of {argument} was taken: {type(made).__name__}")
    assert not list(tmp_path.iterdir()), "a refused call left something behind"


def test_the_gap_function_refuses_what_is_no_pose() -> None:
    gap = cs.jax_gaps(SCENE)
    for wrong in (None, ODD, "x", np.zeros(4), np.zeros((2, 4)), 1.0, jnp.zeros(5, dtype=jnp.float32), [1, 2, 3, 4, 5]):
        with pytest.raises((InputError, UnsupportedError)):
            gap(wrong)


def test_options_keep_plain_numbers() -> None:
    made = cs.Options(eps_on=np.array(1e-3), eps_pen=np.float64(1e-2), depenetrate=np.bool_(False))
    assert made == cs.Options() and hash(made) == hash(cs.Options())
    assert type(made.eps_on) is float and type(made.eps_pen) is float and type(made.depenetrate) is bool
    assert cs.recognize(POSES, SCENE, made).names(0) == {"g"}


@pytest.mark.ci
def test_the_package_imports_no_heavy_package() -> None:
    code = (
        "import sys, planarcontact.contact_states as c; c.load_demo(); "
        "heavy = {'mujoco', 'matplotlib', 'jax', 'networkx', 'numba'} & set(sys.modules); assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
