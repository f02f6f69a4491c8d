"""All entry points that are fuzzed, and those that are not, with the reason."""

import inspect
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from types import ModuleType
from typing import Any

import fuzz_across
import fuzz_contact_states
import fuzz_dynamics
import fuzz_limit_surface
from fuzz import Target
from fuzz_files import file_targets

__all__ = ["EXEMPT", "PARTS", "TARGETS", "entry_points", "file_targets"]

#: Part -> name of the entry point, with a word after a comma where it has several targets -> target.
PARTS: dict[str, dict[str, Target]] = {
    "dynamics": fuzz_dynamics.TARGETS,
    "contact_states": fuzz_contact_states.TARGETS,
    "limit_surface": fuzz_limit_surface.TARGETS,
    "across": fuzz_across.TARGETS,
}
TARGETS = {name: target for part in PARTS.values() for name, target in part.items()}

_MADE = "the library makes it: a plain record of results that nobody passes anything to"
_INNER = "arithmetic of arrays inside the fits, too often called to check them again: nan in is nan out"
#: Public callables that take input and have no target.
EXEMPT: dict[str, str] = {
    "dynamics.Trajectory": _MADE,
    "across.PatchTrajectory": _MADE,
    "contact_states.Labels": _MADE,
    "contact_states.Segments": _MADE,
    "contact_states.Template": _MADE,
    "contact_states.Realisable": _MADE,
    "contact_states.Reason": _MADE,
    "contact_states.Demo": _MADE,
    "limit_surface.Certificate": _MADE,
    "limit_surface.EigenDirections": _MADE,
    "limit_surface.Facet": _MADE,
    "limit_surface.FitReport": _MADE,
    "limit_surface.Inversion": _MADE,
    "limit_surface.PokeLog": _MADE,
    "limit_surface.Pokes": _MADE,
    "limit_surface.Push": _MADE,
    "limit_surface.Slide": _MADE,
    "limit_surface.SurfaceMesh": _MADE,
    "limit_surface.TwistCones": _MADE,
    "limit_surface.TwoPointPushes": _MADE,
    **{f"limit_surface.Monomials.{name}": _INNER for name in ("index", "values", "gradients", "hessians", "second", "substitution")},
    "limit_surface.GaussianProcessModel": "made by `fit` and `load_file`, which have targets",
    "limit_surface.LimitSurfaceModel": "made by `fit`, `from_coefficients` and `load_file`, which have targets",
    "across.EngineRun": _MADE,
    "across.FlatRun": _MADE,
    "across.FrictionStep": _MADE,
    "across.PushRun": _MADE,
}


def entry_points() -> Iterator[str]:
    """Every public callable of the packages that takes input: functions, classes, and methods of classes."""
    for part in PARTS:
        yield from _callables(part, import_module(f"planarcontact.{part}"))


def _callables(prefix: str, module: ModuleType) -> Iterator[str]:
    for name in module.__all__:
        value = getattr(module, name)
        if isinstance(value, ModuleType):
            yield from _callables(f"{prefix}.{name}", value)
        elif inspect.isclass(value) and not issubclass(value, (Enum, Exception)):
            if _takes_input(value):
                yield f"{prefix}.{name}"
            own = (key for key in vars(value) if not key.startswith("_") and key not in getattr(value, "__dataclass_fields__", ()))
            yield from (f"{prefix}.{name}.{key}" for key in own if callable(getattr(value, key)) and _takes_input(vars(value)[key]))
        elif not inspect.isclass(value) and callable(value) and _takes_input(value):
            yield f"{prefix}.{name}"


def _takes_input(value: Any) -> bool:
    function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
    names = list(inspect.signature(function).parameters)
    bound = isinstance(value, classmethod) or names[:1] == ["self"]
    return len(names) > bound
