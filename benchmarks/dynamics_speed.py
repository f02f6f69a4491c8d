"""Cost of a step by every method, its growth with generators and with the batch; writes results/dynamics_speed.json.

Times are of the processor, not of the clock, so that other work on the machine counts little: medians over repeats.
"""

import resource
import time
from pathlib import Path

from _record import machine, write  # first: it sets the number of threads
import numpy as np
from planarcontact.dynamics import Body, EllipsoidalFriction, Scene, scenes, simulate, simulate_batch
from planarcontact.dynamics.compiled import record
from planarcontact.dynamics.options import SimulateOptions

DOCUMENT = {"sliding": 2.2e-3, "hull": 5.3e-3, "patches": 48.7e-3}  # seconds a step, document 1, Section 5.1


def processor_time(run, repeats: int) -> tuple[float, list[float]]:
    """Median time of the processor over repeats after a run that compiles, and the fastest and slowest of them [s]."""
    run()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return float(np.median(times)), [min(times), max(times)]


def resident() -> float:
    """Memory that this process holds now [MB]; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * resource.getpagesize() / 2**20


def methods(repeats: int) -> list[dict]:
    """Seconds a step of the desk, by method; loads are sampled once for the compiled stepper and in every run elsewhere."""
    scene, rows = scenes.desk(), []
    loads, options = scene.loads(), SimulateOptions()
    table = np.array(loads)
    scene = scene.replace(wrench=lambda t: table[min(int(t / 0.01), len(table) - 1)])
    for name, run in {
        "hull, compiled": lambda: record(scene, options, loads),
        "hull": lambda: simulate(scene),
        "sliding": lambda: simulate(scene, method="sliding"),
        "patches": lambda: simulate(scene, method="patches"),
        "kkt": lambda: simulate(scene, method="kkt"),
    }.items():
        seconds, spread = processor_time(run, repeats)
        rows.append({
            "method": name, "seconds_per_step": seconds / scene.steps, "fastest_and_slowest": [s / scene.steps for s in spread],
            "repeats": repeats, "document_seconds_per_step": DOCUMENT.get(name),
        })  # fmt: skip
    return rows


def polygon(corners: int) -> Scene:
    """A flat plate with a regular polygon as its face, sliding and turning."""
    angle = np.arange(corners) * 2 * np.pi / corners
    rim = np.column_stack([0.2 * np.cos(angle), 0.2 * np.sin(angle), np.full(corners, -0.05)])
    body = Body(2.0, np.diag([0.02, 0.02, 0.04]), vertices=rim)
    friction = EllipsoidalFriction(mu=0.22)
    return Scene(body=body, friction=friction, position=(0, 0, 0.05), velocity=(3.0, 0, 0, 0, 0, 5.0), duration=1.0)


def generators(repeats: int) -> list[dict]:
    """Seconds a step of the compiled stepper against the number of coplanar corners."""
    rows = []
    for corners in (4, 16, 64, 256, 1024, 4096):
        scene, options = polygon(corners), SimulateOptions()
        loads = scene.loads()
        done = record(scene, options, loads)
        seconds, spread = processor_time(lambda: record(scene, options, loads), repeats)
        rows.append({
            "corners": corners, "seconds_per_step": seconds / scene.steps, "fastest_and_slowest": [s / scene.steps for s in spread],
            "repeats": repeats, "iterations_per_step": float(done.iterations.mean()), "failures": int((done.status != 0).sum()),
        })  # fmt: skip
    return rows


def batches(repeats: int) -> list[dict]:
    """Steps a second and core of `simulate_batch`, with everything that it returns, against the number of scenes."""
    import sys

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "dynamics"))
    from test_compiled import SCENES

    rng, rows = np.random.default_rng(1), []
    for name, base in (("desk", scenes.desk(duration=1.0)), ("t-bar", SCENES["t-bar"].replace(duration=1.0))):
        table = np.array(base.loads())
        base = base.replace(wrench=lambda t, table=table: table[min(int(t / 0.01), len(table) - 1)])
        for count in (1, 10, 100, 1000, 10000):
            steps = 100 if count <= 100 else 20
            batch = [
                base.replace(velocity=base.velocity + 0.05 * rng.normal(size=6) * [1, 1, 0, 0, 0, 1], duration=0.01 * steps) for _ in range(count)
            ]
            before = resident()
            results = simulate_batch(batch)
            grown = resident() - before
            iterations = np.array([t.iterations.sum() for t in results]) / steps
            failures = int(sum((t.status != 0).sum() for t in results))
            del results
            seconds, spread = processor_time(lambda batch=batch: simulate_batch(batch), repeats)
            rows.append({
                "scene": name, "scenes": count, "steps": steps, "steps_per_core_second": count * steps / seconds,
                "slowest_and_fastest": [count * steps / s for s in spread[::-1]], "repeats": repeats, "failures": failures,
                "iterations_of_the_slowest_over_the_mean": float(iterations.max() / iterations.mean()),
                "memory_of_the_results_MB": grown,
                "peak_memory_MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            })  # fmt: skip
    return rows


def main() -> None:
    repeats = 5
    result = {"machine": machine(), "methods": methods(repeats), "generators": generators(repeats), "batches": batches(repeats)}
    write("dynamics_speed", result)


if __name__ == "__main__":
    main()
