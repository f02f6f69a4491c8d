"""Exact numbers a + b sqrt(d) with rational a, b and d, ordered as real numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, sqrt
from typing import Union

from ..errors import InputError

__all__ = ["Exact", "Quadratic", "exact_root", "sign"]

Exact = Union[Fraction, "Quadratic"]
_PRIMES = tuple(n for n in range(2, 100) if all(n % k for k in range(2, n)))  # squares taken out, so that like roots share one d


def sign(number: Exact | int) -> int:
    """Return -1, 0 or 1, decided exactly."""
    if isinstance(number, Quadratic):
        return number.sign()
    return (number > 0) - (number < 0)


def exact_root(square: Fraction) -> Exact:
    """Return the square root of a rational number >= 0, rational where it can be.

    Args:
        square: the number under the root.
    Returns:
        A ``Fraction`` if the root is rational, else a ``Quadratic``.
    Raises:
        InputError: ``square`` is negative.
    """
    square = Fraction(square)
    if square < 0:
        raise InputError("square", square, "has no real root")
    top, bottom = isqrt(square.numerator), isqrt(square.denominator)
    if top * top == square.numerator and bottom * bottom == square.denominator:
        return Fraction(top, bottom)
    factor, inside = 1, square.numerator * square.denominator
    for prime in _PRIMES:
        while inside % (prime * prime) == 0:
            factor, inside = factor * prime, inside // (prime * prime)
    return Quadratic(Fraction(0), Fraction(factor, square.denominator), Fraction(inside))


@dataclass(frozen=True, eq=False)
class Quadratic:
    """The real number ``a + b sqrt(d)``; arithmetic needs one common ``d``, and ``d`` must not be a square.

    Attributes: ``a``, ``b``, ``d``, rational.
    """

    a: Fraction
    b: Fraction
    d: Fraction

    def _lift(self, other: object) -> Quadratic | None:
        if isinstance(other, Quadratic):
            if other.d != self.d:
                raise InputError("d", other.d, f"differs from {self.d}: two different quadratic extensions")
            return other
        if isinstance(other, (int, Fraction)):
            return Quadratic(Fraction(other), Fraction(0), self.d)
        return None

    def sign(self) -> int:
        """Return the sign, from the signs of a and b and the comparison of a^2 with b^2 d."""
        sa, sb = sign(self.a), sign(self.b)
        if sa * sb >= 0:
            return sa or sb
        return sa * sign(self.a * self.a - self.b * self.b * self.d)

    def __add__(self, other: object) -> Quadratic:
        o = self._lift(other)
        return NotImplemented if o is None else Quadratic(self.a + o.a, self.b + o.b, self.d)

    def __sub__(self, other: object) -> Quadratic:
        o = self._lift(other)
        return NotImplemented if o is None else Quadratic(self.a - o.a, self.b - o.b, self.d)

    def __mul__(self, other: object) -> Quadratic:
        o = self._lift(other)
        if o is None:
            return NotImplemented
        return Quadratic(self.a * o.a + self.b * o.b * self.d, self.a * o.b + self.b * o.a, self.d)

    def __truediv__(self, other: object) -> Quadratic:
        o = self._lift(other)
        if o is None:
            return NotImplemented
        norm = o.a * o.a - o.b * o.b * o.d
        if norm == 0:
            raise InputError("divisor", 0, "is zero")
        return self * Quadratic(o.a / norm, -o.b / norm, self.d)

    def __rsub__(self, other: object) -> Quadratic:
        return (-self) + other

    def __rtruediv__(self, other: object) -> Quadratic:
        o = self._lift(other)
        return NotImplemented if o is None else o / self

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Quadratic:
        return Quadratic(-self.a, -self.b, self.d)

    def __eq__(self, other: object) -> bool:
        o = self._lift(other)
        return NotImplemented if o is None else (self - o).sign() == 0

    def __lt__(self, other: object) -> bool:
        return (self - other).sign() < 0

    def __le__(self, other: object) -> bool:
        return (self - other).sign() <= 0

    def __gt__(self, other: object) -> bool:
        return (self - other).sign() > 0

    def __ge__(self, other: object) -> bool:
        return (self - other).sign() >= 0

    def __hash__(self) -> int:
        return hash(self.a) if self.b == 0 else hash((self.a, self.b, self.d))

    def __float__(self) -> float:
        return float(self.a) + float(self.b) * sqrt(float(self.d))

    def __str__(self) -> str:
        return f"{self.a} {'+' if self.b >= 0 else '-'} {abs(self.b)} sqrt({self.d})"
