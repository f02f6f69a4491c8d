"""The formation graph: edges found again exactly, dimensions fall along them, and the document's chain is a walk in it."""

import networkx as nx
import pytest

from planarcontact.contact_states.connectivity import stratum
from planarcontact.contact_states.exact import examine
from planarcontact.contact_states.exact_scene import ExactScene, formation_templates
from planarcontact.contact_states.graph import formation_graph, formation_name, quarter_turned, stored_closures
from planarcontact.contact_states.graph_closure import closures, unreached
from planarcontact.contact_states.realisable import realisable_formations
from planarcontact.contact_states.realisable_box import PLACEMENTS

SCENE = ExactScene()
CHAIN = [{"g"}, {"mx", "g"}, {"mx", "g", "s"}, {"mx", "gv", "sv"}, {"mx", "sv"}, {"sv"}, {"t"}, {"mz", "t"}, {"t"}]


@pytest.fixture(scope="module")
def graph() -> nx.Graph:
    return formation_graph()


def code_of(graph: nx.Graph, names: set[str]) -> int:
    return next(code for code, contacts in graph.nodes(data="contacts") if contacts == names)



def test_nodes_are_the_realisable_formations(graph):
    for touch, nodes in ((True, 357), (False, 353)):
        found = formation_graph(SCENE, touch)
        assert set(found) == set(realisable_formations(SCENE, touch).codes) and len(found) == nodes
        assert nx.is_connected(found)
    assert graph.nodes[119] == {"name": "{mx, g, s}", "contacts": {"mx", "g", "s"}, "dimension": 1}


def test_the_chain_of_the_document_is_a_walk(graph):
    codes = [code_of(graph, names) for names in CHAIN]
    assert all(graph.has_edge(*pair) for pair in zip(codes[:-1], codes[1:]))
    assert nx.shortest_path_length(graph, codes[0], codes[6]) <= 6


def test_every_formation_is_a_quarter_turn_of_its_neighbours_pattern(graph):
    for code in graph:
        assert quarter_turned(quarter_turned(code, 1), 3) == code
        turned = {quarter_turned(n, 1) for n in graph[code]}
        assert turned == set(graph[quarter_turned(code, 1)])


def test_limits_keep_every_contact_on_the_same_pair(graph):
    for f, g, data in graph.edges(data=True):
        for larger, smaller in data["limits"]:
            assert {larger, smaller} == {f, g}
            pairs = [{(i // 8 if i < 16 else 2) for i in formation_templates(code)} for code in (larger, smaller)]
            assert pairs[0] <= pairs[1]
            assert stratum(larger).size >= stratum(smaller).size


@pytest.mark.parametrize("touch", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_stored_pairs_are_found_again(touch):
    valid = frozenset(realisable_formations(SCENE, touch).codes)
    few = ("floor+riser", "floor+edge-corner", "floor+edge", "nook")
    found = closures(SCENE, valid, clear=not touch, placements=few)
    stored = stored_closures()[touch]
    names = {(stratum(f).placement, stratum(f).quarter) for f, _ in found}
    assert names == {(place, 0) for place in few}
    assert set(found) == {pair for pair in stored if (stratum(pair[0]).placement, stratum(pair[0]).quarter) in names}
    for (_, g), pose in found.items():
        state = examine(pose, SCENE)
        assert state.admissible and state.code == g


@pytest.mark.slow
def test_all_stored_pairs_are_found_again(campaign):
    for touch in (True, False):
        valid = frozenset(realisable_formations(SCENE, touch).codes)
        found = closures(SCENE, valid, clear=not touch, placements=PLACEMENTS)
        assert set(found) == stored_closures()[touch]
        assert len(unreached(SCENE, valid, found)) == (22 if touch else 25)
    campaign(name="contact states: closures of formations", seed=0, count=len(stored_closures()[True]), failures=0, note="pairs at one quarter turn, exact")


def test_names(graph):
    assert formation_name(0) == "{}" and formation_name(code_of(graph, {"mz", "t"})) == "{mz, t}"
