"""The commands on a disk without room and in a folder without write permission: one clear line, nothing half-written."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from scratch import run_in, status

BOUNDED = "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); os.execv(sys.argv[1], sys.argv[1:])"
COMMANDS = {"chapter": ("tools/chapters.py", "run", "notation"), "book": ("tools/build_html.py",)}


def _said(run: subprocess.CompletedProcess[str]) -> bool:
    return run.returncode != 0 and "error:" in run.stderr and "Traceback" not in run.stderr.split("error:")[-1]


def _ordinary() -> list[str]:
    """What makes the permissions of folders count for root too."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", "--inh-caps=-dac_override,-dac_read_search,-fowner"]


@pytest.fixture
def changed(clone: Path) -> Path:
    """A clone whose notation page has something new to write."""
    with (clone / "book/src/notation.md").open("a", encoding="utf-8") as file:
        file.write("\nOne more line.\n")
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.invalid"]
    subprocess.run(["git", *identity, "commit", "-qam", "a change"], cwd=clone, check=True)
    return clone


@pytest.mark.ci
@pytest.mark.parametrize("name", COMMANDS)
def test_no_room(name: str, changed: Path) -> None:
    run = run_in(changed, sys.executable, "-c", BOUNDED, sys.executable, *COMMANDS[name])
    assert _said(run), run.stderr
    assert status(changed) == ""


@pytest.mark.ci
@pytest.mark.parametrize("name", COMMANDS)
def test_no_permission(name: str, changed: Path) -> None:
    folders = [changed, changed / "book"]
    for folder in folders:
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        run = run_in(changed, *_ordinary(), sys.executable, *COMMANDS[name], UPDATE="1")
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert _said(run), run.stdout + run.stderr
    assert "permission" in run.stderr.lower()
    assert status(changed) == ""
