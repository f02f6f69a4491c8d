"""When a perturbed pose must get the label of the exact pose beside it: "well away", in full, and the bound.

A displacement of size eta moves every corner of the box, and the disk's centre, by at most eta. With eps_on the
separation that still touches, the recognizer returns exactly the principal contacts of an exact pose, unambiguously, at
every pose within eta of it, if eta <= eps_on / 2 and the exact pose is well away from degenerate ones with the margins of
`Margins`. The derivation is in the book, chapter "Contact states: correctness".
"""

from dataclasses import dataclass
from math import asin, hypot, inf, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UnsupportedError
from ..validation import finite_array, positive
from .exact import Clearance, clearance, examine
from .exact_scene import ENDS, FEATURES, OTHERS, ExactPose, ExactScene
from .options import Options

__all__ = ["Margins", "displaced", "displacement", "greatest_displacement", "well_away"]


def greatest_displacement(options: Options = Options()) -> float:
    """Return the largest eta for which the statement holds, m: eps_on / 2, or eps_pen / 2 where that is smaller.

    Box and disk may each move by eta along the normal of their contact, so its gap changes by up to 2 eta.

    Raises:
        UnsupportedError: options with `depenetrate=True`, which moves the box further; the statement is derived without.
    """
    if options.depenetrate:
        raise UnsupportedError("the correctness statement is derived for depenetrate=False")
    return min(options.eps_on, options.eps_pen) / 2


@dataclass(frozen=True)
class Margins:
    """What a well-away pose keeps from being degenerate.

    Attributes:
        eta: size of the displacement, m.
        ground: distance of a feature of the box and one of E that do not touch, m.
        disk: distance of the disk and a feature of the box that do not touch, m.
        angle: angle of two edges that touch without being a principal contact, rad.
        overlap: overlap of two edges in contact, m.
        foot: distance of the disk's touching point from the face's ends, or of its centre beyond the faces at a
            vertex, m.
    """

    eta: float
    ground: float
    disk: float
    angle: float
    overlap: float
    foot: float

    @classmethod
    def of(cls, eta: float, options: Options = Options(), scene: ExactScene = ExactScene()) -> "Margins":
        """Return the margins for displacements of size eta (m), which may be at most `greatest_displacement`."""
        positive("eta", eta)
        a, r = float(scene.side), float(scene.radius)
        shortest = min(a, float(scene.height))
        least = a / 16
        return cls(
            eta=eta,
            ground=options.eps_on + eta,
            disk=options.eps_on + 2 * eta,
            angle=asin(options.eps_on / shortest) + 2 * asin(eta / (sqrt(2) * a)),
            overlap=least + eta,
            # first order exactly, second order bounded by the turn squared
            foot=eta * (1 + hypot(1, 2 * r / a)) + (eta / a) ** 2 * (a + r),
        )


def well_away(pose: ExactPose, margins: Margins, options: Options = Options(), scene: ExactScene = ExactScene()) -> list[str]:
    """Return what keeps an admissible exact pose from being well away; an empty list if nothing does.

    Args:
        pose: the exact pose.
        margins: from `Margins.of`.
        options: the recognizer's; with `contact_set_disk="interval"` the disk may come near a face's end.
        scene: the exact scene.

    Returns:
        Any of "a vertex meets vS", "ground", "disk", "angle", "overlap", "foot".

    Raises:
        InputError: the pose is not admissible.
    """
    found, contacts = clearance(pose, scene), examine(pose, scene).contacts
    reasons = []
    if not _only_boundaries(found, contacts):
        reasons.append("a vertex meets vS")
    apart = dict(found.apart)
    # with "interval" a face in contact absorbs its end vertices, and the faces beyond them touch at no interior point
    absorbed = {i for k in contacts if k < 4 and options.contact_set_disk == "interval" for i in _around(k)}
    if min((d for i, d in apart.items() if i >= 8), default=inf) < margins.ground:
        reasons.append("ground")
    if min((d for i, d in apart.items() if i < 8 and i not in absorbed), default=inf) < margins.disk:
        reasons.append("disk")
    if found.angle < margins.angle:
        reasons.append("angle")
    if found.overlap < margins.overlap:
        reasons.append("overlap")
    if min((length for _, length in found.foot), default=inf) < margins.foot:
        reasons.append("foot")
    return reasons


