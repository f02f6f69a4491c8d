"""What footnote 4 of document 3 says of the Gaussian process: its kernel, the unit loads, and the data with their opposites."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..validation import boolean, one_of
from .cross_validation import first_of_the_best
from .gaussian_process import GP_GRID
from .measures import angles, unit_rows
from .protocol import Sample, make_trial

__all__ = ["KERNELS", "kernel_errors"]

Array = NDArray[np.float64]

#: Kernels of scikit-learn, each with the grid of parameters among which validation data choose, as for the noise.
KERNELS = ("squared exponential", "linear", "polynomial")


def kernel_errors(
    condition: str, trials: int, amounts: tuple[int, ...], kernel: str, *, unit: bool = True, opposites: bool = True
) -> Array:
    """Mean test angles of Gaussian processes with one kernel in trials of the study.

    Args:
        condition: a key of `CONDITIONS`.
        trials: the number of trials, from the first on.
        amounts: numbers of training pairs.
        kernel: "squared exponential" (of unit variance, as in the code), "linear", or "polynomial" (degree 2 to 4).
        unit: bring loads to unit length first.
        opposites: add every pair with both signs reversed.

    Returns:
        (trials, amounts) errors [deg].

    Raises:
        InputError: an unknown condition, trial or kernel.
        DataError: the robot data cannot be fetched.
    """
    one_of("kernel", kernel, KERNELS)
    steps = boolean("unit", unit), boolean("opposites", opposites)
    if not amounts:
        raise InputError("amounts", amounts, "is empty")
    out = np.empty((trials, len(amounts)))
    for trial in range(trials):
        data = make_trial(condition, trial)
        for column, amount in enumerate(amounts):
            train = data.pool.take(np.arange(min(amount, len(data.pool))))
            out[trial, column] = _error(train, data.validation, data.tests["ideal"], kernel, *steps)
    return out


def _error(train: Sample, check: Sample, test: Sample, kernel: str, unit: bool, opposites: bool) -> float:
    loads, twists = train.loads, train.twists
    if opposites:
        loads, twists = np.vstack([loads, -loads]), np.vstack([twists, -twists])
    points = [unit_rows(rows) if unit else rows for rows in (loads, check.loads, test.loads)]
    errors, tested = [], []
    for form, noise in product(_forms(kernel), GP_GRID[::-1]):
        inner = form(points[0]) + noise**2 * np.eye(len(loads))
        weights = np.linalg.solve(inner, twists)
        for rows, sample, to in ((points[1], check, errors), (points[2], test, tested)):
            mean = form(rows, points[0]) @ weights
            to.append(float(np.degrees(np.mean(angles(mean, sample.twists)))))
    return tested[first_of_the_best(errors)]


def _forms(kernel: str) -> list:  # type: ignore[type-arg]
    """Kernel functions in the order in which ties are settled: the smoothest first."""
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct

    if kernel == "squared exponential":
        return [RBF(length) for length in GP_GRID[::-1]]
    if kernel == "linear":
        return [ConstantKernel(size**2) * DotProduct(0.0) for size in GP_GRID]
    return [DotProduct(offset) ** degree for degree in (2, 3, 4) for offset in GP_GRID[::-1]]
