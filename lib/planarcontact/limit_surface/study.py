"""The study behind Figs. 2 and 4 of document 3: every condition, every trial, every method, both objectives."""

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.stats import t as student
from tqdm import tqdm

from ..errors import ConvergenceError, DataError, InputError
from ..files import replacing
from ..validation import boolean, one_of
from .checks import collection, folder_path, seed_number, whole_number
from .identification import fit
from .objectives import WeightGrid
from .protocol import CONDITIONS, SEED, Sample, make_trial

__all__ = ["COLUMNS", "METHODS", "PaperCell", "mean_angle", "paper_cells", "paper_scores", "read_table", "run_study", "run_trial", "summary", "write_table"]

Array = NDArray[np.float64]

#: Methods as columns of the table: kind and objective; a Gaussian process has no objective.
METHODS: tuple[tuple[str, str], ...] = (
    ("poly4-cvx", "printed"),
    ("poly4", "printed"),
    ("quad", "printed"),
    ("poly4-cvx", "released"),
    ("poly4", "released"),
    ("quad", "released"),
    ("gp", ""),
)
#: Columns of the table of trials; errors are mean angles over the test data in degrees.
COLUMNS: tuple[str, ...] = (
    "condition [-]",
    "trial [-]",
    "test [-]",
    "training pairs [-]",
    *(" ".join(method).strip() + " [deg]" for method in METHODS),
)


def authors_units(grid: WeightGrid, loads: Array, kind: str, objective: str) -> WeightGrid:
    """Express weights that belong to loads in newtons as those of a fit, which measures loads by their mean |F'|.

    With x = F / s, coefficients grow by s^d and gradients by s: the ridge is divided by s^d and the velocity's weight
    by s, squared where the loss has squares, so that the loss is the same function of H.
    """
    size = float(np.mean(np.linalg.norm(loads, axis=1)))
    power = 2 if objective == "printed" else 1
    degree = 2 if kind == "quad" else 4
    ridge = tuple(w / size ** (degree * power) for w in grid.ridge)
    return WeightGrid(ridge, grid.force, grid.velocity / size**power, grid.norm)


def run_trial(condition: str, trial: int, *, seed: int = SEED, methods: Sequence[tuple[str, str]] = METHODS) -> list[dict]:
    """Fit and test every method with every amount of training data in one trial.

    Args:
        condition: a key of `CONDITIONS`.
        trial: its number.
        seed: seed of the study.
        methods: pairs of kind and objective, from `METHODS`.

    Returns:
        One row per amount and test: the columns of `COLUMNS`; an error is nan where the fit has no solution, and where the
        noise turned most of the training or validation loads against their motions, data that `fit` refuses.

    Raises:
        InputError: an unknown condition, trial or method.
        DataError: the robot data cannot be fetched.
    """
    entry = CONDITIONS[one_of("condition", condition, tuple(CONDITIONS))]
    methods = _known_methods(methods)
    data = make_trial(condition, trial, seed=seed)
    rows = []
    for amount in entry.amounts:
        train = data.pool.take(np.arange(min(amount, len(data.pool))))
        errors = {name: {} for name in data.tests}
        for kind, objective in methods:
            found = _errors(kind, objective, entry.grid, train, data.validation, data.tests)
            for name, value in found.items():
                errors[name][_column((kind, objective))] = value
        for name, values in errors.items():
            rows.append(dict(zip(COLUMNS[:4], (condition, trial, name, amount))) | values)
    return rows


def _errors(
    kind: str, objective: str, grid: WeightGrid, train: Sample, validation: Sample, tests: dict[str, Sample]
) -> dict[str, float]:
    pair = (validation.loads, validation.twists)
    if _reversed(train) or _reversed(validation):
        return dict.fromkeys(tests, float("nan"))
    try:
        if kind == "gp":
            model = fit(train.loads, train.twists, kind="gp", validation=pair)
        else:
            weights = authors_units(grid, train.loads, kind, objective)
            model = fit(train.loads, train.twists, kind=kind, objective=objective, weights=weights, validation=pair, solver="COMPILED")
    except ConvergenceError:
        return dict.fromkeys(tests, float("nan"))
    return {name: mean_angle(model.twist(test.loads), test.twists) for name, test in tests.items()}


