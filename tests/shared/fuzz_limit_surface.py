"""Entry points of planarcontact.limit_surface, each with good arguments."""

import os
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from fuzz import Target
from requests.exceptions import ConnectionError as Refused

from planarcontact import limit_surface as ls
from planarcontact.limit_surface import download, two_point_study
from planarcontact.limit_surface.own_pushes import read_pushes

SQUARE = np.array([[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]])
BLOCK = ls.TriangularBlock()
RING = ls.UniformRing(0.05, 10.0, 0.3)
THREE = ls.SupportPoints([[0.05, 0], [-0.03, 0.04], [-0.03, -0.04]], [1, 1, 1], 0.5, length=0.05)
POLYGON = ls.UniformPolygon(SQUARE - 0.05, 10.0, 0.3, length=0.05)


def _directions(rng: np.random.Generator, count: int) -> np.ndarray:
    rows = rng.normal(size=(count, 3))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


TWISTS = _directions(np.random.default_rng(1), 12) * [1, 1, 20]
LOADS = RING.load(TWISTS)
MODEL = ls.fit(LOADS, TWISTS, kind="poly4-cvx", length=0.05)
PROCESS = ls.fit(LOADS, TWISTS, kind="gp", length=0.05)
CONES = ls.bootstrap(LOADS, TWISTS, kind="quad", replicates=20, seed=0, length=0.05)
FACET = THREE.facets()[0]
CERTIFICATE = ls.certify(MODEL.coefficients, 4)
POKES = ls.Pokes(LOADS, TWISTS, 0.05 * _directions(np.random.default_rng(2), 12)[:, :2], 0.01 * TWISTS, 0.01 * TWISTS[:, :2], 0.05)
PUSHES = ls.TwoPointPushes(
    np.tile([[-0.05, 0.02], [-0.05, -0.02]], (3, 1, 1)), np.tile([[1.0, 0.0], [1.0, 0.0]], (3, 1, 1)), np.array([[0.1, 0.1], [0.0, 0.3], [0.2, 0.0]]),
    np.array([0.1, -0.1, 0.1]), np.array([True, False, True]), np.zeros((3, 3)),
)  # fmt: skip
LOGS = tuple(
    ls.PokeLog(
        np.array([0, 0, 0, 1.0, 0, 0, 0]), np.array([1.0 + k, 0, 0, 1.0, 0, 0, 0.01]), np.arange(6) * 0.1,
        np.random.default_rng(k).normal(size=(6, 2)), np.arange(6) * 0.1, np.column_stack([np.arange(6.0), *np.zeros((2, 6)), np.ones(6), *np.zeros((3, 6))]),
    )
    for k in range(2)
)  # fmt: skip
METHODS = (("quad", "printed"),)


class _Network:
    """What stands in for the network: it refuses, sends nonsense, or says that there is no such file."""

    def __init__(self, **_: Any) -> None:
        pass

    def __call__(self, url: str, output_file: str, pooch: Any) -> None:
        kind = len(url) % 3
        if kind == 0:
            raise Refused("no connection")
        if kind == 1:
            raise ValueError("404")
        Path(output_file).write_bytes(b"nonsense")


def _offline(function: Any) -> Any:
    def call(**arguments: Any) -> Any:
        with (
            mock.patch.object(download.pooch, "HTTPDownloader", _Network),
            mock.patch("pooch.core.time.sleep"),
            mock.patch.dict(os.environ, {"PLANARCONTACT_DATA": str(Path.cwd() / "data")}),
        ):
            return function(**arguments)

    return call


def _fit(rng: np.random.Generator, **more: Any) -> dict[str, Any]:
    keep = rng.permutation(12)[: rng.integers(6, 13)]
    return {"loads": LOADS[keep], "twists": TWISTS[keep], "length": 0.05, "objective": "printed", "weights": None, **more}


def _online(kind: Any) -> Any:
    def call(loads: Any, twists: Any, **arguments: Any) -> Any:
        online = kind(**arguments)
        online.update(loads, twists)
        return online.model()

    return call


def _stream(rng: np.random.Generator, **more: Any) -> dict[str, Any]:
    return {"size": 3.0, "degree": int(rng.choice([2, 4])), "length": 0.05, "weights": None, "loads": LOADS[:4], "twists": TWISTS[:4], **more}


def _update(kind: Any) -> Any:
    def call(loads: Any, twists: Any) -> Any:
        online = kind(3.0, length=0.05)
        online.update(loads, twists)
        return online.model()

    return call


