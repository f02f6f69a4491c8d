"""Identification of limit surfaces from loads and twists."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ConvergenceError, InputError
from ..validation import boolean, finite_array, one_of, positive
from .certificate import Certificate, certify
from .cross_validation import COLLAPSE, choose
from .gaussian_process import GaussianProcessModel, fit_gaussian_process
from .measures import mean_angle, unit_rows
from .model import LimitSurfaceModel
from .objectives import OBJECTIVES, SIMULATION_GRID, WeightGrid, Weights, as_weights
from .polynomial import even_degree
from .problem import FitProblem
from .report import FitReport, FitStatus
from .solve import Solution, solve
from .sos import outer_change

__all__ = ["KINDS", "fit"]

KINDS = ("quad", "poly4", "poly4-cvx", "gp")

#: The largest load, to the power of the degree, must lie within this power of ten of 1 N: coefficients are its inverse.
_DECADES = 150.0


def fit(
    loads: ArrayLike,
    twists: ArrayLike,
    *,
    kind: str,
    objective: str = "printed",
    degree: int = 4,
    length: float = 1.0,
    weights: object = None,
    validation: tuple[ArrayLike, ArrayLike] | None = None,
    whiten: bool = False,
    solver: str = "CLARABEL",
) -> LimitSurfaceModel | GaussianProcessModel:
    """Identify a limit surface from measured loads and twists (document 3, section IV-C).

    Args:
        loads: (N, 3) rows (f_x, f_y, tau) [N, N, N m], what the object applies to the surface.
        twists: (N, 3) rows (v_x, v_y, omega) [m/s, m/s, rad/s]; only their direction matters.
        kind: "quad", "poly4" (no convexity), "poly4-cvx" (sos-convex) or "gp".
        objective: "printed" (Eq. 6) or "released" (the loss of the authors' code).
        degree: even degree of the two "poly4" kinds.
        length: characteristic length rho [m]; angles are measured between (v_x, v_y, omega rho).
        weights: `Weights`, a mapping of its fields, (eta_1, eta_2) as printed, or (ridge, velocity, force); a
            `WeightGrid` or None to choose from a grid on the validation data; None without validation data is ridge 0.1
            and ones. For "gp": (noise, length) or None.
        validation: (loads, twists) on which the mean angle is reported and, where they are not given, weights are chosen.
        whiten: measure residuals in whitened loads.
        solver: "CLARABEL" (called directly, then centred), "COMPILED" (the central path from the interior: the same point,
            sooner), "CVXPY" (the statement in cvxpy, solved by Clarabel) or the name of another solver that cvxpy knows,
            such as "SCS".

    Returns:
        A model with a `report`; the mean of `value(loads)` is 1.

    Raises:
        InputError: shapes, non-finite entries, zero rows, F . V < 0 for most rows, an odd degree, unknown names.
        ConvergenceError: the solver found no solution, or the optimum is H = 0.
    """
    one_of("kind", kind, KINDS)
    one_of("objective", objective, OBJECTIVES)
    d = 2 if kind == "quad" else even_degree(degree)
    rho = positive("length", length)
    whitened = boolean("whiten", whiten)
    forces, directions = prepare("", loads, twists, rho)
    check = None if validation is None else _pair(validation, rho)
    if kind == "gp":
        return fit_gaussian_process(forces, directions, rho, weights, check)
    grid = isinstance(weights, WeightGrid)
    if grid and check is None:
        raise InputError("weights", weights, "is a grid without validation data", "pass validation=(loads, twists)")
    largest = float(np.max(np.abs(forces)))
    if abs(np.log10(largest)) * d > _DECADES:
        raise InputError(
            "loads", largest, f"is the scale of the loads, whose power {d} float64 cannot hold with its inverse",
            "pass the loads in other units",
        )
    problem = FitProblem.build(
        forces,
        directions,
        degree=d,
        convex=kind != "poly4",
        objective=objective,
        weights=Weights() if grid else as_weights(weights),
        whiten=whitened,
    )
    if check is None or not (grid or weights is None):
        return finish(problem, solve(problem, solver), kind, rho, check)
    problem, solution = choose(problem, weights if grid else SIMULATION_GRID, solver, check)
    return finish(problem, solution, kind, rho, check)


def _pair(validation: object, length: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    try:
        loads, twists = validation  # type: ignore[misc]
    except (TypeError, ValueError) as error:
        raise InputError("validation", validation, "is not a pair", "pass validation=(loads, twists)") from error
    return prepare("validation ", loads, twists, length)


def prepare(
    which: str, loads: ArrayLike, twists: ArrayLike, length: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Check loads and twists and return primed loads (N, 3) and unit primed twists (N, 3)."""
    forces = finite_array(f"{which}loads", loads, (None, 3))
    motions = finite_array(f"{which}twists", twists, (None, 3))
    if len(forces) != len(motions):
        raise InputError(f"{which}twists", len(motions), f"rows, but there are {len(forces)} loads")
    if not len(forces):
        raise InputError(f"{which}loads", 0, "rows", "at least one datum is needed")
    for name, rows in ((f"{which}loads", forces), (f"{which}twists", motions)):
        sizes = np.max(np.abs(rows), axis=1)
        if not np.all(sizes > 0):
            raise InputError(f"{name}[{int(np.argmin(sizes))}]", 0.0, "is a zero row", "remove that datum: nothing slides there")
    directions = unit_rows(motions, (1.0, 1.0, length))
    with np.errstate(over="ignore", under="ignore"):
        forces = forces / (1.0, 1.0, length)
    if not (np.all(np.isfinite(forces)) and np.all(np.any(forces, axis=1))):
        raise InputError("length", length, f"takes the moments of {which}loads out of the range of float64", "check its unit")
    negative = int(np.sum(np.sum(forces * directions, axis=1) < 0))
    if 2 * negative > len(forces):
        raise InputError(
            f"{which}loads", negative, f"of {len(forces)} rows have F . V < 0",
            "a load is what the object applies to the surface: negate the loads",
        )
    return forces, directions


def finish(
    problem: FitProblem,
    solution: Solution,
    kind: str,
    length: float,
    check: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
) -> LimitSurfaceModel:
    """Certify, repair, rescale to a mean of H(F_i) = 1 and report."""
    b = solution.b
    scale = float(np.mean(problem.values @ b))
    if not (np.any(b) and np.all(np.isfinite(b))):
        raise ConvergenceError(f"{solution.solver} found no solution ({solution.status})", status=FitStatus.FAILED)
    if scale <= COLLAPSE:
        raise ConvergenceError(
            "the optimum is H = 0 or negative on the data: give the force residual more weight",
            status=FitStatus.COLLAPSED,
            residual=scale,
        )
    a, repair, certificate = _certified(problem, b / scale, None if solution.gram is None else solution.gram / scale)
    if not np.all(np.isfinite(a)):
        raise ConvergenceError("the coefficients are not finite: pass the loads in other units", status=FitStatus.FAILED)
    a.setflags(write=False)
    report = FitReport(
        kind=kind,
        objective=problem.objective,
        degree=problem.degree,
        length=length,
        status=FitStatus.OPTIMAL if solution.optimal else FitStatus.ALMOST,
        solver=solution.solver,
        solver_status=solution.status,
        iterations=solution.iterations,
        weights=problem.weights,
        loads=problem.loads,
        directions=problem.directions,
        objective_value=problem.loss(solution.b),
        scale=scale,
        repair=repair,
        validation=float("nan") if check is None else mean_angle(a, problem.degree, *check),
        coefficients=a,
        proved=certificate,
    )
    return LimitSurfaceModel(a, problem.degree, length, kind, report)


def _certified(
    problem: FitProblem, b: NDArray[np.float64], gram: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], float, Certificate | None]:
    """Return the coefficients in primed loads, certified.

    Where the certificate of a convex kind misses, just enough of |u|^d, whose Gram matrices are inside the cone, is mixed in;
    the mean of H over the data stays 1.
    """
    if not problem.convex:
        return _of_mean_one(problem, b), 0.0, None
    degree, hint = problem.degree, None
    if gram is not None:
        change = outer_change(problem.balance, degree)
        hint = change.T @ gram @ change
    first = _of_mean_one(problem, b)
    certificate = certify(first, degree, hint)
    if certificate.certified:
        return first, 0.0, certificate
    inside = problem.basis.power_of_norm
    inside = inside / float(np.mean(problem.values @ inside))
    for repair in 10.0 ** np.arange(-9.0, 0.0):
        mended = _of_mean_one(problem, (1.0 - repair) * b + repair * inside)
        other = certify(mended, degree)
        if other.certified:
            return mended, float(repair), other
    return first, 0.0, certificate


def _of_mean_one(problem: FitProblem, b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coefficients in primed loads; the change of loads rounds where they are ill conditioned, so the mean is set there."""
    a = problem.coefficients(b)
    mean = float(np.mean(problem.basis.values(problem.loads) @ a))
    if not 0.5 < mean < 2.0:
        raise ConvergenceError(
            "rounding overwhelms the form in the given loads: pass them in other units", status=FitStatus.FAILED, residual=abs(mean - 1.0)
        )
    return a / mean
