"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import DataError, InputError

__all__ = ["replacing"]


@contextmanager
def replacing(path: "str | os.PathLike[str]") -> Iterator[Path]:
    """Give a file beside `path` to write to; it takes the place of `path` when the block ends, and vanishes if it fails.

    Args:
        path: the file to write or to replace.

    Yields:
        Path of the file to write, with the ending of `path`.

    Raises:
        InputError: the path is not a path.
        DataError: the file cannot be written (no such folder, no permission, no space left).
    """
    try:
        target = Path(path)
        partial = target.with_name(f".{target.stem}.{os.getpid()}.partial{target.suffix}")
        os.fsencode(target)  # a lone surrogate is no name of a file
    except (TypeError, ValueError) as error:
        raise InputError("path", path, "is not the path of a file") from error
    if "\0" in str(target):
        raise InputError("path", path, "holds a null character")
    try:
        yield partial
        partial.replace(target)
    except OSError as error:
        raise DataError(f"{target}: cannot be written ({error.strerror or error})") from error
    finally:
        partial.unlink(missing_ok=True)
