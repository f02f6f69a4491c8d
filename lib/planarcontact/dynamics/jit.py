"""Compilation of the plain numeric kernels by numba."""

from collections.abc import Callable

import numba

__all__ = ["njit", "entry"]

njit = numba.njit(error_model="numpy")


def entry(function: Callable) -> Callable:
    """Compile a kernel's entry point, and keep the machine code on disk where that is possible.

    An installation that cannot be written to, without a cache folder of the user's, compiles anew in each process.
    """
    try:
        return numba.njit(error_model="numpy", cache=True)(function)
    except RuntimeError:  # numba finds no folder for its cache
        return njit(function)
