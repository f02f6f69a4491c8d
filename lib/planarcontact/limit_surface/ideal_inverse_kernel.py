"""Twist from load on point supports, compiled: Newton's method that keeps the kink of the slowest support exact."""

import numpy as np

from .jit import entry, njit

__all__ = ["ROUNDING", "STIFFEST", "least_kinked", "next_damping", "power_change", "slowest_support", "span_of", "stands_still", "twists_of_rows", "velocity_beside"]

_CAP, _HALVINGS, _ROOTS = 200, 8, 60
#: The slope, as a share of the power at the start, at which a row is done [-].
_DONE = 1e-13
#: A support that is slower than this share of the others stands still [-].
_CREEP = 1e-18
#: What a change may round, as a share of the power of the change alone [-].
ROUNDING = 1e-15
#: Damping, as a share of the curvature, beyond which no step gets anywhere [-].
STIFFEST = 1e9
#: A turn about a support is taken apart from the plane of unit power where it is nearer to it than this [-].
_FLAT = 1e-12


@entry
def twists_of_rows(points, limits, directions):  # type: ignore[no-untyped-def]
    """Return unit twists (N, 3) that minimise sum_j limits_j |v_j| with directions . V = 1, and the slopes left (N,).

    points (P, 2), directions (N, 3) and twists are primed (lengths divided by the characteristic length); all limits positive.

    The plane of unit power has two coordinates, and so has the velocity w of the slowest support: where the two map onto
    each other, the function is l |w| plus what is smooth at w = 0. A step minimises l |w| + g . w + w . G w / 2, which has
    w = 0 for |g| <= l and else w = -r (G r + l)^-1 g with r = |w| from |(G r + l)^-1 g| = 1, a concave equation.
    """
    count = len(directions)
    twists = np.empty((count, 3))
    slopes = np.empty(count)
    plane = np.empty((2, 3))
    for row in range(count):
        f = directions[row]
        _fill_plane(f, plane)
        slopes[row] = _minimise(points, limits, f, plane, twists[row])
        norm = np.sqrt(twists[row, 0] ** 2 + twists[row, 1] ** 2 + twists[row, 2] ** 2)
        for k in range(3):
            twists[row, k] /= norm
    return twists, slopes


@njit
def _fill_plane(f, plane):  # type: ignore[no-untyped-def]
    """Two unit vectors across f and each other."""
    axis = 0
    for k in range(1, 3):
        if abs(f[k]) < abs(f[axis]):
            axis = k
    e = np.zeros(3)
    e[axis] = 1.0
    plane[0] = np.cross(f, e)
    plane[0] /= np.sqrt((plane[0] ** 2).sum())
    plane[1] = np.cross(f, plane[0])


@njit
def _minimise(points, limits, f, plane, twist):  # type: ignore[no-untyped-def]
    """Fill the twist; return the slope left as a share of the power at the start."""
    x, trial, g, h = np.zeros(2), np.empty(2), np.empty(2), np.empty(3)
    w, ahead, best, by = np.zeros(2), np.empty(2), np.zeros(2), np.empty(3)
    a = np.empty((2, 2))
    w[0], w[1] = _velocity(points[0], f, plane, x)
    kink, damping = 0, 0.0
    size = _power(points, limits, f, plane, x, kink, w)
    least, span = np.inf, span_of(points)
    for _ in range(_CAP):
        turn = f[2] + x[0] * plane[0, 2] + x[1] * plane[1, 2]
        kink = slowest_support(points, kink, w, turn)
        if stands_still(w, turn, span):
            w[:] = 0.0
        _arm(points[kink], plane, a)
        _smooth_part(points, limits, f, plane, x, kink, w, g, h)
        det = a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
        speed = np.sqrt(w[0] ** 2 + w[1] ** 2)
        slope = _slope(limits[kink], a, g, w, speed) / size
        if slope < least:
            least = slope
            best[:] = x
        scale = h[0] + h[2]
        if slope <= _DONE or damping > STIFFEST * scale:
            break
        h[0] += damping
        h[2] += damping
        kinked = abs(det) > _FLAT * (a**2).sum()
        if kinked:
            _kinked_step(limits[kink], a, det, g, h, w, ahead)
            d0 = (a[1, 1] * (ahead[0] - w[0]) - a[0, 1] * (ahead[1] - w[1])) / det
            d1 = (a[0, 0] * (ahead[1] - w[1]) - a[1, 0] * (ahead[0] - w[0])) / det
        else:
            d0, d1 = _plain_step(limits[kink], a, g, h, w, speed)
            ahead[0] = w[0] + a[0, 0] * d0 + a[0, 1] * d1
            ahead[1] = w[1] + a[1, 0] * d0 + a[1, 1] * d1
        descent = g[0] * d0 + g[1] * d1 + limits[kink] * (np.sqrt(ahead[0] ** 2 + ahead[1] ** 2) - speed)
        length, moved = 1.0, False
        from0, from1 = w[0], w[1]
        by[0], by[1], by[2] = ahead[0] - from0, ahead[1] - from1, d0 * plane[0, 2] + d1 * plane[1, 2]
        for _ in range(_HALVINGS):
            w[0], w[1] = from0, from1
            change, way = power_change(points, limits, kink, w, turn, by, length)
            rounds = ROUNDING * way
            trial[0], trial[1] = x[0] + length * d0, x[1] + length * d1
            w[0], w[1] = from0 + length * by[0], from1 + length * by[1]
            if change <= 1e-4 * length * min(descent, 0.0) - rounds:
                moved = True
            elif change <= rounds:  # the values only round: the slopes tell
                _smooth_part(points, limits, f, plane, trial, kink, w, g, h)
                moved = _slope(limits[kink], a, g, w, np.sqrt(w[0] ** 2 + w[1] ** 2)) < (1.0 - 1e-3 * length) * slope * size
            if moved:
                break
            length *= 0.5
        if moved:
            x[:] = trial
        else:
            w[0], w[1] = from0, from1
        damping = next_damping(damping, length, scale)
    for k in range(3):
        twist[k] = f[k] + best[0] * plane[0, k] + best[1] * plane[1, k]
    return least


