"""Friction cones of point contacts as sets of loads."""

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import nnls

from ..errors import InputError
from ..validation import FARTHEST, finite_array, finite_number, nonnegative
from .measures import unit_rows

__all__ = ["friction_cone", "in_cone", "meets_disc", "contact_frame"]

Array = NDArray[np.float64]


def contact_frame(contacts: ArrayLike, normals: ArrayLike) -> tuple[Array, Array, Array]:
    """Check contacts; return points (K, 2), unit normals into the object and unit tangents to their left."""
    points = finite_array("contacts", contacts, (None, 2), largest=FARTHEST)
    inward = finite_array("normals", normals, (len(points), 2))
    if len(points) == 0:
        raise InputError("contacts", points, "holds no contact")
    if not inward.any(axis=1).all():
        raise InputError("normals", 0.0, "holds a zero row", "a normal points from the contact into the object")
    inward = unit_rows(inward, (1.0, 1.0))
    return points, inward, np.column_stack([-inward[:, 1], inward[:, 0]])


def friction_cone(contacts: ArrayLike, normals: ArrayLike, mu: float) -> Array:
    """Edges of the composite friction cone: the loads that contacts with Coulomb friction can apply.

    Args:
        contacts: (K, 2) contact points in the body frame [m].
        normals: (K, 2) normals that point into the object, of any length [-].
        mu: coefficient of friction at the contacts, zero or more.

    Returns:
        (2K, 3) loads of unit normal force (f_x, f_y, tau), for each contact the edge to the right of its normal and
        the edge to the left of it; the cone is their non-negative combinations [N, N, N m].

    Raises:
        InputError: an argument is unusable.
    """
    points, inward, left = contact_frame(contacts, normals)
    mu = nonnegative("mu", finite_number("mu", mu, largest=FARTHEST))
    forces = np.stack([inward - mu * left, inward + mu * left], axis=1).reshape(-1, 2)
    at = np.repeat(points, 2, axis=0)
    return np.column_stack([forces, at[:, 0] * forces[:, 1] - at[:, 1] * forces[:, 0]])


def in_cone(edges: ArrayLike, loads: ArrayLike, *, tolerance: float = 1e-9) -> NDArray[np.bool_]:
    """Tell which loads lie in the cone that `edges` span.

    Args:
        edges: (M, 3) generators of the cone; scale moments before, so that the three components are comparable.
        loads: (N, 3) loads, scaled alike.
        tolerance: how far outside, as a fraction of the load, still counts as inside.

    Returns:
        (N,) True for loads inside or on the boundary.

    Raises:
        InputError: an argument is unusable.
    """
    rays = finite_array("edges", edges, (None, 3), largest=FARTHEST)
    rows = finite_array("loads", loads, (None, 3), largest=FARTHEST)
    margin = nonnegative("tolerance", tolerance)
    lengths = np.linalg.norm(rays, axis=1, keepdims=True)
    if not len(rays) or not (lengths > 0.0).all():
        raise InputError("edges", rays, "do not span a cone", "pass at least one row, and none that is zero")
    rays = rays / lengths
    sizes = np.linalg.norm(rows, axis=1)
    unit = rows / np.where(sizes > 0.0, sizes, 1.0)[:, None]
    if np.linalg.matrix_rank(rays, tol=1e-9) < 3:
        residuals = np.array([nnls(rays.T, row)[1] for row in unit])
        return residuals <= margin
    walls = _walls(rays)
    return (unit @ walls.T >= -margin).all(axis=1)


def meets_disc(edges: ArrayLike, centre: ArrayLike, axes: ArrayLike, *, tolerance: float = 1e-9) -> bool:
    """Tell whether the cone that `edges` span meets an elliptic disc of loads, a facet of an ideal limit surface.

    Args:
        edges: (M, 3) generators of the cone; scale moments before, so that the three components are comparable.
        centre: (3,) the disc's centre, scaled alike.
        axes: (2, 3) two conjugate half-diameters, scaled alike: the loads are centre + x axes[0] + y axes[1], x^2 + y^2 <= 1.
        tolerance: how far outside the disc, as a fraction of its size, still counts as inside.

    Returns:
        True where some load of the disc lies in the cone.

    Raises:
        InputError: an argument is unusable.
    """
    rays, middle, spans = finite_array("edges", edges, (None, 3)), finite_array("centre", centre, (3,)), finite_array("axes", axes, (2, 3))
    margin = nonnegative("tolerance", tolerance)
    rays = rays / np.linalg.norm(rays, axis=1, keepdims=True)
    normal = np.cross(*spans)
    normal /= np.linalg.norm(normal)
    shares = np.linalg.pinv(spans.T)
    stiff = 1e6 * np.linalg.norm(shares, 2)  # the loads of the cone that count lie in the disc's plane
    system = np.vstack([shares @ rays.T, stiff * (normal @ rays.T)])
    distance = nnls(system, np.append(shares @ middle, stiff * float(normal @ middle)))[1]
    return bool(distance <= 1.0 + margin)


def _walls(rays: Array) -> Array:
    """Inward normals of the planes that bound a three-dimensional cone; none if the cone is everything."""
    walls = [np.zeros((0, 3))]
    for i, j in combinations(range(len(rays)), 2):
        normal = np.cross(rays[i], rays[j])
        size = np.linalg.norm(normal)
        if size <= 1e-12:
            continue
        side = rays @ (normal / size)
        if (side >= -1e-12).all():
            walls.append(normal[None] / size)
        elif (side <= 1e-12).all():
            walls.append(-normal[None] / size)
    return np.vstack(walls)
