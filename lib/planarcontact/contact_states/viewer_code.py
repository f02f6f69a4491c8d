"""The two codes of the viewer's data: run lengths of flags, and integers as text of differences."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["run_lengths", "encode_stream", "decode_stream"]

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_REPEAT = "!"


def run_lengths(flags: ArrayLike) -> list[int]:
    """Lengths of the runs of equal flags, beginning with the run of False (which may be empty).

    Args:
        flags: (N,) bool.

    Returns:
        Lengths that sum to N.
    """
    array = np.concatenate(([False], np.asarray(flags, dtype=bool)))
    edges = np.flatnonzero(np.diff(array))
    return [int(n) for n in np.diff(np.concatenate(([0], edges, [len(array) - 1])))]


def encode_stream(values: Iterable[int]) -> str:
    """Encode integers as text: differences of differences, each as base-64 digits, equal ones in a row counted.

    A number is written with its sign in the lowest bit, five bits a digit, the lowest first, a sixth bit saying that
    more follow (the code of source maps). "!" and a count stand for that many repetitions of the number before.

    Args:
        values: whole numbers.

    Returns:
        Printable text without quotes or backslashes.
    """
    array = np.fromiter((int(v) for v in values), dtype=np.int64)
    steps = np.diff(np.diff(array, prepend=0), prepend=0).tolist()
    text: list[str] = []
    k = 0
    while k < len(steps):
        count = 1
        while k + count < len(steps) and steps[k + count] == steps[k]:
            count += 1
        written = _digits(steps[k])
        repeated = written + _REPEAT + _digits(count - 1)
        text.append(repeated if len(repeated) < count * len(written) else written * count)
        k += count
    return "".join(text)


def decode_stream(text: str) -> list[int]:
    """Decode what `encode_stream` wrote.

    Args:
        text: the encoded text.

    Returns:
        The whole numbers.
    """
    steps: list[int] = []
    position = 0
    while position < len(text):
        repeat = text[position] == _REPEAT
        position += repeat
        value = shift = 0
        while True:
            digit = _DIGITS.index(text[position])
            position += 1
            value |= (digit & 31) << shift
            shift += 5
            if not digit & 32:
                break
        number = -(value >> 1) if value & 1 else value >> 1
        steps.extend([steps[-1]] * number if repeat else [number])
    return [int(v) for v in np.cumsum(np.cumsum(steps))]


def _digits(number: int) -> str:
    rest = -number * 2 + 1 if number < 0 else number * 2
    text = ""
    while True:
        digit, rest = rest & 31, rest >> 5
        text += _DIGITS[digit | (32 if rest else 0)]
        if not rest:
            return text
