"""The viewer: one HTML file and one data file that replay a labelled trajectory, without a server or a network."""

import json
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from planarcontact.errors import DataError, InputError
from planarcontact.files import replacing
from planarcontact.validation import finite_array, positive, title_text

from .catalog import Template, catalog
from .checks import LARGEST, file_path, instance_of
from .contact_sets import FaceSets, face_sets
from .formations import formation_label
from .geometry import place, tables
from .labels import Labels
from .scene import Scene
from .viewer_code import encode_stream, run_lengths

__all__ = ["viewer_data", "write_viewer"]

LENGTH_UNIT = 1e-5
ANGLE_UNIT = 1e-4
SET_UNIT = 1e-4
PAGE = "viewer.html"
DATA = "viewer-data.js"


class Trajectory(Protocol):
    """Anything with the times and poses of a run, such as `Demo`."""

    time: NDArray[np.float64]
    poses: NDArray[np.float64]


def write_viewer(
    trajectory: Trajectory, labels: Labels, folder: "str | PathLike[str]", *, title: str = "Contact states, frame by frame"
) -> Path:
    """Write a viewer of a labelled trajectory: `viewer.html` and its data, `viewer-data.js`.

    The page is plain JavaScript and SVG, opens from a file as well as from a server, and asks nothing of a network.
    The same input gives the same bytes.

    Args:
        trajectory: object with `time` (N,) [s] and `poses` (N, 5) [m, rad], evenly spaced in time.
        labels: the labels of those poses, of any scene.
        folder: where to write; made if it is missing.
        title: heading of the page.

    Returns:
        Path of the page.

    Raises:
        InputError: trajectory and labels do not fit each other, the times are not evenly spaced, or the title is no text.
        DataError: the folder cannot be written.
    """
    target = file_path("folder", folder)
    text = json.dumps(viewer_data(trajectory, labels, title=title), ensure_ascii=False, separators=(",", ":"))
    page = (resources.files("planarcontact") / "contact_states/data" / PAGE).read_text("utf-8")
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{target}: the viewer cannot be written there ({error})") from error
    for name, content in ((DATA, f"window.planarcontactViewer={text};\n"), (PAGE, page)):
        with replacing(target / name) as partial:
            partial.write_text(content, encoding="utf-8", newline="\n")
    return target / PAGE


def viewer_data(trajectory: Trajectory, labels: Labels, *, title: str = "Contact states, frame by frame") -> dict[str, Any]:
    """Pack a labelled trajectory for the viewer.

    On the body, contact sets are stored in its own frame; where the disk touches the environment, in the world.
    Lengths are integers in units of 0.01 mm, angles of 0.1 mrad, contact sets of 0.1 mm; every sequence is stored as
    encoded differences (`encode_stream`) or as run lengths that begin with "off".

    Args:
        trajectory: object with `time` (N,) [s] and `poses` (N, 5) [m, rad].
        labels: the labels of those poses.
        title: heading of the page.

    Returns:
        A dictionary of numbers, strings and lists.

    Raises:
        InputError: trajectory and labels do not fit each other, the times are not evenly spaced, or the title is no text.
    """
    for name in ("poses", "time"):
        if not hasattr(trajectory, name):
            raise InputError("trajectory", trajectory, f"has no attribute {name}", "pass an object with time and poses")
    instance_of("labels", labels, Labels, "use recognize()")
    title_text("title", title)
    poses = finite_array("trajectory.poses", trajectory.poses, (None, 5), largest=LARGEST)
    time = finite_array("trajectory.time", trajectory.time, (len(poses),))
    if len(labels) != len(poses) or len(poses) < 2:
        raise InputError("labels", len(labels), f"poses are labelled where the trajectory has {len(poses)}, at least 2")
    period = positive("trajectory.time", float(time[-1] - time[0]) / (len(time) - 1))
    if np.abs(np.diff(time) - period).max() > 1e-6 * period:
        raise InputError("trajectory.time", float(np.diff(time).min()), "is a step of another length than the others")
    units = np.array([LENGTH_UNIT, LENGTH_UNIT, ANGLE_UNIT, LENGTH_UNIT, LENGTH_UNIT])
    codes, places = np.unique(labels.formation, return_index=True)
    order = np.argsort(places)
    number = {code: k for k, code in enumerate(codes[order])}
    table = tables(labels.scene)
    sets = face_sets(place(np, labels.local, table), table, labels.options)
    starts = np.flatnonzero(np.diff(np.array([number[c] for c in labels.formation]), prepend=-1))
    return {
        "title": title,
        "frames": len(poses),
        "period": round(period, 9),
        "units": {"length": LENGTH_UNIT, "angle": ANGLE_UNIT, "set": SET_UNIT},
        "eps_on": labels.options.eps_on,
        "scene": _scene(labels.scene),
        "poses": [encode_stream(column) for column in np.rint(poses / units).astype(int).T],
        "formations": [formation_label(labels.names(int(k)), labels.scene) for k in places[order]],
        "runs": [[int(k), number[labels.formation[k]]] for k in starts],
        "ties": run_lengths(labels.ambiguous),
        "templates": [_template(t, labels, sets) for t in catalog(labels.scene) if labels.in_band[:, t.index].any()],
    }


