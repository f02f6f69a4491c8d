"""The losses of document 3: the printed one (Eq. 6) and the one of the authors' released code."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..validation import FARTHEST, finite_array, finite_number, nonnegative, one_of

__all__ = ["BOARD_GRID", "OBJECTIVES", "SIMULATION_GRID", "WeightGrid", "Weights", "as_weights"]

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


@dataclass(frozen=True)
class WeightGrid:
    """Weights among which validation data choose.

    Attributes:
        ridge, force: values of these weights; every pair is tried.
        velocity, norm: the same for all.
    """

    ridge: tuple[float, ...]
    force: tuple[float, ...]
    velocity: float = 1.0
    norm: str = "monomial"

    def __iter__(self) -> Iterator[Weights]:
        """Yield the checked weights, the largest ridge first, then the smallest force: the order in which ties are settled."""
        for name in ("ridge", "force"):
            if not finite_array(f"weights.{name}", getattr(self, name), (None,), largest=FARTHEST).size:
                raise InputError(f"weights.{name}", getattr(self, name), "holds no value to choose from")
        for ridge in sorted(self.ridge, reverse=True):
            for force in sorted(self.force):
                yield as_weights(Weights(ridge, self.velocity, force, self.norm))


#: The grids of the authors' code, for simulations and for pokes.
SIMULATION_GRID = WeightGrid((0.0, 0.1, 2.0, 8.0), (0.5, 1.0, 4.0))
BOARD_GRID = WeightGrid((0.1, 2.0, 8.0, 16.0), (0.1, 1.0, 4.0, 8.0))


def as_weights(weights: object) -> Weights:
    """Return `Weights` from None, a `Weights`, a mapping of its fields, (eta_1, eta_2) with ridge 1, or (ridge, velocity, force)."""
    if weights is None:
        weights = Weights()
    elif isinstance(weights, Mapping):
        unknown = set(weights) - {"ridge", "velocity", "force", "norm"}
        if unknown:
            raise InputError("weights", sorted(map(str, unknown)), "are not weights", "use ridge, velocity, force, norm")
        weights = Weights(**weights)
    elif isinstance(weights, (tuple, list)) or isinstance(weights, np.ndarray) and weights.ndim == 1:
        if len(weights) not in (2, 3):
            raise InputError("weights", weights, "are neither two nor three numbers", "pass Weights(ridge=, velocity=, force=)")
        weights = Weights(*weights) if len(weights) == 3 else Weights(1.0, *weights)
    elif not isinstance(weights, Weights):
        raise InputError("weights", weights, "is not a set of weights", "pass Weights(ridge=, velocity=, force=)")
    ridge, velocity, force = (_weight(name, getattr(weights, name)) for name in ("ridge", "velocity", "force"))
    one_of("weights.norm", weights.norm, ("monomial", "bombieri"))
    if force == 0:
        raise InputError("weights.force", force, "must be positive", "without it H = 0 is the optimum")
    if force < 1.0 / FARTHEST:
        raise InputError("weights.force", force, f"is less than {1.0 / FARTHEST:g}, by which the others are divided", "pass a larger one")
    return Weights(ridge, velocity, force, weights.norm)


def _weight(name: str, value: object) -> float:
    if type(value) is float and 0.0 <= value <= FARTHEST:  # the usual case, which comes once per candidate of a grid
        return value
    return nonnegative(f"weights.{name}", finite_number(f"weights.{name}", value, largest=FARTHEST))  # type: ignore[arg-type]
