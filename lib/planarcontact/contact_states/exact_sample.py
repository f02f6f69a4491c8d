"""Random exact poses of one formation: the coordinates of its stratum, rounded to rationals, carried into the world exactly."""

from fractions import Fraction
from math import tan

import numpy as np

from .connectivity_strata import SIDES, Stratum, stratum
from .exact import examine
from .exact_scene import ExactPose, ExactScene
from .quadratic import Exact, exact_root

__all__ = ["exact_poses"]

_GRID = 2**30  # coordinates are rounded to multiples of 1 / _GRID


def exact_poses(code: int, count: int, seed: int, scene: ExactScene = ExactScene()) -> list[ExactPose]:
    """Return up to `count` random exact poses that realise a formation, each confirmed by the oracle.

    Args:
        code: a realisable formation.
        count: how many to draw; those that rounding has moved out of the formation are left out.
        seed: of the generator.
        scene: the exact scene.

    Returns:
        Exact poses, world frame.
    """
    shape = stratum(code, scene)
    found = []
    for u in shape.sample(np.random.default_rng(seed), count):
        pose = exact_pose(shape, u, scene)
        state = examine(pose, scene)
        if state.admissible and state.code == code:
            found.append(pose)
    return found


def exact_pose(shape: Stratum, u: np.ndarray, scene: ExactScene) -> ExactPose:
    """Return the exact pose at the rounded coordinates u (size,) of a stratum; see `Stratum` for their meaning."""
    a, h, r, place = scene.side, scene.height, Fraction(scene.radius), shape.placement  # type: ignore[arg-type]
    first = _rational(u[0]) if shape.box_size else Fraction(0)
    c, s, corner = _box(place, first, u, a, h)
    half = a / 2
    if place == "free":
        x, z = first, _rational(u[1])
        corner = (x - half * (c - s), z - half * (c + s))
    else:
        x, z = corner[0] + half * (c - s), corner[1] + half * (c + s)
    along = {"AB": (c, s), "BC": (-s, c), "CD": (-c, -s), "DA": (s, -c)}
    if shape.role == "":
        disk = (_rational(u[-2]), _rational(u[-1]))
    else:
        point = corner
        for side in SIDES[: "ABCD".index(shape.role[0])]:
            point = (point[0] + a * along[side][0], point[1] + a * along[side][1])
        if shape.role in SIDES:
            dx, dz = along[shape.role]
            t = _rational(u[-1]) * a
            disk = (point[0] + t * dx + r * dz, point[1] + t * dz - r * dx)
        else:
            # the corner's normal cone begins at the normal of the side that ends there
            dx, dz = along[SIDES["ABCD".index(shape.role) - 1]]
            p, q = _turn(float(u[-1]))
            disk = (point[0] + r * (p * dz + q * dx), point[1] + r * (q * dz - p * dx))
    cos, sin = c, -s
    for _ in range(shape.quarter):
        cos, sin = sin, -cos
    return ExactPose(x, z, cos, sin, *disk).moved(*scene.origin)


def _box(place: str, first: Fraction, u: np.ndarray, a: Fraction, h: Fraction) -> tuple[Exact, Exact, tuple[Exact, Exact]]:
    """Cosine and sine of phi and the corner A of a placement."""
    zero, one = Fraction(0), Fraction(1)
    if place == "free":
        return (*_turn(float(u[2])), (zero, zero))
    if place in ("floor", "platform"):
        return one, zero, (first, zero if place == "floor" else h)
    if place in ("floor-corner", "platform-corner"):
        return (*_turn(float(u[1])), (first, zero if place == "floor-corner" else h))
    if place == "riser":
        return one, zero, (-a, first)
    if place == "nook":
        return one, zero, (-a, zero)
    if place == "floor+edge-corner":
        s: Exact = h / a
        c = exact_root(1 - (h / a) ** 2)
        return c, s, (c * -a, zero)
    cos, sin = _turn(float(np.arcsin(u[0])) if place == "riser-corner" else float(u[0]))
    corner: dict[str, tuple[Exact, Exact]] = {"edge-corner": (zero, h), "floor+riser": (-a * cos, zero)}
    if place == "riser-corner":
        corner[place] = (-a * cos, _rational(u[1]) - a * sin)
    if place == "edge":
        k = _rational(u[1])
        corner[place] = (-k * cos, h - k * sin)
    if place == "floor+edge":
        corner[place] = (-h * cos / sin, zero)
    return cos, sin, corner[place]


def _rational(number: float) -> Fraction:
    return Fraction(round(float(number) * _GRID), _GRID)


def _turn(angle: float) -> tuple[Fraction, Fraction]:
    """Rational cosine and sine of an angle near `angle`."""
    tau = _rational(tan(angle / 2))
    return (1 - tau * tau) / (1 + tau * tau), 2 * tau / (1 + tau * tau)
