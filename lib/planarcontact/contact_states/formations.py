"""Formations: sets of templates with at most one per pair, their integer codes and the stand-in validity."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from .catalog import Template, catalog, closures, template_index
from .checks import collection
from .scene import Scene, checked_scene

__all__ = ["encode", "decode", "formation_label", "code_dtype", "all_formations", "stand_in_valid"]


def _digits(scene: Scene) -> tuple[int, int, int]:
    """Number of pairs, the base of the code (features + 1) and the number of disk-environment templates."""
    extra = len(scene.environment.feature_names) if scene.disk_environment else 0
    return len(scene.others), len(scene.body.feature_names) + 1, extra


def code_dtype(scene: Scene) -> type:
    """Return np.int64, or object (Python integers) where a scene's codes need more than 63 bits."""
    pairs, base, extra = _digits(scene)
    return np.int64 if base**pairs * 2**extra < 2**63 else object


def weights(scene: Scene) -> NDArray:
    """Each template's term in the code: (feature + 1) * base^pair, or base^pairs * 2^k for the disk against E."""
    pairs, base, extra = _digits(scene)
    terms = [(f + 1) * base**p for p in range(pairs) for f in range(base - 1)]
    return np.array(terms + [base**pairs * 2**k for k in range(extra)], dtype=code_dtype(scene))


def encode(templates: Iterable["int | str | Template"], scene: Scene) -> int:
    """Return a formation's code: the sum over pairs of (feature + 1) * 9^pair.

    Args:
        templates: indices, names or `Template` objects, at most one per pair.
        scene: the scene.

    Returns:
        The code; 0 for the empty formation, 2 for {mx}. Disk-environment templates add 9^pairs * 2^k.

    Raises:
        InputError: an unknown template, or two of one pair.
    """
    checked_scene(scene)
    chosen = sorted({template_index(scene, t) for t in collection("templates", templates)})
    width = len(scene.body.feature_names)
    pairs = [i // width for i in chosen if i < width * len(scene.others)]
    if len(set(pairs)) < len(pairs):
        names = [catalog(scene)[i].name for i in chosen]
        raise InputError("templates", names, "holds two contacts of one pair")
    return int(sum(int(w) for w in weights(scene)[chosen]))


def decode(code: int, scene: Scene) -> frozenset[str]:
    """Return the names of a formation's templates; `InputError` if no formation has this code."""
    pairs, base, extra = _digits(checked_scene(scene))
    if not isinstance(code, (int, np.integer)) or isinstance(code, bool) or not 0 <= code < base**pairs * 2**extra:
        raise InputError("code", code, "is no formation of this scene")
    names, rest, known = [], int(code), catalog(scene)
    for pair in range(pairs):
        rest, digit = divmod(rest, base)
        if digit:
            names.append(known[pair * (base - 1) + digit - 1].name)
    names += [known[pairs * (base - 1) + k].name for k in range(extra) if rest >> k & 1]
    return frozenset(names)


def formation_label(names: Iterable[str], scene: Scene) -> str:
    """Return a formation as text in catalog order, "{mx, g, s}"."""
    checked_scene(scene)
    chosen = sorted({template_index(scene, name) for name in collection("names", names)})
    return "{" + ", ".join(catalog(scene)[i].name for i in chosen) + "}"


def all_formations(scene: Scene) -> NDArray[np.int64]:
    """Return the codes of all formations with at most one contact per pair, (9^5,) for the document's scene.

    Raises:
        InputError: no scene, or one with more than 10^8 formations.
    """
    pairs, base, extra = _digits(checked_scene(scene))
    if base**pairs * 2**extra > 10**8:
        raise InputError("scene", base**pairs * 2**extra, "formations are too many to list")
    return np.arange(base**pairs * 2**extra, dtype=np.int64)


def stand_in_valid(codes: ArrayLike, scene: Scene) -> NDArray[np.bool_]:
    """Return which formations the document's stand-in accepts: no contact beside one it contains, no declared pair.

    Args:
        codes: (K,), from `encode` or `labels.formation`.
        scene: the scene; its `declared` pairs are excluded as well.

    Returns:
        (K,) bool; 37,203 of the 59,049 codes of the document's scene.

    Raises:
        InputError: a code that no formation has.

    Source: document 2, "Validity".
    """
    pairs, base, extra = _digits(checked_scene(scene))
    try:
        array = np.asarray(codes)
    except ValueError as error:  # rows of different lengths
        raise InputError("codes", codes, "is not a one-dimensional array of integers") from error
    whole = array.dtype.kind in "iu" or (array.dtype.kind == "O" and all(type(code) is int for code in array.ravel()))
    if array.ndim != 1 or not whole:
        raise InputError("codes", codes, "is not a one-dimensional array of integers")
    outside = (array < 0) | (array >= base**pairs * 2**extra)
    if outside.any():
        raise InputError("codes", array[outside][0], "is no formation of this scene")
    digits = [(array // base**p) % base for p in range(pairs)]
    on = [digits[p] == f + 1 for p in range(pairs) for f in range(base - 1)]
    rest = array // base**pairs
    on += [(rest // 2**k) % 2 == 1 for k in range(extra)]
    valid = np.ones(len(array), dtype=bool)
    excluded = list(np.argwhere(closures(scene)))
    excluded += [(template_index(scene, a), template_index(scene, b)) for a, b in scene.declared]
    for i, j in excluded:
        valid &= ~(on[i] & on[j]).astype(bool)
    return valid
