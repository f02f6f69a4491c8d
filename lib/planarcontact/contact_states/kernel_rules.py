"""The rules' decisions for one template of one pose, compiled: the twins of `rules` and `contact_sets`.

The arrays are those of `KernelTables` and `Scratch`; e, f, v, p count edges, faces, vertices of the box and points.
"""

from math import inf, sqrt

from .jit import compiled
from .kernel_gaps import face_edge

__all__ = ["edge_on_edge", "inside", "over_edge", "over_face", "resolve", "vertex_over_edge"]


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
def over_face(p, feature, faces, face_links, on_faces):  # type: ignore[no-untyped-def]
    """Rule 2 for the disk or a vertex of E against a feature of the box."""
    if feature >= len(faces):
        return True
    s, y = on_faces[p, feature, 0], on_faces[p, feature, 1]
    if p > 0 and y < 0.0:
        if on_faces[p, face_links[feature, 2], 1] > y or on_faces[p, face_links[feature, 3], 1] > y:
            return False
    return s > 0.0 and s < faces[feature, 2]


@compiled
def over_edge(s, e, edges, edge_links):  # type: ignore[no-untyped-def]
    return (edge_links[e, 2] == 1 or s > edges[e, 4]) and (edge_links[e, 3] == 1 or s < edges[e, 5])


@compiled
def vertex_over_edge(v, e, edges, edge_links, on_edges):  # type: ignore[no-untyped-def]
    """Rule 2 for a vertex of the box against an edge of E."""
    y = on_edges[e, v, 1]
    if y < 0.0 and (on_edges[edge_links[e, 0], v, 1] > y or on_edges[edge_links[e, 1], v, 1] > y):
        return False
    return over_edge(on_edges[e, v, 0], e, edges, edge_links)


@compiled
def edge_on_edge(f, e, length, face_links, edges, on_edges, tangents, overlap_min, tilt_sine, eps_on):  # type: ignore[no-untyped-def]
    """Rules 2 and 3 for a face against an edge of E."""
    nx, nz, tx, tz = tangents[f, 1], -tangents[f, 0], edges[e, 2], edges[e, 3]
    if nz * tx - nx * tz >= 0.0 or abs(nx * tx + nz * tz) > tilt_sine:
        return False
    a, b = face_links[f, 0], face_links[f, 1]
    s0, s1 = on_edges[e, a, 0], on_edges[e, b, 0]
    if min(max(s0, s1), edges[e, 5]) - max(min(s0, s1), edges[e, 4]) < overlap_min:
        return False
    height = face_edge(
        s0, s1, on_edges[e, a, 1], on_edges[e, b, 1],
        edges[e, 4], edges[e, 5], edges[e, 6], edges[e, 7], edges[e, 8], edges[e, 9], length,
    )[1]  # fmt: skip
    return height <= eps_on


@compiled
def inside(k, j, pairs, features, extra, faces, face_links, edges, point_edges, on_edges, on_faces, disk, radius, eps_on, interval):  # type: ignore[no-untyped-def]
    """Rule 4: whether the contact set of template k lies within eps_on of that of j, which contains k."""
    face_count = len(faces)
    if k >= extra:
        e, p = j - extra, k - extra - len(edges)
        at = edges[e, 4] if point_edges[p, 1] == e else edges[e, 5]
        start, stop = _disk_set(disk[e, 0], disk[e, 1], edges[e, 4], edges[e, 5], radius, eps_on, interval)
        return start - eps_on <= at and at <= stop + eps_on
    feature, larger = features[k], features[j]
    if larger >= face_count:
        return True
    start, stop = _face_set(pairs[j], larger, faces, face_links, edges, on_edges, on_faces, radius, eps_on, interval)
    if feature >= face_count:
        own_start = faces[larger, 2] if face_links[larger, 1] == feature - face_count else 0.0
        own_stop = own_start
    else:
        own_start, own_stop = _face_set(
            pairs[k], feature, faces, face_links, edges, on_edges, on_faces, radius, eps_on, interval
        )
    return start - eps_on <= own_start and own_stop <= stop + eps_on


@compiled
def _disk_set(s, y, low, high, radius, eps_on, interval):  # type: ignore[no-untyped-def]
    if not interval:
        nearest = min(max(s, low), high)
        return nearest, nearest
    reach = radius + eps_on
    if abs(y) > reach:
        return inf, -inf
    half = sqrt(reach * reach - y * y)
    return max(s - half, low), min(s + half, high)


@compiled
def _face_set(pair, f, faces, face_links, edges, on_edges, on_faces, radius, eps_on, interval):  # type: ignore[no-untyped-def]
    """Contact set of face f with the pair's other feature, as arc length from the face's start."""
    length = faces[f, 2]
    if pair == 0:
        return _disk_set(on_faces[0, f, 0], on_faces[0, f, 1], 0.0, length, radius, eps_on, interval)
    if pair > len(edges):
        nearest = min(max(on_faces[pair - len(edges), f, 0], 0.0), length)
        return nearest, nearest
    e, a, b = pair - 1, face_links[f, 0], face_links[f, 1]
    s, y = on_edges[e, a, 0], on_edges[e, a, 1]
    cosine, sine = (on_edges[e, b, 0] - s) / length, (on_edges[e, b, 1] - y) / length
    low, high = edges[e, 4], edges[e, 5]
    start, stop = inf, -inf
    x0, x1 = _restrict(0.0, length, low - s, -cosine)
    x0, x1 = _restrict(x0, x1, s - high, cosine)
    x0, x1 = _restrict(x0, x1, y - eps_on, sine)
    if x0 <= x1:
        start, stop = x0, x1
    x0, x1 = _restrict(0.0, length, y, sine)
    x0, x1 = _restrict(x0, x1, low - edges[e, 8] - s, -cosine)
    x0, x1 = _restrict(x0, x1, s - high - edges[e, 9], cosine)
    if x0 <= x1:
        start, stop = min(start, x0), max(stop, x1)
    for upper in range(2):
        side = 1.0 if upper else -1.0
        limit, end = edges[e, 4 + upper], edges[e, 6 + upper]
        offset = (s - end) * sine - y * cosine
        chord = eps_on * eps_on - offset * offset
        if abs(limit) == inf or chord < 0.0:
            continue
        middle, half = -((s - end) * cosine + y * sine), sqrt(chord)
        x0, x1 = _restrict(0.0, length, side * (limit - s), -side * cosine)
        x0, x1 = max(x0, middle - half), min(x1, middle + half)
        if x0 <= x1:
            start, stop = min(start, x0), max(stop, x1)
    return start, stop


@compiled
def _restrict(start, stop, constant, slope):  # type: ignore[no-untyped-def]
    """The part of an interval where constant + slope * t <= 0."""
    if slope < 0.0:
        return max(start, -constant / slope), stop
    if slope > 0.0:
        return start, min(stop, -constant / slope)
    return (inf if constant > 0.0 else start), stop
