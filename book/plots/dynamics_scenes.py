"""Drawings and columns of the T-bar's and the dumbbell's pages."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from planarcontact.dynamics import ContactMode, Scene, Trajectory, geometry, scenes, simulate
from planarcontact.dynamics.diagnostics import diagnose
from planarcontact.figures import Columns, drawing

POINT = "#b3001b"


def loads_data(scene: Scene) -> Columns:
    """The applied load at the middle of every step."""
    names = ("f_x [N]", "f_y [N]", "f_z [N]", "T_x [N m]", "T_y [N m]", "T_z [N m]")
    return {"t [s]": scene.time[:-1] + scene.step / 2, **dict(zip(names, scene.loads().T))}


def _draw_loads(data: Columns) -> Figure:
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 2.9))
    for ax, prefix, unit in ((axes[0], "f", "N"), (axes[1], "T", "N m")):
        for k in "xyz":
            ax.plot(data["t [s]"], data[f"{prefix}_{k} [{unit}]"], label=f"${prefix}_{k}$")
        ax.set(xlabel="t [s]", ylabel=f"{'force' if prefix == 'f' else 'moment'} [{unit}]")
        ax.legend()
    return figure


@drawing("dyn-tbar-loads")
def tbar_loads(data: Columns) -> Figure:
    """Forces and moments on the T-bar."""
    return _draw_loads(data)


@drawing("dyn-dumbbell-loads")
def dumbbell_loads(data: Columns) -> Figure:
    """Forces and moments on the dumbbell."""
    return _draw_loads(data)


def heights_data(run: Trajectory) -> Columns:
    """ECP, height and vertical velocity of the COM, and the contact mode, at the ends of the steps."""
    return {
        "t [s]": run.time[1:],
        "a_x [m]": run.ecp[:, 0],
        "a_y [m]": run.ecp[:, 1],
        "q_z [m]": run.position[1:, 2],
        "v_z [m/s]": run.velocity[1:, 2],
        "mode": run.contact.astype(float),
    }


def jumps(run: Trajectory, least: float = 0.02) -> NDArray[np.int64]:
    """The steps over which the ECP moves by more than `least` [m]: changes of the pivot."""
    move = np.linalg.norm(np.diff(run.ecp[:, :2], axis=0), axis=1)
    return np.flatnonzero(move > least) + 1


def ecp_off_touching(scene: Scene, run: Trajectory) -> NDArray[np.float64]:
    """Distance [m] of the ECP from the touching point, or from the segment that the touching points span, at each such step."""
    touching = geometry.touching_points(scene.body, scene.support, run.position[1:], run.orientation[1:])
    distances = []
    for points, ecp, mode in zip(touching, run.ecp, run.contact):
        if mode not in (ContactMode.POINT, ContactMode.LINE):
            continue
        offsets = points - points[0]
        first = points[np.linalg.norm(offsets, axis=1).argmax()]
        span = points[np.linalg.norm(points - first, axis=1).argmax()] - first
        share = np.clip((ecp - first) @ span / max(span @ span, 1e-300), 0.0, 1.0)
        distances.append(np.linalg.norm(ecp - first - share * span))
    return np.array(distances)


def sliding_ecp(scene: Scene, run: Trajectory, start: float = 3.0) -> tuple[float, float]:
    """How far [m] the ECP, less the COM's projection, moves in the first step of the T-bar's slide, and at most in a later one."""
    apart = run.ecp[:, :2] - run.position[1:, :2]
    move = np.linalg.norm(np.diff(apart, axis=0), axis=1)[run.time[2:] > start + scene.step / 2]
    return float(move[0]), float(move[1:].max())


@drawing("dyn-tbar-ecp")
def tbar_ecp(data: Columns) -> Figure:
    """ECP and height of the COM against time."""
    figure, axes = plt.subplots(1, 2, figsize=(8.8, 3.1))
    axes[0].plot(data["t [s]"], data["a_x [m]"], ".", ms=2.5, label="$a_x$")
    axes[0].plot(data["t [s]"], data["a_y [m]"], ".", ms=2.5, label="$a_y$")
    axes[0].axhline(0.0, color="#2a7f4f", lw=1.2, label="$a_z$ (zero within 1e-12 m)")
    axes[0].set(xlabel="t [s]", ylabel="ECP [m]")
    axes[0].legend(markerscale=4)
    axes[1].plot(data["t [s]"], data["q_z [m]"])
    axes[1].axhline(0.025, color="#777777", lw=0.8, ls="--")
    axes[1].set(xlabel="t [s]", ylabel="$q_z$ [m]")
    return figure


@drawing("dyn-tbar-impacts")
def tbar_impacts(data: Columns) -> Figure:
    """Vertical velocity of the COM above the ECP's x, with the pivot changes marked."""
    figure, axes = plt.subplots(2, 1, figsize=(7.6, 4.4), sharex=True)
    for time in data["jump [s]"]:
        for ax in axes:
            ax.axvline(time, color="#dddddd", lw=3, zorder=0)
    axes[0].plot(data["t [s]"], data["v_z [m/s]"])
    axes[0].set(ylabel="$v_z$ [m/s]")
    axes[1].plot(data["t [s]"], data["a_x [m]"], ".", ms=3)
    axes[1].set(xlabel="t [s]", ylabel="$a_x$ [m]")
    return figure


