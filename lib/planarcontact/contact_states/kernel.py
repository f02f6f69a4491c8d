"""The four rules and ties of one pose after another, compiled: the twin of `rules`, held to it by a test.

Only templates in band are looked at after the gaps, so a pose that touches nothing costs its gaps alone.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .catalog import catalog, closures, conflicts
from .formations import code_dtype, weights
from .geometry import tables
from .jit import entry
from .kernel_gaps import (
    KernelTables, Scratch, disk_gaps, edge_gaps, kernel_tables, new_scratch, place_pose, point_gaps,
)  # fmt: skip
from .kernel_rules import edge_on_edge, inside, over_edge, over_face, resolve, vertex_over_edge
from .options import Options
from .scene import Scene

__all__ = ["compiled_labels"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]


class RuleTables(NamedTuple):
    """The catalog's relations and the tolerances: `larger[offset[i]:offset[i + 1]]` contain template i."""

    dimension: Ints
    pair: Ints
    feature: Ints
    offset: Ints
    larger: Ints
    clash: Flags
    weight: Ints
    overlap_min: float
    tilt_sine: float
    eps_on: float
    eps_pen: float
    interval: bool


@lru_cache(maxsize=64)
def _tables(scene: Scene, options: Options) -> tuple[KernelTables, RuleTables]:
    dimension = np.array([entry.dimension for entry in catalog(scene)], dtype=np.int64)
    contained = closures(scene) & (dimension[None, :] > dimension[:, None])
    offset = np.concatenate(([0], np.cumsum(contained.sum(axis=1)))).astype(np.int64)
    codes = weights(scene) if code_dtype(scene) is np.int64 else np.zeros(len(dimension))
    width, numbers = len(scene.body.feature_names), np.arange(len(dimension), dtype=np.int64)
    rules = RuleTables(
        dimension, numbers // width, numbers % width, offset, np.nonzero(contained)[1].astype(np.int64), np.ascontiguousarray(conflicts(scene, options.conflict)),
        codes.astype(np.int64), float(scene.overlap_min), float(np.sin(scene.tilt_limit(options.eps_on))),
        float(options.eps_on), float(options.eps_pen), options.contact_set_disk == "interval",
    )  # fmt: skip
    return kernel_tables(tables(scene), options.eps_pen, scene.disk_environment), rules


def compiled_labels(local: Floats, scene: Scene, options: Options) -> tuple[Floats, Flags, Flags, Ints, Ints]:
    """Return gap, in_band, on (N, T), ties and formation (N,) of local poses (N, 5).

    The formation is 0 throughout where the scene's codes do not fit 63 bits.
    """
    table, rules = _tables(scene, options)
    count = len(rules.dimension)
    gap = np.empty((len(local), count))
    band, on = np.empty((len(local), count), dtype=bool), np.empty((len(local), count), dtype=bool)
    ties, formation = np.empty(len(local), dtype=np.int64), np.empty(len(local), dtype=np.int64)
    _label_all(np.ascontiguousarray(local), table, new_scratch(table), rules, gap, band, on, ties, formation)
    return gap, band, on, ties, formation


@entry
def _label_all(
    local: Floats, t: KernelTables, w: Scratch, r: RuleTables, gap: Floats, band: Flags, on: Flags, ties: Ints, formation: Ints
) -> None:
    corners, faces, face_links, edges, edge_links, points, point_edges, radius, disk_environment = t
    box, tangents, on_edges, on_faces, disk = w
    dimension, pairs, features, offset, larger, clash, weight, overlap_min, tilt_sine, eps_on, eps_pen, interval = r
    count, width = gap.shape[1], len(faces) + len(corners)
    extra = (1 + len(edges) + len(points)) * width
    touching = np.empty(count, dtype=np.int64)
    for i in range(len(local)):
        place_pose(i, local, corners, faces, face_links, edges, points, box, tangents, on_edges, on_faces, disk)
        point_gaps(i, local, faces, face_links, points, radius, box, on_faces, len(edges), gap)
        edge_gaps(i, faces, face_links, edges, edge_links, on_edges, gap)
        if disk_environment:
            disk_gaps(i, local, edges, points, point_edges, radius, disk, extra, gap)
        n, ties[i], formation[i] = 0, 0, 0
        for k in range(count):
            flag = gap[i, k] >= -eps_pen and gap[i, k] <= eps_on
            band[i, k], on[i, k] = flag, False
            if flag:
                touching[n] = k
                n += 1
        # rules 2 and 3
        for m in range(n):
            k = touching[m]
            pair, feature = pairs[k], features[k]
            if pair > len(edges) + len(points):
                e = k - extra
                on[i, k] = e >= len(edges) or over_edge(disk[e, 0], e, edges, edge_links)
            elif pair == 0 or pair > len(edges):
                on[i, k] = over_face(0 if pair == 0 else pair - len(edges), feature, faces, face_links, on_faces)
            elif feature >= len(faces):
                on[i, k] = vertex_over_edge(feature - len(faces), pair - 1, edges, edge_links, on_edges)
            else:
                on[i, k] = edge_on_edge(
                    feature, pair - 1, faces[feature, 2], face_links, edges, on_edges, tangents, overlap_min, tilt_sine, eps_on
                )
        # rule 4: larger templates have settled before smaller ones ask
        for level in (1, 0):
            for m in range(n):
                k = touching[m]
                if not on[i, k] or dimension[k] != level:
                    continue
                for o in range(offset[k], offset[k + 1]):
                    j = larger[o]
                    if on[i, j] and inside(
                        k, j, pairs, features, extra, faces, face_links, edges, point_edges, on_edges, on_faces, disk, radius, eps_on, interval
                    ):
                        on[i, k] = False
                        break
        clashes = False
        for m in range(n):
            if on[i, touching[m]]:
                formation[i] += weight[touching[m]]
                for o in range(m):
                    clashes |= on[i, touching[o]] and clash[touching[m], touching[o]]
        if clashes:
            ties[i] = resolve(i, touching, n, dimension, clash, gap, on)
            formation[i] = 0
            for m in range(n):
                if on[i, touching[m]]:
                    formation[i] += weight[touching[m]]
