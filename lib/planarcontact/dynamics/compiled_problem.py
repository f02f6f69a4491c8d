"""The hull method's equations over a working set of generators, compiled: residual, Jacobian and measure."""

import math

from .compiled_state import (
    ARM, AXES, BALL, ECP, EXPLICIT, GAP, HEAD, INERTIA, MASS, MOMENT, MOMENTUM, MU, NO_IMPULSE, NORMAL, PUSH, RADIUS,
    SPEED, STEP, TANGENT, TURNED, TURNING, VELOCITY, WORLD_INERTIA, place, project_cone,
)  # fmt: skip
from .jit import njit

__all__ = ["evaluate"]


@njit
def momentum_rows(p, s, c, k, z, e, normal, d, m, f, jacobian):
    """Balance of moments (document 1, Eq. 6) by omega, w and y; `m` (4, 3, 3) is scratch, `d` the turn per omega."""
    mu, radius, unit = p[MU], p[RADIUS], p[MASS] * p[SPEED] * p[RADIUS]
    y = 3 + k
    inertia, half, matrix = m[0], m[1], m[2]
    if p[EXPLICIT] > 0.0:
        for i in range(3):
            for j in range(3):
                inertia[i, j] = s[WORLD_INERTIA + 3 * i + j]
    else:
        for i in range(3):
            for j in range(3):
                half[i, j] = (
                    e[TURNED + 3 * i] * p[INERTIA + j]
                    + e[TURNED + 3 * i + 1] * p[INERTIA + 3 + j]
                    + e[TURNED + 3 * i + 2] * p[INERTIA + 6 + j]
                )
        for i in range(3):
            for j in range(3):
                inertia[i, j] = (
                    half[i, 0] * e[TURNED + 3 * j] + half[i, 1] * e[TURNED + 3 * j + 1] + half[i, 2] * e[TURNED + 3 * j + 2]
                )
    u0, u1, u2 = e[PUSH], e[PUSH + 1], e[PUSH + 2]
    m0, m1, m2 = e[MOMENT], e[MOMENT + 1], e[MOMENT + 2]
    o0, o1, o2 = z[0], z[1], z[2]
    l0 = inertia[0, 0] * o0 + inertia[0, 1] * o1 + inertia[0, 2] * o2
    l1 = inertia[1, 0] * o0 + inertia[1, 1] * o1 + inertia[1, 2] * o2
    l2 = inertia[2, 0] * o0 + inertia[2, 1] * o1 + inertia[2, 2] * o2
    twist = mu * p[AXES + 2] * z[y + 2]
    f[0] = (l0 - s[MOMENTUM] - (m1 * u2 - m2 * u1) - normal * twist * p[NORMAL]) / unit
    f[1] = (l1 - s[MOMENTUM + 1] - (m2 * u0 - m0 * u2) - normal * twist * p[NORMAL + 1]) / unit
    f[2] = (l2 - s[MOMENTUM + 2] - (m0 * u1 - m1 * u0) - normal * twist * p[NORMAL + 2]) / unit
    # By omega, through the turn: inertia [omega]x - [inertia omega]x - [push]x [turning]x.
    along = u0 * e[TURNING] + u1 * e[TURNING + 1] + u2 * e[TURNING + 2]
    for i in range(3):
        for j in range(3):
            matrix[i, j] = (along if i == j else 0.0) - e[TURNING + i] * e[PUSH + j]
    if p[EXPLICIT] == 0.0:
        for i in range(3):
            matrix[i, 0] += inertia[i, 1] * o2 - inertia[i, 2] * o1
            matrix[i, 1] += inertia[i, 2] * o0 - inertia[i, 0] * o2
            matrix[i, 2] += inertia[i, 0] * o1 - inertia[i, 1] * o0
        matrix[0, 1] += l2
        matrix[1, 0] -= l2
        matrix[0, 2] -= l1
        matrix[2, 0] += l1
        matrix[1, 2] += l0
        matrix[2, 1] -= l0
    for i in range(3):
        for j in range(3):
            total = inertia[i, j] + matrix[i, 0] * d[0, j] + matrix[i, 1] * d[1, j] + matrix[i, 2] * d[2, j]
            jacobian[i, j] = total / (p[MASS] * radius * radius)
    for j in range(k):
        r0, r1, r2 = (
            c[j, ARM] - c[j, BALL] * p[NORMAL],
            c[j, ARM + 1] - c[j, BALL] * p[NORMAL + 1],
            c[j, ARM + 2] - c[j, BALL] * p[NORMAL + 2],
        )
        share = c[j, HEAD] * twist
        jacobian[0, 3 + j] = -(r1 * u2 - r2 * u1 + share * p[NORMAL]) / radius
        jacobian[1, 3 + j] = -(r2 * u0 - r0 * u2 + share * p[NORMAL + 1]) / radius
        jacobian[2, 3 + j] = -(r0 * u1 - r1 * u0 + share * p[NORMAL + 2]) / radius
    for row in range(2):
        axis, share = TANGENT + 3 * row, mu * p[AXES + row] / unit
        jacobian[0, y + row] = -share * (m1 * p[axis + 2] - m2 * p[axis + 1])
        jacobian[1, y + row] = -share * (m2 * p[axis] - m0 * p[axis + 2])
        jacobian[2, y + row] = -share * (m0 * p[axis + 1] - m1 * p[axis])
    for i in range(3):
        jacobian[i, y + 2] = -normal * mu * p[AXES + 2] * p[NORMAL + i] / unit


