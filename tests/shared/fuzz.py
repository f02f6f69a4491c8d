"""Random good and bad arguments for every entry point, and what may come of them.

An entry point is called with good arguments of which one or two were replaced by something else. What may come: a result
whose numbers are finite (or whose own status says that they are not to be used), or an exception of planarcontact.
Warnings count as failures, and so does what takes longer than `LIMIT`. Files are written in a scratch folder.
"""

import contextlib
import copy
import signal
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from planarcontact.errors import PlanarContactError

JUNK: tuple[Any, ...] = (
    None, True, False, "", "text", b"bytes", 0, -1, 1, 2, 7, -0.0, 0.5, 1e-3, 1e-300, -1e-300, 1e300, -1e300, 5e-324,
    1e16, float("nan"), float("inf"), -float("inf"), 1 + 2j, 10**400, -(10**30), (), [], {}, {"a": 1}, set(), object(),
    object, len, [None], [[]], [1, 2], [1, [2]], ["a", "b"], range(3), np.array(1.0), np.float32(0.1), np.int8(3), np.bool_(True),
    np.array([]), np.zeros(3), np.ones(6), np.ones((2, 3)), np.ones((3, 3)), np.eye(3), -np.eye(3), np.full(3, np.nan),
    np.full((4, 3), 1e200), np.full((4, 3), 1e-200), np.zeros((0, 3)), np.zeros((0, 5)), np.ones((2, 5)), np.full((2, 5), np.inf),
    np.ones(3, dtype=complex), np.array(["x"]), np.array([None, 1.0], dtype=object), np.array(["2020-01-01"], dtype="M8[D]"),
    np.ma.masked_array([1.0, 2.0, 3.0], [0, 1, 0]), np.ones((2, 2, 2)), Fraction(1, 3), "nan", "../x", slice(1), NotImplemented, Ellipsis,
    np.ones((1, 5)), np.zeros(13), np.arange(6).reshape(2, 3), np.zeros((2, 0)), np.ones(3, dtype=np.longdouble), np.float16(0.1), Decimal("0.1"),
    np.ones((2, 6), dtype=bool), np.uint64(2**63), 2**63, "\ud800", "a\0b", {1.0: 2}, {"mu": 0.2}, [float("nan")] * 3, [1e308] * 6, Path("nowhere"),
)  # fmt: skip
# Fields that their class documents as not a number, or infinite, where they have no meaning.
DOCUMENTED = {
    ("Trajectory", "ecp"), ("PatchTrajectory", "ecp"), ("Environment", "low"), ("Environment", "high"), ("FitReport", "training"), ("FitReport", "validation"),
    ("FitReport", "objective_value"), ("FitReport", "scale"), ("FlatRun", "stop_time"), ("Estimate", "intervals"), ("Scores", "recall"), ("Scores", "precision"),
}  # fmt: skip
LIMIT = 60.0  # seconds
FACTORS = (0.0, -1.0, 1e-8, 1e-3, 0.5, 2.0, 1e3, 1e8, 1e150, 1e-150, 1e300, float("nan"), float("inf"))


@dataclass(frozen=True)
class Target:
    """One entry point: what to call, and good arguments for it."""

    call: Callable[..., Any]
    good: Callable[[np.random.Generator], dict[str, Any]]
    weight: float = 0.6  # share of replacements by something of another kind; the others change numbers
    replace: bool = True  # False where the call itself damages its input
    keep: tuple[str, ...] = ()  # arguments that are not replaced
    least: int = 0  # number of arguments that are replaced at least: 1 where a good call takes long


