"""Many scenes at once: each runs through its own steps, and none waits for a slower one."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from . import compiled
from .options import SimulateOptions
from .record import trajectory
from .scene import Scene
from .trajectory import Trajectory

__all__ = ["run"]


def run(scenes: list[Scene], options: SimulateOptions) -> list[Trajectory]:
    """Simulate many scenes.

    The hull method always runs on the compiled stepper, whatever the backend asked for: vectorised lanes would take as
    many Newton iterations as the slowest of them at every step, while compiled scenes take only their own. Both steppers
    agree to 1e-12 a step where one step turns the body little; where contact turns it by more than 0.25 rad, the compiled
    one looks for its root as the JAX one does, and calls no root converged whose contact adds
    more than a fifth to the energy at hand. Scenes are spread over the cores; a scene's result does not depend on the others. The other
    methods run one scene after another.

    Args:
        scenes: checked scenes.
        options: checked options.

    Returns:
        One `Trajectory` per scene, in order.

    Raises:
        UnsupportedError: a method cannot do one of the scenes.
    """
    if options.method != "hull":
        if options.backend == "compiled":
            return [compiled.run(scene, options) for scene in scenes]
        from .simulate import simulate

        return [simulate(scene, **vars(options)) for scene in scenes]
    loads = _shared_loads(scenes, options.sample)
    solve = lambda k: trajectory(scenes[k], compiled.record(scenes[k], options, loads[k]))  # noqa: E731
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if len(scenes) == 1 or cores == 1:
        return [solve(k) for k in range(len(scenes))]
    with ThreadPoolExecutor(min(cores, len(scenes))) as pool:
        return list(pool.map(solve, range(len(scenes))))


def _shared_loads(scenes: list[Scene], sample: str) -> list[NDArray[np.float64]]:
    """Sample every load once, also where scenes share a load and its times."""
    known: dict[tuple, NDArray[np.float64]] = {}
    loads = []
    for scene in scenes:
        key = (id(scene.wrench), scene.step, scene.steps)
        if key not in known:
            known[key] = scene.loads(sample)
        loads.append(known[key])
    return loads
