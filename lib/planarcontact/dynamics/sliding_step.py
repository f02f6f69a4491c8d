"""One step of the planar quadratic model, and the march over all steps."""

import math

import numpy as np
from numpy.typing import NDArray

from .jit import entry, njit

__all__ = ["march"]

CONVERGED, ITERATION_LIMIT, STALLED = 0, 1, 2  # as in Status, whose members numba cannot read


@njit
def turned_inertia(inertia, angle):
    """Inertia (3, 3) in the axes n, t, o after the body has turned by `angle` [rad] about n."""
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    return turn @ inertia @ turn.T


@njit
def equations(z, k, jacobian):
    """Residual (5,) of the quadratic equations at z = (y_t, y_o, y_r, sigma, omega); fills their Jacobian.

    The friction impulse is p = mu p_n e y; sigma is the document's divided by mu p_n e. `k` holds
    (0 mu p_n, 1:4 e, 4 mass, 5 height, 6 p_n, 7:9 v_t v_o without friction, 9 J_nn, 10 moment impulse about n without
    friction, 11:13 the part of p_n (r_t, r_o) that neither friction nor the yaw rate changes, 13:15 the products
    of inertia J_nt, J_no, 15 step, 16 whether these products turn with the body).
    """
    y_t, y_o, y_r, sigma, omega = z
    limit, e_t, e_o, e_r, mass, height, p_n = k[0], k[1], k[2], k[3], k[4], k[5], k[6]
    p_t, p_o, p_r = limit * e_t * y_t, limit * e_o * y_o, limit * e_r * y_r
    v_t, v_o = k[7] + p_t / mass, k[8] + p_o / mass
    # Angular momentum about t and o that a yaw rate brings with it, and its derivative.
    angle = 2.0 * math.atan(0.5 * k[15] * omega) if k[16] > 0.0 else 0.0
    turning = k[15] / (1.0 + (0.5 * k[15] * omega) ** 2) if k[16] > 0.0 else 0.0
    c, s = math.cos(angle), math.sin(angle)
    j_t, j_o = c * k[13] - s * k[14], s * k[13] + c * k[14]
    c_t, c_o = k[11] - j_o * omega, k[12] + j_t * omega
    dc_t, dc_o = -j_o - j_t * turning * omega, j_t - j_o * turning * omega
    r_t, r_o = (c_t - height * p_t) / p_n, (c_o - height * p_o) / p_n
    residual = np.array(
        [
            e_t * (v_t - omega * r_o) + sigma * y_t,
            e_o * (v_o + omega * r_t) + sigma * y_o,
            e_r * omega + sigma * y_r,
            0.5 * (1.0 - y_t * y_t - y_o * y_o - y_r * y_r),
            k[9] * omega - k[10] - p_r - (c_t * p_o - c_o * p_t) / p_n,
        ]
    )
    jacobian[:] = 0.0
    jacobian[0, 0] = e_t * limit * e_t / mass + sigma
    jacobian[0, 1] = e_t * omega * height * limit * e_o / p_n
    jacobian[0, 3] = y_t
    jacobian[0, 4] = -e_t * (r_o + omega * dc_o / p_n)
    jacobian[1, 0] = -e_o * omega * height * limit * e_t / p_n
    jacobian[1, 1] = e_o * limit * e_o / mass + sigma
    jacobian[1, 3] = y_o
    jacobian[1, 4] = e_o * (r_t + omega * dc_t / p_n)
    jacobian[2, 2] = sigma
    jacobian[2, 3] = y_r
    jacobian[2, 4] = e_r
    jacobian[3, 0], jacobian[3, 1], jacobian[3, 2] = -y_t, -y_o, -y_r
    jacobian[4, 0] = c_o * limit * e_t / p_n
    jacobian[4, 1] = -c_t * limit * e_o / p_n
    jacobian[4, 2] = -limit * e_r
    jacobian[4, 4] = k[9] - (dc_t * p_o - dc_o * p_t) / p_n
    return residual


