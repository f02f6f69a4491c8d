"""`show` compares what it must: any number by 1 %, any column, any length; and no rounding."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from planarcontact import figures
from planarcontact.errors import InputError


@figures.drawing("test-figure")
def _draw(data: figures.Columns) -> Figure:
    figure, axes = plt.subplots(figsize=(2, 1))
    axes.plot(data["v [m/s]"])
    return figure


@pytest.fixture
def baselines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("PLANARCONTACT_BASELINES", str(tmp_path))
    yield tmp_path


def _data() -> dict[str, np.ndarray]:
    t = np.linspace(0.0, 4.0, 401)
    return {"t [s]": t, "v [m/s]": np.sin(3.0 * t) - 0.2, "mode": np.array(["slip", "stick"] * 3)}


def _write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPDATE", "1")
    assert figures.show("test-figure", _data()).line.endswith("matches")
    monkeypatch.delenv("UPDATE")


def test_same_data_match(baselines: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(monkeypatch)
    assert figures.show("test-figure", _data()).line.endswith("matches")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(row=st.integers(0, 400), factor=st.sampled_from([0.99, 1.01]))
def test_one_datum_changed_by_one_percent_differs(
    baselines: Path, monkeypatch: pytest.MonkeyPatch, row: int, factor: float
) -> None:
    _write(monkeypatch)
    data = _data()
    data["v [m/s]"][row] *= factor
    line = figures.show("test-figure", data).line
    assert f"differs: column 'v [m/s]' row {row}:" in line


def test_rounding_matches_and_draws_the_same_picture(baselines: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(monkeypatch)
    data = _data()
    data["v [m/s]"] = data["v [m/s]"] * (1.0 + 1e-13)
    shown, stored = figures.show("test-figure", data), figures.show("test-figure", _data())
    assert shown.line.endswith("matches") and shown.png == stored.png


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update({"v [m/s]": d["v [m/s]"][:-1]}),
        lambda d: d.pop("mode"),
        lambda d: d.update(mode=np.array(["slip"] * 6)),
        lambda d: d["v [m/s]"].__setitem__(7, np.nan),
        lambda d: d.update(mode=np.arange(6.0)),
    ],
    ids=["shorter", "missing", "other words", "nan", "other kind"],
)
def test_other_data_differ(baselines: Path, monkeypatch: pytest.MonkeyPatch, change) -> None:  # type: ignore[no-untyped-def]
    _write(monkeypatch)
    data = _data()
    change(data)
    assert ", differs: " in figures.show("test-figure", data).line


def test_update_leaves_a_matching_baseline_untouched(baselines: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(monkeypatch)
    path = baselines / "test-figure.csv"
    before = path.read_bytes()
    monkeypatch.setenv("UPDATE", "1")
    data = _data()
    data["v [m/s]"] = data["v [m/s]"] * (1.0 + 1e-12)
    figures.show("test-figure", data)
    assert path.read_bytes() == before


def test_a_tolerance_needs_a_reason(baselines: Path) -> None:
    with pytest.raises(InputError, match="reason"):
        figures.show("test-figure", _data(), tolerance={"v [m/s]": (1e-3, 0.0, " ")})
    with pytest.raises(InputError, match="not a column"):
        figures.show("test-figure", _data(), tolerance={"w": (1e-3, 0.0, "noise")})


def test_without_baselines_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANARCONTACT_BASELINES", "off")
    assert "matches" not in figures.show("test-figure", _data()).line


def test_columns_survive_the_file(tmp_path: Path) -> None:
    data = {"x [m]": np.array([1.0, np.nan, -np.inf, 1e-300]), "name": np.array(["a, b", 'c"d', "é"]), "none": np.array([])}
    figures.write_columns(tmp_path / "c.csv", data)
    read = figures.read_columns(tmp_path / "c.csv")
    assert list(read) == list(data)
    np.testing.assert_array_equal(read["x [m]"], data["x [m]"])
    np.testing.assert_array_equal(read["name"], data["name"])
    assert os.listdir(tmp_path) == ["c.csv"]


def test_two_drawings_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="already drawn"):
        figures.drawing("test-figure")(lambda data: plt.figure())


def test_a_table_with_a_short_row_is_refused() -> None:
    with pytest.raises(InputError, match="cells"):
        figures.table([("a",)], ("x", "y"))


def test_a_table_escapes_its_cells() -> None:
    shown = figures.table([("<b>", "reproduced")], ("what", "verdict"), "Cap & tion")._repr_mimebundle_()
    assert "&lt;b&gt;" in shown["text/html"] and "<b>" in shown["text/plain"] and "Cap &amp; tion" in shown["text/html"]


def test_a_table_shows_code_between_backticks_and_leaves_a_single_one() -> None:
    shown = figures.table([("`a < b` and `c`", "5` of arc")], ("`x`", "y"), "What `make test` does")._repr_mimebundle_()
    page = shown["text/html"]
    assert "<td><code>a &lt; b</code> and <code>c</code></td>" in page and "<td>5` of arc</td>" in page and "<code>x</code></th>" in page
    assert "<caption>What <code>make test</code> does</caption>" in page and 'aria-label="What make test does"' in page
    assert "`a < b`" in shown["text/plain"]


def _unseen_changes(seed: int, count: int, folder: Path) -> int:
    """How many of `count` random changes of one datum by at least 1 % the comparison does not see."""
    random = np.random.default_rng(seed)
    unseen = 0
    for _ in range(count):
        scale = 10.0 ** random.uniform(-6.0, 6.0)
        columns = {f"c{i}": scale * random.normal(size=int(random.integers(1, 400))) for i in range(int(random.integers(1, 6)))}
        figures.write_columns(folder / "c.csv", columns)
        old = figures.read_columns(folder / "c.csv")
        name = str(random.choice(list(columns)))
        row = int(random.integers(len(columns[name])))
        if abs(columns[name][row]) < 1e-6 * np.max(np.abs(columns[name])):
            continue  # below the column's own rounding
        columns[name][row] *= 1.0 + random.choice([-1.0, 1.0]) * random.uniform(0.01, 1.0)
        unseen += not figures._worst_difference(columns, old, {})
    return unseen


@pytest.mark.ci
def test_changes_of_one_percent_are_seen(tmp_path: Path) -> None:
    assert _unseen_changes(seed=1, count=300, folder=tmp_path) == 0


@pytest.mark.slow
def test_changes_of_one_percent_are_seen_campaign(tmp_path: Path, campaign: Callable[..., None]) -> None:
    count = 10_000
    failures = _unseen_changes(seed=2, count=count, folder=tmp_path)
    campaign(name="figure data changed by 1 %", seed=2, count=count, failures=failures, note="unseen changes of one datum")
    assert failures == 0
