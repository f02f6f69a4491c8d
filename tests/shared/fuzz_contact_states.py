"""Entry points of planarcontact.contact_states, each with good arguments."""

from typing import Any

import numpy as np
from fuzz import Target

from planarcontact import contact_states as cs
from planarcontact.contact_states.demo_model import demo_model

STEP = cs.step_scene()
DISK = cs.step_scene(disk_environment=True)
SQUARE, FLOOR = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]], [[[-1, -1], [1, -1], [1, 0], [-1, 0]]]
BOX, GROUND = cs.ConvexPolygon.box(0.1, 0.1), cs.Environment.from_polygons(FLOOR)
CHAIN = [[-1, 0], [0, 0], [0, 0.1], [1, 0.1]]
OTHERS = (STEP, DISK, cs.step_scene(height=0.2), cs.step_scene(origin=(0.5, 0.25)), cs.polygon_scene(SQUARE, FLOOR, 0.02))
MODEL = demo_model()
GRAPH = cs.formation_graph()
STEPS = cs.driven_graph(GRAPH)
FEATURES = ("+x", "-x", "+z", "-z", "v++", "v+-", "v-+", "v--")
NAMES = [t.name for t in cs.catalog(STEP)]


def poses(rng: np.random.Generator, count: int = 3) -> np.ndarray:
    """Poses of which some touch: heights and angles are often those of rest."""
    rows = rng.uniform([-0.2, 0, -3, -0.2, 0], [0.2, 0.3, 3, 0.2, 0.3], size=(count, 5))
    rest = rng.random(count) < 0.5
    rows[rest, 1], rows[rest, 2], rows[rest, 0] = 0.0625, 0.0, -0.1
    return rows


RESTING = np.array([[-0.3, 0.0625, 0.0, -0.378125, 0.0625], [-0.0625, 0.0625, 0.0, -0.4, 0.1], [-0.3, 0.3, 0.4, 0.4, 0.4]])
LABELS = cs.recognize(RESTING, STEP)
SEGMENTS = cs.segment(LABELS)
DEMO = cs.Demo(np.arange(3) * 0.01, RESTING, np.zeros((3, 2)), np.zeros(3, dtype=int), np.zeros(3))
HALF = {name: getattr(BOX, name) for name in ("vertices", "faces", "face_names", "vertex_names")}
EDGES = {name: getattr(GROUND, name) for name in ("base", "tangent", "low", "high", "next_edge", "edge_names", "vertex_names")}
SETTINGS, PARAMETERS = vars(cs.DemoSettings()), vars(cs.ControllerParameters())


def _scene(rng: np.random.Generator) -> cs.Scene:
    return STEP if rng.random() < 0.5 else DISK


def _options(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "eps_on": 1e-3, "eps_pen": 1e-2, "conflict": ("text", "convex")[rng.integers(2)],
        "contact_set_disk": ("point", "interval")[rng.integers(2)], "depenetrate": bool(rng.random() < 0.5),
    }  # fmt: skip


def _posed(rng: np.random.Generator) -> dict[str, Any]:
    return {"poses": poses(rng), "scene": _scene(rng)}


def _recognized(poses: Any, scene: Any, **options: Any) -> Any:
    return cs.recognize(poses, scene, cs.Options(**options))


def _file(name: str) -> Any:
    return lambda rng: f"{name}.{('csv', 'json', 'npz')[rng.integers(3)]}"


def _jax(poses: Any, **arguments: Any) -> Any:
    return cs.jax_gaps(**arguments)(poses)


def _chain(rng: np.random.Generator) -> dict[str, Any]:
    codes = list(STEPS)
    start, goal = (sorted(cs.decode(codes[rng.integers(len(codes))], STEP)) for _ in range(2))
    return {"start": start, "goal": goal, "steps": STEPS, "through": (), "avoid": (), "scene": STEP}


def _demo(**arguments: Any) -> Any:
    duration = arguments["duration"]
    if isinstance(duration, (int, float)) and 0.1 < duration <= 3600:  # a long run is no fault, only long
        arguments["duration"] = 0.02
    return cs.make_demo(**arguments)


