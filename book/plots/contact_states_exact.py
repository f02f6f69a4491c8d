"""Drawings of the page on exact validity: the counts, the placements, witnesses, the radius, connectivity and the graph."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planarcontact.figures import drawing

Data = dict[str, Any]
SOLID, BOX, DISK = "#d9d4c7", "#dbe9f6", "#f3d9c9"
BLUE, RED, GREY = "#0b5fa5", "#c8501e", "#8b8b8b"


def _ground(ax: Axes, height: float, x: tuple[float, float]) -> None:
    ax.fill([x[0], 0, 0, x[1], x[1], x[0]], [0, 0, height, height, -20, -20], color=SOLID, zorder=0)
    ax.plot([x[0], 0, 0, x[1]], [0, 0, height, height], color="#5b5348", lw=1.2, zorder=1)


def _bare(ax: Axes, x: tuple[float, float], z: tuple[float, float]) -> None:
    ax.set(xlim=x, ylim=z, aspect="equal", xticks=[], yticks=[])
    ax.grid(False)
    ax.spines[["left", "bottom"]].set_visible(False)


@drawing("cs-exact-count")
def counts(data: Data) -> Figure:
    """How many formations are left by each test."""
    figure, ax = plt.subplots(figsize=(7.0, 2.6))
    n = data["formations [1]"]
    ax.barh(np.arange(len(n))[::-1], n, color=[GREY, GREY, RED, BLUE, BLUE][: len(n)], height=0.6)
    for i, (value, name) in enumerate(zip(n, data["set"])):
        ax.text(value * 1.1, len(n) - 1 - i, f"{value:,.0f}  {name}", va="center", fontsize=9)
    ax.set(xscale="log", xlim=(100, 4e7), yticks=[], xlabel="formations")
    return figure


@drawing("cs-exact-placements")
def placements(data: Data) -> Figure:
    """Each way of placing the box, its features coloured by whether the disk can touch them."""
    figure, axes = plt.subplots(3, 5, figsize=(9.0, 5.6))
    names, h = data["placement"], float(data["step height [mm]"][0])
    for ax in axes.flat:
        ax.axis("off")
    for k, (ax, name) in enumerate(zip(axes.flat, names)):
        ax.axis("on")
        _ground(ax, h, (-230, 230))
        here = data["panel [1]"] == k
        x, z, on = (data[key][here] for key in ("corner x [mm]", "corner z [mm]", "side touched [1]"))
        vertex = data["corner touched [1]"][here]
        ax.fill(x, z, color=BOX, zorder=2)
        for i in range(4):
            j = (i + 1) % 4
            ax.plot([x[i], x[j]], [z[i], z[j]], color=BLUE if on[i] else RED, lw=2.4, ls="-" if on[i] else (0, (2, 1)), zorder=3)
        for i in range(4):
            ax.plot(x[i], z[i], "o" if vertex[i] else "X", color=BLUE if vertex[i] else RED, ms=6, zorder=4)
        _bare(ax, (-230, 230), (-25, 235))
        ax.set_title(f"{name}: {int(data['disk contacts [1]'][k])}", fontsize=9)
    return figure


@drawing("cs-exact-witnesses")
def witnesses(data: Data) -> Figure:
    """Exact poses of eight formations."""
    figure, axes = plt.subplots(2, 4, figsize=(9.0, 4.2))
    h, r = float(data["step height [mm]"][0]), float(data["disk radius [mm]"][0])
    turn = np.linspace(0, 2 * np.pi, 90)
    for k, (ax, name) in enumerate(zip(axes.flat, data["formation"])):
        _ground(ax, h, (-400, 300))
        here = slice(4 * k, 4 * k + 4)
        ax.fill(data["corner x [mm]"][here], data["corner z [mm]"][here], facecolor=BOX, edgecolor=BLUE, lw=1.3, zorder=2)
        mx, mz = data["disk x [mm]"][k], data["disk z [mm]"][k]
        ax.fill(mx + r * np.cos(turn), mz + r * np.sin(turn), facecolor=DISK, edgecolor=RED, lw=1.3, zorder=3)
        x = float(np.mean(data["corner x [mm]"][here]))
        _bare(ax, (x - 120, x + 120), (-20, 200))
        ax.set_title(str(name), fontsize=9)
    return figure


@drawing("cs-exact-radius")
def radius(data: Data) -> Figure:
    """The number of realisable formations against the disk's radius."""
    figure, ax = plt.subplots(figsize=(7.0, 3.2))
    edges, level = data["interval end r/h [1]"], data["count between [1]"]
    for i, value in enumerate(level):
        ax.plot(edges[i : i + 2], [value, value], color=BLUE, lw=2)
    ax.plot(data["threshold r/h [1]"], data["count, disk may touch E [1]"], "o", color=BLUE, ms=6, label="disk may touch E")
    ax.plot(data["threshold r/h [1]"], data["count, disk clear of E [1]"], "o", mfc="white", color=RED, ms=6, label="disk clear of E")
    ax.set(xlabel="r / h", ylabel="realisable formations", xlim=(0, 1.5), ylim=(325, 385))
    ax.legend(loc="upper right")
    return figure


@drawing("cs-exact-connectivity")
def connectivity(data: Data) -> Figure:
    """Share of formations whose sampled poses fall apart, against the link radius."""
    figure, ax = plt.subplots(figsize=(7.0, 3.2))
    width = np.array([-0.25, 0.0, 0.25])
    at = np.arange(len(data["link radius [mm]"]))
    for shift, (key, color) in zip(width, (("exact", BLUE), ("band", GREY), ("half", RED))):
        ax.bar(at + shift, data[f"split, {key} [1]"], width=0.24, color=color, label={"exact": "exact set", "band": "full band", "half": "random half of the band"}[key])
    ax.plot(at, np.zeros(len(at)), "D", color="black", ms=5, label="joined by explicit paths", zorder=5, clip_on=False)
    ax.set(xticks=at, xticklabels=[f"{v:g}" for v in data["link radius [mm]"]], xlabel="link radius [mm]", ylabel="formations in several pieces")
    ax.legend()
    return figure


@drawing("cs-exact-graph")
def graph(data: Data) -> Figure:
    """The formation graph in layers of dimension, the document's chain in colour."""
    figure, ax = plt.subplots(figsize=(9.0, 5.2))
    x, y = data["node x [1]"], data["node dimension [1]"]
    start, end = data["edge from [1]"].astype(int), data["edge to [1]"].astype(int)
    level = y + data["node shift [1]"]
    ax.plot(np.stack([x[start], x[end]]), np.stack([level[start], level[end]]), color="#c9d3dc", lw=0.25, zorder=1)
    ax.plot(x, level, ".", color=GREY, ms=4, zorder=2)
    walk = data["chain node [1]"].astype(int)
    ax.plot(x[walk], level[walk], "-o", color=RED, lw=1.8, ms=6, zorder=3)
    for i, node in enumerate(walk[:-1]):
        ax.annotate(data["chain name"][i], (x[node], level[node]), textcoords="offset points", xytext=(7, 6 if i % 2 else -12), fontsize=8.5, zorder=4)
    ax.set(ylabel="dimension of the set of poses", xticks=[], yticks=range(1, 6))
    return figure
