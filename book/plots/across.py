"""Drawings of the page that joins the three models; every one draws from its columns alone."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from planarcontact.figures import drawing

Data = dict[str, Any]
BLUE, ORANGE, GREEN, PURPLE, OLIVE, GREY = "#0b5fa5", "#c8501e", "#2a7f4f", "#7b4ea3", "#8a6d00", "#5b5b5b"
LAWS = {"three points": (GREY, "-"), "quartic": (BLUE, "--"), "ellipsoid": (ORANGE, ":")}


def _numbers(data: Data, column: str) -> np.ndarray:
    values = np.asarray(data[column], dtype=float)
    return values[np.isfinite(values)]


@drawing("acr-push")
def same_push(data: Data) -> Figure:
    """Speed and turn rate of the block under one push, for three friction laws."""
    fig, (left, right) = plt.subplots(1, 2, figsize=(7.8, 3.2))
    t = _numbers(data, "t [s]")
    for name, (color, style) in LAWS.items():
        left.plot(t, _numbers(data, f"{name}: v_x [m/s]"), color=color, ls=style, label=name)
        right.plot(t, _numbers(data, f"{name}: omega [rad/s]"), color=color, ls=style, label=name)
    left.set(xlabel="t [s]", ylabel="v_x [m/s]", title="speed along the push")
    right.set(xlabel="t [s]", ylabel="turn rate [rad/s]", title="turn rate")
    left.legend(fontsize=8)
    return fig


@drawing("acr-convergence")
def convergence(data: Data) -> Figure:
    """Distance of the stepper's final pose from that of the free slide, over the step."""
    fig, ax = plt.subplots(figsize=(5.6, 3.4))
    h = _numbers(data, "h [ms]")
    for (name, (color, style)), mark in zip(LAWS.items(), "osD"):
        ax.loglog(h, _numbers(data, f"{name}: miss [mm]"), color=color, ls=style, marker=mark, ms=5, label=name)
    ax.loglog(h, _numbers(data, f"{list(LAWS)[0]}: miss [mm]")[0] * 1.6 * h / h[0], color="k", lw=0.8, label="slope 1")
    ax.set_xticks(h, [f"{x:g}" for x in h])
    ax.set_yticks([0.2, 0.5, 1.0, 2.0], ["0.2", "0.5", "1", "2"])
    ax.minorticks_off()
    ax.set(xlabel="step h [ms]", ylabel="miss of the final pose [mm]")
    ax.legend(fontsize=8)
    return fig


@drawing("acr-height")
def height(data: Data) -> Figure:
    """How a higher centre of mass parts the pressures by statics from the fixed ones."""
    fig, (left, right) = plt.subplots(1, 2, figsize=(7.8, 3.2))
    at = _numbers(data, "height [mm]")
    left.plot(at, _numbers(data, "parting of the COM [mm]"), "o-", color=BLUE, ms=4, label="COM [mm]")
    left.plot(at, _numbers(data, "parting of the angle [deg]"), "s-", color=ORANGE, ms=4, label="angle [deg]")
    left.set(xlabel="height of the COM [mm]", ylabel="|statics - fixed| at rest", title="how far the ways part")
    left.legend(fontsize=8)
    right.plot(at, _numbers(data, "least pressure [N]"), "o-", color=BLUE, ms=4, label="least pressure of a support")
    right.plot(at, _numbers(data, "largest pressure [N]"), "s-", color=ORANGE, ms=4, label="largest")
    right.axhline(_numbers(data, "pressure at rest [N]")[0], color=GREY, lw=0.8, ls=":", label="at rest")
    right.set(xlabel="height of the COM [mm]", ylabel="pressure during the slide [N]", title="what the supports carry")
    right.legend(fontsize=8)
    return fig


@drawing("acr-push-height")
def push_height(data: Data) -> Figure:
    """How far three fixed laws end from the ideal supports whose pressures follow, over the height of the centre of mass."""
    fig, (left, right) = plt.subplots(1, 2, figsize=(7.8, 3.2))
    at = _numbers(data, "height [mm]")
    for (name, (color, style)), mark in zip(LAWS.items(), "osD"):
        left.plot(at, _numbers(data, f"{name}: COM [mm]"), color=color, ls=style, marker=mark, ms=4, label=f"{name}, as at rest")
        right.plot(at, _numbers(data, f"{name}: angle [deg]"), color=color, ls=style, marker=mark, ms=4, label=f"{name}, as at rest")
    left.set(xlabel="height of the COM [mm]", ylabel="end off the true one [mm]", title="centre of mass")
    right.set(xlabel="height of the COM [mm]", ylabel="end off the true one [deg]", title="angle")
    left.legend(fontsize=8)
    return fig


