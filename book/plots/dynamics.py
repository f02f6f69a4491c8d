"""Drawings of the dynamics chapter's first page: contact patches and the desk."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from planarcontact.figures import Columns, drawing

PATCH, HULL, POINT = "#9db9d6", "#c8501e", "#b3001b"


def _pieces(data: Columns, prefix: str) -> list[np.ndarray]:
    """Split columns (piece, x, y) into one (n, 2) polygon per piece."""
    piece = data[f"{prefix}piece"]
    points = np.stack([data[f"{prefix}x [m]"], data[f"{prefix}y [m]"]], axis=1)
    return [points[piece == k] for k in np.unique(piece)]


@drawing("dyn-patches")
def patches(data: Columns) -> Figure:
    """Contact patch, its convex hull and the ECP of three bodies at rest or in motion."""
    figure, axes = plt.subplots(1, 3, figsize=(8.4, 3.1))
    for ax, name in zip(axes, ("desk", "T-bar", "dumbbell")):
        for polygon in _pieces(data, f"{name} patch "):
            if len(polygon) > 2:
                ax.fill(*polygon.T, color=PATCH)
            else:
                ax.plot(*polygon.T, color="#0b5fa5", lw=4, solid_capstyle="butt")
        hull = np.stack([data[f"{name} hull x [m]"], data[f"{name} hull y [m]"]], axis=1)
        ax.plot(*np.vstack([hull, hull[:1]]).T, color=HULL, lw=1.4, ls="--")
        ax.plot(data[f"{name} ecp x [m]"], data[f"{name} ecp y [m]"], "x", color=POINT, ms=9, mew=2)
        ax.plot(data[f"{name} com x [m]"], data[f"{name} com y [m]"], "o", color="#222222", mfc="none", ms=7)
        ax.set(title=name, xlabel="x [m]", aspect="equal")
        ax.margins(0.12)
        if name == "dumbbell":
            ax.set_ylim(-0.1, 0.1)
    axes[0].set_ylabel("y [m]")
    return figure


@drawing("dyn-desk-feet")
def desk_feet(data: Columns) -> Figure:
    """The desk's four feet from below, with sizes."""
    figure, ax = plt.subplots(figsize=(4.2, 3.8))
    for polygon in _pieces(data, ""):
        ax.fill(*polygon.T, color=PATCH, ec="#0b5fa5")
    low, high = data["x [m]"].min(), data["x [m]"].max()
    ax.annotate("", (low, low - 0.05), (high, low - 0.05), arrowprops={"arrowstyle": "<->"})
    ax.annotate(f"L = {high - low:.2f} m", ((low + high) / 2, low - 0.045), ha="center", va="bottom")
    first = _pieces(data, "")[0]
    ax.annotate("", (first[:, 0].min(), high + 0.03), (first[:, 0].max(), high + 0.03), arrowprops={"arrowstyle": "<->"})
    ax.annotate(f"$L_s$ = {np.ptp(first[:, 0]):.2f} m", (first[:, 0].mean(), high + 0.04), ha="center", va="bottom")
    ax.plot(0, 0, "o", color="#222222", mfc="none", ms=8)
    ax.annotate("COM", (0.015, 0.01))
    ax.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", xlim=(low - 0.06, high + 0.06), ylim=(low - 0.09, high + 0.1))
    return figure


@drawing("dyn-desk-snapshots")
def desk_snapshots(data: Columns) -> Figure:
    """Feet, COM and ECP at a few times, from above."""
    figure, ax = plt.subplots(figsize=(6.4, 5.2))
    for polygon in _pieces(data, ""):
        ax.fill(*polygon.T, color=PATCH, ec="#0b5fa5", lw=0.7)
    ax.plot(data["com x [m]"], data["com y [m]"], "o-", color="#222222", mfc="white", ms=6, lw=0.8, label="COM, projected")
    ax.plot(data["ecp x [m]"], data["ecp y [m]"], "x", color=POINT, ms=9, mew=2, label="ECP")
    for t, x, y in zip(data["t [s]"], data["com x [m]"], data["com y [m]"]):
        ax.annotate(f"{t:.1f} s", (x, y), xytext=(-6, 8), textcoords="offset points", ha="right", fontsize=8)
    ax.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    ax.legend(loc="lower right")
    return figure


@drawing("dyn-desk-speeds")
def desk_speeds(data: Columns) -> Figure:
    """Velocity along x and spin of the desk against time."""
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.2))
    for ax, name, unit in ((axes[0], "v_x", "m/s"), (axes[1], "w_z", "rad/s")):
        ax.plot(data["t [s]"], data[f"{name} hull [{unit}]"], label="hull, one ECP")
        ax.set(xlabel="t [s]", ylabel=f"${name.replace('w', 'ω')}$ [{unit}]")
        ax.legend()
    return figure


@drawing("dyn-desk-checks")
def desk_checks(data: Columns) -> Figure:
    """ECP relative to the COM, cone use, and the energy balance of the desk."""
    figure, axes = plt.subplots(1, 3, figsize=(9.4, 3.1))
    t = data["t [s]"]
    axes[0].plot(t, data["a_x - q_x [m]"], label="$a_x - q_x$")
    axes[0].plot(t, data["a_y - q_y [m]"], label="$a_y - q_y$")
    axes[0].set(xlabel="t [s]", ylabel="ECP from the COM's projection [m]")
    axes[0].legend()
    axes[1].plot(t, data["cone use [-]"])
    axes[1].set(xlabel="t [s]", ylabel="share of the friction limit [-]", ylim=(0, 1.1))
    axes[2].plot(t, data["applied work [J]"], label="applied work")
    axes[2].plot(t, -data["friction work [J]"], label="lost to friction")
    axes[2].plot(t, data["energy gain [J]"], label="gain of energy")
    axes[2].set(xlabel="t [s]", ylabel="since the start [J]")
    axes[2].legend()
    return figure


@drawing("dyn-desk-methods")
def desk_methods(data: Columns) -> Figure:
    """Velocity and spin by five runs, and their largest differences from the hull method."""
    figure, axes = plt.subplots(2, 2, figsize=(8.8, 5.4))
    names = ["hull", *data["method"]]
    for column, (name, unit) in enumerate((("v_x", "m/s"), ("w_z", "rad/s"))):
        for k, method in enumerate(names):
            style = {"lw": 3.5, "alpha": 0.4} if method == "hull" else {"lw": 1.1, "ls": (0, (4, 2 + k))}
            axes[0, column].plot(data["t [s]"], data[f"{name} {method} [{unit}]"], label=method, **style)
        symbol = f"${name.replace('w', 'ω')}$"
        axes[0, column].set(xlabel="t [s]", ylabel=f"{symbol} [{unit}]")
        worst = data[f"largest difference, {name} [{unit}]"]
        axes[1, column].barh(names[1:], worst, left=1e-12, color=["#0b5fa5" if w < 1e-10 else "#c8501e" for w in worst])
        axes[1, column].axvline(1e-8, color="#222222", lw=1, ls="--")
        axes[1, column].annotate("the document's 1e-8", (1.3e-8, -0.35), fontsize=8)
        axes[1, column].set(xscale="log", xlim=(1e-12, 10), xlabel=f"largest difference of {symbol} [{unit}]")
    axes[0, 0].legend(fontsize=7)
    return figure
