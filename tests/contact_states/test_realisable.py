"""Which formations exist: every witness is confirmed, every refutation re-checked, and neither can be had for the other."""

from collections import Counter
from fractions import Fraction as F

import numpy as np
import pytest

from planarcontact.contact_states import all_formations, decode, encode, stand_in_valid, step_scene
from planarcontact.contact_states.exact import examine
from planarcontact.contact_states.exact_scene import FEATURES, ExactPose, ExactScene, formation_code, formation_templates
from planarcontact.contact_states.realisable import Realisable, Reason, holds, realisable_count, realisable_formations, thresholds
from planarcontact.contact_states.realisable_box import PLACEMENTS, angle_set, box_reason, candidates, corner_roles, placement_of, placement_templates
from planarcontact.contact_states.realisable_disk import disk_places
from planarcontact.contact_states.realisable_polynomial import constant, variable
from planarcontact.contact_states.realisable_proof import CASES, REFUTATIONS, premises, refutes, term_product
from planarcontact.errors import InputError, UnsupportedError

SCENE = ExactScene()


@pytest.fixture(scope="module")
def touch() -> Realisable:
    return realisable_formations(SCENE)


@pytest.fixture(scope="module")
def clear() -> Realisable:
    return realisable_formations(SCENE, disk_may_touch_environment=False)



def code_of(*names_and_pairs):
    return formation_code(frozenset(8 * pair + FEATURES.index(f) for f, pair in names_and_pairs))


def test_every_formation_is_decided(touch, clear):
    for result, count in ((touch, 357), (clear, 353)):
        assert result.bracket == (count, count) and result.undecided == ()
        assert len(result.codes) + len(result.refuted) == 9**5
        assert set(result.codes) == set(result.witnesses) and set(result.codes).isdisjoint(result.refuted)


def test_beyond_the_table_a_bracket_is_given_and_not_a_guess():
    low, high = realisable_count(ExactScene(radius=F(7, 2) * SCENE.height))
    assert low < high


def test_only_the_disk_squeezed_under_the_overhang_needs_the_environment(touch, clear):
    assert set(touch.codes) - set(clear.codes) == {code_of((f, 0), (f, 3)) for f in FEATURES[:4]}


def test_the_oracle_confirms_every_witness(touch, clear):
    for result in (touch, clear):
        for code, pose in result.witnesses.items():
            state = examine(pose, SCENE)
            assert state.admissible and state.code == code
            assert not (state.disk_touches_environment and result is clear)


def test_the_stand_in_admits_every_realisable_formation_and_36846_others(touch):
    scene = step_scene()
    codes = np.arange(9**5)
    admitted = codes[np.asarray(stand_in_valid(codes, scene))]
    assert len(admitted) == 37_203 and set(touch.codes) <= set(admitted.tolist())
    assert len(set(admitted.tolist()) & set(touch.refuted)) == 37_203 - 357
    assert all(encode(decode(code, scene), scene) == code for code in touch.codes[:5]) and len(all_formations(scene)) == 9**5


def test_a_scene_of_the_library_is_read_exactly(touch):
    moved = realisable_formations(step_scene((2.0, -0.5)))
    assert moved.codes == touch.codes and moved.scene == ExactScene(origin=(F(2), F(-1, 2)))
    assert examine(moved.witnesses[119], moved.scene).code == 119 and examine(moved.witnesses[119], SCENE).code != 119
    assert realisable_formations(step_scene()).witnesses == touch.witnesses


STEPS = [(F(43, 100), 373, 373), (F(437, 1000), 365, 365), (F(499, 1000), 365, 365), (F(1, 2), 357, 353), (F(501, 1000), 353, 353),
         (F(999, 1000), 353, 353), (F(1), 341, 337), (F(1001, 1000), 337, 337)]  # fmt: skip


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{float(step[0]):g}")
def test_the_count_is_a_step_function_of_radius_over_height(step):
    ratio, touching, free = step
    scene = ExactScene(radius=ratio * SCENE.height)
    for allowed, count in ((True, touching), (False, free)):
        assert realisable_count(scene, allowed) == (count, count)


