"""Run the identification studies of document 3 (Figs. 2 and 4, Tables I and II) and write the tables that the pages draw.

    python tools/study.py                       all conditions with the committed seed; interrupt and resume freely
    python tools/study.py --seeds 20            the reproduced figures with 20 other seeds, one count per seed
    python tools/study.py --dask ADDRESS        on a Dask cluster
"""

import argparse
import contextlib
import csv
import sys
from collections.abc import Iterator
from pathlib import Path

import joblib

from planarcontact.errors import PlanarContactError
from planarcontact.limit_surface.protocol import CONDITIONS, SEED
from planarcontact.limit_surface.study import METHODS, PaperCell, paper_cells, run_study, summary, write_table
from planarcontact.limit_surface.two_point_study import table_predictions, write_predictions

ROOT = Path(__file__).resolve().parent.parent
TRIALS = ROOT / "book" / "_static" / "data" / "ls-study-trials.csv"
SEEDS = ROOT / "book" / "_static" / "data" / "ls-study-seeds.csv"
CELLS = ROOT / "book" / "_static" / "data" / "ls-study-seed-cells.csv"
PUSHES = ROOT / "book" / "_static" / "data" / "ls-study-pushes.csv"
KEPT = ROOT / "_build" / "study"
REPRODUCED = [name for name, condition in CONDITIONS.items() if condition.figure]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the result is the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=1, help="parallel jobs on this machine (default 1)")
    parser.add_argument("--dask", metavar="ADDRESS", help="scheduler of a Dask cluster to run on")
    parser.add_argument("--seeds", type=int, default=0, metavar="N", help="instead: repeat the figures with N other seeds")
    parser.add_argument("--keep", type=Path, default=KEPT, help="folder of the trials (default _build/study)")
    options = parser.parse_args(arguments)
    try:
        with _cluster(options.dask):
            if options.seeds:
                _repeat(options)
            else:
                rows = run_study(options.keep, list(CONDITIONS), jobs=options.jobs)
                write_table(TRIALS, rows)
                print(f"{len(rows)} rows -> {TRIALS.relative_to(ROOT)}")
                write_predictions(PUSHES, {o: table_predictions(o) for o in ("printed", "released")})
                print(f"predicted pushes -> {PUSHES.relative_to(ROOT)}")
    except PlanarContactError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted: finished trials are kept, and the same command goes on from there", file=sys.stderr)
        return 130
    return 0


def _repeat(options: argparse.Namespace) -> None:
    """Count with each other seed how many of the document's bars agree within the joint interval."""
    table, scores = [], {}
    for seed in range(SEED + 1, SEED + 1 + options.seeds):
        rows = run_study(options.keep, REPRODUCED, seed=seed, jobs=options.jobs)
        for objective in ("printed", "released"):
            table.append((seed, objective, *(agreeing(rows, objective, figure) for figure in ("2", "4"))))
            for cell in paper_cells():
                scores.setdefault((cell.figure, cell.kind, cell.amount, objective), []).append(score(rows, objective, cell))
    _write(SEEDS, ["seed [-]", "objective [-]", "agreeing in Fig. 2 of 64 [-]", "agreeing in Fig. 4 of 64 [-]"], table)
    lines = [(*key, f"{sum(z) / len(z):.3f}", f"{min(z):.3f}", f"{max(z):.3f}") for key, z in scores.items()]
    _write(CELLS, ["panel [-]", "method [-]", "training pairs [-]", "objective [-]", "mean z [-]", "least z [-]", "largest z [-]"], lines)
    print(f"{options.seeds} seeds -> {SEEDS.relative_to(ROOT)}, {CELLS.relative_to(ROOT)}")


def _write(path: Path, columns: list[str], lines: list[tuple]) -> None:
    partial = path.with_name(path.name + ".partial")
    with partial.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(lines)
    partial.replace(path)


def agreeing(rows: list[dict], objective: str, figure: str) -> int:
    """Number of bars of Fig. 2 or 4 whose mean agrees with ours within the joint 95 % interval."""
    return sum(abs(score(rows, objective, cell)) <= 1 for cell in paper_cells() if cell.figure.startswith(figure))


def score(rows: list[dict], objective: str, cell: PaperCell) -> float:
    """Our mean less the document's, in half widths of the joint 95 % interval."""
    method = ("gp", "") if cell.kind == "gp" else (cell.kind, objective)
    assert method in METHODS
    mean, half, _ = summary(rows, cell.condition, cell.test, cell.amount, method)
    return (mean - cell.mean) / (half**2 + cell.half**2) ** 0.5


@contextlib.contextmanager
def _cluster(address: str | None) -> Iterator[None]:
    if address is None:
        yield
        return
    from distributed import Client

    with Client(address), joblib.parallel_config(backend="dask"):
        yield


if __name__ == "__main__":
    sys.exit(main())
