"""Contact states: which principal contacts are on at a planar pose (document 2)."""

from .catalog import Template, catalog
from .environment import Environment
from .formations import all_formations, decode, encode, formation_label, stand_in_valid
from .gaps import gaps, jax_gaps
from .labels import Labels
from .options import RECOMMENDED, Options
from .polygon import ConvexPolygon
from .recognizer import recognize
from .scene import Scene, polygon_scene, step_scene

__all__ = [
    "ConvexPolygon",
    "Environment",
    "Labels",
    "Options",
    "RECOMMENDED",
    "Scene",
    "Template",
    "all_formations",
    "catalog",
    "decode",
    "encode",
    "formation_label",
    "gaps",
    "jax_gaps",
    "polygon_scene",
    "recognize",
    "stand_in_valid",
    "step_scene",
]
