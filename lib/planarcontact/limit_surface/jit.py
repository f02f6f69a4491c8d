"""How the kernels of this part are compiled: `njit` for those that only kernels call, `entry` for those that Python calls."""

from functools import partial
from pathlib import Path

from ..jit import compiled as njit
from ..jit import kernel_entry

__all__ = ["entry", "njit"]

entry = partial(kernel_entry, sources=list(Path(__file__).parent.glob("*_kernel.py")))
