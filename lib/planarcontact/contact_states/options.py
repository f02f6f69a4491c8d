"""The recognizer's tolerances and choices."""

from dataclasses import dataclass

from ..validation import boolean, nonnegative, one_of, positive

__all__ = ["Options", "RECOMMENDED"]


@dataclass(frozen=True)
class Options:
    """Tolerances and choices of the recognizer; the defaults are the document's.

    Args:
        eps_on: the separation up to which features touch, m.
        eps_pen: the overlap up to which they do, m.
        conflict: "text" or "convex": which contacts cannot coexist, see `conflicts`.
        contact_set_disk: the contact set of a face against the disk: "point", its point closest to the disk's
            centre, or "interval", the part of it within eps_on of the disk.
        depenetrate: whether to remove overlaps by the smallest translation before labelling; a pose with a deeper overlap
            than eps_pen is labelled as it is.

    Raises:
        InputError: a tolerance that is not positive, an unknown choice.
    """

    eps_on: float = 1e-3
    eps_pen: float = 10e-3
    conflict: str = "text"
    contact_set_disk: str = "point"
    depenetrate: bool = False

    def __post_init__(self) -> None:
        for name, value in (
            ("eps_on", positive("eps_on", self.eps_on)), ("eps_pen", nonnegative("eps_pen", self.eps_pen)),
            ("conflict", str(one_of("conflict", self.conflict, ("text", "convex")))),
            ("contact_set_disk", str(one_of("contact_set_disk", self.contact_set_disk, ("point", "interval")))),
            ("depenetrate", boolean("depenetrate", self.depenetrate)),
        ):  # fmt: skip
            object.__setattr__(self, name, value)


RECOMMENDED = Options(eps_pen=3e-3, conflict="convex", contact_set_disk="interval", depenetrate=False)
