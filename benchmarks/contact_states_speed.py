"""Time of the recognizer against its compute and memory floors, one thread; writes results/contact_states_speed.json."""

import json
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numba  # noqa: E402
import numpy as np  # noqa: E402
from planarcontact.contact_states import RECOMMENDED, Options, jittered, recognize, step_scene  # noqa: E402
from planarcontact.contact_states.demo import load_demo  # noqa: E402
from planarcontact.contact_states.kernel import _tables, compiled_labels  # noqa: E402
from planarcontact.contact_states.kernel_gaps import edge_gaps, new_scratch, place_pose, point_gaps  # noqa: E402
from planarcontact.contact_states.rules import apply_rules  # noqa: E402

RESULT = Path(__file__).parent / "results" / "contact_states_speed.json"
SMALL, LARGE = 7_680, 1_000_000


@numba.njit(error_model="numpy")
def fused(local, t, w, one):  # type: ignore[no-untyped-def]
    """All gaps of every pose, summed: what the arithmetic costs when nothing is stored."""
    corners, faces, face_links, edges, edge_links, points, point_edges, radius, _ = t
    box, tangents, on_edges, on_faces, disk = w
    total = 0.0
    for i in range(len(local)):
        place_pose(i, local, corners, faces, face_links, edges, points, box, tangents, on_edges, on_faces, disk)
        point_gaps(0, local[i : i + 1], faces, face_links, points, radius, box, on_faces, len(edges), one)
        edge_gaps(0, faces, face_links, edges, edge_links, on_edges, one)
        total += one[0].sum()
    return total


def best(call: Callable[[], object], repeats: int) -> dict[str, float]:
    """Least wall-clock and processor time of a call, ms: the least is the least disturbed by others."""
    call()
    wall, processor = [], []
    for _ in range(repeats):
        clock, thread = time.perf_counter(), time.thread_time()
        call()
        wall.append(time.perf_counter() - clock)
        processor.append(time.thread_time() - thread)
    return {"wall_ms": round(1e3 * min(wall), 3), "processor_ms": round(1e3 * min(processor), 3)}


def main() -> None:
    """Measure and write."""
    scene = step_scene()
    table, _ = _tables(scene, Options())
    scratch, one = new_scratch(table), np.empty((1, 40))
    demo = load_demo().poses
    found: dict[str, object] = {
        "machine": {"processor": platform.machine(), "cores": os.cpu_count(), "load": round(os.getloadavg()[0], 2)},
        "document_ms_for_7680": 22.0,
        "budget_ms": {"7680": 3.0, "1000000": 1000.0},
    }
    for count, repeats in ((SMALL, 60), (LARGE, 3)):
        poses = np.ascontiguousarray(np.tile(demo, (count // len(demo) + 1, 1))[:count])
        moved = jittered(demo, count, 1e-3, arm=0.0625, seed=1)
        found[str(count)] = {
            "recognize, demo": best(lambda: recognize(poses, scene), repeats),
            "recognize, demo, recommended": best(lambda: recognize(poses, scene, RECOMMENDED), repeats),
            "recognize, jittered demo": best(lambda: recognize(moved, scene), repeats),
            "kernel alone": best(lambda: compiled_labels(poses, scene, Options()), repeats),
            "floor: all gaps, one sum": best(lambda: fused(poses, table, scratch, one), repeats),
            "floor: write 40 float64 a pose": best(lambda: np.empty((count, 40)).fill(1.0), repeats),
        }
    poses = np.ascontiguousarray(np.tile(demo, (5, 1))[:SMALL])
    found["readable rules, 7680"] = best(lambda: apply_rules(poses, scene, Options()), 3)
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
