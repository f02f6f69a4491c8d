"""A scratch clone of this tree, in a folder whose path has a space, for tests that damage things."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from scratch import ROOT, run_in, status


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A committed copy of the tree as it stands."""
    folder = tmp_path_factory.mktemp("clone") / "a path"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.invalid"]
    for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-qm", "as it stands"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


@pytest.fixture
def clone(pristine: Path, tmp_path: Path) -> Path:
    """A clone that this test may damage."""
    folder = tmp_path / "a clone"
    subprocess.run(["git", "clone", "-q", "--shared", str(pristine), str(folder)], check=True)
    return folder


@pytest.fixture(scope="session")
def built(pristine: Path) -> Path:
    """The book, built strictly from the tree as it stands."""
    run = run_in(pristine, sys.executable, "tools/build_html.py")
    assert run.returncode == 0, run.stdout + run.stderr
    assert status(pristine) == "", "building the book changed the tree"
    return pristine / "_build" / "html"
