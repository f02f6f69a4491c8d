"""How numeric kernels are compiled by numba, and where their machine code is kept."""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

import numba
import pooch

__all__ = ["compiled", "kernel_entry"]

# Never fastmath: results may not hinge on how sums are reordered. Kernels are called by kernels only, so they need no
# wrappers for Python and C, which take a fifth of the compile time.
compiled = numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)


def kernel_entry(function: Callable, sources: Iterable[Path]) -> Callable:
    """Compile a kernel's entry point; keep its machine code in a cache folder named by a digest of the kernel's files.

    numba watches the entry point's file alone, and would run an old kernel after an edit of another file. Where no
    folder can be written to, every process compiles anew.

    Args:
        function: the entry point, called from Python.
        sources: the files that the kernel is made of, this one apart.

    Returns:
        The compiled function; it lets other threads run.
    """
    texts = [Path(__file__).read_bytes(), *(path.read_bytes() for path in sorted(sources))]
    folder = numba.config.CACHE_DIR or str(pooch.os_cache("planarcontact") / "kernels")
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(Path(folder) / hashlib.sha256(b"\0".join(texts)).hexdigest()[:16])
    try:
        return numba.njit(error_model="numpy", nogil=True, cache=True)(function)
    except RuntimeError:  # numba finds no folder for its cache
        return numba.njit(error_model="numpy", nogil=True)(function)
    finally:
        numba.config.CACHE_DIR = before
