"""Figures and tables of the book: drawn from plain columns, compared with a committed CSV baseline.

A picture alone is a poor witness: a notebook test that skips images misses a wrong curve, and one that compares
pixels fails on another font. So `show` compares the *numbers* with a committed file by tolerance, draws from them,
and prints one line of text that a notebook test compares exactly.
"""

import csv
import hashlib
import html
import io
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InputError
from .files import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["STYLE", "baseline_folder", "drawing", "drawings", "read_columns", "render", "show", "table", "write_columns"]

Columns = dict[str, NDArray[Any]]
Tolerance = tuple[float, float, str]

RTOL = 1e-6  # relative to the entry
ATOL = 1e-9  # relative to the largest entry of the column

STYLE: dict[str, Any] = {
    "figure.figsize": (7.0, 3.6),
    "figure.dpi": 110,
    "figure.facecolor": "white",
    "figure.constrained_layout.use": True,
    "savefig.dpi": 110,
    "font.size": 9.5,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.4,
    "legend.frameon": False,
    "axes.prop_cycle": "cycler('color', ['#0b5fa5', '#c8501e', '#2a7f4f', '#7b4ea3', '#8a6d00', '#5b5b5b'])",
    "svg.hashsalt": "planarcontact",
}

_DRAWINGS: dict[str, Callable[[Columns], "Figure"]] = {}


def drawing(name: str) -> Callable[[Callable[[Columns], "Figure"]], Callable[[Columns], "Figure"]]:
    """Register the decorated function, ``data -> Figure``, as the drawing called `name`.

    Raises:
        InputError: If another function already has that name.
    """

    def register(function: Callable[[Columns], "Figure"]) -> Callable[[Columns], "Figure"]:
        other = _DRAWINGS.get(name)
        if other is not None and (other.__module__, other.__qualname__) != (function.__module__, function.__qualname__):
            raise InputError("name", name, f"is already drawn by {other.__module__}.{other.__qualname__}")
        _DRAWINGS[name] = function
        return function

    return register


def drawings() -> dict[str, Callable[[Columns], "Figure"]]:
    """The registered drawings, by name."""
    return dict(_DRAWINGS)


def baseline_folder() -> Path | None:
    """The folder of the CSV baselines, or None where there is nothing to compare with.

    ``PLANARCONTACT_BASELINES`` names it (``off``: do not compare); the default is ``_static/data`` below the
    current folder, which is the book's folder while a chapter runs.
    """
    named = os.environ.get("PLANARCONTACT_BASELINES", "")
    if named == "off":
        return None
    folder = Path(named) if named else Path("_static/data")
    return folder if folder.is_dir() else None


def render(name: str, data: Mapping[str, ArrayLike]) -> "Figure":
    """Draw the figure `name` from `data` in the book's style; the caller closes it."""
    import matplotlib

    if name not in _DRAWINGS:
        raise InputError("name", name, "has no drawing", "import the module that decorates it with @drawing(name)")
    with matplotlib.rc_context(STYLE):
        return _DRAWINGS[name](_columns(data))


def show(name: str, data: Mapping[str, ArrayLike], *, tolerance: Mapping[str, Tolerance] | None = None) -> "Shown":
    """Compare `data` with the committed baseline of figure `name` and draw it.

    Args:
        name: The figure's name; its drawing is registered with ``drawing(name)``.
        data: Column name (with its unit in brackets) -> one-dimensional array of numbers or str. Columns may
            differ in length.
        tolerance: Column name -> (relative, absolute, reason), where the default (1e-6 of the entry plus 1e-9 of the
            column's largest) does not fit.

    Returns:
        An object that a notebook shows as a picture and as one line of text: name, shape, the baseline's hash, and
        "matches" or what differs most.

    Raises:
        InputError: If a column is not one-dimensional, a tolerance names no column or gives no reason.
    """
    columns = _columns(data)
    for column, (_, _, reason) in (tolerance or {}).items():
        if column not in columns:
            raise InputError("tolerance", column, "is not a column of the data")
        if not reason.strip():
            raise InputError("tolerance", column, "has no reason", "say why the default does not fit")
    folder = baseline_folder()
    shape = f"{name}: {max((len(c) for c in columns.values()), default=0)} rows x {len(columns)} columns"
    if folder is None:
        return Shown(f"{shape}, not compared with a baseline", _png(name, columns))
    path = folder / f"{name}.csv"
    if os.environ.get("UPDATE") == "1":
        old = read_columns(path) if path.is_file() else None
        if old is None or _worst_difference(columns, old, tolerance or {}):
            write_columns(path, columns)
    if not path.is_file():
        return Shown(f"{shape}, no baseline {path.name} (UPDATE=1 writes it)", _png(name, columns))
    baseline = read_columns(path)
    difference = _worst_difference(columns, baseline, tolerance or {})
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    if difference:
        return Shown(f"{shape}, baseline {digest}, differs: {difference}", _png(name, columns))
    # The numbers agree within tolerance, so the picture is drawn from the committed ones: it is then the same
    # picture, to the pixel, on every machine.
    return Shown(f"{shape}, baseline {digest}, matches", _png(name, baseline))


def write_columns(path: str | Path, data: Mapping[str, ArrayLike]) -> None:
    """Write columns to a CSV file with 12 significant digits; shorter columns end in empty cells."""
    columns = _columns(data)
    length = max((len(c) for c in columns.values()), default=0)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    cells = [[_cell(v) for v in c] + [""] * (length - len(c)) for c in columns.values()]
    writer.writerows(zip(*cells))
    with replacing(path) as partial:
        partial.write_text(text.getvalue(), encoding="utf-8", newline="\n")


