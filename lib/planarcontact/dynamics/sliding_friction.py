"""Friction of one step of the planar quadratic model."""

import math

import numpy as np

from .jit import njit
from .small import solve

__all__ = ["friction", "turned_products"]

FOLLOWED = 20  # times the cap of one solver: what all steps along mu together may take
CONVERGED, ITERATION_LIMIT, STALLED, NOT_FINITE = 0, 1, 2, 3  # as in Status, whose members numba cannot read


@njit
def turned_products(k, omega):
    """Products of inertia J_nt, J_no in the contact frame after a step with yaw rate `omega`, and their rate of turn."""
    if k[16] == 0.0:
        return k[13], k[14], 0.0
    half = 0.5 * k[15] * omega
    c, s = (1.0 - half * half) / (1.0 + half * half), 2.0 * half / (1.0 + half * half)
    return c * k[13] - s * k[14], s * k[13] + c * k[14], k[15] / (1.0 + half * half)


@njit
def equations(z, k, residual, jacobian):
    """Fill the residual (5,) of the quadratic equations at z = (y_t, y_o, y_r, sigma, omega), and their Jacobian.

    The friction impulse is p = mu p_n e y; sigma is the document's divided by mu p_n e. `k` holds
    (0 mu p_n, 1:4 e, 4 mass, 5 height, 6 p_n, 7:9 v_t v_o without friction, 9 J_nn, 10 moment impulse about n without
    friction, 11:13 the part of p_n (r_t, r_o) that neither friction nor the yaw rate changes, 13:15 the products
    of inertia J_nt, J_no, 15 step, 16 whether these products turn with the body).
    """
    y_t, y_o, y_r, sigma, omega = z[0], z[1], z[2], z[3], z[4]
    limit, e_t, e_o, e_r, mass, height, p_n = k[0], k[1], k[2], k[3], k[4], k[5], k[6]
    p_t, p_o, p_r = limit * e_t * y_t, limit * e_o * y_o, limit * e_r * y_r
    # Angular momentum about t and o that a yaw rate brings with it moves the ECP.
    j_t, j_o, turning = turned_products(k, omega)
    c_t, c_o = k[11] - j_o * omega, k[12] + j_t * omega
    dc_t, dc_o = -j_o - j_t * turning * omega, j_t - j_o * turning * omega
    r_t, r_o = (c_t - height * p_t) / p_n, (c_o - height * p_o) / p_n
    residual[0] = e_t * (k[7] + p_t / mass - omega * r_o) + sigma * y_t
    residual[1] = e_o * (k[8] + p_o / mass + omega * r_t) + sigma * y_o
    residual[2] = e_r * omega + sigma * y_r
    residual[3] = 0.5 * (1.0 - y_t * y_t - y_o * y_o - y_r * y_r)
    residual[4] = k[9] * omega - k[10] - p_r - (c_t * p_o - c_o * p_t) / p_n
    jacobian[:] = 0.0
    jacobian[0, 0] = e_t * limit * e_t / mass + sigma
    jacobian[0, 1] = e_t * omega * height * limit * e_o / p_n
    jacobian[0, 3] = y_t
    jacobian[0, 4] = -e_t * (r_o + omega * dc_o / p_n)
    jacobian[1, 0] = -e_o * omega * height * limit * e_t / p_n
    jacobian[1, 1] = e_o * limit * e_o / mass + sigma
    jacobian[1, 3] = y_o
    jacobian[1, 4] = e_o * (r_t + omega * dc_t / p_n)
    jacobian[2, 2], jacobian[2, 3], jacobian[2, 4] = sigma, y_r, e_r
    jacobian[3, 0], jacobian[3, 1], jacobian[3, 2] = -y_t, -y_o, -y_r
    jacobian[4, 0] = c_o * limit * e_t / p_n
    jacobian[4, 1] = -c_t * limit * e_o / p_n
    jacobian[4, 2] = -limit * e_r
    jacobian[4, 4] = k[9] - (dc_t * p_o - dc_o * p_t) / p_n


@njit
def secular(k, r_t, r_o, z):
    """Start z (5,) for sliding: the exact solution if the ECP stayed at (r_t, r_o).

    With the ECP held the contact velocity is affine in y, with a symmetric matrix A: (A + sigma 1) y = -b, |y| = 1
    is the secular equation of a trust region, on which Newton's method for 1/|y| rises monotonically.
    """
    spin = k[10] / k[9]
    w = np.zeros((3, 3))
    w[0, 0], w[0, 2], w[1, 1], w[1, 2], w[2, 2] = k[1], -k[1] * r_o, k[2], k[2] * r_t, k[3]
    inverse = (1.0 / k[4], 1.0 / k[4], 1.0 / k[9])
    a = np.zeros((3, 3))
    b = np.empty(3)
    for i in range(3):
        b[i] = -(w[i, 0] * k[7] + w[i, 1] * k[8] + w[i, 2] * spin)
        for j in range(3):
            for m in range(3):
                a[i, j] += k[0] * w[i, m] * inverse[m] * w[j, m]
    sigma = 0.0
    y, x = np.empty(3), np.empty(3)
    length = 1.0
    for _ in range(30):
        for right, left in ((b, y), (y, x)):
            shifted = a.copy()
            for i in range(3):
                shifted[i, i] += sigma
                left[i] = right[i]
            solve(shifted, left, 3)
        square = y[0] * y[0] + y[1] * y[1] + y[2] * y[2]
        length = math.sqrt(square)
        slope = y[0] * x[0] + y[1] * x[1] + y[2] * x[2]
        change = (length - 1.0) * square / slope if slope > 0.0 else 0.0
        if sigma + change <= 0.0 or abs(change) <= 1e-14 * sigma:
            break
        sigma += change
    for i in range(3):
        z[i] = y[i] / length
    z[3] = sigma
    z[4] = spin + k[0] * (z[2] * k[3] + r_t * z[1] * k[2] - r_o * z[0] * k[1]) / k[9]