def _reversed(sample: Sample) -> bool:
    """True where most loads point against their motions."""
    return 2 * int(((sample.loads * sample.twists).sum(axis=1) < 0.0).sum()) > len(sample)


def mean_angle(predicted: Array, true: Array) -> float:
    """Mean angle between unit rows [deg]."""
    across = np.linalg.norm(np.cross(predicted, true), axis=1)
    return float(np.degrees(np.arctan2(across, (predicted * true).sum(axis=1)).mean()))


def run_study(
    folder: str | Path,
    conditions: Sequence[str],
    *,
    seed: int = SEED,
    methods: Sequence[tuple[str, str]] = METHODS,
    jobs: int = 1,
    progress: bool = True,
) -> list[dict]:
    """Run all trials of the given conditions; trials that are already in the folder are read, not run.

    One file per trial is written whole or not at all, so the study may be interrupted at any moment and resumed. The
    trials go through joblib: inside `joblib.parallel_config(backend="dask")` they run on a Dask cluster.

    Args:
        folder: where the trials are kept.
        conditions: keys of `CONDITIONS`.
        seed: seed of the study.
        methods: pairs of kind and objective, from `METHODS`.
        jobs: number of parallel jobs.
        progress: show a progress bar.

    Returns:
        The rows of all trials, ordered by condition, trial, amount and test.

    Raises:
        InputError: an unknown condition or method, or an argument that is none.
        DataError: the robot data cannot be fetched, or a kept trial is damaged.
    """
    base, seed, methods = folder_path("folder", folder), seed_number(seed), _known_methods(methods)
    names = [one_of("conditions", name, tuple(CONDITIONS)) for name in collection("conditions", conditions)]
    if not whole_number("jobs", jobs, -1000, 1000):
        raise InputError("jobs", jobs, "run nothing", "use 1, or -1 for all cores")
    todo = [(c, k) for c in names for k in range(CONDITIONS[c].trials)]
    work = (delayed(_kept)(base, c, k, seed, methods) for c, k in todo)
    results = Parallel(n_jobs=jobs, return_as="generator")(work)
    bar = tqdm(results, total=len(todo), desc="trials", disable=not boolean("progress", progress))
    return [row for rows in bar for row in rows]


def _kept(base: Path, condition: str, trial: int, seed: int, methods: tuple[tuple[str, str], ...]) -> list[dict]:
    """Return a trial's rows: kept ones are read, methods that they lack are run and kept with them."""
    path = base / str(seed) / condition / f"{trial:03d}.json"
    rows: list[dict] = []
    if path.is_file():
        try:
            rows = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise DataError(f"{path} is damaged ({error}); delete it and run the study again") from error
    missing = tuple(m for m in methods if not rows or _column(m) not in rows[0])
    if missing:
        found = run_trial(condition, trial, seed=seed, methods=missing)
        rows = [old | new for old, new in zip(rows or found, found)]
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as partial:
            partial.write_text(json.dumps(rows), encoding="utf-8")
    return [{c: row[c] for c in (*COLUMNS[:4], *map(_column, methods))} for row in rows]