@njit
def slip_rows(p, c, k, z, e, normal, d, f, slip):
    """Slip E (v_t, v_o, v_r) at the ECP in units of speed, into f, and its derivative, into slip (3, n)."""
    y, mass, radius, speed, mu = 3 + k, p[MASS], p[RADIUS], p[SPEED], p[MU]
    share = 1.0 / normal if normal > NO_IMPULSE * mass * speed else 0.0
    o0, o1, o2 = z[0], z[1], z[2]
    a0, a1, a2 = e[ECP], e[ECP + 1], e[ECP + 2]
    v0, v1, v2 = e[VELOCITY] + o1 * a2 - o2 * a1, e[VELOCITY + 1] + o2 * a0 - o0 * a2, e[VELOCITY + 2] + o0 * a1 - o1 * a0
    t0, t1, t2 = e[TURNING], e[TURNING + 1], e[TURNING + 2]
    for row in range(3):
        for j in range(y + 3):
            slip[row, j] = 0.0
    for row in range(2):
        axis, size = TANGENT + 3 * row, p[AXES + row]
        x0, x1, x2 = p[axis], p[axis + 1], p[axis + 2]
        f[y + row] = size * (x0 * v0 + x1 * v1 + x2 * v2) / speed
        q0, q1, q2 = x1 * o2 - x2 * o1, x2 * o0 - x0 * o2, x0 * o1 - x1 * o0  # axis x omega
        b0, b1, b2 = share * (t1 * q2 - t2 * q1), share * (t2 * q0 - t0 * q2), share * (t0 * q1 - t1 * q0)
        slip[row, 0] = size * (a1 * x2 - a2 * x1 + b0 * d[0, 0] + b1 * d[1, 0] + b2 * d[2, 0]) / radius
        slip[row, 1] = size * (a2 * x0 - a0 * x2 + b0 * d[0, 1] + b1 * d[1, 1] + b2 * d[2, 1]) / radius
        slip[row, 2] = size * (a0 * x1 - a1 * x0 + b0 * d[0, 2] + b1 * d[1, 2] + b2 * d[2, 2]) / radius
        still = q0 * p[NORMAL] + q1 * p[NORMAL + 1] + q2 * p[NORMAL + 2]
        centre = q0 * a0 + q1 * a1 + q2 * a2
        for j in range(k):
            reach = q0 * c[j, ARM] + q1 * c[j, ARM + 1] + q2 * c[j, ARM + 2] - c[j, BALL] * still - c[j, HEAD] * centre
            slip[row, 3 + j] = size * (c[j, HEAD] * mu * size * z[y + row] + share * mass * reach)
        slip[row, y + row] = size * normal * mu * size / (mass * speed)
    f[y + 2] = p[AXES + 2] * (p[NORMAL] * o0 + p[NORMAL + 1] * o1 + p[NORMAL + 2] * o2) / speed
    for j in range(3):
        slip[2, j] = p[AXES + 2] * p[NORMAL + j] / radius