def test_at_the_inscribed_radius_the_disk_fits_under_the_leaning_box_by_touching():
    scene = ExactScene(radius=thresholds(SCENE)["inscribed"])
    assert float(scene.radius / scene.height) == pytest.approx((15**0.5 - 3) / 2, abs=1e-15)
    assert realisable_count(scene) == (369, 369) and realisable_count(scene, False) == (365, 365)


def test_every_kind_of_reason_is_rechecked_and_no_reason_holds_for_a_realisable_formation(touch):
    rng = np.random.default_rng(3)
    refuted = list(touch.refuted.items())
    disks = [item for item in refuted if item[1].kind == "clearance"]
    assert Counter(r.kind for r in touch.refuted.values()) == {"normals": 50760, "convexity": 6408, "height": 1440, "clearance": 84}
    for code, reason in disks + [refuted[i] for i in rng.integers(0, len(refuted), 800)]:
        assert holds(code, reason, SCENE)
    pairs = {r for _, r in refuted if r.kind != "clearance"}
    for code in touch.codes:
        assert not any(holds(code, r, SCENE) for r in pairs if formation_templates(code) >= set(r.templates))
        assert not any(holds(code, r, SCENE) for _, r in disks)


@pytest.mark.ci
def test_every_reason_is_rechecked(touch):
    assert all(holds(code, reason, SCENE) for code, reason in touch.refuted.items())


def test_a_false_reason_is_refused(touch):
    code, reason = next((c, r) for c, r in touch.refuted.items() if r.kind == "clearance" and r.placement == "riser-corner")
    assert holds(code, reason, SCENE)
    assert not holds(code, Reason("clearance", reason.templates, "riser", reason.feature), SCENE)
    assert not holds(code, Reason("clearance", reason.templates, reason.placement, "CD"), SCENE)
    assert not holds(code, Reason("clearance", (8,), reason.placement, reason.feature), SCENE)
    assert not holds(0, reason, SCENE)
    assert not holds(code_of(("-z", 1), ("+x", 2)), Reason("normals", (11, 16)), SCENE)
    smaller = ExactScene(radius=SCENE.radius * F(4, 5))
    assert not all(holds(c, r, smaller) for c, r in touch.refuted.items() if r.kind == "clearance" and r.feature == "AB")


def test_a_damaged_identity_proves_nothing(monkeypatch):
    for key, entry in list(REFUTATIONS.items()):
        if not refutes(*key, SCENE, clear=False):
            continue
        for case in CASES if isinstance(entry, dict) else ("",):
            terms = entry[case] if case else entry
            damaged = " | ".join(terms.split(" | ")[:-1]) or "r"
            monkeypatch.setitem(REFUTATIONS, key, {**entry, case: damaged} if case else damaged)
            assert not refutes(*key, SCENE, clear=False), (key, case)
            monkeypatch.setitem(REFUTATIONS, key, entry)


