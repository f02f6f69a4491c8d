"""Shared by all tests: the campaign table, and in CI a skipped test is a failed one."""

import csv
import os
import subprocess
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
CAMPAIGNS = ROOT / "book" / "campaigns.csv"
COLUMNS = ("name", "date", "commit", "seed", "count", "failures", "note")

os.environ.setdefault("MPLBACKEND", "agg")
os.environ["TQDM_DISABLE"] = "1"
os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
# The notebooks that nbval runs find the library and the figures' baselines as the chapters do.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT / "lib"), os.environ.get("PYTHONPATH", "")]))
os.environ.setdefault("PLANARCONTACT_BASELINES", str(ROOT / "book" / "_static" / "data"))


def pytest_configure(config: pytest.Config) -> None:
    if not config.pluginmanager.hasplugin("matplotlib"):
        config.addinivalue_line("markers", "mpl_image_compare: compare a figure with its reference picture")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if moving := [item.nodeid for item in items if " at 0x" in item.nodeid]:
        raise pytest.UsageError(f"two workers would name this test differently, as its name holds an address: {moving[0]}")
    notebooks = [item for item in items if item.path.suffix == ".ipynb"]
    if not notebooks:
        return
    from notebooks import settings

    needing = {p for p in {item.path for item in notebooks} if "robot-data" in settings(p.stem).get("needs", ())}
    if needing:
        from planarcontact.limit_surface.download import is_available

        if not is_available():
            for item in notebooks:
                if item.path in needing:
                    item.add_marker(pytest.mark.skip(reason="no robot data (PLANARCONTACT_DATA names their folder)"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    outcome: Any = yield
    report = outcome.get_result()
    if os.environ.get("CI") == "true" and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and in CI nothing may be: {report.longrepr}"


@pytest.fixture
def campaign() -> Callable[..., None]:
    """Write the row of a finished campaign into the committed table."""

    def record(*, name: str, seed: int, count: int, failures: int, note: str = "") -> None:
        commit = subprocess.run(["git", "rev-parse", "--short=10", "HEAD"], cwd=ROOT, capture_output=True, text=True)
        row = (name, date.today().isoformat(), commit.stdout.strip(), seed, count, failures, note)
        rows = {r[0]: r for r in _rows()}
        rows[name] = tuple(map(str, row))
        partial = CAMPAIGNS.with_name(CAMPAIGNS.name + ".partial")
        with partial.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(rows[key] for key in sorted(rows))
        partial.replace(CAMPAIGNS)

    return record


def _rows() -> list[tuple[str, ...]]:
    if not CAMPAIGNS.is_file():
        return []
    with CAMPAIGNS.open(newline="", encoding="utf-8") as file:
        return [tuple(row) for row in list(csv.reader(file))[1:]]
