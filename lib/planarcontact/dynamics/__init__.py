"""Rigid bodies whose contact with a plane is a non-convex patch (document 1)."""

from importlib import import_module
from typing import Any

from . import scenes
from .body import Body, Disc, Sphere
from .friction import EllipsoidalFriction
from .loads import SampledWrench
from .options import SimulateOptions
from .scene import Scene
from .simulate import simulate, simulate_batch
from .status import ContactMode, Status
from .support import Plane
from .trajectory import Trajectory

_LAZY = {  # name -> module, imported when first asked for
    "estimate_parameters": "estimation",
    "final_state_gradient": "gradients",
    "load_scene": "storage",
    "push_to_goal": "estimation",
    "rollout": "gradients",
    "save_scene": "storage",
    "simulate_linearised": "linearised",
}

__all__ = [
    "Body",
    "ContactMode",
    "Disc",
    "EllipsoidalFriction",
    "Plane",
    "SampledWrench",
    "Scene",
    "SimulateOptions",
    "Sphere",
    "Status",
    "Trajectory",
    "estimate_parameters",
    "final_state_gradient",
    "load_scene",
    "push_to_goal",
    "rollout",
    "save_scene",
    "scenes",
    "simulate",
    "simulate_batch",
    "simulate_linearised",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        value = getattr(import_module(f".{_LAZY[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