def snapshot_data(scene: Scene, run: Trajectory, steps: list[int]) -> Columns:
    """Outline (its shadow), touching points and ECP at the ends of the given steps."""
    columns: dict[str, list] = {k: [] for k in ("frame", "x [m]", "y [m]", "kind")}
    turns = geometry.rotations(run.orientation[1:])

    def put(frame: int, kind: str, points: NDArray[np.float64]) -> None:
        for point in points:
            columns["frame"].append(frame)
            columns["x [m]"].append(point[0])
            columns["y [m]"].append(point[1])
            columns["kind"].append(kind)

    touching = geometry.touching_points(scene.body, scene.support, run.position[1:], run.orientation[1:])
    for frame, k in enumerate(steps):
        outline = run.position[k + 1] + scene.body.vertices[:8] @ turns[k].T
        put(frame, "outline", outline)
        put(frame, "touching", touching[k])
        put(frame, "ecp", run.ecp[k : k + 1])
        put(frame, "com", run.position[k + 1 : k + 2])
    return {"t [s]": run.time[np.array(steps) + 1], **{k: np.array(v) for k, v in columns.items()}}


@drawing("dyn-tbar-modes")
def tbar_modes(data: Columns) -> Figure:
    """Eight contact modes from above: shadow of the lower face, what touches, the ECP."""
    figure, axes = plt.subplots(2, 4, figsize=(9.6, 5.2))
    for frame, (ax, time) in enumerate(zip(axes.flat, data["t [s]"])):
        here = data["frame"] == frame
        at = lambda kind: (data["x [m]"][here & (data["kind"] == kind)], data["y [m]"][here & (data["kind"] == kind)])  # noqa: E731, B023
        ax.fill(*at("outline"), color="#dbe6f1", ec="#0b5fa5", lw=0.8)
        ax.plot(*at("touching"), "o", color="#222222", ms=5)
        ax.plot(*at("com"), "o", color="#222222", mfc="none", ms=6)
        ax.plot(*at("ecp"), "x", color=POINT, ms=9, mew=2)
        ax.set(aspect="equal", title=f"({'abcdefgh'[frame]}) t = {time:.2f} s")
        x, y = at("com")
        ax.set(xlim=(x[0] - 0.34, x[0] + 0.34), ylim=(y[0] - 0.34, y[0] + 0.34))
        ax.tick_params(labelsize=7)
    for ax in axes[1]:
        ax.set_xlabel("x [m]")
    for ax in axes[:, 0]:
        ax.set_ylabel("y [m]")
    return figure


@drawing("dyn-tbar-side-modes")
def tbar_side_modes(data: Columns) -> Figure:
    """The same eight views while the bar rocks on corners of one side of its axis, then of the other."""
    return tbar_modes(data)


SEGMENTS = ((-0.15, -0.09), (0.09, 0.15))  # m, along the axis: the two ends of the dumbbell


def dumbbell_snapshots_data(scene: Scene, run: Trajectory, every: int = 3) -> Columns:
    """Contact segments, ECP and COM at every few steps while the dumbbell lies on a line."""
    steps = np.flatnonzero(run.contact == ContactMode.LINE)[::every]
    axis = geometry.rotations(run.orientation[1:])[steps, :, 2]
    low = run.position[1:][steps] * [1.0, 1.0, 0.0]
    ends = {f"end {k}": low + s * axis for k, s in enumerate(np.ravel(SEGMENTS))}
    columns = {"t [s]": run.time[1:][steps]}
    for name, points in ends.items():
        columns |= {f"{name} x [m]": points[:, 0], f"{name} y [m]": points[:, 1]}
    columns |= {"com x [m]": low[:, 0], "com y [m]": low[:, 1]}
    return columns | {"ecp x [m]": run.ecp[steps, 0], "ecp y [m]": run.ecp[steps, 1]}


