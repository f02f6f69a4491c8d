"""The fast pass of load from twist, compiled: Newton's method on H(F) - V . F, one row after the other."""

import numpy as np
from numpy.typing import NDArray

from .jit import entry, njit

__all__ = ["newton_row", "newton_rows"]

_SMALL = 1e-13


@njit
def _derivatives(second, exponents, degree, x, power, gradient, hessian):  # type: ignore[no-untyped-def]
    """Fill gradient (3,) and hessian (6: xx, xy, xz, yy, yz, zz) of the form at x; return its value.

    second (6, n) holds the second derivatives as forms of degree d - 2 in the monomials of `exponents` (n, 3); gradient and
    value follow by Euler's relations, grad H = Hessian x / (d - 1) and H = grad H . x / d. power (3, d - 1) is scratch.
    """
    for axis in range(3):
        power[axis, 0] = 1.0
        for k in range(1, degree - 1):
            power[axis, k] = power[axis, k - 1] * x[axis]
    h0 = h1 = h2 = h3 = h4 = h5 = 0.0
    for n in range(len(exponents)):
        m = power[0, exponents[n, 0]] * power[1, exponents[n, 1]] * power[2, exponents[n, 2]]
        h0 += second[0, n] * m
        h1 += second[1, n] * m
        h2 += second[2, n] * m
        h3 += second[3, n] * m
        h4 += second[4, n] * m
        h5 += second[5, n] * m
    hessian[0], hessian[1], hessian[2], hessian[3], hessian[4], hessian[5] = h0, h1, h2, h3, h4, h5
    share = 1.0 / (degree - 1)
    gradient[0] = share * (h0 * x[0] + h1 * x[1] + h2 * x[2])
    gradient[1] = share * (h1 * x[0] + h3 * x[1] + h4 * x[2])
    gradient[2] = share * (h2 * x[0] + h4 * x[1] + h5 * x[2])
    return (gradient[0] * x[0] + gradient[1] * x[1] + gradient[2] * x[2]) / degree


@njit
def _step(hessian, gradient, out):  # type: ignore[no-untyped-def]
    """Solve hessian @ out = -gradient by a Cholesky factorisation whose pivots are kept positive; return the slope."""
    floor = 1e-300
    p0 = hessian[0] * (1.0 + _SMALL) + floor
    l10, l20 = hessian[1] / p0, hessian[2] / p0
    p1 = max(hessian[3] * (1.0 + _SMALL) - l10 * hessian[1], _SMALL * abs(hessian[3])) + floor
    q = hessian[4] - l10 * hessian[2]
    l21 = q / p1
    p2 = max(hessian[5] * (1.0 + _SMALL) - l20 * hessian[2] - l21 * q, _SMALL * abs(hessian[5])) + floor
    b0 = -gradient[0]
    b1 = -gradient[1] - l10 * b0
    b2 = -gradient[2] - l20 * b0 - l21 * b1
    out[2] = b2 / p2
    out[1] = b1 / p1 - l21 * out[2]
    out[0] = b0 / p0 - l10 * out[1] - l20 * out[2]
    return out[0] * gradient[0] + out[1] * gradient[1] + out[2] * gradient[2]


@entry
def newton_rows(
    second: NDArray[np.float64],
    exponents: NDArray[np.int64],
    degree: int,
    start: NDArray[np.float64],
    directions: NDArray[np.float64],
    iterations: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Return points (N, 3) on H = 1, the angles (N,) between their normals and the directions, and iteration counts (N,).

    second and exponents are the form's second derivatives, see `Monomials.second`. start (3, 3) turns a direction into a first load, that of an ellipsoid. Every iterate is rescaled along its ray to the
    minimum there, t^(d-1) = V . F / (d H(F)), which is where grad H . F = V . F; a step is halved until it descends.
    """
    count = len(directions)
    points = np.empty((count, 3))
    residual = np.empty(count)
    used = np.zeros(count, np.int64)
    scratch = (np.empty((3, degree - 1)), np.empty(3), np.empty(6), np.empty(3), np.empty(3))
    for row in range(count):
        v, x = directions[row], points[row]
        for i in range(3):
            x[i] = start[i, 0] * v[0] + start[i, 1] * v[1] + start[i, 2] * v[2]
        residual[row], used[row] = newton_row(second, exponents, degree, v, iterations, 2e-14, x, scratch)
    return points, residual, used


@njit
def newton_row(second, exponents, degree, v, iterations, enough, x, scratch):  # type: ignore[no-untyped-def]
    """Move x from a first load to the load on H = 1 whose normal is v, to the accuracy `enough`; return their angle and the iterations."""
    power, g, h, d, y = scratch
    used, known = 0, False
    value = _derivatives(second, exponents, degree, x, power, g, h)
    best = np.inf
    for it in range(iterations):
        work = x[0] * v[0] + x[1] * v[1] + x[2] * v[2]
        if not (value > 0.0 and work > 0.0):
            break
        t1 = work / (degree * value)
        t = t1 ** (1.0 / (degree - 1))
        t2 = t1 / t
        for i in range(3):
            x[i] *= t
            g[i] = g[i] * t1 - v[i]
        for i in range(6):
            h[i] *= t2
        value *= t1 * t
        size = np.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
        if size <= enough or (size <= 1e-11 and size >= 0.5 * best):
            known = True
            break
        best = min(best, size)
        slope = _step(h, g, d)
        if not slope < 0.0:
            break
        merit = value - (x[0] * v[0] + x[1] * v[1] + x[2] * v[2])
        length = 1.0
        for _ in range(30):
            for i in range(3):
                y[i] = x[i] + length * d[i]
            value = _derivatives(second, exponents, degree, y, power, g, h)
            trial = value - (y[0] * v[0] + y[1] * v[1] + y[2] * v[2])
            if trial <= merit + 1e-4 * length * slope + 1e-15 * abs(merit):
                break
            length *= 0.5
        for i in range(3):
            x[i] = y[i]
        used = it + 1
    if known:
        for i in range(3):
            g[i] += v[i]  # the gradient itself, at x as it stands
    else:
        value = _derivatives(second, exponents, degree, x, power, g, h)
    c0 = g[1] * v[2] - g[2] * v[1]
    c1 = g[2] * v[0] - g[0] * v[2]
    c2 = g[0] * v[1] - g[1] * v[0]
    residual = np.arctan2(np.sqrt(c0 * c0 + c1 * c1 + c2 * c2), g[0] * v[0] + g[1] * v[1] + g[2] * v[2])
    scale = value ** (-1.0 / degree) if value > 0.0 else np.nan
    for i in range(3):
        x[i] *= scale
    return residual, used
