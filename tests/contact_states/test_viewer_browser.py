"""The viewer in a real browser: scrub, play, keys, dark mode, phone width, from a file and inside a page."""

import functools
import http.server
import re
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from planarcontact.contact_states import formation_label, polygon_scene, recognize, step_scene
from planarcontact.contact_states.demo import load_demo
from planarcontact.contact_states.viewer import write_viewer

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.ci,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium (Debian: apt install chromium)"),
]
NAMES_OF_ON = "[...document.querySelectorAll('#rows tr.on th')].map(t => t.firstChild.textContent)"
CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (c) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const behind = (el) => { const layers = []; for (; el; el = el.parentElement) { const c = rgba(getComputedStyle(el).backgroundColor);
    if (c[3]) layers.push(c); if (c[3] === 255) break; }
    return layers.reverse().reduce((s, c) => s.map((v, i) => v + (c[i] - v) * c[3] / 255), [255, 255, 255]); };
  const lum = (c) => c.slice(0, 3).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; })
    .reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const bad = [];
  for (const el of document.querySelectorAll('h1, h2, p, th, td, small, button, select, label, summary, span')) {
    const own = [...el.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !el.getClientRects().length || el.closest('.sr')) continue;
    const a = lum(rgba(getComputedStyle(el).color)), b = lum(behind(el));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push([el.tagName, el.textContent.slice(0, 30), ratio.toFixed(2)]);
  }
  return bad; }"""


@dataclass
class Run:
    time: NDArray[np.float64]
    poses: NDArray[np.float64]


@pytest.fixture(scope="module")
def viewer(tmp_path_factory) -> Path:
    demo = load_demo()
    folder = tmp_path_factory.mktemp("viewer with space")
    page = write_viewer(demo, recognize(demo.poses, step_scene()), folder)
    (folder / "chapter.html").write_text(
        '<!doctype html><html lang="en" data-theme="light"><title>chapter</title><link rel="icon" href="data:,">'
        '<iframe src="viewer.html" title="viewer" style="width:100%;height:300px"></iframe></html>'
    )
    return page


@pytest.fixture(scope="module")
def labels():
    demo = load_demo()
    return recognize(demo.poses, step_scene())


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        chrome = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-quic"])
        yield chrome
        chrome.close()


@pytest.fixture
def open_page(browser):
    """Open an address; at the end, nothing may have gone wrong and nothing may have been asked of a network."""
    contexts, wrong = [], []

    def opened(url: str, **options):
        context = browser.new_context(**{"viewport": {"width": 1180, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda e: wrong.append(f"script error: {e}"))
        page.on("console", lambda m: wrong.append(f"console: {m.text}") if m.type in ("error", "warning") else None)
        allowed = ("file:", "data:", "blob:", "http://127.0.0.1:")
        page.on("request", lambda r: wrong.append(f"request: {r.url}") if not r.url.startswith(allowed) else None)
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


def frame(page) -> int:
    return int(re.match(r"frame (\d+) of", page.inner_text("#clock"))[1])


def test_opens_from_a_file(open_page, viewer, labels):
    page = open_page(viewer.as_uri())
    assert frame(page) == 0 and page.inner_text("#formation") == "{g}"
    assert page.locator("#rows tr").count() == int(labels.in_band.any(axis=0).sum())
    assert page.locator("#chain button").count() == 15
    assert page.title() == "Contact states, frame by frame"


def test_every_run_shows_its_labels(open_page, viewer, labels):
    page = open_page(viewer.as_uri())
    for run in range(15):
        page.locator("#chain button").nth(run).click()
        k = frame(page)
        assert set(page.evaluate(NAMES_OF_ON)) == labels.names(k)
        assert page.inner_text("#count").startswith(f"{labels.in_band[k].sum()} in band, {labels.on[k].sum()} on")
        assert set(page.evaluate("[...document.querySelectorAll('#scene .set')].map(l => l.dataset.template)")) == labels.names(k)
        assert page.locator("#chain button[aria-current=step]").count() == 1


def test_drawn_contact_set_is_the_label(open_page, viewer, labels):
    page = open_page(viewer.as_uri() + "#frame=800")
    for name in ("g", "s"):
        ends = page.evaluate(f"(() => {{ const l = document.querySelector('#scene .set[data-template=\"{name}\"]'); return ['x1','y1','x2','y2'].map(a => +l.getAttribute(a)) }})()")
        x0, y0, x1, y1 = (v / 1000 for v in ends)
        wanted = labels.contact_set(800, name)
        assert abs(x0 - wanted[0, 0]) + abs(-y0 - wanted[0, 1]) + abs(x1 - wanted[1, 0]) + abs(-y1 - wanted[1, 1]) < 4e-4


def test_scrubs_with_the_mouse(open_page, viewer):
    page = open_page(viewer.as_uri())
    box = page.locator("#strip").bounding_box()
    page.mouse.move(box["x"] + 2, box["y"] + 10)
    page.mouse.down()
    frames = []
    for share in (0.25, 0.5, 0.75):
        page.mouse.move(box["x"] + share * box["width"], box["y"] + 10)
        frames.append(frame(page))
    page.mouse.move(box["x"] + 2 * box["width"], box["y"] + 10)
    assert frame(page) == 1720
    page.mouse.up()
    assert all(abs(f - share * 1721) <= 2 for f, share in zip(frames, (0.25, 0.5, 0.75)))
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    assert frame(page) == 1720


def test_plays_and_pauses(open_page, viewer):
    page = open_page(viewer.as_uri())
    page.select_option("#speed", "4")
    page.click("#play")
    page.wait_for_function("Number(document.getElementById('slider').value) > 60")
    assert "Pause" in page.inner_text("#play")
    page.click("#play")
    stopped = frame(page)
    page.wait_for_timeout(150)
    assert frame(page) == stopped
    page.keyboard.press("End")
    page.click("#play")
    page.wait_for_function("Number(document.getElementById('slider').value) < 1000")
    page.keyboard.press("ArrowRight")
    assert "Play" in page.inner_text("#play")


def test_play_stops_at_the_end(open_page, viewer):
    page = open_page(viewer.as_uri() + "#frame=1690")
    page.select_option("#speed", "4")
    page.click("#play")
    page.wait_for_function("document.getElementById('play').textContent.includes('Play')")
    assert frame(page) == 1720


def test_works_by_keyboard_alone(open_page, viewer, labels):
    page = open_page(viewer.as_uri())
    press, starts = page.keyboard.press, [0, 138, 601, 602]
    press("ArrowRight")
    press("ArrowRight")
    press("ArrowLeft")
    assert frame(page) == 1
    press("Shift+ArrowRight")
    assert frame(page) == 11
    for start in starts[1:]:
        press("PageDown")
        assert frame(page) == start
    press("PageUp")
    assert frame(page) == 601
    press("End")
    assert frame(page) == 1720
    press("Home")
    assert frame(page) == 0
    press(" ")
    page.wait_for_function("Number(document.getElementById('slider').value) > 3")
    press(" ")
    assert "Play" in page.inner_text("#play")
    reached = []
    for _ in range(60):
        press("Tab")
        name = page.evaluate("document.activeElement.id || document.activeElement.tagName")
        reached.append(name)
        if name == "slider":
            before = frame(page)
            press("ArrowUp")
            assert frame(page) == before + 1
            shown = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert shown != "none"
        if name == "play":
            press("Enter")
            assert "Pause" in page.inner_text("#play")
            press(" ")
            assert "Play" in page.inner_text("#play")
    assert {"out", "in", "follow", "slider", "play", "back", "ahead", "before", "after", "speed", "SUMMARY"} <= set(reached)


def test_speaks_to_a_screen_reader(open_page, viewer):
    page = open_page(viewer.as_uri())
    assert page.get_by_role("slider", name="Frame").count() == 1
    assert page.get_by_role("table").count() == 1 and page.get_by_role("columnheader").count() == 4
    assert page.get_by_role("status").count() == 1
    unnamed = page.evaluate("[...document.querySelectorAll('button')].filter(b => !(b.ariaLabel || b.textContent).trim()).length")
    assert unnamed == 0
    page.keyboard.press("PageDown")
    page.wait_for_function("document.getElementById('live').textContent.includes('{mx, g}')")
    assert page.inner_text("#live").startswith("Frame 138, 1.38 seconds, {mx, g}, 6 in band, 2 on")
    assert "{mx, g}" in page.get_attribute("#slider", "aria-valuetext")
    assert "{mx, g}" in page.evaluate("document.getElementById('picture').textContent")


def test_zooms_follows_and_drags(open_page, viewer):
    page = open_page(viewer.as_uri() + "#frame=800")
    view = lambda: [float(v) for v in page.get_attribute("#scene", "viewBox").split()]  # noqa: E731
    whole = view()
    for _ in range(5):
        page.keyboard.press("+")
    assert view()[2] < whole[2] / 6
    near = view()
    box = page.locator("#scene").bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 260, box["y"] + 230)
    page.mouse.up()
    assert view()[0] < near[0] and view()[1] < near[1]
    page.keyboard.press("f")
    assert page.get_attribute("#follow", "aria-pressed") == "true"
    page.keyboard.press("End")
    inside = view()
    on = page.evaluate("(() => { const l = document.querySelector('#scene .set'); return ['x1','y1'].map(a => +l.getAttribute(a)) })()")
    assert inside[0] <= on[0] <= inside[0] + inside[2] and inside[1] <= on[1] <= inside[1] + inside[3]
    page.keyboard.press("0")
    assert view() == whole


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_follows_the_systems_colours(open_page, viewer, scheme):
    page = open_page(viewer.as_uri() + "#frame=905", color_scheme=scheme)
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")
    page.click("summary")
    assert page.evaluate(CONTRAST) == []


def test_follows_the_embedding_page(open_page, viewer):
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=str(viewer.parent))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = open_page(f"http://127.0.0.1:{server.server_port}/chapter.html", color_scheme="light")
        inner = page.frames[1]
        inner.wait_for_selector("#chain button")
        background = "getComputedStyle(document.body).backgroundColor"
        assert inner.evaluate(background) == "rgb(255, 255, 255)"
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        inner.wait_for_function(f"{background} !== 'rgb(255, 255, 255)'")
        page.evaluate("document.documentElement.dataset.theme = 'light'")
        inner.wait_for_function(f"{background} === 'rgb(255, 255, 255)'")
        page.wait_for_function("document.querySelector('iframe').getBoundingClientRect().height > 500")
        server.shutdown()


def test_fits_a_phone(open_page, viewer):
    page = open_page(viewer.as_uri() + "#frame=601", viewport={"width": 390, "height": 800}, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    wide = page.evaluate("[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > 391 && !e.closest('svg')).map(e => e.id || e.tagName)")
    assert wide == []
    small = page.evaluate("[...document.querySelectorAll('button')].filter(b => b.getBoundingClientRect().height < 24).length")
    assert small == 0


def test_shows_any_scene(open_page, tmp_path):
    ground = [[(-1, -1), (1, -1), (1, 0), (0.2, 0.05), (-1, 0)], [(-0.3, 0.2), (-0.2, 0.2), (-0.25, 0.3)]]
    scene = polygon_scene([(0, 0), (0.1, 0), (0.04, 0.08)], ground, 0.01, disk_environment=True)
    time, slope = np.linspace(0, 1, 41), 0.05 / 1.2
    x = -0.4 + 0.3 * time
    z = (x + 1) * slope
    disk = np.column_stack([x - 0.02, z - 0.02 * slope + 0.01 * np.hypot(1, slope) + 2e-4])
    poses = np.column_stack([x, z + 5e-4, np.full_like(x, -np.arctan(slope)), disk])
    labels = recognize(poses, scene)
    page = open_page(write_viewer(Run(time, poses), labels, tmp_path, title="A triangle on a ramp").as_uri() + "#frame=20")
    assert page.title() == "A triangle on a ramp" and page.inner_text("#formation") == formation_label(labels.names(20), scene)
    view = [float(v) / 1000 for v in page.get_attribute("#scene", "viewBox").split()]
    assert view[2] < 1.5, "the whole ground is shown instead of the part where something happens"
    for name in labels.names(20):
        ends = page.evaluate(
            "(n) => { const l = document.querySelector(`#scene .set[data-template='${n}']`); return ['x1','y1','x2','y2'].map(a => +l.getAttribute(a)) }", name
        )
        wanted = labels.contact_set(20, name) * [1000, -1000]
        assert np.abs(np.array(ends).reshape(2, 2) - wanted).max() < 0.2


def test_says_when_its_data_are_missing(browser, viewer, tmp_path):
    shutil.copy(viewer, tmp_path / "viewer.html")
    page = browser.new_page()
    page.goto((tmp_path / "viewer.html").as_uri())
    assert "viewer-data.js is not beside this page" in page.inner_text("#formation")
    page.close()
