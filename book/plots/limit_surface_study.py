"""Drawings of the page on the identification study; every one draws from its columns alone."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from planarcontact.figures import drawing

Data = dict[str, Any]
KINDS = {"poly4-cvx": "#0b5fa5", "poly4": "#c8501e", "quad": "#8a6d00", "gp": "#7b4ea3"}


def _numbers(data: Data, column: str, count: int) -> np.ndarray:
    return np.asarray(data[column], dtype=float)[:count]


def _bars(data: Data, titles: dict[str, str]) -> Figure:
    """Four groups of bars per panel: ours with both objectives, the authors' as diamonds with their intervals."""
    fig, axes = plt.subplots(2, 2, figsize=(8.8, 6.4))
    objectives = [o for o in ("released", "printed") if f"mean {o} [deg]" in data]
    panels = np.array([str(w) for w in data["panel [-]"] if str(w)])
    count = len(panels)
    kinds = np.array([str(w) for w in data["method [-]"]])[:count]
    amounts = _numbers(data, "training pairs [-]", count)
    for ax, (panel, title) in zip(axes.flat, titles.items()):
        groups = sorted(set(amounts[panels == panel]))
        for k, (kind, color) in enumerate(KINDS.items()):
            rows = (panels == panel) & (kinds == kind)
            at = np.arange(len(groups)) + (k - 1.5) * 0.21
            for j, objective in enumerate(objectives):
                mean, half = (_numbers(data, f"{what} {objective} [deg]", count)[rows] for what in ("mean", "half width"))
                if kind == "gp" and j:
                    continue
                single = kind == "gp" or len(objectives) == 1
                wide = 0.2 if single else 0.1
                place = at if single else at + (j - 0.5) * 0.1
                label = kind if ax is axes[0, 0] and not j else None
                ax.bar(place, mean, wide, yerr=half, color=color, alpha=0.5 if j else 1.0, ecolor="k", error_kw={"lw": 0.7}, label=label)
            theirs, margin = (_numbers(data, f"{what} authors [deg]", count)[rows] for what in ("mean", "half width"))
            ax.errorbar(at, theirs, margin, fmt="D", ms=3.6, color="k", mfc="white", lw=0.8, label="authors" if ax is axes[0, 0] and not k else None)
        ax.set_xticks(range(len(groups)), [f"{int(n)}" for n in groups])
        ax.set(title=title, xlabel="training pairs", ylabel="mean angle [deg]")
    axes[0, 0].legend(fontsize=8, ncols=2)
    return fig


@drawing("ls-study-simulation")
def simulation(data: Data) -> Figure:
    """Fig. 2 of the document."""
    return _bars(data, {"2a": "a: three points, noise", "2b": "b: three points, exact", "2c": "c: ring, noise", "2d": "d: ring, exact"})


@drawing("ls-study-robot")
def robot(data: Data) -> Figure:
    """Fig. 4 of the document."""
    return _bars(data, {"4a": "a: wood, sensor", "4b": "b: wood, ideal", "4c": "c: board, sensor", "4d": "d: board, ideal"})


@drawing("ls-study-agreement")
def agreement(data: Data) -> Figure:
    """Deviations of our means from the authors' in joint half widths, by figure."""
    objectives = [o for o in ("printed", "released") if f"z {o} [-]" in data]
    fig, axes = plt.subplots(1, len(objectives), figsize=(8.4, 3.2), sharey=True, squeeze=False)
    axes = axes[0]
    panels = np.array([str(w) for w in data["panel [-]"] if str(w)])
    names = sorted(set(panels))
    kinds = np.array([str(w) for w in data["method [-]"]])[: len(panels)]
    for ax, objective in zip(axes, objectives):
        z = _numbers(data, f"z {objective} [-]", len(panels))
        ax.axhspan(-1, 1, color="#e9eef4")
        for k, (kind, color) in enumerate(KINDS.items()):
            rows = kinds == kind
            at = np.array([names.index(p) for p in panels[rows]]) + (k - 1.5) * 0.17
            ax.plot(at, z[rows], "o", ms=4, color=color, label=kind)
        ax.set_xticks(range(len(names)), names)
        ax.set(title=objective, xlabel="figure")
    axes[0].set_ylabel("(ours - authors') / joint half width")
    axes[-1].legend(fontsize=7, ncols=4, loc="upper center")
    return fig


@drawing("ls-study-variants")
def variants(data: Data) -> Figure:
    """Other protocols and supports: mean angle of the four methods over the number of training pairs."""
    panels = list(dict.fromkeys(str(w) for w in data["panel [-]"] if str(w)))
    rows = np.array([str(w) for w in data["panel [-]"] if str(w)])
    kinds = np.array([str(w) for w in data["method [-]"]])[: len(rows)]
    amounts, means, halves = (_numbers(data, c, len(rows)) for c in ("training pairs [-]", "mean [deg]", "half width [deg]"))
    fig, axes = plt.subplots(2, (len(panels) + 1) // 2, figsize=(9.4, 5.4), sharex=True)
    for ax, panel in zip(axes.T.flat, panels):
        for kind, color in KINDS.items():
            keep = (rows == panel) & (kinds == kind)
            ax.errorbar(amounts[keep], means[keep], halves[keep], color=color, marker="o", ms=3, lw=1.2, label=kind)
        ax.set(title=panel, ylim=(0, None))
        ax.title.set_fontsize(9)
    for ax in axes[-1]:
        ax.set_xlabel("training pairs")
    for ax in axes[:, 0]:
        ax.set_ylabel("mean angle [deg]")
    axes[0, 0].legend(fontsize=7)
    return fig
