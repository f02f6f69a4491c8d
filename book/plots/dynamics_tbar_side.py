"""The T-bar rocked about a pair of corners on one side of its axis of symmetry, as the text describes it."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from planarcontact.dynamics import Trajectory, scenes, simulate

Array = NDArray[np.float64]

#: Corners of the lower face: the end of the crossbar (rear and front), and the end of the stem, on the side y > 0.
REAR, FRONT, STEM = 0, 7, 5
#: Lower corners of the hull and their mirror images in the axis of symmetry.
MIRROR = {0: 1, 1: 0, 2: 7, 7: 2, 4: 5, 5: 4}


def side_wrench(raising: float, tipping: float, pulse: float, starts: tuple[float, float], headings: tuple[float, float]) -> Callable[[float], Array]:
    """Load (6,) [N, N m] by time: a half-sine raises the bar about the oblique edge FRONT-STEM of one side and, in its second half, another tips it onto FRONT; the second time mirrored.

    Peaks are multiples of the moment of the weight about that edge, and along it about FRONT; headings turn the moments with the bar [rad].
    """
    corners, weight = scenes.T_BAR.vertices[:, :2], scenes.T_BAR.mass * 9.8

    def load(t: float) -> Array:
        out = np.zeros(6)
        for start, side, heading in zip(starts, (1.0, -1.0), headings):
            phase = (t - start) / pulse
            if not 0.0 < phase < 1.0:
                continue
            front, stem = corners[FRONT] * [1.0, side], corners[STEM] * [1.0, side]
            along = (stem - front) / np.linalg.norm(stem - front)
            across = np.array([-along[1], along[0]])
            # the weight's moment about FRONT is weight (-y, x) there; against its part along the edge the bar is raised, against the other it is tipped
            pull = weight * np.array([front[1], -front[0]])
            moment = -raising * np.sin(np.pi * phase) * (pull @ along) * along
            moment -= tipping * np.sin(2.0 * np.pi * max(phase - 0.5, 0.0)) * (pull @ across) * across
            c, s = np.cos(heading), np.sin(heading)
            out[3:5] = c * moment[0] - s * moment[1], s * moment[0] + c * moment[1]
        return out

    return load


def side_run(step: float, duration: float, wrench: Callable[[float], Array]) -> Trajectory:
    """The T-bar under such a load."""
    return simulate(replace(scenes.t_bar(step=step, duration=duration), wrench=wrench), method="hull")


def touching(run: Trajectory) -> list[tuple[int, ...]]:
    """Corners of the hull that touch at the end of every step, to 0.1 um."""
    w, x, y, z = np.asarray(run.orientation).T
    rows = np.column_stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])
    heights = np.asarray(run.position)[:, 2:] + rows @ scenes.T_BAR.vertices[list(MIRROR)].T
    return [tuple(sorted(np.array(list(MIRROR))[row < 1e-7].tolist())) for row in heights]


def phases(contacts: list[tuple[int, ...]], step: float) -> list[tuple[tuple[int, ...], float, float]]:
    """Corners that touch, and from when to when [s], for each stretch of steps with the same ones."""
    out: list[tuple[tuple[int, ...], float, float]] = []
    for k, corners in enumerate(contacts):
        if out and out[-1][0] == corners:
            out[-1] = (corners, out[-1][1], k * step)
        else:
            out.append((corners, k * step, k * step))
    return out
