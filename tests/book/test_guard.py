"""The guard is proven: in a scratch clone CI's own command fails for each kind of damage, and passes without any."""

import json
import re
import sys
from pathlib import Path

import pytest
from scratch import check_in, run_in, status

pytestmark = pytest.mark.ci
CHAPTER = "notation"  # a light chapter that draws figures from the library's numbers
TESTS = ("tests/book/test_notebooks.py", "tests/book/test_pictures.py", f"book/{CHAPTER}.ipynb")
SELECTION = f"-k '{CHAPTER} or not-'"


def _refresh_digest(clone: Path) -> None:
    """Make the committed notebook claim that it is of this tree, so that only its numbers can tell."""
    code = f"import sys; sys.path.insert(0, 'tools'); import notebooks; print(notebooks.digest({CHAPTER!r}))"
    digest = run_in(clone, sys.executable, "-c", code).stdout.strip()
    path = clone / "book" / f"{CHAPTER}.ipynb"
    path.write_text(re.sub(r'("digest": ")\w+', rf"\g<1>{digest}", path.read_text("utf-8")), "utf-8")


def _failed(output: str) -> list[str]:
    return re.findall(r"^FAILED (\S+)", output, re.M)


def test_untouched_clone_passes(clone: Path) -> None:
    run = check_in(clone, *TESTS, selection=SELECTION)
    assert run.returncode == 0, run.stdout + run.stderr
    assert int(re.search(r"(\d+) passed", run.stdout)[1]) > 10  # type: ignore[index]
    assert status(clone) == ""


def test_library_constant_changed_by_one_percent_fails(clone: Path) -> None:
    path = clone / "lib" / "planarcontact" / "dynamics" / "scenes.py"
    text = path.read_text("utf-8")
    changed = re.sub(r"\bmu=0\.22\b", "mu=0.2222", text)
    assert changed != text
    path.write_text(changed, "utf-8")
    _refresh_digest(clone)
    run = check_in(clone, *TESTS, selection=SELECTION)
    assert run.returncode != 0
    assert any(f"{CHAPTER}.ipynb" in name for name in _failed(run.stdout)), run.stdout


def test_plotted_datum_changed_by_one_percent_fails(clone: Path) -> None:
    path = clone / "book" / f"{CHAPTER}.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    (cell,) = [c for c in notebook["cells"] if "".join(c["source"]).startswith('show("not-friction-ellipse"')]
    cell["source"] = 'ellipse["p_o [N s]"][17] *= 1.01\n' + "".join(cell["source"])
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False), "utf-8")
    run = check_in(clone, f"book/{CHAPTER}.ipynb")
    assert run.returncode != 0 and "differs: column 'p_o [N s]' row 17" in run.stdout, run.stdout


def test_baseline_datum_changed_by_one_percent_fails(clone: Path) -> None:
    path = clone / "book" / "_static" / "data" / "not-friction-ellipse.csv"
    lines = path.read_text("utf-8").split("\n")
    cells = lines[18].split(",")
    lines[18] = ",".join([f"{float(cells[0]) * 1.01:.12g}", *cells[1:]])
    path.write_text("\n".join(lines), "utf-8")
    run = check_in(clone, f"book/{CHAPTER}.ipynb")
    assert run.returncode != 0 and "row 17" in run.stdout, run.stdout


def test_changed_label_in_a_picture_fails(clone: Path) -> None:
    path = clone / "book" / "plots" / f"{CHAPTER}.py"
    path.write_text(path.read_text("utf-8").replace('"world z [m]"', '"world y [m]"'), "utf-8")
    _refresh_digest(clone)
    run = check_in(clone, *TESTS, selection=SELECTION)
    assert run.returncode != 0
    assert any("not-contact-frame" in name for name in _failed(run.stdout)), run.stdout


def test_stale_notebook_fails(clone: Path) -> None:
    path = clone / "book" / "src" / f"{CHAPTER}.md"
    path.write_text(path.read_text("utf-8").replace("All quantities", "Nearly all quantities"), "utf-8")
    run = check_in(clone, "tests/book/test_notebooks.py", selection=SELECTION)
    assert run.returncode != 0
    assert any("is_of_this_tree" in name for name in _failed(run.stdout)), run.stdout
