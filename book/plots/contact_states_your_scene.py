"""Drawing of the page on own scenes: a hexagon over a hill and its contacts along the way."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from planarcontact.figures import drawing


@drawing("cs-own-roll")
def roll(data: dict[str, Any]) -> Figure:
    """The body at several places above, the contacts over its way below."""
    names = list(data["template"])
    figure, (top, ax) = plt.subplots(2, 1, figsize=(7.4, 2.6 + 0.17 * len(names)), height_ratios=(2.2, 0.17 * len(names)))
    ground_x, ground_z = data["ground x [m]"], data["ground z [m]"]
    top.fill(np.concatenate((ground_x, ground_x[[-1, 0]])), np.concatenate((ground_z, [-1.0, -1.0])), color="#d9d4c7")
    top.plot(ground_x, ground_z, color="#5b5348", lw=1.5)
    for x, z in zip(data["body x [m]"].reshape(-1, 6), data["body z [m]"].reshape(-1, 6)):
        top.fill(x, z, facecolor="#dbe9f6", edgecolor="#0b5fa5", lw=1.1, alpha=0.9)
    way = data["x [m]"]
    top.set(xlim=(way[0] - 0.06, way[-1] + 0.06), ylim=(-0.03, 0.19), aspect="equal", xlabel="x [m]", ylabel="z [m]")
    top.grid(False)
    for row, start, stop in zip(*(data[f"run {k}"].astype(int) for k in ("row", "start", "stop"))):
        ax.barh(row, way[stop - 1] - way[start] + (way[1] - way[0]), left=way[start], height=0.8, color="#0b5fa5")
    ax.set_yticks(range(len(names)), names, fontsize=7)
    ax.set(ylim=(len(names) - 0.4, -0.6), xlim=(way[0], way[-1]), xlabel="position of the centre [m]")
    return figure
