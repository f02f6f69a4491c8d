"""Time of the project's own commands in a fresh clone of the last commit; writes results/commands.json.

    python benchmarks/commands.py [COMMAND ...]     default: env html test-quick

Each is `make COMMAND`, in the order given, in one clone that starts without an environment; `book` and `test` take half an hour
together. `env` is named after uv where uv is on the path. Commands that are not run keep their entry in the result file.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _record import RESULTS, machine, write

ROOT = Path(__file__).resolve().parent.parent


def main(commands: list[str]) -> int:
    path = RESULTS / "commands.json"
    kept = json.loads(path.read_text(encoding="utf-8"))["commands"] if path.is_file() else {}
    commit = subprocess.run(["git", "rev-parse", "--short=10", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="commands of ") as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        for command in commands:
            before, start = machine(), time.perf_counter()
            run = subprocess.run(["make", command], cwd=clone, env={**os.environ, "PYTHON": sys.executable})
            seconds = time.perf_counter() - start
            changed = subprocess.run(["git", "status", "--porcelain"], cwd=clone, capture_output=True, text=True, check=True).stdout
            name = "env (uv)" if command == "env" and shutil.which("uv") else command
            kept[name] = {"commit": commit, "seconds": round(seconds), "exit": run.returncode, "changed files": len(changed.splitlines()), "machine": before}
            print(f"make {command}: {seconds:.0f} s, exit code {run.returncode}\n{changed}", flush=True)
            failed += run.returncode != 0 or bool(changed)
            write("commands", {"machine": machine(), "commands": kept})
    return failed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:] or ["env", "html", "test-quick"]))
