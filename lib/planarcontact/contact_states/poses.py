"""Poses stated by what touches: a vertex at a point, a disk on a face; corners of posed boxes; jitter."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import finite_array, finite_number, nonnegative, one_of, positive
from .checks import whole_number
from .geometry import local_poses, place, tables
from .options import Options
from .scene import Scene, checked_scene

__all__ = ["box_corners", "box_with_vertex", "disk_on_face", "jittered"]

MOST = 10**8  # poses drawn at once: 4 GB


def box_corners(poses: ArrayLike, scene: Scene) -> NDArray[np.float64]:
    """Return the box's corners at each pose, counter-clockwise.

    Args:
        poses: (N, 5): box x z (m), theta (rad, clockwise), disk x z (m).
        scene: the scene.

    Returns:
        (N, v, 2), m, world x z.

    Raises:
        InputError: poses of a wrong shape or not finite.
    """
    table = tables(checked_scene(scene))
    placed = place(np, local_poses(poses, scene, Options.eps_on), table)
    order = [0]
    starts = {int(a): int(b) for a, b in table.faces}
    while starts[order[-1]] != 0:
        order.append(starts[order[-1]])
    return placed.corners[:, order] + table.anchor


def box_with_vertex(scene: Scene, vertex: str, point: ArrayLike, theta: float) -> NDArray[np.float64]:
    """Return the box pose at angle theta that puts a vertex at a point.

    Args:
        scene: the scene.
        vertex: the vertex's name, such as "v+-".
        point: (2,), m, world x z.
        theta: rad, clockwise.

    Returns:
        (3,): x, z (m), theta (rad).

    Raises:
        InputError: no such vertex, or numbers that are not finite.
    """
    one_of("vertex", vertex, checked_scene(scene).body.vertex_names)
    x, z = finite_array("point", point, (2,))
    angle = finite_number("theta", theta)
    c, s = np.cos(angle), np.sin(angle)
    bx, bz = scene.body.vertices[scene.body.vertex_names.index(vertex)]
    return np.array((x - c * bx - s * bz, z - c * bz + s * bx, angle))


def disk_on_face(scene: Scene, box: ArrayLike, face: str, share: float = 0.5, gap: float = 0.0) -> NDArray[np.float64]:
    """Return the disk's centre that touches a face of a posed box.

    Args:
        scene: the scene.
        box: (3,): x, z (m), theta (rad).
        face: the face's name, such as "-x".
        share: where on the face, 0 at its start to 1 at its end (counter-clockwise).
        gap: m, negative to press the disk in.

    Returns:
        (2,), m, world x z.

    Raises:
        InputError: no such face, or numbers that are not finite.
    """
    one_of("face", face, checked_scene(scene).body.face_names)
    x, z, angle = finite_array("box", box, (3,))
    k = scene.body.face_names.index(face)
    point = scene.body.corners[scene.body.faces[k][0]] + finite_number("share", share) * scene.body.lengths[k] * scene.body.tangents[k]
    point = point + (scene.radius + finite_number("gap", gap)) * scene.body.normals[k]
    c, s = np.cos(angle), np.sin(angle)
    return np.array((x + c * point[0] + s * point[1], z + c * point[1] - s * point[0]))


def jittered(poses: ArrayLike, count: int, size: float, *, arm: float, seed: int) -> NDArray[np.float64]:
    """Return `count` poses drawn from a list, each coordinate moved uniformly by up to `size`.

    Args:
        poses: (N, 5), the list to draw from with replacement.
        count: how many to return.
        size: m; the angle moves by up to size / arm.
        arm: m, the lever arm that turns the size into an angle.
        seed: of the generator.

    Returns:
        (count, 5).

    Raises:
        InputError: poses of a wrong shape, no pose, a negative size, an arm that is not positive, a seed below 0.
    """
    array = finite_array("poses", poses, (None, 5))
    if len(array) == 0:
        raise InputError("poses", array.shape, "holds no pose to draw from")
    count, size, arm = whole_number("count", count, 1), nonnegative("size", size), positive("arm", arm)
    if count > MOST:
        raise InputError("count", count, f"is more than {MOST} poses", "draw them in parts, with a seed for each")
    random = np.random.default_rng(whole_number("seed", seed, 0))
    drawn = array[random.integers(len(array), size=count)]
    with np.errstate(over="ignore", invalid="ignore"):
        moved = drawn + random.uniform(-1.0, 1.0, (count, 5)) * size * np.array((1.0, 1.0, 1.0 / np.float64(arm), 1.0, 1.0))
    return finite_array("poses moved by size", moved, (None, 5))