def _scene(scene: Scene) -> dict[str, Any]:
    body, ground = scene.body, scene.environment
    edges = zip(ground.edge_names, ground.base, ground.tangent, ground.low, ground.high)
    return {
        "corners": [[round(c, 9) for c in corner] for corner in body.vertices],
        "faces": [[name, int(a), int(b)] for name, (a, b) in zip(body.face_names, body.faces)],
        "vertices": list(body.vertex_names),
        "radius": scene.radius,
        "edges": [
            [name, *(round(c, 9) for c in (*base, *tangent)), *(None if np.isinf(s) else round(s, 9) for s in (low, high))]
            for name, base, tangent, low, high in edges
        ],
        "next": [int(k) for k in ground.next_edge],
        "points": [[name, *(round(float(c), 9) for c in p)] for name, p in zip(ground.vertex_names, ground.vertices)],
    }


def _template(template: Template, labels: Labels, sets: FaceSets) -> dict[str, Any]:
    band, on = labels.in_band[:, template.index], labels.on[:, template.index]
    gaps = np.rint(labels.gap[band, template.index] / LENGTH_UNIT).astype(int)
    ends = np.rint(_ends(template, labels.scene, sets, on) / SET_UNIT).astype(int)
    return {
        "name": template.name,
        "feature": template.feature,
        "other": template.other,
        "band": run_lengths(band),
        "on": run_lengths(on),
        "gap": encode_stream(gaps),
        "set": [encode_stream(column) for column in ends.T],
    }


def _ends(template: Template, scene: Scene, sets: FaceSets, on: NDArray[np.bool_]) -> NDArray[np.float64]:
    """End points (K, 4) of the contact sets that are on: on the body in its frame, so that a resting one is constant."""
    body, ground = scene.body, scene.environment
    count = int(on.sum())
    if template.feature in body.vertex_names:
        corner = body.corners[body.vertex_names.index(template.feature)]
        return np.tile(corner, (count, 2))
    if template.feature in body.face_names:
        face = body.face_names.index(template.feature)
        pair = scene.others.index(template.other)
        spans = np.stack([sets.start[on, pair, face], sets.stop[on, pair, face]], axis=1)
        base, tangent = body.corners[body.face_index[face, 0]], body.tangents[face]
    elif template.other in ground.edge_names:
        edge = ground.edge_names.index(template.other)
        spans = np.stack([sets.disk_start[on, edge], sets.disk_stop[on, edge]], axis=1)
        base, tangent = np.array(ground.base[edge]), ground.tangents[edge]
    else:
        return np.tile(ground.vertices[ground.vertex_names.index(template.other)], (count, 2))
    return (base + spans[..., None] * tangent).reshape(count, 4)
