"""Checks of arguments that are no numbers: counts, seeds, paths, objects."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..errors import InputError
from ..validation import positive

__all__ = ["MODERATE", "collection", "folder_path", "instance_of", "moderate", "seed_number", "whole_number"]

T = TypeVar("T")

#: The largest size in SI units of what describes a surface: float64 holds squares of products of four such numbers.
MODERATE = 1e30


def moderate(name: str, value: float) -> float:
    """Return `value` as a positive float between 1 / MODERATE and MODERATE, or raise `InputError`."""
    number = positive(name, value)
    if not 1.0 / MODERATE <= number <= MODERATE:
        raise InputError(name, number, "is so far from one that its products leave float64", "check its unit")
    return number


def whole_number(name: str, value: Any, least: int, most: int) -> int:
    """Return `value` as an int from `least` to `most`, or raise `InputError`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= most:
        raise InputError(name, value, f"is no whole number from {least} to {most}")
    return int(value)


def seed_number(value: Any) -> int:
    """Return a seed as an int, or raise `InputError`."""
    return whole_number("seed", value, 0, 2**128 - 1)


def collection(name: str, value: Iterable[T]) -> list[T]:
    """Return the items of `value`, or raise `InputError` where it is a text or has no items."""
    try:
        items = None if isinstance(value, (str, bytes)) else list(value)
    except TypeError:
        items = None
    if items is None:
        raise InputError(name, value, "is no collection", "pass a list")
    return items


def instance_of(name: str, value: Any, kind: type[T], remedy: str = "") -> T:
    """Return `value` if it is of this class, or raise `InputError`."""
    if not isinstance(value, kind):
        raise InputError(name, value, f"is not of type {kind.__name__}", remedy)
    return value


def folder_path(name: str, value: "str | os.PathLike[str]") -> Path:
    """Return `value` as a path, or raise `InputError`."""
    try:
        path = Path(value)
        os.fsencode(path)
    except (TypeError, ValueError) as error:
        raise InputError(name, value, "is not a path") from error
    if "\0" in str(path):
        raise InputError(name, value, "holds a null character")
    return path
