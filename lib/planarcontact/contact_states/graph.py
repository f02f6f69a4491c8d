"""The formation graph: which realisable formations are adjacent, with exact adjacency."""

from __future__ import annotations

import csv
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

from ..validation import boolean
from .connectivity_strata import stratum
from .exact_scene import ExactScene, formation_code, formation_templates, template_name
from .graph_closure import closures
from .realisable import StepScene, exact_scene, realisable_formations
from .realisable_box import corner_roles

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["formation_graph", "formation_name", "quarter_turned", "stored_closures"]

_TABLE = "formation_closures.csv"  # found by `closures` for the document's lengths; a test finds them again


def formation_graph(scene: StepScene | ExactScene = ExactScene(), disk_may_touch_environment: bool = True) -> nx.Graph:
    """Return the graph of realisable formations, two joined where poses of one are limits of poses of the other.

    Every formation of the document's scene is one connected region, so the graph is also that of contact states. Each edge rests on an exact pose
    of one formation and exact poses of the other that approach it (``closures``). For the document's lengths the pairs are read from a table,
    for other lengths they are searched for, which takes a minute.

    Args:
        scene: the scene.
        disk_may_touch_environment: as in ``realisable_formations``.
    Returns:
        A graph over formation numbers. Nodes: ``name``, ``contacts`` (a frozenset of template names), ``dimension`` (of the set of poses).
        Edges: ``limits``, the pairs (F, G) such that poses of G are limits of poses of F.
    Raises:
        InputError, UnsupportedError: as ``realisable_formations``.
    """
    import networkx as nx

    exact, touch = exact_scene(scene), boolean("disk_may_touch_environment", disk_may_touch_environment)
    valid = realisable_formations(exact, touch).codes
    graph = nx.Graph()
    for code in valid:
        contacts = frozenset(map(template_name, formation_templates(code)))
        graph.add_node(code, name=formation_name(code), contacts=contacts, dimension=stratum(code, exact).size)
    for larger, smaller in sorted(_pairs(exact, touch)):
        for quarter in range(4):
            pair = (quarter_turned(larger, quarter), quarter_turned(smaller, quarter))
            limits = {*graph.get_edge_data(*pair, default={}).get("limits", ()), pair}
            graph.add_edge(*pair, limits=tuple(sorted(limits)))
    return graph


def formation_name(code: int) -> str:
    """Return a formation's templates in braces, in catalog order."""
    return "{" + ", ".join(map(template_name, sorted(formation_templates(code)))) + "}"


def quarter_turned(code: int, quarter: int) -> int:
    """Return the formation of the same place after the box's features were renamed by counter-clockwise quarter turns of the box."""
    role, back = corner_roles(0), {role: name for name, role in corner_roles(quarter).items()}
    names = ("+x", "-x", "+z", "-z", "v++", "v+-", "v-+", "v--")
    return formation_code(frozenset(8 * (i // 8) + names.index(back[role[names[i % 8]]]) for i in formation_templates(code)))


def stored_closures() -> dict[bool, frozenset[tuple[int, int]]]:
    """Return the stored pairs (F, G) for the document's lengths: under True with the disk allowed to touch the environment, under False without."""
    with (resources.files(__package__) / "data" / _TABLE).open(encoding="utf-8") as file:
        rows = [(int(row["larger"]), int(row["smaller"]), row["clear"] == "1") for row in csv.DictReader(file)]
    return {True: frozenset((f, g) for f, g, _ in rows), False: frozenset((f, g) for f, g, clear in rows if clear)}


@lru_cache(maxsize=8)
def _pairs(scene: ExactScene, touch: bool) -> frozenset[tuple[int, int]]:
    home = ExactScene(scene.side, scene.height, scene.radius)
    if (home.height * 4, home.radius * 8) == (home.side, home.side):
        return stored_closures()[touch]
    return frozenset(closures(home, frozenset(realisable_formations(home, touch).codes), clear=not touch))
