"""The book in a real browser: light and dark, wide and narrow, by keyboard, offline."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import axe
import pytest
from scratch import ROOT, run_in

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.ci,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium (Debian: apt install chromium)"),
]
PAGES = sorted({p.stem for p in (ROOT / "book").glob("*.ipynb")} | {p.stem for p in (ROOT / "book").glob("*.md")})
# The reference page holds thousands of entries of one form, of which the first module's are looked at closely.
SAME = {"api": "section[id='module-planarcontact.errors'] ~ section"}
VIEWER = "_static/viewer/viewer.html"
# Each element with text of its own and each drawn mark, against what is painted behind it. axe leaves open what it
# cannot decide, text in exactly its background's colour among it, so this does not rest on axe.
CONTRAST = r"""() => {
  const rgba = (c) => { const n = (c.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3]));
  // A table's background is not painted behind its caption.
  const next = (el) => { const up = el.parentElement;
    return el.tagName === 'CAPTION' && getComputedStyle(up).display === 'table' ? up.parentElement : up; };
  const behind = (el) => { const glazes = []; let ground = [255, 255, 255];
    for (; el; el = next(el)) { const c = rgba(getComputedStyle(el).backgroundColor);
      if (c[3] === 1) { ground = c; break; } if (c[3] > 0) glazes.push(c); }
    return glazes.reduceRight((under, top) => over(top, under), ground); };
  const lum = (c) => c.slice(0, 3).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; })
    .reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const bad = [];
  const look = (el, style, text) => {
    const ground = behind(el), a = lum(over(rgba(style.color), ground)), b = lum(ground);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push([el.tagName, text.trim().slice(0, 40), ratio.toFixed(2)]); };
  for (const el of document.querySelectorAll('article *')) {
    if (el.closest('mjx-container, svg, script, style') || !el.offsetParent) continue;
    const mark = getComputedStyle(el, '::before');
    if (/^"\s*[^"\s]/.test(mark.content)) look(el, mark, mark.content);
    if ([...el.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) look(el, getComputedStyle(el), el.textContent);
  }
  return bad; }"""
RAW = r"""() => [...document.querySelectorAll('article p, article li, article td, article figcaption')]
  .filter((el) => { const copy = el.cloneNode(true); copy.querySelectorAll('code, pre, mjx-container, .math').forEach((n) => n.remove());
    return /\{(doc|ref|cite|numref|term|download)\}|:::|\\(begin|frac|mathrm)\b|\[\]\(/.test(copy.textContent); })
  .map((el) => el.textContent.slice(0, 80))"""


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
    page = _open(browser, (built / "book" / f"{name}.html").as_uri(), viewport={"width": 1200, "height": 900}, color_scheme="light")
    if 'class="math' in (built / "book" / f"{name}.html").read_text("utf-8"):
        page.wait_for_selector("mjx-container", state="attached", timeout=60000)
        page.evaluate("MathJax.startup.promise.then(() => null)")
        assert page.locator("mjx-merror").count() == 0
    assert page.evaluate("[...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src)") == []
    assert page.evaluate(RAW) == []
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1"), "scrolls sideways at 390 px"
    page.set_viewport_size({"width": 1200, "height": 900})
    if name in SAME:
        page.evaluate("(s) => document.querySelectorAll(s).forEach((e) => e.remove())", SAME[name])
    assert page.evaluate(CONTRAST) == []
    assert axe.findings(page) == []
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    page.wait_for_timeout(300)  # the theme fades
    assert page.evaluate(CONTRAST) == []
    assert axe.findings(page, rules=("color-contrast",)) == []
    assert page.wrong == []
    page.context.close()


def test_the_contrast_check_sees_what_cannot_be_read(browser, built: Path) -> None:  # type: ignore[no-untyped-def]
    page = _open(browser, (built / "book" / "dynamics.html").as_uri(), viewport={"width": 1200, "height": 900})
    for scheme, card in (("light", "rgb(18, 18, 18)"), ("dark", "rgb(206, 214, 221)")):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function("(s) => document.documentElement.dataset.theme === s", arg=scheme)
        page.wait_for_timeout(300)
        assert page.evaluate(CONTRAST) == []
        for rule, tags in (
            (f".pc-table {{ background: {card} !important; }}", {"CAPTION"}),  # the cells keep their own background
            (".pc-table td { color: var(--pst-color-table-row-zebra-low-bg) !important; }", {"TD"}),
            (".pc-table td::before { color: var(--pst-color-background) !important; }", {"TD"}),
            ("article figcaption .caption-text { color: var(--pst-color-background) !important; }", {"SPAN"}),
            ("article .legend p.pc-provenance { color: rgba(128, 128, 128, 0.4) !important; }", {"P"}),
        ):
            spoilt = page.add_style_tag(content=rule)
            page.wait_for_timeout(300)
            found = {tag for tag, _, _ in page.evaluate(CONTRAST)}
            assert found >= tags, f"{rule} in {scheme} mode: only {found or 'nothing'} found"
            spoilt.evaluate("(style) => style.remove()")
            page.wait_for_timeout(300)
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_viewer_is_accessible(browser, built: Path, scheme: str) -> None:  # type: ignore[no-untyped-def]
    page = _open(browser, (built / VIEWER).as_uri(), viewport={"width": 1200, "height": 900}, color_scheme=scheme)
    page.wait_for_selector("#scene")
    assert axe.findings(page) == [] and page.wrong == []
    page.context.close()


@pytest.mark.parametrize(("word", "page_name"), [("ellipsoid", "notation"), ("formation", "contact_states_exact"), ("complementarity", "glossary")])
def test_search_finds(browser, built: Path, word: str, page_name: str) -> None:  # type: ignore[no-untyped-def]
    page = _open(browser, (built / "search.html").as_uri() + f"?q={word}")
    page.wait_for_selector("#search-results ul.search li a", timeout=60000)
    page.wait_for_function("!document.querySelector('#search-progress')?.textContent.match(/^(Searching|Preparing)/)")
    assert any(page_name in (a.get_attribute("href") or "") for a in page.locator("#search-results li a").all())
    page.context.close()


def test_the_keyboard_reaches_and_opens_everything(browser, built: Path) -> None:  # type: ignore[no-untyped-def]
    page = _open(browser, (built / "book" / "notation.html").as_uri(), viewport={"width": 1200, "height": 900})
    page.keyboard.press("Tab")
    assert "skip" in page.evaluate("document.activeElement.textContent").lower()
    seen = set()
    for _ in range(70):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.tagName + ' ' + document.activeElement.className"))
    for wanted in ("A pc-data", "A pc-file", "A pc-term", "BUTTON pc-print", "SUMMARY"):
        assert any(s.startswith(wanted) for s in seen), f"{wanted} not among {sorted(seen)}"
    box = page.locator(".pc-chapter details", has_text="Rerun this chapter")
    box.locator("summary").focus()
    page.keyboard.press("Enter")
    assert box.get_attribute("open") is not None and box.get_by_text("make chapter NAME=notation").is_visible()
    page.context.close()


@pytest.mark.parametrize(
    ("file", "control", "key", "read"),
    [
        ("viewer.html", "input[type=range]", "ArrowRight", "document.querySelector('input[type=range]').value"),
        ("limit-surface.html", "#view", "ArrowRight", "document.getElementById('view').dataset.view"),
        ("cor-map.html", "#mu", "ArrowLeft", "document.getElementById('mu').getAttribute('aria-valuetext')"),
        ("desk-ecp.html", "#er", "ArrowRight", "document.getElementById('readout').textContent"),
    ],
    ids=["viewer", "limit surface", "stable pushes", "desk"],
)
def test_what_can_be_handled_answers_keys_on_its_page(browser, built: Path, file: str, control: str, key: str, read: str) -> None:  # type: ignore[no-untyped-def]
    page = _open(browser, (built / "book" / "interactive.html").as_uri(), viewport={"width": 1200, "height": 900}, color_scheme="dark")
    frame = next(f for f in page.frames if file in f.url)
    frame.frame_element().scroll_into_view_if_needed()
    frame.wait_for_selector(control)
    frame.wait_for_timeout(200)
    before = frame.evaluate(read)
    frame.focus(control)
    page.keyboard.press(key)
    frame.wait_for_function(f"(before) => ({read}) !== before", arg=before)
    background = frame.evaluate("getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(Number)")
    assert max(background) < 100, "not dark in dark mode"
    assert page.wrong == []
    page.context.close()


def test_a_page_links_to_its_pdf_once_it_is_made(browser, built: Path, pristine: Path) -> None:  # type: ignore[no-untyped-def]
    names = built / "_static" / "pdf-pages.js"
    before = names.read_bytes()
    try:
        run = run_in(pristine, sys.executable, "tools/pdf.py", "notation")
        assert run.returncode == 0, run.stdout + run.stderr
        assert (built / "_pdf" / "notation.pdf").read_bytes().startswith(b"%PDF")
        assert (built / "book" / "../_pdf/notation.pdf").is_file()
        for name, made in (("notation", True), ("dynamics_dumbbell", False)):
            page = _open(browser, (built / "book" / f"{name}.html").as_uri())
            assert page.locator("a.pc-pdf").is_visible() == made and page.locator("button.pc-print").is_visible() != made
            assert page.locator("a.pc-pdf").get_attribute("href") == ("../_pdf/notation.pdf" if made else None)
            page.context.close()
    finally:
        names.write_bytes(before)


def test_without_chromium_the_pdf_is_refused_in_words(built: Path, pristine: Path, tmp_path: Path) -> None:
    run = run_in(pristine, sys.executable, "tools/pdf.py", "notation", PATH=str(tmp_path))
    assert run.returncode == 2 and "no Chromium" in run.stderr
