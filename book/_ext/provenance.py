"""Sphinx: every figure of a chapter has alternative text, and below it its numbers and where it comes from."""

import re
from pathlib import Path
from typing import Any

from chapter_notes import chapter, version
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)


class FigureNotes(SphinxPostTransform):
    """Warn where alternative text is missing; append the figure's data, cell, library version and commit."""

    default_priority = 300

    def run(self, **_: Any) -> None:
        for image in self.document.findall(nodes.image):
            if not str(image.get("alt", "")).strip():
                LOGGER.warning("image %s has no alternative text", image.get("uri"), location=image)
        for cell in self.document.findall(nodes.container):
            if cell.get("nb_element") == "cell_code" and cell.get("exec_count"):
                cell["ids"].append(f"cell-{cell['exec_count']}")
        for figure in self.document.findall(nodes.figure):
            self._note(figure)

    def _note(self, figure: nodes.figure) -> None:
        for label in [*figure.get("names", []), *figure.get("ids", [])]:
            name = label.removeprefix("fig-")
            data = Path(self.app.srcdir) / "book" / "_static" / "data" / f"{name}.csv"
            if label.startswith("fig-") and data.is_file():
                break
        else:
            return
        depth = self.env.docname.count("/")
        link = nodes.reference("", f"{name}.csv", refuri="../" * depth + f"_static/data/{name}.csv", internal=True)
        link["classes"].append("pc-data")
        note = nodes.paragraph("", "", nodes.Text("Numbers: "), link)
        shown = chapter(self.env.docname.rsplit("/", 1)[-1])
        if shown is not None and name in shown.cells:
            number = shown.cells[name]
            note += nodes.Text(" · drawn by ")
            note += nodes.reference("", f"cell {number}", refuri=f"#cell-{number}", internal=True)
            note += nodes.Text(" · ".join(filter(None, [f" of {shown.name}.ipynb", f"planarcontact {version()}", shown.commit])))
        note["classes"].append("pc-provenance")
        legend = next(figure.findall(nodes.legend), None)
        if legend is None:
            legend = nodes.legend()
            figure += legend
        legend += note


def _plain_bars(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Take a docstring's |a| for a norm, not for a substitution."""
    lines[:] = [re.sub(r"(``.*?``)|\|", lambda m: m[1] or r"\|", line) for line in lines]


def _plain_citations(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None) -> None:
    """Docutils calls the bibliography a list, but its entries no list items: a screen reader then announces an empty list."""
    if context.get("body"):
        context["body"] = context["body"].replace('<div role="list" class="citation-list">', '<div class="citation-list">')


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transform."""
    app.add_post_transform(FigureNotes)
    app.connect("autodoc-process-docstring", _plain_bars)
    app.connect("html-page-context", _plain_citations)
    return {"version": "3", "parallel_read_safe": True, "parallel_write_safe": True}
