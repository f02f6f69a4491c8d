"""What became of a step, and how the body touches its support."""

from enum import IntEnum

__all__ = ["Status", "ContactMode"]


class _Sentences(IntEnum):
    """An integer enumeration whose members carry a sentence for the reader."""

    sentence: str

    def __new__(cls, value: int, sentence: str):
        member = int.__new__(cls, value)
        member._value_ = value
        member.sentence = sentence
        return member


class Status(_Sentences):
    """Outcome of one time step; `Status(k).sentence` says what happened and what to do."""

    CONVERGED = 0, "The step was solved to the tolerance."
    ITERATION_LIMIT = (
        1,
        "The solver used all its iterations before it reached the tolerance; the step holds its best iterate. "
        "Raise max_iterations, or take a smaller step.",
    )
    STALLED = (
        2,
        "No solver of the cascade could lower the residual to the tolerance; the step holds its best iterate. "
        "Take a smaller step, or loosen the tolerance to what float64 resolves at this distance from the origin.",
    )
    NOT_FINITE = (
        3,
        "The equations overflowed; the step holds the state before it. "
        "Look for loads or spins that are too large for the step, and take a smaller step.",
    )
    PENETRATES = (
        4,
        "The solver reports a small residual, but a generator of the body lies below the support: a wrong root. "
        "Use method='hull', whose equations have no such root.",
    )
    GAINS = (
        5,
        "The equations of the step are solved, but the impulses of the contact add more than a fifth to the energy at hand, "
        "and no root was found at which they add less: the body turns too far in one step. Take a smaller step.",
    )


class ContactMode(_Sentences):
    """Dimension of the hull of the generators that touch the support (height at most 1e-9 bounding radii)."""

    APART = 0, "Nothing touches."
    POINT = 1, "One point touches."
    LINE = 2, "The touching points span a line."
    SURFACE = 3, "The touching points span a surface."
