"""Drawings of the page on pushing and free sliding; every one draws from its columns alone."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from planarcontact.figures import drawing

Data = dict[str, Any]
BLUE, ORANGE, GREEN, PURPLE, OLIVE, GREY = "#0b5fa5", "#c8501e", "#2a7f4f", "#7b4ea3", "#8a6d00", "#5b5b5b"
KINDS = {"poly4-cvx": BLUE, "poly4": ORANGE, "quad": OLIVE}


def _numbers(data: Data, column: str) -> np.ndarray:
    values = np.asarray(data[column], dtype=float)
    return values[np.isfinite(values)]


def _words(data: Data, column: str) -> list[str]:
    return [str(word) for word in data[column] if str(word)]


@drawing("ls-push-modes")
def push_modes(data: Data) -> Figure:
    """A pushed block with its friction and motion cones, and its turn over the direction of the pusher."""
    fig, (left, right) = plt.subplots(1, 2, figsize=(7.8, 3.4))
    x, y = _numbers(data, "outline x [mm]"), _numbers(data, "outline y [mm]")
    left.fill(x, y, color="#e9eef4", ec=GREY, lw=1.0)
    left.plot(0, 0, "+", color="k", ms=9, mew=1.5)
    at = _numbers(data, "contact [mm]")
    for name, color, length in (("friction cone", ORANGE, 55.0), ("motion cone", BLUE, 75.0)):
        angles = np.radians(_numbers(data, f"{name} [deg]"))
        corners = np.vstack([at, at + length * np.column_stack([np.cos(angles), np.sin(angles)])])
        left.fill(*corners.T, color=color, alpha=0.25, ec=color, label=name)
    left.set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal", title="a finger at an edge")
    left.legend(loc="upper right", fontsize=8)
    angle = _numbers(data, "pusher direction [deg]")
    for name, color, style in (("fitted", BLUE, "-"), ("ideal", GREY, "--")):
        right.plot(angle, _numbers(data, f"turn {name} [deg/mm]"), color=color, ls=style, label=name)
    for bound in _numbers(data, "motion cone [deg]"):
        right.axvline(bound, color=BLUE, lw=0.8, ls=":")
    right.set(xlabel="direction of the pusher [deg]", ylabel="turn per way of the pusher [deg/mm]", title="slides right | sticks | slides left")
    right.legend(fontsize=8)
    return fig


@drawing("ls-push-pokes")
def push_pokes(data: Data) -> Figure:
    """Mean angle between predicted and measured motion of held-out pokes, by log."""
    logs = _words(data, "log [-]")
    bars = [c for c in data if c.endswith("[deg]")]
    fig, ax = plt.subplots(figsize=(7.8, 3.4))
    place = np.arange(len(logs))
    for k, (name, color) in enumerate(zip(bars, (BLUE, "#8db8dc", OLIVE, GREY, ORANGE))):
        ax.bar(place + (k - 2) * 0.16, _numbers(data, name), 0.15, color=color, label=name.removesuffix(" [deg]"))
    ax.set_xticks(place, logs, rotation=30, ha="right")
    ax.set(ylabel="mean angle to the measured twist [deg]")
    ax.legend(fontsize=8, ncols=2)
    return fig


@drawing("ls-push-tables")
def push_tables(data: Data) -> Figure:
    """Accuracy, recall and precision of predicted stability: ours beside the authors'."""
    fig, axes = plt.subplots(1, 3, figsize=(8.2, 3.2), sharey=True)
    kinds, amounts = np.array(_words(data, "kind [-]")), _numbers(data, "training pokes [-]")
    for ax, score in zip(axes, ("accuracy", "recall", "precision")):
        for k, (kind, color) in enumerate(KINDS.items()):
            rows = kinds == kind
            at = np.arange(rows.sum()) + (k - 1) * 0.27
            ours = np.array(data[f"{score} ours [%]"], float)[: len(kinds)][rows]
            half = np.array(data[f"{score} ours half width [%]"], float)[: len(kinds)][rows]
            theirs = np.array(data[f"{score} authors [%]"], float)[: len(kinds)][rows]
            ax.bar(at, ours, 0.25, yerr=half, color=color, ecolor="k", error_kw={"lw": 0.8}, label=kind)
            ax.plot(at, theirs, "D", color="white", mec="k", ms=4.5, label="authors" if k == 2 else None)
        ax.set_xticks(range(3), [f"{int(n)}" for n in sorted(set(amounts))])
        ax.set(xlabel="training pokes", title=score, ylim=(55, 101))
    axes[0].set_ylabel("per cent")
    axes[2].legend(fontsize=7, loc="lower right")
    return fig


