"""Checks of arguments, shared by the three parts: they return float64 arrays or raise `InputError`."""

from collections.abc import Sequence
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InputError

__all__ = ["FARTHEST", "boolean", "finite_array", "finite_number", "positive", "nonnegative", "one_of", "title_text"]

_KINDS = {"c": "complex numbers", "S": "bytes", "U": "text", "b": "truth values", "m": "durations", "M": "dates"}


FARTHEST = 1e100  # a length whose square and cube float64 still holds


def finite_array(
    name: str, value: ArrayLike, shape: Sequence[int | None] | None = None, *, largest: float = np.inf
) -> NDArray[np.float64]:
    """Return `value` as a float64 array of the given shape, every entry finite and of at most the `largest` size.

    `shape` may hold None for an axis of any length. The result is a copy, so that a later change of `value` cannot
    undo the check. Raises `InputError` naming the first offending entry.
    """
    remedy = "pass real numbers in SI units"
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise InputError(name, value, "has masked entries", "fill or drop them")
    try:
        given = np.asarray(value)
        if given.dtype.kind in "cSUbmM":
            raise InputError(name, value, f"holds {_KINDS[given.dtype.kind]}, not real numbers", remedy)
        array = np.array(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(name, value, "is not an array of real numbers", remedy) from error
    if shape is not None and (
        array.ndim != len(shape) or any(want is not None and have != want for have, want in zip(array.shape, shape))
    ):
        wanted = "(" + ", ".join("any" if n is None else str(n) for n in shape) + ("," if len(shape) == 1 else "") + ")"
        raise InputError(name, array.shape, f"has this shape where {wanted} is needed")
    bad = ~(np.isfinite(array) & (np.abs(array) <= largest))
    if bad.any():
        index = tuple(int(i) for i in np.argwhere(bad)[0])
        where = f"{name}[{', '.join(map(str, index))}]" if index else name
        problem = f"is larger than {largest:g}" if np.isfinite(array[index]) else "is not finite"
        raise InputError(where, float(array[index]), problem, "remove or repair that entry")
    return array


def finite_number(name: str, value: float, *, largest: float = np.inf) -> float:
    """Return `value` as a finite float of at most the `largest` size, or raise `InputError`."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (Real, np.ndarray, np.generic)):
        raise InputError(name, value, "is not a real number")
    return float(finite_array(name, value, (), largest=largest))


def boolean(name: str, value: object) -> bool:
    """Return `value` if it is True or False, or raise `InputError`."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(name, value, "is neither True nor False")
    return bool(value)


def positive(name: str, value: float, *, largest: float = np.inf) -> float:
    """Return `value` as a float > 0 and at most `largest`, or raise `InputError`."""
    number = finite_number(name, value, largest=largest)
    if number <= 0.0:
        raise InputError(name, number, "must be positive")
    return number


def nonnegative(name: str, value: float) -> float:
    """Return `value` as a float >= 0, or raise `InputError`."""
    number = finite_number(name, value)
    if number < 0.0:
        raise InputError(name, number, "must not be negative")
    return number


def one_of(name: str, value: str, choices: Sequence[str]) -> str:
    """Return `value` if it is one of `choices`, or raise `InputError` that lists them."""
    if not isinstance(value, str) or value not in choices:
        raise InputError(name, value, "is not a choice here", f"use one of {', '.join(map(repr, choices))}")
    return value


def title_text(name: str, value: object) -> str:
    """Return `value` if it is text that can be shown and written, or raise `InputError`; lone surrogates are none."""
    if not isinstance(value, str) or not value.strip() or value.encode(errors="replace") != value.encode(errors="ignore"):
        raise InputError(name, value, "is not a title", "give some text")
    return value
