"""The built wheel, away from this tree, runs the README's examples."""

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from scratch import ROOT

EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


def _wheel(clone: Path, folder: Path) -> Path:
    code = f"from setuptools import build_meta as b; b.build_wheel({str(folder)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=clone, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def _run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)


def _failures(python: Path, folder: Path) -> list[str]:
    """Examples that do not run, or that run another library than the installed one."""
    found = []
    for code in EXAMPLES:
        run = _run(str(python), "-W", "error", "-c", code + "\nimport planarcontact; print(planarcontact.__file__)", cwd=folder)
        if run.returncode or "site-packages" not in run.stdout.splitlines()[-1]:
            found.append(run.stdout + run.stderr)
    return found


@pytest.mark.ci
def test_the_wheel_runs_the_examples(clone: Path, tmp_path: Path) -> None:
    """With the dependencies that are installed here, and without this tree."""
    wheel = _wheel(clone, tmp_path)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
    (packages,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
    code = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])"
    subprocess.run([sys.executable, "-c", code, str(wheel), str(packages)], check=True)
    sys_path = [p for p in sys.path if p.endswith("site-packages") and "planarcontact" not in p]
    (packages / "dependencies.pth").write_text("\n".join(sys_path or [sysconfig.get_paths()["purelib"]]) + "\n")
    assert len(EXAMPLES) == 3
    assert _failures(tmp_path / "env" / "bin" / "python", tmp_path) == []


@pytest.mark.slow
def test_the_wheel_in_an_empty_environment(clone: Path, tmp_path: Path, campaign: Callable[..., None]) -> None:
    """pip resolves the dependencies itself, as for a reader who installs the library alone."""
    wheel = _wheel(clone, tmp_path)
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True)
    python = tmp_path / "env" / "bin" / "python"
    installed = _run(str(python), "-m", "pip", "install", "-q", str(wheel), cwd=tmp_path)
    assert installed.returncode == 0, installed.stderr
    found = _failures(python, tmp_path)
    note = "the wheel alone with pip; each failure is one example of the README"
    campaign(name="wheel in an empty environment", seed=0, count=len(EXAMPLES), failures=len(found), note=note)
    assert found == [], "\n".join(found)
