"""The commands fail in words, with the right exit code, and leave nothing behind; twice in a row changes nothing."""

import json
import sys
from pathlib import Path

import pytest
from scratch import run_in, status

pytestmark = pytest.mark.ci

CHAPTER = """---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# A chapter

```{code-cell} python
:tags: [parameters]
rows = 3
name = "a"
```

```{code-cell} python
%s
```
"""


def _chapter(clone: Path, code: str) -> None:
    (clone / "book" / "src" / "extra.md").write_text(CHAPTER % code, "utf-8")


def _run(clone: Path, *arguments: str, **environment: str):  # type: ignore[no-untyped-def]
    return run_in(clone, sys.executable, "tools/chapters.py", "run", "extra", *arguments, **environment)


def test_a_chapter_runs_twice_to_the_same_bytes(clone: Path) -> None:
    _chapter(clone, "import tqdm\nfor _ in tqdm.tqdm(range(rows)):\n    pass\nrows + 1")
    first = _run(clone)
    assert first.returncode == 0, first.stderr
    assert "Executing" in first.stderr, "no progress bar"
    notebook = (clone / "book" / "extra.ipynb").read_bytes()
    assert json.loads(notebook)["cells"][2]["outputs"][0]["data"]["text/plain"] == ["4"]
    second = _run(clone)
    assert second.returncode == 0 and "as committed" in second.stdout
    assert (clone / "book" / "extra.ipynb").read_bytes() == notebook


def test_parameters_go_to_a_build_folder(clone: Path) -> None:
    _chapter(clone, "rows * 10, name")
    run = _run(clone, "--set", "rows=7 name='b c'")
    assert run.returncode == 0, run.stderr
    made = json.loads((clone / "_build" / "chapters" / "extra.ipynb").read_text("utf-8"))
    assert "(70, 'b c')" in json.dumps(made["cells"])
    assert status(clone) == "?? book/src/extra.md\n"


@pytest.mark.parametrize(
    ("code", "arguments", "exit_code", "words"),
    [
        ("1 / 0", (), 1, "extra, cell 2: ZeroDivisionError: division by zero"),
        ("rows", ("--set", "rowz=4"), 2, "extra has no parameter 'rowz'; it has: rows=3, name='a'"),
        ("rows", ("--set", "rows"), 2, "'rows' is not name=value"),
        ("import time; time.sleep(60)", ("--cell-limit", "2"), 3, "a cell ran longer than 2 s"),
        ("import sys; print('late', file=sys.stderr)", (), 1, "cell 2: writes to standard error"),
        ("object()", (), 1, "an object's address"),
        ("import os; os.getcwd()", (), 1, "a path of this machine"),
    ],
    ids=["failing", "unknown parameter", "malformed", "too long", "stderr", "address", "path"],
)
def test_what_stops_a_chapter(clone: Path, code: str, arguments: tuple[str, ...], exit_code: int, words: str) -> None:
    _chapter(clone, code)
    run = _run(clone, *arguments)
    assert run.returncode == exit_code, run.stdout + run.stderr
    assert words in run.stderr
    assert f'File "{clone}/tools' not in run.stderr, "the person at the terminal sees our code"
    assert status(clone) == "?? book/src/extra.md\n"


def test_a_differing_figure_stops_the_chapter(clone: Path) -> None:
    path = clone / "book" / "plots" / "extra.py"
    path.write_text(
        "from matplotlib.figure import Figure\nfrom planarcontact.figures import drawing\n\n\n"
        "@drawing('ext-line')\ndef line(data):\n    figure = Figure()\n    figure.subplots().plot(data['y'])\n    return figure\n"
    )
    _chapter(clone, "import plots.extra\nfrom planarcontact.figures import show\nshow('ext-line', {'y': [1.0, rows]})")
    missing = _run(clone)
    assert missing.returncode == 1 and "no baseline ext-line.csv" in missing.stderr
    kept = status(clone)
    _chapter(clone, "import plots.extra\nfrom planarcontact.figures import show\nshow('ext-line', {'y': [1.0, rows]})\nobject()")
    stopped = _run(clone, UPDATE="1")
    assert stopped.returncode == 1 and status(clone) == kept, "a chapter that was stopped renewed a baseline"
    _chapter(clone, "import plots.extra\nfrom planarcontact.figures import show\nshow('ext-line', {'y': [1.0, rows]})")
    made = _run(clone, UPDATE="1")
    assert made.returncode == 0, made.stderr
    _chapter(clone, "import plots.extra\nfrom planarcontact.figures import show\nshow('ext-line', {'y': [1.0, rows * 1.01]})")
    differs = _run(clone)
    assert differs.returncode == 1 and "column 'y' row 1: 3.03 against 3" in differs.stderr


def test_an_unknown_chapter_is_named(clone: Path) -> None:
    run = run_in(clone, sys.executable, "tools/chapters.py", "run", "nowhere")
    assert run.returncode == 2 and "no chapter 'nowhere': there is" in run.stderr and "notation" in run.stderr
    make = run_in(clone, "make", "-o", "env", "chapter", f"PY={sys.executable}")
    assert make.returncode != 0 and "name a chapter" in make.stderr
