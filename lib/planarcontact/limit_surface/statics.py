"""Normal loads of three supports by statics (document 3, the robot experiment)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import FARTHEST, finite_array, positive

__all__ = ["statics_pressures"]


def statics_pressures(
    points: ArrayLike, normal_load: float, *, centre: ArrayLike = (0.0, 0.0)
) -> NDArray[np.float64]:
    """Normal loads of three supports in equilibrium: force along the normal and both tilting moments.

    Args:
        points: (3, 2) support points [m].
        normal_load: weight on the supports [N].
        centre: (2,) centre of pressure, the projection of the centre of mass [m].

    Returns:
        (3,) normal loads, all positive, with the sum `normal_load` [N].

    Raises:
        InputError: the points are collinear, or the centre lies outside their triangle (the object would tip).
    """
    corners = finite_array("points", points, (3, 2), largest=FARTHEST)
    com = finite_array("centre", centre, (2,), largest=FARTHEST)
    load = positive("normal_load", normal_load)
    edges = corners[1:] - corners[0]
    doubled = edges[0, 0] * edges[1, 1] - edges[0, 1] * edges[1, 0]
    if abs(doubled) <= 1e-9 * float((edges**2).sum()):
        raise InputError("points", corners, "lie on one line", "three supports must span a triangle")
    system = np.vstack([np.ones(3), (corners - corners[0]).T / np.sqrt(abs(doubled))])
    shares = np.linalg.solve(system, np.append(1.0, (com - corners[0]) / np.sqrt(abs(doubled))))
    if (shares <= 1e-12).any():
        raise InputError(
            "centre", com, "does not lie inside the triangle of the supports", "the object would tip over an edge"
        )
    return load * shares
