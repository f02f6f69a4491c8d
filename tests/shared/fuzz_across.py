"""Entry points of planarcontact.across, each with good arguments."""

from typing import Any

import numpy as np
from fuzz import Target
from fuzz_dynamics import RUN

from planarcontact import across
from planarcontact import dynamics as dyn
from planarcontact import limit_surface as ls

CORNERS = np.array([[-0.05, -0.05], [0.1, -0.05], [-0.05, 0.1]])
THREE = ls.SupportPoints([[0.05, 0], [-0.025, 0.0433], [-0.025, -0.0433]], [5, 5, 5], 0.5, length=0.05)
DISC = ls.UniformDisc(0.05, 15.0, 0.3, length=0.05)
TWISTS = np.random.default_rng(1).normal(size=(30, 3)) * [1, 1, 20]
FITTED = ls.fit(DISC.load(TWISTS), TWISTS, kind="poly4-cvx", length=0.05)
SURFACES = (THREE, DISC, FITTED)
FIELDS = ("drop", "speed", "mu", "tilt", "begins", "pulse", "duration")


def _surface(rng: np.random.Generator) -> Any:
    return SURFACES[rng.integers(3)]


def _flat(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "surface": _surface(rng), "mass": 1.5, "inertia": 0.003, "height": 0.01 * rng.integers(2), "gravity": 9.8,
        "outline": CORNERS, "normal_load": 15.0, "pressure": "fixed",
    }  # fmt: skip


BODY = across.FlatBody(**_flat(np.random.default_rng(0)))
STATICS = across.FlatBody(surface=THREE, mass=1.5, inertia=0.003, height=0.01, pressure="statics")


def _few(steps: int, step: Any, duration: Any) -> Any:
    """A duration of a few steps: a long run is no fault, only long."""
    if not isinstance(step, (int, float)) or not isinstance(duration, (int, float)):
        return duration
    try:
        return duration if not steps < duration / step <= 10**6 else steps * step
    except ArithmeticError:
        return duration


def _slide(body: Any, step: Any, duration: Any, **others: Any) -> Any:
    return across.slide_flat(body, step=step, duration=_few(3, step, duration), **others)


def _sliding_body(velocity: Any, **body: Any) -> Any:
    return across.slide_flat(across.FlatBody(**body), velocity, step=0.01, duration=0.01)


def _load(value: Any) -> Any:
    return across.slide_flat(BODY, [0.1, 0, 0], wrench=lambda t: value, step=0.01, duration=0.02)


def _patch(rng: np.random.Generator) -> dict[str, Any]:
    return {"surface": _surface(rng), "normal_load": 15.0, "pressure": "fixed", "elsewhere": ("refuse", "scene")[rng.integers(2)]}


PATCHES = [across.PatchFriction(**_patch(np.random.default_rng(k))) for k in range(6)]
PATCHES.append(across.PatchFriction(surface=THREE, pressure="contact"))
FACE = dyn.Body(1.5, np.diag([2e-3, 2e-3, 3e-3]), vertices=[[*p, -0.01] for p in THREE.points] + [[0, 0, 0.05]])


def _patch_scene(position: Any, orientation: Any, velocity: Any, wrench: Any, step: Any, friction: Any, **others: Any) -> Any:
    scene = dyn.Scene(
        body=FACE, friction=dyn.EllipsoidalFriction(mu=0.3), position=position, orientation=orientation, velocity=velocity,
        wrench=lambda t: wrench, step=step, duration=_few(3, step, 3 * step) if isinstance(step, float) else 0.03,
    )  # fmt: skip
    return across.simulate_patch(scene, friction, **others)


def _fingers(rng: np.random.Generator) -> dict[str, Any]:
    return {"points": [[-0.05, -0.02], [-0.05, 0.03]], "normal": [1, 0], "mu": 0.3, "twist": [0.01, *(0.005 * rng.normal(size=1)), 0.1 * rng.normal()]}


def _push(surface: Any, step: Any, duration: Any, pose: Any, **fingers: Any) -> Any:
    pusher = across.TwoFingers(**fingers)
    return across.push_two_fingers(surface, pusher, pose=pose, step=step, duration=_few(3, step, duration))


def _motion(rng: np.random.Generator) -> dict[str, Any]:
    return {"drop": 0.01, "speed": 0.5, "mu": 0.6, "tilt": 1.12, "begins": 0.0, "pulse": 0.5, "duration": 0.003}


def _mujoco(timestep: Any, frame: Any, solref: Any, **motion: Any) -> Any:
    made = across.BoxMotion(**motion)
    if made.duration > 0.01:  # a long run is no fault, only long
        made = across.BoxMotion(**{**motion, "duration": 0.003})
    return across.mujoco_run(made, timestep=timestep, frame=frame, solref=solref)


def _planar(rng: np.random.Generator) -> dyn.Trajectory:
    return dyn.simulate(across.box_scene(across.BoxMotion(speed=rng.uniform(0, 1), duration=0.003)), backend="compiled")