def _known_methods(methods: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return pairs out of `METHODS`, or raise `InputError`."""
    pairs = [tuple(collection("methods", pair)) for pair in collection("methods", methods)]
    for pair in pairs:
        if not all(isinstance(word, str) for word in pair) or pair not in METHODS:
            raise InputError("methods", pair, "is not a method of the study", f"use some of {', '.join(map(str, METHODS))}")
    return tuple((kind, objective) for kind, objective in pairs)


def _column(method: tuple[str, str]) -> str:
    return " ".join(method).strip() + " [deg]"


def write_table(path: str | Path, rows: Sequence[dict]) -> None:
    """Write rows as a CSV table with errors to four decimals, nan for methods not run; the file is replaced as a whole."""
    with replacing(path) as partial, partial.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in rows:
            writer.writerow([*(row[c] for c in COLUMNS[:4]), *(f"{row.get(c, float('nan')):.4f}" for c in COLUMNS[4:])])


def read_table(path: str | Path) -> list[dict]:
    """Read a table of trials that `write_table` wrote.

    Raises:
        DataError: the table is missing or has other columns.
    """
    try:
        with Path(path).open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error}") from error
    if not rows or tuple(rows[0]) != COLUMNS:
        raise DataError(f"{path} is not a table of trials")
    counts = COLUMNS[1], COLUMNS[3]
    return [
        {c: (v if c in (COLUMNS[0], COLUMNS[2]) else int(v) if c in counts else float(v)) for c, v in row.items()}
        for row in rows
    ]


def summary(rows: Sequence[dict], condition: str, test: str, amount: int, method: tuple[str, str]) -> tuple[float, float, int]:
    """Mean error and half width of its 95 % confidence interval (Student's t, as in the authors' figures).

    Args:
        rows: rows of the table of trials.
        condition: a key of `CONDITIONS`.
        test: "ideal" or "sensor".
        amount: number of training pairs.
        method: kind and objective, one of `METHODS`.

    Returns:
        Mean [deg], half width [deg], number of trials with a solution.
    """
    column = _column(method)
    key = (condition, test, amount)
    values = np.array([r[column] for r in rows if (r[COLUMNS[0]], r[COLUMNS[2]], r[COLUMNS[3]]) == key])
    values = values[np.isfinite(values)]
    n = len(values)
    if n < 2:
        return float("nan"), float("nan"), n
    return float(values.mean()), float(student.ppf(0.975, n - 1) * values.std(ddof=1) / np.sqrt(n)), n


@dataclass(frozen=True)
class PaperCell:
    """One bar of the document's Figs. 2 and 4, from the authors' saved files.

    Attributes:
        figure: "2a" to "2d", "4a" to "4d".
        condition, test: the same in `CONDITIONS`.
        kind: method.
        amount: number of training pairs.
        mean, half: mean error and half width of its 95 % confidence interval [deg].
        count: number of evaluations.
    """

    figure: str
    condition: str
    test: str
    kind: str
    amount: int
    mean: float
    half: float
    count: int


@cache
def paper_cells() -> tuple[PaperCell, ...]:
    """The 128 bars of the document's Figs. 2 and 4.

    Returns:
        The bars in the order of the figures.
    """
    places = {"2a": "legs-noisy", "2b": "legs-clean", "2c": "ring-noisy", "2d": "ring-clean"}
    places |= {"4a": "wood", "4b": "wood", "4c": "board", "4d": "board"}
    text = (files(__package__) / "data" / "paper_values.csv").read_text(encoding="utf-8")
    cells = []
    for row in csv.DictReader(text.splitlines()):
        figure = row["figure"].removeprefix("Fig. ")
        if figure in places:
            test = "sensor" if figure in ("4a", "4c") else "ideal"
            numbers = float(row["mean"]), float(row["ci95_halfwidth"]), int(row["n_evals"])
            cells.append(PaperCell(figure, places[figure], test, row["method"], int(row["n_train"]), *numbers))
    return tuple(cells)


@cache
def paper_scores() -> dict[tuple[str, str, int], tuple[float, float]]:
    """The document's Tables I and II, and the precision of the authors' saved predictions.

    Returns:
        ("accuracy" | "recall" | "precision", kind, number of training pokes) to mean and half width of the 95 % interval [%].
    """
    names = {"accuracy (%)": "accuracy", "positive recall (%)": "recall", "precision (%)": "precision"}
    text = (files(__package__) / "data" / "paper_values.csv").read_text(encoding="utf-8")
    out = {}
    for row in csv.DictReader(text.splitlines()):
        if row["metric"] in names and row["condition"] != "as printed":
            out[names[row["metric"]], row["method"], int(row["n_train"])] = float(row["mean"]), float(row["ci95_halfwidth"])
    return out
