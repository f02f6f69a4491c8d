"""Scenes on disk: JSON with every number exact, and nothing in it that runs."""

import json
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..errors import DataError, InputError, PlanarContactError, UnsupportedError
from ..files import replacing
from .body import Body, Disc, Sphere
from .friction import EllipsoidalFriction
from .loads import SampledWrench
from .scene import Scene, checked_scene, no_load
from .support import Plane

__all__ = ["load_scene", "save_scene"]

FORMAT = "planarcontact scene"
VERSION = 1
NUMBERS = ("gravity", "step", "duration")
ARRAYS = ("position", "orientation", "velocity")
LAST_DIGIT = 1e-15

T = TypeVar("T")


def save_scene(path: str | Path, scene: Scene) -> None:
    """Write a scene to a JSON file.

    Args:
        path: the file, replaced if it exists.
        scene: a `Scene` without load or with a `SampledWrench`.

    Raises:
        InputError: the scene is not a `Scene`, or the path not a path.
        UnsupportedError: the load is another function of the time, which JSON cannot hold.
        DataError: the file cannot be written.
    """
    checked_scene(scene)
    text = json.dumps(_scene_to_plain(scene), indent=1, allow_nan=False)
    with replacing(path) as partial:
        partial.write_text(text + "\n", encoding="utf-8")


def load_scene(path: str | Path) -> Scene:
    """Read a scene that `save_scene` wrote, with every number as it was and every argument checked anew.

    Args:
        path: the file.

    Returns:
        The `Scene`.

    Raises:
        InputError: the path is not a path.
        DataError: the file is missing, is not such a file, or holds a scene that is none.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error})") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: is not text") from error
    except (TypeError, ValueError) as error:
        raise InputError("path", path, "is not a path") from error
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: is not JSON ({error})") from error
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise DataError(f"{path}: is not a scene, whose 'format' would be {FORMAT!r}")
    if plain.get("version") != VERSION:
        raise DataError(f"{path}: has version {plain.get('version')!r}, and this program reads version {VERSION}")
    try:
        return _scene_from_plain(plain)
    except KeyError as error:
        raise DataError(f"{path}: lacks the entry {error}") from error
    except (PlanarContactError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise DataError(f"{path}: holds no valid scene ({error})") from error


def _scene_to_plain(scene: Scene) -> dict[str, Any]:
    body, friction = scene.body, scene.friction
    return {
        "format": FORMAT,
        "version": VERSION,
        "units": "SI",
        "body": {
            "mass": body.mass,
            "inertia": body.inertia.tolist(),
            "vertices": body.vertices.tolist(),
            "discs": [{"centre": d.centre.tolist(), "axis": d.axis.tolist(), "radius": d.radius} for d in body.discs],
            "spheres": [{"centre": s.centre.tolist(), "radius": s.radius} for s in body.spheres],
            "patches": None if body.patches is None else [list(patch) for patch in body.patches],
        },
        "support": {"normal": scene.support.normal.tolist(), "offset": scene.support.offset},
        "friction": {"mu": friction.mu, "e_t": friction.e_t, "e_o": friction.e_o, "e_r": friction.e_r},
        **{name: getattr(scene, name) for name in NUMBERS},
        **{name: getattr(scene, name).tolist() for name in ARRAYS},
        "wrench": _load_to_plain(scene),
    }


def _load_to_plain(scene: Scene) -> dict[str, Any] | None:
    if scene.wrench is no_load:
        return None
    if isinstance(scene.wrench, SampledWrench):
        return {"times": scene.wrench.times.tolist(), "values": scene.wrench.values.tolist()}
    raise UnsupportedError(
        "wrench: a function of the time cannot be saved as JSON; give the load as a table instead, "
        "SampledWrench(times, [wrench(t) for t in times]), which is linear between its rows"
    )


def _scene_from_plain(plain: dict[str, Any]) -> Scene:
    body, load = plain["body"], plain["wrench"]
    scene = Scene(
        body=Body(
            body["mass"],
            body["inertia"],
            body["vertices"],
            [_exact(Disc(**disc), "axis", disc) for disc in body["discs"]],
            [Sphere(**sphere) for sphere in body["spheres"]],
            body["patches"],
        ),
        support=_exact(Plane(**plain["support"]), "normal", plain["support"]),
        friction=EllipsoidalFriction(**plain["friction"]),
        wrench=no_load if load is None else SampledWrench(**load),
        **{name: plain[name] for name in (*NUMBERS, *ARRAYS)},
    )
    return _exact(scene, "orientation", plain)


def _exact(item: T, name: str, plain: dict[str, Any]) -> T:
    """Put back a unit vector as it was saved: normalising it once more may have moved its last digit."""
    saved = np.array(plain[name], dtype=np.float64)
    if np.abs(saved - getattr(item, name)).max() <= LAST_DIGIT:
        saved.flags.writeable = False
        object.__setattr__(item, name, saved)
    return item
