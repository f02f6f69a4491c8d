"""Every committed notebook is that of its source and of this library, clean, and complete."""

import re

import nbformat
import pytest
import scoreboard
from notebooks import BOOK, chapters, digest, parameters, settings, source

CHAPTERS = chapters()


def _committed(name: str) -> nbformat.NotebookNode:
    return nbformat.read(BOOK / f"{name}.ipynb", as_version=4)


def test_every_notebook_has_a_source() -> None:
    assert sorted(p.stem for p in BOOK.glob("*.ipynb")) == sorted(CHAPTERS)


@pytest.mark.parametrize("name", CHAPTERS)
def test_committed_notebook_is_of_this_tree(name: str) -> None:
    stamp = _committed(name).metadata["planarcontact"]["digest"]
    assert stamp == digest(name), f"stale: make chapter NAME={name}"


@pytest.mark.parametrize("name", CHAPTERS)
def test_committed_notebook_has_the_source_cells(name: str) -> None:
    def cells(notebook: nbformat.NotebookNode) -> list[tuple[str, str]]:
        return [(c.cell_type, c.source.strip()) for c in notebook.cells]

    assert cells(_committed(name)) == cells(source(name))


@pytest.mark.parametrize("name", CHAPTERS)
def test_committed_notebook_is_clean(name: str) -> None:
    notebook = _committed(name)
    assert notebook.metadata["kernelspec"]["name"] == "python3"
    assert "papermill" not in notebook.metadata
    for index, cell in enumerate(notebook.cells):
        assert "papermill" not in cell.metadata and "execution" not in cell.metadata
        if cell.cell_type != "code":
            continue
        assert cell.execution_count is not None, f"cell {index} was not executed, so nbval would not check it"
        assert not re.search(r"^\s*[!%]\s*(pip|conda|mamba)\b", cell.source, re.M), f"cell {index} installs something"
        for output in cell.outputs:
            assert output.get("name") != "stderr" and output.output_type != "error"
            text = str(output.get("text", "")) + str(output.get("data", {}))
            assert "<Figure" not in text and not re.search(r"\bat 0x[0-9a-f]{6,}", text)


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_figure_has_words_numbers_and_a_picture(name: str) -> None:
    shown = set()
    for index, cell in enumerate(_committed(name).cells):
        for output in cell.get("outputs", []):
            if "image/png" not in output.get("data", {}):
                continue
            found = re.match(r"([\w-]+): \d+ rows x \d+ columns, baseline \w+, matches$", output.data["text/plain"])
            assert found, f"cell {index}: a picture that did not come from show(), or differs: {output.data['text/plain']}"
            figure = found[1]
            shown.add(figure)
            words = cell.metadata.get("mystnb", {})
            assert words.get("image", {}).get("alt", "").strip(), f"cell {index}: {figure} has no alternative text"
            assert words.get("figure", {}).get("caption", "").strip(), f"cell {index}: {figure} has no caption"
            assert words["figure"]["name"] == f"fig-{figure}"
            assert (BOOK / "_static" / "data" / f"{figure}.csv").is_file()
            assert (BOOK.parent / "tests" / "pictures" / f"test_picture_{figure}.png").is_file(), "make pictures"
    text = (BOOK / "src" / f"{name}.md").read_text(encoding="utf-8")
    assert shown == set(re.findall(r"^show\(\s*[\"']([\w-]+)[\"']", text, re.M))


@pytest.mark.parametrize("name", CHAPTERS)
def test_quick_parameters_exist(name: str) -> None:
    assert set(settings(name).get("quick", {})) <= set(parameters(source(name)))


def test_no_two_chapters_share_a_figure() -> None:
    names = [
        found
        for name in CHAPTERS
        for found in re.findall(r"^show\(\s*[\"']([\w-]+)[\"']", (BOOK / "src" / f"{name}.md").read_text("utf-8"), re.M)
    ]
    assert len(names) == len(set(names))


def test_every_drawing_is_shown() -> None:
    shown = "\n".join((BOOK / "src" / f"{name}.md").read_text("utf-8") for name in CHAPTERS)
    for path in (BOOK / "plots").glob("*.py"):
        for name in re.findall(r"@drawing\([\"']([\w-]+)", path.read_text("utf-8")):
            assert re.search(rf"^show\(\s*[\"']{name}[\"']", shown, re.M), f"{name} is drawn, but no chapter shows it"


def test_the_scoreboard_says_what_the_chapters_say() -> None:
    found = scoreboard.rows()
    assert (BOOK / "scoreboard.csv").read_text("utf-8") == scoreboard.as_csv(found), "python tools/scoreboard.py"
    assert (BOOK / "scoreboard.md").read_text("utf-8") == scoreboard.as_page(found), "python tools/scoreboard.py"


def test_every_verdict_that_is_not_reproduced_has_a_reason() -> None:
    for row in scoreboard.rows():
        assert row.verdict == "reproduced" or row.reason, f"{row.page}, {row.section}: {row.claim}"
