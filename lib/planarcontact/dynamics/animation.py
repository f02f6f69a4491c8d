"""A trajectory as one HTML file that plays by itself, offline: the data."""

import json
from html import escape
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from ..errors import InputError
from ..files import replacing
from ..validation import title_text
from .animation_page import PAGE
from .geometry import touching_points
from .scene import Scene, checked_scene
from .trajectory import Trajectory

__all__ = ["animation", "animation_data"]

FRAMES = 600  # at most, so that a file stays below a megabyte
RIM = 48  # points of a drawn circle


def animation(trajectory: Trajectory, scene: Scene, *, title: str = "A body on a plane", frames: int = FRAMES) -> str:
    """Return a self-contained HTML page that plays a trajectory: body, plane, what touches, ECP, COM and contact impulse.

    It asks for nothing from elsewhere, follows the reader's dark mode, and is played by mouse, finger or keyboard.

    Args:
        trajectory: a `Trajectory` of this scene.
        scene: its `Scene`, for the body and the plane.
        title: the page's title, plain text.
        frames: largest number of frames kept, evenly spread over the steps.

    Returns:
        The text of the page.

    Raises:
        InputError: the trajectory is not of this scene, the title is no text, or `frames` is less than 2.
    """
    title_text("title", title)
    data = json.dumps(animation_data(trajectory, scene, frames=frames), separators=(",", ":"), allow_nan=False)
    return PAGE.replace("{{title}}", escape(title)).replace("{{data}}", data.replace("<", "\\u003c"))


def write(trajectory: Trajectory, path: str | Path, scene: Scene, title: str, frames: int) -> None:
    """Write `animation` to a file; a `DataError` says that it cannot be written."""
    page = animation(trajectory, scene, title=title, frames=frames)
    with replacing(path) as partial:
        partial.write_text(page, encoding="utf-8")


def animation_data(trajectory: Trajectory, scene: Scene, *, frames: int = FRAMES) -> dict[str, Any]:
    """Return what the page draws, as plain numbers and lists.

    Returns:
        ``frame`` (n, t, o rows), ``offset`` [m], ``size`` (bounding radius [m]), ``weight`` (m g h [N s], the impulse that
        carries the body for a step), ``edges`` (pairs of points, body frame [m]), ``rings`` (circles as points [m]),
        ``balls`` (centre and radius [m]), and ``states``, one per frame: time [s], position [m], quaternion, ECP [m] or
        null, impulse [N s, N m s], points that touch [m], corners of their hull in order [m].
    """
    if not isinstance(trajectory, Trajectory):
        raise InputError("trajectory", trajectory, "is not a Trajectory")
    if len(trajectory.time) != checked_scene(scene).steps + 1:
        raise InputError("trajectory", len(trajectory.time) - 1, f"steps, where the scene has {scene.steps}")
    if isinstance(frames, bool) or not isinstance(frames, Integral) or frames < 2:
        raise InputError("frames", frames, "is not a number of frames", "give a whole number of at least 2")
    body, plane, steps = scene.body, scene.support, scene.steps
    kept = np.unique(np.round(np.linspace(1, steps, int(min(steps, frames)))).astype(int))
    position, orientation = trajectory.position[kept], trajectory.orientation[kept]
    touching = touching_points(body, plane, position, orientation)
    states = []
    for k, at, turn, points in zip(kept, position, orientation, touching):
        ecp = trajectory.ecp[k - 1]
        states.append([
            _short(trajectory.time[k]), _short(at), _short(turn), _short(ecp) if np.isfinite(ecp).all() else None,
            _short(trajectory.impulse[k - 1]), _short(points), _short(outline(points, plane.frame)),
        ])  # fmt: skip
    around = np.linspace(0.0, 2.0 * np.pi, RIM, endpoint=False)
    circle = np.stack([np.cos(around), np.sin(around)], axis=1)
    return {
        "frame": _short(plane.frame),
        "offset": _short(plane.offset),
        "size": _short(body.bounding_radius),
        "weight": _short(body.mass * (scene.gravity or 1.0) * scene.step),
        "edges": _short(_edges(body.vertices)),
        "rings": [_short(d.centre + d.radius * circle @ d.spokes) for d in body.discs],
        "balls": [[_short(s.centre), _short(s.radius)] for s in body.spheres],
        "states": states,
    }


def outline(points: NDArray[np.float64], frame: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the corners (c, 3) [m] of the hull of touching points (k, 3) [m], in order around it."""
    if len(points) < 3:
        return points
    flat = points @ frame[1:].T
    try:
        return points[ConvexHull(flat).vertices]
    except QhullError:  # all on a line
        along = (flat - flat[0]) @ (flat[np.argmax(np.linalg.norm(flat - flat[0], axis=1))] - flat[0])
        return points[[along.argmin(), along.argmax()]]


def _edges(vertices: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the edges (e, 2, 3) [m] of the hull of the vertices, without the diagonals of its flat faces."""
    if len(vertices) < 2:
        return np.zeros((0, 2, 3))
    try:
        hull = ConvexHull(vertices)
    except QhullError:  # flat, or on a line: every pair
        pairs = np.array([(i, j) for i in range(len(vertices)) for j in range(i)])
        return vertices[pairs]
    found = set()
    for k, simplex in enumerate(hull.simplices):
        for corner, neighbour in enumerate(hull.neighbors[k]):
            if np.abs(hull.equations[k] - hull.equations[neighbour]).max() > 1e-9:
                found.add(tuple(sorted(int(i) for i in np.delete(simplex, corner))))
    return vertices[np.array(sorted(found))]


def _short(values: Any) -> Any:
    """Return numbers rounded to a micrometre (or a millionth), as plain lists."""
    return (np.round(np.asarray(values, dtype=np.float64), 6) + 0.0).tolist()
