"""Commands in a scratch clone of this tree, as CI would run them."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def run_in(folder: Path, *command: str, timeout: float = 900, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run `command` in the clone with the clone's own library; `changes` go to the environment."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "PLANARCONTACT_BASE", "TQDM_"))}
    environment |= {"PYTHONPATH": str(folder / "lib"), "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "agg", **changes}
    if "UPDATE" not in changes:
        environment.pop("UPDATE", None)
    return subprocess.run(
        list(command), cwd=folder, env=environment, capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL
    )


def check_in(folder: Path, *tests: str, selection: str = "") -> subprocess.CompletedProcess[str]:
    """Run the recipe of `make test` in the clone, on some of its tests, with the Python that runs now."""
    return run_in(
        folder, "make", "-o", "env", "test", f"PY={sys.executable}", f"TESTS={' '.join(tests)}",
        f"ARGS=-n 0 -p no:cacheprovider -q {selection}",
    )


def status(folder: Path) -> str:
    """What git says is changed in the clone."""
    return subprocess.run(["git", "status", "--porcelain"], cwd=folder, capture_output=True, text=True, check=True).stdout
