"""Write the data of the map of stable pushes: the load of every centre of rotation on a grid, for three surfaces.

    python tools/widgets/cor_map.py           needs the robot data
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from widgets import formats  # noqa: E402

from planarcontact.limit_surface import (  # noqa: E402
    BOARD_GRID,
    SupportPoints,
    TriangularBlock,
    fit,
    load_pokes,
    statics_pressures,
    twist_about,
)

NAME = "cor-map-wood"
REACH, STEP, UNIT = 0.24, 0.008, 5e-4


def surfaces() -> dict[str, Any]:
    """The ellipsoid and the convex quartic fitted to forty pokes, and the ideal surface of the supports, by colour."""
    block = TriangularBlock()
    points = block.supports("30_90")
    pokes = load_pokes("wood", "30_90", progress=False)
    check = (pokes.loads[40:], pokes.twists[40:])
    fitted = {
        kind: fit(pokes.loads[:40], pokes.twists[:40], kind=kind, length=pokes.length, weights=BOARD_GRID, validation=check)
        for kind in ("quad", "poly4-cvx")
    }
    return {
        "a": ("convex quartic, fitted", fitted["poly4-cvx"]),
        "b": ("ellipsoid, fitted", fitted["quad"]),
        "grey": ("ideal, three supports", SupportPoints(points, statics_pressures(points, block.weight), 1.0, length=pokes.length)),
    }


def centres() -> np.ndarray:
    """The grid (rows * columns, 2) [m], row by row from below."""
    ticks = STEP * np.arange(-round(REACH / STEP), round(REACH / STEP) + 1)
    return np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)


def data() -> dict[str, Any]:
    """Unit loads in the primed space for a counter-clockwise turn about every centre; the other sense has the negative."""
    block, grid = TriangularBlock(), centres()
    made, length = [], 1.0
    for colour, (name, surface) in surfaces().items():
        length = surface.length
        loads = surface.load(twist_about(grid)) / [1.0, 1.0, length]
        loads /= np.linalg.norm(loads, axis=1, keepdims=True)
        made.append({"name": name, "colour": colour, "loads": formats.triples(loads, UNIT)})
    return {
        "kind": "cor-map", "title": "Stable pushes: about which points can two fingers turn the block?", "unit": UNIT, "length": length,
        "outline": np.round(block.vertices, 6).tolist(), "supports": np.round(block.supports("30_90"), 6).tolist(),
        "grid": {"from": -REACH, "step": STEP, "count": round(np.sqrt(len(grid)))}, "surfaces": made,
    }  # fmt: skip


if __name__ == "__main__":
    formats.write(NAME, data())
