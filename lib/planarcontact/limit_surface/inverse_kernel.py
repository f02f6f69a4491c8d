"""The fast pass of load from twist, compiled: Newton's method on H(F) - V . F, one row after the other."""

import numba
import numpy as np
from numpy.typing import NDArray

__all__ = ["newton_row", "newton_rows"]

_SMALL = 1e-13


@numba.njit(cache=True, error_model="numpy")
def _derivatives(a, exponents, degree, x, gradient, hessian):  # type: ignore[no-untyped-def]
    """Fill gradient (3,) and hessian (6: xx, xy, xz, yy, yz, zz) of the form at x; return its value."""
    power = np.ones((3, degree + 1))
    for axis in range(3):
        for k in range(1, degree + 1):
            power[axis, k] = power[axis, k - 1] * x[axis]
    gradient[:] = 0.0
    hessian[:] = 0.0
    value = 0.0
    for n in range(len(a)):
        i, j, k = exponents[n, 0], exponents[n, 1], exponents[n, 2]
        c, px, py, pz = a[n], power[0, i], power[1, j], power[2, k]
        value += c * px * py * pz
        if i > 0:
            dx = i * power[0, i - 1]
            gradient[0] += c * dx * py * pz
            if i > 1:
                hessian[0] += c * i * (i - 1) * power[0, i - 2] * py * pz
            if j > 0:
                hessian[1] += c * dx * j * power[1, j - 1] * pz
            if k > 0:
                hessian[2] += c * dx * py * k * power[2, k - 1]
        if j > 0:
            dy = j * power[1, j - 1]
            gradient[1] += c * px * dy * pz
            if j > 1:
                hessian[3] += c * px * j * (j - 1) * power[1, j - 2] * pz
            if k > 0:
                hessian[4] += c * px * dy * k * power[2, k - 1]
        if k > 0:
            gradient[2] += c * px * py * k * power[2, k - 1]
            if k > 1:
                hessian[5] += c * px * py * k * (k - 1) * power[2, k - 2]
    return value


@numba.njit(cache=True, error_model="numpy")
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


@numba.njit(cache=True, error_model="numpy")
def newton_rows(
    a: NDArray[np.float64],
    exponents: NDArray[np.int64],
    degree: int,
    start: NDArray[np.float64],
    directions: NDArray[np.float64],
    iterations: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Return points (N, 3) on H = 1, the angles (N,) between their normals and the directions, and iteration counts (N,).

    start (3, 3) turns a direction into a first load, that of an ellipsoid. Every iterate is rescaled along its ray to the
    minimum there, t^(d-1) = V . F / (d H(F)), which is where grad H . F = V . F; a step is halved until it descends.
    """
    count = len(directions)
    points = np.empty((count, 3))
    residual = np.empty(count)
    used = np.zeros(count, np.int64)
    g, h, d, y = np.empty(3), np.empty(6), np.empty(3), np.empty(3)
    for row in range(count):
        v, x = directions[row], points[row]
        for i in range(3):
            x[i] = start[i, 0] * v[0] + start[i, 1] * v[1] + start[i, 2] * v[2]
        residual[row], used[row] = newton_row(a, exponents, degree, v, iterations, x, g, h, d, y)
    return points, residual, used


@numba.njit(cache=True, error_model="numpy")
def newton_row(a, exponents, degree, v, iterations, x, g, h, d, y):  # type: ignore[no-untyped-def]
    """Move x from a first load to the load on H = 1 whose normal is v; return their angle and the iterations; g, h, d, y are scratch."""
    used, known = 0, False
    value = _derivatives(a, exponents, degree, x, g, h)
    best = np.inf
    for it in range(iterations):
        work = x[0] * v[0] + x[1] * v[1] + x[2] * v[2]
        if not (value > 0.0 and work > 0.0):
            break
        t = (work / (degree * value)) ** (1.0 / (degree - 1))
        t1 = t ** (degree - 1)
        t2 = t1 / t
        for i in range(3):
            x[i] *= t
            g[i] = g[i] * t1 - v[i]
        for i in range(6):
            h[i] *= t2
        value *= t1 * t
        size = np.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
        if size <= 2e-14 or (size <= 1e-11 and size >= 0.5 * best):
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
            value = _derivatives(a, exponents, degree, y, g, h)
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
        value = _derivatives(a, exponents, degree, x, g, h)
    c0 = g[1] * v[2] - g[2] * v[1]
    c1 = g[2] * v[0] - g[0] * v[2]
    c2 = g[0] * v[1] - g[1] * v[0]
    residual = np.arctan2(np.sqrt(c0 * c0 + c1 * c1 + c2 * c2), g[0] * v[0] + g[1] * v[1] + g[2] * v[2])
    scale = value ** (-1.0 / degree) if value > 0.0 else np.nan
    for i in range(3):
        x[i] *= scale
    return residual, used
