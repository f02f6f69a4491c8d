"""The catalog of templates, and how templates relate: which contains which, which exclude each other."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..validation import one_of
from .scene import Scene, checked_scene

__all__ = ["Template", "catalog", "template_index", "closures", "conflicts"]


@dataclass(frozen=True)
class Template:
    """A pair of features on two bodies that may touch.

    Attributes:
        index: position in the catalog, 8 * pair + feature for the document's box.
        name: short name, or "(feature,other)".
        feature: the box's feature ("M" for the disk against the environment).
        other: the feature it touches.
        dimension: sum of the two features' dimensions: 2 for edge on edge, 1 for vertex on edge, 0 for two
            vertices; the disk's circle counts 1.
    """

    index: int
    name: str
    feature: str
    other: str
    dimension: int


def catalog(scene: Scene) -> tuple[Template, ...]:
    """Return every template of a scene, in the order that all label arrays use.

    Pairs run over the disk, E's edges and E's convex vertices; within a pair, over the box's faces and vertices. The
    disk against E follows, if the scene asks for it.

    Args:
        scene: from `step_scene` or `polygon_scene`.

    Returns:
        40 templates for the document's scene, 44 with the disk against the environment.

    Raises:
        InputError: what is passed is no scene.

    Source: document 2, "The scene".
    """
    return _catalog(checked_scene(scene))


@lru_cache(maxsize=64)
def _catalog(scene: Scene) -> tuple[Template, ...]:
    names = dict(scene.short_names)
    ground = scene.environment
    edges = {"M", *ground.edge_names}
    made: list[Template] = []
    for other in scene.others:
        for feature in scene.body.feature_names:
            dimension = int(other in edges) + int(feature in scene.body.face_names)
            name = names.get((feature, other), f"({feature},{other})")
            made.append(Template(len(made), name, feature, other, dimension))
    if scene.disk_environment:
        for other in ground.feature_names:
            made.append(Template(len(made), f"(M,{other})", "M", other, 1 + int(other in edges)))
    return tuple(made)


def template_index(scene: Scene, template: "int | str | Template") -> int:
    """Return a template's index from its index, its name or itself; `InputError` if the scene has none such."""
    known = catalog(scene)
    if isinstance(template, Template) and template in known:
        return template.index
    if isinstance(template, str):
        for entry in known:
            if template in (entry.name, f"({entry.feature},{entry.other})"):
                return entry.index
    if isinstance(template, (int, np.integer)) and not isinstance(template, bool) and 0 <= template < len(known):
        return int(template)
    raise InputError("template", template, "is no template of this scene", "see catalog(scene)")


@lru_cache(maxsize=64)
def closures(scene: Scene) -> NDArray[np.bool_]:
    """Return whether template j contains template i in its closure, (T, T), False on the diagonal.

    It does when i's features both lie in the closures of j's: the same feature, or an end vertex of it.
    """
    body, ground = scene.body, scene.environment
    box = np.eye(len(body.feature_names), dtype=bool)
    for face, ends in enumerate(body.faces):
        box[[len(body.faces) + v for v in ends], face] = True
    fixed = np.eye(1 + len(ground.feature_names), dtype=bool)
    for vertex, edges in enumerate(ground.vertex_edges):
        fixed[1 + len(ground.edge_names) + vertex, 1 + edges] = True
    inside = np.einsum("pq,fg->pfqg", fixed, box).reshape(fixed.shape[0] * len(box), -1)
    if scene.disk_environment:
        inside = np.block([
            [inside, np.zeros((len(inside), len(fixed) - 1), dtype=bool)],
            [np.zeros((len(fixed) - 1, len(inside)), dtype=bool), fixed[1:, 1:]],
        ])  # fmt: skip
    inside &= ~np.eye(len(inside), dtype=bool)
    inside.setflags(write=False)
    return inside


@lru_cache(maxsize=64)
def conflicts(scene: Scene, conflict: str) -> NDArray[np.bool_]:
    """Return which templates cannot both be on, (T, T), False on the diagonal.

    Args:
        scene: the scene.
        conflict: "text": the same pair of bodies' features in the document's count (the box against M, and against
            each feature of E), or one template containing the other. "convex": the box against M, and against
            features of E that bound one convex piece of it.

    Source: document 2, "Ambiguous poses" and "Validity".
    """
    one_of("conflict", conflict, ("text", "convex"))
    ground = scene.environment
    fixed = np.eye(1 + len(ground.feature_names), dtype=bool)
    if conflict == "convex":
        count = len(ground.edge_names)
        owners = [{k} for k in range(count)] + [set(map(int, pair)) for pair in ground.vertex_edges]
        for a, first in enumerate(owners):
            for b, second in enumerate(owners):
                fixed[1 + a, 1 + b] = all(ground.together[i, j] for i in first for j in second)
    width = len(scene.body.feature_names)
    clash = np.kron(fixed, np.ones((width, width), dtype=bool))
    if scene.disk_environment:
        size, extra = len(clash), len(fixed) - 1
        clash = np.block([
            [clash, np.zeros((size, extra), dtype=bool)],
            [np.zeros((extra, size), dtype=bool), fixed[1:, 1:]],
        ])  # fmt: skip
    if conflict == "text":
        clash = clash | closures(scene) | closures(scene).T
    clash &= ~np.eye(len(clash), dtype=bool)
    clash.setflags(write=False)
    return clash
