"""The built book: strict, complete, offline, and of this library."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from scratch import ROOT, run_in, status

pytestmark = pytest.mark.ci


class _Page(HTMLParser):
    def __init__(self, path: Path):
        super().__init__()
        self.links: list[str] = []
        self.scripts: list[str] = []
        self.loads: list[str] = []
        self.ids: set[str] = set()
        self.images: list[dict[str, str | None]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.ids.add(str(found["id"]))
        if tag == "a" and found.get("href"):
            self.links.append(str(found["href"]))
        if tag == "script" and found.get("src"):
            self.scripts.append(str(found["src"]))
        if tag == "img":
            self.images.append(found)
        if tag in ("link", "img", "iframe", "source") and (found.get("src") or found.get("href")):
            self.loads.append(str(found.get("src") or found.get("href")))


@pytest.fixture(scope="module")
def pages(built: Path) -> dict[Path, _Page]:
    return {path: _Page(path) for path in sorted(built.rglob("*.html")) if "_static" not in path.parts}


def test_every_chapter_has_a_page(pages: dict[Path, _Page], built: Path) -> None:
    for notebook in (ROOT / "book").glob("*.ipynb"):
        assert built / "book" / f"{notebook.stem}.html" in pages


def test_internal_links_lead_somewhere(pages: dict[Path, _Page]) -> None:
    for path, page in pages.items():
        for link in [*page.links, *page.loads]:
            if re.match(r"[a-z]+:", link) or link.startswith("//"):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name.split("?")[0]).resolve() if name else path
            assert target.exists(), f"{path.name}: {link}"
            if anchor and target in pages:
                assert anchor in pages[target].ids, f"{path.name}: {link}"


def test_nothing_is_loaded_from_elsewhere(pages: dict[Path, _Page]) -> None:
    for path, page in pages.items():
        outside = [s for s in [*page.scripts, *page.loads] if re.match(r"(https?:)?//", s)]
        assert not outside, f"{path.name}: {outside}"


def test_every_picture_has_words(pages: dict[Path, _Page]) -> None:
    for path, page in pages.items():
        for image in page.images:
            assert (image.get("alt") or "").strip(), f"{path.name}: {image.get('src')}"


def test_every_figure_offers_its_numbers(built: Path) -> None:
    for page in (built / "book").glob("*.html"):
        text = page.read_text("utf-8")
        captions = len(re.findall(r'<figure[^>]*\bid="fig-', text))
        assert captions == text.count('class="pc-data reference'), page.name


def test_a_page_without_alternative_text_does_not_build(clone: Path) -> None:
    page = clone / "book" / "bibliography.md"
    (clone / "book" / "dot.png").write_bytes((ROOT / "tests" / "pictures").glob("*.png").__next__().read_bytes())
    page.write_text(page.read_text("utf-8") + "\n![](dot.png)\n", "utf-8")
    run = run_in(clone, sys.executable, "tools/build_html.py")
    assert run.returncode != 0 and "has no alternative text" in run.stderr


@pytest.mark.parametrize("value", ["github.com/a/b", "https://example.org/a/b", "https://github.com/a"])
def test_an_unusable_repository_is_refused(clone: Path, value: str) -> None:
    run = run_in(clone, sys.executable, "tools/build_html.py", REPOSITORY=value)
    assert run.returncode == 2 and "is not like https://github.com/OWNER/NAME" in run.stderr


def test_buttons_appear_with_a_repository_only(clone: Path, built: Path) -> None:
    page = Path("book") / "notation.html"
    assert "mybinder.org" not in (built / page).read_text("utf-8")
    run = run_in(clone, sys.executable, "tools/build_html.py", REPOSITORY="https://github.com/someone/planarcontact")
    assert run.returncode == 0, run.stderr
    text = (clone / "_build" / "html" / page).read_text("utf-8")
    for wanted in ("mybinder.org/v2/gh/someone/planarcontact", "colab.research.google.com/github/someone/planarcontact"):
        assert wanted in text
    assert "https://github.com/someone/planarcontact" in text
    assert status(clone) == ""


def test_jupyter_book_is_the_first_generation() -> None:
    run = subprocess.run(
        [sys.executable, "-c", "from jupyter_book import __version__ as v; print(v)"], capture_output=True, text=True, check=True
    )
    assert run.stdout.split(".")[0] == "1"
