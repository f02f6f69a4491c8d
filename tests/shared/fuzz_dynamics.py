"""Entry points of planarcontact.dynamics, each with good arguments."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from fuzz import JUNK, Target

from planarcontact import dynamics as dyn
from planarcontact.dynamics import scenes
from planarcontact.dynamics.precision import double_precision

INERTIA = np.diag([0.02, 0.03, 0.04])
CORNERS = [[x, y, z] for x in (-0.2, 0.2) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]
BOX = dyn.Body(1.0, INERTIA, CORNERS, patches=[range(0, 8, 2)])
BODIES = (BOX, scenes.DUMBBELL, dyn.Body(1.0, INERTIA, spheres=[dyn.Sphere([0, 0, 0.02], 0.1)]))
TETRAHEDRON = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def scene_arguments(rng: np.random.Generator) -> dict[str, Any]:
    """Good arguments of a Scene of three steps, in the air or on the floor."""
    return {
        "body": BOX, "support": dyn.Plane(), "friction": dyn.EllipsoidalFriction(0.3), "gravity": 9.8,
        "position": [0, 0, rng.uniform(0.1, 0.3)], "orientation": [1, 0, 0, 0], "velocity": rng.normal(size=6) * 0.3,
        "wrench": dyn.SampledWrench([0, 1], np.zeros((2, 6))), "step": 0.01, "duration": 0.03,
    }  # fmt: skip


def flat_scene(rng: np.random.Generator) -> dyn.Scene:
    """A box that slides on the floor for three steps."""
    return dyn.Scene(**{**scene_arguments(rng), "position": [0, 0, 0.1], "velocity": [*rng.normal(size=2), 0, 0, 0, rng.normal()]})


def any_body(rng: np.random.Generator) -> dict[str, Any]:
    """Good arguments of a Scene with a box, discs or a sphere."""
    return {**scene_arguments(rng), "body": BODIES[rng.integers(3)]}


def any_scene(rng: np.random.Generator) -> dyn.Scene:
    """A scene of three steps with one of the bodies."""
    return dyn.Scene(**any_body(rng))


FLAT = flat_scene(np.random.default_rng(0))
SHORT = FLAT.replace(duration=0.01)
RUN = dyn.simulate(FLAT, backend="compiled")
STATES = np.hstack([RUN.position, RUN.orientation, RUN.velocity])
NAMES = ("mu", "e_t", "e_o", "e_r", "mass", "inertia", "gravity", "wrench", "position", "orientation", "velocity")


def _simulate(**options: Any) -> Callable[..., Any]:
    def call(**arguments: Any) -> Any:
        scene = dyn.Scene(**arguments)
        if scene.steps > 2000:  # a long run is no fault, only long
            scene = scene.replace(duration=3 * scene.step)
        return dyn.simulate(scene, **options)

    return call


def _options(rng: np.random.Generator, **others: Any) -> dict[str, Any]:
    return {
        "method": ("hull", "sliding", "patches", "kkt")[rng.integers(4)], "backend": "jax", "reference": "common",
        "gyroscopic": "momentum", "sample": ("start", "mid", "end")[rng.integers(3)], "max_iterations": 50, "tolerance": 1e-12, **others,
    }  # fmt: skip


def _short(simulate: Callable[..., Any]) -> Callable[..., Any]:
    """The call, with iteration caps kept to what ends: a cap of a billion is no fault, only long."""

    def call(**arguments: Any) -> Any:
        cap = arguments.get("max_iterations")
        if isinstance(cap, (int, np.integer)) and 200 < cap < 2**31:
            arguments["max_iterations"] = 200
        return simulate(**arguments)

    return call


def _mesh(file: Any, text: str, mass: Any, density: Any) -> Any:
    Path("good.obj").write_text(text if isinstance(text, str) and text.isascii() else TETRAHEDRON, encoding="utf-8")
    return dyn.Body.from_mesh(file, mass=mass, density=density)


def _final_state(parameters: Any, scene: Any, **options: Any) -> Any:
    with double_precision():
        return dyn.rollout(scene, **options)(parameters)


def _parameters(rng: np.random.Generator) -> dict[str, Any]:
    """Parameters of a roll-out of which some are wrong."""
    good = {
        "mu": 0.3, "e_t": 1.0, "e_o": 1.0, "e_r": 0.1, "mass": 1.0, "inertia": INERTIA, "gravity": 9.8, "wrench": np.zeros((3, 6)),
        "position": [0, 0, 0.1], "orientation": [1, 0, 0, 0], "velocity": rng.normal(size=6),
    }  # fmt: skip
    values = {name: good[name] for name in rng.choice(NAMES, size=rng.integers(0, 4), replace=False)}
    for name in list(values)[: rng.integers(0, 3)]:
        values[name] = JUNK[rng.integers(len(JUNK))]
    return {"parameters": values, "scene": FLAT, "gyroscopic": "momentum", "sample": "mid"}


def _names(rng: np.random.Generator) -> list[str]:
    return list(rng.choice(NAMES, size=rng.integers(1, 4), replace=False))


TARGETS: dict[str, Target] = {
    "dynamics.Body": Target(
        dyn.Body,
        lambda rng: {
            "mass": 1.0, "inertia": INERTIA, "vertices": CORNERS, "discs": [dyn.Disc([0, 0, 0], [0, 0, 1], 0.1)],
            "spheres": [dyn.Sphere([0, 0, 0], 0.1)], "patches": [[0, 1, 2], [4, 5, 6, 7]],
        },
    ),
    "dynamics.Body.from_mesh": Target(_mesh, lambda rng: {
        "file": "good.obj", "text": TETRAHEDRON[: rng.integers(20, len(TETRAHEDRON))] if rng.random() < 0.3 else TETRAHEDRON,
        "mass": 1.0, "density": None,
    }, weight=0.4),
    "dynamics.Disc": Target(dyn.Disc, lambda rng: {"centre": [0, 0, 1], "axis": rng.normal(size=3), "radius": 0.1}),
    "dynamics.Sphere": Target(dyn.Sphere, lambda rng: {"centre": [0, 0, 1], "radius": 0.1}),
    "dynamics.Plane": Target(dyn.Plane, lambda rng: {"normal": rng.normal(size=3), "offset": 0.1}),
    "dynamics.Plane.height": Target(dyn.Plane([0, 1, 2], 0.1).height, lambda rng: {"points": rng.normal(size=(2, 3))}),
    "dynamics.EllipsoidalFriction": Target(dyn.EllipsoidalFriction, lambda rng: {"mu": 0.3, "e_t": 1.0, "e_o": 0.5, "e_r": 0.1}),
    "dynamics.SampledWrench": Target(dyn.SampledWrench, lambda rng: {"times": [0, 1.0, 2.0], "values": rng.normal(size=(3, 6))}),
    "dynamics.SampledWrench.at": Target(dyn.SampledWrench([0, 1, 2], np.ones((3, 6))).at, lambda rng: {"t": rng.uniform(0, 2, 3)}),
    "dynamics.Scene": Target(dyn.Scene, scene_arguments),
    "dynamics.Scene.replace": Target(FLAT.replace, any_body),
    "dynamics.Scene.loads": Target(
        lambda wrench, sample: FLAT.replace(wrench=wrench).loads(sample),
        lambda rng: {"wrench": (lambda value: lambda t: value)(JUNK[rng.integers(len(JUNK))]), "sample": "mid"},
    ),
    "dynamics.SimulateOptions": Target(dyn.SimulateOptions, _options),
    "dynamics.simulate, compiled": Target(_simulate(backend="compiled"), any_body, weight=0.3),
    "dynamics.simulate, JAX": Target(_simulate(), scene_arguments, weight=0.3),
    "dynamics.simulate, sliding": Target(_simulate(method="sliding"), lambda rng: {**scene_arguments(rng), "position": [0, 0, 0.1],
        "velocity": [*rng.normal(size=2), 0, 0, 0, rng.normal()]}, weight=0.3),
    "dynamics.simulate, patches": Target(_simulate(method="patches"), scene_arguments, weight=0.3),
    "dynamics.simulate, kkt": Target(_simulate(method="kkt"), scene_arguments, weight=0.3),
    "dynamics.simulate, options": Target(_short(dyn.simulate), lambda rng: _options(rng, scene=flat_scene(rng))),
    "dynamics.simulate_batch": Target(
        _short(dyn.simulate_batch), lambda rng: _options(rng, scenes=[flat_scene(rng), flat_scene(rng)], method="hull")
    ),
    "dynamics.simulate_linearised": Target(
        _short(dyn.simulate_linearised), lambda rng: {"scene": flat_scene(rng), "sample": "mid", "max_iterations": 50, "tolerance": 1e-12}
    ),
    "dynamics.final_state_gradient": Target(
        dyn.final_state_gradient, lambda rng: {"scene": flat_scene(rng), "with_respect_to": _names(rng), "gyroscopic": "momentum", "sample": "mid"}
    ),
    "dynamics.rollout": Target(_final_state, _parameters),
    "dynamics.estimate_parameters": Target(
        dyn.estimate_parameters,
        lambda rng: {
            "scene": FLAT, "observed": STATES + 1e-6 * rng.normal(size=STATES.shape), "noise": np.full(13, 1e-6), "with_respect_to": ["mu", "e_r"],
        },
    ),
    "dynamics.push_to_goal": Target(
        dyn.push_to_goal,
        lambda rng: {"scene": SHORT, "goal": [0.01, 0.0, *[np.nan] * 11], "first": rng.normal(size=(1, 6)), "free": (0, 1), "effort": 1e-9},
        least=1,
    ),
    "dynamics.save_scene": Target(dyn.save_scene, lambda rng: {"path": "scene.json", "scene": FLAT}),
    "dynamics.load_scene, path": Target(dyn.load_scene, lambda rng: {"path": "nowhere.json"}),
    "dynamics.Trajectory.to_csv": Target(RUN.to_csv, lambda rng: {"path": "run.csv"}),
    "dynamics.Trajectory.to_npz": Target(RUN.to_npz, lambda rng: {"path": "run.npz"}),
    "dynamics.Trajectory.to_html": Target(
        RUN.to_html, lambda rng: {"path": "run.html", "scene": any_scene(rng), "title": "a title", "frames": 4}
    ),
    "dynamics.scenes.desk": Target(scenes.desk, lambda rng: {"step": 0.01, "duration": 0.05}),
    "dynamics.scenes.desk_body": Target(scenes.desk_body, lambda rng: {"side": 0.5, "foot": 0.06, "height": 0.45, "mass": 15.0}),
    "dynamics.scenes.t_bar": Target(scenes.t_bar, lambda rng: {"step": 0.01, "duration": 0.05, "wobble": scenes.Wobble()}),
    "dynamics.scenes.t_bar_body": Target(
        scenes.t_bar_body, lambda rng: {"bar": (0.1, 0.4), "stem": (0.3, 0.1), "thickness": 0.05, "mass": 2.0}
    ),
    "dynamics.scenes.Wobble": Target(
        lambda **a: dyn.simulate(scenes.t_bar(0.01, 0.03, scenes.Wobble(**a)), backend="compiled"),
        lambda rng: {"raising": 1.4, "tipping": 1.2, "pulse": 0.7, "starts": (0.0, 1.9), "heading": -0.04, "slide": 3.0},
    ),
    "dynamics.scenes.dumbbell": Target(scenes.dumbbell, lambda rng: {"step": 0.01, "duration": 0.05, "topple": scenes.Topple()}),
    "dynamics.scenes.dumbbell_body": Target(
        scenes.dumbbell_body, lambda rng: {"length": 0.3, "bar": 0.18, "radius": 0.1, "bar_radius": 0.05, "mass": 3.0}
    ),
    "dynamics.scenes.Topple": Target(
        lambda **a: dyn.simulate(scenes.dumbbell(0.01, 0.03, scenes.Topple(**a)), backend="compiled"),
        lambda rng: {"overload": 1.4, "pulse": 0.6, "push": 6.0, "twist": 1.0, "roll": (0.0, 0.9)},
    ),
}  # fmt: skip