def _around(face: int) -> set[int]:
    """A face's end vertices and the faces that share them."""
    ends = set(ENDS[FEATURES[face]])
    return {i for i, name in enumerate(FEATURES) if name in ends or (i != face and i < 4 and ends & set(ENDS[name]))}


def _only_boundaries(found: Clearance, contacts: frozenset[int]) -> bool:
    """Whether what touches is principal, an end of something principal, or two edges that cross at an end."""
    free = {i for i, _ in found.apart} | {i for i, _, _ in found.crossing} | set(contacts)
    for i in set(range(8, 40)) - free:
        feature, other = FEATURES[i % 8], OTHERS[i // 8]
        features = {feature} | {face for face, ends in ENDS.items() if feature in ends}
        others = {other} | ({"S", "P"} if other == "vS" else set())
        if not any(FEATURES[k % 8] in features and OTHERS[k // 8] in others for k in contacts):
            return False
    return not any(k >= 36 for k in contacts)  # two vertices part at any displacement


def displacement(poses: ArrayLike, base: ArrayLike, side: float = 0.125) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how far the box's corners at most, and the disk's centre, lie from those of a base pose.

    Args:
        poses: (N, 5), m and rad.
        base: (5,) or (N, 5).
        side: of the box, m.

    Returns:
        (N,) for the box and (N,) for the disk, m.
    """
    moved, rest = finite_array("poses", poses, (None, 5)), np.atleast_2d(finite_array("base", base))
    corners = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)]) * side / 2

    def placed(q: NDArray[np.float64]) -> NDArray[np.float64]:
        c, s = np.cos(q[:, 2, None]), np.sin(q[:, 2, None])
        return np.stack((q[:, :1] + c * corners[:, 0] + s * corners[:, 1], q[:, 1:2] + c * corners[:, 1] - s * corners[:, 0]))

    box = np.sqrt(((placed(moved) - placed(rest)) ** 2).sum(axis=0)).max(axis=1)
    return box, np.hypot(*(moved[:, 3:] - rest[:, 3:]).T)


def displaced(base: ArrayLike, sizes: ArrayLike, seed: int, side: float = 0.125) -> NDArray[np.float64]:
    """Return poses whose box and disk are each displaced by exactly the given sizes, in random ways.

    A third of them are pure shifts, a third pure turns about a random point near the box, the rest are mixed.

    Args:
        base: (N, 5), the exact poses in floats, m and rad.
        sizes: (N,), m.
        seed: of the generator.
        side: of the box, m.

    Returns:
        (N, 5); the largest displacement of a corner is `sizes` less at most 1e-6 of it, never more.
    """
    rest, size = finite_array("base", base, (None, 5)), finite_array("sizes", sizes, (None,))
    random, count = np.random.default_rng(seed), len(rest)
    way = random.normal(size=(count, 3)) * (1.0, 1.0, 1.0 / side)
    kind = random.integers(3, size=count)
    way[kind == 0, 2] = 0.0
    about = random.uniform(-side, side, (count, 2)) * (kind == 1)[:, None]
    turning = kind == 1
    way[turning, 0], way[turning, 1] = (way[:, 2] * about[:, 1])[turning], (-way[:, 2] * about[:, 0])[turning]
    towards = random.uniform(0.0, 2.0 * np.pi, count)
    moved = rest.copy()
    moved[:, 3] += size * np.cos(towards) * (1.0 - 1e-9)
    moved[:, 4] += size * np.sin(towards) * (1.0 - 1e-9)
    scale = np.full(count, 1e-6)
    for _ in range(6):  # the displacement is nearly linear in the scale
        moved[:, :3] = rest[:, :3] + scale[:, None] * way
        scale *= size / displacement(moved, rest, side)[0]
    moved[:, :3] = rest[:, :3] + scale[:, None] * (1.0 - 1e-8) * way
    return moved
