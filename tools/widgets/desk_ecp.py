"""Write the data of the desk's widget: the equivalent contact point for a grid of frictions, simulated beforehand.

    python tools/widgets/desk_ecp.py
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from widgets import formats  # noqa: E402

from planarcontact.dynamics import EllipsoidalFriction, scenes, simulate  # noqa: E402

NAME = "desk-ecp"
MU = tuple(round(0.10 + 0.04 * k, 2) for k in range(11))
E_R = (0.02, 0.06, 0.10, 0.14, 0.18, 0.24, 0.30)
EVERY = 2
UNITS = {"place": 1e-3, "ecp": 1e-4, "angle": 1e-3, "speed": 1e-3}


def run(mu: float, e_r: float) -> dict[str, NDArray[np.float64]]:
    """One desk: where its centre of mass is, how it is turned, and its ECP in its own frame, at the ends of the steps."""
    friction = EllipsoidalFriction(mu=mu, e_t=1.0, e_o=1.0, e_r=e_r)
    trajectory = simulate(scenes.desk().replace(friction=friction), backend="compiled")
    if not trajectory.ok or np.isnan(trajectory.ecp).any():
        raise RuntimeError(f"mu = {mu}, e_r = {e_r}: a step did not converge, or the desk left the floor")
    w, z = trajectory.orientation[1:, 0], trajectory.orientation[1:, 3]
    yaw = np.unwrap(2.0 * np.arctan2(z, w))
    offset = trajectory.ecp[:, :2] - trajectory.position[1:, :2]
    cos, sin = np.cos(yaw), np.sin(yaw)
    velocity = trajectory.velocity[1:]
    return {
        "x": trajectory.position[1:, 0], "y": trajectory.position[1:, 1], "yaw": yaw,
        "ecp x": cos * offset[:, 0] + sin * offset[:, 1], "ecp y": -sin * offset[:, 0] + cos * offset[:, 1],
        "speed": np.hypot(velocity[:, 0], velocity[:, 1]), "spin": velocity[:, 5],
    }  # fmt: skip


def data() -> dict[str, Any]:
    """The whole grid, every second step."""
    unit = {
        "x": UNITS["place"], "y": UNITS["place"], "yaw": UNITS["angle"], "ecp x": UNITS["ecp"], "ecp y": UNITS["ecp"],
        "speed": UNITS["speed"], "spin": UNITS["speed"],
    }  # fmt: skip
    scene = scenes.desk()
    feet = np.asarray(scene.body.vertices)[:16, :2]
    grid = [[run(mu, e_r) for e_r in E_R] for mu in MU]
    kept = slice(EVERY - 1, None, EVERY)
    return {
        "kind": "desk-ecp", "title": "The desk's equivalent contact point, for your friction", "units": UNITS,
        "mu": list(MU), "e_r": list(E_R), "default": [MU.index(0.22), E_R.index(0.10)],
        "period": scene.step * EVERY, "feet": [[[round(float(v), 6) for v in p] for p in f] for f in feet.reshape(4, 4, 2)],
        "runs": [[{key: formats.stream(values[kept], unit[key]) for key, values in cell.items()} for cell in row] for row in grid],
    }  # fmt: skip


if __name__ == "__main__":
    formats.write(NAME, data())
