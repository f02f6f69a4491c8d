"""Exact places for the disk at a feature of an exactly placed box, clear of the environment."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from .exact import box_corners, environment_clearance
from .exact_geometry import Point
from .exact_scene import ENDS, ExactPose, ExactScene
from .quadratic import Exact

__all__ = ["disk_places"]

_TURNS = tuple(Fraction(n, 8) for n in (0, 8, 3, 1, 6))


def disk_places(pose: ExactPose, feature: str | None, scene: ExactScene, *, clear: bool) -> Iterator[Point]:
    """Yield centres of a disk that touches one feature of the box and overlaps nothing.

    On a face the constraints are linear in the place along it over the floor, beside the riser and over the platform: the middle and the quarters
    of what they leave are tried. At a vertex some rational directions of its normal cone are tried, its two borders first.

    Args:
        pose: the box's pose, in the frame of the scene's origin; its disk is not looked at.
        feature: the box's feature, None for a disk that touches nothing.
        scene: the exact scene.
        clear: True if the disk must not touch the environment.
    Yields:
        Centres, m.
    """
    corners = box_corners(pose, scene)
    found = _apart(corners, scene) if feature is None else _at_vertex(feature, pose, corners, scene) if feature[0] == "v" else _on_face(feature, pose, corners, scene)
    for centre in found:
        reach = environment_clearance(*centre, scene)
        if reach > 0 or (reach == 0 and not clear):
            yield centre


def _apart(corners: dict[str, Point], scene: ExactScene) -> Iterator[Point]:
    top = max(corners.values(), key=lambda point: point[1])
    left = min(corners.values(), key=lambda point: point[0])
    gap = scene.radius + scene.side / 4
    yield left[0] - gap, max(left[1], gap)
    yield top[0], top[1] + gap


def _normal(feature: str, pose: ExactPose) -> Point:
    sign = 1 if feature[0] == "+" else -1
    return (pose.cos * sign, pose.sin * -sign) if feature[1] == "x" else (pose.sin * sign, pose.cos * sign)


def _at_vertex(feature: str, pose: ExactPose, corners: dict[str, Point], scene: ExactScene) -> Iterator[Point]:
    (ax, az), (bx, bz) = (_normal(face, pose) for face, ends in ENDS.items() if feature in ends)
    x, z = corners[feature]
    for tau in _TURNS:
        c, s = scene.radius * (1 - tau * tau) / (1 + tau * tau), scene.radius * 2 * tau / (1 + tau * tau)
        yield x + ax * c + bx * s, z + az * c + bz * s


def _on_face(feature: str, pose: ExactPose, corners: dict[str, Point], scene: ExactScene) -> Iterator[Point]:
    r, h = scene.radius, scene.height
    (x0, z0), (x1, z1) = (corners[name] for name in ENDS[feature])
    nx, nz = _normal(feature, pose)
    start, run = (x0 + nx * r, z0 + nz * r), (x1 - x0, z1 - z0)
    floor = (start[1] - r, run[1])
    for other in ((-r - start[0], -run[0]), (start[1] - h - r, run[1])):
        low: Exact = Fraction(0)
        high: Exact = Fraction(1)
        for offset, slope in (floor, other):
            if slope > 0:
                low = max(low, -offset / slope)
            elif slope < 0:
                high = min(high, -offset / slope)
            elif offset < 0:
                low = high + 1
        if low <= high:
            for part in (Fraction(1, 2), Fraction(1, 4), Fraction(3, 4)):
                t = low + (high - low) * part
                if 0 < t < 1:
                    yield start[0] + run[0] * t, start[1] + run[1] * t
