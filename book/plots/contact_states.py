"""Drawings of the chapter on contact states: the scene, the catalog, the rules, the band and the chain."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planarcontact.figures import drawing

Data = dict[str, Any]
SOLID, BOX, DISK = "#d9d4c7", "#dbe9f6", "#f3d9c9"
ON, BAND, OFF = "#0b5fa5", "#a9c9e6", "#f2f2f2"
RED, GREEN = "#c8501e", "#2a7f4f"


def _ground(ax: Axes, data: Data, scale: float = 1e3) -> None:
    x, z = data["ground x [m]"] * scale, data["ground z [m]"] * scale
    ax.fill(np.concatenate((x, [x[-1], x[0]])), np.concatenate((z, [-9e3, -9e3])), color=SOLID, zorder=0)
    ax.plot(x, z, color="#5b5348", lw=1.6, zorder=1)


def _box(ax: Axes, x: np.ndarray, z: np.ndarray, **style: Any) -> None:
    ax.fill(x * 1e3, z * 1e3, **({"facecolor": BOX, "edgecolor": "#0b5fa5", "lw": 1.3, "zorder": 2} | style))


def _frame(ax: Axes, x: tuple[float, float], z: tuple[float, float]) -> None:
    ax.set(xlim=x, ylim=z, xlabel="x [mm]", ylabel="z [mm]", aspect="equal")
    ax.grid(False)


@drawing("cs-scene")
def scene(data: Data) -> Figure:
    """Disk, box and environment with the names of their features."""
    figure, ax = plt.subplots(figsize=(7.2, 3.8))
    _ground(ax, data)
    _box(ax, data["box x [m]"], data["box z [m]"])
    angle = np.linspace(0.0, 2.0 * np.pi, 90)
    centre, radius = (float(data[f"disk {k} [m]"][0]) * 1e3 for k in "xz"), float(data["disk radius [m]"][0]) * 1e3
    cx, cz = centre
    ax.fill(cx + radius * np.cos(angle), cz + radius * np.sin(angle), facecolor=DISK, edgecolor=RED, lw=1.3, zorder=2)
    colours = {"box": "#0b5fa5", "ground": "#5b5348", "disk": RED}
    for text, owner, x, z in zip(data["label"], data["owner"], data["label x [m]"], data["label z [m]"]):
        ax.text(x * 1e3, z * 1e3, text, color=colours[owner], ha="center", va="center", fontsize=9, zorder=4)
    corner_x, corner_z = float(data["corner x [m]"][0]) * 1e3, float(data["corner z [m]"][0]) * 1e3
    ax.plot(corner_x, corner_z, "o", color="#5b5348", ms=6, zorder=4)
    _frame(ax, (-290.0, 150.0), (-30.0, 160.0))
    return figure


@drawing("cs-catalog")
def catalog_grid(data: Data) -> Figure:
    """The 40 templates as a grid, pairs as rows, the box's features as columns."""
    figure, ax = plt.subplots(figsize=(7.4, 2.8))
    shades = {2: "#cfe2f3", 1: "#eaf2fa", 0: "#f7f7f7"}
    for index, name, dimension in zip(data["index"], data["name"], data["dimension"]):
        row, column = divmod(int(index), 8)
        ax.add_patch(plt.Rectangle((column, row), 1, 1, facecolor=shades[int(dimension)], edgecolor="white", lw=2))
        short = not name.startswith("(")
        ax.text(column + 0.5, row + 0.38, name if short else "·", ha="center", va="center",
                fontsize=11 if short else 9, weight="bold" if short else "normal")  # fmt: skip
        ax.text(column + 0.5, row + 0.8, f"{int(index)}", ha="center", va="center", fontsize=6.5, color="#777777")
    ax.set(xlim=(0, 8), ylim=(5, 0), xlabel="feature of the box", ylabel="touches")
    ax.set_xticks(np.arange(8) + 0.5, data["feature"][:8])
    ax.set_yticks(np.arange(5) + 0.5, data["other"][::8])
    ax.tick_params(length=0)
    ax.grid(False)
    for side in ax.spines.values():
        side.set_visible(False)
    return figure


@drawing("cs-principal")
def principal(data: Data) -> Figure:
    """Poses with the touching pairs that a naive count sees and the principal contacts."""
    count = len(data["naive"])
    figure, axes = plt.subplots(1, count, figsize=(7.6, 2.9))
    for k, ax in enumerate(axes):
        _ground(ax, data)
        _box(ax, data["box x [m]"][4 * k : 4 * k + 4], data["box z [m]"][4 * k : 4 * k + 4])
        own = data["set pose"] == k
        for x0, z0, x1, z1 in zip(*(data[f"set {c} [m]"][own] * 1e3 for c in ("x0", "z0", "x1", "z1"))):
            ax.plot([x0, x1], [z0, z1], "o-", color=RED, lw=3.5, ms=4, zorder=4, solid_capstyle="round")
        ax.set_title(f"{int(data['naive'][k])} touching pairs\nprincipal: {data['principal'][k]}", fontsize=8.5)
        middle = float(data["box x [m]"][4 * k : 4 * k + 4].mean()) * 1e3
        _frame(ax, (middle - 100, middle + 100), (-20, 185))
        ax.set_ylabel("z [mm]" if k == 0 else "")
    return figure


