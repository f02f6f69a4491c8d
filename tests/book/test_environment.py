"""environment.yml, pyproject.toml and requirements.lock say the same.

This proves that the three files agree and that the conda file can be solved as written; not that the channel carries
those builds.
"""

import asyncio
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
CONDA_NAMES = {"dask-core": "dask", "matplotlib-base": "matplotlib"}
PYTHON = {"python_version": "3.11", "python_full_version": "3.11.7", "sys_platform": "linux", "implementation_name": "cpython"}


def _lock() -> dict[str, Version]:
    found = {}
    for line in (ROOT / "requirements.lock").read_text("utf-8").splitlines():
        if re.match(r"[a-z0-9]", line):
            requirement = Requirement(line.rstrip(" \\"))
            if requirement.marker is None or requirement.marker.evaluate(PYTHON):
                found[canonicalize_name(requirement.name)] = Version(next(iter(requirement.specifier)).version)
    return found


def _project() -> dict[str, Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    texts = [*project["dependencies"], *(t for extra in project["optional-dependencies"].values() for t in extra)]
    requirements = [Requirement(t) for t in texts]
    return {canonicalize_name(r.name): r for r in requirements if r.name != "planarcontact"}


def _environment() -> tuple[dict[str, str], dict[str, str]]:
    entries = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))["dependencies"]
    conda = dict(e.partition("=")[::2] for e in entries if isinstance(e, str))
    pip = {r.name: str(next(iter(r.specifier)).version) for e in entries if isinstance(e, dict) for r in map(Requirement, e["pip"])}
    return conda, pip


def test_python_is_pinned_to_what_the_project_supports() -> None:
    conda, _ = _environment()
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    assert Version(conda["python"]) in Requirement(f"x{needs}").specifier


def test_the_environment_names_just_the_projects_packages() -> None:
    conda, pip = _environment()
    named = {canonicalize_name(CONDA_NAMES.get(n, n)) for n in [*conda, *pip]} - {"python", "pip"}
    assert named == set(_project())


def test_versions_are_those_of_the_lock() -> None:
    conda, pip = _environment()
    lock = _lock()
    for name, version in {**conda, **pip}.items():
        if name not in ("python", "pip"):
            locked = lock[canonicalize_name(CONDA_NAMES.get(name, name))]
            assert Version(version) == Version(locked.base_version), f"{name} {version} against {locked} in the lock"


def test_the_lock_satisfies_the_project() -> None:
    lock = _lock()
    for name, requirement in _project().items():
        assert lock[name] in requirement.specifier, f"{requirement} against {lock[name]}"
    assert lock["jupyter-book"] < Version("2")


def test_every_locked_package_has_hashes_and_no_address() -> None:
    text = (ROOT / "requirements.lock").read_text("utf-8")
    blocks = re.split(r"\n(?=[a-z0-9])", text)
    assert all("--hash=sha256:" in block for block in blocks if re.match(r"[a-z0-9]", block))
    assert "://" not in text and "--index" not in text and "--find-links" not in text


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the lock's versions for Python 3.11")
def test_what_runs_here_is_the_lock() -> None:
    from importlib.metadata import version

    lock = _lock()
    for name in _project():
        assert Version(version(name)) == lock[name], name


def test_conda_can_solve_the_environment_against_a_channel_of_the_lock(tmp_path: Path) -> None:
    rattler = pytest.importorskip("rattler")
    import json

    conda, _ = _environment()
    lock = _lock()

    def record(name: str, version: str, depends: list[str]) -> dict[str, object]:
        return {
            "build": "0", "build_number": 0, "depends": depends, "md5": "0" * 32, "sha256": "0" * 64,
            "name": name, "size": 1, "subdir": "noarch", "version": version,
        }

    packages = {"python-3.11.7-0.tar.bz2": record("python", "3.11.7", []), "pip-26.0-0.tar.bz2": record("pip", "26.0", ["python"])}
    for name in conda:
        if name in ("python", "pip"):
            continue
        plain = canonicalize_name(CONDA_NAMES.get(name, name))
        for version in (str(lock[plain]), "99999.0"):
            packages[f"{name}-{version}-0.tar.bz2"] = record(name, version, ["python >=3.11"])
    folder = tmp_path / "noarch"
    folder.mkdir()
    (folder / "repodata.json").write_text(json.dumps({"info": {"subdir": "noarch"}, "packages": packages, "packages.conda": {}}))
    (tmp_path / "linux-64").mkdir()
    (tmp_path / "linux-64" / "repodata.json").write_text(json.dumps({"info": {"subdir": "linux-64"}, "packages": {}, "packages.conda": {}}))
    solved = asyncio.run(
        rattler.solve(
            [rattler.Channel(tmp_path.as_uri())],
            [f"{n}={v}" if v else n for n, v in conda.items()],
            gateway=rattler.Gateway(cache_dir=str(tmp_path / "cache")),
            platforms=["linux-64", "noarch"],
        )
    )
    versions = {r.name.normalized: str(r.version) for r in solved}
    assert set(versions) == set(conda)
    for name in conda:
        if name not in ("python", "pip"):
            assert Version(versions[name]) == lock[canonicalize_name(CONDA_NAMES.get(name, name))]
