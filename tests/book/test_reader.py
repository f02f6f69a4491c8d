"""What a chapter's page offers its reader: downloads, commands that run, provenance, glossary links, symbols that exist."""

import dataclasses
import importlib
import inspect
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from importlib.metadata import version
from pathlib import Path

import chapter_notes
import pytest
import yaml
from chapters import _overrides
from notebooks import BOOK, chapters, parameters, source
from papermill.cli import _resolve_type
from scratch import ROOT, run_in

CHAPTERS = chapters()
PARTS = {"1": "dynamics", "2": "contact_states", "3": "limit_surface"}


def _plain(value: object) -> object:
    """A value as YAML and JSON have it, where a tuple is a list."""
    return [_plain(v) for v in value] if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_make_command_gives_the_parameters_that_it_shows(name: str) -> None:
    known = parameters(source(name))
    words = shlex.split(chapter_notes.chapter(name).make_command())
    assert words[:3] == ["make", "chapter", f"NAME={name}"]
    assert _overrides(name, known, words[3].removeprefix("PARAMS=") if known else "", {}) == known


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_papermill_command_gives_the_parameters_that_it_shows(name: str) -> None:
    words, given = _papermill_words(name), {}
    assert (ROOT / words[words.index("--cwd") + 2]) == BOOK / f"{name}.ipynb"
    for i, word in enumerate(words):
        if word == "-p":
            given[words[i + 1]] = _resolve_type(words[i + 2])
        elif word == "-y":
            given |= yaml.safe_load(words[i + 1])
    assert given == {key: _plain(value) for key, value in parameters(source(name)).items()}


def _papermill_words(name: str) -> list[str]:
    return shlex.split(chapter_notes.chapter(name).papermill_command().replace("\\\n", " "))


def _by_papermill(name: str, folder: Path, *changes: str) -> str:
    """Run the printed command, with the Python that runs now and another output, and return what it printed."""
    words = _papermill_words(name)
    words[words.index(f"/tmp/{name}.ipynb")] = str(folder / "out.ipynb")
    start = "from papermill.cli import papermill; papermill()"
    command = [sys.executable, "-W", "ignore", "-c", start, *words[2:], *changes]
    environment = {"PLANARCONTACT_BASELINES": str(BOOK / "_static" / "data"), "TQDM_DISABLE": "1"}
    run = run_in(ROOT, *command, **environment)
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    return (folder / "out.ipynb").read_text("utf-8")


@pytest.mark.ci
def test_papermill_runs_a_chapter_from_its_own_command(tmp_path: Path) -> None:
    text = _by_papermill("notation", tmp_path, "-y", "{slopes: [0.0, 10.0]}")
    assert "injected-parameters" in text and "slopes = [0.0, 10.0]" in text
    assert "not-friction-ellipse: 121 rows x 3 columns, baseline" in text


@pytest.mark.slow
def test_papermill_runs_every_chapter_from_its_own_command(tmp_path: Path, campaign: Callable[..., None]) -> None:
    wrong = []
    for name in CHAPTERS:
        try:
            assert ", differs: " not in _by_papermill(name, tmp_path), "a figure differs from its baseline"
        except (AssertionError, subprocess.TimeoutExpired) as error:
            wrong.append(f"{name}: {error}")
    note = "the command that each page prints, with the full parameters; a failure is an error or a figure unlike its baseline"
    campaign(name="papermill from the command line", seed=0, count=len(CHAPTERS), failures=len(wrong), note=note)
    assert wrong == [], "\n".join(wrong)


def test_every_symbol_names_what_the_library_has() -> None:
    text = (BOOK / "symbols.md").read_text("utf-8")
    checked = 0
    for number, body in re.findall(r"^## Document (\d)[^\n]*\n(.*?)(?=^## |\Z)", text, re.S | re.M):
        part = importlib.import_module(f"planarcontact.{PARTS[number]}")
        for row in re.findall(r"^\|(.*)\|$", body, re.M)[2:]:
            cells = [c.strip() for c in row.split("|")]
            assert len(cells) == 5, row
            names = re.findall(r"`([^`]+)`", cells[-1])
            assert names or cells[-1] == "-", row
            for name in names:
                _find(part, name)
                checked += 1
    assert checked > 80


def _find(part: object, name: str) -> None:
    function = re.fullmatch(r"(\w+)\((\w+)=\)", name)
    if function:
        assert function[2] in inspect.signature(getattr(part, function[1])).parameters, name
        return
    for word in name.split("."):
        fields = {f.name for f in dataclasses.fields(part)} if dataclasses.is_dataclass(part) else set()  # type: ignore[arg-type]
        assert hasattr(part, word) or word in fields, f"{name}: no {word}"
        part = getattr(part, word, None)


