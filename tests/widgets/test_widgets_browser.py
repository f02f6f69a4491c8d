"""The widgets in a real browser: mouse, keys, sliders, colours, phone width, from files."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from widgets import cor_map, formats

from planarcontact.contact_states.viewer_code import decode_stream
from planarcontact.limit_surface import friction_cone
from planarcontact.limit_surface.friction_cone import in_cone
from planarcontact.limit_surface.stable_push import push_twists

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.ci,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium (Debian: apt install chromium)"),
]
FOLDER = Path(formats.FOLDER).parent
SURFACE, DESK, MAP = "limit-surface.html", "desk-ecp.html", "cor-map.html"
PAGES = [SURFACE, DESK, MAP]
READY = {SURFACE: "#view[data-view]", DESK: "#mu[aria-valuetext]", MAP: "#mu[aria-valuetext]"}
PICTURE = "(id) => { const c = document.getElementById(id); return c.toDataURL(); }"
CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (c) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const behind = (el) => { for (; el; el = el.parentElement) { const c = rgba(getComputedStyle(el).backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255]; };
  const lum = (c) => c.slice(0, 3).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; })
    .reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  return [...document.querySelectorAll('h1, p, label, button, legend, figcaption, b, kbd, span')].filter((el) => {
    if (![...el.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || !el.getClientRects().length || el.closest('.sr')) return false;
    const a = lum(rgba(getComputedStyle(el).color)), b = lum(behind(el));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
  }).map((el) => el.textContent.slice(0, 30)); }"""


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        chrome = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-quic"])
        yield chrome
        chrome.close()