TARGETS: dict[str, Target] = {
    "across.FlatBody": Target(across.FlatBody, _flat),
    "across.FlatBody.replace": Target(BODY.replace, _flat),
    "across.FlatBody.margin": Target(BODY.margin, lambda rng: {"point": 0.03 * rng.normal(size=2)}),
    "across.FlatBody.centre_of_pressure": Target(
        BODY.centre_of_pressure, lambda rng: {"normal": 15.0, "friction": rng.normal(size=2), "wrench": rng.normal(size=6)}
    ),
    "across.FlatBody.shifted": Target(STATICS.shifted, lambda rng: {"centre": 0.01 * rng.normal(size=2)}),
    "across.slide_flat": Target(
        _slide,
        lambda rng: {
            "body": (BODY, STATICS)[rng.integers(2)], "velocity": rng.normal(size=3) * 0.3, "pose": rng.normal(size=3), "wrench": None,
            "step": 0.01, "duration": 0.02,
        },
        weight=0.3, least=1,
    ),
    "across.slide_flat, body": Target(_sliding_body, lambda rng: {**_flat(rng), "velocity": rng.normal(size=3) * 0.3}, weight=0.2),
    "across.slide_flat, wrench": Target(_load, lambda rng: {"value": rng.normal(size=6)}, weight=0.4),
    "across.PatchFriction": Target(across.PatchFriction, _patch),
    "across.PatchFriction.height": Target(
        lambda surface, **body: across.PatchFriction(surface=surface, normal_load=15.0).height(dyn.Body(**body)),
        lambda rng: {"surface": _surface(rng), "mass": 1.5, "inertia": np.eye(3), "vertices": np.array(FACE.vertices)},
    ),
    "across.simulate_patch": Target(
        _patch_scene,
        lambda rng: {
            "position": [0, 0, (0.01, 0.02)[rng.integers(2)]], "orientation": [1, *(rng.normal(size=3) * [1e-3, 1e-3, 0] * rng.integers(2))],
            "velocity": 0.2 * rng.normal(size=6) * [1, 1, 0, 0, 0, 5], "wrench": rng.normal(size=6), "step": 0.005,
            "friction": PATCHES[rng.integers(len(PATCHES))], "max_iterations": 50, "tolerance": 1e-12,
        },
        weight=0.2,
    ),
    "across.TwoFingers": Target(across.TwoFingers, _fingers),
    "across.TwoFingers.carried": Target(
        across.TwoFingers(**_fingers(np.random.default_rng(0))).carried, lambda rng: {"t": rng.uniform(), "start": rng.normal(size=3)}
    ),
    "across.TwoFingers.places": Target(
        across.TwoFingers(**_fingers(np.random.default_rng(0))).places, lambda rng: {"t": rng.uniform(), "start": rng.normal(size=3)}
    ),
    "across.push_two_fingers": Target(
        _push, lambda rng: {"surface": _surface(rng), "pose": rng.normal(size=3), "step": 0.1, "duration": 0.2, **_fingers(rng)}, weight=0.3
    ),
    "across.push_two_fingers, fingers": Target(
        across.push_two_fingers,
        lambda rng: {"surface": DISC, "fingers": across.TwoFingers(**_fingers(rng)), "pose": np.zeros(3), "step": 0.1, "duration": 0.1},
        keep=("step", "duration"),
    ),
    "across.friction_step": Target(
        across.friction_step,
        lambda rng: {
            "surface": _surface(rng), "scale": 1.0, "gyration": 0.05, "free": rng.normal(size=3), "gain": 0.01, "start": rng.normal(size=3),
        },
        weight=0.3,
    ),
    "across.BoxMotion": Target(across.BoxMotion, _motion),
    "across.BoxMotion.moment": Target(across.BoxMotion(begins=0.0).moment, lambda rng: {"t": rng.uniform()}),
    "across.BoxMotion.wrench": Target(across.BoxMotion(begins=0.0).wrench, lambda rng: {"t": rng.uniform()}),
    "across.box_scene": Target(across.box_scene, lambda rng: {"motion": across.BoxMotion(**_motion(rng)), "step": 1e-3}),
    "across.box_scene, simulated": Target(
        lambda step, **motion: dyn.simulate(across.box_scene(across.BoxMotion(**motion), step=step), backend="compiled"),
        lambda rng: {**_motion(rng), "step": 1e-3}, weight=0.2, keep=("step", "duration"),
    ),
    "across.planar_poses": Target(across.planar_poses, lambda rng: {"run": _planar(rng) if rng.random() < 0.7 else RUN, "tolerance": 1e-9}),
    "across.label_poses": Target(across.label_poses, lambda rng: {"poses": rng.normal(size=(3, 5)), "eps_on": 1e-3}),
    "across.mujoco_run": Target(
        _mujoco, lambda rng: {**_motion(rng), "timestep": 1e-3, "frame": 1e-3, "solref": (0.02, 1.0)}, weight=0.3
    ),
    "across.mujoco_run, motion": Target(
        across.mujoco_run, lambda rng: {"motion": across.BoxMotion(**_motion(rng)), "timestep": 1e-3, "frame": 1e-3, "solref": (0.02, 1.0)}
    ),
}  # fmt: skip
