"""Execute the book's chapters: source -> papermill -> normalised notebook with outputs.

    python tools/chapters.py run [NAME ...] [--quick] [--set "step=0.005 seed=3"]
    python tools/chapters.py stale        which committed notebooks are not of this tree

Without --set and --quick the notebook is compared with, and written to, ``book/NAME.ipynb``; with changed parameters
it goes to ``_build/chapters/`` and nothing committed changes. UPDATE=1 renews the baselines of the figures.
"""

import argparse
import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import nbformat  # noqa: E402
import scoreboard  # noqa: E402
from notebooks import (  # noqa: E402
    BOOK,
    ROOT,
    ChapterError,
    chapters,
    differing_figures,
    digest,
    keep_equal_pictures,
    normalise,
    parameters,
    settings,
    source,
    write,
)

CELL_LIMIT = 600  # seconds
BASELINES = BOOK / "_static" / "data"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the result is the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    run = verbs.add_parser("run", help="execute chapters")
    run.add_argument("names", nargs="*", metavar="NAME", help="chapters (default: all)")
    run.add_argument("--set", default="", dest="changes", help="parameters to override: \"name=value ...\"")
    run.add_argument("--quick", action="store_true", help="the small parameters of book/src/params.yml")
    run.add_argument("--cell-limit", type=float, default=CELL_LIMIT, help="seconds that one cell may take")
    verbs.add_parser("stale", help="list committed notebooks that are not of this tree")
    options = parser.parse_args(arguments)
    try:
        if options.verb == "stale":
            return _stale()
        names = options.names or chapters()
        for name in names:
            execute(name, changes=options.changes, quick=options.quick, cell_limit=options.cell_limit)
        if not (options.changes or options.quick):
            scoreboard.main([])
    except ChapterError as error:
        print(f"\nerror: {error}", file=sys.stderr)
        return error.code
    except OSError as error:
        print(f"\nerror: {error}. Nothing committed was changed; free some space or check the folder's permissions.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted: the committed notebooks are as they were", file=sys.stderr)
        return 130
    return 0


def execute(name: str, *, changes: str = "", quick: bool = False, cell_limit: float = CELL_LIMIT) -> Path:
    """Execute chapter `name` and return the path of the notebook with its outputs."""
    notebook, entry = source(name), settings(name)
    values = _overrides(name, parameters(notebook), changes, entry.get("quick", {}) if quick else {})
    if "robot-data" in entry.get("needs", ()) and not _robot_data():
        if changes or quick:
            raise ChapterError(f"{name} needs the robot data, which are not here and could not be fetched", 4)
        print(f"\n*** {name}: no robot data (set PLANARCONTACT_DATA, or allow the download): committed outputs kept ***\n")
        return BOOK / f"{name}.ipynb"
    print(f"{name}: executing", flush=True)
    if changes or quick:
        done = _papermill(notebook, name, values, cell_limit)
        target = ROOT / "_build" / "chapters" / f"{name}.ipynb"
        target.parent.mkdir(parents=True, exist_ok=True)
        done.metadata.pop("papermill", None)
        write(done, target)
        print(f"{name}: with {values or 'its own parameters'} -> {target.relative_to(ROOT)}")
        return target
    with tempfile.TemporaryDirectory() as scratch:
        renewed = Path(scratch) / "data"
        if os.environ.get("UPDATE") == "1":  # all of a chapter's baselines are renewed together, once nothing can stop it any more
            shutil.copytree(BASELINES, renewed)
        done = _papermill(notebook, name, values, cell_limit, renewed if renewed.exists() else BASELINES)
        normalise(done, name)
        differing = differing_figures(done)
        if differing:
            raise ChapterError(f"{name}: figures differ from their baselines (UPDATE=1 renews them):\n  " + "\n  ".join(differing))
        _renew(renewed)
    target = BOOK / f"{name}.ipynb"
    keep_equal_pictures(done, target)
    changed = write(done, target)
    print(f"{name}: {'written' if changed else 'as committed'}")
    return target


def _overrides(name: str, known: dict[str, Any], changes: str, quick: dict[str, Any]) -> dict[str, Any]:
    values = dict(quick)
    for word in shlex.split(changes):
        key, equals, text = word.partition("=")
        if not equals:
            raise ChapterError(f"{word!r} is not name=value", 2)
        try:
            values[key] = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            values[key] = text
    unknown = [key for key in values if key not in known]
    if unknown:
        have = ", ".join(f"{k}={v!r}" for k, v in known.items()) or "none"
        raise ChapterError(f"{name} has no parameter {', '.join(map(repr, unknown))}; it has: {have}", 2)
    return values


def _papermill(
    notebook: nbformat.NotebookNode, name: str, values: dict[str, Any], cell_limit: float, baselines: Path = BASELINES
) -> nbformat.NotebookNode:
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    import papermill
    import tqdm.auto  # noqa: F401  (before TQDM_DISABLE, which is for the chapter's own bars)
    from nbclient.exceptions import CellTimeoutError

    kernel = {
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT / "lib"), os.environ.get("PYTHONPATH", "")])),
        "PYTHONHASHSEED": "0",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "TQDM_DISABLE": "1",
        "PLANARCONTACT_BASELINES": "off" if values else str(baselines),
    }
    before = {key: os.environ.get(key) for key in kernel}
    os.environ.update(kernel)
    with tempfile.TemporaryDirectory() as scratch:
        fresh, done = Path(scratch) / "in.ipynb", Path(scratch) / "out.ipynb"
        nbformat.write(notebook, fresh)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return papermill.execute_notebook(
                    str(fresh), str(done), parameters=values, cwd=str(BOOK), kernel_name="python3",
                    progress_bar=True, execution_timeout=int(max(1, cell_limit)), start_timeout=120,
                    extra_arguments=["--log-level=40"],
                )
        except papermill.PapermillExecutionError as error:
            plain = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(error.traceback[-12:]))
            raise ChapterError(
                f"{name}, cell {error.cell_index}: {error.ename}: {error.evalue}\n{plain}\n"
                f"in:\n{error.source}\nNothing was written."
            ) from None
        except CellTimeoutError:
            raise ChapterError(f"{name}: a cell ran longer than {cell_limit:g} s. Nothing was written.", 3) from None
        finally:
            for key, value in before.items():
                if value is None:
                    os.environ.pop(key, None)
                else:
                    os.environ[key] = value


def _renew(folder: Path) -> None:
    """Put the baselines of a folder that differ from the committed ones in their place."""
    for path in sorted(folder.glob("*.csv")):
        target = BASELINES / path.name
        if not target.is_file() or target.read_bytes() != path.read_bytes():
            partial = target.with_suffix(".partial")
            shutil.copyfile(path, partial)
            os.replace(partial, target)


def _robot_data() -> bool:
    """Whether the robot logs are here or can be fetched, asked in a process of its own."""
    code = (
        "import sys\nfrom planarcontact.errors import DataError\nfrom planarcontact.limit_surface import fetch_all\n"
        "try:\n    fetch_all()\nexcept DataError as error:\n    sys.exit(str(error))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "lib")}
    return subprocess.run([sys.executable, "-c", code], env=environment, stdout=subprocess.DEVNULL).returncode == 0


def _stale() -> int:
    stale = []
    for name in chapters():
        path = BOOK / f"{name}.ipynb"
        stamp = nbformat.read(path, as_version=4).metadata.get("planarcontact", {}).get("digest") if path.is_file() else None
        if stamp != digest(name):
            stale.append(name)
    for name in stale:
        print(f"stale: book/{name}.ipynb (make chapter NAME={name})")
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