@njit
def secular(k, r_t, r_o):
    """Start (5,) for sliding: the exact solution if the ECP stayed at (r_t, r_o).

    With the ECP held the contact velocity is affine in y, with a symmetric matrix A: (A + sigma 1) y = -b, |y| = 1
    is the secular equation of a trust region, on which Newton's method for 1/|y| rises monotonically.
    """
    e_t, e_o, e_r = k[1], k[2], k[3]
    w = np.array([[e_t, 0.0, -e_t * r_o], [0.0, e_o, e_o * r_t], [0.0, 0.0, e_r]])
    free = np.array([k[7], k[8], k[10] / k[9]])
    b = w @ free
    scaled = np.empty((3, 3))
    for i in range(3):
        scaled[i] = w[i] / np.array([k[4], k[4], k[9]])
    a = k[0] * (scaled @ w.T)
    sigma = 0.0
    y = np.zeros(3)
    for _ in range(30):
        shifted = a + sigma * np.eye(3)
        y = -np.linalg.solve(shifted, b)
        length = math.sqrt(y @ y)
        slope = y @ np.linalg.solve(shifted, y)
        change = (length - 1.0) * length * length / slope if slope > 0.0 else 0.0
        if sigma + change <= 0.0 or abs(change) <= 1e-14 * sigma:
            break
        sigma += change
    y /= max(math.sqrt(y @ y), 1e-300)
    omega = free[2] + k[0] * (y[2] * e_r + r_t * y[1] * e_o - r_o * y[0] * e_t) / k[9]
    return np.array([y[0], y[1], y[2], sigma, omega])


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
def slide(k, unit, start, max_iterations, tolerance):
    """Solve the quadratic equations by damped Newton steps; return z, the residual's norm and the iterations."""
    z = start.copy()
    jacobian = np.zeros((5, 5))
    residual = equations(z, k, jacobian)
    size = norm_of(residual, unit)
    count = 0
    while count < max_iterations and size > 0.0:
        count += 1
        step = np.linalg.solve(jacobian, residual)
        damping = 1.0
        trial = z - step
        trial_residual = equations(trial, k, jacobian)
        trial_size = norm_of(trial_residual, unit)
        while not trial_size < size and size > tolerance and damping > 1e-6:
            damping *= 0.5
            trial = z - damping * step
            trial_residual = equations(trial, k, jacobian)
            trial_size = norm_of(trial_residual, unit)
        if not trial_size < size:  # rounding has been reached, or no descent is left
            break
        z, residual, size = trial, trial_residual, trial_size
    return z, size, count


@njit
def friction(k, unit, arm, max_iterations, tolerance):
    """Return y, yaw rate, residual, iterations and status of one step; `arm` is the ECP of the step before."""
    limit, height, p_n = k[0], k[5], k[6]
    if limit == 0.0:
        return np.zeros(3), k[10] / k[9], 0.0, 0, CONVERGED
    # Sticking is the impulse that stops the body; at rest the ECP's offsets follow from it.
    p_t, p_o = -k[4] * k[7], -k[4] * k[8]
    p_r = -k[10] - (k[11] * p_o - k[12] * p_t) / p_n
    y = np.array([p_t / k[1], p_o / k[2], p_r / k[3]]) / limit
    if y @ y <= 1.0:
        return y, 0.0, 0.0, 0, CONVERGED
    best = math.inf
    result = np.zeros(5)
    total = 0
    r_t, r_o = arm[0], arm[1]
    for _ in range(5):
        start = secular(k, r_t, r_o)
        z, size, count = slide(k, unit, start, max_iterations - total, tolerance)
        total += count
        if size < best and z[3] >= 0.0:
            best, result = size, z
        if best <= tolerance or total >= max_iterations:
            break
        # The secular equation again, from the ECP that its own solution asks for.
        r_t, r_o = (k[11] - height * limit * k[1] * start[0]) / p_n, (k[12] - height * limit * k[2] * start[1]) / p_n
    status = CONVERGED if best <= tolerance else (ITERATION_LIMIT if total >= max_iterations else STALLED)
    return result[:3].copy(), result[4], best, total, status


def march(
    h: float,
    mass: float,
    inertia: NDArray[np.float64],
    frame: NDArray[np.float64],
    height: float,
    mu: float,
    axes: NDArray[np.float64],
    position: NDArray[np.float64],
    orientation: NDArray[np.float64],
    velocity: NDArray[np.float64],
    normal: NDArray[np.float64],
    loads: NDArray[np.float64],
    momentum: bool,
    radius: float,
    speed: float,
    max_iterations: int,
    tolerance: float,
) -> tuple[NDArray, ...]:
    """Take all steps; see `sliding.run`. Returns states, the ECP's offset from the COM along t and o, and the rest."""
    return _march(
        h, mass, np.array(inertia), np.array(frame), height, mu, axes, position, orientation, velocity, normal, loads,
        momentum, radius, speed, max_iterations, tolerance,
    )  # fmt: skip


