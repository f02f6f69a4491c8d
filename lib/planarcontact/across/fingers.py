"""Two fingers of one rigid pusher at a straight edge of the body: which of them touch, stick or slip."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from ..errors import ConvergenceError, InputError
from ..validation import finite_array, nonnegative

__all__ = ["Contact", "FingerMode", "TwoFingers", "touch"]

Array = NDArray[np.float64]

#: Impulses, slips and gaps may miss a sign by this share of the step's largest [-].
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
        put("points", finite_array("points", points, (2, 2)))
        inward = finite_array("normal", normal, (2,))
        if not inward.any():
            raise InputError("normal", inward, "is zero", "it points from the fingers into the body")
        put("normal", inward / np.linalg.norm(inward))
        put("mu", nonnegative("mu", mu))
        put("twist", finite_array("twist", twist, (3,)))
        if not self.twist.any():
            raise InputError("twist", self.twist, "is zero", "a pusher at rest moves nothing")
        between = self.points[1] - self.points[0]
        size = float(np.linalg.norm(between))
        if size == 0.0 or abs(between @ self.normal) > 1e-9 * size:
            raise InputError("points", self.points, "do not lie apart on one straight edge", "the normal is square to their line")

    def places(self, t: float, start: Array) -> Array:
        """Return the fingers (2, 2) at time t, in the world, for a body that starts at the pose `start` (3,) [m]."""
        c, s = np.cos(start[2]), np.sin(start[2])
        turn = np.array([[c, -s], [s, c]])
        v, omega = self.twist[:2], self.twist[2]
        if omega == 0.0:
            return (self.points + t * v) @ turn.T + start[:2]
        centre = np.array([-v[1], v[0]]) / omega
        c, s = np.cos(omega * t), np.sin(omega * t)
        return (centre + (self.points - centre) @ np.array([[c, s], [-s, c]])) @ turn.T + start[:2]


@dataclass(frozen=True)
class Contact:
    """The fingers' part of a step: `velocity` (3,) primed [m/s], `impulse` (2, 2) over the mass, normal and tangential
    [m/s], and the mode."""

    velocity: Array
    impulse: Array
    mode: FingerMode


def touch(
    push: Array, gap: Array, slip: Array, about: Array, step: float, mu: float,
    drag: Callable[[Array], Array], slide: Callable[[Array], Array], speed: float,
) -> Contact:  # fmt: skip
    """Find the velocity and the finger impulses that solve a step: no overlap, no pull, Coulomb's law at both fingers.

    The modes are tried one after the other, the fewest unknowns first; each is a linear system or one equation in one
    unknown, so that none can fail without being seen. Both fingers on one edge share their slip, and only the sum of
    their tangential impulses counts: it is split in proportion to the normal ones.

    Args:
        push: (2, 2, 3) wrenches of unit impulse, primed: finger, (normal, tangential).
        gap: (2,) gaps at the velocity `about` at the step's end [m].
        slip: (2,) speed of the body along its edge relative to each finger, at `about` [m/s].
        about: (3,) velocity, primed, about which gap and slip are linear [m/s].
        step: h [s].
        mu: coefficient of friction of the fingers.
        drag: rows of velocities (n, 3) to V + k F(V) - a, the impulse over the mass that the fingers must give [m/s].
        slide: an impulse over the mass (3,) that the fingers give to the velocity that follows [m/s].
        speed: the pusher's speed, which sets the scale [m/s].

    Returns:
        The contact.

    Raises:
        ConvergenceError: no mode solves the step.
    """
    normal, across = push[:, 0], push[:, 1]

    def gaps(v: Array) -> Array:
        return gap / step + normal @ (v - about)

    def slips(v: Array) -> Array:
        return slip + across @ (v - about)

    def share(force: Array, along: float) -> Array:
        total = max(float(force.sum()), np.finfo(float).tiny)
        return np.column_stack([force, along * force / total])

    def root(of: Callable[[float], float], rows: Array) -> float | None:
        """The first change of sign over `rows`, given in the order in which they are tried."""
        values = [of(float(x)) for x in rows]
        for a, b, fa, fb in zip(rows[:-1], rows[1:], values[:-1], values[1:]):
            if fa * fb <= 0.0:
                return float(brentq(of, a, b, xtol=1e-300, rtol=1e-14, maxiter=200))
        return None

    # both touch: the edge keeps to both fingers, and only the slip along it is open
    frame = np.stack([normal[0], normal[1], (across[0] + across[1]) / 2.0])
    still = about + np.linalg.solve(frame, -np.array([gap[0] / step, gap[1] / step, slip.mean()]))
    need = drag(still[None])[0]
    found = np.linalg.solve(frame.T, need)
    slack = _SLACK * float(np.linalg.norm(need))
    if found[0] >= -slack and found[1] >= -slack and abs(found[2]) <= mu * (found[0] + found[1]) + slack:
        return Contact(still, share(np.maximum(found[:2], 0.0), float(found[2])), FingerMode.STICK)
    along = np.linalg.solve(frame, np.array([0.0, 0.0, 1.0]))
    for sense in (1.0, -1.0):
        edges = normal - sense * mu * across
        wall = np.cross(edges[0], edges[1])
        if not wall.any():
            continue
        rate = root(lambda x: float(wall @ drag((still + sense * x * along)[None])[0]), speed * _SPREAD)
        if rate is None:
            continue
        velocity = still + sense * rate * along
        force = np.linalg.lstsq(edges.T, drag(velocity[None])[0], rcond=None)[0]
        if (force >= -_SLACK * np.abs(force).sum()).all() and force.sum() > 0.0:
            force = np.maximum(force, 0.0)
            return Contact(velocity, share(force, -sense * mu * float(force.sum())), FingerMode.SLIP)
    # one touches and sticks: the body turns about that finger until the fingers' moment about it vanishes
    for i in (0, 1):
        pair = np.stack([normal[i], across[i]])
        turn = np.cross(pair[0], pair[1])
        held = about + np.linalg.lstsq(pair, -np.array([gap[i] / step, slip[i]]), rcond=None)[0]
        rates = speed / float(np.linalg.norm(turn)) * np.concatenate([-_SPREAD[::-1], _SPREAD])
        rate = root(lambda x: float(turn @ drag((held + x * turn)[None])[0]), rates)
        if rate is None:
            continue
        velocity = held + rate * turn
        force = np.linalg.lstsq(pair.T, drag(velocity[None])[0], rcond=None)[0]
        if force[0] > 0.0 and abs(force[1]) <= mu * force[0] * (1.0 + _SLACK) and gaps(velocity)[1 - i] >= -_SLACK * speed:
            out = np.zeros((2, 2))
            out[i] = force
            return Contact(velocity, out, FingerMode.ONE_STICKS)
    for i in (0, 1):
        for sense in (1.0, -1.0):
            edge = normal[i] - sense * mu * across[i]
            size = root(lambda x: float(gaps(slide(x * edge))[i]), float(np.linalg.norm(need)) * np.append(0.0, np.geomspace(1e-3, 1e3, 13)))
            if size is None:
                continue
            velocity = slide(size * edge)
            if sense * slips(velocity)[i] >= 0.0 and gaps(velocity)[1 - i] >= -_SLACK * speed:
                out = np.zeros((2, 2))
                out[i] = size, -sense * mu * size
                return Contact(velocity, out, FingerMode.ONE_SLIPS)
    velocity = slide(np.zeros(3))
    if (gaps(velocity) >= -_SLACK * speed).all():
        return Contact(velocity, np.zeros((2, 2)), FingerMode.APART)
    raise ConvergenceError("no contact mode of the two fingers solves the step", residual=float(-gaps(velocity).min()))
