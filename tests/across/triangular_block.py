"""The triangular block of document 3 on its widest supports, with three surfaces of its friction."""

import numpy as np

from planarcontact.limit_surface import LimitSurfaceModel, SupportPoints, TriangularBlock, fit, howe_cutkosky, statics_pressures

BLOCK = TriangularBlock()
POINTS = BLOCK.supports("10_130")
MU = 0.3
INERTIA = BLOCK.mass * BLOCK.length**2
START = np.array([0.3, 0.1, 4.0])


def three_points(mu: float = MU) -> SupportPoints:
    return SupportPoints(POINTS, statics_pressures(POINTS, BLOCK.weight), mu, BLOCK.length)


def quartic() -> LimitSurfaceModel:
    twists = np.random.default_rng(0).normal(size=(100, 3)) / [1.0, 1.0, BLOCK.length]
    return fit(three_points().load(twists), twists, kind="poly4-cvx", length=BLOCK.length)


def isotropic(reach: float) -> LimitSurfaceModel:
    """|f|^2 + (tau / reach)^2 = (mu weight)^2, moments about the COM's projection."""
    largest = MU * BLOCK.weight
    return LimitSurfaceModel.from_coefficients(
        np.array([1.0, 0.0, 0.0, 1.0, 0.0, (BLOCK.length / reach) ** 2]) / largest**2, degree=2, length=BLOCK.length
    )


SURFACES = {"three points": three_points(), "ellipsoid": howe_cutkosky(three_points()), "quartic": quartic()}
