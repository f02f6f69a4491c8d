"""Tables I and II of document 3: which two-point pushes does a model fitted to pokes call stable?"""

import csv
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from ..errors import DataError, InputError
from ..files import replacing
from ..validation import nonnegative, one_of
from .checks import collection, instance_of, seed_number, whole_number
from .friction_cone import friction_cone, in_cone
from .identification import fit
from .inverse import InversionStatus
from .model import LimitSurfaceModel
from .objectives import SIMULATION_GRID
from .protocol import SEED
from .robot_data import Pokes, load_pokes
from .study import authors_units
from .two_point_data import ACTION_SETS, TwoPointPushes, load_two_point_pushes

__all__ = [
    "PAPER_SETS",
    "Predictions",
    "Scores",
    "judge",
    "mean_scores",
    "read_predictions",
    "scores",
    "table_predictions",
    "write_predictions",
]

Array = NDArray[np.float64]

#: The three sets of twenty pushes of Tables I and II.
PAPER_SETS: tuple[str, ...] = ("30_90-a", "10_90", "patch")
#: (name of the set, number of training pokes, kind) -> (splits, 20) predictions.
Predictions = dict[tuple[str, int, str], NDArray[np.bool_]]
_HEAD = ("objective [-]", "set [-]", "training pokes [-]", "kind [-]", "split [-]", "predicted stable [-]")
_MU = 0.95  # friction between pusher and object, as in the authors' code; the document says one


@dataclass(frozen=True)
class Scores:
    """How well predictions agree with labels, in per cent; nan where a share of nothing is asked for.

    Attributes:
        accuracy: share of the pushes that are labelled as predicted.
        recall: share of the stable pushes that are predicted stable.
        precision: share of the pushes predicted stable that are stable.
    """

    accuracy: float
    recall: float
    precision: float


def scores(predicted: NDArray[np.bool_], labels: NDArray[np.bool_]) -> Scores:
    """Compare predictions with labels.

    Args:
        predicted: (N,) predictions.
        labels: (N,) labels.

    Returns:
        The scores [%].

    Raises:
        InputError: one of them is no array of truth values, or the lengths differ.
    """
    predicted, labels = _truths("predicted", predicted), _truths("labels", labels)
    if len(predicted) != len(labels) or not len(labels):
        raise InputError("predicted", len(predicted), f"predictions for {len(labels)} labels")
    hits = int((predicted & labels).sum())
    called, stable = int(predicted.sum()), int(labels.sum())
    return Scores(
        100.0 * float((predicted == labels).mean()),
        100.0 * hits / stable if stable else float("nan"),
        100.0 * hits / called if called else float("nan"),
    )


def judge(model: LimitSurfaceModel, pushes: TwoPointPushes, *, mu: float = _MU) -> NDArray[np.bool_]:
    """Predict which pushes are stable.

    A model without convexity may have no load for a twist, or several; it is inverted all the same, as the document
    does, and a push whose load is not found counts as unstable.

    Args:
        model: a fitted model.
        pushes: the pushes.
        mu: coefficient of friction at the fingers.

    Returns:
        (N,) True where the load of the commanded twist lies in the friction cone.

    Raises:
        InputError: the model or the pushes are none, or mu is negative.
    """
    instance_of("model", model, LimitSurfaceModel, "pass what `fit` returns")
    instance_of("pushes", pushes, TwoPointPushes, "pass what `load_two_point_pushes` returns")
    mu = nonnegative("mu", mu)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        inverse = model.invert(pushes.twists, uncertified=True)
    found = (inverse.status != InversionStatus.CAPPED) & np.isfinite(inverse.load).all(axis=1)
    scale = np.array([1.0, 1.0, model.length])
    out = np.zeros(len(found), dtype=np.bool_)
    for k in np.flatnonzero(found):
        edges = friction_cone(pushes.contacts[k], pushes.normals[k], mu) / scale
        out[k] = in_cone(edges, inverse.load[k : k + 1] / scale)[0]
    return out