@pytest.fixture
def open_page(browser):
    """Open a widget; at the end, nothing may have gone wrong and nothing may have been asked of a network."""
    contexts, wrong = [], []

    def opened(name: str, **options):
        context = browser.new_context(**{"viewport": {"width": 1100, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda e: wrong.append(f"script error: {e}"))
        page.on("console", lambda m: wrong.append(f"console: {m.text}") if m.type in ("error", "warning") else None)
        page.on("request", lambda r: wrong.append(f"request: {r.url}") if not r.url.startswith(("file:", "data:")) else None)
        bare, _, query = name.partition("?")
        page.goto((FOLDER / bare).as_uri() + (f"?{query}" if query else ""))
        page.wait_for_selector(READY[bare])
        page.wait_for_timeout(100)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_opens_from_a_file_in_both_colours(open_page, name, scheme):
    page = open_page(name, color_scheme=scheme)
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")
    assert page.evaluate(CONTRAST) == []
    painted = page.evaluate("""[...document.querySelectorAll('canvas')].map(c => {
      const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0; for (let k = 3; k < d.length; k += 4) n += d[k] > 0; return n; })""")
    assert all(n > 500 for n in painted)


@pytest.mark.parametrize("name", PAGES)
def test_fits_a_phone(open_page, name):
    page = open_page(name, viewport={"width": 390, "height": 800}, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("name", PAGES)
def test_everything_has_a_name(open_page, name):
    page = open_page(name)
    for role in ("button", "slider", "checkbox"):
        for element in page.get_by_role(role).all():
            label = element.evaluate("e => (e.getAttribute('aria-label') || (e.labels && [...e.labels].map(l => l.textContent).join('')) || e.textContent).trim()")
            assert label, f"a {role} has no name"
    assert page.get_by_role("status").count() == 1
    assert page.evaluate("[...document.querySelectorAll('canvas')].every(c => c.getAttribute('aria-label'))")


def test_theme_changes_the_picture(open_page):
    page = open_page(SURFACE, color_scheme="light")
    light = page.evaluate(PICTURE, "view")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_timeout(200)
    assert page.evaluate(PICTURE, "view") != light


def test_surface_turns_by_mouse_and_keys(open_page):
    page = open_page(SURFACE)
    view = lambda: [float(v) for v in page.get_attribute("#view", "data-view").split()]  # noqa: E731
    start, picture = view(), page.evaluate(PICTURE, "view")
    box = page.locator("#view").bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 360, box["y"] + 230)
    page.mouse.up()
    assert view()[0] < start[0] and view()[1] > start[1]
    page.wait_for_timeout(100)
    assert page.evaluate(PICTURE, "view") != picture
    page.keyboard.press("r")
    assert view() == start
    for key, index, sign in (("ArrowRight", 0, 1), ("ArrowUp", 1, 1), ("+", 2, 1), ("-", 2, -1), ("ArrowDown", 1, -1), ("ArrowLeft", 0, -1)):
        before = view()
        page.keyboard.press(key)
        assert sign * (view()[index] - before[index]) > 0
    page.click("text=along τ/ρ")
    assert view()[1] == pytest.approx(1.571, abs=1e-3)
    for _ in range(5):
        page.keyboard.press("ArrowUp")
    assert view()[1] == pytest.approx(1.571, abs=1e-3)
    page.wait_for_function("document.getElementById('live').textContent.includes('tilted 90')")


def test_surface_shows_and_hides_its_layers(open_page):
    page = open_page(SURFACE)
    for k in range(page.locator("#layers input").count()):
        before = page.evaluate(PICTURE, "view")
        page.click(f"#layer-{k}")
        page.wait_for_timeout(100)
        assert page.evaluate(PICTURE, "view") != before


def test_surface_tells_its_data_points(open_page):
    page = open_page(f"{SURFACE}?data=limit-surface-wood")
    notes = next(layer["notes"] for layer in formats.read("limit-surface-wood")["layers"] if layer["type"] == "points")
    assert page.inner_text("#readout") == f"poke 1 of 50\n{notes[0]}"
    page.keyboard.press("n")
    assert page.inner_text("#readout") == f"poke 2 of 50\n{notes[1]}"
    page.focus("#point")
    page.keyboard.press("End")
    assert page.inner_text("#readout") == f"poke 50 of 50\n{notes[49]}"
    assert notes[49].split("\n")[0] in page.get_attribute("#point", "aria-valuetext")


def test_numbers_are_read_as_they_were_written(open_page):
    page = open_page(DESK)
    cell = formats.read("desk-ecp")["runs"][5][3]
    for text in cell.values():
        assert page.evaluate("(t) => Widget.numbers(t, 1)", text) == decode_stream(text)


def test_desk_follows_its_sliders(open_page):
    page = open_page(DESK)
    usual = page.evaluate(PICTURE, "own"), page.inner_text("#readout")
    assert page.inner_text("#mu-value") == "0.22" and page.inner_text("#er-value") == "0.10 m"
    page.focus("#mu")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#mu-value") == "0.26"
    page.focus("#er")
    page.keyboard.press("End")
    assert page.inner_text("#er-value") == "0.30 m"
    page.wait_for_timeout(100)
    assert page.evaluate(PICTURE, "own") != usual[0] and page.inner_text("#readout") != usual[1]
    page.wait_for_function("document.getElementById('live').textContent.startsWith('μ 0.26, e r 0.30')")
    page.click("#reset")
    assert page.inner_text("#readout") == usual[1]
    page.focus("#time")
    page.keyboard.press("Home")
    assert page.inner_text("#readout").startswith("t = 0.02 s")


def test_desk_plays_and_scrubs(open_page):
    page = open_page(DESK)
    page.keyboard.press(" ")
    page.wait_for_function("Number(document.getElementById('time').value) > 125")
    page.keyboard.press(" ")
    assert "Play" in page.inner_text("#play")
    box = page.locator("#graph").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 60)
    assert abs(int(page.input_value("#time")) - 99.5) <= 1.5


@pytest.mark.parametrize(("edge", "place", "width", "mu"), [("0", 0, 60, 0.3), ("1", -40, 100, 0.6), ("2", 20, 25, 0.1)])
def test_map_agrees_with_the_library(open_page, edge, place, width, mu):
    page = open_page(MAP)
    page.select_option("#edge", edge)
    for name, value in (("place", place), ("width", width), ("mu", mu)):
        page.locator(f"#{name}").fill(str(value))
    shown = page.evaluate("window.corMap")
    data = formats.read("cor-map-wood")
    normals = [shown["normal"]] * 2
    edges = friction_cone(shown["contacts"], normals, mu) / [1.0, 1.0, data["length"]]
    senses = push_twists(shown["contacts"], normals, cor_map.centres())[:, 2]
    apart = np.linalg.norm(np.subtract(*shown["contacts"]))
    assert apart == pytest.approx(width / 1000) and shown["mu"] == mu
    for surface in data["surfaces"]:
        loads = senses[:, None] * np.array([decode_stream(s) for s in surface["loads"]]).T * data["unit"]
        wanted = in_cone(edges, loads, tolerance=1e-7)
        got = np.array([c == "1" for c in shown["stable"][surface["name"]]])
        assert 0 < wanted.sum() < len(wanted) and (got != wanted).sum() <= 2


def test_map_chooses_a_centre_by_mouse_and_keys(open_page):
    page = open_page(MAP)
    box = page.locator("#map").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.inner_text("#readout").startswith("(0, 0) mm")
    page.focus("#map")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    assert page.inner_text("#readout").startswith("(8, 8) mm")
    page.keyboard.press("Shift+ArrowLeft")
    assert page.inner_text("#readout").startswith("(−32, 8) mm")
    page.wait_for_function("document.getElementById('live').textContent.startsWith('(−32, 8) mm')")


@pytest.mark.parametrize(("query", "words"), [("?data=none", "is not there"), ("?data=../x", "letters"), ("?data=desk-ecp", "does not hold")])
def test_wrong_data_are_said(browser, query, words):
    page = browser.new_page()
    page.goto((FOLDER / SURFACE).as_uri() + query)
    page.wait_for_function(f"document.querySelector('h1').textContent.includes('{words}')")
    page.close()
