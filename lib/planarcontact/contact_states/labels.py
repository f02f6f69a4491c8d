"""What the recognizer returns: labels of a batch of poses, with contact sets and normals on demand."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .catalog import Template, catalog, template_index
from .contact_sets import face_sets
from .formations import code_dtype, decode, weights
from .geometry import Placed, place, tables
from .options import Options
from .scene import Scene

__all__ = ["Labels"]


@dataclass(frozen=True)
class Labels:
    """Labels of N poses over the T templates of a scene's catalog.

    Attributes:
        scene, options: what the poses were labelled with.
        on: (N, T) bool, the principal contacts, ties resolved.
        in_band: (N, T) bool, the naive count: gap between -eps_pen and eps_on.
        gap: (N, T), m.
        ties: (N,) int, contacts dropped because they cannot coexist with one that is reported.
        local: (N, 5), the labelled poses relative to the scene's anchor.
        codes: (N,) formation codes, where they fit 63 bits.
    """

    scene: Scene
    options: Options
    on: NDArray[np.bool_]
    in_band: NDArray[np.bool_]
    gap: NDArray[np.float64]
    ties: NDArray[np.int64]
    local: NDArray[np.float64]
    codes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.on)

    @property
    def ambiguous(self) -> NDArray[np.bool_]:
        """Whether the tolerances leave contacts that cannot coexist, (N,)."""
        return self.ties > 0

    @cached_property
    def formation(self) -> NDArray[np.int64]:
        """Formation codes, (N,): the sum over pairs of (feature + 1) * 9^pair for the document's box."""
        if code_dtype(self.scene) is np.int64:
            return self.codes
        terms = weights(self.scene)
        return np.array([sum(terms[row].tolist()) for row in self.on], dtype=object)

    def names(self, i: int) -> frozenset[str]:
        """Return the names of the contacts that are on at pose i."""
        return decode(self.formation[self._row(i)], self.scene)

    def contact_set(self, i: int, template: "int | str | Template") -> NDArray[np.float64]:
        """Return the contact set of a template at pose i: its two end points.

        Args:
            i: the pose.
            template: index, name or `Template`; its gap must be in the band.

        Returns:
            (2, 2), m, world x z; the two points are equal where the contact is a point. For the disk against E the
            set lies on E.

        Raises:
            InputError: no such pose or template, or the template is not in band at this pose.
        """
        row, t = self._row(i), template_index(self.scene, template)
        if not self.in_band[row, t]:
            entry = catalog(self.scene)[t]
            raise InputError("template", entry.name, f"has no contact set at pose {row}: its gap is {self.gap[row, t]:.3e} m")
        return self._local_set(row, t) + tables(self.scene).anchor

    def normal(self, i: int, template: "int | str | Template") -> NDArray[np.float64]:
        """Return the unit normal of a contact at pose i, from the box towards the other body.

        A face gives its own outward normal, an edge of E or a vertex on it that edge's normal reversed. Between two
        vertices, and between a vertex and the disk, it is the direction from one to the other; where they coincide, or
        the disk's centre lies in the box, the middle of the vertex's two faces. For the disk against E: from the disk.

        Args:
            i: the pose.
            template: index, name or `Template`, in band or not.

        Returns:
            (2,), world x z, of length 1.

        Raises:
            InputError: no such pose or template.
        """
        row, t = self._row(i), template_index(self.scene, template)
        placed, table = self._placed(row), tables(self.scene)
        faces, edges = len(table.faces), len(table.base)
        pair, feature = divmod(t, faces + len(table.corners))
        if pair > edges + len(table.points):
            other = t - (faces + len(table.corners)) * (1 + edges + len(table.points))
            if other < edges:
                return -table.normals[other]
            fallback = -_unit(table.normals[table.point_edges[other - edges]].sum(axis=0), np.array((0.0, 1.0)))
            return _unit(table.points[other - edges] - placed.disk[0], fallback)
        if feature < faces:
            return placed.face_normal[0, feature]
        if 1 <= pair <= edges:
            return -table.normals[pair - 1]
        around = self.scene.body.vertex_faces[feature - faces]
        middle = _unit(placed.face_normal[0, around].sum(axis=0), np.array((0.0, 1.0)))
        towards = placed.disk[0] if pair == 0 else table.points[pair - 1 - edges]
        if pair == 0 and (np.sum((towards - placed.face_start[0]) * placed.face_normal[0], axis=-1) < 0.0).all():
            return middle
        return _unit(towards - placed.corners[0, feature - faces], middle)

    def _row(self, i: int) -> int:
        if not isinstance(i, (int, np.integer)) or isinstance(i, bool) or not -len(self) <= i < len(self):
            raise InputError("i", i, f"is no pose of these {len(self)}")
        return int(i) % len(self)

    def _placed(self, row: int) -> Placed:
        return place(np, self.local[row : row + 1], tables(self.scene))

    def _local_set(self, row: int, t: int) -> NDArray[np.float64]:
        placed, table = self._placed(row), tables(self.scene)
        faces, edges = len(table.faces), len(table.base)
        pair, feature = divmod(t, faces + len(table.corners))
        if pair > edges + len(table.points):
            other = t - (faces + len(table.corners)) * (1 + edges + len(table.points))
            if other >= edges:
                return np.stack([table.points[other - edges]] * 2)
            sets = face_sets(placed, table, self.options)
            span = np.array((sets.disk_start[0, other], sets.disk_stop[0, other]))
            return table.base[other] + span[:, None] * table.tangents[other]
        if feature >= faces:
            return np.stack([placed.corners[0, feature - faces]] * 2)
        sets = face_sets(placed, table, self.options)
        span = np.array((sets.start[0, pair, feature], sets.stop[0, pair, feature]))
        return placed.face_start[0, feature] + span[:, None] * placed.face_tangent[0, feature]


def _unit(vector: NDArray[np.float64], fallback: NDArray[np.float64]) -> NDArray[np.float64]:
    length = float(np.hypot(*vector))
    return vector / length if length > 0.0 else fallback