@drawing("cs-rules")
def rules(data: Data) -> Figure:
    """Which rule drops which touching template, for one pose."""
    poses = list(dict.fromkeys(data["pose"]))
    heights = [int((data["pose"] == p).sum()) for p in poses]
    figure, axes = plt.subplots(1, len(poses), figsize=(7.6, 0.27 * max(heights) + 1.2))
    names = ["1 in band", "2 interior", "3 aligned", "4 largest"]
    for ax, pose in zip(np.atleast_1d(axes), poses):
        rows = np.flatnonzero(data["pose"] == pose)
        for y, row in enumerate(rows):
            failed = int(data["dropped by rule"][row])
            for rule in range(4):
                reached = failed == 0 or rule + 1 <= failed
                passes = failed == 0 or rule + 1 < failed
                colour = (GREEN if passes else RED) if reached else "#dddddd"
                mark = ("✓" if passes else "✗") if reached else "·"
                ax.text(rule, y, mark, color=colour, ha="center", va="center", fontsize=11)
        kept = data["dropped by rule"][rows] == 0
        ax.set_yticks(range(len(rows)), data["template"][rows])
        for tick, bold in zip(ax.get_yticklabels(), kept):
            tick.set_weight("bold" if bold else "normal")
        ax.set_xticks(range(4), names, rotation=35, ha="right", fontsize=8)
        ax.set(xlim=(-0.6, 3.6), ylim=(len(rows) - 0.5, -0.7), title=pose)
        ax.grid(False)
        ax.tick_params(length=0)
    return figure


@drawing("cs-band")
def band(data: Data) -> Figure:
    """Formations over tilt and gap of the pivot corner, on the open floor and in the corner with the riser."""
    figure, axes = plt.subplots(1, 2, figsize=(7.4, 3.2), sharey=True)
    tilt, gap = np.unique(data["tilt [deg]"]), np.unique(data["gap [mm]"])
    for ax, place in zip(axes, ("floor", "riser")):
        found = data[f"formation on the {place}"]
        words = list(dict.fromkeys(found))
        code = np.array([words.index(w) for w in found]).reshape(len(tilt), len(gap))
        shades = plt.matplotlib.colors.ListedColormap(["#cfe2f3", "#f3d9c9", "#f2f2f2", "#d6ead9", "#e6dcef", "#fff2cc"][: len(words)])
        ax.pcolormesh(tilt, gap, code.T, cmap=shades, vmin=-0.5, vmax=len(words) - 0.5, shading="nearest", rasterized=True)
        for k, word in enumerate(words):
            x, y = np.nonzero(code == k)
            ax.text(tilt[x].mean(), gap[y].mean(), word, ha="center", va="center", fontsize=9)
        ax.axvline(float(data["theta_e [deg]"][0]), color=RED, ls="--", lw=1)
        ax.set(xlabel="tilt [deg]", title=f"pivot corner on the floor{', side on the riser' if place == 'riser' else ''}")
        ax.grid(False)
    axes[0].set_ylabel("gap of the pivot corner [mm]")
    axes[1].text(float(data["theta_e [deg]"][0]) + 0.03, -0.9, r"$\theta_e$", color=RED)
    return figure


@drawing("cs-chain")
def chain(data: Data) -> Figure:
    """Templates over time: light where in band, dark where on; and the formations as a strip."""
    names = list(data["template"])
    figure, (ax, strip) = plt.subplots(
        2, 1, figsize=(7.6, 0.19 * len(names) + 1.9), sharex=True, height_ratios=(len(names), 3)
    )
    for kind, colour, height in (("in band", BAND, 0.8), ("on", ON, 0.8)):
        rows = data["run kind"] == kind
        for row, start, stop in zip(data["run row"][rows], data["run start [s]"][rows], data["run stop [s]"][rows]):
            ax.barh(row, stop - start, left=start, height=height, color=colour, lw=0)
    ax.set_yticks(range(len(names)), names, fontsize=7.5)
    ax.set(ylim=(len(names) - 0.4, -0.6))
    ax.bar([0], [0], color=BAND, label="in band (touching)")
    ax.bar([0], [0], color=ON, label="on (principal)")
    ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, fontsize=8)
    words = list(dict.fromkeys(data["formation"]))
    colours = plt.get_cmap("tab20")(np.arange(len(words)) % 20)
    for word, start, stop in zip(data["formation"], data["formation start [s]"], data["formation stop [s]"]):
        strip.barh(0, stop - start, left=start, height=1.0, color=colours[words.index(word)], lw=0)
        if stop - start > 0.5:
            strip.text((start + stop) / 2, 0, word, ha="center", va="center", fontsize=7, rotation=90 if stop - start < 1.2 else 0)
    strip.set(yticks=[], xlabel="time [s]", ylim=(-0.5, 0.5), ylabel="formation")
    strip.grid(False)
    return figure


@drawing("cs-ties")
def ties(data: Data) -> Figure:
    """Ties and impossible labels over the jitter and over the allowed overlap."""
    figure, axes = plt.subplots(2, 2, figsize=(7.4, 4.8), sharey="row")
    for column, (curve, over, label) in enumerate(
        (("jitter", "jitter [mm]", "jitter [mm], at 10 mm allowed overlap"), ("eps_pen", "eps_pen [mm]", "allowed overlap [mm], at 5 mm jitter"))
    ):
        for row, (what, words) in enumerate((("ties [-]", "poses that tie"), ("impossible [-]", "impossible labels"))):
            ax = axes[row, column]
            for k, name in enumerate(dict.fromkeys(data["options"])):
                rows = (data["curve"] == curve) & (data["options"] == name)
                ax.plot(data[over][rows], data[what][rows], marker="osD^"[k % 4], ms=4, ls=("-", "--", "-.", ":")[k % 4], label=name)
            ax.set_ylabel(words if column == 0 else "")
            ax.set_xlabel(label if row == 1 else "")
    axes[1, 0].legend(fontsize=7.5)
    return figure
