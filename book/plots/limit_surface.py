"""Drawings of the chapter on limit surfaces; every one draws from its columns alone."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from planarcontact.figures import drawing

Data = dict[str, Any]
METHODS = {"quad": "#8a6d00", "poly4": "#c8501e", "poly4-cvx": "#0b5fa5", "gp": "#7b4ea3"}


def _numbers(data: Data, column: str) -> np.ndarray:
    values = np.asarray(data[column], dtype=float)
    return values[np.isfinite(values)]


@drawing("ls-idea")
def idea(data: Data) -> Figure:
    """A poked block, and the level set whose normals are the twists."""
    fig, (left, right) = plt.subplots(1, 2, figsize=(7.6, 3.5))
    x, y = _numbers(data, "outline x [mm]"), _numbers(data, "outline y [mm]")
    left.fill(x, y, color="#e9eef4", ec="#5b5b5b", lw=1.0)
    left.plot(_numbers(data, "support x [mm]"), _numbers(data, "support y [mm]"), "o", color="#5b5b5b", ms=6, label="support")
    left.plot(0, 0, "+", color="k", ms=9, mew=1.5, label="centre of mass")
    contact = np.column_stack([_numbers(data, f"contact {a} [mm]") for a in "xy"])
    force = np.column_stack([_numbers(data, f"force {a} [N]") for a in "xy"])
    left.quiver(*(contact - 6.0 * force).T, *(6.0 * force).T, angles="xy", scale_units="xy", scale=1, color="#c8501e", width=0.007)
    left.plot(*contact.T, ".", color="#c8501e", ms=5, label="poke: place and force")
    left.set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal", title="measured: pokes on the block")
    left.legend(loc="upper right", fontsize=8)
    right.plot(_numbers(data, "section f_x [N]"), _numbers(data, "section tau/rho [N]"), color="#0b5fa5", label="H = 1, section f$_y$ = 0")
    right.plot(_numbers(data, "ideal f_x [N]"), _numbers(data, "ideal tau/rho [N]"), color="#5b5b5b", lw=1.0, ls="--", label="ideal surface")
    at = np.column_stack([_numbers(data, "load f_x [N]"), _numbers(data, "load tau/rho [N]")])
    to = np.column_stack([_numbers(data, "twist v_x [-]"), _numbers(data, "twist omega rho [-]")])
    right.quiver(*at.T, *(1.6 * to).T, angles="xy", scale_units="xy", scale=1, color="#2a7f4f", width=0.007)
    right.plot(*at.T, ".", color="#c8501e", ms=6)
    right.set(xlabel="f$_x$ [N]", ylabel="tau / rho [N]", aspect="equal", title="identified: loads and sliding directions")
    right.margins(0.18)
    right.legend(loc="center", fontsize=8)
    return fig


@drawing("ls-level-set")
def level_set(data: Data) -> Figure:
    """The ideal limit surface with its facets, and the fitted level set with the measured loads and twists."""
    fig = plt.figure(figsize=(8.6, 4.2))
    loads = np.column_stack([_numbers(data, f"load {a} [N]") for a in ("f_x", "f_y", "tau/rho")])
    twists = np.column_stack([_numbers(data, f"twist {a} [-]") for a in ("v_x", "v_y", "omega rho")])
    for k, (which, title) in enumerate([("ideal", "ideal, three supports"), ("fit", "poly4-cvx, fitted to pokes")]):
        axes = fig.add_subplot(1, 2, k + 1, projection="3d", computed_zorder=False)
        grid = [_numbers(data, f"{which} {a} [N]") for a in ("f_x", "f_y", "tau/rho")]
        columns = 49
        axes.plot_surface(*(g.reshape(-1, columns) for g in grid), color="#9fc3e4", alpha=0.45, lw=0.2, edgecolor="#0b5fa5", zorder=1)
        if which == "ideal":
            rings = [_numbers(data, f"facet {a} [N]") for a in ("f_x", "f_y", "tau/rho")]
            index = _numbers(data, "facet [-]")
            for i in np.unique(index):
                axes.plot(*(r[index == i] for r in rings), color="#c8501e", lw=1.4, zorder=2)
        else:
            axes.scatter(*loads.T, color="#c8501e", s=10, depthshade=False, zorder=3)
            axes.quiver(*loads.T, *(1.5 * twists).T, color="#2a7f4f", lw=0.9, zorder=4)
        axes.set(xlabel="f$_x$ [N]", ylabel="f$_y$ [N]", zlabel="tau / rho [N]", title=title)
        axes.set_box_aspect((1, 1, 1), zoom=0.86)
        axes.view_init(elev=22, azim=-52)
    return fig


@drawing("ls-level-sets")
def level_sets(data: Data) -> Figure:
    """Fig. 3 c to f: level sets of four fits with the loads and twists that they were made of."""
    fig = plt.figure(figsize=(8.6, 8.2))
    parts = ("f_x", "f_y", "tau/rho")
    titles = [name.removesuffix(" load f_x [N]") for name in data if name.endswith(" load f_x [N]")]
    for k, title in enumerate(titles):
        axes = fig.add_subplot(2, 2, k + 1, projection="3d", computed_zorder=False)
        grid = [_numbers(data, f"{title} {a} [N]").reshape(-1, 49) for a in parts]
        axes.plot_surface(*grid, color="#9fc3e4", alpha=0.45, lw=0.2, edgecolor="#0b5fa5", zorder=1)
        loads = [_numbers(data, f"{title} load {a} [N]") for a in parts]
        axes.scatter(*loads, color="#c8501e", s=12, depthshade=False, zorder=3)
        axes.quiver(*loads, *(1.5 * _numbers(data, f"{title} twist {a} [-]") for a in parts), color="#2a7f4f", lw=0.9, zorder=4)
        axes.set(xlabel="f$_x$ [N]", ylabel="f$_y$ [N]", zlabel="tau / rho [N]", title=title)
        axes.set_box_aspect((1, 1, 1), zoom=0.86)
        axes.view_init(elev=22, azim=-52)
    return fig


@drawing("ls-held-out")
def held_out(data: Data) -> Figure:
    """Held-out angle error against the number of training pokes, per method."""
    fig, axes = plt.subplots(figsize=(6.2, 3.3))
    amounts = _numbers(data, "training pokes [-]")
    for k, (method, colour) in enumerate(METHODS.items()):
        shift = (k - 1.5) * 0.18 + np.arange(len(amounts))
        axes.bar(shift, data[f"{method} [deg]"], 0.17, color=colour, label=method)
        axes.errorbar(shift, data[f"{method} [deg]"], data[f"{method} half-width [deg]"], fmt="none", ecolor="k", lw=0.9, capsize=2)
    axes.set_xticks(np.arange(len(amounts)), [f"{int(n)}" for n in amounts])
    axes.set(xlabel="pokes for training [-]", ylabel="angle to measured twist [deg]")
    axes.legend(ncols=4, fontsize=8)
    return fig


@drawing("ls-rivals")
def rivals(data: Data) -> Figure:
    """Held-out angle error per log: statics alone, fitted forms, pressures on a grid."""
    fig, axes = plt.subplots(figsize=(8.4, 3.6))
    methods = [name for name in data if name.endswith("[deg]")]
    colours = ("#b9b9b9", "#5b5b5b", "#8a6d00", "#0b5fa5", "#7bb58f", "#2a7f4f")
    logs = [str(log) for log in data["log"]]
    for k, (method, colour) in enumerate(zip(methods, colours)):
        heights = np.asarray(data[method], dtype=float)
        axes.bar(np.arange(len(logs)) + (k - 2.5) * 0.14, np.nan_to_num(heights), 0.13, color=colour, label=method.removesuffix(" [deg]"))
    axes.set_xticks(np.arange(len(logs)), [log.replace(", ", "\n") for log in logs], fontsize=8)
    axes.set(ylabel="angle to measured twist [deg]", ylim=(0.0, 26.0))
    axes.legend(ncols=3, fontsize=8, loc="upper right")
    return fig


@drawing("ls-online")
def online(data: Data) -> Figure:
    """Place of the next load on the predicted level set, while the surface changes."""
    fig, axes = plt.subplots(figsize=(7.0, 3.3))
    pokes = _numbers(data, "poke [-]")
    styles = ("-", "-", "-", "--", "--")
    for name, style in zip([n for n in data if n != "poke [-]"], styles):
        axes.plot(pokes, _numbers(data, name), style, label=name.removesuffix(" [-]"))
    axes.axhline(1.0, color="k", lw=0.8)
    axes.axvline(50, color="#5b5b5b", lw=0.8, ls=":")
    axes.set(xlabel="poke [-] (mean of the last ten)", ylabel="H(F)$^{1/4}$ of the next load [-]")
    axes.set_ylim(0.72, 1.1)
    axes.legend(fontsize=8, ncols=3, loc="upper right")
    return fig