def table_predictions(
    objective: str,
    *,
    splits: int = 25,
    amounts: Sequence[int] = (10, 20, 30),
    kinds: Sequence[str] = ("poly4-cvx", "poly4", "quad"),
    seed: int = SEED,
    mu: float = _MU,
) -> Predictions:
    """Predict the sixty pushes from random splits of the fifty pokes on wood: ten choose the weights, n of forty train.

    Args:
        objective: "printed" or "released".
        splits: number of random splits.
        amounts: numbers of pokes that train.
        kinds: kinds of model.
        seed: seed of the splits.
        mu: coefficient of friction at the fingers.

    Returns:
        (name of the set, amount, kind) to (splits, 20) predictions.

    Raises:
        InputError: an unknown objective or kind, or a number that is none.
        DataError: the robot data cannot be fetched.
    """
    one_of("objective", objective, ("printed", "released"))
    splits, seed, mu = whole_number("splits", splits, 1, 10**6), seed_number(seed), nonnegative("mu", mu)
    amounts = [whole_number("amounts", amount, 1, 40) for amount in collection("amounts", amounts)]
    kinds = [one_of("kinds", kind, ("poly4-cvx", "poly4", "quad")) for kind in collection("kinds", kinds)]
    out: Predictions = {}
    for index, name in enumerate(PAPER_SETS):
        pushes = load_two_point_pushes(name, progress=False)
        pokes = load_pokes("wood", ACTION_SETS[name][1], progress=False)
        orders = [np.random.default_rng((seed, index, k)).permutation(len(pokes)) for k in range(splits)]
        for amount in amounts:
            for kind in kinds:
                models = (_fitted(pokes, order, amount, kind, objective) for order in orders)
                out[name, amount, kind] = np.array([judge(model, pushes, mu=mu) for model in models])
    return out


def write_predictions(path: str | Path, predictions: dict[str, Predictions]) -> None:
    """Write predictions, by objective, as a CSV table: one row per model, twenty digits 0 or 1; replaced as a whole."""
    with replacing(path) as partial, partial.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_HEAD)
        for objective, found in predictions.items():
            for (name, amount, kind), rows in found.items():
                for split, row in enumerate(rows):
                    writer.writerow((objective, name, amount, kind, split, "".join(str(int(p)) for p in row)))


def read_predictions(path: str | Path) -> dict[str, Predictions]:
    """Read predictions that `write_predictions` wrote, by objective.

    Raises:
        DataError: the table is missing or damaged.
    """
    out: dict[str, dict[tuple[str, int, str], list[list[bool]]]] = {}
    try:
        with Path(path).open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                objective, name, amount, kind, _, bits = (row[c] for c in _HEAD)
                key = name, int(amount), kind
                out.setdefault(objective, {}).setdefault(key, []).append([b == "1" for b in bits])
        return {o: {k: np.array(v, dtype=np.bool_) for k, v in found.items()} for o, found in out.items()}
    except (OSError, KeyError, ValueError) as error:
        raise DataError(f"{path} is not a table of predictions: {error}") from error


def mean_scores(
    predictions: Predictions, labels: dict[str, NDArray[np.bool_]], amount: int, kind: str
) -> dict[str, tuple[float, float]]:
    """Average the scores over sets and splits, as the document's tables do.

    Args:
        predictions: what `table_predictions` returns.
        labels: name of the set to (20,) labels.
        amount: number of pokes that train.
        kind: kind of model.

    Returns:
        "accuracy", "recall" and "precision" to mean and half width of the 95 % interval (Student's t) [%]; models that
        call nothing stable have no precision and are left out of its mean.
    """
    found = [scores(p, labels[name]) for (name, n, k), rows in predictions.items() if (n, k) == (amount, kind) for p in rows]
    out = {}
    for score in ("accuracy", "recall", "precision"):
        values = np.array([getattr(s, score) for s in found])
        values = values[np.isfinite(values)]
        out[score] = float(values.mean()), float(student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))
    return out


def _fitted(pokes: Pokes, order: NDArray[np.int64], amount: int, kind: str, objective: str) -> LimitSurfaceModel:
    check, train = order[:10], order[10 : 10 + amount]
    primed = pokes.loads[train] / [1.0, 1.0, pokes.length]
    model = fit(
        pokes.loads[train],
        pokes.twists[train],
        kind=kind,
        objective=objective,
        length=pokes.length,
        weights=authors_units(SIMULATION_GRID, primed, kind, objective),
        validation=(pokes.loads[check], pokes.twists[check]),
    )
    assert isinstance(model, LimitSurfaceModel)
    return model


def _truths(name: str, value: NDArray[np.bool_]) -> NDArray[np.bool_]:
    if not isinstance(value, np.ndarray) or value.ndim != 1 or value.dtype != np.bool_:
        raise InputError(name, value, "is not a one-dimensional array of truth values")
    return value
