"""The chapters give the committed outputs under other BLAS kernels and processor features, each seen to take effect."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from notebooks import chapters, settings
from scratch import ROOT, run_in, status

BLAS = """
import numpy, scipy.linalg, threadpoolctl
found = {p["architecture"].lower() for p in threadpoolctl.threadpool_info() if p["internal_api"] == "openblas"}
assert found == {"haswell"}, found
"""
NUMPY = """
import os
from numpy._core._multiarray_umath import __cpu_features__ as features
assert not any(features[name] for name in os.environ["NPY_DISABLE_CPU_FEATURES"].split()), features
"""
XLA = """
import os, pathlib, tempfile
folder = tempfile.mkdtemp()
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + f" --xla_dump_to={folder} --xla_dump_hlo_as_text"
import jax, jax.numpy as jnp
jax.jit(lambda x: jnp.sin(x) * x)(jnp.ones(4096)).block_until_ready()
code = b"".join(p.read_bytes() for p in pathlib.Path(folder).glob("*.o"))
assert code and b"\\xc5\\xf8\\x77" not in code, "vzeroupper: wide registers were used"
"""
NUMBA = """
import numba, numpy
@numba.njit
def total(x):
    s = 0.0
    for i in range(x.size):
        s += x[i] * 2.0
    return s
total(numpy.ones(64))
text = "".join(total.inspect_asm().values())
assert "ymm" not in text and "zmm" not in text
"""
AVX = ("X86_V3", "X86_V4", "AVX", "F16C", "FMA3", "AVX2", "AVX512F", "AVX512CD", "AVX512_SKX", "AVX512_CLX", "AVX512_CNL", "AVX512_ICL", "AVX512_SPR")


def _numpy_features() -> str:
    """What this numpy can switch off on this processor."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    return " ".join(name for name in AVX if name in __cpu_dispatch__ and __cpu_features__.get(name))


MACHINES = {
    "BLAS of another processor": ({"OPENBLAS_CORETYPE": "Haswell"}, BLAS),
    "NumPy without AVX": ({"NPY_DISABLE_CPU_FEATURES": _numpy_features()}, NUMPY),
    "XLA without AVX": ({"XLA_FLAGS": "--xla_cpu_max_isa=SSE4_2"}, XLA),
    "Numba for any processor": ({"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}, NUMBA),
    "one core": ({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}, "import os; assert os.environ['OMP_NUM_THREADS'] == '1'"),
}
EVERY = {key: value for variables, _ in MACHINES.values() for key, value in variables.items()}


@pytest.mark.ci
@pytest.mark.parametrize("name", MACHINES)
def test_it_takes_effect(name: str) -> None:
    variables, code = MACHINES[name]
    run = subprocess.run([sys.executable, "-c", code], env={**os.environ, **variables}, capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stderr


def _differs(clone: Path, names: list[str], variables: dict[str, str]) -> list[str]:
    """Chapters that do not give their committed outputs."""
    found = []
    for name in names:
        run = run_in(clone, sys.executable, "tools/chapters.py", "run", name, timeout=3000, **variables)
        if run.returncode or status(clone):
            found.append(f"{name}: {run.stderr[-600:]} {status(clone)}")
            subprocess.run(["git", "checkout", "-q", "."], cwd=clone, check=True)
    return found


@pytest.mark.ci
def test_a_chapter_under_all_of_it(clone: Path) -> None:
    assert _differs(clone, ["contact_states"], EVERY) == []


@pytest.mark.slow
def test_all_chapters_under_all_of_it(clone: Path, campaign: Callable[..., None]) -> None:
    names = [n for n in chapters() if "robot-data" not in settings(n).get("needs", ()) or "PLANARCONTACT_DATA" in os.environ]
    found = _differs(clone, names, EVERY)
    note = "chapters with a Haswell BLAS, NumPy and XLA without AVX, Numba for any processor, one thread: outputs as committed"
    campaign(name="chapters on another processor", seed=0, count=len(names), failures=len(found), note=note)
    assert found == [], "\n".join(found)