class Hang(BaseException):
    """A call took longer than `LIMIT`; not an `Exception`, so that nothing that is called can swallow it."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `Hang` in what takes longer, where the platform has timers."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise Hang(f"took longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def altered(value: Any, rng: np.random.Generator, weight: float) -> Any:
    """Something else in the place of a good value."""
    if rng.random() < weight or not isinstance(value, (int, float, list, tuple, np.ndarray)) or isinstance(value, bool):
        return copy.copy(JUNK[rng.integers(len(JUNK))])
    try:
        array = np.array(value, dtype=float)
    except (TypeError, ValueError):
        return copy.copy(JUNK[rng.integers(len(JUNK))])
    choice = rng.integers(5)
    if choice == 0 or array.size == 0:
        with np.errstate(all="ignore"):
            array = array * FACTORS[rng.integers(len(FACTORS))]
    elif choice == 1:
        array.flat[rng.integers(array.size)] = FACTORS[rng.integers(len(FACTORS))]
    elif choice == 2:
        array = array + rng.normal(size=array.shape) * 10.0 ** rng.integers(-6, 6)
    elif choice == 3 and array.ndim:
        array = array[: rng.integers(len(array) + 1)]
    elif choice == 4 and array.ndim:
        array = np.repeat(array, 2, axis=int(rng.integers(array.ndim)))
    return array if array.ndim else float(array)


def bent(text: str, rng: np.random.Generator) -> str:
    """A file's text with a few places changed."""
    for _ in range(rng.integers(1, 4)):
        at, length = int(rng.integers(len(text) + 1)), int(rng.integers(0, 12))
        piece = ("", "nan", "1e999", "-1", "null", "{", "]", ",", '"', "\x00", "é", "0", "true", "[]", "\n", " ")[rng.integers(16)]
        text = text[:at] + piece + text[at + length :]
    return text[: rng.integers(len(text) + 1)] if rng.random() < 0.2 else text


def unusable(result: Any, depth: int = 0) -> str:
    """Where a result holds a number that is not finite though no status of its own says so, or an empty text."""
    if isinstance(result, (bool, str, bytes, type(None), Enum, Fraction)) or depth > 3:
        return ""
    if isinstance(result, (int, float, np.number)):
        return "" if np.isfinite(float(result)) else f"{result}"
    if isinstance(result, np.ndarray):
        if result.dtype.kind not in "fc" or np.isfinite(result).all():
            return ""
        return "an array that is not finite"
    if hasattr(result, "__array__") and not is_dataclass(result):
        return unusable(np.asarray(result), depth)
    status = getattr(result, "status", None)
    if status is not None and np.any(np.asarray(status) != 0):
        return ""
    if isinstance(result, (tuple, list)):
        parts = enumerate(result)
    elif isinstance(result, dict):
        parts = iter(result.items())
    elif is_dataclass(result):
        parts = ((f.name, getattr(result, f.name, None)) for f in fields(result) if not f.name.startswith("_"))
    else:
        return ""
    for name, part in parts:
        if (type(result).__name__, name) in DOCUMENTED:
            continue
        said = unusable(part, depth + 1)
        if said:
            return f"{type(result).__name__}.{name}: {said}"
    return ""


def failures(target: Target, count: int, seed: int, allowed: Callable[[Any], str] = unusable) -> list[str]:
    """Call an entry point `count` times; return what should not have happened, with the arguments."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "a", "b")  # two deep: "../x" stays inside
        folder.mkdir(parents=True)
        with contextlib.chdir(folder):
            return [text for text in (_failure(target, k, seed, allowed) for k in range(count)) if text]


def _failure(target: Target, k: int, seed: int, allowed: Callable[[Any], str]) -> str:
    rng = np.random.default_rng([seed, k])
    arguments = target.good(rng)
    names = [name for name in arguments if name not in target.keep]
    for name in rng.choice(names, size=min(len(names), int(rng.integers(target.least, 3)) if target.replace else 0), replace=False):
        arguments[name] = altered(arguments[name], rng, target.weight)
    try:
        with warnings.catch_warnings(), limited(LIMIT):
            warnings.simplefilter("error")
            said = allowed(target.call(**arguments))
    except PlanarContactError as error:
        said = "" if str(error).strip() else "an error without words"
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # any foreign exception is what is looked for, a panic of Rust code too
        said = f"{type(error).__name__}: {error}"
    return f"[{seed}, {k}] {said} <- {arguments}"[:600] if said else ""