def _surface(rng: np.random.Generator) -> Any:
    return (MODEL, RING, THREE)[rng.integers(3)]


def _contact(rng: np.random.Generator) -> dict[str, Any]:
    return {"surface": MODEL if rng.random() < 0.5 else RING, "contact": [-0.05, 0.01], "normal": [1, 0], "mu": 0.4}


def _fingers(rng: np.random.Generator) -> dict[str, Any]:
    return {"contacts": [[-0.05, 0.02], [-0.05, -0.02]], "normals": [[1, 0], [1, 0]], "mu": 0.3, "cor": rng.normal(size=(3, 2))}


def _uniform(rng: np.random.Generator, **sizes: float) -> dict[str, Any]:
    return {**sizes, "normal_load": 10.0, "mu": 0.3, "length": 0.05}


def _loaded(kind: Any) -> Any:
    return lambda **arguments: kind(**arguments).load(TWISTS)


def _predictions(**arguments: Any) -> Any:
    """Few splits of made-up pokes: what is random is the call."""
    with (
        mock.patch.object(two_point_study, "load_pokes", lambda *_, **__: POKES),
        mock.patch.object(two_point_study, "load_two_point_pushes", lambda *_, **__: PUSHES),
        mock.patch.object(two_point_study, "PAPER_SETS", two_point_study.PAPER_SETS[:1]),
    ):
        if isinstance(arguments["splits"], (int, np.integer)) and 2 < arguments["splits"] <= 10**6:
            arguments["splits"] = 2  # a long study is no fault, only long
        return ls.table_predictions(**arguments)


def _trial(rng: np.random.Generator) -> dict[str, Any]:
    return {"condition": ("legs-clean", "ring-noisy", "wood")[rng.integers(3)], "trial": int(rng.integers(3)), "seed": 1}


def _study(folder: Any, conditions: Any, **arguments: Any) -> Any:
    """A study of which every trial is kept already, as after an interruption."""
    with mock.patch("planarcontact.limit_surface.study.run_trial", lambda c, k, *, seed, methods: []):
        return ls.run_study(folder, conditions, progress=False, jobs=1, **arguments)