def read_columns(path: str | Path) -> Columns:
    """Read what `write_columns` wrote: numeric columns as float64, the others as str; trailing empty cells dropped."""
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    columns: Columns = {}
    for index, name in enumerate(header):
        cells = [row[index] for row in rows]
        while cells and cells[-1] == "":
            cells.pop()
        try:
            columns[name] = np.array([float(c) for c in cells], dtype=np.float64)
        except ValueError:
            columns[name] = np.array(cells, dtype=str)
    return columns


@dataclass(frozen=True)
class Shown:
    """A figure as a notebook shows it: a picture, and the line that tests compare."""

    line: str
    png: bytes

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        return {"text/plain": self.line, "image/png": self.png}


def table(rows: Sequence[Sequence[object]], columns: Sequence[str], caption: str = "") -> "Table":
    """A small table for a notebook; the cells are shown as given, so round numbers before; text between backticks is code.

    Raises:
        InputError: If a row has not as many cells as there are columns.
    """
    for number, row in enumerate(rows):
        if len(row) != len(columns):
            raise InputError(f"rows[{number}]", tuple(row), f"has {len(row)} cells where {len(columns)} are needed")
    return Table(tuple(tuple(str(c) for c in row) for row in rows), tuple(columns), caption)


@dataclass(frozen=True)
class Table:
    """Rows of text under column heads, shown by a notebook as HTML and as aligned text."""

    rows: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...]
    caption: str = ""

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": self._html(), "text/plain": self._text()}

    def _text(self) -> str:
        widths = [max(len(r[i]) for r in (self.columns, *self.rows)) for i in range(len(self.columns))]
        lines = ["  ".join(c.ljust(w) for c, w in zip(r, widths)).rstrip() for r in (self.columns, *self.rows)]
        lines.insert(1, "  ".join("-" * w for w in widths))
        return "\n".join(([self.caption] if self.caption else []) + lines)

    def _html(self) -> str:
        head = "".join(f'<th scope="col">{_html_text(c)}</th>' for c in self.columns)
        body = "".join("<tr>" + "".join(_html_cell(c) for c in row) + "</tr>\n" for row in self.rows)
        caption = f"<caption>{_html_text(self.caption)}</caption>" if self.caption else ""
        return (
            f'<div class="pc-table" tabindex="0" role="region" aria-label="{html.escape((self.caption or "table").replace("`", ""))}">'
            f'<table class="table">{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>'
        )


def _html_cell(text: str) -> str:
    for verdict in ("reproduced", "differs", "not checkable"):
        if text.lower().startswith(verdict):
            return f'<td class="pc-{verdict.replace(" ", "-")}">{_html_text(text)}</td>'
    return f"<td>{_html_text(text)}</td>"


def _html_text(text: str) -> str:
    """Escape a text; what stands between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def _columns(data: Mapping[str, ArrayLike]) -> Columns:
    columns: Columns = {}
    for name, values in data.items():
        array = np.asarray(values)
        if array.ndim != 1:
            raise InputError(f"data[{name!r}]", array.shape, "is not one-dimensional")
        columns[name] = array.astype(str) if array.dtype.kind in "OSU" else array.astype(np.float64)
    return columns


def _cell(value: object) -> str:
    return str(value) if isinstance(value, str) else f"{float(value) + 0.0:.12g}"  # type: ignore[arg-type]


def _worst_difference(new: Columns, old: Columns, tolerance: Mapping[str, Tolerance]) -> str:
    """What differs most between two sets of columns, in words; empty where all agree."""
    if list(new) != list(old):
        return f"columns {list(new)} against {list(old)}"
    worst, words = 1.0, ""
    for name, column in new.items():
        base = old[name]
        if len(column) != len(base):
            return f"column {name!r} has {len(column)} entries against {len(base)}"
        if column.dtype.kind != base.dtype.kind:
            if len(base) == 0:
                continue
            return f"column {name!r} holds another kind of value"
        if column.dtype.kind == "U":
            unequal = np.flatnonzero(column != base)
            if len(unequal):
                row = int(unequal[0])
                return f"column {name!r} row {row}: {column[row]!r} against {base[row]!r}"
            continue
        scale = float(np.max(np.abs(base[np.isfinite(base)]), initial=0.0))
        rtol, atol = tolerance[name][:2] if name in tolerance else (RTOL, ATOL * scale)
        with np.errstate(invalid="ignore"):
            gap = np.abs(column - base)
        gap = np.where((column == base) | (np.isnan(column) & np.isnan(base)), 0.0, gap)
        gap = np.where(np.isfinite(gap), gap, np.inf)
        allowed = rtol * np.abs(base) + atol
        ratio = np.where(gap > 0.0, gap / np.maximum(np.where(np.isfinite(allowed), allowed, 0.0), 1e-300), 0.0)
        row = int(np.argmax(ratio)) if len(ratio) else 0
        if len(ratio) and ratio[row] > worst:
            worst = float(ratio[row])
            words = f"column {name!r} row {row}: {column[row]:.9g} against {base[row]:.9g}"
    return words


def _png(name: str, columns: Columns) -> bytes:
    import matplotlib
    import matplotlib.pyplot as plt

    figure = render(name, columns)
    buffer = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(buffer, format="png", metadata={"Software": None})
    plt.close(figure)
    return buffer.getvalue()