@drawing("acr-tip")
def tip(data: Data) -> Figure:
    """Tilt of blocks of three heights under one push, and when a law for the whole face gives up."""
    fig, ax = plt.subplots(figsize=(6.4, 3.4))
    t = _numbers(data, "t [s]")
    for height, refused, color, style in zip(_numbers(data, "height [mm]"), _numbers(data, "refused [s]"), (GREY, BLUE, ORANGE), ("-", "--", "-.")):
        ax.plot(t, _numbers(data, f"{height:.0f} mm: tilt [deg]"), color=color, ls=style, label=f"COM at {height:.0f} mm")
        if refused > 0:
            ax.axvline(refused, color=color, lw=0.8, ls=":")
            ax.plot([refused], [0.0], marker="x", color=color, ms=8, ls="none", label=f"a law for the face refuses at {refused:.3f} s")
    ax.set(xlabel="t [s]", ylabel="tilt [deg]")
    ax.legend(fontsize=8)
    return fig


@drawing("acr-labels")
def labels(data: Data) -> Figure:
    """Contact mode of the stepper and formation of the recognizer over time, above tilt and height of the box."""
    fig, (top, low) = plt.subplots(2, 1, figsize=(7.8, 4.2), sharex=True, gridspec_kw={"height_ratios": [1.0, 1.3]})
    t = _numbers(data, "t [s]")
    modes = {"{}": ("apart", GREY), "{gv}": ("line: an edge", ORANGE), "{g}": ("surface: the face", BLUE)}
    for row, column in enumerate(("stepper's mode [-]", "recognizer [-]", "MuJoCo, recognizer [-]")):
        words = np.array([str(w) for w in data[column]])[: len(t)]
        for name, (label, color) in modes.items():
            inside = words == name
            top.fill_between(t, 2 - row, 2.8 - row, where=inside, step="mid", color=color, lw=0, label=f"{name} {label}" if row == 0 else None)
    top.set_yticks([2.4, 1.4, 0.4], ["stepper", "recognizer", "in MuJoCo"])
    top.set(ylim=(-0.1, 3.9))
    top.grid(False)
    top.legend(fontsize=8, ncols=3, loc="upper right")
    low.plot(t, _numbers(data, "tilt [deg]"), color=ORANGE, label="tilt [deg], stepper")
    low.plot(t, _numbers(data, "MuJoCo, tilt [deg]"), color=GREY, ls=":", label="tilt [deg], MuJoCo")
    low.plot(t, _numbers(data, "gap [mm]"), color=BLUE, label="height of the lowest corner [mm], stepper")
    limit = _numbers(data, "tilt limit [deg]")[0]
    low.axhline(limit, color="k", lw=0.7, ls="--", label="recognizer's tilt limit")
    low.set(xlabel="t [s]", ylabel="deg, mm")
    low.legend(fontsize=8, ncols=2)
    return fig


@drawing("acr-band")
def band(data: Data) -> Figure:
    """Frames on which label and contact mode differ, over the recognizer's band, by reason."""
    fig, ax = plt.subplots(figsize=(6.0, 3.2))
    eps = _numbers(data, "eps_on [mm]")
    for name, color, mark in (("tilted by less than the limit", ORANGE, "o"), ("above the floor by less than the band", BLUE, "s")):
        ax.plot(eps, _numbers(data, f"{name} [frames]"), color=color, marker=mark, ms=5, label=name)
    ax.set(xscale="log", xlabel="the recognizer's band eps_on [mm]", ylabel="frames, of 1500")
    ax.invert_xaxis()
    ax.legend(fontsize=8)
    return fig


@drawing("acr-chain")
def chain(data: Data) -> Figure:
    """Error of the predicted final pose of every push, with and without noise in the training pokes."""
    fig, axes = plt.subplots(2, 1, figsize=(7.8, 4.2), sharex=True)
    slipped = _numbers(data, "slipped [-]") > 0
    order = np.argsort(_numbers(data, "way to the pusher [mm]"), kind="stable")
    place = np.arange(len(order))
    for k, (name, color) in enumerate((("no noise", BLUE), ("noise 0.1", ORANGE))):
        for ax, column in zip(axes, ("COM [mm]", "angle [deg]")):
            ax.bar(place + (k - 0.5) * 0.4, _numbers(data, f"{name}: {column}")[order], 0.38, color=color, label=name)
    axes[0].plot(place, _numbers(data, "way to the pusher [mm]")[order], "k.", ms=5, label="slip of the execution")
    for ax in axes:
        ax.axvspan(-0.5, (~slipped).sum() - 0.5, color="#eef3ee", zorder=0)
    axes[0].set(ylabel="error, COM [mm]")
    axes[1].set(ylabel="error, angle [deg]", xlabel="push, by how far the block slips on the fingers; green ground: it does not")
    axes[0].legend(fontsize=8)
    return fig
