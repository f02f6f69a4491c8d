"""The book as PDF, printed by Chromium from the built pages, which then link to what was made.

    python tools/pdf.py              -> _build/planarcontact.pdf (Sphinx's single page) and every page
    python tools/pdf.py dynamics     -> _build/html/_pdf/dynamics.pdf

A page without a PDF offers to print itself instead, so the HTML needs no Chromium.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from notebooks import ROOT  # noqa: E402

HTML = ROOT / "_build" / "html"


def main(names: list[str]) -> int:
    """Print; the exit code is 2 without Chromium or for an unknown page."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        print("error: no Chromium, which prints the pages. Debian and Ubuntu: apt install chromium", file=sys.stderr)
        return 2
    pages, folder = {}, HTML / "_pdf"
    for name in names or sorted(path.stem for path in (HTML / "book").glob("*.html")):
        page = HTML / "book" / f"{name}.html"
        if not page.is_file():
            print(f"error: no page {page.relative_to(ROOT)}; make html builds the book", file=sys.stderr)
            return 2
        pages[page] = folder / f"{name}.pdf"
    if not names:
        code = _single_page()
        if code:
            return code
        (page,) = (ROOT / "_build" / "singlehtml").glob("book/*.html")
        pages[page] = ROOT / "_build" / "planarcontact.pdf"
    _print(chromium, pages)
    made = sorted(path.stem for path in folder.glob("*.pdf"))
    (HTML / "_static" / "pdf-pages.js").write_text(f"window.planarcontactPdf = {json.dumps(made)};\n", encoding="utf-8")
    return 0


def _single_page() -> int:
    start = "from jupyter_book.cli.main import main; main()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "lib"), str(ROOT / "book" / "_ext")))}
    log = ROOT / "_build" / "pdf.log"
    log.parent.mkdir(exist_ok=True)
    with log.open("w", encoding="utf-8") as file:
        code = subprocess.run(
            [sys.executable, "-c", start, "build", ".", "--builder", "singlehtml"],
            cwd=ROOT, env=environment, stdout=file, stderr=subprocess.STDOUT,
        ).returncode
    if code:
        print(f"error: the single page did not build; see {log.relative_to(ROOT)}", file=sys.stderr)
    return code


def _print(chromium: str, pages: dict[Path, Path]) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu", "--disable-quic"])
        for page, target in pages.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            tab = browser.new_page()
            tab.goto(page.as_uri())
            tab.wait_for_load_state("load")
            tab.wait_for_function("!window.MathJax || !MathJax.startup || MathJax.startup.promise.then(() => true)", timeout=120_000)
            tab.emulate_media(media="print", color_scheme="light")
            tab.pdf(path=str(target), format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "15mm"))
            tab.close()
            print(target.relative_to(ROOT))
        browser.close()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