@drawing("ls-push-region")
def push_region(data: Data) -> Figure:
    """Stable centres of rotation of a two-point push: guaranteed, stable by the model, not stable."""
    fig, ax = plt.subplots(figsize=(6.6, 5.2))
    x, y = _numbers(data, "centre x [mm]"), _numbers(data, "centre y [mm]")
    code = _numbers(data, "region [-]")
    for value, color, size, label in (
        (0, "#cfcfcf", 4, "not stable"),
        (1, BLUE, 9, "stable by the fitted surface"),
        (2, GREEN, 9, "and for 400 random pressures"),
        (3, ORANGE, 9, "and by Lynch and Mason's analysis"),
    ):
        rows = code == value
        ax.plot(x[rows], y[rows], "s" if value else ".", ms=size**0.5 + (1.0 if value else 0.0), color=color, label=label)
    ax.fill(_numbers(data, "outline x [mm]"), _numbers(data, "outline y [mm]"), color="white", ec="k", lw=1.2)
    ax.plot(_numbers(data, "finger x [mm]"), _numbers(data, "finger y [mm]"), "o", color="k", ms=5)
    ax.plot(0, 0, "+", color="k", ms=9)
    ax.set(xlabel="x along the long edge [mm]", ylabel="y towards the right angle [mm]", aspect="equal")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.14), ncols=2, fontsize=8)
    return fig


@drawing("ls-push-slides")
def push_slides(data: Data) -> Figure:
    """Free slides of the block: first pose, intermediate poses, last pose, track of the centre of mass."""
    names = [c.removesuffix(" x [mm]").removeprefix("track ") for c in data if c.startswith("track ") and c.endswith(" x [mm]")]
    fig, axes = plt.subplots(1, len(names), figsize=(9.6, 3.0))
    outline = np.column_stack([_numbers(data, "outline x [mm]"), _numbers(data, "outline y [mm]")])
    for ax, name in zip(axes, names):
        track = np.column_stack([_numbers(data, f"track {name} {a}") for a in ("x [mm]", "y [mm]", "angle [rad]")])
        for row in range(0, len(track), 2):
            c, s = np.cos(track[row, 2]), np.sin(track[row, 2])
            corners = outline @ np.array([[c, s], [-s, c]]) + track[row, :2]
            last, first = row >= len(track) - 2, row == 0
            color = "k" if last else GREEN if first else GREY
            ax.plot(*corners.T, color=color, lw=1.4 if first or last else 0.6, ls="-" if first or last else ":")
        ax.plot(track[:, 0], track[:, 1], ".-", color=ORANGE, ms=3, lw=0.7)
        centre = _numbers(data, f"last centre {name} [mm]")
        ax.plot(*centre, "o", mfc="none", color=PURPLE, ms=8)
        ax.set(xlabel="x [mm]", title=name, aspect="equal")
    axes[0].set_ylabel("y [mm]")
    return fig


@drawing("ls-push-loads")
def push_loads(data: Data) -> Figure:
    """Paths of the load during the slides, and the eigen-directions of the level set."""
    fig, (left, right) = plt.subplots(1, 2, figsize=(8.2, 3.6))
    names = [c.removeprefix("load ").removesuffix(" f_x [N]") for c in data if c.startswith("load ") and c.endswith(" f_x [N]")]
    for name, color in zip(names, (ORANGE, "k", BLUE, PURPLE)):
        f = [_numbers(data, f"load {name} {a}") for a in ("f_x [N]", "f_y [N]", "tau/rho [N]")]
        for ax, pair in ((left, (0, 1)), (right, (0, 2))):
            ax.plot(f[pair[0]], f[pair[1]], color=color, lw=1.2, label=name)
            ax.plot(f[pair[0]][-1], f[pair[1]][-1], "o", color=color, ms=5)
    kinds = _numbers(data, "eigen kind [-]")
    e = [_numbers(data, f"eigen {a}") for a in ("f_x [N]", "f_y [N]", "tau/rho [N]")]
    for sign in (1.0, -1.0):
        for kind, mark, label in ((0, "*", "attracting"), (1, "x", "saddle"), (2, "s", "repelling")):
            rows = kinds == kind
            for ax, pair in ((left, (0, 1)), (right, (0, 2))):
                text = label if sign > 0 and ax is right else None
                ax.plot(sign * e[pair[0]][rows], sign * e[pair[1]][rows], mark, color=GREEN, ms=7 if mark == "*" else 4.5, mfc="none", label=text)
    left.set(xlabel="f$_x$ [N]", ylabel="f$_y$ [N]", aspect="equal")
    right.set(xlabel="f$_x$ [N]", ylabel="tau / rho [N]", aspect="equal")
    right.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return fig
