"""One thread, the machine, and the result files: what every measurement shares. Import it before NumPy."""

import json
import os
import platform
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

RESULTS = Path(__file__).parent / "results"


def machine() -> dict[str, object]:
    """The processor, the number of cores and the load of the last minute."""
    return {"processor": platform.processor() or platform.machine(), "cores": os.cpu_count(), "load": round(os.getloadavg()[0], 2)}


def write(name: str, content: dict[str, object]) -> None:
    """Write `content` to results/<name>.json."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
