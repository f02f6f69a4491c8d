"""The four rules and ties, compiled: the twin of `rules`, held to it by a test.

The gaps of a block of poses are computed together; then each pose is settled by itself, and only its templates in band are
looked at, so a pose that touches nothing costs its gaps alone.
"""

from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import kernel_entry
from .catalog import catalog, closures, conflicts
from .formations import code_dtype, weights
from .geometry import tables
from .kernel_gaps import BLOCK, KernelTables, Scratch, block_gaps, kernel_tables, new_scratch, place_block
from .kernel_settle import settle_block, write_block
from .options import Options
from .scene import Scene

__all__ = ["compiled_labels"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]
entry = partial(kernel_entry, sources=list(Path(__file__).parent.glob("kernel*.py")))


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
    band, on = np.empty((len(local), count), dtype=bool), np.zeros((len(local), count), dtype=bool)
    ties, formation = np.empty(len(local), dtype=np.int64), np.empty(len(local), dtype=np.int64)
    scratch, sets = new_scratch(table, count), np.empty((count, 2))
    _label_all(np.ascontiguousarray(local), table, scratch, rules, sets, gap, band, on, ties, formation)
    return gap, band, on, ties, formation


@entry
def _label_all(
    local: Floats, t: KernelTables, w: Scratch, r: RuleTables, sets: Floats, gap: Floats, band: Flags, on: Flags, ties: Ints, formation: Ints
) -> None:
    corners, faces, face_links, edges, edge_links, _, point_edges, radius, disk_environment = t
    turn, centres, box, tangents, on_edges, on_faces, disk, heights, gaps, square, depth = w
    dimension, pairs, features, offset, larger, clash, weight, overlap_min, tilt_sine, eps_on, eps_pen, interval = r
    extra = (len(edges) + len(centres)) * (len(faces) + len(corners))
    for first in range(0, len(local), BLOCK):
        size = min(BLOCK, len(local) - first)
        place_block(first, size, local, corners, faces, face_links, edges, turn, centres, box, tangents, on_edges, on_faces, disk)
        block_gaps(
            size, faces, face_links, edges, edge_links, point_edges, radius, disk_environment, centres, box, on_edges, on_faces, disk, heights,
            gaps, square, depth,
        )  # fmt: skip
        write_block(first, size, eps_on, eps_pen, gaps, gap, band)
        settle_block(
            first, size, extra, dimension, pairs, features, offset, larger, clash, weight, overlap_min, tilt_sine, eps_on, interval, faces,
            face_links, edges, edge_links, point_edges, radius, tangents, on_edges, on_faces, disk, heights, sets, gap, band, on, ties, formation,
        )  # fmt: skip
