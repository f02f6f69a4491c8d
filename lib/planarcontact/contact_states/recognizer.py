"""The recognizer: which principal contacts are on at each pose of a batch (document 2, "The recognizer")."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .contact_sets import face_sets
from .checks import instance_of
from .depenetration import depenetrated
from .gaps import placed_gaps
from .geometry import local_poses, place, tables
from .labels import Labels
from .options import Options
from .rules import aligned, in_band, larger_wins, resolve_ties, touches_interiors
from .scene import Scene, checked_scene

__all__ = ["explain", "recognize"]


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
    local = local_poses(poses, checked_scene(scene), instance_of("options", options, Options).eps_on)
    if options.depenetrate:
        local = depenetrated(local, scene, options)
    from .kernel import compiled_labels  # compiling is for those who label

    gap, band, on, ties, codes = compiled_labels(local, scene, options)
    return Labels(scene, options, on, band, gap, ties, local, codes)


def explain(poses: ArrayLike, scene: Scene, options: Options = Options()) -> NDArray[np.int8]:
    """Return which rule drops each template.

    Args:
        poses: (N, 5), as for `recognize`.
        scene: the scene.
        options: tolerances and choices.

    Returns:
        (N, T): 0 where the template is on, else the first rule of 1 to 4 that it fails, or 5 where a tie drops it.

    Raises:
        InputError: as `recognize`.
    """
    local = local_poses(poses, checked_scene(scene), instance_of("options", options, Options).eps_on)
    table = tables(scene)
    placed = place(np, depenetrated(local, scene, options) if options.depenetrate else local, table)
    gap = placed_gaps(np, placed, table, options.eps_pen, scene.disk_environment)
    passed = [in_band(gap, options)]
    passed.append(passed[-1] & touches_interiors(placed, table, scene, options))
    passed.append(passed[-1] & aligned(placed, table, scene, options))
    passed.append(larger_wins(passed[-1], face_sets(placed, table, options), scene, options))
    passed.append(resolve_ties(passed[-1], gap, scene, options)[0])
    first = np.argmin(np.stack(passed), axis=0) + 1
    return np.where(passed[-1], 0, first).astype(np.int8)
