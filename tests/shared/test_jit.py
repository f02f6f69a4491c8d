"""Kernels: all keep their machine code in one way, and an edit of any of a kernel's files is compiled anew."""

import os
import subprocess
import sys
from pathlib import Path

import planarcontact
import pytest

LIBRARY = Path(planarcontact.__file__).parent
MAIN = """
from pathlib import Path
from planarcontact.jit import kernel_entry
import helper

def total(x):
    return helper.more(x)

total = kernel_entry(total, [Path(helper.__file__)])
print(total(1.0))
"""
HELPER = """
from planarcontact.jit import compiled

@compiled
def more(x):
    return x + {}
"""
def run(code: list[str], folder: Path, **variables: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(LIBRARY.parent), str(folder))), **variables}
    done = subprocess.run([sys.executable, *code], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_only_one_place_keeps_machine_code():
    """numba's own cache watches the entry point's file alone, and fails where no folder can be written to."""
    assert [p.name for p in LIBRARY.rglob("*.py") if "cache=True" in p.read_text("utf-8")] == ["jit.py"]
    assert [p.name for p in LIBRARY.rglob("*.py") if "import numba" in p.read_text("utf-8")] == ["jit.py"]


@pytest.mark.ci
def test_edit_of_a_helper_is_compiled_anew(tmp_path):
    (tmp_path / "main.py").write_text(MAIN)
    found = []
    for number in ("1.0", "2.0", "1.0"):
        (tmp_path / "helper.py").write_text(HELPER.format(number))
        found.append(run(["main.py"], tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "kept"), PYTHONDONTWRITEBYTECODE="1"))
    assert found == ["2.0", "3.0", "2.0"]
    assert len(list((tmp_path / "kept").iterdir())) == 2
