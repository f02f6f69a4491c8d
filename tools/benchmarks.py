"""Run the measurements in ``benchmarks/``; each script writes ``benchmarks/results/<its name>.json`` when it ends.

    python tools/benchmarks.py [NAME ...]
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(names: list[str]) -> int:
    """Run the named scripts, or all; the exit code counts those that failed."""
    scripts = {path.stem: path for path in sorted((ROOT / "benchmarks").glob("*.py")) if not path.stem.startswith("_")}
    unknown = [name for name in names if name not in scripts]
    if unknown:
        print(f"error: no benchmark {', '.join(unknown)}; there is {', '.join(scripts)}", file=sys.stderr)
        return 2
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "lib"), str(ROOT / "benchmarks")))}
    failed = 0
    for name in names or scripts:
        print(f"{name}", flush=True)
        failed += subprocess.run([sys.executable, str(scripts[name])], cwd=ROOT, env=environment).returncode != 0
    return failed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
