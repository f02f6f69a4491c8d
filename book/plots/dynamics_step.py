"""Drawings of the page on the time step."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from planarcontact.figures import Columns, drawing

COLOURS = {"T-bar": "#0b5fa5", "dumbbell": "#c8501e"}


def _slope(ax: plt.Axes, h: np.ndarray, start: float, order: int) -> None:
    ax.loglog(h, start * (h / h[0]) ** order, ":", color="#777777", lw=1)
    ax.annotate(f"order {order}", (h[-1], start * (h[-1] / h[0]) ** order), fontsize=8, color="#555555", xytext=(2, 4), textcoords="offset points")


@drawing("dyn-step-baseline")
def baseline(data: Columns) -> Figure:
    """Where first-order contact pushes, and the position errors of both schemes, against the step."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.8, 3.7))
    h = data["step [ms]"]
    for name, colour in COLOURS.items():
        left.loglog(h, 1e3 * data[f"{name}, first order, gap while pushed [m]"], "-o", color=colour, ms=4.5, label=f"{name}, pushed above the floor")
        for scheme, style in (("first order", "--s"), ("hull", "-o")):
            right.loglog(h, 1e3 * data[f"{name}, {scheme}, error [m]"], style, color=colour, ms=4.5, label=f"{name}, {scheme}")
    left.loglog(h, 1e3 * data["dumbbell, first order, depth [m]"], "--s", color=COLOURS["dumbbell"], ms=4.5, label="dumbbell, below the floor")
    _slope(left, h, 0.4, 2)
    _slope(right, h, 60.0, 1)
    left.set(xlabel="time step [ms]", ylabel="first order: largest gap or depth [mm]")
    right.set(xlabel="time step [ms]", ylabel="largest error of the COM's position [mm]")
    for ax in (left, right):
        ax.set_xticks(h, [f"{x:g}" for x in h])
        ax.minorticks_off()
        ax.legend(fontsize=8)
    return figure


@drawing("dyn-step-desk")
def desk(data: Columns) -> Figure:
    """The desk's errors against the step, and the parts of its error of x."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.8, 3.5))
    h = data["step [ms]"]
    for name in ("position error [m]", "speed error [m/s]", "ECP error [m]"):
        left.loglog(h, data[name], "-o", ms=4.5, label=name)
    _slope(left, h, 0.04, 1)
    left.set(xlabel="time step [ms]", ylabel="largest error in 4 s")
    left.set_xticks(h, [f"{x:g}" for x in h])
    left.minorticks_off()
    left.legend(fontsize=8)
    first, carried = data["h (v - v0) / 2 [m]"], data["carried by the error of v_x [m]"]
    right.plot(data["t [s]"], 1e3 * data["x error [m]"], lw=3.5, alpha=0.4, label="error of x")
    right.plot(data["t [s]"], 1e3 * first, label="h ($v_x$ - $v_{x0}$) / 2")
    right.plot(data["t [s]"], 1e3 * carried, label="carried by the error of $v_x$")
    right.plot(data["t [s]"], 1e3 * (first + carried), "--", color="#222222", lw=1, label="sum of the two")
    right.set(xlabel="t [s]", ylabel="at h = 10 ms [mm]")
    right.legend(fontsize=8)
    return figure
