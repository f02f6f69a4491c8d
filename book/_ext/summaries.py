"""Sphinx directives whose content is read when the book is built: a chapter's figure, the verdicts, the versions.

``{chapter-figure} NAME`` shows a figure as its chapter stores it, ``{verdicts}`` counts the scoreboard's rows, and
``{versions}`` lists the packages that the book was built with.
"""

import base64
import csv
import html
import tomllib
from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from chapter_notes import BOOK, ROOT, picture
from docutils import nodes
from packaging.requirements import Requirement
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

VERDICTS = ("reproduced", "differs", "not checkable")


class summary(nodes.General, nodes.Element):
    """A place that is filled while the page is written, so that nothing of it is taken from an earlier build."""


class _Summary(SphinxDirective):
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        return [summary(kind=self.name, argument=(self.arguments or [""])[0])]


class Fill(SphinxPostTransform):
    """Fill the places."""

    default_priority = 305

    def run(self, **_: Any) -> None:
        for place in list(self.document.findall(summary)):
            made = {"chapter-figure": self._figure, "verdicts": _verdicts, "versions": _versions}[place["kind"]](place["argument"])
            place.replace_self(nodes.raw("", made, format="html"))

    def _figure(self, name: str) -> str:
        chapter, picture_text, words = picture(name)
        target = Path(self.app.outdir) / "_images" / f"{name}.png"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(base64.b64decode(picture_text))
        root = "../" * self.env.docname.count("/")
        return (
            f'<a class="pc-thumbnail" href="{chapter}.html#fig-{name}">'
            f'<img src="{root}_images/{name}.png" alt="{html.escape(words, quote=True)}"></a>'
        )


def _verdicts(_: str) -> str:
    with (BOOK / "scoreboard.csv").open(newline="", encoding="utf-8") as file:
        counts = Counter((row["document"], row["verdict"]) for row in csv.DictReader(file))
    documents = sorted({document for document, _ in counts})
    rows = [[f"document {d}", *(str(counts[d, v]) for v in VERDICTS)] for d in documents]
    rows.append(["together", *(str(sum(counts[d, v] for d in documents)) for v in VERDICTS)])
    return _table("Verdicts", ("", *VERDICTS), rows)


def _versions(_: str) -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = [*project["dependencies"], *(t for extra in project["optional-dependencies"].values() for t in extra)]
    rows = []
    for name in sorted({Requirement(t).name for t in texts} - {project["name"]}):
        try:
            rows.append([name, version(name)])
        except PackageNotFoundError:
            rows.append([name, "not installed"])
    return _table("Versions", ("package", "version"), rows)


def _table(label: str, columns: tuple[str, ...], rows: list[list[str]]) -> str:
    head = "".join(f'<th scope="col">{c}</th>' if c else "<td></td>" for c in columns)
    body = "".join(
        "<tr>" + f'<th scope="row">{html.escape(r[0])}</th>' + "".join(f"<td>{html.escape(c)}</td>" for c in r[1:]) + "</tr>"
        for r in rows
    )
    return (
        f'<div class="pc-table pc-{label.lower()}" tabindex="0" role="region" aria-label="{label}"><table class="table">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives."""
    app.add_node(summary)
    for name in ("chapter-figure", "verdicts", "versions"):
        app.add_directive(name, _Summary)
    app.add_post_transform(Fill)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