@njit
def _velocity(point, f, plane, x):  # type: ignore[no-untyped-def]
    turn = f[2] + x[0] * plane[0, 2] + x[1] * plane[1, 2]
    return f[0] + x[0] * plane[0, 0] + x[1] * plane[1, 0] - turn * point[1], f[1] + x[0] * plane[0, 1] + x[1] * plane[1, 1] + turn * point[0]


@njit
def velocity_beside(points, kink, j, w, turn):  # type: ignore[no-untyped-def]
    """Velocity of support j from that of the support `kink`, so that what is near it has no rounding either."""
    return w[0] - turn * (points[j, 1] - points[kink, 1]), w[1] + turn * (points[j, 0] - points[kink, 0])


@njit
def slowest_support(points, kink, w, turn):  # type: ignore[no-untyped-def]
    """Index of the slowest support; w, the velocity of the support `kink`, becomes that one's."""
    best, least = 0, np.inf
    for j in range(len(points)):
        u0, u1 = velocity_beside(points, kink, j, w, turn)
        speed = u0 * u0 + u1 * u1
        if speed < least:
            best, least = j, speed
    w[0], w[1] = velocity_beside(points, kink, best, w, turn)
    return best


@njit
def span_of(points):  # type: ignore[no-untyped-def]
    """Largest distance from the first support."""
    span = 0.0
    for j in range(len(points)):
        span = max(span, np.sqrt(((points[j] - points[0]) ** 2).sum()))
    return span


@njit
def stands_still(w, turn, span):  # type: ignore[no-untyped-def]
    """Whether a support is so slow beside the others that float64 holds no load so near the rim of its facet."""
    return np.sqrt(w[0] ** 2 + w[1] ** 2) < _CREEP * span * abs(turn)


@njit
def next_damping(damping, length, scale):  # type: ignore[no-untyped-def]
    """Damping of the next step, more after a step that had to be cut short, less after one that was not."""
    if length < 0.2:
        return max(1e2 * damping, 1e-13 * scale)
    return 0.1 * damping if damping > 1e-12 * scale else 0.0


@njit
def _arm(point, plane, a):  # type: ignore[no-untyped-def]
    """a (2, 2): a support's velocity by the coordinates of the plane."""
    for k in range(2):
        a[0, k] = plane[k, 0] - plane[k, 2] * point[1]
        a[1, k] = plane[k, 1] + plane[k, 2] * point[0]


@njit
def _power(points, limits, f, plane, x, kink, w):  # type: ignore[no-untyped-def]
    total = 0.0
    turn = f[2] + x[0] * plane[0, 2] + x[1] * plane[1, 2]
    for j in range(len(points)):
        u0, u1 = velocity_beside(points, kink, j, w, turn)
        total += limits[j] * np.sqrt(u0 * u0 + u1 * u1)
    return total


@njit
def power_change(points, limits, kink, w, turn, by, length):  # type: ignore[no-untyped-def]
    """Change of the power when w and the turn go the share `length` of `by`, free of cancellation; and the power of that change alone."""
    change, way = 0.0, 0.0
    for j in range(len(points)):
        u0, u1 = velocity_beside(points, kink, j, w, turn)
        b0, b1 = velocity_beside(points, kink, j, by, by[2])
        b0, b1 = length * b0, length * b1
        sizes = np.sqrt(u0 * u0 + u1 * u1) + np.sqrt((u0 + b0) ** 2 + (u1 + b1) ** 2)
        if sizes > 0.0:
            change += limits[j] * (b0 * (2.0 * u0 + b0) + b1 * (2.0 * u1 + b1)) / sizes
        way += limits[j] * np.sqrt(b0 * b0 + b1 * b1)
    return change, way


