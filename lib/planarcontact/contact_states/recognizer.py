"""The recognizer: which principal contacts are on at each pose of a batch (document 2, "The recognizer")."""

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError, UnsupportedError
from .geometry import local_poses
from .labels import Labels
from .options import Options
from .rules import apply_rules
from .scene import Scene

__all__ = ["recognize"]

CHUNK = 4096  # poses labelled at a time by the readable rules, which bounds their memory


def recognize(poses: ArrayLike, scene: Scene, options: Options = Options()) -> Labels:
    """Label poses with their principal contacts.

    Args:
        poses: (N, 5): box centre x, z (m), box angle theta (rad, clockwise positive), disk centre x, z (m).
        scene: from `step_scene` or `polygon_scene`.
        options: tolerances and choices; the document's by default, `RECOMMENDED` for new work.

    Returns:
        `Labels`, with `formation`, `names(i)`, `ambiguous`, `ties`, `on`, `in_band`, `gap`, `contact_set(i, template)`
        and `normal(i, template)`. Each pose is labelled by itself: a batch gives what its poses give one by one.

    Raises:
        InputError: poses of a wrong shape, empty, not finite, or of a type too coarse for eps_on.

    Source: document 2, "The recognizer", rules 1 to 4 and "Ambiguous poses".
    """
    if not isinstance(scene, Scene):
        raise InputError("scene", scene, "is not a Scene", "use step_scene() or polygon_scene()")
    if not isinstance(options, Options):
        raise InputError("options", options, "is not an Options")
    local = local_poses(poses, scene, options.eps_on)
    if options.depenetrate:
        raise UnsupportedError("depenetrate=True is not available for this scene")
    parts = [apply_rules(local[k : k + CHUNK], scene, options) for k in range(0, len(local), CHUNK)]
    gap, band, on, ties = (np.concatenate([getattr(p, name) for p in parts]) for name in ("gap", "in_band", "on", "ties"))
    return Labels(scene, options, on, band, gap, ties, local)
