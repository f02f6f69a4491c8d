"""Many scenes at once: each runs through its own steps, and none waits for a slower one."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from . import compiled
from .options import SimulateOptions
from .record import trajectories
from .scene import Scene
from .trajectory import Trajectory

__all__ = ["run"]

BLOCK = 2000  # steps in one task


def run(scenes: list[Scene], options: SimulateOptions) -> list[Trajectory]:
    """Simulate many scenes.

    The hull method always runs on the compiled stepper, whatever the backend asked for: vectorised lanes would take as
    many Newton iterations as the slowest of them at every step, while compiled scenes take only their own. Both steppers
    agree to 1e-12 a step where one step turns the body little; where contact turns it by more than 0.25 rad they may take
    different roots, and neither calls a root converged whose contact adds more than a fifth to the energy at hand. Scenes
    are spread over the cores; a scene's result does not depend on the others. The other
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
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    blocks = _blocks([scene.steps for scene in scenes])

    def solve(block: range) -> list[Trajectory]:
        few = [scenes[k] for k in block]
        return trajectories(few, [compiled.record(scenes[k], options, loads[k]) for k in block])

    if len(blocks) == 1 or cores == 1:
        return [result for block in blocks for result in solve(block)]
    with ThreadPoolExecutor(min(cores, len(blocks))) as pool:
        return [result for results in pool.map(solve, blocks) for result in results]


def _blocks(steps: list[int]) -> list[range]:
    """Cut the scenes into runs of about BLOCK steps, each one task: enough to share the cost of a check, few to hold."""
    cuts, total = [0], 0
    for k, count in enumerate(steps):
        total += count
        if total >= BLOCK or k == len(steps) - 1:
            cuts.append(k + 1)
            total = 0
    return [range(first, last) for first, last in zip(cuts, cuts[1:])]


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
