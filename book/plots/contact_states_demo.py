"""Drawings of the demo's page, and the columns that they are drawn from."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planarcontact.contact_states import catalog, formation_label
from planarcontact.figures import drawing

Data = dict[str, Any]
COLOURS = {
    "{g}": "#8495ae", "{mx, g}": "#4d8fd6", "{mx, g, s}": "#1c5aa6", "{mx, gv, sv}": "#b8431a", "{mx, sv}": "#e08a3c",
    "{sv}": "#d8b13f", "{t}": "#62b07a", "{mz, t}": "#237a48",
}  # fmt: skip
OTHER = "#9a6bb8"
SIDE, STEP, DISK = 0.125, 0.03125, 0.015625


def _numbers(data: Data, column: str) -> np.ndarray:
    values = np.asarray(data[column], dtype=float)
    return values[np.isfinite(values)]


def _texts(data: Data, column: str) -> list[str]:
    return [str(v) for v in data[column] if str(v)]


def snapshots(demo: Any, labels: Any, frames: list[int]) -> Data:
    """Columns of the storyboard: poses and labels of some frames, and the contact sets that are on."""
    sets: list[tuple[float, ...]] = []
    for panel, frame in enumerate(frames):
        for template in np.flatnonzero(labels.on[frame]):
            sets.append((panel, *labels.contact_set(frame, int(template)).ravel()))
    columns = np.array(sets).T
    poses = demo.poses[frames]
    return {
        "frame": frames,
        "formation": [formation_label(labels.names(k), labels.scene) for k in frames],
        **{name: poses[:, k] for k, name in enumerate(("x [m]", "z [m]", "theta [rad]", "disk x [m]", "disk z [m]"))},
        "set panel": columns[0],
        **{f"set {name} [m]": columns[k + 1] for k, name in enumerate(("x0", "z0", "x1", "z1"))},
    }


def bands(demo: Any, labels: Any) -> Data:
    """Columns of the strip: stretches of time in which a template is in band, or on, and the runs of formations."""
    names = [t.name for t in catalog(labels.scene)]
    rows: dict[str, list[Any]] = {key: [] for key in ("template", "state", "from [s]", "to [s]")}
    for state, flags in (("in band", labels.in_band), ("on", labels.on)):
        for template in np.flatnonzero(labels.in_band.any(axis=0)):
            edges = np.flatnonzero(np.diff(np.concatenate(([0], flags[:, template].astype(int), [0]))))
            for start, stop in edges.reshape(-1, 2):
                for key, value in zip(rows, (names[template], state, demo.time[start], demo.time[stop - 1] + 0.01)):
                    rows[key].append(value)
    starts = np.flatnonzero(np.diff(labels.formation, prepend=-1))
    return {
        **rows,
        "formation": [formation_label(labels.names(k), labels.scene) for k in starts],
        "run from [s]": demo.time[starts],
        "run to [s]": np.append(demo.time[starts[1:]], demo.time[-1] + 0.01),
    }


def _scene(axes: Axes, x: float, z: float, theta: float, disk_x: float, disk_z: float) -> None:
    ground = np.array([[-0.5, -0.02], [-0.5, 0.0], [0.0, 0.0], [0.0, STEP], [0.5, STEP], [0.5, -0.02]])
    axes.fill(*ground.T, color="#d9dde3", lw=0)
    axes.plot(*ground[1:5].T, color="#5b6472", lw=1.2)
    u, w = np.array([np.cos(theta), -np.sin(theta)]), np.array([np.sin(theta), np.cos(theta)])
    box = np.array([x, z]) + SIDE / 2 * np.array([a * u + b * w for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))])
    axes.fill(*box.T, fc="#f1e4d0", ec="#8a6d3b", lw=1.2)
    axes.add_patch(plt.Circle((disk_x, disk_z), DISK, fc="#cfe0f3", ec="#1c5aa6", lw=1.2))
    mark = np.array([x, z]) + SIDE / 2 * 0.72 * (w - u)
    axes.plot(*mark, marker="o", ms=3, color="#8a6d3b")


@drawing("cs-demo-storyboard")
def storyboard(data: Data) -> Figure:
    """One frame of each formation of the chain, with the contact sets that are on."""
    frames = _numbers(data, "frame")
    columns = 3
    fig, grid = plt.subplots(-(-len(frames) // columns), columns, figsize=(8.4, 6.2), sharey=True)
    pose = np.column_stack([_numbers(data, c) for c in ("x [m]", "z [m]", "theta [rad]", "disk x [m]", "disk z [m]")])
    panel = _numbers(data, "set panel")
    ends = np.column_stack([_numbers(data, f"set {c} [m]") for c in ("x0", "z0", "x1", "z1")])
    for k, (axes, frame, label) in enumerate(zip(grid.flat, frames, _texts(data, "formation"))):
        centre = np.clip((pose[k, 0] + pose[k, 3]) / 2, -0.4, -0.06)
        _scene(axes, *pose[k])
        for x0, z0, x1, z1 in ends[panel == k]:
            if np.hypot(x1 - x0, z1 - z0) < 2e-3:
                axes.plot(x0, z0, "o", ms=6, color="#c8102e", zorder=5)
            else:
                axes.plot([x0, x1], [z0, z1], color="#c8102e", lw=3.2, solid_capstyle="round", zorder=5)
        axes.set(aspect="equal", xlim=(centre - 0.19, centre + 0.19), ylim=(-0.02, 0.215))
        axes.set_title(f"{label}   frame {frame:.0f}", loc="left", fontsize=9)
        axes.grid(False)
    fig.supxlabel("x [m]", fontsize=9.5)
    for axes in grid[:, 0]:
        axes.set_ylabel("z [m]")
    return fig


@drawing("cs-demo-strip")
def strip(data: Data) -> Figure:
    """The naive count against the principal contacts over time, and the chain below."""
    fig, (upper, lower) = plt.subplots(
        2, 1, figsize=(8.4, 5.4), sharex=True, gridspec_kw={"height_ratios": [6, 1], "hspace": 0.04}
    )
    template, state = np.array(_texts(data, "template")), np.array(_texts(data, "state"))
    start, stop = _numbers(data, "from [s]"), _numbers(data, "to [s]")
    names = list(dict.fromkeys(template))
    for row, name in enumerate(names):
        for kind, colour, height in (("in band", "#b9c6d6", 0.72), ("on", "#c8102e", 0.34)):
            chosen = (template == name) & (state == kind)
            spans = np.column_stack([start[chosen], stop[chosen] - start[chosen]])
            upper.broken_barh(spans, (row - height / 2, height), color=colour, lw=0, label=kind if row == 0 else None)
    upper.set_yticks(range(len(names)), names)
    upper.set_ylim(len(names) - 0.4, -0.6)
    upper.legend(
        handles=[plt.Rectangle((0, 0), 1, 1, color="#b9c6d6"), plt.Rectangle((0, 0), 1, 1, color="#c8102e")],
        labels=["in band", "on"], ncols=2, loc="lower left", bbox_to_anchor=(0, 1.0),
    )  # fmt: skip
    for label, a, b in zip(_texts(data, "formation"), _numbers(data, "run from [s]"), _numbers(data, "run to [s]")):
        lower.axvspan(a, b, color=COLOURS.get(label, OTHER), lw=0)
        if b - a > 0.9:
            lower.text((a + b) / 2, 0.5, label, ha="center", va="center", color="white", fontsize=8)
    present = [label for label in COLOURS if label in _texts(data, "formation")]
    handles = [plt.Rectangle((0, 0), 1, 1, color=COLOURS[label]) for label in present]
    handles.append(plt.Rectangle((0, 0), 1, 1, color=OTHER))
    fig.legend(handles, [*present, "other"], ncols=len(handles), loc="outside lower center", fontsize=8, handlelength=1)
    lower.set(yticks=[], xlabel="time [s]", xlim=(0, _numbers(data, "run to [s]").max()))
    lower.grid(False)
    return fig


@drawing("cs-demo-rocks")
def rocks(data: Data) -> Figure:
    """The two rocks: tilt over frames, with the formations behind."""
    fig, both = plt.subplots(1, 2, figsize=(8.4, 3.1))
    for axes, which, sign, title in zip(both, ("riser", "landing"), (1, -1), ("on the riser", "after landing")):
        frame, tilt = _numbers(data, f"{which} frame"), _numbers(data, f"{which} tilt [deg]")
        for label, a in zip(_texts(data, f"{which} formation"), frame):
            axes.axvspan(a - 0.5, a + 0.5, color=COLOURS.get(label, OTHER), alpha=0.42, lw=0)
        limit = _numbers(data, "tilt limit [deg]")[0]
        axes.plot(frame, tilt, ".-", color="#22303f", ms=4)
        for s in (-1, 1):
            axes.axhline(s * limit, color="#c8102e", lw=1.0, ls="--")
        axes.text(frame[0], limit, " $\\theta_e$", color="#c8102e", va="bottom", ha="left")
        axes.set(xlabel="frame (10 ms)", title=title, xlim=(frame[0] - 0.5, frame[-1] + 0.5))
        seen = dict.fromkeys(_texts(data, f"{which} formation"))
        handles = [plt.Rectangle((0, 0), 1, 1, color=COLOURS.get(s, OTHER), alpha=0.42) for s in seen]
        axes.legend(handles, list(seen), fontsize=7.5, loc="center right" if which == "riser" else "lower right")
    both[0].set_ylabel("tilt from flat [deg]")
    return fig


@drawing("cs-demo-overlap")
def overlap(data: Data) -> Figure:
    """Deepest overlap of any two bodies, the shipped run and a soft one, and where the soft one ties."""
    fig, axes = plt.subplots(figsize=(8.4, 3.1))
    for which, colour in (("soft", "#c8501e"), ("shipped", "#0b5fa5")):
        axes.plot(_numbers(data, f"{which} time [s]"), _numbers(data, f"{which} overlap [mm]"), color=colour, lw=1.0, label=which)
    axes.plot(_numbers(data, "tie time [s]"), _numbers(data, "tie overlap [mm]"), "v", color="#22303f", ms=6, label="tied frame")
    axes.axhline(1.0, color="#5b5b5b", lw=0.9, ls="--")
    axes.text(0.1, 1.1, "$\\epsilon_{on}$", color="#5b5b5b")
    axes.set(xlabel="time [s]", ylabel="deepest overlap [mm]", yscale="log", ylim=(1e-3, 20))
    axes.legend(ncols=3, loc="lower right", bbox_to_anchor=(1.0, 1.0))
    return fig


@drawing("cs-demo-spread")
def spread(data: Data) -> Figure:
    """Runs and rocks of every variant."""
    fig, (left, right) = plt.subplots(1, 2, figsize=(8.4, 3.4))
    kinds = np.array(_texts(data, "kind"))
    runs, ok = _numbers(data, "runs"), _numbers(data, "chain") > 0
    rock, seesaw = (np.asarray(data[f"{which} [deg]"], dtype=float) for which in ("riser rock", "landing seesaw"))
    shown = {"seed": "#0b5fa5", "setting": "#2a7f4f", "controller": "#8a6d00", "soft": "#c8501e", "shipped": "#22303f"}
    bins = np.arange(runs.min() - 0.5, runs.max() + 1.5)
    stacks = [kind for kind in shown if (kinds == kind).any()]
    left.hist([runs[kinds == k] for k in stacks], bins=bins, stacked=True, color=[shown[k] for k in stacks], label=stacks)
    left.axvline(15, color="#c8102e", lw=1.2, ls="--")
    left.text(15.1, left.get_ylim()[1] * 0.97, "text: 15", color="#c8102e", fontsize=8, va="top")
    left.set(xlabel="runs of frames", ylabel="variants")
    left.yaxis.get_major_locator().set_params(integer=True)
    left.legend(fontsize=8)
    for kind in stacks:
        for passed, marker in ((True, "o"), (False, "x")):
            chosen = (kinds == kind) & (ok == passed)
            right.plot(rock[chosen], seesaw[chosen], marker, color=shown[kind], ms=5 if passed else 7, ls="none")
    limit = _numbers(data, "tilt limit [deg]")[0]
    right.axhline(limit, color="#c8102e", lw=0.9, ls="--")
    right.axvline(limit, color="#c8102e", lw=0.9, ls="--")
    right.text(limit, right.get_ylim()[1], " $\\theta_e$", color="#c8102e", va="top")
    right.set(xlabel="tilt after the impact [deg]", ylabel="tilt back after landing [deg]")
    return fig
