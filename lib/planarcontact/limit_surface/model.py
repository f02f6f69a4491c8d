"""The limit surface as the level set of a homogeneous polynomial: loads to twists and back."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError, InputError
from ..validation import finite_array, one_of, positive
from .certificate import Certificate, certify
from .inverse import Inversion, invert
from .measures import near_one
from .model_file import read_content, write_content
from .polynomial import directions, even_degree, monomials
from .report import FitReport

__all__ = ["LimitSurfaceModel"]

_FORMAT = "planarcontact limit surface 1"
_KINDS = ("quad", "poly4", "poly4-cvx", "given")


@dataclass(frozen=True, eq=False)
class LimitSurfaceModel:
    """H(F) = 1 is the limit surface, grad H(F) the direction of sliding (document 3, section IV).

    Loads are rows F = (f_x, f_y, tau) [N, N, N m] that the object applies to the surface, twists rows
    V = (v_x, v_y, omega), both in the body frame with its origin at the centre of mass. H is a form in the primed
    loads (f_x, f_y, tau / length). Use `fit` or `from_coefficients` to make one.

    Attributes:
        coefficients: (m,) of the monomials in the order of `Monomials` (x^4, x^3 y, x^3 z, x^2 y^2, ...) [1/N^d].
        degree: d, even.
        length: characteristic length rho [m].
        kind: "quad", "poly4", "poly4-cvx" or "given".
        report: the account of the fit, or None for given coefficients.
    """

    coefficients: NDArray[np.float64]
    degree: int
    length: float = 1.0
    kind: str = "given"
    report: FitReport | None = field(default=None, repr=False)

    @classmethod
    def from_coefficients(cls, coefficients: ArrayLike, degree: int = 4, length: float = 1.0) -> "LimitSurfaceModel":
        """Make a model of given coefficients.

        Args:
            coefficients: (m,) in the order of `Monomials`: exponents (i, j, k) sorted by falling i, then falling j.
            degree: even, 2 to 12; m = (degree + 1)(degree + 2) / 2.
            length: characteristic length rho [m].

        Returns:
            The model; its `certificate` is computed when first asked for.

        Raises:
            InputError: a wrong number of coefficients, a non-finite or all-zero list, an odd degree, length <= 0.
        """
        d = even_degree(degree)
        a = finite_array("coefficients", coefficients, (monomials(d).count,)).copy()
        if not np.any(a):
            raise InputError("coefficients", 0.0, "are all zero", "a limit surface needs a form that is not zero")
        largest = float(np.max(np.abs(a)))
        if not 1e-250 <= largest <= 1e250:
            raise InputError("coefficients", largest, "is their scale, beyond what float64 can invert", "use other units of load")
        a.setflags(write=False)
        return cls(a, d, positive("length", length))

    @cached_property
    def certificate(self) -> Certificate:
        """Proof of convexity, or what is known instead, recomputed from the coefficients."""
        made = None if self.report is None else self.report.certificate
        return certify(self.coefficients, self.degree) if made is None else made

    @cached_property
    def ellipsoid(self) -> NDArray[np.float64]:
        """(3, 3) inverse of the Hessian's mean over directions of load: turns twists into loads of the like ellipsoid."""
        scale = self.certificate.scale
        hessians = monomials(self.degree).hessians(directions(64) / scale) @ self.coefficients
        values, vectors = np.linalg.eigh(np.mean(hessians, axis=0) / np.multiply.outer(scale, scale))
        values = np.maximum(np.abs(values), 1e-12 * np.max(np.abs(values)))
        return (vectors / values) @ vectors.T / np.multiply.outer(scale, scale)

    def value(self, loads: ArrayLike) -> NDArray[np.float64]:
        """Return H at loads.

        Args:
            loads: (N, 3) or (3,) rows (f_x, f_y, tau) [N, N, N m].

        Returns:
            (N,) or () values [-]; below 1 the object sticks, at 1 it may slide.

        Raises:
            InputError: a wrong shape or a non-finite entry.
        """
        points, single = self._primed("loads", loads)
        with np.errstate(over="ignore", invalid="ignore"):
            values = monomials(self.degree).values(points) @ self.coefficients
        if not np.all(np.isfinite(values)):
            row = int(np.argmin(np.isfinite(values)))
            raise InputError(f"loads[{row}]", points[row], "takes H out of the range of float64", "check its unit")
        return values[0] if single else values

    def twist(self, loads: ArrayLike) -> NDArray[np.float64]:
        """Return the twists in which the object slides under loads (document 3, section IV-A).

        Args:
            loads: (N, 3) or (3,) rows (f_x, f_y, tau) [N, N, N m]; only their direction matters.

        Returns:
            Same shape: rows (v_x, v_y, omega), of unit norm as (v_x, v_y, omega length) [-, -, 1/m].

        Raises:
            InputError: a wrong shape, a non-finite entry, or a load at which the gradient vanishes.
        """
        points, single = self._primed("loads", loads)
        points = points / np.maximum(np.max(np.abs(points), axis=1, keepdims=True), np.finfo(float).tiny)
        sizes = np.linalg.norm(points, axis=1, keepdims=True)
        if not np.all(sizes > 0):
            raise InputError("loads", int(np.argmin(sizes)), "this row is zero", "a zero load has no direction of sliding")
        form = near_one(self.coefficients[None])[0]
        gradient = monomials(self.degree).gradients(points / sizes) @ form
        norms = np.linalg.norm(gradient, axis=1, keepdims=True)
        if not np.all(norms > 1e-14 * np.max(np.abs(form))):
            raise InputError("loads", int(np.argmin(norms)), "the gradient of H vanishes at this row")
        twists = gradient / norms / (1.0, 1.0, self.length)
        return twists[0] if single else twists

    def load(self, twists: ArrayLike, *, uncertified: bool = False) -> NDArray[np.float64]:
        """Return the loads on the level set H = 1 under which the object slides in given twists.

        Args:
            twists: (N, 3) or (3,) rows (v_x, v_y, omega) [m/s, m/s, rad/s]; only their direction matters.
            uncertified: invert a model without a proof of convexity all the same, with a warning.

        Returns:
            Same shape: rows (f_x, f_y, tau) [N, N, N m].

        Raises:
            InputError: a wrong shape, a non-finite entry or a zero twist.
            UnsupportedError: convexity is not certified and `uncertified` is False.
            ConvergenceError: a row did not converge; `invert` tells which.
        """
        result = self.invert(twists, uncertified=uncertified)
        return result.checked().load

    def invert(self, twists: ArrayLike, *, uncertified: bool = False, max_iterations: int = 100) -> Inversion:
        """Return what `load` returns together with a status, a residual and a count of iterations per row.

        Args:
            twists: (N, 3) or (3,) rows (v_x, v_y, omega) [m/s, m/s, rad/s].
            uncertified: invert a model without a proof of convexity all the same, with a warning.
            max_iterations: cap on the Newton iterations of a row.

        Returns:
            An `Inversion`; rows that did not converge are marked, not hidden.

        Raises:
            InputError: a wrong shape, a non-finite entry or a zero twist.
            UnsupportedError: convexity is not certified and `uncertified` is False.
        """
        return invert(self, twists, uncertified=uncertified, max_iterations=max_iterations)

    def save(self, path: str | Path) -> None:
        """Write the model to a JSON file that `load_file` reads: coefficients, degree, length, kind.

        Args:
            path: the file to write.

        Raises:
            InputError: the path is not a path.
            DataError: the file cannot be written.
        """
        content = {
            "format": _FORMAT,
            "kind": self.kind,
            "degree": self.degree,
            "length": self.length,
            "monomials": monomials(self.degree).exponents.tolist(),
            "coefficients": self.coefficients.tolist(),
        }
        write_content(path, content)

    @classmethod
    def load_file(cls, path: str | Path) -> "LimitSurfaceModel":
        """Read a model that `save` wrote.

        Args:
            path: the JSON file.

        Returns:
            The model, without the report of its fit.

        Raises:
            DataError: no such file, or not a file of this kind.
        """
        content = read_content(path, _FORMAT, "limit surface")
        try:
            model = cls.from_coefficients(content["coefficients"], content["degree"], content["length"])
            kind, order = one_of("kind", content["kind"], _KINDS), content["monomials"]
        except (KeyError, InputError) as error:
            raise DataError(f"{path} does not hold a limit surface: {error}") from error
        if order != monomials(model.degree).exponents.tolist():
            raise DataError(f"{path} lists its monomials in another order")
        return cls(model.coefficients, model.degree, model.length, kind)

    def _primed(self, name: str, rows: ArrayLike) -> tuple[NDArray[np.float64], bool]:
        array = finite_array(name, rows)
        single = array.ndim == 1
        array = finite_array(name, array[None] if single else array, (None, 3))
        return array / (1.0, 1.0, self.length), single
