"""The exceptions that planarcontact raises; each says what is wrong, with which value, and what to do."""

__all__ = ["PlanarContactError", "InputError", "UnsupportedError", "ConvergenceError", "DataError"]


class PlanarContactError(Exception):
    """Base of every exception that planarcontact raises on purpose."""


class InputError(PlanarContactError, ValueError):
    """An argument is not usable.

    Attributes: `name`, the argument; `value`, the offending value (for an array, the offending entry).
    """

    def __init__(self, name: str, value: object, problem: str, remedy: str = ""):
        self.name = name
        self.value = value
        text = f"{name} = {_short(value)}: {problem}"
        super().__init__(f"{text}; {remedy}" if remedy else text)


class UnsupportedError(PlanarContactError, NotImplementedError):
    """The request is meaningful, but lies outside what this method can do."""


class ConvergenceError(PlanarContactError, RuntimeError):
    """A solver stopped before it converged. Attributes: `status`, `residual`."""

    def __init__(self, message: str, *, status: object = None, residual: float = float("nan")):
        self.status = status
        self.residual = residual
        super().__init__(message)


class DataError(PlanarContactError, OSError):
    """A data file is missing, damaged or not what its name says."""


def _short(value: object, limit: int = 80) -> str:
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an object whose repr fails still gets a message
        text = f"<{type(value).__name__}>"
    return text if len(text) <= limit else text[: limit - 3] + "..."
