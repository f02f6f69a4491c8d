"""The march of the planar quadratic model over all steps."""

import numpy as np

from .jit import entry
from .sliding_friction import NOT_FINITE, friction, turned_products
from .small import dot, matvec, rotation, turn

__all__ = ["march"]


@entry
def march(
    h, mass, inertia, frame, height, mu, axes, position, orientation, velocity, normal, loads, momentum, radius, speed,
    max_iterations, tolerance,
):  # fmt: skip
    """Take all steps of `sliding.run`: states, the ECP's offset from the COM along t and o, impulses, and the rest."""
    steps = len(normal)
    x, q, v = np.empty((steps + 1, 3)), np.empty((steps + 1, 4)), np.empty((steps + 1, 6))
    arm, impulse, residual = np.zeros((steps, 2)), np.empty((steps, 4)), np.empty(steps)
    iterations, status = np.empty(steps, np.int64), np.empty(steps, np.int64)
    x[0], q[0], v[0] = position, orientation, velocity
    n, t, o = frame[0], frame[1], frame[2]
    k, z, unit = np.zeros(17), np.zeros(5), np.array([speed, speed, speed, 1.0, mass * radius * speed])
    k[1:4], k[4], k[5], k[15], k[16] = axes, mass, height, h, 1.0 if momentum else 0.0
    rotated, moved, previous = np.empty((3, 3)), np.empty(3), np.zeros(2)
    for i in range(steps):
        # Column n of the inertia in the contact frame: (J_nn, J_nt, J_no).
        rotation(q[i], rotated)
        local_n = (
            dot(n, rotated[:, 0]),
            dot(n, rotated[:, 1]),
            dot(n, rotated[:, 2]),
        )
        matvec(inertia, local_n, moved)
        world = rotated[:, 0] * moved[0] + rotated[:, 1] * moved[1] + rotated[:, 2] * moved[2]
        j_nn, k[13], k[14] = dot(n, world), dot(t, world), dot(o, world)
        omega = dot(n, v[i, 3:])
        k[0], k[6] = mu * normal[i], normal[i]
        k[7] = dot(t, v[i, :3]) + h * dot(t, loads[i, :3]) / mass
        k[8] = dot(o, v[i, :3]) + h * dot(o, loads[i, :3]) / mass
        k[9], k[10] = j_nn, j_nn * omega + h * dot(n, loads[i, 3:])
        # Balance of moments about o: p_n r_t = -(change of L_o) + h m_o - height p_t,
        # and about t: p_n r_o = (change of L_t) - h m_t - height p_o.
        turning = 0.0 if momentum else h * omega * omega
        k[11] = k[14] * omega - turning * k[13] + h * dot(o, loads[i, 3:])
        k[12] = -k[13] * omega - turning * k[14] - h * dot(t, loads[i, 3:])
        residual[i], iterations[i], status[i] = friction(k, unit, previous, z, max_iterations, tolerance)
        if status[i] == NOT_FINITE:  # hold the state
            x[i + 1], q[i + 1], v[i + 1], impulse[i], arm[i] = x[i], q[i], v[i], 0.0, previous
            continue
        spin = z[4]
        for j in range(3):
            impulse[i, j + 1] = k[0] * axes[j] * z[j]
        impulse[i, 0] = normal[i]
        j_t, j_o, _ = turned_products(k, spin)
        arm[i, 0] = (k[11] - j_o * spin - height * impulse[i, 1]) / normal[i]
        arm[i, 1] = (k[12] + j_t * spin - height * impulse[i, 2]) / normal[i]
        previous[:] = arm[i]
        slides = 0.0 if z[3] == 0.0 else 1.0  # sticking is exact rest
        v_t, v_o = slides * (k[7] + impulse[i, 1] / mass), slides * (k[8] + impulse[i, 2] / mass)
        for j in range(3):
            v[i + 1, j], v[i + 1, 3 + j] = v_t * t[j] + v_o * o[j], spin * n[j]
            x[i + 1, j] = x[i, j] + h * v[i + 1, j]
        turn(q[i], v[i + 1, 3:], h, q[i + 1])
    return x, q, v, arm, impulse, residual, iterations, status