@njit
def _smooth_part(points, limits, f, plane, x, kink, w, g, h):  # type: ignore[no-untyped-def]
    """Fill gradient g (2,) and Hessian h (3: 00, 01, 11) of the power of all supports but one."""
    g[:] = 0.0
    h[:] = 0.0
    a = np.empty((2, 2))
    turn = f[2] + x[0] * plane[0, 2] + x[1] * plane[1, 2]
    for j in range(len(points)):
        if j == kink:
            continue
        u0, u1 = velocity_beside(points, kink, j, w, turn)
        speed = np.sqrt(u0 * u0 + u1 * u1)
        if speed == 0.0:
            continue
        u0, u1 = u0 / speed, u1 / speed
        _arm(points[j], plane, a)
        g[0] += limits[j] * (u0 * a[0, 0] + u1 * a[1, 0])
        g[1] += limits[j] * (u0 * a[0, 1] + u1 * a[1, 1])
        c0, c1 = u0 * a[1, 0] - u1 * a[0, 0], u0 * a[1, 1] - u1 * a[0, 1]
        rate = limits[j] / speed
        h[0] += rate * c0 * c0
        h[1] += rate * c0 * c1
        h[2] += rate * c1 * c1


@njit
def _slope(limit, a, g, w, speed):  # type: ignore[no-untyped-def]
    """Size of the smallest subgradient in the plane's coordinates."""
    if speed > 0.0:
        u0, u1 = limit * w[0] / speed, limit * w[1] / speed
        s0, s1 = g[0] + u0 * a[0, 0] + u1 * a[1, 0], g[1] + u0 * a[0, 1] + u1 * a[1, 1]
        return np.sqrt(s0 * s0 + s1 * s1)
    det = a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
    p0, p1 = (a[1, 1] * g[0] - a[1, 0] * g[1]) / det, (a[0, 0] * g[1] - a[0, 1] * g[0]) / det
    pull = np.sqrt(p0 * p0 + p1 * p1)
    over = max(0.0, pull - limit) / max(pull, 1e-300)
    s0, s1 = over * g[0], over * g[1]
    return np.sqrt(s0 * s0 + s1 * s1)


@njit
def _kinked_step(limit, a, det, g, h, w, ahead):  # type: ignore[no-untyped-def]
    """The support's velocity at the minimum of the model, G and g being taken over from the plane."""
    i00, i01, i10, i11 = a[1, 1] / det, -a[0, 1] / det, -a[1, 0] / det, a[0, 0] / det
    b00, b01 = h[0] * i00 + h[1] * i10, h[0] * i01 + h[1] * i11
    b10, b11 = h[1] * i00 + h[2] * i10, h[1] * i01 + h[2] * i11
    p, q, r = i00 * b00 + i10 * b10, i00 * b01 + i10 * b11, i01 * b01 + i11 * b11
    t0 = i00 * g[0] + i10 * g[1] - (p * w[0] + q * w[1])
    t1 = i01 * g[0] + i11 * g[1] - (q * w[0] + r * w[1])
    least_kinked(limit, p, q, r, t0, t1, ahead)


@njit
def least_kinked(limit, p, q, r, t0, t1, w):  # type: ignore[no-untyped-def]
    """Fill w (2,) with the minimum of limit |w| + t . w + w . G w / 2, G = ((p, q), (q, r)) not negative."""
    if t0 * t0 + t1 * t1 <= limit * limit:
        w[0] = w[1] = 0.0
        return
    angle = 0.5 * np.arctan2(2.0 * q, p - r)
    c, s = np.cos(angle), np.sin(angle)
    high = max(c * c * p + 2.0 * c * s * q + s * s * r, 1e-300)
    low = max(s * s * p - 2.0 * c * s * q + c * c * r, 1e-12 * high)
    e0, e1 = c * t0 + s * t1, c * t1 - s * t0
    size = 0.0
    for _ in range(_ROOTS):
        d0, d1 = high * size + limit, low * size + limit
        u0, u1 = e0 / d0, e1 / d1
        norm = u0 * u0 + u1 * u1
        root = np.sqrt(norm)
        rise = (u0 * u0 * high / d0 + u1 * u1 * low / d1) / (norm * root)
        step = (1.0 - 1.0 / root) / rise
        size += step
        if not step > 1e-15 * size:
            break
    v0, v1 = -size * e0 / (high * size + limit), -size * e1 / (low * size + limit)
    w[0], w[1] = c * v0 - s * v1, s * v0 + c * v1


@njit
def _plain_step(limit, a, g, h, w, speed):  # type: ignore[no-untyped-def]
    """Newton's step where the support's velocity does not map onto the plane; g gains the support's own slope."""
    u0, u1 = w[0] / max(speed, 1e-300), w[1] / max(speed, 1e-300)
    s0, s1 = g[0] + limit * (u0 * a[0, 0] + u1 * a[1, 0]), g[1] + limit * (u0 * a[0, 1] + u1 * a[1, 1])
    c0, c1 = u0 * a[1, 0] - u1 * a[0, 0], u0 * a[1, 1] - u1 * a[0, 1]
    rate = limit / max(speed, 1e-300)
    p, q, r = h[0] + rate * c0 * c0, h[1] + rate * c0 * c1, h[2] + rate * c1 * c1
    floor = 1e-9 * (p + r) + 1e-300
    p, r = p + floor, r + floor
    det = p * r - q * q
    return (q * s1 - r * s0) / det, (q * s0 - p * s1) / det
