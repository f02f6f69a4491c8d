"""The catalog, the relations between templates, and the formations' codes."""

import itertools

import numpy as np
import pytest

from planarcontact.contact_states import (
    Environment,
    Template,
    all_formations,
    catalog,
    decode,
    encode,
    formation_label,
    polygon_scene,
    stand_in_valid,
    step_scene,
)
from planarcontact.contact_states.catalog import closures, conflicts, template_index
from planarcontact.errors import InputError

SCENE = step_scene()
FEATURES = ("+x", "-x", "+z", "-z", "v++", "v+-", "v-+", "v--")
OTHERS = ("M", "L", "S", "P", "vS")
ENDS = {"+x": {"v++", "v+-"}, "-x": {"v-+", "v--"}, "+z": {"v++", "v-+"}, "-z": {"v+-", "v--"}}


def test_order_and_names() -> None:
    entries = catalog(SCENE)
    assert [e.index for e in entries] == list(range(40))
    assert [(e.other, e.feature) for e in entries] == list(itertools.product(OTHERS, FEATURES))
    short = {e.name: (e.feature, e.other) for e in entries if not e.name.startswith("(")}
    assert short == {
        "g": ("-z", "L"), "gv": ("v+-", "L"), "s": ("+x", "S"), "sv": ("+x", "vS"),
        "t": ("+x", "P"), "mx": ("-x", "M"), "mz": ("-z", "M"),
    }  # fmt: skip
    assert entries[14].name == "(v-+,L)" and entries[0].name == "(+x,M)"
    assert all(e.dimension == (e.other != "vS") + (not e.feature.startswith("v")) for e in entries)


def test_disk_environment_makes_44() -> None:
    entries = catalog(step_scene(disk_environment=True))
    assert len(entries) == 44 and entries[:40] == catalog(SCENE)
    assert [(e.name, e.dimension) for e in entries[40:]] == [("(M,L)", 2), ("(M,S)", 2), ("(M,P)", 2), ("(M,vS)", 1)]


def test_only_the_step_corner_is_convex() -> None:
    assert SCENE.environment.vertex_names == ("vS",)
    np.testing.assert_array_equal(SCENE.environment.vertices, [[0.0, 0.03125]])
    assert SCENE.tilt_limit(1e-3) == pytest.approx(np.radians(1.83378), abs=1e-7)
    assert SCENE.overlap_min == 0.125 / 16


def test_templates_are_found_by_index_name_and_pair() -> None:
    for entry in catalog(SCENE):
        assert {template_index(SCENE, k) for k in (entry.index, entry.name, f"({entry.feature},{entry.other})", entry)} == {
            entry.index
        }
    for wrong in (-1, 40, "k", True, 1.0, Template(0, "g", "-z", "L", 2)):
        with pytest.raises(InputError):
            template_index(SCENE, wrong)


def test_closure_and_conflicts_are_those_of_the_text() -> None:
    inside, text, convex = closures(SCENE), conflicts(SCENE, "text"), conflicts(SCENE, "convex")
    fixed = {("vS", "S"), ("vS", "P")}
    for a, b in itertools.product(catalog(SCENE), repeat=2):
        box = a.feature == b.feature or a.feature in ENDS.get(b.feature, ())
        ground = a.other == b.other or (a.other, b.other) in fixed
        assert inside[a.index, b.index] == (box and ground and a != b)
        assert text[a.index, b.index] == (
            a != b and (a.other == b.other or inside[a.index, b.index] or inside[b.index, a.index])
        )
        piece = {"S": "step", "P": "step", "vS": "step"}
        assert convex[a.index, b.index] == (a != b and piece.get(a.other, a.other) == piece.get(b.other, b.other))


def test_codes() -> None:
    assert encode(["mx"], SCENE) == 2 and encode([], SCENE) == 0 and decode(2, SCENE) == {"mx"}
    assert encode(["g", "mx", "s"], SCENE) == 2 + 4 * 9 + 1 * 81
    assert formation_label(["s", "g", "mx"], SCENE) == "{mx, g, s}" and formation_label([], SCENE) == "{}"
    with pytest.raises(InputError):
        encode(["g", "gv"], SCENE)
    for wrong in (-1, 9**5, 1.0):
        with pytest.raises(InputError):
            decode(wrong, SCENE)


@pytest.mark.parametrize("extra", [False, True])
def test_codes_go_there_and_back(extra: bool) -> None:
    scene = step_scene(disk_environment=extra)
    codes = all_formations(scene)
    assert len(codes) == 9**5 * (16 if extra else 1)
    for code in codes[:: 997 * (16 if extra else 1)]:
        assert encode(decode(code, scene), scene) == code


def test_stand_in_counts_37203() -> None:
    codes = all_formations(SCENE)
    valid = stand_in_valid(codes, SCENE)
    assert len(codes) == 59_049 and int(valid.sum()) == 37_203
    declared = [{"g", "t"}, {"gv", "s"}, {"g", "sv"}, {"g", "mz"}]
    pair = {(e.feature, e.other): e.name for e in catalog(SCENE)}
    for code in codes[::101]:
        names = decode(code, SCENE)
        touching = {other: f for (f, other), name in pair.items() if name in names}
        corner = touching.get("vS")
        contains = corner is not None and any(
            touching.get(k) is not None and (corner == touching[k] or corner in ENDS.get(touching[k], ())) for k in "SP"
        )
        assert valid[code] == (not contains and not any(d <= names for d in declared))


def test_stand_in_refuses_what_is_no_code() -> None:
    for wrong in ([-1], [9**5], [0.5], [[1]]):
        with pytest.raises(InputError):
            stand_in_valid(wrong, SCENE)


def test_large_scenes_have_codes_of_any_size() -> None:
    teeth = [(x, 0.02 * (k % 2)) for k, x in enumerate(np.linspace(-1.0, 1.0, 21))]
    scene = polygon_scene([(0, 0), (0.1, 0), (0.1, 0.1), (0, 0.1)], Environment.from_chain(teeth), 0.01)
    last = catalog(scene)[-1]
    assert len(catalog(scene)) == 8 * (1 + 20 + 10)
    assert decode(encode([last], scene), scene) == {last.name} and encode([last], scene) > 2**63
