"""The rules' decisions for one template of one pose, compiled: the twins of `rules` and `contact_sets`.

They take numbers, not arrays: a compiled call that passes an array counts references, which takes longer than these do.
"""

from math import inf, sqrt

from ..jit import compiled

__all__ = ["disk_set", "edge_set", "flat", "over", "resolve"]


@compiled
def resolve(i, touching, n, dimension, clash, gap, on):  # type: ignore[no-untyped-def]
    """Keep the larger, then the smaller gap, then catalog order, among contacts that exclude each other."""
    waiting = on[i].copy()
    dropped = 0
    while True:
        best = -1
        for m in range(n):
            k = touching[m]
            if waiting[k] and (
                best < 0
                or dimension[k] > dimension[best]
                or (dimension[k] == dimension[best] and gap[i, k] < gap[i, best])
            ):
                best = k
        if best < 0:
            return dropped
        waiting[best] = False
        for m in range(n):
            k = touching[m]
            if waiting[k] and clash[best, k]:
                waiting[k], on[i, k] = False, False
                dropped += 1


@compiled
def over(s: float, low: float, high: float, elsewhere: bool) -> bool:
    """Rule 2 for a point at s along an edge: it lies over the open slab, and is not sunk nearer to another edge's surface."""
    return s > low and s < high and not elsewhere


@compiled
def flat(
    s0: float, s1: float, low: float, high: float, nx: float, nz: float, tx: float, tz: float, overlap_min: float, tilt_sine: float
) -> bool:
    """Rule 3 for a face with outward normal n from s0 to s1 along an edge with tangent t."""
    return (
        nz * tx - nx * tz < 0.0
        and abs(nx * tx + nz * tz) <= tilt_sine
        and min(max(s0, s1), high) - max(min(s0, s1), low) >= overlap_min
    )


@compiled
def edge_set(
    s0: float, s1: float, y0: float, y1: float, low: float, high: float, low_end: float, high_end: float, low_reach: float, high_reach: float,
    length: float, eps_on: float,
) -> tuple[float, float]:  # fmt: skip
    """Contact set of a face from (s0, y0) to (s1, y1) with an edge, as arc length from the face's start."""
    cosine, sine = (s1 - s0) / length, (y1 - y0) / length
    start, stop = inf, -inf
    x0, x1 = _restrict(0.0, length, low - s0, -cosine)
    x0, x1 = _restrict(x0, x1, s0 - high, cosine)
    x0, x1 = _restrict(x0, x1, y0 - eps_on, sine)
    if x0 <= x1:
        start, stop = x0, x1
    x0, x1 = _restrict(0.0, length, y0, sine)
    x0, x1 = _restrict(x0, x1, low - low_reach - s0, -cosine)
    x0, x1 = _restrict(x0, x1, s0 - high - high_reach, cosine)
    if x0 <= x1:
        start, stop = min(start, x0), max(stop, x1)
    for upper in range(2):
        side, limit, end = (1.0, high, high_end) if upper else (-1.0, low, low_end)
        offset = (s0 - end) * sine - y0 * cosine
        chord = eps_on * eps_on - offset * offset
        if abs(limit) == inf or chord < 0.0:
            continue
        middle, half = -((s0 - end) * cosine + y0 * sine), sqrt(chord)
        x0, x1 = _restrict(0.0, length, side * (limit - s0), -side * cosine)
        x0, x1 = max(x0, middle - half), min(x1, middle + half)
        if x0 <= x1:
            start, stop = min(start, x0), max(stop, x1)
    return start, stop


@compiled
def disk_set(
    s: float, y: float, low: float, high: float, radius: float, eps_on: float, interval: bool
) -> tuple[float, float]:
    """Contact set of an edge from low to high with a disk centred at (s, y), as arc length along the edge."""
    if not interval:
        nearest = min(max(s, low), high)
        return nearest, nearest
    reach = radius + eps_on
    if abs(y) > reach:
        return inf, -inf
    half = sqrt(reach * reach - y * y)
    return max(s - half, low), min(s + half, high)


@compiled
def _restrict(start: float, stop: float, constant: float, slope: float) -> tuple[float, float]:
    """The part of an interval where constant + slope * t <= 0."""
    if slope < 0.0:
        return max(start, -constant / slope), stop
    if slope > 0.0:
        return start, min(stop, -constant / slope)
    return (inf if constant > 0.0 else start), stop
