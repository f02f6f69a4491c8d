"""The three models on one object: the only part that imports all three others."""

from .box_labels import BoxMotion, EngineRun, box_scene, label_poses, mujoco_run, planar_poses
from .fingers import FingerMode, TwoFingers
from .flat_body import FlatBody
from .flat_run import FlatRun
from .march import slide_flat
from .patch_friction import PatchFriction
from .patch_stepper import PatchTrajectory, simulate_patch
from .proximal_step import FrictionKind, FrictionStep, friction_step
from .two_finger_push import PushRun, push_two_fingers

__all__ = [
    "BoxMotion",
    "EngineRun",
    "FingerMode",
    "FlatBody",
    "FlatRun",
    "FrictionKind",
    "FrictionStep",
    "PatchFriction",
    "PatchTrajectory",
    "PushRun",
    "TwoFingers",
    "box_scene",
    "friction_step",
    "label_poses",
    "mujoco_run",
    "planar_poses",
    "push_two_fingers",
    "simulate_patch",
    "slide_flat",
]
