"""Predicting the pokes themselves: from a fitted surface and the finger's motion to the object's motion."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ConvergenceError, InputError
from ..validation import FARTHEST, finite_array, nonnegative
from .block import TriangularBlock
from .checks import instance_of
from .identification import fit
from .pushing import Push, Surface, checked_surface, push
from .robot_data import Pokes

__all__ = ["PokePredictions", "Touch", "finger_friction", "held_out_pokes", "predict_pokes", "touch_of_finger"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Touch:
    """Where a round finger touches a convex polygon.

    Attributes:
        edge: index of the edge, from corner `edge` to the next; -1 if the finger touches a corner.
        point: (2,) contact point in the body frame [m].
        normal: (2,) unit normal into the object [-].
        gap: distance of the finger's centre from the outline, negative inside [m].
    """

    edge: int
    point: Array
    normal: Array
    gap: float


def touch_of_finger(outline: ArrayLike, centre: ArrayLike) -> Touch:
    """Find the point of a convex outline that is nearest to a finger's centre.

    Args:
        outline: (M, 2) corners, counter-clockwise [m].
        centre: (2,) centre of the finger in the body frame [m].

    Returns:
        The contact.

    Raises:
        InputError: an argument is unusable.
    """
    corners = finite_array("outline", outline, (None, 2), largest=FARTHEST)
    at = finite_array("centre", centre, (2,), largest=FARTHEST)
    edges = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(edges, axis=1)
    if len(corners) < 3 or not (lengths > 0.0).all():
        raise InputError("outline", corners, "is not a polygon", "list three or more corners, each once")
    along = edges / lengths[:, None]
    outward = np.column_stack([along[:, 1], -along[:, 0]])
    height = ((at - corners) * outward).sum(axis=1)
    k = int(height.argmax())
    share = float((at - corners[k]) @ along[k])
    if 0.0 <= share <= lengths[k]:
        return Touch(k, corners[k] + share * along[k], -outward[k], float(height[k]))
    corner = corners[k] if share < 0.0 else corners[(k + 1) % len(corners)]
    distance = float(np.linalg.norm(at - corner))
    if distance == 0.0:
        raise InputError("centre", at, "lies on a corner of the outline, where no normal is")
    return Touch(-1, corner, (corner - at) / distance, distance)


@dataclass(frozen=True)
class PokePredictions:
    """Predicted motions of pokes beside the measured ones.

    Attributes:
        modes: (N,) "sticking", "sliding left", "sliding right", "separating" or "none" where no motion exists.
        twists: (N, 3) predicted motions during the finger's motion, body frame [m, m, rad]; zero if none.
        angle: (N,) angle between predicted and measured motion in primed space [deg]; 180 if none.
        turn_error: (N,) predicted less measured turn [rad].
        way_error: (N,) distance between predicted and measured displacement of the centre of mass [m].
    """

    modes: tuple[str, ...]
    twists: Array
    angle: Array
    turn_error: Array
    way_error: Array


def predict_pokes(surface: Surface, pokes: Pokes, *, mu: float, outline: ArrayLike | None = None) -> PokePredictions:
    """Predict the motion of each poke from the finger's place and motion alone; the measured force is not used.

    The prediction is that of one instant, with the contact's mean place and the finger's whole motion.

    Args:
        surface: a fitted model or an ideal limit surface.
        pokes: the pokes.
        mu: coefficient of friction between finger and object, zero or more.
        outline: (M, 2) corners of the object, by default the triangular block's [m].

    Returns:
        The predictions.

    Raises:
        InputError: an argument is unusable.
    """
    friction = nonnegative("mu", mu)
    checked_surface(surface)
    instance_of("pokes", pokes, Pokes, "pass what `extract_pokes` returns")
    corners = TriangularBlock().vertices if outline is None else outline
    outcomes = [
        _one(surface, touch_of_finger(corners, at), friction, way) for at, way in zip(pokes.contacts, pokes.tip_motion)
    ]
    twists = np.array([np.zeros(3) if out is None else out.twist for out in outcomes])
    scale = np.array([1.0, 1.0, pokes.length])
    a, b = twists * scale, pokes.displacements * scale
    across = np.linalg.norm(np.cross(a, b), axis=1)
    angle = np.degrees(np.where(a.any(axis=1), np.arctan2(across, (a * b).sum(axis=1)), np.pi))
    return PokePredictions(
        tuple("none" if out is None else str(out.mode) for out in outcomes),
        twists,
        angle,
        twists[:, 2] - pokes.displacements[:, 2],
        np.linalg.norm(twists[:, :2] - pokes.displacements[:, :2], axis=1),
    )


def _one(surface: Surface, touch: Touch, mu: float, way: Array) -> Push | None:
    try:
        return push(surface, touch.point, touch.normal, mu, way)
    except ConvergenceError:  # no quasi-static motion exists for this surface and friction: counted, not hidden
        return None


def finger_friction(pokes: Pokes, *, quantile: float = 0.9, outline: ArrayLike | None = None) -> float:
    """Estimate the friction between finger and object from the directions of measured forces.

    A sliding finger's force lies on the edge of the friction cone, a sticking one's inside: so the larger angles
    gather at the coefficient. A high quantile is taken, since single measurements overshoot.

    Args:
        pokes: the pokes.
        quantile: which quantile of |tangential| / normal, in (0, 1].
        outline: (M, 2) corners of the object, by default the triangular block's [m].

    Returns:
        The coefficient of friction [-].

    Raises:
        InputError: the quantile is out of range.
    """
    if not 0.0 < quantile <= 1.0:
        raise InputError("quantile", quantile, "must lie in (0, 1]")
    corners = TriangularBlock().vertices if outline is None else outline
    normals = np.array([touch_of_finger(corners, at).normal for at in pokes.contacts])
    along = (pokes.loads[:, :2] * normals).sum(axis=1)
    across = normals[:, 0] * pokes.loads[:, 1] - normals[:, 1] * pokes.loads[:, 0]
    return float(np.quantile(np.abs(across) / np.maximum(along, 1e-9), quantile))


def held_out_pokes(
    pokes: Pokes, *, kind: str, objective: str = "printed", folds: int = 5, seed: int = 0
) -> Iterator[tuple[NDArray[np.int64], Surface, float]]:
    """Fit a model to all pokes but those of one fold, for each fold; of the others a quarter chooses the weights.

    Args:
        pokes: the pokes.
        kind: kind of model, "poly4-cvx", "poly4" or "quad".
        objective: "printed" or "released".
        folds: number of folds.
        seed: seed of the division into folds.

    Yields:
        Indices of the held-out pokes, the model, and the finger's friction estimated from the pokes that were used.

    Raises:
        InputError: too few pokes for the folds.
    """
    if not 2 <= folds <= len(pokes) // 2:
        raise InputError("folds", folds, f"folds cannot be made of {len(pokes)} pokes")
    parts = np.array_split(np.random.default_rng(seed).permutation(len(pokes)), folds)
    for k, held in enumerate(parts):
        used = np.concatenate([part for j, part in enumerate(parts) if j != k])
        cut = len(used) // 4
        check, train = used[:cut], used[cut:]
        model = fit(
            pokes.loads[train],
            pokes.twists[train],
            kind=kind,
            objective=objective,
            length=pokes.length,
            validation=(pokes.loads[check], pokes.twists[check]),
        )
        yield held, model, finger_friction(some_pokes(pokes, used))


def some_pokes(pokes: Pokes, rows: NDArray[np.int64]) -> Pokes:
    """The given pokes alone."""
    names = ("loads", "twists", "contacts", "displacements", "tip_motion")
    return replace(pokes, **{name: getattr(pokes, name)[rows] for name in names})
