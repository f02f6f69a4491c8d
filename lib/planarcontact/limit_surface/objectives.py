"""The losses of document 3: the printed one (Eq. 6) and the one of the authors' released code."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..validation import nonnegative, one_of

__all__ = ["OBJECTIVES", "Weights", "as_weights"]

OBJECTIVES = ("printed", "released")


@dataclass(frozen=True)
class Weights:
    """Trade-off parameters of a fit.

    Attributes:
        ridge: weight of |a|^2 (printed) or |a| (released); the document prints 1.
        velocity: weight eta_1 of the residual that ties grad H(F_i) to V_i.
        force: weight eta_2 of the residual that ties H(F_i) to 1.
        norm: "monomial", the document's |a|, which depends on the axes, or "bombieri", which a rotation leaves alone.
    """

    ridge: float = 0.1
    velocity: float = 1.0
    force: float = 1.0
    norm: str = "monomial"


def as_weights(weights: object) -> Weights:
    """Return `Weights` from None, a `Weights`, a mapping of its fields, (eta_1, eta_2) with ridge 1, or (ridge, velocity, force)."""
    if weights is None:
        weights = Weights()
    elif isinstance(weights, Mapping):
        unknown = set(weights) - {"ridge", "velocity", "force", "norm"}
        if unknown:
            raise InputError("weights", sorted(map(str, unknown)), "are not weights", "use ridge, velocity, force, norm")
        weights = Weights(**weights)
    elif isinstance(weights, (tuple, list, np.ndarray)) and len(weights) in (2, 3):
        weights = Weights(*weights) if len(weights) == 3 else Weights(1.0, *weights)
    elif not isinstance(weights, Weights):
        raise InputError("weights", weights, "is not a set of weights", "pass Weights(ridge=, velocity=, force=)")
    ridge = nonnegative("weights.ridge", weights.ridge)
    velocity = nonnegative("weights.velocity", weights.velocity)
    force = nonnegative("weights.force", weights.force)
    one_of("weights.norm", weights.norm, ("monomial", "bombieri"))
    if force == 0:
        raise InputError("weights.force", force, "must be positive", "without it H = 0 is the optimum")
    return Weights(ridge, velocity, force, weights.norm)
