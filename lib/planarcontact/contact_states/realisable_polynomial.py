"""Polynomials with rational coefficients, just enough to check an identity between symbolic premises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from .quadratic import Exact

__all__ = ["Polynomial", "constant", "variable"]

Monomial = tuple[tuple[str, int], ...]


@dataclass(frozen=True, eq=False)
class Polynomial:
    """A polynomial in named variables.

    Attributes: ``terms``, a mapping of sorted ((variable, exponent), ...) to a coefficient that is not zero.
    """

    terms: Mapping[Monomial, Fraction]

    def __add__(self, other: Polynomial | Fraction | int) -> Polynomial:
        total = dict(self.terms)
        for monomial, coefficient in _lift(other).terms.items():
            total[monomial] = total.get(monomial, Fraction(0)) + coefficient
        return Polynomial({m: k for m, k in total.items() if k})

    def __neg__(self) -> Polynomial:
        return Polynomial({m: -k for m, k in self.terms.items()})

    def __sub__(self, other: Polynomial | Fraction | int) -> Polynomial:
        return self + (-_lift(other))

    def __rsub__(self, other: Fraction | int) -> Polynomial:
        return _lift(other) - self

    def __mul__(self, other: Polynomial | Fraction | int) -> Polynomial:
        total: dict[Monomial, Fraction] = {}
        for m, k in self.terms.items():
            for n, j in _lift(other).terms.items():
                powers = dict(m)
                for name, power in n:
                    powers[name] = powers.get(name, 0) + power
                key = tuple(sorted(powers.items()))
                total[key] = total.get(key, Fraction(0)) + k * j
        return Polynomial({m: k for m, k in total.items() if k})

    __radd__ = __add__
    __rmul__ = __mul__

    def reduced(self, squares: Mapping[str, Polynomial]) -> Polynomial:
        """Replace every square of the named variables by the given polynomial, until none is left."""
        done, rest = constant(0), self
        while rest.terms:
            following = constant(0)
            for monomial, coefficient in rest.terms.items():
                name = next((n for n, power in monomial if power >= 2 and n in squares), None)
                if name is None:
                    done = done + Polynomial({monomial: coefficient})
                    continue
                powers = {n: power - 2 * (n == name) for n, power in monomial}
                lower = tuple(sorted((n, power) for n, power in powers.items() if power))
                following = following + Polynomial({lower: coefficient}) * squares[name]
            rest = following
        return done

    def value(self, values: Mapping[str, Exact]) -> Exact:
        """Return the exact value at the given exact numbers."""
        total: Exact = Fraction(0)
        for monomial, coefficient in self.terms.items():
            product: Exact = coefficient
            for name, power in monomial:
                for _ in range(power):
                    product = product * values[name]
            total = total + product
        return total

    @property
    def is_zero(self) -> bool:
        """True for the zero polynomial."""
        return not self.terms


def constant(number: Fraction | int) -> Polynomial:
    """Return a constant polynomial."""
    return Polynomial({(): Fraction(number)} if number else {})


def variable(name: str) -> Polynomial:
    """Return the polynomial that is one variable."""
    return Polynomial({((name, 1),): Fraction(1)})


def _lift(number: Polynomial | Fraction | int) -> Polynomial:
    return number if isinstance(number, Polynomial) else constant(number)