@pytest.mark.parametrize("key", sorted(REFUTATIONS), ids=" ".join)
def test_the_premises_describe_the_geometry(key):
    """The symbolic disk of a refutation is the disk that the oracle sees touching that feature of a box so placed."""
    placement, feature = key
    own = next(name for name, role in corner_roles(0).items() if role == feature)
    wanted = placement_templates(placement) | {FEATURES.index(own)}
    seen = 0
    for box in list(candidates(placement, SCENE))[:6]:
        if box.turned:
            continue
        half = SCENE.side / 2
        pose = ExactPose(box.corner[0] + (box.cos - box.sin) * half, box.corner[1] + (box.cos + box.sin) * half, box.cos, -box.sin, F(0), F(0))
        a, h, r = SCENE.side, SCENE.height, SCENE.radius
        for t, (l, m) in ((F(1, 3), (F(3, 5), F(4, 5))), (F(5, 7), (F(1), F(0))), (F(1, 9), (F(0), F(1)))):
            n_ab, n_da, n_bc = (box.sin, -box.cos), (-box.cos, -box.sin), (box.cos, box.sin)
            base = box.corner if feature != "B" else (box.corner[0] + box.cos * a, box.corner[1] + box.sin * a)
            if feature == "AB":
                centre = (base[0] + box.cos * a * t + n_ab[0] * r, base[1] + box.sin * a * t + n_ab[1] * r)
            else:
                other = n_da if feature == "A" else n_bc
                centre = tuple(p + (n * l + k * m) * r for p, n, k in zip(base, n_ab, other))
            state = examine(ExactPose(pose.x, pose.z, pose.cos, pose.sin, *centre), SCENE)
            assert state.contacts == wanted and not set(state.overlaps) - {"disk and environment"}
            corner_b = box.corner[1] + a * box.sin
            k = (0 - box.corner[0]) / box.cos if placement == "edge" else F(1)
            values = {"h": h / a, "r": r / a, "c": box.cos, "s": box.sin, "q": (1 - (h / a) ** 2), "t": t, "l": l, "m": m, "k": k / a}
            values["x"] = (box.corner[0] + (a if placement == "platform" else 0)) / a
            values["z"] = (box.corner[1] if placement == "riser" else corner_b) / a
            if placement == "floor+edge-corner":
                values["q"] = box.cos
            for case in CASES:
                known = premises(placement, feature, case, SCENE, clear=False)
                numbers = {name: p.polynomial.value(values) for name, p in known.items()}
                assert numbers["floor"] == (centre[1] - r) / a
                assert all(numbers[name] > 0 for name, p in known.items() if p.positive and name in ("c", "s", "x", "k", "below", "t", "u"))
                expected = {"beside": {"beside": (-r - centre[0]) / a}, "above": {"above": (centre[1] - h - r) / a}}
                expected["corner"] = {"left": -centre[0] / a, "high": (centre[1] - h) / a}
                assert {name: numbers[name] for name in expected[case]} == expected[case]
            seen += 1
    assert seen >= 3


def test_no_sampled_disk_realises_a_refuted_formation(touch):
    """Many exact poses of each placement, the disk at many places of each feature: what is admissible is realisable."""
    codes, seen = set(touch.codes), set()
    for placement in PLACEMENTS:
        for box in list(candidates(placement, SCENE))[::3][:8]:
            half, c, s = SCENE.side / 2, box.cos, box.sin
            x, z = box.corner[0] + (c - s) * half, box.corner[1] + (c + s) * half
            for _ in range(box.turned):
                c, s = -s, c
            pose = ExactPose(x, z, c, -s, F(0), F(0))
            for feature in FEATURES:
                for centre in disk_places(pose, feature, SCENE, clear=False):
                    state = examine(ExactPose(x, z, c, -s, *centre), SCENE)
                    if state.admissible:
                        seen.add(state.code)
    assert seen <= codes and len(seen) >= 70


def test_orientation_intervals_hold_for_every_witness_and_all_quarters(touch):
    for code, pose in touch.witnesses.items():
        phi = -pose.floats()[2] / (np.pi / 2)
        for template in formation_templates(code):
            if template >= 8:
                low, high = angle_set(template)
                turns = [phi + 4 * k for k in (-1, 0, 1, 2)]
                assert any(low < p < high or (low == high and abs(p - low) < 1e-12) for p in turns)


def test_box_pairs(touch):
    left = [(i, j) for i in range(8, 40) for j in range(i + 1, 40) if box_reason(i, j) is None]
    assert len(left) == 16 and all(placement_of(frozenset(pair)) is not None for pair in left)
    boxes = {frozenset(i for i in formation_templates(code) if i >= 8) for code in touch.codes}
    assert len(boxes) == 49
    assert Counter(len(box) for box in boxes) == {0: 1, 1: 32, 2: 16}


def test_polynomials():
    x, y = variable("x"), variable("y")
    assert ((x + y) * (x - y) - (x * x - y * y)).is_zero and (2 - x + x - 2).is_zero
    assert (x * x * x * x).reduced({"x": 1 - y * y}).reduced({"y": constant(3)}).value({"x": F(0), "y": F(0)}) == 4
    assert term_product("1/2 nothing", {}) is None


def test_bad_input_is_refused():
    with pytest.raises(UnsupportedError):
        realisable_formations(ExactScene(height=F(1, 8)))
    with pytest.raises(UnsupportedError):
        realisable_formations(step_scene().moved(0.0, 0.0, 0.1))
    with pytest.raises(InputError):
        realisable_formations("scene")
