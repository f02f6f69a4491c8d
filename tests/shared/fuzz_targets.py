"""The entry points that are fuzzed, each with good arguments."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from fuzz import Target, bent

import planarcontact.contact_states as cs
import planarcontact.dynamics as dyn
import planarcontact.limit_surface as ls
from planarcontact.limit_surface.own_pushes import PUSH_COLUMNS, read_pushes

INERTIA = np.diag([0.02, 0.03, 0.04])
CORNERS = [[x, y, z] for x in (-0.2, 0.2) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]
BOX = dyn.Body(1.0, INERTIA, CORNERS)
STEP = cs.step_scene()
SQUARE, FLOOR = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]], [[[-1, -1], [1, -1], [1, 0], [-1, 0]]]
RING = ls.UniformRing(0.05, 10.0, 0.3)
THREE = ls.SupportPoints([[0.05, 0], [-0.03, 0.04], [-0.03, -0.04]], [1, 1, 1], 0.5, length=0.05)


def _directions(rng: np.random.Generator, count: int) -> np.ndarray:
    rows = rng.normal(size=(count, 3))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


TWISTS = _directions(np.random.default_rng(1), 12) * [1, 1, 20]
LOADS = RING.load(TWISTS)
MODEL = ls.fit(LOADS, TWISTS, kind="poly4-cvx", length=0.05)


def _scene(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "body": BOX, "support": dyn.Plane(), "friction": dyn.EllipsoidalFriction(0.3), "gravity": 9.8,
        "position": [0, 0, rng.uniform(0.1, 0.3)], "orientation": [1, 0, 0, 0], "velocity": rng.normal(size=6) * 0.3,
        "wrench": dyn.SampledWrench([0, 1], np.zeros((2, 6))), "step": 0.01, "duration": 0.03,
    }  # fmt: skip


def _simulate(backend: str, method: str = "hull") -> Callable[..., Any]:
    def call(options: Any = None, **arguments: Any) -> Any:
        scene = dyn.Scene(**arguments)
        if scene.steps > 2000:  # a long run is no fault, only long
            scene = scene.replace(duration=3 * scene.step)
        return dyn.simulate(scene, backend=backend, method=method)

    return call


def _poses(rng: np.random.Generator) -> np.ndarray:
    return rng.uniform([-0.2, 0, -3, -0.2, 0], [0.2, 0.3, 3, 0.2, 0.3], size=(3, 5))


def _poses_and_scene(rng: np.random.Generator) -> dict[str, Any]:
    return {"poses": _poses(rng), "scene": STEP}


def _fit(rng: np.random.Generator, **more: Any) -> dict[str, Any]:
    keep = rng.permutation(12)[: rng.integers(6, 13)]
    return {"loads": LOADS[keep], "twists": TWISTS[keep], "length": 0.05, "objective": "printed", "weights": None, **more}


def _contact(rng: np.random.Generator) -> dict[str, Any]:
    return {"surface": MODEL if rng.random() < 0.5 else RING, "contact": [-0.05, 0.01], "normal": [1, 0], "mu": 0.4}


def _file(folder: Path, text: str, name: str, read: Callable[[Path], Any]) -> Target:
    def call(seed: int) -> Any:
        path = folder / name
        path.write_text(bent(text, np.random.default_rng(seed)), encoding="utf-8")
        return read(path)

    return Target(call, lambda rng: {"seed": int(rng.integers(2**31))}, replace=False)


def _push_table() -> str:
    rows = [",".join(PUSH_COLUMNS)]
    for push in range(2):
        for k in range(6):
            values = {c: 0.01 * (k + 1) * (i + 1) for i, c in enumerate(PUSH_COLUMNS)}
            values["push"] = push
            rows.append(",".join(repr(values[c]) for c in PUSH_COLUMNS))
    return "\n".join(rows) + "\n"


def file_targets(folder: Path) -> dict[str, Target]:
    """Entry points that read a file; what is bent is the file."""
    scene, model = folder / "good.json", folder / "model.json"
    dyn.save_scene(scene, dyn.Scene(**_scene(np.random.default_rng(0))))
    MODEL.save(model)
    numbers = " ".join(f"{x:.4f}" for x in np.random.default_rng(0).normal(size=300))
    return {
        "load_scene": _file(folder, scene.read_text(encoding="utf-8"), "scene.json", dyn.load_scene),
        "LimitSurfaceModel.load_file": _file(folder, model.read_text(encoding="utf-8"), "m.json", ls.LimitSurfaceModel.load_file),
        "read_pushes": _file(folder, _push_table(), "pushes.csv", lambda path: read_pushes(path, length=0.05)),
        "read_poke_log": _file(folder, numbers, "log.txt", ls.read_poke_log),
    }


TARGETS: dict[str, Target] = {
    # dynamics
    "Body": Target(dyn.Body, lambda rng: {"mass": 1.0, "inertia": INERTIA, "vertices": CORNERS, "discs": [], "spheres": []}),
    "Disc": Target(dyn.Disc, lambda rng: {"centre": [0, 0, 1], "axis": rng.normal(size=3), "radius": 0.1}),
    "Sphere": Target(dyn.Sphere, lambda rng: {"centre": [0, 0, 1], "radius": 0.1}),
    "Plane": Target(dyn.Plane, lambda rng: {"normal": rng.normal(size=3), "offset": 0.1}),
    "EllipsoidalFriction": Target(dyn.EllipsoidalFriction, lambda rng: {"mu": 0.3, "e_t": 1.0, "e_o": 0.5, "e_r": 0.1}),
    "SampledWrench": Target(dyn.SampledWrench, lambda rng: {"times": [0, 1.0, 2.0], "values": rng.normal(size=(3, 6))}),
    "Scene": Target(dyn.Scene, _scene),
    "simulate, compiled": Target(_simulate("compiled"), _scene, weight=0.3),
    "simulate, JAX": Target(_simulate("jax"), _scene, weight=0.3),
    "simulate, sliding": Target(_simulate("jax", "sliding"), _scene, weight=0.3),
    "simulate, options": Target(
        dyn.simulate,
        lambda rng: {
            "scene": dyn.Scene(**_scene(rng)), "method": "hull", "backend": "compiled", "reference": "common",
            "gyroscopic": "momentum", "sample": "mid", "max_iterations": 50, "tolerance": 1e-12,
        },
    ),
    "simulate_batch": Target(dyn.simulate_batch, lambda rng: {"scenes": [dyn.Scene(**_scene(rng)) for _ in range(2)], "backend": "compiled"}),
    # contact states
    "step_scene": Target(
        cs.step_scene,
        lambda rng: {"origin": rng.normal(size=2), "side": 0.125, "height": 0.03125, "radius": 0.015625, "disk_environment": False},
    ),
    "polygon_scene": Target(
        cs.polygon_scene, lambda rng: {"body": SQUARE, "environment": FLOOR, "radius": 0.02, "disk_environment": False}
    ),
    "Options": Target(
        cs.Options, lambda rng: {"eps_on": 1e-3, "eps_pen": 1e-2, "conflict": "text", "contact_set_disk": "point", "depenetrate": False}
    ),
    "recognize": Target(cs.recognize, lambda rng: {**_poses_and_scene(rng), "options": cs.RECOMMENDED}),
    "gaps": Target(cs.gaps, _poses_and_scene),
    "box_corners": Target(cs.box_corners, _poses_and_scene),
    "explain": Target(cs.explain, _poses_and_scene),
    "catalog": Target(cs.catalog, lambda rng: {"scene": STEP}),
    "encode": Target(cs.encode, lambda rng: {"templates": ["g", "s"], "scene": STEP}),
    "decode": Target(cs.decode, lambda rng: {"code": int(rng.integers(2**36)), "scene": STEP}),
    "formation_label": Target(cs.formation_label, lambda rng: {"names": ["g"], "scene": STEP}),
    "stand_in_valid": Target(cs.stand_in_valid, lambda rng: {"codes": rng.integers(0, 2**36, 4), "scene": STEP}),
    "jittered": Target(cs.jittered, lambda rng: {"poses": _poses(rng), "count": 4, "size": 1e-3, "arm": 0.06, "seed": 1}),
    "flag_runs": Target(cs.flag_runs, lambda rng: {"flags": rng.random(6) < 0.5}),
    "segment": Target(cs.segment, lambda rng: {"labels": cs.recognize(_poses(rng), STEP), "release": 0.002}),
    "box_with_vertex": Target(cs.box_with_vertex, lambda rng: {"scene": STEP, "vertex": "v++", "point": [0, 0.1], "theta": 0.1}),
    "disk_on_face": Target(cs.disk_on_face, lambda rng: {"scene": STEP, "box": [0, 0.1, 0.1], "face": "+x", "share": 0.5, "gap": 0.01}),
    # limit surfaces
    "fit, quad": Target(lambda **a: ls.fit(kind="quad", **a), _fit, weight=0.4),
    "fit, poly4": Target(lambda **a: ls.fit(kind="poly4", **a), _fit, weight=0.4),
    "fit, poly4-cvx": Target(lambda **a: ls.fit(kind="poly4-cvx", **a), _fit, weight=0.4),
    "fit, gp": Target(lambda **a: ls.fit(kind="gp", **a), _fit, weight=0.4),
    "fit, options": Target(
        ls.fit, lambda rng: _fit(rng, kind="poly4-cvx", degree=4, validation=(LOADS, TWISTS), whiten=False, solver="CLARABEL")
    ),
    "from_coefficients": Target(
        ls.LimitSurfaceModel.from_coefficients, lambda rng: {"coefficients": MODEL.coefficients, "degree": 4, "length": 0.05}
    ),
    "model.value": Target(MODEL.value, lambda rng: {"loads": rng.normal(size=(4, 3))}),
    "model.twist": Target(MODEL.twist, lambda rng: {"loads": rng.normal(size=(4, 3))}),
    "model.load": Target(MODEL.load, lambda rng: {"twists": rng.normal(size=(4, 3))}, weight=0.3),
    "SupportPoints": Target(
        ls.SupportPoints, lambda rng: {"points": rng.normal(size=(3, 2)), "pressures": [1, 1, 1], "mu": 0.5, "length": 0.05}
    ),
    "SupportPoints.load": Target(THREE.load, lambda rng: {"twists": rng.normal(size=(4, 3))}, weight=0.3),
    "SupportPoints.twist": Target(THREE.twist, lambda rng: {"loads": THREE.load(rng.normal(size=(4, 3)))}, weight=0.3),
    "UniformDisc": Target(
        lambda **a: ls.UniformDisc(**a).load(TWISTS), lambda rng: {"radius": 0.05, "normal_load": 10.0, "mu": 0.3, "length": 0.05}
    ),
    "UniformRing": Target(
        lambda **a: ls.UniformRing(**a).load(TWISTS), lambda rng: {"radius": 0.05, "normal_load": 10.0, "mu": 0.3, "length": 0.05}
    ),
    "UniformRectangle": Target(
        lambda **a: ls.UniformRectangle(**a).load(TWISTS),
        lambda rng: {"width": 0.1, "height": 0.05, "normal_load": 10.0, "mu": 0.3, "length": 0.05},
    ),
    "statics_pressures": Target(
        ls.statics_pressures, lambda rng: {"points": [[0, 0], [1, 0], [0, 1]], "normal_load": 3.0, "centre": [0.3, 0.3]}
    ),
    "push": Target(ls.push, lambda rng: {**_contact(rng), "velocity": rng.normal(size=2)}, weight=0.5),
    "motion_cone": Target(ls.motion_cone, _contact, weight=0.5),
    "is_stable_push": Target(
        ls.is_stable_push,
        lambda rng: {
            "surface": MODEL, "contacts": [[-0.05, 0.02], [-0.05, -0.02]], "normals": [[1, 0], [1, 0]], "mu": 0.3,
            "cor": rng.normal(size=(3, 2)),
        },
        weight=0.5,
    ),
    "slide": Target(
        ls.slide, lambda rng: {"surface": MODEL, "mass": 1.0, "inertia": 0.002, "twist": rng.normal(size=3), "steps": 50}, weight=0.5
    ),
    "conservative_region": Target(
        ls.conservative_region,
        lambda rng: {
            "outline": np.array(SQUARE) - 0.05, "contacts": [[-0.05, 0.02], [-0.05, -0.02]], "normals": [[1, 0], [1, 0]],
            "mu": 0.3, "cor": rng.normal(size=(3, 2)),
        },
    ),
    "certify": Target(ls.certify, lambda rng: {"coefficients": MODEL.coefficients, "degree": 4}),
    "twist_about": Target(ls.twist_about, lambda rng: {"centres": rng.normal(size=(3, 2)), "sense": 1}),
    "centre_of_rotation": Target(  # at infinity for a translation
        lambda twists: not np.isnan(ls.centre_of_rotation(twists)).any(), lambda rng: {"twists": rng.normal(size=(3, 3))}),
    "pressure_grid": Target(
        ls.pressure_grid, lambda rng: {"loads": LOADS, "twists": TWISTS, "points": np.array(SQUARE) - 0.05, "length": 0.05}
    ),
    "friction_cone": Target(
        ls.friction_cone, lambda rng: {"contacts": [[-0.05, 0.02]], "normals": [[1, 0]], "mu": 0.3}
    ),
}  # fmt: skip
