"""The scene and a pose in exact numbers, and the numbering of templates and formations, for the oracle."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .exact_geometry import Piece, Point
from .quadratic import Exact, Quadratic

__all__ = ["CORNERS", "ENDS", "FEATURES", "OTHERS", "ExactPose", "ExactScene", "formation_code", "formation_templates", "template_name"]

FEATURES = ("+x", "-x", "+z", "-z", "v++", "v+-", "v-+", "v--")
OTHERS = ("M", "L", "S", "P", "vS")
CORNERS = ("v--", "v+-", "v++", "v-+")  # counter-clockwise
ENDS = {"+x": ("v+-", "v++"), "-x": ("v-+", "v--"), "+z": ("v++", "v-+"), "-z": ("v--", "v+-")}
_NAMES = {1: "mx", 3: "mz", 11: "g", 13: "gv", 16: "s", 24: "t", 32: "sv"}


@dataclass(frozen=True)
class ExactScene:
    """The step scene in rational numbers; the defaults are the document's (side 125 mm, height a/4, radius a/8).

    Attributes: ``side`` a, ``height`` h, ``radius`` r, m; ``origin``, the foot of the riser, m.
    """

    side: Fraction = Fraction(1, 8)
    height: Fraction = Fraction(1, 32)
    radius: Exact = Fraction(1, 64)
    origin: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))

    def __post_init__(self) -> None:
        for name in ("side", "height", "radius"):
            if not getattr(self, name) > 0:
                raise InputError(name, getattr(self, name), "must be positive")

    def piece(self, other: str) -> Piece:
        """Return the environment's feature of that name, relative to the origin."""
        zero, h = Fraction(0), self.height
        return {"L": Piece(0, zero, None, zero), "S": Piece(1, zero, zero, h), "P": Piece(0, h, zero, None), "vS": Piece(0, h, zero, zero)}[other]


@dataclass(frozen=True)
class ExactPose:
    """A pose with exact entries; theta, clockwise positive, enters by its cosine and sine.

    Attributes: ``x``, ``z``, the box's centre, m; ``cos``, ``sin``, of theta; ``disk_x``, ``disk_z``, the disk's centre, m.
    Raises ``InputError`` unless cos^2 + sin^2 = 1 exactly.
    """

    x: Exact
    z: Exact
    cos: Exact
    sin: Exact
    disk_x: Exact
    disk_z: Exact

    def __post_init__(self) -> None:
        for name in ("x", "z", "cos", "sin", "disk_x", "disk_z"):
            value = getattr(self, name)
            if isinstance(value, int):
                object.__setattr__(self, name, Fraction(value))
            elif not isinstance(value, (Fraction, Quadratic)):
                raise InputError(name, value, "is not exact", "pass a Fraction or a Quadratic")
        if self.cos * self.cos + self.sin * self.sin != 1:
            raise InputError("cos, sin", (float(self.cos), float(self.sin)), "do not lie on the unit circle", "use a Pythagorean pair")

    def to_world(self, u: Exact, w: Exact) -> Point:
        """Carry a point of the box's frame into the world, m."""
        return self.x + self.cos * u + self.sin * w, self.z - self.sin * u + self.cos * w

    def to_box(self, x: Exact, z: Exact) -> Point:
        """Carry a point of the world into the box's frame, m."""
        dx, dz = x - self.x, z - self.z
        return self.cos * dx - self.sin * dz, self.sin * dx + self.cos * dz

    def moved(self, dx: Exact, dz: Exact) -> ExactPose:
        """Return the pose with box and disk shifted together, m."""
        return ExactPose(self.x + dx, self.z + dz, self.cos, self.sin, self.disk_x + dx, self.disk_z + dz)

    def floats(self) -> NDArray[np.float64]:
        """Return the pose (5,): x, z, theta, m_x, m_z; m and rad, theta in (-pi, pi]."""
        theta = float(np.arctan2(float(self.sin), float(self.cos)))
        return np.array([float(self.x), float(self.z), theta, float(self.disk_x), float(self.disk_z)])


def template_name(index: int) -> str:
    """Return the template's name, as in ``g`` or ``(v-+,L)``."""
    return _NAMES.get(index) or f"({FEATURES[index % 8]},{OTHERS[index // 8]})"


def formation_code(contacts: frozenset[int]) -> int:
    """Return the base-9 number of a set of templates with at most one per pair."""
    digits = {index // 8: index % 8 + 1 for index in contacts}
    if len(digits) != len(contacts):
        raise InputError("contacts", sorted(contacts), "holds two contacts of one pair")
    return sum(digit * 9**pair for pair, digit in digits.items())


def formation_templates(code: int) -> frozenset[int]:
    """Return the template indices of a formation's number in [0, 9^5)."""
    if not 0 <= code < 9**5:
        raise InputError("code", code, "is not a formation's number", "use 0 <= code < 59049")
    digits = [(pair, code // 9**pair % 9) for pair in range(5)]
    return frozenset(8 * pair + digit - 1 for pair, digit in digits if digit)
