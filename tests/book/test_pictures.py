"""The look of every figure: redrawn from its committed numbers and compared with its reference picture."""

import importlib
from pathlib import Path

import matplotlib
import pytest
from matplotlib.figure import Figure

from planarcontact import figures

BOOK = Path(__file__).resolve().parents[2] / "book"


def _all_drawings() -> list[str]:
    for path in sorted((BOOK / "plots").glob("*.py")):
        if path.stem != "__init__":
            importlib.import_module(f"plots.{path.stem}")
    return sorted(name for name, draw in figures.drawings().items() if draw.__module__.startswith("plots."))


@pytest.mark.ci
@pytest.mark.parametrize("name", _all_drawings())
@pytest.mark.mpl_image_compare(
    baseline_dir="../pictures", tolerance=0.3, style="default", backend="agg", savefig_kwargs={"dpi": 72}
)
def test_picture(name: str) -> Figure:
    with matplotlib.rc_context(figures.STYLE):
        return figures.render(name, figures.read_columns(BOOK / "_static" / "data" / f"{name}.csv"))
