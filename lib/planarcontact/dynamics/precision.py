"""Double precision in JAX, for our own calls only."""

from contextlib import AbstractContextManager

import jax

__all__ = ["double_precision"]


def double_precision() -> AbstractContextManager:
    """Return a context in which JAX computes in float64.

    Every entry point of this package that calls JAX does so inside this context, so a caller needs no global switch,
    and a caller's own JAX code keeps the precision it chose.
    """
    if hasattr(jax, "enable_x64"):
        return jax.enable_x64(True)
    from jax.experimental import enable_x64  # where jax < 0.8 keeps it

    return enable_x64()
