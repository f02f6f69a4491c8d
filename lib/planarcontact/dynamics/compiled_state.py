"""The layout of the arrays that the compiled step works on, and where its generators are."""

import math
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .body import Body
from .jit import njit
from .options import SimulateOptions
from .scene import Scene

__all__ = ["generators", "numbers", "place", "project_cone"]

# p: a scene's numbers. Inertia row by row, frame as n, t, o.
MASS, INERTIA, NORMAL, TANGENT, OTHER, OFFSET, GRAVITY, MU, AXES = 0, 1, 10, 13, 16, 19, 20, 21, 22
STEP, RADIUS, SPEED, EXPLICIT, NUMBERS = 25, 26, 27, 28, 29
# s: a step's start. Velocity without contact, angular momentum with the impulse of all moments but the contact's,
# and the world inertia that multiplies omega+ in the explicit form.
POSITION, ORIENTATION, FREE, MOMENTUM, WORLD_INERTIA, START = 0, 3, 7, 10, 13, 22
# e: a step's end. Where, as what rotation, how fast; the ECP relative to the COM, the contact force per p_n, the sum of
# w_i r_i, and its part that turns with the body.
END, TURNED, QUATERNION, VELOCITY, ECP, PUSH, MOMENT, TURNING, FINISH = 0, 3, 12, 16, 19, 22, 25, 28, 31
# c: a column for each entry of w. Body vector, ball radius, and whether it counts towards p_n; then its arm and gap.
BALL, HEAD, ARM, GAP, WIDTH = 3, 4, 5, 8, 9

_KNOWN: WeakKeyDictionary[Body, tuple] = WeakKeyDictionary()  # generators of bodies, which many scenes of a batch share

NO_IMPULSE = 1e-13  # of mass * speed: below it the impulses do not define the ECP


def numbers(scene: Scene, options: SimulateOptions) -> NDArray[np.float64]:
    """Return a scene's numbers p in SI units."""
    p = np.empty(NUMBERS)
    body, friction = scene.body, scene.friction
    p[MASS], p[INERTIA:NORMAL], p[NORMAL:OFFSET] = body.mass, body.inertia.reshape(-1), scene.support.frame.reshape(-1)
    p[OFFSET], p[GRAVITY], p[MU] = scene.support.offset, scene.gravity, friction.mu
    p[AXES], p[AXES + 1], p[AXES + 2] = friction.e_t, friction.e_o, friction.e_r
    p[STEP], p[RADIUS], p[SPEED], p[EXPLICIT] = scene.step, body.bounding_radius, scene.velocity_scale, options.gyroscopic == "explicit"
    if not np.isfinite(p).all():
        raise InputError("scene", scene, "holds a number that is not finite")
    return p


def generators(scene: Scene) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points (v, 4) [m], vertices and centres of spheres with their radii, and discs (d, 9) [m], centre and spokes."""
    body = scene.body
    if body not in _KNOWN:
        points = [[*x, 0.0] for x in body.vertices] + [[*b.centre, b.radius] for b in body.spheres]
        discs = [[*d.centre, *(d.radius * d.spokes).reshape(-1)] for d in body.discs]
        _KNOWN[body] = np.array(points).reshape(-1, 4), np.array(discs).reshape(-1, 9)
    return _KNOWN[body]


@njit
def project_cone(x0, x1, x2, slope):
    """Return the projection on the cone x0 >= |(x1, x2)|, and fill its derivative (3, 3)."""
    length = math.sqrt(x1 * x1 + x2 * x2)
    for i in range(3):
        for j in range(3):
            slope[i, j] = 0.0
    if x0 >= length:
        slope[0, 0] = slope[1, 1] = slope[2, 2] = 1.0
        return x0, x1, x2
    if x0 <= -length:
        return 0.0, 0.0, 0.0
    a, b, ratio, half = x1 / length, x2 / length, x0 / length, 0.5 * (x0 + length)
    slope[0, 0] = 0.5
    slope[0, 1] = slope[1, 0] = 0.5 * a
    slope[0, 2] = slope[2, 0] = 0.5 * b
    slope[1, 1] = 0.5 * (1.0 + ratio - ratio * a * a)
    slope[2, 2] = 0.5 * (1.0 + ratio - ratio * b * b)
    slope[1, 2] = slope[2, 1] = -0.5 * ratio * a * b
    return half, half * a, half * b


@njit
def place(p, s, c, k, z, e):
    """Move the body with z = (omega, w (k,), y), fill e and the arms and gaps of c, and return p_n."""
    h = p[STEP]
    normal = 0.0
    for j in range(k):
        normal += c[j, HEAD] * z[3 + j]
    pull_t, pull_o = p[MU] * p[AXES] * z[3 + k], p[MU] * p[AXES + 1] * z[4 + k]
    level = -p[OFFSET]
    for i in range(3):
        e[PUSH + i] = p[NORMAL + i] + pull_t * p[TANGENT + i] + pull_o * p[OTHER + i]
        e[VELOCITY + i] = s[FREE + i] + normal * e[PUSH + i] / p[MASS]
        e[END + i] = s[POSITION + i] + h * e[VELOCITY + i]
        level += p[NORMAL + i] * e[END + i]
    a1, a2, a3 = 0.5 * h * z[0], 0.5 * h * z[1], 0.5 * h * z[2]
    q0, q1, q2, q3 = s[ORIENTATION], s[ORIENTATION + 1], s[ORIENTATION + 2], s[ORIENTATION + 3]
    w = q0 - a1 * q1 - a2 * q2 - a3 * q3
    x = q1 + a1 * q0 + a2 * q3 - a3 * q2
    y = q2 - a1 * q3 + a2 * q0 + a3 * q1
    u = q3 + a1 * q2 - a2 * q1 + a3 * q0
    size = 1.0 / math.sqrt(w * w + x * x + y * y + u * u)
    w, x, y, u = w * size, x * size, y * size, u * size
    e[QUATERNION], e[QUATERNION + 1], e[QUATERNION + 2], e[QUATERNION + 3] = w, x, y, u
    e[TURNED], e[TURNED + 1], e[TURNED + 2] = 1.0 - 2.0 * (y * y + u * u), 2.0 * (x * y - w * u), 2.0 * (x * u + w * y)
    e[TURNED + 3], e[TURNED + 4], e[TURNED + 5] = 2.0 * (x * y + w * u), 1.0 - 2.0 * (x * x + u * u), 2.0 * (y * u - w * x)
    e[TURNED + 6], e[TURNED + 7], e[TURNED + 8] = 2.0 * (x * u - w * y), 2.0 * (y * u + w * x), 1.0 - 2.0 * (x * x + y * y)
    e[TURNING] = e[TURNING + 1] = e[TURNING + 2] = 0.0
    below = 0.0
    for j in range(k):
        height = c[j, HEAD] * level - c[j, BALL]
        below += z[3 + j] * c[j, BALL]
        for i in range(3):
            arm = e[TURNED + 3 * i] * c[j, 0] + e[TURNED + 3 * i + 1] * c[j, 1] + e[TURNED + 3 * i + 2] * c[j, 2]
            c[j, ARM + i] = arm
            height += p[NORMAL + i] * arm
            e[TURNING + i] += z[3 + j] * arm
        c[j, GAP] = height
    for i in range(3):
        e[MOMENT + i] = e[TURNING + i] - below * p[NORMAL + i]
        if normal > NO_IMPULSE * p[MASS] * p[SPEED]:
            e[ECP + i] = e[MOMENT + i] / normal
    return normal
