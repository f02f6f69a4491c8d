"""The book in a real browser: light and dark, wide and narrow, by keyboard, offline."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from scratch import ROOT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.ci,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium (Debian: apt install chromium)"),
]
PAGES = sorted({p.stem for p in (ROOT / "book").glob("*.ipynb")} | {p.stem for p in (ROOT / "book").glob("*.md")})
CONTRAST = """() => {
  const rgba = (c) => (c.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const solid = (el) => { for (; el; el = el.parentElement) { const c = rgba(getComputedStyle(el).backgroundColor);
    if (c.length < 4 || c[3] > 0.99) return c; } return [255, 255, 255]; };
  const lum = (c) => c.slice(0, 3).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; })
    .reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const bad = [];
  for (const el of document.querySelectorAll('article p, article td, article th, article figcaption span, article li, article h1, article h2, article h3')) {
    if (!el.innerText || !el.innerText.trim() || !el.offsetParent) continue;
    const a = lum(rgba(getComputedStyle(el).color)), b = lum(solid(el));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push([el.tagName, el.innerText.slice(0, 40), ratio.toFixed(2)]);
  }
  return bad; }"""


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        chrome = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-quic"])
        yield chrome
        chrome.close()


def _open(browser, url: str, **context):  # type: ignore[no-untyped-def]
    page = browser.new_context(**context).new_page()
    page.wrong = []
    page.on("pageerror", lambda e: page.wrong.append(f"script error: {e}"))
    page.on("console", lambda m: page.wrong.append(f"console: {m.text}") if m.type == "error" else None)
    page.on("request", lambda r: page.wrong.append(f"request: {r.url}") if not r.url.startswith(("file:", "data:", "blob:")) else None)
    page.goto(url)
    page.wait_for_load_state("load")
    return page


@pytest.mark.parametrize("name", PAGES)
def test_page(browser, built: Path, name: str) -> None:  # type: ignore[no-untyped-def]
    page = _open(browser, (built / "book" / f"{name}.html").as_uri(), viewport={"width": 1200, "height": 900})
    source = (built / "book" / f"{name}.html").read_text("utf-8")
    if 'class="math' in source:
        page.wait_for_selector("mjx-container", state="attached", timeout=20000)
        assert page.locator("mjx-container").count() > 0
        assert page.locator("mjx-merror").count() == 0
    broken = page.evaluate("[...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src)")
    assert broken == []
    assert page.evaluate(CONTRAST) == []
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1"), "scrolls sideways at 390 px"
    assert page.wrong == []
    page.context.close()
    dark = _open(browser, (built / "book" / f"{name}.html").as_uri(), color_scheme="dark")
    assert dark.evaluate("document.documentElement.dataset.theme") == "dark"
    assert dark.evaluate(CONTRAST) == []
    dark.context.close()


def test_search_finds(browser, built: Path) -> None:  # type: ignore[no-untyped-def]
    page = _open(browser, (built / "search.html").as_uri() + "?q=ellipsoid")
    page.wait_for_selector("#search-results ul.search li a", timeout=20000)
    assert any("notation" in (a.get_attribute("href") or "") for a in page.locator("#search-results li a").all())
    page.context.close()


def test_the_keyboard_reaches_the_text(browser, built: Path) -> None:  # type: ignore[no-untyped-def]
    page = _open(browser, (built / "book" / "notation.html").as_uri(), viewport={"width": 1200, "height": 900})
    page.keyboard.press("Tab")
    assert "skip" in page.evaluate("document.activeElement.textContent").lower()
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.tagName + ' ' + document.activeElement.className"))
    assert any("pc-data" in s for s in seen) and any("SUMMARY" in s for s in seen)
    page.context.close()