@entry
def _march(
    h, mass, inertia, frame, height, mu, axes, position, orientation, velocity, normal, loads, momentum, radius, speed,
    max_iterations, tolerance,
):  # fmt: skip
    steps = len(normal)
    x, q, v = np.empty((steps + 1, 3)), np.empty((steps + 1, 4)), np.empty((steps + 1, 6))
    arm, impulse, residual = np.empty((steps, 2)), np.empty((steps, 4)), np.empty(steps)
    iterations, status = np.empty(steps, np.int64), np.empty(steps, np.int64)
    x[0], q[0], v[0] = position, orientation, velocity
    n, t, o = frame[0], frame[1], frame[2]
    k = np.zeros(17)
    k[1:4], k[4], k[5], k[15], k[16] = axes, mass, height, h, 1.0 if momentum else 0.0
    previous = np.zeros(2)
    for i in range(steps):
        w0, w1, w2, w3 = q[i]
        turn = np.array(
            [
                [1 - 2 * (w2 * w2 + w3 * w3), 2 * (w1 * w2 - w0 * w3), 2 * (w1 * w3 + w0 * w2)],
                [2 * (w1 * w2 + w0 * w3), 1 - 2 * (w1 * w1 + w3 * w3), 2 * (w2 * w3 - w0 * w1)],
                [2 * (w1 * w3 - w0 * w2), 2 * (w2 * w3 + w0 * w1), 1 - 2 * (w1 * w1 + w2 * w2)],
            ]
        )
        local = frame @ turn
        j = local @ inertia @ local.T
        omega = n @ v[i, 3:]
        force, moment = frame @ loads[i, :3], frame @ loads[i, 3:]
        k[0], k[6] = mu * normal[i], normal[i]
        k[7], k[8] = t @ v[i, :3] + h * force[1] / mass, o @ v[i, :3] + h * force[2] / mass
        k[9], k[10] = j[0, 0], j[0, 0] * omega + h * moment[0]
        # Balance of moments: p_n r_o = (L_t)+ - L_t - h m_t - height p_o, p_n r_t = -((L_o)+ - L_o) + h m_o - height p_t.
        gyro_t = 0.0 if momentum else -h * omega * omega * j[2, 0]
        gyro_o = 0.0 if momentum else h * omega * omega * j[1, 0]
        k[11], k[12] = j[2, 0] * omega - gyro_o + h * moment[2], -j[1, 0] * omega + gyro_t - h * moment[1]
        k[13], k[14] = j[1, 0], j[2, 0]
        unit = np.array([speed, speed, speed, 1.0, mass * radius * speed])
        y, spin, residual[i], iterations[i], status[i] = friction(k, unit, previous, max_iterations, tolerance)
        p_t, p_o, p_r = k[0] * axes[0] * y[0], k[0] * axes[1] * y[1], k[0] * axes[2] * y[2]
        impulse[i] = np.array([normal[i], p_t, p_o, p_r])
        angle = 2.0 * math.atan(0.5 * h * spin) if momentum else 0.0
        along = turned_inertia(j, angle)
        arm[i, 0] = (k[11] - along[2, 0] * spin - height * p_t) / normal[i]
        arm[i, 1] = (k[12] + along[1, 0] * spin - height * p_o) / normal[i]
        previous = arm[i]
        stuck = iterations[i] == 0 and spin == 0.0 and mu > 0.0
        v_t = 0.0 if stuck else k[7] + p_t / mass
        v_o = 0.0 if stuck else k[8] + p_o / mass
        v[i + 1, :3] = v_t * t + v_o * o
        v[i + 1, 3:] = spin * n
        x[i + 1] = x[i] + h * v[i + 1, :3]
        half = 0.5 * h * v[i + 1, 3:]
        new = np.array(
            [
                w0 - half[0] * w1 - half[1] * w2 - half[2] * w3,
                w1 + half[0] * w0 + half[1] * w3 - half[2] * w2,
                w2 - half[0] * w3 + half[1] * w0 + half[2] * w1,
                w3 + half[0] * w2 - half[1] * w1 + half[2] * w0,
            ]
        )
        q[i + 1] = new / math.sqrt(new @ new)
    return x, q, v, arm, impulse, residual, iterations, status
