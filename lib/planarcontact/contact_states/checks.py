"""Checks of arguments that are no numbers: kinds of objects, counts, collections, paths, sizes."""

from collections.abc import Iterable, Sequence
from os import PathLike, fsencode, fspath
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError

__all__ = ["LEAST", "LARGEST", "collection", "distinct_names", "file_path", "instance_of", "sized", "whole_number"]

T = TypeVar("T")

LEAST, LARGEST = 1e-9, 1e9  # m: squares of lengths stay far from under- and overflow, and float64 resolves eps_on


def instance_of(name: str, value: object, kind: type[T], remedy: str = "") -> T:
    """Return `value` if it is of this class, or raise `InputError`."""
    if not isinstance(value, kind):
        raise InputError(name, value, f"is not of type {kind.__name__}", remedy)
    return value


def whole_number(name: str, value: object, least: int) -> int:
    """Return `value` as an int of at least `least`, or raise `InputError`."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < least:
        raise InputError(name, value, f"is no whole number of at least {least}")
    return int(value)


def collection(name: str, value: Iterable[T]) -> list[T]:
    """Return the items of `value`, or raise `InputError` where it is a text or has no items."""
    remedy = "pass a list"
    if isinstance(value, (str, bytes)):
        raise InputError(name, value, "is one text, not a collection", remedy)
    try:
        return list(value)
    except TypeError as error:
        raise InputError(name, value, "is no collection", remedy) from error


def distinct_names(name: str, value: Sequence[str], count: int) -> tuple[str, ...]:
    """Return `value` as a tuple of `count` different texts, or raise `InputError`."""
    names = tuple(collection(name, value))
    if len(names) != count or not all(isinstance(text, str) and text for text in names) or len(set(names)) != count:
        raise InputError(name, value, f"must be {count} different names")
    return names


def file_path(name: str, value: "str | PathLike[str]") -> Path:
    """Return `value` as a path, or raise `InputError`."""
    if not isinstance(value, (str, PathLike)) or not isinstance(fspath(value), str) or "\0" in fspath(value):
        raise InputError(name, value, "is not a path")
    try:
        fsencode(value)
    except ValueError as error:  # a lone surrogate
        raise InputError(name, value, "is not a path") from error
    return Path(value)


def sized(name: str, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points (n, 2) in m, none farther than `LARGEST` from the origin, or raise `InputError`."""
    if points.size and np.abs(points).max() > LARGEST:
        raise InputError(name, float(np.abs(points).max()), f"lies more than {LARGEST:g} m from the origin")
    return points
