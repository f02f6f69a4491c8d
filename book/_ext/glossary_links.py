"""Sphinx: the first mention of a glossary term on a page links to the glossary and carries its definition as a tip."""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

GLOSSARY = "book/glossary"
SKIPPED = (
    nodes.reference, nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.title, nodes.raw,
    nodes.caption, nodes.legend, nodes.rubric, nodes.term, nodes.comment,
)


class GlossaryLinks(SphinxPostTransform):
    """Link the first mention of each term, in running text only."""

    default_priority = 320
    formats = ("html",)

    def run(self, **_: Any) -> None:
        page = self.env.docname
        if page == GLOSSARY or self.app.builder.name != "html" or GLOSSARY not in self.env.all_docs:
            return
        terms = _terms(self.env)
        home = self.app.builder.get_relative_uri(page, GLOSSARY)
        open_terms = dict(terms)
        for text in list(self.document.findall(nodes.Text)):
            if not open_terms:
                return
            if _in_running_text(text):
                _link(text, open_terms, home)


def _in_running_text(text: nodes.Text) -> bool:
    if _in_raw_link(text):
        return False
    node, paragraph = text.parent, False
    while node is not None:
        if isinstance(node, SKIPPED) or "desc" in type(node).__name__:
            return False
        paragraph = paragraph or isinstance(node, nodes.paragraph)
        node = node.parent
    return paragraph


def _in_raw_link(text: nodes.Text) -> bool:
    """Whether the text stands between the raw HTML of a link's start and of its end: links may not nest."""
    before = text.parent.children[: text.parent.index(text)]
    tags = re.findall(r"<(/?)a\b", "".join(n.astext() for n in before if isinstance(n, nodes.raw)))
    return bool(tags) and tags[-1] == ""


def _link(text: nodes.Text, terms: dict[str, tuple[str, str]], home: str) -> None:
    """Replace the text by itself with links, and take the terms that were met out of `terms`."""
    rest, made = str(text), []
    while True:
        # Of two terms that begin at one place the longer is meant.
        pattern = "|".join(_spelled(t) for t in sorted(terms, key=len, reverse=True))
        found = re.search(rf"(?<![\w-])({pattern})s?(?![\w-])", rest) if terms else None
        if found is None:
            break
        anchor, tip = terms[found[1] if found[1] in terms else found[1].lower()]
        for name in [n for n, (a, _) in terms.items() if a == anchor]:
            del terms[name]
        link = nodes.reference("", found[0], refuri=f"{home}#{anchor}", internal=True, reftitle=tip, classes=["pc-term"])
        made += [nodes.Text(rest[: found.start()]), link]
        rest = rest[found.end() :]
    if made:
        text.parent.replace(text, [n for n in (*made, nodes.Text(rest)) if n.astext()])


def _spelled(term: str) -> str:
    """A pattern of the term: an acronym as it is, other terms in small letters or any capitals."""
    return re.escape(term) if term.isupper() else f"(?i:{re.escape(term)})"


def _terms(env: Any) -> dict[str, tuple[str, str]]:
    """Each spelling (acronyms apart, in small letters) to its place on the glossary page and the first sentence of its definition."""
    found = {}
    for item in env.get_doctree(GLOSSARY).findall(nodes.definition_list_item):
        (definition,) = (child for child in item.children if isinstance(child, nodes.definition))
        tip = re.split(r"(?<=\.)\s", " ".join(definition.astext().split()))[0]
        spellings = [child for child in item.children if isinstance(child, nodes.term)]
        anchor = spellings[0]["ids"][0]
        for spelling in spellings:
            text = spelling.astext()
            found[text if text.isupper() else text.lower()] = (anchor, tip)
    return found


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transform."""
    app.add_post_transform(GlossaryLinks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
