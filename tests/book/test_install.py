"""What the installer says where something is missing, and that it leaves no half-made environment."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from scratch import run_in

pytestmark = pytest.mark.ci


def _install(clone: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return run_in(clone, sys.executable, "tools/install.py", PLANARCONTACT_INSTALLER="pip", **environment)


def _closed() -> dict[str, str]:
    """An index that answers to nobody, and no files kept here."""
    nowhere = "http://127.0.0.1:9/simple"
    return {
        "PIP_INDEX_URL": nowhere, "PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": "", "PIP_NO_CACHE_DIR": "1",
        "PIP_RETRIES": "0", "PIP_DEFAULT_TIMEOUT": "2", "PIP_EXTRA_INDEX_URL": "",
    }


def test_without_a_venv_module(clone: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\nfind = u.find_spec\nu.find_spec = lambda n, *a: None if n in ('venv', 'ensurepip') else find(n, *a)\n"
    )
    run = _install(clone, PYTHONPATH=str(tmp_path))
    assert run.returncode == 2 and "apt install python3-venv" in run.stderr
    assert not (clone / ".venv").exists()


def test_without_a_registry(clone: Path) -> None:
    run = _install(clone, **_closed())
    assert run.returncode == 3 and "Is a package index reachable" in run.stderr, run.stderr
    assert not (clone / ".venv").exists()


def test_with_an_old_python(clone: Path) -> None:
    code = "import sys, runpy; sys.version_info = (3, 9, 2); sys.argv = ['install.py']; runpy.run_path('tools/install.py', run_name='__main__')"
    run = run_in(clone, sys.executable, "-c", code)
    assert run.returncode == 2 and "Python 3.11 or newer is needed, this is 3.9.2" in run.stderr


def test_an_installed_environment_is_left_alone(clone: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, 'tools'); import install; e = install.ROOT / '.venv'; (e / 'bin').mkdir(parents=True);"
        "(e / 'bin' / 'python').touch(); (e / 'installed').write_text(install._fingerprint()); raise SystemExit(install.main())"
    )
    run = run_in(clone, sys.executable, "-c", code, **_closed())
    assert run.returncode == 0 and (clone / ".venv" / "installed").is_file()


def test_the_wheel_is_the_library_alone_and_typed(clone: Path, tmp_path: Path) -> None:
    build = run_in(
        clone, sys.executable, "-c",
        f"from setuptools import build_meta as b; print(b.build_wheel({str(tmp_path)!r}))",
    )
    assert build.returncode == 0, build.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "planarcontact/py.typed" in names and "planarcontact/figures.py" in names
    tops = {n.split("/")[0] for n in names}
    assert all(t == "planarcontact" or t.endswith(".dist-info") for t in tops), tops
    for part in ("dynamics", "contact_states", "limit_surface"):
        assert f"planarcontact/{part}/__init__.py" in names
    assert not [n for n in names if "SensorLogs" in n or n.endswith(".ipynb")]
