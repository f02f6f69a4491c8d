"""Catalog, labels, runs and transitions as CSV, JSON and npz."""

import csv
import json
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..files import replacing
from ..validation import boolean, finite_array
from .catalog import catalog
from .checks import file_path, instance_of
from .formations import decode, formation_label
from .labels import Labels
from .scene import Scene
from .segments import Segments, segment

__all__ = ["export_catalog", "export_labels", "export_segments"]


def export_catalog(scene: Scene, path: "str | PathLike[str]") -> None:
    """Write the catalog: index, name, feature, other, dimension.

    Args:
        scene: the scene.
        path: file name ending in .csv, .json or .npz.

    Raises:
        InputError: no scene, or another ending.
        DataError: the file cannot be written.
    """
    entries = catalog(scene)
    fields = ("index", "name", "feature", "other", "dimension")
    _write(path, {field: [getattr(entry, field) for entry in entries] for field in fields})


def export_labels(labels: Labels, path: "str | PathLike[str]", *, time: ArrayLike | None = None) -> None:
    """Write one row per pose: time, formation code and text, ambiguous, ties; and the templates that are on.

    In .npz and .json the arrays `on`, `in_band` and `gap [m]` (N, T) are included, in .csv the names of what is on.

    Args:
        labels: from `recognize`.
        path: file name ending in .csv, .json or .npz.
        time: (N,), s; the pose's number if left out.

    Raises:
        InputError: no labels, another ending, or times that are not one per pose.
        DataError: the file cannot be written.
    """
    rows: dict[str, Any] = _time(time, len(instance_of("labels", labels, Labels, "use recognize()")))
    rows["formation"] = labels.formation.tolist()
    text = {code: formation_label(decode(code, labels.scene), labels.scene) for code in set(rows["formation"])}
    rows["contacts"] = [text[code] for code in rows["formation"]]
    rows["ambiguous"], rows["ties"] = labels.ambiguous.tolist(), labels.ties.tolist()
    arrays = {"on": labels.on, "in_band": labels.in_band, "gap [m]": labels.gap}
    _write(path, rows, arrays)


def export_segments(
    source: "Labels | Segments", path: "str | PathLike[str]", *, time: ArrayLike | None = None, transitions: bool = False
) -> None:
    """Write the runs of one formation, or how often each formation follows another.

    Args:
        source: `Segments`, or `Labels` to be divided without hysteresis.
        path: file name ending in .csv, .json or .npz.
        time: (N,), s, of the frames; their numbers if left out.
        transitions: True to write the transitions instead of the runs.

    Raises:
        InputError: no labels or segments, another ending, or times that are not one per frame.
        DataError: the file cannot be written.
    """
    runs = segment(source) if isinstance(source, Labels) else instance_of("source", source, Segments, "use recognize() or segment()")
    if boolean("transitions", transitions):
        changes = runs.transitions()
        named = [[formation_label(decode(code, runs.scene), runs.scene) for code in change[:2]] for change in changes]
        _write(path, {
            "formation": [c[0] for c in changes], "next": [c[1] for c in changes], "count": [c[2] for c in changes],
            "contacts": [n[0] for n in named], "next contacts": [n[1] for n in named],
        })  # fmt: skip
        return
    name, values = next(iter(_time(time, len(runs.frame_formation)).items()))
    _write(path, {
        "start": runs.start.tolist(), "stop": runs.stop.tolist(), f"first {name}": [values[i] for i in runs.start],
        f"last {name}": [values[i - 1] for i in runs.stop], "formation": runs.formation.tolist(),
        "contacts": [runs.label(k) for k in range(len(runs))],
    })  # fmt: skip


def _time(time: ArrayLike | None, count: int) -> dict[str, list[float]]:
    if time is None:
        return {"frame": list(range(count))}
    return {"time [s]": finite_array("time", time, (count,)).tolist()}


def _write(path: "str | PathLike[str]", columns: dict[str, list], arrays: dict[str, NDArray] | None = None) -> None:
    file, arrays = file_path("path", path), arrays or {}
    if file.suffix not in (".csv", ".json", ".npz"):
        raise InputError("path", str(file), "has no known ending", "use .csv, .json or .npz")
    with replacing(file) as partial:
        _write_file(partial, columns, arrays)


def _write_file(file: Path, columns: dict[str, list], arrays: dict[str, NDArray]) -> None:
    if file.suffix == ".csv":
        with file.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(zip(*columns.values()))
    elif file.suffix == ".json":
        file.write_text(json.dumps(columns | {k: v.tolist() for k, v in arrays.items()}, indent=1) + "\n", encoding="utf-8")
    else:
        np.savez_compressed(file, **{k: np.array(v) for k, v in columns.items()}, **arrays)
