"""Labels and gaps repeat bit for bit between processes and numbers of threads (document 2: runs on the CPU repeat exactly)."""

import os
import subprocess
import sys

import pytest

DIGEST = """
import hashlib
import jax
import numpy as np
from planarcontact.contact_states import Options, RECOMMENDED, gaps, jax_gaps, jittered, load_demo, recognize, step_scene

jax.config.update("jax_enable_x64", True)
scene, demo = step_scene(), load_demo()
poses = np.concatenate((demo.poses, jittered(demo.poses, 4000, 5e-3, arm=0.0625, seed=475)))
whole = hashlib.sha256(gaps(poses, scene).tobytes())
whole.update(np.asarray(jax.jit(jax.vmap(jax_gaps(scene)))(poses)).tobytes())
for options in (Options(), RECOMMENDED, Options(depenetrate=True)):
    labels = recognize(poses, scene, options)
    for part in (labels.gap, labels.in_band, labels.on, labels.ties, labels.formation):
        whole.update(part.tobytes())
print(whole.hexdigest())
"""


def _digest(threads: int) -> str:
    environment = dict(os.environ) | {"PYTHONHASHSEED": str(threads), "JAX_PLATFORMS": "cpu"}
    for name in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
        environment[f"{name}_NUM_THREADS"] = str(threads)
    if threads == 1:
        environment["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    return subprocess.run([sys.executable, "-c", DIGEST], env=environment, capture_output=True, text=True, check=True, timeout=300).stdout.strip()


@pytest.mark.ci
def test_gaps_and_labels_are_bit_identical_between_processes() -> None:
    one = _digest(1)
    assert len(one) == 64 and one == _digest(2)
