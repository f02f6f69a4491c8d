"""The three models on one object: the only part that imports all three others."""

from .fingers import FingerMode, TwoFingers
from .flat_body import FlatBody
from .flat_run import FlatRun
from .proximal_step import FrictionKind, FrictionStep, friction_step
from .march import slide_flat

__all__ = ["FingerMode", "FlatBody", "FlatRun", "FrictionKind", "FrictionStep", "TwoFingers", "friction_step", "slide_flat"]