TARGETS: dict[str, Target] = {
    "contact_states.step_scene": Target(
        cs.step_scene,
        lambda rng: {"origin": rng.normal(size=2), "side": 0.125, "height": 0.03125, "radius": 0.015625, "disk_environment": False},
    ),
    "contact_states.polygon_scene": Target(
        cs.polygon_scene,
        lambda rng: {
            "body": SQUARE, "environment": FLOOR, "radius": 0.02, "overlap_min": 0.01, "disk_environment": False,
            "short_names": {("+x", "E0"): "a"} if rng.random() < 0.3 else None,
        },
    ),
    "contact_states.Scene": Target(
        cs.Scene,
        lambda rng: {"body": BOX, "environment": GROUND, "radius": 0.1, "overlap_min": 0.1, "disk_environment": False, "short_names": (), "declared": ()},
    ),
    "contact_states.Scene.moved": Target(STEP.moved, lambda rng: dict(zip(("x", "z", "angle"), rng.normal(size=3)))),
    "contact_states.Scene.tilt_limit": Target(STEP.tilt_limit, lambda rng: {"eps_on": 10 ** rng.uniform(-6, -1)}),
    "contact_states.ConvexPolygon": Target(cs.ConvexPolygon, lambda rng: dict(HALF)),
    "contact_states.ConvexPolygon.box": Target(cs.ConvexPolygon.box, lambda rng: {"side_x": 0.1, "side_z": 0.2}),
    "contact_states.ConvexPolygon.from_vertices": Target(
        cs.ConvexPolygon.from_vertices, lambda rng: {"vertices": np.array(SQUARE) + 0.02 * rng.normal(size=(4, 2))}, weight=0.3
    ),
    "contact_states.Environment": Target(cs.Environment, lambda rng: dict(EDGES)),
    "contact_states.Environment.from_chain": Target(
        cs.Environment.from_chain,
        lambda rng: {"points": CHAIN, "solid": ("left", "right")[rng.integers(2)], "edge_names": ("a", "b", "c"), "vertex_names": ("d", "e")},
    ),
    "contact_states.Environment.from_polygons": Target(
        cs.Environment.from_polygons, lambda rng: {"polygons": FLOOR, "edge_names": ("a", "b", "c", "d"), "vertex_names": ()}
    ),
    "contact_states.Environment.moved": Target(GROUND.moved, lambda rng: dict(zip(("x", "z", "angle"), rng.normal(size=3)))),
    "contact_states.Options": Target(cs.Options, _options),
    "contact_states.recognize": Target(cs.recognize, lambda rng: {**_posed(rng), "options": cs.RECOMMENDED}),
    "contact_states.recognize, options": Target(_recognized, lambda rng: {**_posed(rng), **_options(rng)}, weight=0.4),
    "contact_states.explain": Target(cs.explain, lambda rng: {**_posed(rng), "options": cs.Options(**_options(rng))}),
    "contact_states.gaps": Target(cs.gaps, lambda rng: {**_posed(rng), "eps_pen": 1e-2}),
    "contact_states.jax_gaps": Target(_jax, lambda rng: {"poses": poses(rng, 1)[0], "scene": STEP, "eps_pen": 1e-2}),
    "contact_states.box_corners": Target(cs.box_corners, _posed),
    "contact_states.box_with_vertex": Target(
        cs.box_with_vertex, lambda rng: {"scene": STEP, "vertex": FEATURES[4 + rng.integers(4)], "point": [0, 0.1], "theta": 0.1}
    ),
    "contact_states.disk_on_face": Target(
        cs.disk_on_face, lambda rng: {"scene": STEP, "box": [0, 0.1, 0.1], "face": FEATURES[rng.integers(4)], "share": 0.5, "gap": 0.01}
    ),
    "contact_states.jittered": Target(cs.jittered, lambda rng: {"poses": poses(rng), "count": 4, "size": 1e-3, "arm": 0.06, "seed": 1}),
    "contact_states.catalog": Target(cs.catalog, lambda rng: {"scene": _scene(rng)}),
    "contact_states.all_formations": Target(cs.all_formations, lambda rng: {"scene": _scene(rng)}),
    "contact_states.encode": Target(cs.encode, lambda rng: {"templates": rng.choice(NAMES, rng.integers(1, 3)).tolist(), "scene": _scene(rng)}),
    "contact_states.decode": Target(cs.decode, lambda rng: {"code": int(rng.integers(9**5)), "scene": _scene(rng)}),
    "contact_states.formation_label": Target(
        cs.formation_label, lambda rng: {"names": rng.choice(NAMES, rng.integers(1, 3)).tolist(), "scene": _scene(rng)}
    ),
    "contact_states.stand_in_valid": Target(cs.stand_in_valid, lambda rng: {"codes": rng.integers(0, 9**5, 4), "scene": _scene(rng)}),
    "contact_states.Labels.names": Target(LABELS.names, lambda rng: {"i": int(rng.integers(3))}),
    "contact_states.Labels.contact_set": Target(LABELS.contact_set, lambda rng: {"i": int(rng.integers(3)), "template": NAMES[rng.integers(40)]}),
    "contact_states.Labels.normal": Target(LABELS.normal, lambda rng: {"i": int(rng.integers(3)), "template": NAMES[rng.integers(40)]}),
    "contact_states.flag_runs": Target(cs.flag_runs, lambda rng: {"flags": rng.random((6, 2)) < 0.5}),
    "contact_states.segment": Target(cs.segment, lambda rng: {"labels": cs.recognize(poses(rng), STEP), "release": 0.002}),
    "contact_states.Segments.names": Target(SEGMENTS.names, lambda rng: {"k": int(rng.integers(3))}),
    "contact_states.Segments.label": Target(SEGMENTS.label, lambda rng: {"k": int(rng.integers(3))}),
    "contact_states.export_catalog": Target(cs.export_catalog, lambda rng: {"scene": _scene(rng), "path": _file("catalog")(rng)}),
    "contact_states.export_labels": Target(
        cs.export_labels, lambda rng: {"labels": LABELS, "path": _file("labels")(rng), "time": [0.0, 0.1, 0.2]}
    ),
    "contact_states.export_segments": Target(
        cs.export_segments,
        lambda rng: {
            "source": (LABELS, SEGMENTS)[rng.integers(2)], "path": _file("segments")(rng), "time": [0.0, 0.1, 0.2],
            "transitions": bool(rng.random() < 0.5),
        },
    ),
    "contact_states.viewer_data": Target(cs.viewer_data, lambda rng: {"trajectory": DEMO, "labels": LABELS, "title": "a title"}),
    "contact_states.viewer_data, trajectory": Target(
        lambda time, poses, labels: cs.viewer_data(cs.Demo(time, poses, *[np.zeros(3)] * 3), labels),
        lambda rng: {"time": np.arange(3) * 0.01, "poses": RESTING, "labels": LABELS},
    ),
    "contact_states.write_viewer": Target(
        cs.write_viewer, lambda rng: {"trajectory": DEMO, "labels": LABELS, "folder": "viewer", "title": "a title"}
    ),
    "contact_states.scene_from_mujoco": Target(
        cs.scene_from_mujoco, lambda rng: {"model": MODEL, "box": "box", "disk": "disk", "ground": FLOOR, "disk_environment": False}
    ),
    "contact_states.poses_from_mujoco": Target(
        cs.poses_from_mujoco, lambda rng: {"model": MODEL, "qpos": poses(rng), "box": "box", "disk": "disk"}
    ),
    "contact_states.realisable_formations": Target(
        lambda **arguments: cs.realisable_formations(**arguments).bracket,
        lambda rng: {"scene": OTHERS[rng.integers(5)], "disk_may_touch_environment": bool(rng.random() < 0.5)},
    ),
    "contact_states.realisable_count": Target(
        cs.realisable_count, lambda rng: {"scene": OTHERS[rng.integers(5)], "disk_may_touch_environment": bool(rng.random() < 0.5)}
    ),
    "contact_states.formation_graph": Target(
        cs.formation_graph, lambda rng: {"scene": OTHERS[rng.integers(5)], "disk_may_touch_environment": bool(rng.random() < 0.5)}, least=1
    ),
    "contact_states.driven_graph": Target(cs.driven_graph, lambda rng: {"graph": GRAPH}),
    "contact_states.plan": Target(cs.plan, _chain),
    "contact_states.make_demo": Target(
        _demo, lambda rng: {"settings": cs.DemoSettings(), "parameters": cs.ControllerParameters(), "seed": int(rng.integers(9)), "duration": 0.01}
    ),
    "contact_states.make_demo, settings": Target(
        lambda **values: cs.make_demo(cs.DemoSettings(**values), duration=0.01), lambda rng: dict(SETTINGS), weight=0.2
    ),
    "contact_states.make_demo, parameters": Target(
        lambda **values: cs.make_demo(parameters=cs.ControllerParameters(**values), duration=0.01), lambda rng: dict(PARAMETERS), weight=0.2
    ),
    "contact_states.DemoSettings": Target(cs.DemoSettings, lambda rng: dict(SETTINGS)),
    "contact_states.ControllerParameters": Target(cs.ControllerParameters, lambda rng: dict(PARAMETERS)),
    "contact_states.perturbed_settings": Target(cs.perturbed_settings, lambda rng: {"seed": int(rng.integers(99)), "settings": cs.DemoSettings()}),
    "contact_states.load_demo, path": Target(cs.load_demo, lambda rng: {"path": "nowhere.npz", "soft": False}),
    "contact_states.Demo.save": Target(DEMO.save, lambda rng: {"path": "demo.npz"}),
}  # fmt: skip
