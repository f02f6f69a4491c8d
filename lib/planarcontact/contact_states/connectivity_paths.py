"""A path inside a formation from any of its poses to one fixed pose: the argument that each formation is one connected region, executable.

Every leg is straight in the coordinates of ``Stratum`` and rests on one of four facts.

1. Moving left never brings the disk nearer to the environment, nor does moving up; nor does moving right where the disk is above the platform's
   level by r or over the floor alone. The distance of a point from a convex body does not fall along a ray that starts out away from it.
2. So a disk that touches nothing escapes: up where the outward normal n of the box at the nearest point has n_z >= 0, left where n_x <= 0, right where
   it is over the platform. For r >= h/2 no disk is below and to the right of the box and yet left of the step, but before the box on the floor, which is
   first shifted left together with its disk.
3. A disk on a side slides to one end of it without meeting the environment (to B on AB, to C on BC and CD, to D on DA), a disk at a corner turns to one
   border of the cone (at A to the normal of DA, at B to that of BC, at D to that of CD).
4. With the disk there, what the box's coordinates allow is an interval (or convex) once the box on the platform's corner is shifted left, the box on the floor's
   corner shifted left, the box leaning on vS pulled down to A near vS; for a disk at A of a box leaning on vS, once phi is small.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import finite_array, positive
from .connectivity_strata import SIDES, Stratum

__all__ = ["path_between", "path_home", "pose_distance", "waypoints"]

_LEFT, _FAR, _HIGH, _NEAR_END = -0.6, 1.0, 0.6, 1e-4
_SAFE = {"AB": 1.0, "BC": 1.0, "CD": 0.0, "DA": 0.0, "A": 0.0, "B": 1.0, "D": 0.0}


def pose_distance(first: ArrayLike, second: ArrayLike, side: float) -> NDArray[np.float64]:
    """Return the distance of poses (n, 5), m: Euclidean in x, z, a/sqrt(2) theta, m_x, m_z, so that no point of the box moves more than sqrt(2) times it."""
    difference = finite_array("first", first, (None, 5)) - finite_array("second", second, (None, 5))
    difference[:, 2] = np.remainder(difference[:, 2] + np.pi, 2 * np.pi) - np.pi
    return np.linalg.norm(difference * [1, 1, side / 2**0.5, 1, 1], axis=1)


def waypoints(u: ArrayLike, home: ArrayLike, shape: Stratum) -> NDArray[np.float64]:
    """Return the corners (k, size) of a path from coordinates u to coordinates home within the formation.

    Args:
        u: (size,), where to start.
        home: (size,), where to end.
        shape: the formation.
    Returns:
        Coordinates, straight legs between them.
    """
    start, end = finite_array("u", u, (shape.size,)), finite_array("home", home, (shape.size,))
    k = shape.box_size
    if shape.placement == "free":
        return _free(start, end, shape)
    if (shape.placement, shape.role) == ("platform", "AB"):
        return np.array([start, end])  # the disk squeezed between box and floor: a convex set of (x, t)
    if shape.role == "":
        here, there = _escape(start, shape), _escape(end, shape)
        boxes = _box_route(here[-1][:k], there[-1][:k], shape)
        return np.array([*here, *[np.concatenate([b, here[-1][k:]]) for b in boxes], *there[::-1]])
    before, after = _shifted(start, shape), _shifted(end, shape)
    rest = _rest(before[-1], after[-1], shape)
    boxes = _box_route(before[-1][:k], after[-1][:k], shape)
    middle = [np.append(b, rest) for b in boxes]
    return np.array([*before, *middle, *after[::-1]])


def path_between(first: ArrayLike, second: ArrayLike, shape: Stratum, *, step: float = 4e-3) -> NDArray[np.float64]:
    """Return coordinates (n, size) of a path within the formation whose successive poses are at most a step apart.

    Args:
        first: (size,), where to start.
        second: (size,), where to end.
        shape: the formation.
        step: the largest ``pose_distance`` of neighbours, m.
    Returns:
        Coordinates.
    Raises:
        InputError: a leg needs more than 2^14 points.
    """
    step = positive("step", step)
    corners = waypoints(first, second, shape)
    legs = []
    for a, b in zip(corners[:-1], corners[1:]):
        count = 1
        while True:
            leg = a + (b - a) * np.linspace(0.0, 1.0, count + 1)[:, None]
            poses = shape.poses(leg)
            if pose_distance(poses[1:], poses[:-1], shape.side).max() <= step:
                break
            if count > 2**14:
                raise InputError("step", step, "is too small for this path")
            count *= 2
        legs.append(leg[:-1])
    return np.concatenate([*legs, corners[-1:]])


def path_home(u: ArrayLike, home: ArrayLike, shape: Stratum, *, step: float = 4e-3) -> NDArray[np.float64]:
    """Return the poses (n, 5) of ``path_between``, m and rad."""
    return shape.poses(path_between(u, home, shape, step=step))


def _rest(u: NDArray[np.float64], v: NDArray[np.float64], shape: Stratum) -> float:
    """The disk's coordinate at which the box can move: at or near the end that fact 3 names, not short of either pose."""
    if shape.role not in _SAFE:
        return float(u[-1])
    if shape.role not in SIDES:
        return _SAFE[shape.role] * np.pi / 2
    if _SAFE[shape.role] == 1.0:
        return float(max(u[-1], v[-1], 1 - _NEAR_END))
    return float(min(u[-1], v[-1], _NEAR_END))