@njit
def measure_of(p, c, k, scalars, z, normal, f, scratch):
    """Unit-free residual, from f with the moments (0:3) and the slip (3 + k: 6 + k)."""
    impulse, radius, y = p[MASS] * p[SPEED], p[RADIUS], 3 + k
    largest = max(abs(f[0]), abs(f[1]), abs(f[2]))
    for j in range(scalars):
        largest = max(largest, abs(min(c[j, GAP] / radius, z[3 + j] / impulse)))
    for j in range(scalars, k, 3):
        x0, x1, x2 = z[3 + j] / impulse, z[4 + j] / impulse, z[5 + j] / impulse
        y0, y1, y2 = project_cone(x0 - c[j, GAP] / radius, x1 - c[j + 1, GAP] / radius, x2 - c[j + 2, GAP] / radius, scratch)
        largest = max(largest, abs(x0 - y0), abs(x1 - y1), abs(x2 - y2))
    limit = p[MU] * max(normal, 0.0) / impulse
    length = 0.0
    for i in range(3):
        length += (limit * z[y + i] - f[y + i]) ** 2
    share = 1.0 if length <= limit * limit else limit / math.sqrt(length)
    for i in range(3):
        largest = max(largest, abs(limit * z[y + i] - share * (limit * z[y + i] - f[y + i])))
    return largest if largest < math.inf else math.inf


@njit
def pair_rows(p, c, k, scalars, z, fischer, d, scratch, f, jacobian):
    """Complementarity of gaps, in units of step * speed, and impulses, in units of mass * speed."""
    impulse, length = p[MASS] * p[SPEED], p[STEP] * p[SPEED]
    for j in range(k):
        r0, r1, r2 = c[j, ARM], c[j, ARM + 1], c[j, ARM + 2]
        x0, x1, x2 = (
            r1 * p[NORMAL + 2] - r2 * p[NORMAL + 1],
            r2 * p[NORMAL] - r0 * p[NORMAL + 2],
            r0 * p[NORMAL + 1] - r1 * p[NORMAL],
        )
        for i in range(3):
            jacobian[3 + j, i] = (x0 * d[0, i] + x1 * d[1, i] + x2 * d[2, i]) / (p[STEP] * p[RADIUS])
            jacobian[3 + j, 3 + k + i] = 0.0
        for i in range(k):
            jacobian[3 + j, 3 + i] = c[j, HEAD] * c[i, HEAD]
    for j in range(scalars):
        gap, push = c[j, GAP] / length, z[3 + j] / impulse
        if fischer:
            root = math.sqrt(gap * gap + push * push)
            by_gap, by_push = 1.0 - math.sqrt(0.5), 1.0 - math.sqrt(0.5)
            if root > 0.0:
                by_gap, by_push = 1.0 - gap / root, 1.0 - push / root
            f[3 + j] = gap + push - root
        else:
            by_gap, by_push = 0.0, 1.0
            if gap < push:
                by_gap, by_push = 1.0, 0.0
            f[3 + j] = min(gap, push)
        for i in range(3 + k):
            jacobian[3 + j, i] *= by_gap
        jacobian[3 + j, 3 + j] += by_push
    for j in range(scalars, k, 3):
        x0, x1, x2 = z[3 + j] / impulse, z[4 + j] / impulse, z[5 + j] / impulse
        y0, y1, y2 = project_cone(x0 - c[j, GAP] / length, x1 - c[j + 1, GAP] / length, x2 - c[j + 2, GAP] / length, scratch)
        f[3 + j], f[4 + j], f[5 + j] = x0 - y0, x1 - y1, x2 - y2
        for i in range(3 + k):
            g0, g1, g2 = jacobian[3 + j, i], jacobian[4 + j, i], jacobian[5 + j, i]
            for m in range(3):
                jacobian[3 + j + m, i] = scratch[m, 0] * g0 + scratch[m, 1] * g1 + scratch[m, 2] * g2
        for i in range(3):
            for m in range(3):
                jacobian[3 + j + i, 3 + j + m] += (1.0 if i == m else 0.0) - scratch[i, m]


