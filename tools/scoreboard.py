"""Gather every verdict of the chapters: ``book/scoreboard.csv`` and the page that shows it.

A verdict is a row of a table in a chapter's stored output whose last column is headed "verdict". Nothing is typed twice:
a row changes here when, and only when, the chapter computes something else.

    python tools/scoreboard.py           write both files
    python tools/scoreboard.py --check   exit 1 where they are not what the chapters say
"""

import csv
import io
import re
import sys
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import nbformat  # noqa: E402
from docutils.nodes import make_id  # noqa: E402
from notebooks import BOOK, ChapterError, chapters  # noqa: E402

VERDICTS = ("reproduced", "differs", "not checkable")
DOCUMENTS = (("dynamics", "1"), ("contact_states", "2"), ("limit_surface", "3"))
MEASURED = "benchmarks"  # a page on all three documents: its sections tell which
HEAD = ("document", "page", "section", "claim", "document says", "ours", "verdict", "reason")


@dataclass(frozen=True)
class Row:
    """One claim and its verdict, and the section of the page that computes it."""

    document: str
    page: str
    section: str
    claim: str
    says: str
    ours: str
    verdict: str
    reason: str

    def cells(self) -> tuple[str, ...]:
        """The fields in the order of the file's columns."""
        return (self.document, self.page, self.section, self.claim, self.says, self.ours, self.verdict, self.reason)


class _Tables(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.rows: list[list[str]] = []
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        self.inside = tag in ("td", "th")
        if self.inside:
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.rows[-1][-1] += data


def rows(book: Path = BOOK) -> list[Row]:
    """Every verdict of the committed notebooks, in the order of the book."""
    found = []
    for name in chapters(book):
        path = book / f"{name}.ipynb"
        document = next((number for prefix, number in DOCUMENTS if name.startswith(prefix)), "")
        if not path.is_file() or not (document or name == MEASURED):
            continue
        section = ""
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                heads = re.findall(r"^#{2,}\s+(.+?)\s*$", re.sub(r"```.*?```", "", cell.source, flags=re.S), re.M)
                section = heads[-1] if heads else section
            if name == MEASURED:
                document = "2" if "contact state" in section.lower() else "3" if "limit" in section.lower() else "1"
            for output in cell.get("outputs", []):
                found += _table_rows(output.get("data", {}).get("text/html", ""), document, name, section)
    return found


def _table_rows(text: str, document: str, name: str, section: str) -> list[Row]:
    if "pc-table" not in text:
        return []
    head, *body = _Tables(text).rows
    if not head or head[-1].strip().lower() != "verdict":
        return []
    result = []
    for cells in body:
        verdict = next((v for v in VERDICTS if cells[-1].strip().lower().startswith(v)), "")
        if not verdict:
            raise ChapterError(f"{name}, {section!r}: {cells[-1]!r} is not a verdict ({', '.join(VERDICTS)})")
        reason = cells[-1].strip()[len(verdict) :].lstrip(" ,:;.-").strip()
        claim, *between, ours = cells[:-1]
        result.append(Row(document, name, section, claim, " / ".join(b for b in between if b), ours, verdict, reason))
    return result


def as_csv(found: list[Row]) -> str:
    """The rows as the text of a CSV file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    writer.writerows(row.cells() for row in found)
    return text.getvalue()


def as_page(found: list[Row]) -> str:
    """The rows as a page of the book."""
    lines = [
        "# Scoreboard", "",
        "Every checkable statement of the three documents that a chapter of this book decides, in our words, with what the",
        "document says, what we got, and the verdict. The rows are read from the chapters' stored outputs, so this page",
        "cannot say anything that a chapter does not compute. {download}`The same as CSV <scoreboard.csv>`.", "",
        "| document | reproduced | differs | not checkable |", "|---|---|---|---|",
    ]
    for number in ("1", "2", "3"):
        counts = [sum(r.document == number and r.verdict == v for r in found) for v in VERDICTS]
        lines.append(f"| {number} | " + " | ".join(map(str, counts)) + " |")
    for number in ("1", "2", "3"):
        mine = [row for row in found if row.document == number]
        if not mine:
            continue
        lines += ["", f"## Document {number}", "", "| claim | document says | ours | verdict | where |", "|---|---|---|---|---|"]
        for row in mine:
            anchor = f"#{make_id(row.section)}" if row.section else ""
            where = f'<a href="{row.page}.html{anchor}">{_plain(row.section or row.page)}</a>'
            verdict = row.verdict + (f": {row.reason}" if row.reason else "")
            lines.append("| " + " | ".join([*map(_plain, (row.claim, row.says, row.ours, verdict)), where]) + " |")
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|$~^])", r"\\\1", " ".join(text.split())).replace("\\<", "&lt;").replace("\\>", "&gt;")


def main(arguments: list[str]) -> int:
    """Write or check both files."""
    try:
        found = rows()
    except ChapterError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    files = {BOOK / "scoreboard.csv": as_csv(found), BOOK / "scoreboard.md": as_page(found)}
    wrong = [p.name for p, text in files.items() if not p.is_file() or p.read_text("utf-8") != text]
    if "--check" in arguments:
        if wrong:
            print(f"error: {', '.join(wrong)} do not say what the chapters say (python tools/scoreboard.py)", file=sys.stderr)
        return int(bool(wrong))
    for path, text in files.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    print(f"scoreboard: {len(found)} verdicts")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