TARGETS: dict[str, Target] = {
    "limit_surface.fit, quad": Target(lambda **a: ls.fit(kind="quad", **a), _fit, weight=0.4),
    "limit_surface.fit, poly4": Target(lambda **a: ls.fit(kind="poly4", **a), _fit, weight=0.4),
    "limit_surface.fit, poly4-cvx": Target(lambda **a: ls.fit(kind="poly4-cvx", **a), _fit, weight=0.4),
    "limit_surface.fit, gp": Target(lambda **a: ls.fit(kind="gp", **a), _fit, weight=0.4),
    "limit_surface.fit, options": Target(
        ls.fit,
        lambda rng: _fit(
            rng, kind="poly4-cvx", degree=4, validation=(LOADS, TWISTS) if rng.random() < 0.1 else None, whiten=False, solver="CLARABEL"
        ),
    ),
    "limit_surface.Weights": Target(
        lambda **a: ls.fit(LOADS, TWISTS, kind="quad", length=0.05, weights=ls.Weights(**a)),
        lambda rng: {"ridge": 0.1, "velocity": 1.0, "force": 1.0, "norm": "monomial"},
    ),
    "limit_surface.WeightGrid": Target(
        lambda **a: ls.fit(LOADS, TWISTS, kind="quad", length=0.05, weights=ls.WeightGrid(**a), validation=(LOADS, TWISTS)),
        lambda rng: {"ridge": (0.1, 1.0), "force": (1.0, 2.0), "velocity": 1.0, "norm": "monomial"},
    ),
    "limit_surface.bootstrap": Target(
        ls.bootstrap, lambda rng: {"loads": LOADS, "twists": TWISTS, "kind": "quad", "replicates": 20, "seed": 1, "length": 0.05}, weight=0.8,
        keep=("replicates",), least=1,
    ),
    "limit_surface.bootstrap, replicates": Target(
        lambda replicates: ls.bootstrap(LOADS[:3], TWISTS[:3], kind="quad", replicates=replicates, seed=1), lambda rng: {"replicates": 20}
    ),
    "limit_surface.TwistCones.spread": Target(CONES.spread, lambda rng: {"loads": rng.normal(size=(2, 3))}),
    "limit_surface.TwistCones.half_angle": Target(CONES.half_angle, lambda rng: {"loads": rng.normal(size=(2, 3)), "coverage": 0.9}),
    "limit_surface.GaussianProcessModel.twist": Target(PROCESS.twist, lambda rng: {"loads": rng.normal(size=(4, 3))}),
    "limit_surface.GaussianProcessModel.value": Target(PROCESS.value, lambda rng: {"loads": rng.normal(size=(4, 3))}),
    "limit_surface.GaussianProcessModel.load": Target(PROCESS.load, lambda rng: {"twists": rng.normal(size=(4, 3))}),
    "limit_surface.GaussianProcessModel.save": Target(PROCESS.save, lambda rng: {"path": "process.json"}),
    "limit_surface.GaussianProcessModel.load_file, path": Target(ls.GaussianProcessModel.load_file, lambda rng: {"path": "nowhere.json"}),
    "limit_surface.LimitSurfaceModel.from_coefficients": Target(
        ls.LimitSurfaceModel.from_coefficients, lambda rng: {"coefficients": MODEL.coefficients, "degree": 4, "length": 0.05}
    ),
    "limit_surface.LimitSurfaceModel.value": Target(MODEL.value, lambda rng: {"loads": rng.normal(size=(4, 3))}),
    "limit_surface.LimitSurfaceModel.twist": Target(MODEL.twist, lambda rng: {"loads": rng.normal(size=(4, 3))}),
    "limit_surface.LimitSurfaceModel.load": Target(MODEL.load, lambda rng: {"twists": rng.normal(size=(4, 3)), "uncertified": False}, weight=0.3),
    "limit_surface.LimitSurfaceModel.invert": Target(
        MODEL.invert, lambda rng: {"twists": rng.normal(size=(4, 3)), "uncertified": False, "max_iterations": 100}, weight=0.5
    ),
    "limit_surface.LimitSurfaceModel.save": Target(MODEL.save, lambda rng: {"path": "model.json"}),
    "limit_surface.LimitSurfaceModel.load_file, path": Target(ls.LimitSurfaceModel.load_file, lambda rng: {"path": "nowhere.json"}),
    "limit_surface.OnlineFit": Target(_online(ls.OnlineFit), lambda rng: _stream(rng, forgetting=0.95), weight=0.4),
    "limit_surface.OnlineFit.update": Target(_update(ls.OnlineFit), lambda rng: {"loads": LOADS[:4], "twists": TWISTS[:4]}, weight=0.4),
    "limit_surface.ProjectedGradient": Target(_online(ls.ProjectedGradient), lambda rng: _stream(rng, step=0.5), weight=0.4),
    "limit_surface.ProjectedGradient.update": Target(
        _update(ls.ProjectedGradient), lambda rng: {"loads": LOADS[:2], "twists": TWISTS[:2]}, weight=0.4
    ),
    "limit_surface.Monomials": Target(ls.Monomials, lambda rng: {"degree": int(rng.integers(0, 9))}),
    "limit_surface.monomials": Target(ls.monomials, lambda rng: {"degree": int(rng.integers(0, 9))}),
    "limit_surface.certify": Target(ls.certify, lambda rng: {"coefficients": MODEL.coefficients, "degree": 4, "hint": np.eye(9)}),
    "limit_surface.Certificate.hessian": Target(CERTIFICATE.hessian, lambda rng: {"count": 50}),
    "limit_surface.eigen_directions": Target(ls.eigen_directions, lambda rng: {"model": MODEL, "gyration": 0.04}, weight=0.8, least=1),
    "limit_surface.SupportPoints": Target(
        ls.SupportPoints, lambda rng: {"points": rng.normal(size=(3, 2)), "pressures": [1, 1, 1], "mu": 0.5, "length": 0.05}
    ),
    "limit_surface.SupportPoints.load": Target(THREE.load, lambda rng: {"twists": rng.normal(size=(4, 3))}, weight=0.3),
    "limit_surface.SupportPoints.support": Target(THREE.support, lambda rng: {"twists": rng.normal(size=(4, 3))}, weight=0.3),
    "limit_surface.SupportPoints.is_set_valued": Target(THREE.is_set_valued, lambda rng: {"twists": rng.normal(size=(4, 3))}, weight=0.3),
    "limit_surface.SupportPoints.resting_friction": Target(
        THREE.resting_friction, lambda rng: {"twist": (FACET.twist, rng.normal(size=3))[rng.integers(2)]}, weight=0.4
    ),
    "limit_surface.IdealSurface.twist": Target(THREE.twist, lambda rng: {"loads": THREE.load(rng.normal(size=(4, 3)))}, weight=0.3),
    "limit_surface.IdealSurface.load": Target(RING.load, lambda rng: {"twists": rng.normal(size=(4, 3))}, weight=0.3),
    "limit_surface.IdealSurface.support": Target(RING.support, lambda rng: {"twists": rng.normal(size=(4, 3))}, weight=0.3),
    "limit_surface.IdealSurface.is_set_valued": Target(RING.is_set_valued, lambda rng: {"twists": rng.normal(size=(4, 3))}, weight=0.3),
    "limit_surface.IdealSurface.mesh": Target(THREE.mesh, lambda rng: {"n": 20}, weight=0.9, least=1),
    "limit_surface.twist_of_load": Target(ls.twist_of_load, lambda rng: {"surface": (RING, THREE, POLYGON)[rng.integers(3)], "loads": RING.load(
        rng.normal(size=(2, 3)))}, weight=0.4),
    "limit_surface.Facet.point": Target(FACET.point, lambda rng: {"x": rng.uniform(-0.7, 0.7), "y": rng.uniform(-0.7, 0.7)}),
    "limit_surface.UniformDisc": Target(_loaded(ls.UniformDisc), lambda rng: _uniform(rng, radius=0.05)),
    "limit_surface.UniformRing": Target(_loaded(ls.UniformRing), lambda rng: _uniform(rng, radius=0.05)),
    "limit_surface.UniformRectangle": Target(_loaded(ls.UniformRectangle), lambda rng: _uniform(rng, width=0.1, height=0.05)),
    "limit_surface.UniformPolygon": Target(
        _loaded(ls.UniformPolygon), lambda rng: {"vertices": SQUARE - 0.05, **_uniform(rng)}
    ),
    "limit_surface.UniformPolygon.load": Target(POLYGON.load, lambda rng: {"twists": rng.normal(size=(4, 3))}, weight=0.3),
    "limit_surface.UniformPolygon.support": Target(POLYGON.support, lambda rng: {"twists": rng.normal(size=(4, 3))}, weight=0.3),
    "limit_surface.TriangularBlock": Target(
        lambda **a: ls.TriangularBlock(**a).vertices, lambda rng: {"mass": 1.5, "leg": 0.15, "length": 0.05, "gravity": 9.8}
    ),
    "limit_surface.TriangularBlock.supports": Target(BLOCK.supports, lambda rng: {"arrangement": "10_130"}),
    "limit_surface.statics_pressures": Target(
        ls.statics_pressures, lambda rng: {"points": [[0, 0], [1, 0], [0, 1]], "normal_load": 3.0, "centre": [0.3, 0.3]}
    ),
    "limit_surface.push": Target(ls.push, lambda rng: {**_contact(rng), "velocity": rng.normal(size=2)}, weight=0.5),
    "limit_surface.motion_cone": Target(ls.motion_cone, _contact, weight=0.5),
    "limit_surface.is_stable_push": Target(
        ls.is_stable_push, lambda rng: {"surface": _surface(rng), **_fingers(rng), "tolerance": 1e-9}, weight=0.5
    ),
    "limit_surface.conservative_region": Target(ls.conservative_region, lambda rng: {"outline": SQUARE - 0.05, **_fingers(rng)}),
    "limit_surface.friction_cone": Target(ls.friction_cone, lambda rng: {"contacts": [[-0.05, 0.02]], "normals": [[1, 0]], "mu": 0.3}),
    "limit_surface.in_cone": Target(
        ls.in_cone,
        lambda rng: {"edges": ls.friction_cone([[-0.05, 0.02]], [[1, 0]], 0.3), "loads": rng.normal(size=(3, 3)), "tolerance": 1e-9},
    ),
    "limit_surface.slide": Target(
        ls.slide,
        lambda rng: {
            "surface": MODEL if rng.random() < 0.98 else _surface(rng), "mass": 1.0, "inertia": 0.002, "twist": rng.normal(size=3),
            "pose": (0, 0, 0), "steps": 20,
        },
        weight=0.95, keep=("steps",), least=1,
    ),
    "limit_surface.slide_many": Target(
        ls.slide_many,
        lambda rng: {"surface": MODEL, "mass": 1.0, "inertia": 0.002, "twists": rng.normal(size=(2, 3)), "steps": 20},
        weight=0.95, keep=("steps",), least=1,
    ),
    "limit_surface.slide, steps": Target(
        lambda steps: ls.slide(MODEL, 1.0, 0.002, [0.1, 0, 0], steps=steps if not isinstance(steps, int) or steps < 10**4 else "many"),
        lambda rng: {"steps": 20},
    ),
    "limit_surface.twist_about": Target(ls.twist_about, lambda rng: {"centres": rng.normal(size=(3, 2)), "sense": 1}),
    "limit_surface.centre_of_rotation": Target(  # at infinity for a translation
        lambda twists: not np.isnan(ls.centre_of_rotation(twists)).any(), lambda rng: {"twists": rng.normal(size=(3, 3))}
    ),
    "limit_surface.pressure_grid": Target(
        ls.pressure_grid, lambda rng: {"loads": LOADS, "twists": TWISTS, "points": SQUARE - 0.05, "length": 0.05}
    ),
    "limit_surface.grid_points": Target(ls.grid_points, lambda rng: {"outline": SQUARE, "spacing": 0.02}),
    "limit_surface.howe_cutkosky": Target(ls.howe_cutkosky, lambda rng: {"surface": (RING, THREE)[rng.integers(2)]}),
    "limit_surface.touch_of_finger": Target(ls.touch_of_finger, lambda rng: {"outline": SQUARE, "centre": 0.1 * rng.normal(size=2)}),
    "limit_surface.predict_pokes": Target(
        ls.predict_pokes, lambda rng: {"surface": (RING, MODEL)[rng.integers(2)], "pokes": POKES, "mu": 0.3, "outline": BLOCK.vertices}, weight=0.8, least=1
    ),
    "limit_surface.judge": Target(ls.judge, lambda rng: {"model": MODEL, "pushes": PUSHES, "mu": 0.3}),
    "limit_surface.scores": Target(ls.scores, lambda rng: {"predicted": rng.random(5) < 0.5, "labels": rng.random(5) < 0.5}),
    "limit_surface.table_predictions": Target(
        _predictions,
        lambda rng: {"objective": "printed", "splits": 1, "amounts": (2,), "kinds": ("quad",), "seed": 1, "mu": 0.3}, weight=0.8,
    ),
    "limit_surface.extract_pokes": Target(
        ls.extract_pokes, lambda rng: {"logs": LOGS, "centre": (0.05, 0.05), "length": 0.05, "tool_frame": np.eye(2), "skip": 0.3}
    ),
    "limit_surface.read_poke_log, path": Target(ls.read_poke_log, lambda rng: {"path": "nowhere.txt"}),
    "limit_surface.own_pushes.read_pushes, arguments": Target(
        lambda **a: read_pushes(**a),
        lambda rng: {"path": "nowhere.csv", "length": 0.05, "centre": (0, 0), "force_on": "object", "tare": 0, "threshold": 0.0},
    ),
    "limit_surface.fetch": Target(_offline(ls.fetch), lambda rng: {
        "key": "wood-30_90", "folder": "data", "base_url": "http://127.0.0.1:9/" + "x" * int(rng.integers(3)), "progress": False}, weight=0.8),
    "limit_surface.fetch_all": Target(_offline(ls.fetch_all), lambda rng: {
        "folder": "data", "base_url": "http://127.0.0.1:9/" + "x" * int(rng.integers(3)), "progress": False}, weight=0.8),
    "limit_surface.is_available": Target(_offline(ls.is_available), lambda rng: {"folder": "data"}),
    "limit_surface.load_pokes": Target(
        _offline(ls.load_pokes), lambda rng: {"surface": "wood", "arrangement": "30_90", "length": 0.05, "progress": False}
    ),
    "limit_surface.load_two_point_pushes": Target(
        _offline(ls.load_two_point_pushes), lambda rng: {"name": "30_90-a", "progress": False}
    ),
    "limit_surface.make_trial": Target(_offline(ls.make_trial), _trial),
    "limit_surface.run_trial": Target(_offline(ls.run_trial), lambda rng: {**_trial(rng), "methods": METHODS}, weight=0.9),
    "limit_surface.run_study": Target(
        _study, lambda rng: {"folder": "study", "conditions": ["legs-clean"], "seed": 1, "methods": METHODS}, weight=0.9
    ),
}  # fmt: skip
