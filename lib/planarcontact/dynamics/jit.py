"""Compilation of the plain numeric kernels by numba."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import numba
import pooch

__all__ = ["njit", "entry"]

# Never fastmath: results may not hinge on how sums are reordered. Kernels are called by kernels only, so they need no
# wrappers for Python and C, which take a fifth of the compile time.
njit = numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)


def entry(function: Callable) -> Callable:
    """Compile a kernel's entry point, and keep its machine code in the user's cache folder where that can be written.

    numba watches only the file of the entry point, so the folder's name holds a digest of all kernels. Without a
    folder that can be written to, every process compiles anew.
    """
    sources = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
    digest = hashlib.sha256(b"\0".join(text for text in sources if b"from .jit import" in text)).hexdigest()[:16]
    folder = numba.config.CACHE_DIR or str(pooch.os_cache("planarcontact") / "kernels")
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(Path(folder) / digest)
    try:
        return numba.njit(error_model="numpy", nogil=True, cache=True)(function)
    except RuntimeError:  # numba finds no folder for its cache
        return numba.njit(error_model="numpy", nogil=True)(function)
    finally:
        numba.config.CACHE_DIR = before
