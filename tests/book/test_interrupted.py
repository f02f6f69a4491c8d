"""A chapter's execution that is cut off at any moment damages nothing, and the next one completes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scratch import run_in, status


def _cut_off(clone: Path, seed: int, count: int) -> int:
    """Kill `count` executions at random moments; return how many left the tree damaged."""
    random = np.random.default_rng(seed)
    begun = time.monotonic()
    whole = run_in(clone, sys.executable, "tools/chapters.py", "run", "notation")
    assert whole.returncode == 0, whole.stderr
    longest = time.monotonic() - begun
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.invalid"]
    subprocess.run(["git", *identity, "commit", "-qam", "executed", "--allow-empty"], cwd=clone, check=True)
    damaged = 0
    environment = {**os.environ, "PYTHONPATH": str(clone / "lib")}
    environment.pop("PLANARCONTACT_BASELINES", None)
    for _ in range(count):
        run = subprocess.Popen(
            [sys.executable, "tools/chapters.py", "run", "notation"], cwd=clone, env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )
        time.sleep(random.uniform(0.1, 1.05) * longest)
        os.killpg(run.pid, random.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM]))
        run.wait(timeout=60)
        notebook = nbformat.read(clone / "book" / "notation.ipynb", as_version=4)
        nbformat.validate(notebook)
        damaged += status(clone) != ""
    again = run_in(clone, sys.executable, "tools/chapters.py", "run", "notation")
    return damaged + (again.returncode != 0 or status(clone) != "")


@pytest.mark.slow
def test_twenty_interrupted_executions(clone: Path, campaign: Callable[..., None]) -> None:
    failures = _cut_off(clone, seed=3, count=20)
    campaign(name="executions cut off", seed=3, count=20, failures=failures, note="killed at random moments; the tree stays as committed")
    assert failures == 0


@pytest.mark.ci
def test_an_interrupted_execution(clone: Path) -> None:
    assert _cut_off(clone, seed=4, count=2) == 0
