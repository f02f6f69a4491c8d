"""Two fingers of one rigid pusher at a straight edge of the body: which of them touch, stick or slip."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from ..errors import ConvergenceError, InputError
from ..limit_surface.pushing import Surface
from ..validation import FARTHEST, finite_array, finite_number, nonnegative

__all__ = ["Contact", "FingerMode", "TwoFingers", "touch"]

Array = NDArray[np.float64]

#: Forces and gaps may miss a sign by this share of the step's largest [-].
_SLACK = 1e-9
#: Slip speeds and turn rates among which a change of sign is looked for, in units of the pusher's speed [-].
_SPREAD = np.geomspace(1e-7, 1e3, 41)


class FingerMode(StrEnum):
    """What the two fingers do."""

    STICK = "both stick"
    SLIP = "both slip"
    ONE_STICKS = "one sticks"
    ONE_SLIPS = "one slips"
    APART = "apart"


@dataclass(frozen=True, eq=False)
class TwoFingers:
    """A pusher with two point fingers at one straight edge, level with the COM; it moves as told, whatever the force.

    Args:
        points: (2, 2) where the fingers touch at the start, body frame [m].
        normal: (2,) the edge's normal into the body, body frame [-].
        mu: coefficient of friction of the fingers, zero or more.
        twist: (3,) the pusher's velocity in the body frame at the start, as a twist about the COM's projection; it turns
            about a centre fixed in the world [m/s, m/s, rad/s].

    Raises:
        InputError: an argument is unusable, the two points are one, or they do not lie on one edge.
    """

    points: Array
    normal: Array
    mu: float
    twist: Array

    def __init__(self, points: ArrayLike, normal: ArrayLike, mu: float, twist: ArrayLike):
        put = lambda name, value: object.__setattr__(self, name, value)  # noqa: E731
        put("points", finite_array("points", points, (2, 2), largest=FARTHEST))
        inward = finite_array("normal", normal, (2,), largest=FARTHEST)
        if not inward.any():
            raise InputError("normal", inward, "is zero", "it points from the fingers into the body")
        put("normal", inward / np.linalg.norm(inward))
        put("mu", nonnegative("mu", mu))
        put("twist", finite_array("twist", twist, (3,), largest=FARTHEST))
        if not self.twist.any():
            raise InputError("twist", self.twist, "is zero", "a pusher at rest moves nothing")
        between = self.points[1] - self.points[0]
        size = float(np.linalg.norm(between))
        if size == 0.0 or abs(between @ self.normal) > 1e-9 * size:
            raise InputError("points", self.points, "do not lie apart on one straight edge", "the normal is square to their line")

    def carried(self, t: float, start: Array) -> Array:
        """Return the pose (3,) at time t of a body that keeps to the pusher from the pose `start` (3,) on [m, m, rad].

        Raises:
            InputError: time or pose are not finite, or so far that the way is not.
        """
        t, start = finite_number("t", t), finite_array("start", start, (3,))
        if not abs(t) * float(np.abs(self.twist).max()) <= FARTHEST:
            raise InputError("t", t, "is a time at which the pusher is out of the range of float64")
        v, omega = self.twist[:2], float(self.twist[2])
        c, s = np.cos(start[2]), np.sin(start[2])
        if omega == 0.0:
            way = t * v
        else:
            centre = np.array([-v[1], v[0]]) / omega
            p, q = np.cos(omega * t), np.sin(omega * t)
            way = centre - np.array([[p, -q], [q, p]]) @ centre
        return np.array([start[0] + c * way[0] - s * way[1], start[1] + s * way[0] + c * way[1], start[2] + omega * t])

    def places(self, t: float, start: Array) -> Array:
        """Return the fingers (2, 2) at time t, in the world, for a body that starts at the pose `start` (3,) [m]."""
        x, y, angle = self.carried(t, start)
        c, s = np.cos(angle), np.sin(angle)
        return self.points @ np.array([[c, s], [-s, c]]) + [x, y]


@dataclass(frozen=True)
class Contact:
    """The body's `twist` (3,), the fingers' `force` (2, 2), normal and tangential [N], and the `mode`."""

    twist: Array
    force: Array
    mode: FingerMode


def touch(surface: Surface, push: Array, gap: Array, slip: Array, about: Array, step: float, mu: float) -> Contact:
    """Find the twist and the finger forces of a quasi-static step: no overlap, no pull, Coulomb's law at both fingers.

    The fingers' wrench is the load of the twist. The modes are tried one after the other, the fewest unknowns first; each is
    a linear system, one equation in one unknown, or the twist of a given load. Both fingers on one edge share their slip, and
    only the sum of their tangential forces counts: it is split in proportion to the normal ones.

    Args:
        surface: a fitted model or an ideal limit surface.
        push: (2, 2, 3) wrenches of unit force: finger, (normal, tangential).
        gap: (2,) gaps at the step's end at the twist `about` [m].
        slip: (2,) speed of the body along its edge relative to each finger, at `about` [m/s].
        about: (3,) twist about which gap and slip are linear, not zero.
        step: h [s].
        mu: coefficient of friction of the fingers.

    Returns:
        The contact.

    Raises:
        ConvergenceError: no mode solves the step.
    """
    unit = np.array([1.0, 1.0, surface.length])
    normal, across = push[:, 0] / unit, push[:, 1] / unit
    about = about * unit
    speed = max(float(np.linalg.norm(about)), float(np.abs(gap).max()) / step)

    def drag(rows: Array) -> Array:
        return np.asarray(surface.load(rows / unit)) / unit

    def gaps(v: Array) -> Array:
        return gap / step + normal @ (v - about)

    def contact(v: Array, force: Array, mode: FingerMode) -> Contact:
        return Contact(v / unit, force, mode)

    def root(of: Callable[[Array], Array], rows: Array) -> float | None:
        """The first change of sign over `rows`, in their order."""
        values = of(rows)
        for j in np.flatnonzero(values[:-1] * values[1:] <= 0.0):
            try:
                return float(brentq(lambda x: float(of(np.array([x]))[0]), rows[j], rows[j + 1], xtol=1e-300, rtol=1e-14, maxiter=200))
            except RuntimeError as error:
                raise ConvergenceError(f"the share of the fingers' loads was not found: {error}", residual=float(rows[j + 1] - rows[j])) from error
        return None

    # both touch: the edge keeps to both fingers, and only the slip along it is open
    frame = np.stack([normal[0], normal[1], across.mean(axis=0)])
    still = about + np.linalg.solve(frame, -np.array([gap[0] / step, gap[1] / step, slip.mean()]))
    need = drag(still[None])[0]
    found = np.linalg.solve(frame.T, need)
    slack = _SLACK * float(np.linalg.norm(need))
    if found[0] >= -slack and found[1] >= -slack and abs(found[2]) <= mu * (found[0] + found[1]) + slack:
        force = np.maximum(found[:2], 0.0)
        return contact(still, np.column_stack([force, found[2] * force / force.sum()]), FingerMode.STICK)
    along = np.linalg.solve(frame, np.array([0.0, 0.0, 1.0]))
    for sense in (1.0, -1.0):
        edges = normal - sense * mu * across
        wall = np.cross(edges[0], edges[1])
        rate = root(lambda x: drag(still + sense * x[:, None] * along) @ wall, speed * _SPREAD)
        if rate is None:
            continue
        velocity = still + sense * rate * along
        force = np.linalg.lstsq(edges.T, drag(velocity[None])[0], rcond=None)[0]
        if (force >= -_SLACK * np.abs(force).sum()).all():
            return contact(velocity, np.maximum(force, 0.0)[:, None] * [1.0, -sense * mu], FingerMode.SLIP)
    # one touches and sticks: the body turns about that finger until the load has no moment about it
    for i in (0, 1):
        pair = np.stack([normal[i], across[i]])
        turn = np.cross(pair[0], pair[1])
        held = about + np.linalg.lstsq(pair, -np.array([gap[i] / step, slip[i]]), rcond=None)[0]
        rates = speed / float(np.linalg.norm(turn)) * np.concatenate([-_SPREAD[::-1], _SPREAD])
        rate = root(lambda x: drag(held + x[:, None] * turn) @ turn, rates)
        if rate is None:
            continue
        velocity = held + rate * turn
        force = np.linalg.lstsq(pair.T, drag(velocity[None])[0], rcond=None)[0]
        if force[0] > 0.0 and abs(force[1]) <= mu * force[0] * (1.0 + _SLACK) and gaps(velocity)[1 - i] >= -_SLACK * speed:
            return contact(velocity, np.outer(np.arange(2) == i, force), FingerMode.ONE_STICKS)
    # one touches and slips: its force is an edge of its cone, and the twist is that load's
    cases = [(i, sense, normal[i] - sense * mu * across[i]) for i in (0, 1) for sense in (1.0, -1.0)]
    ways = np.asarray(surface.twist(np.array([edge for _, _, edge in cases]) * unit)) * unit
    for (i, sense, edge), way in zip(cases, ways):
        closing = float(normal[i] @ way)
        size = (float(normal[i] @ about) - gap[i] / step) / closing if closing else 0.0
        velocity = size * way
        sliding = slip[i] + across[i] @ (velocity - about)
        if size > 0.0 and sense * sliding >= 0.0 and gaps(velocity)[1 - i] >= -_SLACK * speed:
            force = float(drag(velocity[None])[0] @ way) / float(edge @ way) * np.array([1.0, -sense * mu])
            return contact(velocity, np.outer(np.arange(2) == i, force), FingerMode.ONE_SLIPS)
    if (gaps(np.zeros(3)) >= -_SLACK * speed).all():
        return contact(np.zeros(3), np.zeros((2, 2)), FingerMode.APART)
    raise ConvergenceError("no contact mode of the two fingers solves the step", residual=float(-gaps(np.zeros(3)).min()))
