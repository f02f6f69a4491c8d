"""What the pages say of a chapter, read from its committed notebook: parameters, the cells of its figures, its commit."""

import ast
import json
import shlex
import subprocess
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book"


@dataclass(frozen=True)
class Parameter:
    """One name of the cell tagged ``parameters``: its default, and the comment behind it."""

    name: str
    value: Any
    meaning: str


@dataclass(frozen=True)
class Chapter:
    """A committed notebook; `cells` maps a figure's name to the number of the cell that draws it."""

    name: str
    parameters: tuple[Parameter, ...]
    cells: dict[str, int]
    commit: str

    def make_command(self) -> str:
        """The line that reruns the chapter through the Makefile, all parameters at their defaults."""
        words = " ".join(f"{p.name}={_word(p.value)}" for p in self.parameters)
        quote = "'" if "\\" in words else '"'
        return f"make chapter NAME={self.name}" + (f" PARAMS={quote}{words}{quote}" if words else "")

    def papermill_command(self) -> str:
        """The line that runs the committed notebook through papermill's own command."""
        words = [f'PYTHONPATH="$PWD/lib" .venv/bin/papermill --cwd book book/{self.name}.ipynb /tmp/{self.name}.ipynb']
        for p in self.parameters:
            if isinstance(p.value, (bool, int, float, str)):
                words.append(f"-p {p.name} {shlex.quote(str(p.value))}")
            else:
                flow = yaml.safe_dump({p.name: p.value}, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10_000)
                words.append("-y " + shlex.quote(flow.strip()))
        return " \\\n  ".join(words)


@cache
def chapter(name: str) -> Chapter | None:
    """The chapter of that name, or None where the page is not a chapter."""
    path = BOOK / f"{name}.ipynb"
    if not path.is_file() or not (BOOK / "src" / f"{name}.md").is_file():
        return None
    notebook = json.loads(path.read_text(encoding="utf-8"))
    found, cells = [], {}
    for cell in notebook["cells"]:
        if "parameters" in cell["metadata"].get("tags", []):
            found += _parameters("".join(cell["source"]))
        figure = cell["metadata"].get("mystnb", {}).get("figure", {}).get("name", "")
        if figure:
            cells[figure.removeprefix("fig-")] = cell["execution_count"]
    return Chapter(name, tuple(found), cells, _commit(path))


@cache
def version() -> str:
    """The library's version as pyproject.toml states it."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def picture(figure: str) -> tuple[str, str, str]:
    """The chapter that shows `figure`, the picture's base64 text and its words.

    Raises:
        LookupError: If no committed notebook shows it.
    """
    for path in sorted(BOOK.glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            notes = cell["metadata"].get("mystnb", {})
            if notes.get("figure", {}).get("name") != f"fig-{figure}":
                continue
            for output in cell["outputs"]:
                if "image/png" in output.get("data", {}):
                    return path.stem, "".join(output["data"]["image/png"]), notes["image"]["alt"]
    raise LookupError(f"no chapter shows a figure {figure!r}")


def _parameters(source: str) -> list[Parameter]:
    lines, found = source.split("\n"), []
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            comment = lines[(statement.end_lineno or 1) - 1].partition("  # ")[2].strip()
            found.append(Parameter(statement.targets[0].id, ast.literal_eval(statement.value), comment))
    return found


def _word(value: Any) -> str:
    """A value as one word of PARAMS, which is split as a shell does."""
    if isinstance(value, (str, list, dict)):
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    else:
        text = repr(value).replace(", ", ",")
    return "".join("\\" + c if c in "\"' \\" else c for c in text)


def _commit(path: Path) -> str:
    """The commit that last changed the file; empty where that cannot be known."""

    def git(*words: str) -> str:
        try:
            run = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
        except OSError:
            return ""
        return run.stdout.strip() if run.returncode == 0 else ""

    if git("rev-parse", "--is-shallow-repository") != "false":
        return ""
    if git("status", "--porcelain", "--", str(path)):
        return "not committed yet"
    commit = git("log", "-1", "--format=%h", "--abbrev=10", "--", str(path))
    return f"commit {commit}" if commit else ""
