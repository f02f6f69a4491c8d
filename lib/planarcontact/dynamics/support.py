"""The flat support and its contact frame."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import finite_array, finite_number

__all__ = ["Plane"]


@dataclass(frozen=True, eq=False)
class Plane:
    """The plane n.x = offset; bodies stay where n.x >= offset.

    Args:
        normal: (3,) direction away from the support, world axes, of any length but zero [-]; stored with unit length.
        offset: distance of the plane from the origin along the unit normal [m].

    Raises:
        InputError: an entry is not finite, or the normal has zero length.
    """

    normal: NDArray[np.float64]
    offset: float

    def __init__(self, normal: ArrayLike = (0.0, 0.0, 1.0), offset: float = 0.0):
        direction = finite_array("normal", normal, (3,))
        largest = np.abs(direction).max()
        if largest == 0.0:
            raise InputError("normal", direction, "has zero length", "give the direction away from the support")
        direction = direction / largest  # so that squares neither overflow nor vanish
        direction = direction / np.linalg.norm(direction)
        direction.flags.writeable = False
        object.__setattr__(self, "normal", direction)
        object.__setattr__(self, "offset", finite_number("offset", offset))

    def height(self, points: ArrayLike) -> NDArray[np.float64]:
        """Return the signed distance (...) [m] of world points (..., 3) [m] above the plane."""
        points = finite_array("points", points)
        if points.shape[-1:] != (3,):
            raise InputError("points", points.shape, "has this shape where (..., 3) is needed")
        return points @ self.normal - self.offset

    @cached_property
    def frame(self) -> NDArray[np.float64]:
        """Rows n, t, o (3, 3) of the contact frame in world axes [-].

        t is the world's x projected into the plane and normalised (the world's y where x is within 1e-6 of n),
        and o = n x t.
        """
        n = self.normal
        for axis in np.eye(3)[:2]:
            t = axis - (axis @ n) * n
            if np.linalg.norm(t) > 1e-6:
                break
        t = t / np.linalg.norm(t)
        frame = np.stack([n, t, np.cross(n, t)])
        frame.flags.writeable = False
        return frame
