"""Cases T2 to T17: what breaks in other books. Those that other tests hold are named in CONTRIBUTING's table."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from notebooks import BOOK, chapters, digest, source
from scratch import ROOT, run_in, status

WITHOUT_MATPLOTLIB = """
import sys
sys.modules["matplotlib"] = None            # importing it now fails
from planarcontact import figures
figures._png = lambda name, columns: b""    # the picture is not part of the comparison
folder = figures.baseline_folder()
for path in sorted(folder.glob("*.csv")):
    data = figures.read_columns(path)
    assert figures.show(path.stem, data).line.endswith("matches"), path.stem
    numbers = [n for n, c in data.items() if c.dtype.kind == "f" and c.size and abs(c).max() > 0]
    if numbers:
        column = data[numbers[0]] = data[numbers[0]].copy()
        row = abs(column).argmax()
        column[row] *= 1.01
        assert f"differs: column {numbers[0]!r} row {row}" in figures.show(path.stem, data).line, path.stem
print(len(list(folder.glob("*.csv"))), "baselines")
"""
INSTALLS = r"\b(?:pip3?|conda|mamba|micromamba|uv pip|apt(?:-get)?)\s+(?:-\S+\s+)*install\b|\bpip(?:\._internal)?\.main\b|['\"]pip['\"]\s*,\s*['\"]install"


def test_t4_t5_the_comparison_of_numbers_does_not_use_matplotlib() -> None:
    run = run_in(ROOT, sys.executable, "-c", WITHOUT_MATPLOTLIB, PLANARCONTACT_BASELINES=str(BOOK / "_static" / "data"))
    assert run.returncode == 0, run.stderr
    assert int(run.stdout.split()[0]) > 40


@pytest.mark.slow
def test_t4_chapters_match_their_baselines_under_another_matplotlib(clone: Path, tmp_path: Path, campaign: Callable[..., None]) -> None:
    other, names = "3.10.7", ("notation", "dynamics_tbar", "contact_states", "limit_surface", "across")
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "with pip")], check=True)
    install = [str(tmp_path / "with pip" / "bin" / "python"), "-m", "pip", "install", "-q", "--no-deps", "--only-binary=:all:", "--target", str(tmp_path / "other"), f"matplotlib=={other}"]
    made = run_in(tmp_path, *install)
    assert made.returncode == 0, made.stderr
    environment = {"PYTHONPATH": f"{clone / 'lib'}:{tmp_path / 'other'}"}
    assert run_in(clone, sys.executable, "-c", "import matplotlib; print(matplotlib.__version__)", **environment).stdout.split() == [other]
    wrong = [run.stderr[-500:] for run in (run_in(clone, sys.executable, "tools/chapters.py", "run", name, timeout=1200, **environment) for name in names) if run.returncode]
    note = f"chapters executed with matplotlib {other}: every figure's numbers match their baseline"
    campaign(name="chapters under another matplotlib", seed=0, count=len(names), failures=len(wrong), note=note)
    assert wrong == []


def _copy(folder: Path) -> Path:
    for part in ("lib/planarcontact", "book/src", "book/plots", "book/_static/data", "benchmarks/results"):
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.mark.parametrize(
    ("changed", "stale"),
    [("dynamics/scenes.py", "dynamics"), ("contact_states/options.py", "contact_states"), ("limit_surface/model.py", "limit_surface")],
)
def test_t11_an_edit_of_the_library_makes_its_pages_stale(tmp_path: Path, changed: str, stale: str) -> None:
    tree = _copy(tmp_path)
    before = {name: digest(name, tree) for name in chapters()}
    path = tree / "lib" / "planarcontact" / changed
    path.write_text(path.read_text("utf-8") + "\nCHANGED = 1.0\n", "utf-8")
    after = {name: digest(name, tree) for name in chapters()}
    moved = {name for name in before if before[name] != after[name]}
    importing = {name for name in before if re.search(rf"planarcontact(?:\.|\s+import\s+){stale}\b", (tree / "book" / "src" / f"{name}.md").read_text("utf-8"))}
    assert stale in moved and importing <= moved


@pytest.mark.ci
def test_t12_an_interrupted_cell_is_not_a_built_book(clone: Path) -> None:
    text = (clone / "book" / "src" / "notation.md").read_text("utf-8")
    (clone / "book" / "src" / "notation.md").write_text(text.replace("import numpy as np\n", "import time; time.sleep(60)\nimport numpy as np\n", 1), "utf-8")
    run = run_in(clone, sys.executable, "tools/chapters.py", "run", "notation", "--cell-limit", "2")
    assert run.returncode == 3 and "ran longer than 2 s" in run.stderr
    assert status(clone) == " M book/src/notation.md\n"


@pytest.mark.parametrize("name", [n for n in chapters() if n != "benchmarks"])
def test_t15_every_chapter_asserts_its_numbers(name: str) -> None:
    """The benchmarks' page shows measured times, about which nothing may be asserted."""
    assert any(re.search(r"^\s*assert ", cell.source, re.M) for cell in source(name).cells if cell.cell_type == "code")


@pytest.mark.parametrize("name", chapters())
def test_t17_no_cell_installs_anything(name: str) -> None:
    for index, cell in enumerate(source(name).cells):
        assert cell.cell_type != "code" or not re.search(INSTALLS, cell.source), f"cell {index}"


@pytest.mark.parametrize("line", ["!pip install x", "%pip install -q x", "subprocess.run([sys.executable, '-m', 'pip', 'install', 'x'])", "!apt-get -y install x"])
def test_t17_sees_what_it_looks_for(line: str) -> None:
    assert re.search(INSTALLS, line)


def test_every_case_of_the_table_is_held_by_a_test_that_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rows = re.findall(r"^\| (T\d+) \|[^|]*\|([^|]*)\|$", text, re.M)
    assert {case for case, _ in rows} == {f"T{n}" for n in (2, 3, 4, 5, *range(7, 16), 17)}
    tests = {path.stem: path.read_text("utf-8") for path in (ROOT / "tests" / "book").glob("test_*.py")}
    for case, held in rows:
        named = re.findall(r"`(test_\w+)::(test_\w+)`", held)
        assert named, case
        for file, function in named:
            assert re.search(rf"^def {function}\(", tests[file], re.M), f"{case}: {file}::{function}"


def test_warnings_are_errors() -> None:
    run = subprocess.run([sys.executable, "-c", "import tomllib;print(tomllib.load(open('pyproject.toml','rb'))['tool']['pytest']['ini_options']['filterwarnings'][0])"], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.strip() == "error"
