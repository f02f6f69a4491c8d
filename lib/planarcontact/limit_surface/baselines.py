"""What the document's related work offers: the ellipsoid of known pressures, and pressures estimated on a grid."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ConvergenceError, InputError
from ..validation import FARTHEST, finite_array, positive
from .checks import MODERATE, instance_of, moderate
from .ideal import IdealSurface, SupportPoints
from .identification import prepare
from .model import LimitSurfaceModel
from .polynomial import monomials

__all__ = ["grid_points", "howe_cutkosky", "pressure_grid", "undamped_newton"]


def howe_cutkosky(surface: IdealSurface) -> LimitSurfaceModel:
    """Return the ellipsoid of Howe and Cutkosky (1996): the largest force while translating, the largest moment while turning.

    Args:
        surface: an ideal surface, whose pressures are known.

    Returns:
        A quadratic model with principal axes along f_x, f_y and tau.

    Raises:
        InputError: the surface is no ideal one.

    Source: document 3, section III.
    """
    instance_of("surface", surface, IdealSurface, "pass an ideal limit surface")
    reach = np.abs(np.diag(surface.load(np.eye(3)))) / (1.0, 1.0, surface.length)
    coefficients = np.zeros(6)
    coefficients[monomials(2).index(2 * np.eye(3, dtype=np.int64))] = reach**-2.0
    return LimitSurfaceModel.from_coefficients(coefficients, degree=2, length=surface.length)


def undamped_newton(model: LimitSurfaceModel, twists: ArrayLike, *, iterations: int = 50) -> NDArray[np.float64]:
    """Return what the update printed in theorem 2 gives: full Newton steps on grad H(F) = V from F = V.

    The iteration has no safeguard; it is here to be compared with `LimitSurfaceModel.load`.

    Args:
        model: a polynomial model.
        twists: (N, 3) rows (v_x, v_y, omega) [m/s, m/s, rad/s].
        iterations: number of steps.

    Returns:
        (N,) angles between grad H and the twist after the last step [rad]; pi where the steps left the finite numbers.

    Raises:
        InputError: a wrong shape or a non-finite entry.
    """
    rows = finite_array("twists", twists, (None, 3)) * (1.0, 1.0, model.length)
    goal = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    basis, x = monomials(model.degree), goal.copy()
    with np.errstate(all="ignore"):
        for _ in range(iterations):
            gradient, hessian = basis.gradients(x) @ model.coefficients, basis.hessians(x) @ model.coefficients
            finite = np.all(np.isfinite(hessian), axis=(1, 2))
            fine = finite & (np.abs(np.linalg.det(np.where(finite[:, None, None], hessian, 0.0))) > 0)
            x[fine] -= np.linalg.solve(hessian[fine], (gradient - goal)[fine][:, :, None])[:, :, 0]
        gradient = basis.gradients(x) @ model.coefficients
        out = np.arctan2(np.linalg.norm(np.cross(gradient, goal), axis=1), np.sum(gradient * goal, axis=1))
    return np.where(np.isfinite(out), out, np.pi)


def grid_points(outline: ArrayLike, spacing: float) -> NDArray[np.float64]:
    """Return the points of a square grid inside a convex polygon.

    Args:
        outline: (n, 2) corners, counter-clockwise [m].
        spacing: distance of the grid's lines [m].

    Returns:
        (m, 2) every node in or on the polygon, the first at its lower left bound [m].

    Raises:
        InputError: a wrong shape, spacing <= 0, or no node inside.
    """
    corners = finite_array("outline", outline, (None, 2), largest=FARTHEST)
    step = positive("spacing", spacing)
    if not len(corners):
        raise InputError("outline", corners, "holds no corner")
    low, high = corners.min(axis=0), corners.max(axis=0)
    if not (high - low).max() <= 1e3 * step:
        raise InputError("spacing", step, "makes a grid of more than a thousand lines", "pass a wider one")
    axes = [np.arange(np.floor((high[k] - low[k]) / step + 1e-9) + 1) * step + low[k] for k in range(2)]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    edges = np.roll(corners, -1, axis=0) - corners
    away = nodes[:, None, :] - corners[None]
    left = edges[None, :, 0] * away[:, :, 1] - edges[None, :, 1] * away[:, :, 0]
    inside = np.all(left >= -1e-9 * step * np.linalg.norm(edges, axis=1), axis=1)
    if not np.any(inside):
        raise InputError("spacing", step, "leaves no node inside the outline")
    return nodes[inside]


def pressure_grid(loads: ArrayLike, twists: ArrayLike, points: ArrayLike, *, length: float = 1.0) -> SupportPoints:
    """Estimate nonnegative friction limits on a grid from loads and twists (Yoshikawa and Kurisu; Lynch 1993).

    At a twist every grid point pushes the surface along its velocity, so the load is linear in the points' friction limits;
    nonnegative least squares in primed loads finds them.

    Args:
        loads: (N, 3) rows (f_x, f_y, tau) [N, N, N m].
        twists: (N, 3) rows (v_x, v_y, omega) [m/s, m/s, rad/s].
        points: (m, 2) grid relative to the centre of mass [m].
        length: characteristic length rho [m].

    Returns:
        The support made of the grid points with a positive limit; its friction coefficient is 1, so pressures are limits [N].

    Raises:
        InputError: as in `fit`, or a wrong shape of points.
        ConvergenceError: no grid point carries anything.
    """
    from scipy.optimize import nnls

    rho = moderate("length", length)
    forces, directions = prepare("", loads, twists, rho)
    grid = finite_array("points", points, (None, 2), largest=MODERATE)
    if not len(grid):
        raise InputError("points", grid, "holds no point")
    motion = directions / (1.0, 1.0, rho)
    v = np.stack(
        [motion[:, None, 0] - motion[:, None, 2] * grid[:, 1], motion[:, None, 1] + motion[:, None, 2] * grid[:, 0]], axis=-1
    )
    speed = np.linalg.norm(v, axis=2, keepdims=True)
    unit = np.divide(v, speed, out=np.zeros_like(v), where=speed > 1e-12)  # a point that stands still may push anywhere
    moment = (grid[:, 0] * unit[:, :, 1] - grid[:, 1] * unit[:, :, 0]) / rho
    matrix = np.concatenate([unit, moment[:, :, None]], axis=2).transpose(0, 2, 1).reshape(-1, len(grid))
    limits, _ = nnls(matrix, forces.ravel())
    kept = limits > 1e-9 * max(float(np.max(limits)), np.finfo(float).tiny)
    if not np.any(kept):
        raise ConvergenceError("no grid point carries anything: check the signs and frames of loads and points")
    return SupportPoints(grid[kept], limits[kept], 1.0, length=rho)
