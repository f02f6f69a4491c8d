"""Time of the identification study, all conditions, trials, methods and both objectives, on one core; writes results/limit_surface_study.json."""

import tempfile
import time

from _record import machine, write  # first: it sets the number of threads
from planarcontact.limit_surface.protocol import CONDITIONS
from planarcontact.limit_surface.study import METHODS, run_study


def main() -> None:
    rows = []
    for name, condition in CONDITIONS.items():
        own, wall = time.process_time(), time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            found = run_study(folder, [name])
        rows.append({"condition": name, "figure": condition.figure, "trials": condition.trials, "fits": len({(r["trial [-]"], r["training pairs [-]"]) for r in found}) * len(METHODS)})
        rows[-1] |= {"processor_s": round(time.process_time() - own, 1), "wall_s": round(time.perf_counter() - wall, 1)}
    write("limit_surface_study", {"machine": machine(), "rows": rows})


if __name__ == "__main__":
    main()
