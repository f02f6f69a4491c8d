"""Make or refresh ``.venv`` from the hashed lock; uses uv where it is installed, pip otherwise.

Needs only the standard library. Does nothing where the environment is already that of this lock. On failure it says
what is missing and how to get it, and leaves no half-made environment behind.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
NEEDED = (3, 11)


class InstallError(Exception):
    """Installing stopped; the message says what to do, `code` is the exit code."""

    def __init__(self, message: str, code: int):
        self.code = code
        super().__init__(message)


def main() -> int:
    """Install, and return the exit code: 0 done, 2 something of Python is missing, 3 no packages."""
    environment = ROOT / ".venv"
    stamp = environment / "installed"
    try:
        if sys.version_info < NEEDED:
            have = ".".join(map(str, sys.version_info[:3]))
            raise InstallError(f"Python 3.11 or newer is needed, this is {have}. Name another one: make PYTHON=python3.12", 2)
        wanted = _fingerprint()
        if stamp.is_file() and stamp.read_text() == wanted and _python(environment).is_file():
            return 0
        try:
            _install(environment)
            stamp.write_text(wanted)
        except BaseException:
            shutil.rmtree(environment, ignore_errors=True)
            raise
    except InstallError as error:
        print(f"\nerror: {error}", file=sys.stderr)
        return error.code
    except OSError as error:
        print(f"\nerror: cannot write the environment: {error}. Free some space or check the folder's permissions.", file=sys.stderr)
        return 4
    except KeyboardInterrupt:
        print("\ninterrupted: the unfinished .venv was removed, run the command again", file=sys.stderr)
        return 130
    return 0


def _fingerprint() -> str:
    digest = hashlib.sha256(LOCK.read_bytes() + (ROOT / "pyproject.toml").read_bytes())
    digest.update(f"{sys.version_info[:2]} {ROOT}".encode())
    return digest.hexdigest()


def _python(environment: Path) -> Path:
    return environment / ("Scripts" if os.name == "nt" else "bin") / "python"


def _install(environment: Path) -> None:
    shutil.rmtree(environment, ignore_errors=True)
    uv = shutil.which("uv") if os.environ.get("PLANARCONTACT_INSTALLER", "uv") == "uv" else None
    if uv:
        print("Installing the locked packages into .venv with uv (about half a minute)", flush=True)
        _run([uv, "venv", "--quiet", "--python", sys.executable, str(environment)], "uv could not make .venv", 2)
        install = [uv, "pip", "install", "--quiet", "--python", str(_python(environment))]
    else:
        if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
            raise InstallError(
                "this Python has no venv module. Debian and Ubuntu: apt install python3-venv. "
                "Or install uv, which needs none: pip install uv", 2,
            )
        print("Installing the locked packages into .venv with pip (about three minutes; uv is faster)", flush=True)
        _run([sys.executable, "-m", "venv", str(environment)], "Python could not make .venv (is python3-venv installed?)", 2)
        install = [str(_python(environment)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    no_packages = (
        "the packages could not be installed. Is a package index reachable (a proxy or a mirror may need to be set in "
        "pip's or uv's own configuration)? The lines above say what failed"
    )
    _run([*install, "--require-hashes", "-r", str(LOCK)], no_packages, 3)
    _run([*install, "--no-deps", "--no-build-isolation", "-e", str(ROOT)], "planarcontact itself could not be installed", 3)


def _run(command: list[str], problem: str, code: int) -> None:
    if subprocess.run(command, cwd=ROOT).returncode != 0:
        raise InstallError(f"{problem}.", code)


if __name__ == "__main__":
    raise SystemExit(main())