def _shifted(u: NDArray[np.float64], shape: Stratum) -> list[NDArray[np.float64]]:
    """The first legs of fact 4: the box and its disk shifted left together."""
    moved = u.copy()
    if shape.placement == "floor-corner":
        moved[0] = min(u[0], _LEFT)
    elif shape.placement == "platform-corner":
        moved[0] = min(u[0], _NEAR_END * shape.side)
    else:
        return [u]
    if shape.role == "":
        moved[2] += moved[0] - u[0]
    return [u, moved]


def _box_route(b: NDArray[np.float64], end: NDArray[np.float64], shape: Stratum) -> list[NDArray[np.float64]]:
    if shape.placement == "edge" and shape.role == "A":
        low = min(b[0], end[0]) / 2
        return [b, np.array([low, b[1]]), np.array([low, end[1]]), end]
    if shape.placement == "edge":
        near = min(b[1], end[1], _NEAR_END * shape.side)
        return [b, np.array([b[0], near]), np.array([end[0], near]), end]
    if shape.placement in ("floor-corner", "platform-corner"):
        left = min(b[0], end[0])
        return [b, np.array([left, b[1]]), np.array([left, end[1]]), end]
    return [b, end]


def _escape(u: NDArray[np.float64], shape: Stratum) -> list[NDArray[np.float64]]:
    """Fact 2: legs that take a disk that touches nothing far to the left and up, the box at rest but for a first shift."""
    legs = _shifted(u, shape)
    box, (x, z) = legs[-1][:-2], legs[-1][-2:]
    pose = shape.poses(legs[-1][None])[0]
    c, s = np.cos(pose[2]), np.sin(pose[2])
    dx, dz = x - pose[0], z - pose[1]
    local = np.array([c * dx - s * dz, s * dx + c * dz])
    out = local - np.clip(local, -shape.side / 2, shape.side / 2)
    n_x, n_z = c * out[0] + s * out[1], -s * out[0] + c * out[1]
    level = 1e-12 * shape.side  # a box that lies flat has n_z = 0 to rounding only
    if n_z >= -level:
        turns = [(x, _HIGH)]
    elif n_x <= level:
        turns = [(-_FAR, z)]
    else:
        right = max(x, pose[0] + shape.side) if shape.placement == "floor-corner" else _FAR
        turns = [(right, z), (right, _HIGH)]
    return [*legs, *[np.concatenate([box, turn]) for turn in [*turns, (-_FAR, _HIGH)]]]


def _free(u: NDArray[np.float64], v: NDArray[np.float64], shape: Stratum) -> NDArray[np.float64]:
    """Lift both bodies together, move where there is no environment, come down."""
    if shape.role:
        up, down = u.copy(), v.copy()
        up[1], down[1] = _HIGH, _HIGH
        down[2] = up[2] + np.remainder(v[2] - u[2] + np.pi, 2 * np.pi) - np.pi
        return np.array([u, up, down, np.concatenate([v[:2], down[2:]])])
    legs = []
    for w in (u, v):
        lifted = w + np.array([0, _HIGH - w[1], 0, 0, _HIGH - w[1]])
        arm = lifted[3:] - lifted[:2]
        reach, angle = max(np.hypot(*arm), shape.side + 2 * shape.radius), np.arctan2(arm[1], arm[0]) % (2 * np.pi)
        stops = np.linspace(angle, np.pi, 2 + int(abs(angle - np.pi) / 0.1))
        around = [np.concatenate([lifted[:3], lifted[:2] + reach * np.array([np.cos(b), np.sin(b)])]) for b in stops]
        side_on = np.concatenate([lifted[:3], lifted[:2] - [shape.side + 2 * shape.radius, 0.0]])
        legs.append([w, lifted, *around, side_on])
    first, last = legs
    turned = last[-1].copy()
    turned[2] = first[-1][2] + np.remainder(v[2] - u[2] + np.pi, 2 * np.pi) - np.pi
    shift = turned[2] - v[2]
    return np.array([*first, turned, *[w + np.array([0, 0, shift, 0, 0]) for w in last[::-1]]])
