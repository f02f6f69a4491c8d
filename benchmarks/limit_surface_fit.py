"""Times of one fit on one core, per kind, loss and path; writes results/limit_surface_fit.json.

The data are those of the document's simulations: three random supports or a ring, 7 to 45 loads, with and without noise.
"""

import time

from _record import machine, write  # first: it sets the number of threads
import numpy as np
from planarcontact.limit_surface import SupportPoints, Weights, fit

#: Solver, its name in the results, problems, repeats. "direct" is Clarabel without cvxpy, "compiled" the central path alone.
PATHS = (("COMPILED", "compiled", 48, 9), ("CLARABEL", "direct", 48, 9), ("CVXPY", "cvxpy", 8, 3))


def data(seed: int, count: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Loads and twists of three random supports (odd seeds) or of a ring (even seeds), with noise on both."""
    rng = np.random.default_rng(seed)
    angle, share = (rng.uniform(0, 2 * np.pi, 3), rng.dirichlet(np.ones(3))) if seed % 2 else (np.arange(360) * np.pi / 180, np.full(360, 1 / 360))
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    twists = rng.normal(size=(3 * count, 3))
    loads = SupportPoints(points - share @ points, share, 1.0).load(twists)
    twists = twists / np.linalg.norm(twists, axis=1, keepdims=True) + noise * rng.normal(size=loads.shape)
    loads = loads + noise * rng.normal(size=loads.shape)
    keep = np.flatnonzero(np.sum(loads * twists, axis=1) > 0)[:count]
    return loads[keep], twists[keep]


def measure(kind: str, objective: str, solver: str, problems: int, repeats: int) -> dict[str, float]:
    """Median and 95th percentile over problems of the median over repeats [ms]; the repeats go round the problems.

    `median_ms` and `p95_ms` are processor time of this process, `wall_median_ms` and `wall_p95_ms` the clock's.
    """
    weights = None if kind == "gp" else Weights(force=4.0 if objective == "released" else 1.0)
    sets = [data(k, [7, 15, 22, 45][k % 4], 0.1 * (k % 8 > 3)) for k in range(problems)]
    fit(*sets[0], kind=kind, objective=objective, weights=weights, solver=solver)
    times = np.zeros((2, repeats, problems))
    for r in range(repeats):
        for k, (loads, twists) in enumerate(sets):
            start = time.process_time(), time.perf_counter()
            fit(loads, twists, kind=kind, objective=objective, weights=weights, solver=solver)
            times[:, r, k] = time.process_time() - start[0], time.perf_counter() - start[1]
    own, wall = 1e3 * np.median(times, axis=1)
    out = {"median_ms": np.median(own), "p95_ms": np.percentile(own, 95)}
    out |= {"wall_median_ms": np.median(wall), "wall_p95_ms": np.percentile(wall, 95)}
    return {name: float(value) for name, value in out.items()} | {"fits": repeats * problems}


def main() -> None:
    rows = []
    for kind in ("poly4-cvx", "poly4", "quad"):
        for objective in ("printed", "released"):
            for solver, path, problems, repeats in PATHS:
                rows.append({"kind": kind, "objective": objective, "path": path})
                rows[-1] |= measure(kind, objective, solver, problems, repeats)
    rows.append({"kind": "gp", "objective": "none", "path": "scikit-learn"} | measure("gp", "printed", "CLARABEL", 8, 3))
    import clarabel
    import cvxpy

    versions = {"numpy": np.__version__, "clarabel": clarabel.__version__, "cvxpy": cvxpy.__version__}
    write("limit_surface_fit", {"machine": machine(), "versions": versions, "rows": rows})


if __name__ == "__main__":
    main()
