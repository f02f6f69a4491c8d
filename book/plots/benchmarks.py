"""Drawings of the benchmarks page: measured times beside the document's, and error against cost beside MuJoCo's."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from planarcontact.figures import Columns, drawing

OURS, THEIRS, PYRAMID, PAPER = "#0b5fa5", "#c8501e", "#b9b9b9", "#5b5b5b"


@drawing("ben-mujoco")
def mujoco(data: Columns) -> Figure:
    """Error against cost of the hull method and of MuJoCo's sweep; and the least error at each step."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 4.2), sharey=True)
    cost, error, kinds = (data[f"sweep {name}"] for name in ("cost [ms/s]", "error [1]", "kind"))
    for kind, colour, marker, label in (
        ("elliptic", "#e9a98c", "o", "elliptic cones"), ("elliptic, tuned", "#8a5a9e", "^", "elliptic cones, contact tuned"), ("pyramidal", PYRAMID, "s", "pyramidal cones"),
    ):  # fmt: skip
        kept = kinds == kind
        left.loglog(cost[kept], error[kept], marker, color=colour, ms=3.2, alpha=0.8, label=f"MuJoCo, {label}")
    left.loglog(data["front cost [ms/s]"], data["front error [1]"], "-D", color=THEIRS, ms=4.5, drawstyle="steps-post", label="MuJoCo, best of the sweep")
    left.loglog(data["hull cost [ms/s]"], data["hull error [1]"], "-o", color=OURS, ms=4.5, label="hull ECP, h = 20 to 0.2 ms")
    for x, y, h in zip(data["hull cost [ms/s]"], data["hull error [1]"], data["hull step [ms]"]):
        left.annotate(f"{h:g}", (x, y), xytext=(-4, -4), textcoords="offset points", ha="right", va="top", fontsize=8, color=OURS)
    left.set(xlabel="cost of a simulated second [ms]", ylabel="relative error of the velocity [1]", xlim=(0.15, 300), ylim=(6e-5, 6))
    left.set_yticks(10.0 ** np.arange(-4, 1))
    right.loglog(data["least step [ms]"], data["least error [1]"], "-D", color=THEIRS, ms=4.5)
    right.loglog(data["hull step [ms]"], data["hull error [1]"], "-o", color=OURS, ms=4.5)
    right.set(xlabel="time step [ms]")
    figure.legend(*left.get_legend_handles_labels(), fontsize=8.5, ncols=3, loc="outside upper center")
    for ax in (left, right):
        ax.minorticks_off()
    return figure


@drawing("ben-methods")
def methods(data: Columns) -> Figure:
    """Time of one step of the desk by each method: ours and the document's."""
    figure, ax = plt.subplots(figsize=(7.0, 2.9))
    row = np.arange(len(data["method"]))
    for k, (name, colour, label) in enumerate((("ours", OURS, "ours"), ("document", PAPER, "the document's"))):
        value = data[f"{name} [us]"]
        kept = np.isfinite(value)
        ax.plot(value[kept], row[kept], "os"[k], color=colour, ms=7, label=label)
        for x, y in zip(value[kept], row[kept]):
            ax.annotate(f"{x:,.0f}", (x, y), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=8, color=colour)
    ax.set(xscale="log", xlabel="time of one step [us]", xlim=(4, 2e5), ylim=(len(row) - 0.5, -0.7))
    ax.set_yticks(row, data["method"])
    ax.minorticks_off()
    ax.legend(fontsize=8, loc="lower right")
    return figure


@drawing("ben-growth")
def growth(data: Columns) -> Figure:
    """Time of a step against the number of generators, and rate against the number of scenes."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.5))
    corners, times = data["corners"], data["step [us]"]
    around = np.abs(np.array([data["step, fastest [us]"], data["step, slowest [us]"]]) - times)
    left.errorbar(corners, times, around, fmt="-o", color=OURS, ms=4.5, capsize=2, lw=1, label="measured")
    left.plot(corners, times[0] * corners / corners[0], "--", color=PAPER, lw=1, label="in proportion to the corners")
    left.set(xscale="log", yscale="log", xlabel="coplanar corners", ylabel="time of one step [us]", ylim=(5, 300))
    left.set_yticks([10, 30, 100, 300], ["10", "30", "100", "300"])
    left.legend(fontsize=8, loc="center right")
    for name, colour in (("desk", OURS), ("t-bar", THEIRS)):
        kept = data["batch scene"] == name
        count, rate, steps = (data[c][kept] for c in ("batch scenes", "batch rate [1000 steps/s]", "batch steps"))
        around = np.abs(np.array([data[f"batch rate, {which} [1000 steps/s]"][kept] for which in ("slowest", "fastest")]) - rate)
        right.errorbar(count, rate, around, fmt="none", ecolor=colour, capsize=2, lw=1)
        long = steps == steps.max()
        right.plot(count, rate, "-", color=colour, lw=1, alpha=0.5)
        right.plot(count[long], rate[long], "o", color=colour, ms=5.5, label=f"{name}, {steps.max():.0f} steps each")
        right.plot(count[~long], rate[~long], "o", color=colour, mfc="white", ms=5.5, label=f"{name}, {steps.min():.0f} steps each")
    right.axhline(30, color=PAPER, ls="--", lw=1)
    right.annotate("budget", (1, 30), xytext=(0, -10), textcoords="offset points", fontsize=8, color=PAPER)
    right.set(xscale="log", xlabel="scenes in the batch", ylabel="1000 steps per second and core", ylim=(0, 175))
    right.legend(fontsize=8, ncols=2, loc="upper center")
    for ax in (left, right):
        ax.minorticks_off()
    return figure
