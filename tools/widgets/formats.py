"""The form of the widgets' data files; see README.md beside this file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from planarcontact.contact_states.viewer_code import encode_stream

FOLDER = Path(__file__).resolve().parents[2] / "book" / "_static" / "widgets" / "data"
COLOURS = ("a", "b", "c", "d", "grey")


def stream(values: ArrayLike, unit: float) -> str:
    """Real numbers as text, rounded to multiples of `unit`."""
    return encode_stream(np.rint(np.asarray(values, dtype=float) / unit).astype(np.int64))


def triples(points: ArrayLike, unit: float) -> list[str]:
    """Points (N, 3) as three streams."""
    return [stream(column, unit) for column in np.asarray(points, dtype=float).reshape(-1, 3).T]


def surface(name: str, grid: ArrayLike, *, unit: float, colour: str = "a", opacity: float = 0.35, shown: bool = True) -> dict[str, Any]:
    """A surface layer from a grid (rows, columns, 3) of its points."""
    points = np.asarray(grid, dtype=float)
    rows, columns, _ = points.shape
    return {
        "type": "surface", "name": name, "colour": _colour(colour), "opacity": opacity, "shown": shown, "rows": rows,
        "columns": columns, "points": triples(points, unit),
    }  # fmt: skip


def polygons(
    name: str, rings: Sequence[ArrayLike], *, unit: float, colour: str = "d", opacity: float = 0.55, shown: bool = True
) -> dict[str, Any]:
    """A layer of flat polygons, each (n, 3)."""
    points = [np.asarray(ring, dtype=float) for ring in rings]
    return {
        "type": "polygons", "name": name, "colour": _colour(colour), "opacity": opacity, "shown": shown,
        "sizes": [len(p) for p in points], "points": triples(np.concatenate(points), unit),
    }  # fmt: skip


def points(
    name: str, places: ArrayLike, *, unit: float, item: str, notes: Sequence[str], arrows: Sequence[tuple[str, str, ArrayLike]] = (),
    colour: str = "b", shown: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """A layer of data points (N, 3), one note each, with arrows (name, colour, unit vectors (N, 3)) at them."""
    count = len(np.asarray(places))
    if len(notes) != count or any(np.asarray(a[2]).shape != (count, 3) for a in arrows):
        raise ValueError(f"{name}: {count} points need as many notes and arrows")
    return {
        "type": "points", "name": name, "colour": _colour(colour), "shown": shown, "item": item, "notes": list(notes),
        "points": triples(places, unit),
        "arrows": [{"name": n, "colour": _colour(c), "points": triples(ends, unit)} for n, c, ends in arrows],
    }  # fmt: skip


def limit_surface(title: str, axes: Sequence[tuple[str, str]], layers: Sequence[dict[str, Any]], *, unit: float) -> dict[str, Any]:
    """The data of the limit-surface widget: three axes (name, unit) and layers, all in the same `unit`."""
    return {
        "kind": "limit-surface", "title": title, "unit": unit,
        "axes": [{"name": name, "unit": symbol} for name, symbol in axes], "layers": list(layers),
    }  # fmt: skip


def write(name: str, data: dict[str, Any], folder: Path = FOLDER) -> Path:
    """Write a data file; the same data give the same bytes."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    path = folder / f"{name}.js"
    path.write_text(f'(window.planarcontactData ||= {{}})["{name}"]={text};\n', encoding="utf-8", newline="\n")
    return path


def read(name: str, folder: Path = FOLDER) -> dict[str, Any]:
    """Read a data file back."""
    text = (folder / f"{name}.js").read_text("utf-8")
    return json.loads(text.split("=", 2)[2].rstrip().rstrip(";"))


def _colour(name: str) -> str:
    if name not in COLOURS:
        raise ValueError(f"{name!r} is none of the widgets' colours {COLOURS}")
    return name
