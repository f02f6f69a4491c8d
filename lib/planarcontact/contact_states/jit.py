"""How the recognizer's kernel is compiled, and where its machine code is kept."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import numba
import pooch

__all__ = ["compiled", "entry"]

compiled = numba.njit(error_model="numpy")  # never fastmath: labels may not hinge on how sums are reordered


def entry(function: Callable) -> Callable:
    """Compile the kernel's entry point; keep the machine code in a cache folder named by a digest of the kernel's files.

    numba watches the entry point's file alone, and would run an old kernel after an edit of another file. Where no
    folder can be written to, every process compiles anew.
    """
    sources = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("kernel*.py"))]
    folder = numba.config.CACHE_DIR or str(pooch.os_cache("planarcontact") / "kernels")
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(Path(folder) / hashlib.sha256(b"\0".join(sources)).hexdigest()[:16])
    try:
        return numba.njit(error_model="numpy", cache=True)(function)
    except RuntimeError:  # numba finds no folder for its cache
        return compiled(function)
    finally:
        numba.config.CACHE_DIR = before
