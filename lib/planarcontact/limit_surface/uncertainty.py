"""How far a predicted twist may be off: cones from the bootstrap, calibrated on the data that each resample left out."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ConvergenceError, InputError
from ..validation import finite_array, finite_number
from .checks import seed_number
from .identification import fit
from .measures import angles
from .model import LimitSurfaceModel

__all__ = ["TwistCones", "bootstrap"]


@dataclass(frozen=True, eq=False)
class TwistCones:
    """Cones of twists about a model's predictions.

    The half angle at a load is the spread of the resampled models there, times a factor: the quantile, over the data, of a
    datum's angle to the models that did not see it, in units of their spread. The cones are for new *measurements*, noise
    included; `spread` alone is the model's own uncertainty.

    Attributes:
        model: the fit to all data.
        replicates: the fits to resamples.
        scores: (N,) angle of each datum to the mean of the models that left it out, over their spread [-].
        floor: added in square to the spread, so that data where all models agree count too [rad].
    """

    model: LimitSurfaceModel
    replicates: tuple[LimitSurfaceModel, ...]
    scores: NDArray[np.float64]
    floor: float

    def spread(self, loads: ArrayLike) -> NDArray[np.float64]:
        """Return the root mean square angle between the model's twist and the replicates' ones.

        Args:
            loads: (N, 3) rows (f_x, f_y, tau) [N, N, N m].

        Returns:
            (N,) angles [rad].

        Raises:
            InputError: as in `LimitSurfaceModel.twist`.
        """
        rows = finite_array("loads", loads, (None, 3))
        centre = _primed(self.model, rows)
        off = [angles(_primed(replicate, rows), centre) for replicate in self.replicates]
        return np.sqrt(np.mean(np.square(off), axis=0))

    def half_angle(self, loads: ArrayLike, coverage: float = 0.9) -> NDArray[np.float64]:
        """Return half angles of cones that should hold a new measured twist with a given probability.

        Args:
            loads: (N, 3) rows (f_x, f_y, tau) [N, N, N m].
            coverage: probability, between 0 and 1 [-].

        Returns:
            (N,) half angles about `model.twist(loads)`, in primed space [rad]; at most pi.

        Raises:
            InputError: a coverage out of range, or what `LimitSurfaceModel.twist` raises.
        """
        share = finite_number("coverage", coverage)
        if not 0.0 < share < 1.0:
            raise InputError("coverage", share, "must lie between 0 and 1")
        count = len(self.scores)
        rank = min(count, int(np.ceil(share * (count + 1))))
        factor = float(np.sort(self.scores)[rank - 1])
        return np.minimum(np.pi, factor * np.hypot(self.spread(loads), self.floor))


def bootstrap(loads: ArrayLike, twists: ArrayLike, *, kind: str, replicates: int = 100, seed: int, **options: Any) -> TwistCones:
    """Fit a model, and replicates to resamples of its data, and calibrate cones on what the resamples left out.

    Args:
        loads: (N, 3) rows (f_x, f_y, tau) [N, N, N m].
        twists: (N, 3) rows (v_x, v_y, omega) [m/s, m/s, rad/s].
        kind: as in `fit`.
        replicates: number of resamples, at least 20.
        seed: of the resamples.
        options: further options of `fit`; weights chosen on validation data are chosen once, for all data.

    Returns:
        The cones.

    Raises:
        InputError: as in `fit`; fewer than 5 data or 20 replicates.
        ConvergenceError: as in `fit`; or a datum that every resample holds.
    """
    if isinstance(replicates, bool) or not isinstance(replicates, (int, np.integer)) or replicates < 20:
        raise InputError("replicates", replicates, "must be an integer of at least 20")
    model = fit(loads, twists, kind=kind, **options)
    if not isinstance(model, LimitSurfaceModel) or model.report is None:
        raise InputError("kind", kind, "has no coefficients", "use one of the polynomial kinds")
    forces, motions = finite_array("loads", loads, (None, 3)), finite_array("twists", twists, (None, 3))
    count = len(forces)
    if count < 5:
        raise InputError("loads", count, "rows are too few to resample", "use at least 5")
    fixed = {**options, "weights": model.report.weights, "validation": None}
    rng = np.random.default_rng(seed_number(seed))
    found, absent = [], np.zeros((replicates, count), dtype=bool)
    for row in range(replicates):
        drawn = rng.integers(count, size=count)
        absent[row] = np.bincount(drawn, minlength=count) == 0
        found.append(fit(forces[drawn], motions[drawn], kind=kind, **fixed))
    if not np.all(np.any(absent, axis=0)):
        raise ConvergenceError("every resample holds some datum: use more replicates")
    predicted = np.array([_primed(replicate, forces) for replicate in found])
    measured = model.report.directions
    centre = np.einsum("rn,rnk->nk", absent, predicted)
    centre /= np.linalg.norm(centre, axis=1, keepdims=True)
    off = np.array([angles(rows, centre) for rows in predicted])
    spread = np.sqrt(np.sum(absent * off**2, axis=0) / np.sum(absent, axis=0))
    residual = angles(centre, measured)
    floor = float(np.median(residual))
    return TwistCones(model, tuple(found), residual / np.hypot(spread, floor), floor)


def _primed(model: LimitSurfaceModel, loads: NDArray[np.float64]) -> NDArray[np.float64]:
    return model.twist(loads) * (1.0, 1.0, model.length)
