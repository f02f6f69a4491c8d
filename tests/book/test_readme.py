"""The README says what is so: its examples run, its table names every dependency, its commands exist."""

import re
import subprocess
import sys
import tomllib

import pytest
from packaging.requirements import Requirement
from scratch import ROOT

README = (ROOT / "README.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.S)


@pytest.mark.ci
@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example(number: int) -> None:
    code = EXAMPLES[number]
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=ROOT / "lib")
    assert run.returncode == 0 and run.stderr == "", run.stderr
    for line in re.findall(r"^print\(.*#\s*(\['.*?'\])", code, re.M):
        assert line in run.stdout
    if "desk" in code:
        assert run.stdout.startswith("True [")
    if "fit(" in code:
        assert "nan" not in run.stdout


def test_the_table_names_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    texts = [*project["dependencies"], *(t for extra in project["optional-dependencies"].values() for t in extra)]
    table = README[README.index("| package") :]
    for name in {Requirement(t).name for t in texts} - {"planarcontact"}:
        assert re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", table), name


def test_the_commands_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for text in (README, (ROOT / "CONTRIBUTING.md").read_text("utf-8")):
        for target in re.findall(r"(?:^|`)make ([a-z][a-z-]*)", text, re.M):
            assert re.search(rf"^{target}:", makefile, re.M), target


def test_no_path_of_a_machine_and_no_registry_in_the_tree() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    hosts = re.compile(r"files\.pythonhosted|pypi\.org/simple|/root/|/home/\w+/|deb\.debian\.org|registry\.npmjs")
    for name in listed:
        path = ROOT / name
        if path.suffix in (".png", ".npz") or not path.is_file() or path.name == "test_readme.py":
            continue
        found = hosts.search(path.read_text("utf-8"))
        assert found is None, f"{name}: {found}"
