"""The authors' robot data: where they are, how they are fetched, and how they are checked."""

import csv
import hashlib
import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from ..errors import DataError, InputError
from ..validation import boolean, one_of
from .checks import folder_path

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # pooch imports tqdm.auto, which warns in a notebook without widgets
    import pooch

__all__ = ["COMMIT", "REPOSITORY", "RobotFile", "robot_files", "data_folder", "is_available", "fetch", "fetch_all"]

#: The authors' public repository (Apache-2.0) and the commit whose files are used.
REPOSITORY = "robinzhoucmu/MLab_EXP"
COMMIT = "4d86db9438203f51c4368e5b886def5c402955f3"
_HOST = "https://raw.githubusercontent.com"
_ROOT = "MLab_EXP/"
_TIMEOUT = 30.0


@dataclass(frozen=True)
class RobotFile:
    """One file of the authors' data.

    Attributes:
        key: our short name, for example "wood-30_90" or "stable-patch-log".
        path: path below the data folder; its first part stands for the repository.
        size: number of bytes.
        sha256: checksum, in hexadecimal.
        surface: "wood", "board", "poster" or "".
        arrangement: name of the supports, or "".
    """

    key: str
    path: str
    size: int
    sha256: str
    surface: str
    arrangement: str

    @property
    def url_path(self) -> str:
        """The path inside the repository, percent-encoded: the names hold spaces and colons."""
        return quote(self.path.removeprefix(_ROOT))


@cache
def robot_files() -> dict[str, RobotFile]:
    """Every file of the authors' data that this library knows, by its short name.

    Returns:
        Short name to `RobotFile`.
    """
    text = (files(__package__) / "data" / "robot_files.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return {
        row["key"]: RobotFile(
            row["key"], row["path"], int(row["bytes"]), row["sha256"], row["surface"], row["arrangement"]
        )
        for row in rows
    }


def data_folder() -> Path:
    """The folder that holds the robot data.

    Returns:
        The folder that the environment variable PLANARCONTACT_DATA names, else one in the user's cache.
    """
    named = os.environ.get("PLANARCONTACT_DATA", "")
    return Path(named).expanduser() if named else Path(pooch.os_cache("planarcontact"))


def is_available(folder: str | Path | None = None) -> bool:
    """Tell whether every file is there in its full size, without any request.

    Args:
        folder: where to look; by default `data_folder()`.

    Returns:
        True if nothing would have to be fetched.

    Raises:
        InputError: the folder is not a path.
    """
    base = data_folder() if folder is None else folder_path("folder", folder)
    return all((base / f.path).is_file() and (base / f.path).stat().st_size == f.size for f in robot_files().values())


def fetch(key: str, *, folder: str | Path | None = None, base_url: str | None = None, progress: bool = True) -> Path:
    """Return the path of one robot file, fetching it if it is missing or damaged.

    A file enters the folder only after its checksum has been verified, so nothing half-written is ever found there.

    Args:
        key: short name, a key of `robot_files()`.
        folder: where the files are kept; by default `data_folder()`.
        base_url: address of the repository's root; by default the authors' repository at the pinned commit.
        progress: show a progress bar while a file is fetched.

    Returns:
        The path of the verified file.

    Raises:
        InputError: the name is unknown, or the folder or the address is none.
        DataError: the file cannot be fetched, or what arrives has the wrong checksum.
    """
    shown = boolean("progress", progress)
    file = robot_files()[one_of("key", key, tuple(robot_files()))]
    base = data_folder() if folder is None else folder_path("folder", folder)
    root = f"{_HOST}/{REPOSITORY}/{COMMIT}/" if base_url is None else base_url
    if not isinstance(root, str):
        raise InputError("base_url", base_url, "is not the text of an address")
    address = root.rstrip("/") + "/" + file.url_path
    store = pooch.create(
        path=base,
        base_url=root,
        registry={file.path: f"sha256:{file.sha256}"},
        urls={file.path: address},
        retry_if_failed=1,
    )
    damaged = (base / file.path).is_file()
    try:
        with _quiet():
            return Path(store.fetch(file.path, downloader=pooch.HTTPDownloader(progressbar=shown, timeout=_TIMEOUT)))
    except (OSError, ValueError, RuntimeError) as error:
        if damaged and _sha256(base / file.path) != file.sha256:
            state = f"{base / file.path} is damaged (its checksum is wrong), and a good copy cannot be fetched"
        else:
            state = f"{file.path} cannot be fetched into {base}"
        raise DataError(
            f"{state} from {address}: {' '.join(str(error).split())}; "
            "try again with a connection, or name a folder that holds the data in PLANARCONTACT_DATA"
        ) from error


def fetch_all(*, folder: str | Path | None = None, base_url: str | None = None, progress: bool = True) -> list[Path]:
    """Return the paths of all robot files, fetching those that are missing or damaged.

    Args:
        folder: where the files are kept; by default `data_folder()`.
        base_url: address of the repository's root; by default the authors' repository at the pinned commit.
        progress: show a progress bar while a file is fetched.

    Returns:
        The paths, in the order of `robot_files()`.

    Raises:
        DataError: a file cannot be fetched, or what arrives has the wrong checksum.
    """
    return [fetch(key, folder=folder, base_url=base_url, progress=progress) for key in robot_files()]


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep pooch's notes off the screen: the progress bar says what happens, the exception what went wrong."""
    logger = pooch.get_logger()
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _sha256(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
