"""Models as JSON files: written whole or not at all, read only where the format is the expected one."""

import json
from pathlib import Path
from typing import Any

from ..errors import DataError
from ..files import replacing

__all__ = ["read_content", "write_content"]


def read_content(path: str | Path, form: str, what: str) -> dict[str, Any]:
    """Return the content of a file of the given format, or raise `DataError` that says what was expected."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, TypeError, ValueError, RecursionError) as error:
        raise DataError(f"cannot read {path}: {error}") from error
    if not isinstance(content, dict) or content.get("format") != form:
        raise DataError(f"{path} is not a {what} of this format ({form!r})")
    return content


def write_content(path: str | Path, content: dict[str, Any]) -> None:
    """Write the content, or raise `InputError` for what is no path and `DataError` where it cannot be written."""
    with replacing(path) as partial:
        partial.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