@njit
def evaluate(p, s, c, k, scalars, z, fischer, e, m, slip, f, jacobian):
    """Fill the residual f (6 + k,) and the Jacobian at z = (omega, w (k,), y), and return the unit-free measure.

    Jacobian columns are for unknowns in units of speed / radius, mass * speed and 1. Points are complementary through the
    minimum, or Fischer and Burmeister's function if `fischer`; discs and friction through projections on their cone and
    ball. `e`, `m` (4, 3, 3) and `slip` (3, n) are filled.
    """
    normal = place(p, s, c, k, z, e)
    d, h, y = m[3], p[STEP], 3 + k
    g0, g1, g2 = 0.5 * h * z[0], 0.5 * h * z[1], 0.5 * h * z[2]
    size = h / (1.0 + g0 * g0 + g1 * g1 + g2 * g2)
    d[0, 0] = d[1, 1] = d[2, 2] = size
    d[0, 1], d[0, 2], d[1, 2] = -size * g2, size * g1, -size * g0
    d[1, 0], d[2, 0], d[2, 1] = size * g2, -size * g1, size * g0
    momentum_rows(p, s, c, k, z, e, normal, d, m, f, jacobian)
    slip_rows(p, c, k, z, e, normal, d, f, slip)
    measure = measure_of(p, c, k, scalars, z, normal, f, m[2])
    pair_rows(p, c, k, scalars, z, fischer, d, m[2], f, jacobian)
    # Friction: y is the projection of y - slip on the unit ball.
    w0, w1, w2 = z[y] - f[y], z[y + 1] - f[y + 1], z[y + 2] - f[y + 2]
    length = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
    if length <= 1.0:
        for i in range(3):
            for j in range(y + 3):
                jacobian[y + i, j] = slip[i, j]
        return measure
    w0, w1, w2 = w0 / length, w1 / length, w2 / length
    f[y], f[y + 1], f[y + 2] = z[y] - w0, z[y + 1] - w1, z[y + 2] - w2
    for j in range(y + 3):
        along = w0 * slip[0, j] + w1 * slip[1, j] + w2 * slip[2, j]
        jacobian[y, j] = (slip[0, j] - w0 * along) / length
        jacobian[y + 1, j] = (slip[1, j] - w1 * along) / length
        jacobian[y + 2, j] = (slip[2, j] - w2 * along) / length
    rest = 1.0 - 1.0 / length
    jacobian[y, y] += rest + w0 * w0 / length
    jacobian[y, y + 1] += w0 * w1 / length
    jacobian[y, y + 2] += w0 * w2 / length
    jacobian[y + 1, y] += w1 * w0 / length
    jacobian[y + 1, y + 1] += rest + w1 * w1 / length
    jacobian[y + 1, y + 2] += w1 * w2 / length
    jacobian[y + 2, y] += w2 * w0 / length
    jacobian[y + 2, y + 1] += w2 * w1 / length
    jacobian[y + 2, y + 2] += rest + w2 * w2 / length
    return measure
