"""Contact states: which principal contacts are on at a planar pose (document 2)."""

from .adapters import poses_from_mujoco, scene_from_mujoco
from .catalog import Template, catalog
from .demo import Demo, load_demo, make_demo, perturbed_settings, soft_demo
from .demo_controller import ControllerParameters
from .demo_model import DemoSettings
from .environment import Environment
from .exports import export_catalog, export_labels, export_segments
from .formations import all_formations, decode, encode, formation_label, stand_in_valid
from .gaps import gaps, jax_gaps
from .graph import formation_graph
from .labels import Labels
from .options import RECOMMENDED, Options
from .planner import driven_graph, plan
from .polygon import ConvexPolygon
from .poses import box_corners, box_with_vertex, disk_on_face, jittered
from .realisable import Realisable, Reason, realisable_count, realisable_formations
from .recognizer import explain, recognize
from .scene import Scene, polygon_scene, step_scene
from .segments import Segments, flag_runs, segment
from .viewer import viewer_data, write_viewer

__all__ = [
    "ControllerParameters",
    "ConvexPolygon",
    "Demo",
    "DemoSettings",
    "Environment",
    "Labels",
    "Options",
    "RECOMMENDED",
    "Realisable",
    "Reason",
    "Scene",
    "Segments",
    "Template",
    "all_formations",
    "box_corners",
    "box_with_vertex",
    "catalog",
    "decode",
    "disk_on_face",
    "driven_graph",
    "encode",
    "explain",
    "export_catalog",
    "export_labels",
    "export_segments",
    "flag_runs",
    "formation_graph",
    "formation_label",
    "gaps",
    "jax_gaps",
    "jittered",
    "load_demo",
    "make_demo",
    "perturbed_settings",
    "plan",
    "polygon_scene",
    "poses_from_mujoco",
    "realisable_count",
    "realisable_formations",
    "recognize",
    "scene_from_mujoco",
    "segment",
    "soft_demo",
    "stand_in_valid",
    "step_scene",
    "viewer_data",
    "write_viewer",
]
