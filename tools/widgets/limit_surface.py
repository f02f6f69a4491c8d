"""Write the data of the limit-surface widget: a simulated block on three supports, and the measured pokes on wood.

    python tools/widgets/limit_surface.py           the measured one only where the robot data are
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from widgets import formats  # noqa: E402

from planarcontact.limit_surface import (  # noqa: E402
    BOARD_GRID,
    LimitSurfaceModel,
    SupportPoints,
    TriangularBlock,
    fit,
    load_pokes,
    statics_pressures,
)

Array = NDArray[np.float64]
AXES = (("f_x", "N"), ("f_y", "N"), ("τ/ρ", "N"))
UNIT = 1e-3
SEED = 7


def surfaces(title: str, ideal: SupportPoints, model: LimitSurfaceModel, loads: Array, twists: Array, item: str) -> dict[str, Any]:
    """Ideal surface with facets, fitted level sets, and the data with measured and predicted twists."""
    primed = np.array([1.0, 1.0, model.length])
    polar, turn = np.meshgrid(np.linspace(0.0, np.pi, 25), np.linspace(0.0, 2 * np.pi, 49), indexing="ij")
    sphere = np.stack([np.sin(polar) * np.cos(turn), np.sin(polar) * np.sin(turn), np.cos(polar)], axis=-1)
    flat = sphere.reshape(-1, 3)
    ideal_grid = (ideal.load(flat / primed) / primed).reshape(sphere.shape)
    fitted = (flat / model.value(flat * primed)[:, None] ** (1.0 / model.degree)).reshape(sphere.shape)
    circle = np.linspace(0.0, 2 * np.pi, 37)[:-1]
    rings = [np.array([f.point(np.cos(c), np.sin(c)) for c in circle]) / primed for f in ideal.facets()]
    measured = twists * primed
    measured /= np.linalg.norm(measured, axis=1, keepdims=True)
    predicted = model.twist(loads) * primed
    predicted /= np.linalg.norm(predicted, axis=1, keepdims=True)
    between = np.degrees(np.arctan2(np.linalg.norm(np.cross(measured, predicted), axis=1), (measured * predicted).sum(axis=1)))
    places = loads / primed
    value = model.value(loads)
    notes = [
        f"load ({p[0]:.2f}, {p[1]:.2f}, {p[2]:.2f}) N, H = {h:.2f}\n{a:.1f}° between measured and predicted twist"
        for p, h, a in zip(places, value, between)
    ]
    arrows = [("predicted twist, normal of the level set", "a", predicted), ("measured twist", "c", measured)]
    half = 0.5
    layers = [
        formats.surface("fitted convex quartic, H = 1", fitted, unit=UNIT),
        formats.surface("its level set at half the load, H = 1/16", half * fitted, unit=UNIT, shown=False, opacity=0.5),
        formats.surface("ideal surface of the three supports", ideal_grid, unit=UNIT, colour="grey", opacity=0.25, shown=False),
        formats.polygons("its facets: turns about one support", rings, unit=UNIT),
        formats.points("measured loads", places, unit=UNIT, item=item, notes=notes, arrows=arrows),
    ]
    return formats.limit_surface(title, AXES, layers, unit=UNIT)


def simulated() -> dict[str, Any]:
    """Thirty noisy loads and twists of a block on three equal supports, and the convex quartic fitted to them."""
    random = np.random.default_rng(SEED)
    block = TriangularBlock()
    points = block.supports("30_90")
    ideal = SupportPoints(points, statics_pressures(points, block.weight), 0.25, length=0.05)
    primed = np.array([1.0, 1.0, 0.05])
    twists = random.standard_normal((30, 3)) / primed
    loads = ideal.load(twists)
    scale = np.linalg.norm(loads / primed, axis=1).mean()
    loads = loads + 0.05 * scale * random.standard_normal(loads.shape) * primed
    directions = twists * primed
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    twists = (directions + 0.05 * random.standard_normal(directions.shape)) / primed
    model = fit(loads, twists, kind="poly4-cvx", length=0.05)
    return surfaces("A limit surface, to turn: three supports, thirty simulated slides", ideal, model, loads, twists, "slide")


def measured() -> dict[str, Any]:
    """The fifty pokes of the triangular block on wood: forty for the fit, as on the page on limit surfaces."""
    block = TriangularBlock()
    points = block.supports("30_90")
    pressures = statics_pressures(points, block.weight)
    pokes = load_pokes("wood", "30_90", progress=False)
    model = fit(
        pokes.loads[:40], pokes.twists[:40], kind="poly4-cvx", length=pokes.length, weights=BOARD_GRID,
        validation=(pokes.loads[40:], pokes.twists[40:]),
    )  # fmt: skip
    unit = SupportPoints(points, pressures, 1.0, length=pokes.length)
    friction = float(np.sum(pokes.loads * pokes.twists) / np.sum(unit.support(pokes.twists)))
    ideal = SupportPoints(points, pressures, friction, length=pokes.length)
    return surfaces("A limit surface, to turn: a block on wood, fifty pokes", ideal, model, pokes.loads, pokes.twists, "poke")


def main() -> None:
    """Write both files."""
    from planarcontact.limit_surface.download import is_available

    formats.write("limit-surface-three-points", simulated())
    if is_available():
        formats.write("limit-surface-wood", measured())


if __name__ == "__main__":
    main()
