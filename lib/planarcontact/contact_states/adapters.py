"""Scenes and poses from a MuJoCo model and trajectory in a vertical plane."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError, UnsupportedError
from ..validation import finite_array
from .checks import instance_of
from .environment import Environment
from .polygon import ConvexPolygon
from .scene import Scene, polygon_scene

__all__ = ["poses_from_mujoco", "scene_from_mujoco"]

_FLAT = 1e-6  # how far an axis may stand off the world's y


def scene_from_mujoco(
    model: Any, box: str, disk: str, ground: "list[ArrayLike] | Environment", *, disk_environment: bool = False
) -> Scene:
    """Return the scene of a MuJoCo model whose bodies move in the x-z plane.

    The box is the named geom of type box, whose faces may be turned in its body; the disk is a sphere, or a cylinder or
    capsule along y. The ground is passed as polygons, because a model's planes and boxes may overlap and go on below.

    Args:
        model: `mujoco.MjModel`.
        box, disk: names of geoms.
        ground: solid polygons, each (n, 2), m, world x z; or an `Environment`.
        disk_environment: whether the catalog holds the disk against the environment.

    Returns:
        The `Scene`; the box's frame is that of its geom.

    Raises:
        InputError: no model, no such geom, one of a type that is no box or disk, or a ground as in `polygon_scene`.
        UnsupportedError: MuJoCo is not installed.
    """
    mujoco = _mujoco(model)
    shape = _geom(model, box)
    if int(model.geom_type[shape]) != int(mujoco.mjtGeom.mjGEOM_BOX):
        raise InputError("box", box, "is not a geom of type box")
    round_ = _geom(model, disk)
    kinds = (mujoco.mjtGeom.mjGEOM_SPHERE, mujoco.mjtGeom.mjGEOM_CYLINDER, mujoco.mjtGeom.mjGEOM_CAPSULE)
    if int(model.geom_type[round_]) not in [int(kind) for kind in kinds]:
        raise InputError("disk", disk, "is not a sphere, cylinder or capsule")
    x, _, z = model.geom_size[shape]
    return polygon_scene(
        ConvexPolygon.box(2.0 * float(x), 2.0 * float(z)), ground, float(model.geom_size[round_][0]),
        disk_environment=disk_environment,
    )  # fmt: skip


def poses_from_mujoco(model: Any, qpos: ArrayLike, box: str, disk: str) -> NDArray[np.float64]:
    """Return the planar poses of a trajectory.

    Args:
        model: `mujoco.MjModel`.
        qpos: (N, nq), the model's coordinates frame by frame.
        box, disk: names of geoms.

    Returns:
        (N, 5): box geom x z (m), theta (rad, clockwise, continuous from frame to frame), disk geom x z (m).

    Raises:
        InputError: no model, no such geom, coordinates of a wrong shape.
        UnsupportedError: the box turns out of the x-z plane, or MuJoCo is not installed.
    """
    mujoco = _mujoco(model)
    array = finite_array("qpos", qpos, (None, int(model.nq)))
    first, second = _geom(model, box), _geom(model, disk)
    data = mujoco.MjData(model)
    poses = np.empty((len(array), 5))
    for i, coordinates in enumerate(array):
        data.qpos[:] = coordinates
        mujoco.mj_kinematics(model, data)
        turn = data.geom_xmat[first].reshape(3, 3)
        if abs(abs(turn[1, 1]) - 1.0) > _FLAT:
            raise UnsupportedError(f"at frame {i} the box {box!r} is turned out of the x-z plane")
        poses[i, :2], poses[i, 3:] = data.geom_xpos[first][[0, 2]], data.geom_xpos[second][[0, 2]]
        poses[i, 2] = np.arctan2(turn[0, 2], turn[0, 0])
    poses[:, 2] = np.unwrap(poses[:, 2])
    return poses


def _mujoco(model: Any) -> Any:
    """Return the package, after a check of the model."""
    try:
        import mujoco
    except ImportError as error:
        raise UnsupportedError("adapters need MuJoCo: pip install 'planarcontact[mujoco]'") from error
    instance_of("model", model, mujoco.MjModel, "use mujoco.MjModel.from_xml_path")
    return mujoco


def _geom(model: Any, name: str) -> int:
    import mujoco

    text = isinstance(name, str) and name.encode(errors="replace") == name.encode(errors="ignore")  # lone surrogates are no names
    index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, name) if text else -1
    if index < 0:
        known = [model.geom(k).name for k in range(model.ngeom)]
        raise InputError("geom", name, "is not in the model", f"use one of {', '.join(map(repr, filter(None, known)))}")
    return int(index)