@njit
def norm_of(residual, unit):
    """Largest entry of a residual, each divided by its unit; infinite if it is not a number."""
    largest = 0.0
    for i in range(5):
        size = abs(residual[i]) / unit[i]
        if not size <= largest:
            largest = size if size > largest else math.inf
    return largest


@njit
def slide(k, unit, z, max_iterations, tolerance):
    """Improve z by damped Newton steps on the quadratic equations; return the residual's norm and the iterations."""
    jacobian, next_jacobian = np.empty((5, 5)), np.empty((5, 5))
    residual, next_residual, trial = np.empty(5), np.empty(5), np.empty(5)
    equations(z, k, residual, jacobian)
    size = norm_of(residual, unit)
    count = 0
    while count < max_iterations and size > 0.0:
        count += 1
        if not solve(jacobian, residual, 5):
            break
        damping = 1.0
        while True:
            for i in range(5):
                trial[i] = z[i] - damping * residual[i]
            equations(trial, k, next_residual, next_jacobian)
            next_size = norm_of(next_residual, unit)
            if next_size < size or size <= tolerance or damping < 1e-6:
                break
            damping *= 0.5
        if not next_size < size:  # rounding has been reached, or no descent is left
            break
        size = next_size
        z[:], residual[:], jacobian[:] = trial, next_residual, next_jacobian
    return size, count


@njit
def follow(k, unit, z, max_iterations, tolerance):
    """Solve by raising mu from nought, where the body slides freely, in steps that Newton's method can follow.

    Return the residual's norm, infinite unless the whole of mu is reached, and the iterations, of which all steps
    together take no more than FOLLOWED times the cap.
    """
    part = k.copy()
    z[0], z[1], z[2] = -k[1] * k[7], -k[2] * k[8], -k[3] * k[10] / k[9]
    z[3] = math.sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2])
    for i in range(3):
        z[i] /= z[3]
    z[4] = k[10] / k[9]
    reached, stride, size, total = 0.0, 0.25, math.inf, 0
    most = FOLLOWED * max_iterations
    while reached < 1.0 and stride > 1e-6 and total < most:
        share = min(1.0, reached + stride)
        part[0] = share * k[0]
        trial = z.copy()
        size, count = slide(part, unit, trial, min(max_iterations, most - total), tolerance)
        total += count
        if size <= tolerance and trial[3] > 0.0:
            z[:] = trial
            reached, stride = share, 2.0 * stride
        else:
            stride *= 0.5
    return size if reached == 1.0 else math.inf, total


@njit
def friction(k, unit, arm, z, max_iterations, tolerance):
    """Fill z = (y, sigma, yaw rate) of a step; return residual, iterations, status. `arm` is the last step's ECP.

    A step that fails holds its best iterate, or is NOT_FINITE if there is none.
    """
    limit, height, p_n = k[0], k[5], k[6]
    z[:] = 0.0
    for number in k:
        if not abs(number) < math.inf:
            return math.inf, 0, NOT_FINITE
    if limit == 0.0:
        z[3], z[4] = math.inf, k[10] / k[9]
        return 0.0, 0, CONVERGED
    # Sticking is the impulse that stops the body; at rest the ECP's offsets follow from it.
    p_t, p_o = -k[4] * k[7], -k[4] * k[8]
    p_r = -k[10] - (k[11] * p_o - k[12] * p_t) / p_n
    z[0], z[1], z[2] = p_t / (k[1] * limit), p_o / (k[2] * limit), p_r / (k[3] * limit)
    if z[0] * z[0] + z[1] * z[1] + z[2] * z[2] <= 1.0:
        return 0.0, 0, CONVERGED
    # The secular equation with the ECP of the step before, then with the ECP that its own solution asks for; last
    # along mu. Its start at mu = 0 needs numbers whose squares are finite, as do all that follow.
    total, capped, best = 0, False, z.copy()
    least = math.inf
    r_t, r_o = arm[0], arm[1]
    for attempt in range(3):
        if attempt < 2:
            secular(k, r_t, r_o, z)
            r_t, r_o = (k[11] - height * limit * k[1] * z[0]) / p_n, (k[12] - height * limit * k[2] * z[1]) / p_n
            size, count = slide(k, unit, z, max_iterations, tolerance)
        else:
            size, count = follow(k, unit, z, max_iterations, tolerance)
        total += count
        capped = capped or count >= max_iterations
        if size < least and z[3] > 0.0:
            least = size
            best[:] = z
        if least <= tolerance:
            break
    z[:] = best
    if not least < math.inf:
        return math.inf, total, NOT_FINITE
    return least, total, CONVERGED if least <= tolerance else (ITERATION_LIMIT if capped else STALLED)
