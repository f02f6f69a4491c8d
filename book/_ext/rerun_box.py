"""Sphinx: below a chapter's title, what can be downloaded from it and how to run it again with other parameters."""

import html
from pathlib import Path
from typing import Any

from chapter_notes import Chapter, Parameter, chapter
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

WHERE = (
    "From the project's folder, after <code>make html</code> or <code>make book</code> has installed it. Change any value. "
    "The first line refuses a name that the chapter has not, and writes to <code>_build/chapters/</code>; what is committed stays as it is."
)


class RerunBox(SphinxPostTransform):
    """Put the box below the title of every chapter's page."""

    default_priority = 310
    formats = ("html",)

    def run(self, **_: Any) -> None:
        shown = chapter(self.env.docname.rsplit("/", 1)[-1])
        title = next(self.document.findall(nodes.title), None)
        if shown is None or title is None or self.app.builder.name != "html":
            return
        section = title.parent
        section.insert(section.index(title) + 1, nodes.raw("", self._html(shown), format="html"))

    def _html(self, shown: Chapter) -> str:
        root = "../" * self.env.docname.count("/")
        data = Path(self.app.srcdir) / "book" / "_static" / "data"
        files = [name for name in shown.cells if (data / f"{name}.csv").is_file()]
        numbers = "".join(
            f'<li><a class="pc-file" download href="{root}_static/data/{name}.csv">{name}.csv</a></li>' for name in files
        )
        noun = "figure" if len(files) == 1 else f"{len(files)} figures"
        parts = [
            f'<a class="pc-file" download href="{root}_sources/{self.env.docname}.ipynb">Notebook (.ipynb)</a>',
            f'<a class="pc-file pc-pdf" download hidden data-page="{shown.name}" data-href="{root}_pdf/{shown.name}.pdf">Page (.pdf)</a>'
            '<button type="button" class="pc-print">Print this page, or save it as PDF</button>',
        ]
        box = '<div class="pc-chapter"><p class="pc-downloads">' + " ".join(parts) + "</p>"
        if files:
            box += f'<details><summary>Numbers of its {noun} (.csv)</summary><ul class="pc-files">{numbers}</ul></details>'
        return box + f"<details><summary>Rerun this chapter</summary>{self._commands(shown)}</details></div>"

    def _commands(self, shown: Chapter) -> str:
        highlight = self.app.builder.highlighter.highlight_block  # type: ignore[attr-defined]
        blocks = "".join(
            f"<p>{words}</p><div class=\"highlight-bash notranslate\">{highlight(text, 'bash')}</div>"
            for words, text in (
                ("Through the Makefile:", shown.make_command()),
                ("Or with papermill's own command, on the executed notebook:", shown.papermill_command()),
            )
        )
        return f"{_table(shown.parameters)}<p>{WHERE}</p>{blocks}"


def _table(parameters: tuple[Parameter, ...]) -> str:
    if not parameters:
        return "<p>This chapter has no parameters.</p>"
    rows = "".join(
        f"<tr><td><code>{p.name}</code></td><td><code>{html.escape(repr(p.value))}</code></td><td>{html.escape(p.meaning)}</td></tr>"
        for p in parameters
    )
    head = "".join(f'<th scope="col">{name}</th>' for name in ("parameter", "value", "meaning"))
    return (
        '<div class="pc-table" tabindex="0" role="region" aria-label="Parameters of this chapter"><table class="table">'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transform."""
    app.add_post_transform(RerunBox)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
