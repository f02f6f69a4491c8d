"""A planner on the formation graph: shortest chains of formations that a pushing disk and gravity can drive."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..errors import ConvergenceError, InputError
from .catalog import template_index
from .checks import collection, instance_of
from .exact_scene import ExactScene
from .formations import decode, encode, formation_label
from .graph import formation_graph
from .scene import Scene, checked_scene, step_scene

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["Plan", "driven_graph", "plan"]

Plan = tuple[int, ...]


def driven_graph(graph: nx.Graph | None = None) -> nx.DiGraph:
    """Return the steps between formations that a disk which only pushes, and gravity, can drive.

    A formation is a node if the box rests on the environment in it. A step along an edge of the formation graph is kept if

    - only the disk's contact changes (the disk comes, goes, or rolls on), or
    - the environment's contacts change while the disk keeps its contact (it pushes), or
    - without the disk, a box that lies on no side settles into a limit of its formation (gravity turns it).

    Only generic steps count: the dimensions of the two sets of poses differ by one, so one contact condition is won or
    lost at a time, and no two by coincidence.

    Args:
        graph: from `formation_graph`; that of the document's scene if left out.

    Returns:
        A directed graph over formation codes with the attribute `kind` on its edges: "disk", "push" or "settle".

    Raises:
        InputError: a graph that is not from `formation_graph`.
    """
    import networkx as nx

    source = formation_graph(ExactScene()) if graph is None else instance_of("graph", graph, nx.Graph, "use formation_graph()")
    if not all("dimension" in data for _, data in source.nodes(data=True)) or not all("limits" in d for *_, d in source.edges(data=True)):
        raise InputError("graph", source, "lacks dimensions or limits", "use formation_graph()")
    steps = nx.DiGraph()
    for code, data in source.nodes(data=True):
        if code // 9:
            steps.add_node(code, **data)
    for a, b, data in source.edges(data=True):
        generic = abs(source.nodes[a]["dimension"] - source.nodes[b]["dimension"]) == 1
        if not (a // 9 and b // 9 and generic):
            continue
        for start, end in ((a, b), (b, a)):
            if start // 9 == end // 9:
                steps.add_edge(start, end, kind="disk")
            elif start % 9 == end % 9 != 0:
                steps.add_edge(start, end, kind="push")
            elif start % 9 == end % 9 == 0 and (start, end) in data["limits"] and not _lies(start):
                steps.add_edge(start, end, kind="settle")
    return steps


def plan(
    start: Iterable[str], goal: Iterable[str], *, steps: nx.DiGraph | None = None, through: Iterable[Iterable[str]] = (),
    avoid: Iterable[str] = (), scene: Scene | None = None,
) -> list[Plan]:  # fmt: skip
    """Return all shortest chains of formations from a start to a goal.

    Args:
        start, goal: names of the contacts.
        steps: from `driven_graph`; that of the document's scene if left out.
        through: formations to pass in this order.
        avoid: templates that no formation of the chain may hold.
        scene: the document's scene, for the names.

    Returns:
        Chains as tuples of codes, in ascending order; all have the same, least number of steps.

    Raises:
        InputError: a formation that is not in the graph.
        ConvergenceError: no chain leads there.
    """
    import networkx as nx

    named = step_scene() if scene is None else checked_scene(scene)
    banned = {(i % 8 + 1) * 9 ** (i // 8) for i in (template_index(named, name) for name in collection("avoid", avoid))}
    stops = [encode(names, named) for names in (start, *collection("through", through), goal)]
    allowed = driven_graph() if steps is None else instance_of("steps", steps, nx.DiGraph, "use driven_graph()")
    if banned:
        allowed = allowed.subgraph([code for code in allowed if not _terms(code) & banned])
    for code in stops:
        if code not in allowed:
            raise InputError("formation", formation_label(decode(code, named), named), "is not in the graph: no pose, or no support, or avoided")
    chains: list[Plan] = [(stops[0],)]
    for a, b in zip(stops, stops[1:]):
        try:
            legs = sorted(map(tuple, nx.all_shortest_paths(allowed, a, b)))
        except nx.NetworkXNoPath as error:
            raise ConvergenceError(f"no chain leads from formation {a} to {b}") from error
        chains = [chain + leg[1:] for chain in chains for leg in legs]
    return sorted(chains)


def _lies(code: int) -> bool:
    """Whether a side of the box lies on the floor or the platform."""
    return any(1 <= code // 9**pair % 9 <= 4 for pair in (1, 3))


def _terms(code: int) -> set[int]:
    """The terms digit * 9^pair of a code, one for each contact."""
    return {code // 9**pair % 9 * 9**pair for pair in range(5)} - {0}
