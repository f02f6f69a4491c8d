"""Time of the recognizer against its compute and memory floors, one thread; writes results/contact_states_speed.json.

What bounds it, by a profile of its parts on the demo's poses: about two fifths are the arithmetic of the gaps (done for
blocks of poses at a time, bound by square roots and divisions), a tenth the copy of the gaps from block order to one row a
pose, two fifths the rules (six templates in band a pose on average, branches that depend on the pose), and the rest the
check of the poses and memory that is touched for the first time. Writing the forty numbers alone costs a fortieth of a
call of 7,680 poses and a tenth of one of a million.
"""

import time
from collections.abc import Callable

from _record import machine, write  # first: it sets the number of threads
import numba
import numpy as np
from planarcontact.contact_states import RECOMMENDED, Options, jittered, load_demo, recognize, step_scene
from planarcontact.contact_states.geometry import local_poses
from planarcontact.contact_states.kernel import _tables, compiled_labels
from planarcontact.contact_states.kernel_gaps import BLOCK, block_gaps, new_scratch, place_block
from planarcontact.contact_states.rules import apply_rules

SMALL, LARGE = 7_680, 1_000_000


@numba.njit(error_model="numpy")
def fused(local, t, w):  # type: ignore[no-untyped-def]
    """All gaps of every pose, summed: what the arithmetic costs when nothing is handed out."""
    corners, faces, face_links, edges, edge_links, _, point_edges, radius, disk_environment = t
    turn, centres, box, tangents, on_edges, on_faces, disk, heights, gaps, square, depth = w
    total = 0.0
    for first in range(0, len(local), BLOCK):
        size = min(BLOCK, len(local) - first)
        place_block(first, size, local, corners, faces, face_links, edges, turn, centres, box, tangents, on_edges, on_faces, disk)
        block_gaps(
            size, faces, face_links, edges, edge_links, point_edges, radius, disk_environment, centres, box, on_edges, on_faces, disk, heights,
            gaps, square, depth,
        )  # fmt: skip
        for k in range(len(gaps)):
            for i in range(size):
                total += gaps[k, i]
    return total


def median(call: Callable[[], object], repeats: int) -> dict[str, float]:
    """Median wall-clock and processor time of a call, ms, after one call to warm up, and the number of repeats."""
    call()
    wall, processor = [], []
    for _ in range(repeats):
        clock, thread = time.perf_counter(), time.thread_time()
        call()
        wall.append(time.perf_counter() - clock)
        processor.append(time.thread_time() - thread)
    wall_ms, processor_ms = (round(1e3 * float(np.median(times)), 3) for times in (wall, processor))
    return {"wall_ms": wall_ms, "processor_ms": processor_ms, "repeats": repeats}


def main() -> None:
    """Measure and write."""
    scene = step_scene()
    table, _ = _tables(scene, Options())
    scratch = new_scratch(table, 40)
    demo = load_demo().poses
    found: dict[str, object] = {
        "machine": machine(),
        "document_ms_for_7680": 22.0,
        "budget_ms": {"7680": 3.0, "1000000": 1000.0},
    }
    for count, repeats in ((SMALL, 100), (LARGE, 5)):
        poses = np.ascontiguousarray(np.tile(demo, (count // len(demo) + 1, 1))[:count])
        moved = jittered(demo, count, 1e-3, arm=0.0625, seed=1)
        local = local_poses(poses, scene, 1e-3)
        found[str(count)] = {
            "recognize, demo": median(lambda: recognize(poses, scene), repeats),
            "recognize, demo, recommended": median(lambda: recognize(poses, scene, RECOMMENDED), repeats),
            "recognize, jittered demo": median(lambda: recognize(moved, scene), repeats),
            "check and copy of the poses": median(lambda: local_poses(poses, scene, 1e-3), repeats),
            "kernel alone": median(lambda: compiled_labels(local, scene, Options()), repeats),
            "floor: all gaps, one sum": median(lambda: fused(local, table, scratch), repeats),
            "floor: write 40 float64 a pose": median(lambda: np.empty((count, 40)).fill(1.0), repeats),
        }
    poses = np.ascontiguousarray(np.tile(demo, (5, 1))[:SMALL])
    found["readable rules, 7680"] = median(lambda: apply_rules(poses, scene, Options()), 5)
    found["machine"]["load at the end"] = machine()["load"]  # type: ignore[index]
    write("contact_states_speed", found)


if __name__ == "__main__":
    main()