@drawing("dyn-dumbbell-snapshots")
def dumbbell_snapshots(data: Columns) -> Figure:
    """The two contact segments, the line between them, ECP and COM, from above."""
    figure, ax = plt.subplots(figsize=(6.4, 5.6))
    x = np.stack([data[f"end {k} x [m]"] for k in range(4)])
    y = np.stack([data[f"end {k} y [m]"] for k in range(4)])
    ax.plot(x[:2], y[:2], color="#222222", lw=2)
    ax.plot(x[2:], y[2:], color="#222222", lw=2)
    ax.plot(x[1:3], y[1:3], color=POINT, lw=0.7, ls="--")
    ax.plot(data["com x [m]"], data["com y [m]"], "o", color="#0b5fa5", mfc="none", ms=5, label="COM, projected")
    ax.plot(data["ecp x [m]"], data["ecp y [m]"], "x", color="#0b5fa5", ms=5, label="ECP")
    ax.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    ax.legend()
    return figure


def dumbbell_motion_data(scene: Scene, run: Trajectory) -> Columns:
    """ECP along the axis, slip, roll and yaw of the dumbbell."""
    axis = geometry.rotations(run.orientation[1:])[:, :, 2]
    arm = run.ecp - run.position[1:]
    at = run.velocity[1:, :3] + np.cross(run.velocity[1:, 3:], arm)
    return {
        "t [s]": run.time[1:],
        "ecp along the axis [m]": (arm * axis).sum(axis=1),
        "slip at the ECP [m/s]": np.linalg.norm(at[:, :2], axis=1),
        "roll about the axis [rad/s]": (run.velocity[1:, 3:] * axis).sum(axis=1),
        "w_z [rad/s]": run.velocity[1:, 5],
        "q_z [m]": run.position[1:, 2],
        "mode": run.contact.astype(float),
    }


@drawing("dyn-dumbbell-motion")
def dumbbell_motion(data: Columns) -> Figure:
    """Pose, slip and spins of the dumbbell, and the ECP along its axis."""
    figure, axes = plt.subplots(1, 3, figsize=(9.8, 3.1))
    t = data["t [s]"]
    axes[0].plot(t, data["q_z [m]"], label="$q_z$ [m]")
    axes[0].plot(t, data["mode"] / 10, drawstyle="steps-post", lw=0.9, label="contact mode / 10")
    axes[0].set(xlabel="t [s]", ylabel="height of the COM [m]")
    axes[0].legend()
    axes[1].plot(t, data["roll about the axis [rad/s]"], label="about its axis")
    axes[1].plot(t, data["w_z [rad/s]"], label="about the vertical")
    axes[1].set(xlabel="t [s]", ylabel="spin [rad/s]")
    axes[1].legend()
    axes[2].axhspan(-0.15, -0.09, color="#dbe6f1")
    axes[2].axhspan(0.09, 0.15, color="#dbe6f1")
    axes[2].plot(t, data["ecp along the axis [m]"], ".", ms=3)
    axes[2].set(xlabel="t [s]", ylabel="ECP along the body's axis [m]")
    return figure


@drawing("dyn-tbar-steps")
def tbar_steps(data: Columns) -> Figure:
    """Times of the pivot changes and of landing, and the energy that normal work adds, against the step."""
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.1))
    for name in [k for k in data if k.endswith("from finest [s]")]:
        axes[0].loglog(data["h [s]"], np.maximum(np.abs(data[name]), 1e-5), "o-", label=name.split(" from")[0])
    axes[0].set(xlabel="h [s]", ylabel="difference from the finest step [s]")
    axes[0].legend(fontsize=8)
    axes[1].loglog(data["h [s]"], data["largest gain in a step [J]"], "o-", label="measured")
    scale = data["largest gain in a step [J]"][0] * (data["h [s]"] / data["h [s]"][0]) ** 2
    axes[1].loglog(data["h [s]"], scale, "--", label="proportional to $h^2$")
    axes[1].set(xlabel="h [s]", ylabel="largest gain beyond applied work [J]")
    axes[1].legend()
    return figure


def steps_data(steps: list[float]) -> Columns:
    """Pivot changes, landings and the largest energy gain of the T-bar for several time steps [s], coarse to fine."""
    names = ("first pivot change", "second pivot change", "first landing", "third pivot change", "fourth pivot change", "second landing")
    events, gains = [], []
    for h in steps:
        scene = scenes.t_bar(step=h)
        run = simulate(scene, backend="compiled")
        assert run.ok
        times = run.time[jumps(run) + 1]
        flat = run.time[1:][np.diff(run.contact, prepend=ContactMode.SURFACE) > 0]
        flat = flat[run.contact[np.searchsorted(run.time[1:], flat - h / 2)] == ContactMode.SURFACE]
        events.append([times[0], times[1], flat[0], *times[times > 2.0][:2], flat[flat > 2.0][0]])
        energy = diagnose(scene, run).energy
        gains.append((np.diff(energy.total) - energy.applied).max())
    events = np.array(events)
    columns = {"h [s]": np.array(steps), "largest gain in a step [J]": np.array(gains)}
    for k, name in enumerate(names):
        columns[f"{name} [s]"] = events[:, k]
        columns[f"{name} from finest [s]"] = events[:, k] - events[-1, k]
    return columns
