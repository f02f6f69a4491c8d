"""A trajectory as one offline HTML file."""

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from planarcontact.dynamics import Body, EllipsoidalFriction, Plane, Scene, Sphere, scenes, simulate
from planarcontact.dynamics.animation import animation, animation_data
from planarcontact.dynamics.animation_page import PAGE
from planarcontact.errors import DataError, InputError

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def embedded(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


@pytest.fixture(scope="module")
def bar():
    scene = scenes.t_bar(duration=1.5)
    return scene, simulate(scene, backend="compiled")


def test_the_page_holds_the_trajectory(bar):
    scene, run = bar
    states = embedded(animation(run, scene))["states"]
    assert len(states) == scene.steps
    assert np.allclose([s[0] for s in states], run.time[1:], atol=1e-6)
    assert np.allclose([s[1] for s in states], run.position[1:], atol=1e-6)
    assert np.allclose([s[2] for s in states], run.orientation[1:], atol=1e-6)
    assert np.allclose([s[3] for s in states], run.ecp, atol=1e-6)
    assert np.allclose([s[4] for s in states], run.impulse, atol=1e-6)


def test_what_touches_and_its_hull_are_those_of_the_state(bar):
    scene, run = bar
    states = animation_data(run, scene)["states"]
    flat = states[0]
    assert len(flat[5]) == 8 and len(flat[6]) == 6  # the T's two inner corners are not on its hull
    tilted = int(np.flatnonzero(run.contact == 1)[0])
    assert len(states[tilted][5]) == 1 and np.allclose(states[tilted][5][0], run.ecp[tilted], atol=1e-6)
    for state in states:
        assert np.abs(scene.support.height(state[5])).max() <= 1e-6


def test_edges_are_those_of_the_hull():
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    scene = Scene(body=Body(1.0, np.eye(3), [*corners, (0, 0, 1)]), friction=EllipsoidalFriction(0.2), position=(0, 0, 1), duration=0.02)
    edges = np.array(animation_data(simulate(scene, backend="compiled"), scene)["edges"])
    assert len(edges) == 12
    assert np.allclose(np.linalg.norm(edges[:, 0] - edges[:, 1], axis=1), 2.0)


def test_discs_balls_flight_and_slopes():
    body = Body(1.0, np.eye(3) * 0.01, discs=scenes.dumbbell_body().discs, spheres=[Sphere((0, 0, 0.2), 0.05)])
    plane = Plane((0.2, 0.1, 1.0), 0.1)
    scene = Scene(body=body, support=plane, friction=EllipsoidalFriction(0.2), position=(0, 0, 2.0), duration=0.05)
    data = animation_data(simulate(scene, backend="compiled"), scene)
    assert len(data["rings"]) == 2 and len(data["balls"]) == 1 and data["edges"] == []
    assert all(state[3] is None and state[5] == [] for state in data["states"])
    ring = np.array(data["rings"][0])
    assert np.allclose(np.linalg.norm(ring - body.discs[0].centre, axis=1), body.discs[0].radius, atol=1e-6)
    assert np.allclose(data["frame"], plane.frame, atol=1e-6)


def test_long_runs_are_thinned_and_keep_their_end(bar):
    scene, run = bar
    states = animation_data(run, scene, frames=40)["states"]
    assert len(states) == 40 and states[-1][0] == pytest.approx(run.time[-1])


class Audit(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.outside, self.labels = [], [], set()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        self.outside += [v for k, v in attributes.items() if k in ("src", "href") and not v.startswith("data:")]
        if tag == "label":
            self.labels.add(attributes["for"])


def test_the_file_is_self_contained_labelled_and_safe(bar, tmp_path):
    scene, run = bar
    path = tmp_path / "bar.html"
    run.to_html(path, scene, title="A <b>T</b>-bar & co")
    page = path.read_text(encoding="utf-8")
    audit = Audit()
    audit.feed(page)
    assert audit.outside == [] and not re.search(r"https?://|@import|fetch\(|XMLHttpRequest|url\(", page)
    assert "<title>A &lt;b&gt;T&lt;/b&gt;-bar &amp; co</title>" in page and "{{" not in page
    assert ("html", {"lang": "en"}) in audit.tags and "prefers-color-scheme: dark" in page
    canvas = next(a for t, a in audit.tags if t == "canvas")
    assert canvas["role"] == "img" and canvas["aria-label"]
    controls = {a["id"] for t, a in audit.tags if t in ("input", "select")}
    assert controls == {"time", "speed"} and controls <= audit.labels
    assert len(page) < 1_000_000


def test_bad_requests_are_refused(bar, tmp_path):
    scene, run = bar
    with pytest.raises(InputError, match="trajectory"):
        animation(run, scenes.t_bar())
    with pytest.raises(InputError, match="title"):
        animation(run, scene, title=" ")
    with pytest.raises(InputError, match="frames"):
        animation(run, scene, frames=1)
    with pytest.raises(DataError, match="cannot be written"):
        run.to_html(tmp_path / "no" / "folder.html", scene)


@pytest.mark.ci
@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium (Debian: apt install chromium)")
def test_it_plays_in_a_browser_by_keys_and_mouse(bar, tmp_path):
    from playwright.sync_api import sync_playwright

    scene, run = bar
    path = tmp_path / "bar.html"
    run.to_html(path, scene, title="T-bar")
    wrong = []
    with sync_playwright() as play:
        chrome = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-quic"])
        page = chrome.new_page(viewport={"width": 390, "height": 780})
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: wrong.append(request.url) if not request.url.startswith(("file:", "data:")) else None)
        page.goto(path.as_uri())
        picture = lambda: page.evaluate("document.getElementById('view').toDataURL()")  # noqa: E731
        at = lambda: int(page.locator("#time").input_value())  # noqa: E731
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        seen = [picture()]
        page.keyboard.press("Home")
        assert at() == 0
        page.keyboard.press("ArrowRight")
        assert at() == 1
        page.keyboard.press("End")
        assert at() == scene.steps - 1 and "3 points" not in page.locator("#readout").inner_text()
        seen.append(picture())
        page.keyboard.press("t")
        assert page.locator("#above").get_attribute("aria-pressed") == "true"
        seen.append(picture())
        page.keyboard.press("d")
        seen.append(picture())
        page.emulate_media(color_scheme="dark")
        page.wait_for_timeout(100)
        seen.append(picture())
        assert len(set(seen)) == len(seen)
        page.keyboard.press("Home")
        page.keyboard.press(" ")
        page.wait_for_function("Number(document.getElementById('time').value) > 3")
        page.keyboard.press(" ")
        assert page.locator("#play").inner_text() == "Play"
        chrome.close()
    assert wrong == []


@pytest.mark.ci
@pytest.mark.parametrize("name, make", [("t-bar", scenes.t_bar), ("dumbbell", scenes.dumbbell)])
def test_the_book_shows_what_the_library_computes(name, make):
    """Renew with: simulate(scene).to_html("book/_static/animations/...", scene, title=..., frames=500)."""
    scene = make()
    page = (Path(__file__).parents[2] / "book/_static/animations" / f"{name}.html").read_text(encoding="utf-8")
    fresh = animation_data(simulate(scene, backend="compiled"), scene, frames=500)
    shown = embedded(page)
    assert PAGE.split("{{data}}")[1] in page
    assert {k: v for k, v in shown.items() if k != "states"} == {k: v for k, v in fresh.items() if k != "states"}
    assert len(shown["states"]) == len(fresh["states"])
    for old, new in zip(shown["states"], fresh["states"]):
        for a, b in zip(old[:5], new[:5]):
            assert (a is None) == (b is None)
            assert a is None or np.allclose(a, b, rtol=0, atol=2e-5)
