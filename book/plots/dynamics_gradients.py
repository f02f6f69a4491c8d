"""Drawings of the page on derivatives."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from planarcontact.figures import Columns, drawing

COLOURS = {"one foot": "#0b5fa5", "four feet": "#c8501e"}


@drawing("dyn-grad-slides")
def slides(data: Columns) -> Figure:
    """Distance and turn of both slides: MuJoCo's dots, the fitted model's lines."""
    figure, axes = plt.subplots(1, 2, figsize=(8.6, 3.3))
    for kind, colour in COLOURS.items():
        for ax, name, unit in ((axes[0], "path", "m"), (axes[1], "turn", "rad")):
            ax.plot(data["t [s]"], data[f"{kind}, {name} [{unit}]"], "o", color=colour, ms=3, alpha=0.6, label=f"{kind}, MuJoCo")
            ax.plot(data["t [s]"], data[f"{kind}, {name} fitted [{unit}]"], color=colour, label=f"{kind}, fitted")
    axes[0].set(xlabel="t [s]", ylabel="distance from the start [m]")
    axes[1].set(xlabel="t [s]", ylabel="angle turned [rad]")
    axes[0].legend(fontsize=8)
    return figure


@drawing("dyn-grad-push")
def push(data: Columns) -> Figure:
    """The desk on its way to the goal from above, and the load in each window."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.8, 3.9))
    piece = data["piece"]
    for k in np.unique(piece):
        corners = np.stack([data["x [m]"][piece == k], data["y [m]"][piece == k]], axis=1)
        left.plot(*np.vstack([corners, corners[:1]]).T, color="#9db9d6", lw=0.9)
    goal = np.stack([data["goal x [m]"], data["goal y [m]"]], axis=1)
    left.plot(*np.vstack([goal, goal[:1]]).T, color="#b3001b", lw=1.6, ls="--", label="goal")
    left.plot(data["com x [m]"], data["com y [m]"], color="#222222", lw=1.2, label="path of the COM")
    left.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    left.legend(fontsize=8, loc="upper left")
    middle = (data["window start [s]"] + data["window end [s]"]) / 2
    width = (data["window end [s]"] - data["window start [s]"]) / 4
    for k, name in enumerate(("f_x [N]", "f_y [N]", "T_z [N m]")):
        right.bar(middle + (k - 1) * width, data[name], width, label=name)
    right.axhline(0.0, color="#222222", lw=0.8)
    right.set(xlabel="t [s]", ylabel="chosen load [N], [N m]")
    right.legend(fontsize=8)
    return figure
