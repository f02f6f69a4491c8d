"""The entry points: one scene, or many."""

import importlib
from collections.abc import Sequence

from ..errors import InputError
from .options import SimulateOptions
from .scene import Scene, checked_scene
from .trajectory import Trajectory

__all__ = ["simulate", "simulate_batch"]


def simulate(
    scene: Scene,
    *,
    method: str = "hull",
    backend: str = "jax",
    reference: str = "common",
    gyroscopic: str = "momentum",
    sample: str = "mid",
    max_iterations: int = 50,
    tolerance: float = 1e-12,
) -> Trajectory:
    """Simulate one scene.

    Args:
        scene: a `Scene`.
        method: "hull" (default; one ECP from the convex hull of all generators), "sliding" (planar quadratic model),
            "patches" (one ECP per convex patch) or "kkt" (the document's own equations).
        backend: "jax" (default) or "compiled" (forward runs of the hull method only).
        reference: with ``method="patches"``, take friction moments about the "common" ECP (default) or each patch's
            "own".
        gyroscopic: "momentum" (default) or "explicit" (the document's).
        sample: sample the load at the "start", "mid" (default) or "end" of a step.
        max_iterations: cap on Newton iterations for each solver of the cascade; 50.
        tolerance: largest accepted unit-free complementarity residual; 1e-12.

    Returns:
        A `Trajectory`; look at its ``ok``, ``status`` and ``residual``.

    Raises:
        InputError: the scene or an option is not usable.
        UnsupportedError: the method cannot do this scene.

    Source: document 1, Eqs. 6 to 17.
    """
    checked_scene(scene)
    options = SimulateOptions(method, backend, reference, gyroscopic, sample, max_iterations, tolerance)
    module = "compiled" if backend == "compiled" else method
    return importlib.import_module(f".{module}", __package__).run(scene, options)


def simulate_batch(
    scenes: Sequence[Scene],
    *,
    method: str = "hull",
    backend: str = "jax",
    reference: str = "common",
    gyroscopic: str = "momentum",
    sample: str = "mid",
    max_iterations: int = 50,
    tolerance: float = 1e-12,
) -> list[Trajectory]:
    """Simulate many scenes at once; see `simulate` for the options and what is raised.

    Args:
        scenes: at least one `Scene`.

    Returns:
        One `Trajectory` per scene, in the same order.

    Raises:
        InputError: the batch is empty, one of its items is not a scene, or an option is not usable.
    """
    try:
        scenes = list(scenes)
    except TypeError as error:
        raise InputError("scenes", scenes, "is not a sequence of scenes") from error
    if not scenes:
        raise InputError("scenes", scenes, "is empty", "give at least one Scene")
    for k, scene in enumerate(scenes):
        checked_scene(scene, f"scenes[{k}]")
    options = SimulateOptions(method, backend, reference, gyroscopic, sample, max_iterations, tolerance)
    return importlib.import_module(".batch", __package__).run(scenes, options)
