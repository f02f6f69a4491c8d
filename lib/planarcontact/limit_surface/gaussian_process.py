"""Twists from loads by Gaussian processes, the document's fourth method: no surface, no way back from twist to load."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError, InputError, UnsupportedError
from ..validation import finite_array, positive
from .cross_validation import first_of_the_best
from .measures import angles, unit_rows
from .model_file import read_content, write_content
from .report import FitReport, FitStatus

__all__ = ["GP_GRID", "GaussianProcessModel", "fit_gaussian_process"]

#: Noise and kernel length among which validation data choose: the grid of the authors' code.
GP_GRID = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
#: Without validation data: the grid's middle.
DEFAULT = (0.4, 0.4)


@dataclass(frozen=True, eq=False)
class GaussianProcessModel:
    """Three independent Gaussian processes from the unit load to the components of the unit twist.

    Squared exponential kernel of unit variance, nothing optimised; loads enter as unit vectors and every datum with its
    opposite, as footnote 4 of document 3 says. All in primed space.

    Attributes:
        directions: (N, 3) unit primed loads of the data [-].
        motions: (N, 3) unit primed twists of the data [-].
        noise: standard deviation of the observations [-].
        scale: length of the kernel [-].
        length: characteristic length rho [m].
        report: the account of the fit.
    """

    directions: NDArray[np.float64]
    motions: NDArray[np.float64]
    noise: float
    scale: float
    length: float
    report: FitReport | None = field(default=None, repr=False)
    kind: str = "gp"

    @cached_property
    def _regressor(self) -> Any:
        from sklearn.gaussian_process import GaussianProcessRegressor
        from sklearn.gaussian_process.kernels import RBF

        kernel = RBF(self.scale, length_scale_bounds="fixed")
        regressor = GaussianProcessRegressor(kernel, alpha=self.noise**2, optimizer=None)
        both = np.vstack([self.directions, -self.directions]), np.vstack([self.motions, -self.motions])
        return regressor.fit(*both)

    def twist(self, loads: ArrayLike) -> NDArray[np.float64]:
        """Return the twists in which the object slides under loads.

        Args:
            loads: (N, 3) or (3,) rows (f_x, f_y, tau) [N, N, N m]; only their direction matters.

        Returns:
            Same shape: rows (v_x, v_y, omega), of unit norm as (v_x, v_y, omega length) [-, -, 1/m].

        Raises:
            InputError: a wrong shape, a non-finite entry, or a load so far from all data that the mean vanishes.
        """
        array = finite_array("loads", loads)
        single = array.ndim == 1
        points = finite_array("loads", array[None] if single else array, (None, 3))
        if not len(points):
            return points
        sizes = np.max(np.abs(points), axis=1, initial=0.0, keepdims=True)
        if not np.all(sizes > 0):
            raise InputError("loads", int(np.argmin(sizes)), "this row is zero", "a zero load has no direction of sliding")
        mean = self._regressor.predict(unit_rows(points, (1.0, 1.0, 1.0 / self.length)))
        norms = np.linalg.norm(mean, axis=1, keepdims=True)
        if not np.all(norms > 0):
            raise InputError("loads", int(np.argmin(norms)), "this row is too far from all data for a prediction")
        twists = mean / norms / (1.0, 1.0, self.length)
        return twists[0] if single else twists

    def value(self, loads: ArrayLike) -> NDArray[np.float64]:
        """A Gaussian process has no level set.

        Raises:
            UnsupportedError: always.
        """
        raise UnsupportedError("a Gaussian process maps loads to twists and has no H; fit one of the polynomial kinds")

    def load(self, twists: ArrayLike) -> NDArray[np.float64]:
        """A Gaussian process cannot be inverted.

        Raises:
            UnsupportedError: always.
        """
        raise UnsupportedError("a Gaussian process gives no load from a twist; fit one of the polynomial kinds")

    def save(self, path: str | Path) -> None:
        """Write the model to a JSON file that `load_file` reads.

        Args:
            path: the file to write.

        Raises:
            InputError: the path is not a path.
            DataError: the file cannot be written.
        """
        content = {
            "format": _FORMAT,
            "noise": self.noise,
            "scale": self.scale,
            "length": self.length,
            "directions": self.directions.tolist(),
            "motions": self.motions.tolist(),
        }
        write_content(path, content)

    @classmethod
    def load_file(cls, path: str | Path) -> "GaussianProcessModel":
        """Read a model that `save` wrote.

        Args:
            path: the JSON file.

        Returns:
            The model, without the report of its fit.

        Raises:
            DataError: no such file, or not a file of this kind.
        """
        content = read_content(path, _FORMAT, "Gaussian process")
        try:
            rows = [finite_array(name, content[name], (None, 3)) for name in ("directions", "motions")]
            return cls(*rows, *(positive(name, content[name]) for name in ("noise", "scale", "length")))
        except (KeyError, InputError) as error:
            raise DataError(f"{path} does not hold a Gaussian process: {error}") from error


_FORMAT = "planarcontact gaussian process 1"


def fit_gaussian_process(
    loads: NDArray[np.float64],
    directions: NDArray[np.float64],
    length: float,
    weights: object,
    check: tuple[NDArray[np.float64], NDArray[np.float64]] | None,
) -> GaussianProcessModel:
    """Condition the processes on primed loads and unit primed twists, with (noise, scale) given, by default, or chosen."""
    unit = unit_rows(loads)
    if weights is not None or check is None:
        noise, scale = _parameters(weights)
    else:
        noise, scale = _choose(unit, directions, *check)
    model = GaussianProcessModel(unit, directions, noise, scale, length)
    report = FitReport(
        kind="gp",
        objective="none",
        degree=0,
        length=length,
        status=FitStatus.OPTIMAL,
        solver="Cholesky through scikit-learn",
        solver_status="solved",
        iterations=0,
        weights={"noise": model.noise, "scale": model.scale},
        loads=loads,
        directions=directions,
        validation=float("nan") if check is None else _error(model, *check),
        training=_error(model, loads, directions),
    )
    return GaussianProcessModel(unit, directions, model.noise, model.scale, length, report)


def _parameters(weights: object) -> tuple[float, float]:
    if weights is None:
        return DEFAULT
    if not isinstance(weights, (tuple, list)) or len(weights) != 2:
        raise InputError("weights", weights, "does not suit a Gaussian process", "pass (noise, scale) or None")
    return positive("weights[0]", weights[0]), positive("weights[1]", weights[1])


def _choose(
    unit: NDArray[np.float64], directions: NDArray[np.float64], loads: NDArray[np.float64], motions: NDArray[np.float64]
) -> tuple[float, float]:
    """Return the noise and kernel length of the grid with the smallest validation error.

    The smoothest first: ties go to the longer kernel, then to the larger noise. With every datum and its opposite, the
    mean is that of the odd kernel k(x, y) - k(x, -y) on the data alone, and one eigendecomposition serves every noise.
    """
    from sklearn.gaussian_process.kernels import RBF

    points = unit_rows(loads)
    pairs, errors = [], []
    for scale in GP_GRID[::-1]:
        kernel = RBF(scale)
        values, vectors = np.linalg.eigh(kernel(unit) - kernel(unit, -unit))
        across = (kernel(points, unit) - kernel(points, -unit)) @ vectors
        rotated = vectors.T @ directions
        for noise in GP_GRID[::-1]:
            pairs.append((noise, scale))
            errors.append(_mean_angle((across / (np.maximum(values, 0.0) + noise**2)) @ rotated, motions))
    return pairs[first_of_the_best(errors)]


def _error(model: GaussianProcessModel, loads: NDArray[np.float64], directions: NDArray[np.float64]) -> float:
    """Mean angle on primed loads and unit primed twists [deg]."""
    return _mean_angle(model._regressor.predict(unit_rows(loads)), directions)


def _mean_angle(mean: NDArray[np.float64], directions: NDArray[np.float64]) -> float:
    """Mean angle between predictions of any size and unit twists [deg]; a vanishing prediction counts as 90 deg."""
    norms = np.linalg.norm(mean, axis=1, keepdims=True)
    unit = np.divide(mean, norms, out=np.zeros_like(mean), where=norms > 0)
    return float(np.degrees(np.mean(angles(unit, directions))))
