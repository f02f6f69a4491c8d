"""Rigid bodies whose contact with a plane is a non-convex patch (document 1)."""

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
    "scenes",
    "simulate",
    "simulate_batch",
]
