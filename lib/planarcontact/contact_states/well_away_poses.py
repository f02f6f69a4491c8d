"""Well-away exact poses of every formation that has one: drawn, certified by the oracle, and shipped as floats."""

from importlib import resources
from os import PathLike

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from ..errors import DataError
from ..files import replacing
from .connectivity_strata import stratum
from .correctness import Margins, greatest_displacement, well_away
from .exact import examine
from .exact_sample import exact_pose
from .exact_scene import ExactScene, formation_templates
from .options import RECOMMENDED, Options
from .realisable import realisable_formations
from .recognizer import recognize
from .scene import step_scene

__all__ = ["find_well_away", "load_well_away", "make_well_away"]

_DRAWN = 20000  # candidates drawn per formation


def find_well_away(code: int, count: int, seed: int, options: Options = RECOMMENDED) -> NDArray[np.float64]:
    """Return up to `count` well-away poses of a formation, at the margins of the greatest displacement.

    Candidates are drawn at random from the formation's poses and thinned by labelling them with a wider band, which only
    spares work: each pose that is returned is exact before it is rounded, and the oracle confirms its formation and its
    margins.

    Args:
        code: a realisable formation.
        count: how many.
        seed: of the generator.
        options: of the recognizer that the poses are for.

    Returns:
        (K, 5), K <= count, m and rad.
    """
    scene, eta = ExactScene(), greatest_displacement(options)
    margins, shape = Margins.of(eta, options), stratum(code, scene)
    drawn = shape.sample(np.random.default_rng((seed, code)), _DRAWN)
    wide = Options(1.5 * options.eps_on, options.eps_pen, "convex", options.contact_set_disk)
    found = recognize(shape.poses(drawn), step_scene(), wide)
    promising = drawn[(found.formation == code) & ~found.ambiguous]
    kept = []
    for u in promising[: 40 * count]:
        pose = exact_pose(shape, u, scene)
        state = examine(pose, scene)
        if state.admissible and state.code == code and not well_away(pose, margins, options, scene):
            kept.append(pose.floats())
            if len(kept) == count:
                break
    return np.array(kept).reshape(-1, 5)


def load_well_away() -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the shipped well-away poses: formation codes (K,) and poses (K, 5), m and rad.

    They hold for both the document's options and the recommended ones; `make_well_away` makes the file.

    Raises:
        DataError: the file is missing or damaged.
    """
    source = resources.files("planarcontact") / "contact_states/data/well_away.npz"
    try:
        with source.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            codes, poses = archive["codes"], archive["poses"]
    except (OSError, KeyError, ValueError) as error:
        raise DataError(f"{source}: not the shipped poses ({error})") from error
    if poses.shape != (len(codes), 5):
        raise DataError(f"{source}: {len(codes)} codes do not fit poses of shape {poses.shape}")
    return codes, poses


def make_well_away(path: "str | PathLike[str]", *, count: int = 6, seed: int = 20161) -> tuple[int, ...]:
    """Write the well-away poses of every realisable formation to an .npz file (minutes).

    Args:
        path: file name, ending in .npz.
        count: poses per formation.
        seed: of the generator.

    Returns:
        The realisable formations for which none was found. Those with a vertex of the box on vS have none: any
        displacement parts two vertices.
    """
    codes, poses, without = [], [], []
    for code in tqdm(realisable_formations(step_scene()).codes):
        found = np.empty((0, 5))
        if not any(i >= 36 for i in formation_templates(code)):
            found = find_well_away(code, count, seed, Options())
        codes += [code] * len(found)
        poses.append(found)
        without += [] if len(found) else [code]
    with replacing(path) as partial:
        np.savez_compressed(partial, codes=np.array(codes, dtype=np.int64), poses=np.concatenate(poses))
    return tuple(without)
