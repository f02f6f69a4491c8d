"""The four rules and ties of a block of poses whose gaps are known, compiled: one pose after another, its templates in band only.

The arrays are those of `KernelTables`, `Scratch` and `RuleTables`; i counts poses, b those of the block, k, j templates, e
edges, f faces, v vertices of the box, p centres.
"""

from math import inf

import numpy as np

from ..jit import compiled
from .kernel_rules import disk_set, edge_set, flat, over, resolve
from .rules import END

__all__ = ["settle_block", "write_block"]


@compiled
def write_block(first, size, eps_on, eps_pen, gaps, gap, band):  # type: ignore[no-untyped-def]
    """Hand out the gaps of a block, and rule 1."""
    for i in range(size):
        for k in range(len(gaps)):
            gap[first + i, k] = gaps[k, i]
    for i in range(first, first + size):
        for k in range(len(gaps)):
            band[i, k] = (gap[i, k] >= -eps_pen) & (gap[i, k] <= eps_on)


@compiled
def settle_block(
    first, size, extra, dimension, pairs, features, offset, larger, clash, weight, overlap_min, tilt_sine, eps_on, interval, faces, face_links,
    edges, edge_links, point_edges, radius, tangents, on_edges, on_faces, disk, heights, sets, gap, band, on, ties, formation,
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Rules 2 to 4, ties and formations of a block of poses."""
    count, face_count, edge_count, near, end = gap.shape[1], len(faces), len(edges), (1.0 - 1e-6) * eps_on, END * eps_on
    touching, known = np.empty(count + 1, dtype=np.int64), np.empty(count, dtype=np.bool_)
    for b in range(size):
        i, n = first + b, 0
        for k in range(count):
            touching[n] = k
            n += band[i, k]
        for m in range(n):
            k = touching[m]
            pair, f = pairs[k], features[k]
            v = f - face_count
            known[k] = False
            if k >= extra:
                e = k - extra
                on[i, k] = e >= edge_count or over(
                    disk[e, 0, b], -inf if edge_links[e, 2] else edges[e, 4] + end, inf if edge_links[e, 3] else edges[e, 5] - end, False
                )
            elif pair == 0 or pair > edge_count:
                p = 0 if pair == 0 else pair - edge_count
                if f >= face_count:
                    on[i, k] = True
                else:
                    y = on_faces[p, f, 1, b]
                    elsewhere = p > 0 and y < 0.0 and (on_faces[p, face_links[f, 2], 1, b] > y or on_faces[p, face_links[f, 3], 1, b] > y)
                    on[i, k] = over(on_faces[p, f, 0, b], end, faces[f, 2] - end, elsewhere)
            elif f >= face_count:
                e, y = pair - 1, on_edges[pair - 1, v, 1, b]
                elsewhere = y < 0.0 and (on_edges[edge_links[e, 0], v, 1, b] > y or on_edges[edge_links[e, 1], v, 1, b] > y)
                low, high = -inf if edge_links[e, 2] else edges[e, 4] + end, inf if edge_links[e, 3] else edges[e, 5] - end
                on[i, k] = over(on_edges[e, v, 0, b], low, high, elsewhere)
            else:
                e = pair - 1
                on[i, k] = heights[e, f, b] <= eps_on and flat(
                    on_edges[e, face_links[f, 0], 0, b], on_edges[e, face_links[f, 1], 0, b], edges[e, 4], edges[e, 5], tangents[f, 1, b],
                    -tangents[f, 0, b], edges[e, 2], edges[e, 3], overlap_min, tilt_sine,
                )  # fmt: skip
        # rule 4: larger templates have settled before smaller ones ask
        for level in (1, 0):
            for m in range(n):
                k = touching[m]
                if not on[i, k] or dimension[k] != level:
                    continue
                v = features[k] - face_count
                for o in range(offset[k], offset[k + 1]):
                    j = larger[o]
                    if not on[i, j]:
                        continue
                    if k < extra and features[j] >= face_count:
                        on[i, k] = False  # the same vertex of the box
                        break
                    if k < extra and v >= 0 and 1 <= pairs[k] <= edge_count:
                        # a vertex over the edge, clearly within eps_on, lies in the set of a face along the edge
                        e = pairs[k] - 1
                        if on_edges[e, v, 1, b] <= near and on_edges[e, v, 0, b] >= edges[e, 4] and on_edges[e, v, 0, b] <= edges[e, 5]:
                            on[i, k] = False
                            break
                    for x in (j, k):
                        f, e, p = features[x], pairs[x] - 1, pairs[x] - edge_count
                        if known[x] or (x < extra and f >= face_count) or x >= extra + edge_count:
                            continue
                        known[x] = True
                        if x >= extra:
                            e = x - extra
                            sets[x, 0], sets[x, 1] = disk_set(disk[e, 0, b], disk[e, 1, b], edges[e, 4], edges[e, 5], radius, eps_on, interval)
                        elif e < 0:
                            sets[x, 0], sets[x, 1] = disk_set(
                                on_faces[0, f, 0, b], on_faces[0, f, 1, b], 0.0, faces[f, 2], radius, eps_on, interval
                            )
                        elif p > 0:
                            sets[x, 0] = min(max(on_faces[p, f, 0, b], 0.0), faces[f, 2])
                            sets[x, 1] = sets[x, 0]
                        else:
                            sets[x, 0], sets[x, 1] = edge_set(
                                on_edges[e, face_links[f, 0], 0, b], on_edges[e, face_links[f, 1], 0, b], on_edges[e, face_links[f, 0], 1, b],
                                on_edges[e, face_links[f, 1], 1, b], edges[e, 4], edges[e, 5], edges[e, 6], edges[e, 7], edges[e, 8],
                                edges[e, 9], faces[f, 2], eps_on,
                            )  # fmt: skip
                    if k >= extra:
                        start = edges[j - extra, 4] if point_edges[k - extra - edge_count, 1] == j - extra else edges[j - extra, 5]
                        stop = start
                    elif v >= 0:
                        start = faces[features[j], 2] if face_links[features[j], 1] == v else 0.0
                        stop = start
                    else:
                        start, stop = sets[k, 0], sets[k, 1]
                    if sets[j, 0] - eps_on <= start and stop <= sets[j, 1] + eps_on:
                        on[i, k] = False
                        break
        kept, clashes, code = 0, False, 0
        for m in range(n):
            k = touching[m]
            if on[i, k]:
                touching[kept] = k
                code += weight[k]
                for o in range(kept):
                    clashes |= clash[k, touching[o]]
                kept += 1
        ties[i] = 0
        if clashes:
            ties[i] = resolve(i, touching, kept, dimension, clash, gap, on)
            code = 0
            for m in range(kept):
                if on[i, touching[m]]:
                    code += weight[touching[m]]
        formation[i] = code
