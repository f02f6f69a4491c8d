"""The triangular block of document 3's robot experiments: geometry, supports, surfaces."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ..validation import FARTHEST, one_of, positive

__all__ = ["ARRANGEMENTS", "SURFACES", "TriangularBlock"]

Array = NDArray[np.float64]

#: Support points in mm from the right-angle corner, in the order of the logs' folder names.
_SUPPORTS: dict[str, tuple[tuple[float, float], ...]] = {
    "10_130": ((10.0, 10.0), (10.0, 130.0), (130.0, 10.0)),
    "30_90": ((30.0, 30.0), (90.0, 30.0), (30.0, 90.0)),
    "10_90": ((10.0, 10.0), (90.0, 30.0), (10.0, 130.0)),
    "30_63": ((30.0, 30.0), (63.33, 43.33), (43.33, 63.33)),
}
#: Names of the supports: four times three screws, and the whole face.
ARRANGEMENTS: tuple[str, ...] = (*_SUPPORTS, "patch")
#: Names of the surfaces that the pokes were recorded on.
SURFACES: tuple[str, ...] = ("wood", "board")


@dataclass(frozen=True)
class TriangularBlock:
    """The aluminium block: a right isosceles triangle on screws or on its whole face.

    The frame has its origin at the centre of mass, axes along the two legs of the triangle. The mass is the
    document's 1.508 kg (its code has 1.518 kg); the leg is 150 mm, the radius of gyration 50 mm.

    Attributes:
        mass: mass [kg].
        leg: length of the two equal edges [m].
        length: radius of gyration, the document's rho [m].
        gravity: acceleration of gravity [m/s2].

    Raises:
        InputError: a value is not positive.
    """

    mass: float = 1.508
    leg: float = 0.15
    length: float = 0.05
    gravity: float = 9.8

    def __post_init__(self) -> None:
        for entry in fields(self):
            object.__setattr__(self, entry.name, positive(entry.name, getattr(self, entry.name), largest=FARTHEST))

    @property
    def centre(self) -> Array:
        """(2,) centre of mass from the right-angle corner [m]."""
        return np.full(2, self.leg / 3.0)

    @property
    def vertices(self) -> Array:
        """(3, 2) corners relative to the centre of mass, the right angle first, counter-clockwise [m]."""
        return np.array([[0.0, 0.0], [self.leg, 0.0], [0.0, self.leg]]) - self.centre

    @property
    def weight(self) -> float:
        """Normal load [N]."""
        return self.mass * self.gravity

    def supports(self, arrangement: str) -> Array:
        """Support points of an arrangement of three screws.

        Args:
            arrangement: "10_130", "30_90", "10_90" or "30_63".

        Returns:
            (3, 2) points relative to the centre of mass [m].

        Raises:
            InputError: the arrangement is not one of the four.
        """
        one_of("arrangement", arrangement, tuple(_SUPPORTS))
        return np.array(_SUPPORTS[arrangement]) / 1000.0 - self.centre
