"""The planner finds the document's chain, and the demo executes it."""

import networkx as nx
import pytest

from planarcontact.contact_states import RECOMMENDED, decode, encode, recognize, segment, step_scene
from planarcontact.contact_states.demo import load_demo
from planarcontact.contact_states.planner import driven_graph, plan
from planarcontact.errors import ConvergenceError, InputError

SCENE = step_scene()
CHAIN = [{"g"}, {"mx", "g"}, {"mx", "g", "s"}, {"mx", "gv", "sv"}, {"mx", "sv"}, {"sv"}, {"t"}]


@pytest.fixture(scope="module")
def steps() -> nx.DiGraph:
    return driven_graph()


def test_the_documents_chain_is_a_shortest_one(steps: nx.DiGraph) -> None:
    chains = plan({"g"}, {"t"}, steps=steps)
    codes = tuple(encode(names, SCENE) for names in CHAIN)
    assert codes in chains and {len(chain) for chain in chains} == {7}
    kinds = [steps.edges[a, b]["kind"] for a, b in zip(codes, codes[1:])]
    assert kinds == ["disk", "push", "push", "push", "disk", "settle"]
    further = plan({"g"}, {"t"}, steps=steps, through=[*CHAIN[1:], {"mz", "t"}])
    assert further == [(*codes, encode({"mz", "t"}, SCENE), codes[-1])]


def test_the_demo_executes_it() -> None:
    runs = segment(recognize(load_demo().poses, SCENE, RECOMMENDED))
    seen = iter([runs.names(k) for k in range(len(runs))])
    assert all(any(names == formation for formation in seen) for names in [*CHAIN, {"mz", "t"}, {"t"}])


def test_every_step_is_an_allowed_one(steps: nx.DiGraph) -> None:
    for a, b, kind in steps.edges(data="kind"):
        disk, ground = a % 9 == b % 9, a // 9 == b // 9
        assert (kind == "disk") == ground and disk != ground and abs(steps.nodes[a]["dimension"] - steps.nodes[b]["dimension"]) == 1
        assert (kind == "push") == (disk and a % 9 > 0)
        if kind == "settle":
            assert not {"g", "t"} & decode(a, SCENE) and a % 9 == 0
        assert a // 9 and b // 9
    assert not steps.has_edge(encode({"g"}, SCENE), encode({"g", "s"}, SCENE))  # a box at rest does not slide by itself


def test_what_to_avoid_and_what_does_not_exist(steps: nx.DiGraph) -> None:
    for chain in plan({"g"}, {"t"}, steps=steps, avoid={"s", "mx"}):
        assert all(not {"s", "mx"} & decode(code, SCENE) for code in chain)
    with pytest.raises(ConvergenceError):
        plan({"g"}, {"t"}, steps=steps, avoid={name for name in ("(+x,M)", "mx", "(+z,M)", "mz", "(v++,M)", "(v+-,M)", "(v-+,M)", "(v--,M)")})
    for bad in ({"g", "t"}, set()):
        with pytest.raises(InputError):
            plan(bad, {"t"}, steps=steps)
