"""Stable two-point pushes: by a limit surface (document 3, Section VI-A), and by the analysis of Lynch and Mason."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..validation import FARTHEST, finite_array, finite_number, nonnegative
from .friction_cone import contact_frame, friction_cone, in_cone, meets_disc
from .ideal import SupportPoints, twist_about, twist_rows
from .measures import near_one
from .pushing import Surface, checked_surface
from .statics import statics_pressures

__all__ = ["conservative_region", "is_stable_push", "push_twists", "random_supports"]

Array = NDArray[np.float64]


def push_twists(contacts: ArrayLike, normals: ArrayLike, cor: ArrayLike) -> Array:
    """Twists of a pusher that turns about given centres, with the sense in which it moves into the object.

    Args:
        contacts: (K, 2) contact points in the body frame [m].
        normals: (K, 2) normals that point into the object [-].
        cor: (N, 2) centres of rotation [m], or (N, 3) twists, returned as they are.

    Returns:
        (N, 3) twists; the contacts' mean velocity along their mean normal is not negative [m/s, m/s, rad/s].

    Raises:
        InputError: an argument is unusable.
    """
    points, inward, _ = contact_frame(contacts, normals)
    rows = _array(cor)
    if rows.ndim == 2 and rows.shape[1] == 3:
        return twist_rows(cor)
    if rows.dtype.kind in "fiu" and np.isinf(rows).any():
        raise InputError("cor", np.inf, "is not a point", "a translation has no centre: pass its twist (v_x, v_y, 0)")
    centres = finite_array("cor", cor, (None, 2), largest=FARTHEST)
    arm, ahead = points.mean(axis=0) - centres, inward.mean(axis=0)
    forward = -arm[:, 1] * ahead[0] + arm[:, 0] * ahead[1]
    return twist_about(centres, sense=np.where(forward >= 0.0, 1.0, -1.0))


def _array(cor: ArrayLike) -> NDArray[Any]:
    try:
        return np.asarray(cor)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError("cor", cor, "is not an array of real numbers", "pass (N, 2) centres or (N, 3) twists") from error


def is_stable_push(
    surface: Surface, contacts: ArrayLike, normals: ArrayLike, mu: float, cor: ArrayLike, *, tolerance: float = 1e-9
) -> NDArray[np.bool_] | bool:
    """Tell which pushes are stable: the object keeps to the pusher as one body.

    A push is stable when the load of its twist lies in the composite friction cone of the contacts; where the body turns
    about a support its loads are a set, and the push is stable when one of them does.

    Args:
        surface: a fitted model or an ideal limit surface.
        contacts: (K, 2) contact points in the body frame, two for a two-point push [m].
        normals: (K, 2) normals that point into the object [-].
        mu: coefficient of friction at the contacts, zero or more.
        cor: (2,) or (N, 2) centres of rotation, turned about in the sense that moves the contacts into the object [m];
            or (3,) or (N, 3) twists (v_x, v_y, omega), which also say translations and the sense.
        tolerance: how far outside the cone, as a fraction of the load, still counts as inside.

    Returns:
        One truth value, or (N,) of them.

    Raises:
        InputError: an argument is unusable.
        UnsupportedError: the model is not certified convex, so the load is not unique.
    """
    surface = checked_surface(surface)
    rows = _array(cor)
    single = rows.ndim == 1
    twists = push_twists(contacts, normals, rows[None] if single else rows)
    scale = np.array([1.0, 1.0, surface.length])
    edges = friction_cone(contacts, normals, mu) / scale
    middles = np.asarray(surface.load(twists))
    stable = in_cone(edges, middles / scale, tolerance=tolerance)
    if isinstance(surface, SupportPoints):
        for row in np.flatnonzero(surface.is_set_valued(twists) & ~stable):
            stable[row] = meets_disc(edges, middles[row] / scale, surface.resting_friction(twists[row]) / scale, tolerance=tolerance)
    return bool(stable[0]) if single else stable


def conservative_region(
    outline: ArrayLike, contacts: ArrayLike, normals: ArrayLike, mu: float, cor: ArrayLike
) -> NDArray[np.bool_]:
    """Tell which two-point pushes are stable for every pressure within the outline (Lynch and Mason 1996).

    Two conditions that hold whatever the pressure: every point of the outline moves in a direction inside the
    contacts' friction cone; and the line of the resultant passes between the contacts, because the centre of
    rotation lies nearer to one contact than to the centre of mass and beyond the tip line of the other.

    Args:
        outline: (M, 2) corners of a convex region that holds all supports, relative to the centre of mass [m].
        contacts: (2, 2) contact points [m].
        normals: (2, 2) normals that point into the object; both must be equal, a flat edge [-].
        mu: coefficient of friction at the contacts, zero or more.
        cor: (N, 2) centres of rotation [m], or (N, 3) twists.

    Returns:
        (N,) True where stability is guaranteed.

    Raises:
        InputError: an argument is unusable.
    """
    corners = finite_array("outline", outline, (None, 2), largest=FARTHEST)
    if not len(corners):
        raise InputError("outline", corners, "holds no corner")
    points, inward, left = contact_frame(finite_array("contacts", contacts, (2, 2)), normals)
    if not np.allclose(inward[0], inward[1], atol=1e-9):
        raise InputError("normals", inward, "differ", "the analysis is for two points of one flat edge")
    mu = nonnegative("mu", finite_number("mu", mu, largest=FARTHEST))
    twists = near_one(push_twists(points, inward, cor))  # only their directions matter
    n, t = inward[0], left[0]

    x, y = corners.T
    velocity = np.stack([twists[:, :1] - twists[:, 2:] * y, twists[:, 1:2] + twists[:, 2:] * x], axis=2)
    inside = (np.abs(velocity @ t) <= mu * (velocity @ n) + 1e-12 * np.linalg.norm(velocity, axis=2)).all(axis=1)

    first, second = (_moment_sign(twists, point, corners) for point in points)
    across = points[1] - points[0]
    order = np.sign(across[0] * n[1] - across[1] * n[0])
    return inside & (first == order) & (second == -order)


def _moment_sign(twists: Array, contact: Array, corners: Array) -> NDArray[np.int64]:
    """Sign of the load's moment about a contact where it is the same for every pressure, else 0.

    Turning about a point nearer to the contact than to the centre of mass makes it agree with the turn; turning
    about a point beyond the tip line, r^2 / |c| behind the centre of mass, makes it oppose the turn.
    """
    distance = np.linalg.norm(contact)
    if distance <= 1.0 / FARTHEST:
        return np.zeros(len(twists), dtype=np.int64)
    axis = contact / distance
    # position of the centre of rotation along the axis, times omega; for translations the signed limit remains
    along = -twists[:, 1] * axis[0] + twists[:, 0] * axis[1]
    omega = twists[:, 2]
    sense = np.where(omega >= 0.0, 1.0, -1.0)
    reach = float((corners**2).sum(axis=1).max())
    near = along * sense > 0.5 * distance * np.abs(omega)
    beyond = along * sense < -reach / distance * np.abs(omega)
    return (np.where(near, sense, 0.0) - np.where(beyond, sense, 0.0)).astype(np.int64)


def random_supports(outline: ArrayLike, count: int, *, seed: int, length: float = 1.0) -> list[SupportPoints]:
    """Ideal surfaces of random pressures under a body whose centre of mass is known: three random points each.

    Three points that hold the centre of mass are the extreme pressures, of which all others are mixtures.

    Args:
        outline: (M, 2) corners of the convex contact region, relative to the centre of mass inside it [m].
        count: how many surfaces.
        seed: seed of the draws.
        length: characteristic length rho of the surfaces [m].

    Returns:
        The surfaces, with unit weight and friction: stability does not depend on them.

    Raises:
        InputError: an argument is unusable.
    """
    corners = finite_array("outline", outline, (None, 2), largest=FARTHEST)
    if not len(corners):
        raise InputError("outline", corners, "holds no corner")
    rng = np.random.default_rng(seed)
    out: list[SupportPoints] = []
    for _ in range(1000 * count):
        if len(out) == count:
            return out
        points = rng.dirichlet(np.ones(len(corners)), 3) @ corners
        try:
            out.append(SupportPoints(points, statics_pressures(points, 1.0), 1.0, length))
        except InputError:  # the centre of mass lies outside these three
            continue
    raise InputError("outline", corners, "does not hold the centre of mass")
