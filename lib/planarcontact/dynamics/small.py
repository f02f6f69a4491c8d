"""Small dense algebra for compiled kernels, written out so that no BLAS takes part."""

import math

from .jit import njit

__all__ = ["cross", "dot", "matvec", "rotation", "solve", "turn"]


@njit
def dot(a, b):
    """Return a.b of three-vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit
def cross(a, b, out):
    """Write a x b into `out`."""
    x = a[1] * b[2] - a[2] * b[1]
    y = a[2] * b[0] - a[0] * b[2]
    z = a[0] * b[1] - a[1] * b[0]
    out[0], out[1], out[2] = x, y, z


@njit
def matvec(a, x, out):
    """Write a x into `out` (3,), which may not be x."""
    for i in range(3):
        out[i] = a[i, 0] * x[0] + a[i, 1] * x[1] + a[i, 2] * x[2]


@njit
def rotation(q, out):
    """Write the rotation (3, 3), body to world, of a unit quaternion w x y z into `out`."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    out[0, 0], out[0, 1], out[0, 2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)
    out[1, 0], out[1, 1], out[1, 2] = 2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)
    out[2, 0], out[2, 1], out[2, 2] = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)


@njit
def turn(q, omega, h, out):
    """Write normalise(q + h/2 (0, omega) q) into `out` (4,)."""
    a, b, c = 0.5 * h * omega[0], 0.5 * h * omega[1], 0.5 * h * omega[2]
    w = q[0] - a * q[1] - b * q[2] - c * q[3]
    x = q[1] + a * q[0] + b * q[3] - c * q[2]
    y = q[2] - a * q[3] + b * q[0] + c * q[1]
    z = q[3] + a * q[2] - b * q[1] + c * q[0]
    size = math.sqrt(w * w + x * x + y * y + z * z)
    out[0], out[1], out[2], out[3] = w / size, x / size, y / size, z / size


@njit
def solve(a, b, n):
    """Overwrite b (n,) with the solution of a x = b, and a with its elimination; false if a is singular."""
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[pivot, k]):
                pivot = i
        if not abs(a[pivot, k]) > 0.0:
            return False
        if pivot != k:
            for j in range(k, n):
                a[k, j], a[pivot, j] = a[pivot, j], a[k, j]
            b[k], b[pivot] = b[pivot], b[k]
        inverse = 1.0 / a[k, k]
        for i in range(k + 1, n):
            factor = a[i, k] * inverse
            if factor != 0.0:
                for j in range(k + 1, n):
                    a[i, j] -= factor * a[k, j]
                b[i] -= factor * b[k]
    for k in range(n - 1, -1, -1):
        total = b[k]
        for j in range(k + 1, n):
            total -= a[k, j] * b[j]
        b[k] = total / a[k, k]
    return True