@pytest.mark.ci
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapters_page_offers_what_it_must(built: Path, name: str) -> None:
    page = (built / "book" / f"{name}.html").read_text("utf-8")
    shown = chapter_notes.chapter(name)
    box = page[page.index('<div class="pc-chapter">') :]
    assert f'href="../_sources/book/{name}.ipynb"' in box and 'class="pc-print"' in box
    plain = unescape(re.sub(r"<[^>]+>", "", box))
    for text in (shown.make_command(), shown.papermill_command()):
        assert text in plain
    for p in shown.parameters:
        assert f"<code>{p.name}</code>" in box
    for figure, cell in shown.cells.items():
        assert f'href="../_static/data/{figure}.csv">{figure}.csv</a></li>' in box
        assert f'href="#cell-{cell}">cell {cell}</a> of {name}.ipynb · planarcontact {chapter_notes.version()}' in page
        assert f'id="cell-{cell}"' in page
    assert page.count(f"</a> of {name}.ipynb · ") == page.count(f" · planarcontact {chapter_notes.version()} · commit ")


@pytest.mark.ci
def test_the_commit_below_a_figure_is_the_last_of_its_notebook(built: Path, pristine: Path) -> None:
    commit = subprocess.run(
        ["git", "log", "-1", "--format=%h", "--abbrev=10", "--", "book/notation.ipynb"], cwd=pristine, capture_output=True, text=True
    ).stdout.strip()
    assert commit and f" · commit {commit}</p>" in (built / "book" / "notation.html").read_text("utf-8")


@pytest.mark.ci
@pytest.mark.parametrize(
    ("page", "text", "term"),
    [
        ("dynamics", "ECP", "equivalent-contact-point"),
        ("dynamics", "friction ellipsoid", "friction-ellipsoid"),
        ("contact_states", "formation", "contact-formation"),
        ("contact_states_exact", "stand-in", ""),
        ("limit_surface", "limit surface", "limit-surface"),
        ("intro", "comes", ""),
    ],
)
def test_first_mentions_lead_to_the_glossary(built: Path, page: str, text: str, term: str) -> None:
    found = re.findall(r'<a class="pc-term[^>]*href="glossary\.html#term-([\w-]+)"[^>]*>([^<]*)</a>', (built / "book" / f"{page}.html").read_text("utf-8"))
    anchors = [anchor for anchor, _ in found]
    assert len(anchors) == len(set(anchors)), "a term is linked twice"
    if term:
        assert term in anchors
    else:
        assert text not in [words for _, words in found]


@pytest.mark.ci
def test_every_glossary_term_can_be_reached(built: Path) -> None:
    page = (built / "book" / "glossary.html").read_text("utf-8")
    blocks = re.findall(r"```\{glossary\}\n(.*?)```", (BOOK / "glossary.md").read_text("utf-8"), re.S)
    terms = [line for block in blocks for line in block.split("\n") if re.match(r"\S", line)]
    assert len(terms) > 40
    for term in terms:
        assert f'id="term-{term.replace(" ", "-")}"' in page, term


@pytest.mark.ci
def test_t14_versions_in_the_book_are_those_of_the_lock(built: Path) -> None:
    page = (built / "book" / "troubleshooting.html").read_text("utf-8")
    table = page[page.index('pc-versions"') :]
    rows = dict(re.findall(r'<th scope="row">([\w.-]+)</th><td>([^<]+)</td>', table))
    lock = dict(re.findall(r"^([a-z0-9._-]+)==([^ ;\\]+)", (ROOT / "requirements.lock").read_text("utf-8"), re.M))
    assert len(rows) > 30
    for name, printed in rows.items():
        assert printed == version(name)
        if sys.version_info[:2] == (3, 11):
            assert printed == lock[name.lower()], name


@pytest.mark.ci
def test_the_landing_page_counts_the_scoreboard(built: Path) -> None:
    page = (built / "book" / "intro.html").read_text("utf-8")
    rows = len((BOOK / "scoreboard.csv").read_text("utf-8").strip().split("\n")) - 1
    counts = re.findall(r'<th scope="row">together</th><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td>', page)
    assert sum(map(int, counts[0])) == rows
    assert page.count('class="pc-thumbnail"') == 3


@pytest.mark.ci
def test_no_link_stands_inside_a_link(built: Path) -> None:
    nested = re.compile(r"<a\b[^>]*>(?:(?!</a>).)*<a\b", re.DOTALL)
    assert {p.name: m[0][:200] for p in (built / "book").glob("*.html") if (m := nested.search(p.read_text("utf-8")))} == {}
