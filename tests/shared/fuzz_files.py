"""Entry points that read a file: what is bent is the file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from fuzz import Target, bent
from fuzz_contact_states import DEMO
from fuzz_dynamics import FLAT, TETRAHEDRON
from fuzz_limit_surface import MODEL, PROCESS

from planarcontact import contact_states as cs
from planarcontact import dynamics as dyn
from planarcontact import limit_surface as ls
from planarcontact.limit_surface.own_pushes import PUSH_COLUMNS, read_pushes


def _text(text: str, name: str, read: Callable[[str], Any]) -> Target:
    def call(seed: int) -> Any:
        Path(name).write_text(bent(text, np.random.default_rng(seed)), encoding="utf-8")
        return read(name)

    return Target(call, lambda rng: {"seed": int(rng.integers(2**31))}, replace=False)


def _bytes(content: bytes, name: str, read: Callable[[str], Any]) -> Target:
    """A binary file of which some bytes changed, or the end is missing."""

    def call(seed: int) -> Any:
        rng, damaged = np.random.default_rng(seed), bytearray(content)
        for at in rng.integers(len(damaged), size=rng.integers(0, 4)):
            damaged[at] = rng.integers(256)
        Path(name).write_bytes(damaged[: rng.integers(len(damaged) + 1)] if rng.random() < 0.3 else damaged)
        return read(name)

    return Target(call, lambda rng: {"seed": int(rng.integers(2**31))}, replace=False)


def _push_table() -> str:
    rows = [",".join(PUSH_COLUMNS)]
    for push in range(2):
        for k in range(6):
            values = {c: 0.01 * (k + 1) * (i + 1) for i, c in enumerate(PUSH_COLUMNS)}
            values["push"] = push
            rows.append(",".join(repr(values[c]) for c in PUSH_COLUMNS))
    return "\n".join(rows) + "\n"


def _poke_log() -> str:
    """A log of two pushes."""
    rng, words = np.random.default_rng(0), [2.0]
    for _ in range(2):
        words += [*rng.normal(size=14), 4, *rng.normal(size=12), 3, *rng.normal(size=24)]
    return " ".join(f"{word:g}" for word in words)


def file_targets(folder: Path) -> dict[str, Target]:
    """The targets; `folder` holds the good files."""
    scene, model, process, demo = (folder / name for name in ("good.json", "model.json", "process.json", "demo.npz"))
    dyn.save_scene(scene, FLAT)
    MODEL.save(model)
    PROCESS.save(process)
    DEMO.save(demo)
    return {
        "dynamics.load_scene": _text(scene.read_text(encoding="utf-8"), "scene.json", dyn.load_scene),
        "dynamics.Body.from_mesh, file": _text(TETRAHEDRON, "mesh.obj", lambda path: dyn.Body.from_mesh(path, mass=1.0)),
        "contact_states.load_demo": _bytes(demo.read_bytes(), "demo.npz", cs.load_demo),
        "limit_surface.LimitSurfaceModel.load_file": _text(model.read_text(encoding="utf-8"), "m.json", ls.LimitSurfaceModel.load_file),
        "limit_surface.GaussianProcessModel.load_file": _text(process.read_text(encoding="utf-8"), "p.json", ls.GaussianProcessModel.load_file),
        "limit_surface.own_pushes.read_pushes": _text(_push_table(), "pushes.csv", lambda path: read_pushes(path, length=0.05)),
        "limit_surface.read_poke_log": _text(_poke_log(), "log.txt", ls.read_poke_log),
    }
