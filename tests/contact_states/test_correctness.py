"""The correctness statement: no counterexample within the bound, and one just beyond it for every active constraint."""

import ast
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from cs_poses import A, H, R, box_with

import planarcontact.contact_states as package
from planarcontact.contact_states import RECOMMENDED, Options, encode, recognize, step_scene
from planarcontact.contact_states.correctness import Margins, displaced, displacement, greatest_displacement, well_away
from planarcontact.contact_states.exact import examine
from planarcontact.contact_states.exact_sample import exact_poses
from planarcontact.contact_states.exact_scene import ExactPose, formation_templates
from planarcontact.contact_states.realisable import realisable_formations
from planarcontact.contact_states.well_away_poses import find_well_away, load_well_away

SCENE = step_scene()
ETA = 0.5e-3
BOTH = pytest.mark.parametrize("options", [Options(), RECOMMENDED], ids=["document", "recommended"])


def test_the_oracle_imports_nothing_of_the_recognizer() -> None:
    folder = Path(package.__file__).parent
    for name in ("exact", "exact_geometry", "exact_scene", "quadratic"):
        for node in ast.walk(ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                assert node.module in {"errors", "validation", "exact", "exact_geometry", "exact_scene", "quadratic"}, (name, node.module)


@BOTH
def test_the_bound_is_half_of_eps_on(options: Options) -> None:
    assert greatest_displacement(options) == ETA
    assert ETA / np.sqrt(2) == pytest.approx(0.35e-3, abs=0.004e-3)  # the document's figure, per coordinate of a shift
    margins = Margins.of(ETA, options)
    assert (margins.ground, margins.disk, margins.overlap) == pytest.approx((1.5e-3, 2e-3, A / 16 + ETA))


def test_displaced_poses_have_the_displacement_they_should() -> None:
    _, base = load_well_away()
    sizes = np.random.default_rng(0).uniform(1e-5, ETA, len(base))
    box, disk = displacement(displaced(base, sizes, 1), base)
    assert (box <= sizes).all() and (box > 0.999 * sizes).all() and (disk <= sizes).all() and (disk > 0.999 * sizes).all()


def test_which_formations_have_a_well_away_pose() -> None:
    """297 of the 357 realisable ones: not the 56 with a vertex on vS, nor 4 that are too tight."""
    realisable = set(realisable_formations(SCENE).codes)
    codes, _ = load_well_away()
    without = realisable - set(codes.tolist())
    assert set(codes.tolist()) <= realisable and len(realisable) == 357 and len(without) == 60
    tight = {c for c in without if not any(i >= 36 for i in formation_templates(c))}
    names = [("(v++,S)", "(v+-,M)"), ("(v+-,S)", "(v--,M)"), ("(v++,M)", "(v-+,S)"), ("(v-+,M)", "(v--,S)")]
    assert tight == {encode(pair, SCENE) for pair in names}
    # why: the side beyond the riser's vertex must stay ground m off vS, so the lower corner, which the disk touches from
    # below its level, is less than a radius above the floor (chapter "correctness")
    assert H - 2.0 * np.sqrt(Margins.of(ETA).ground * A) < R


@pytest.mark.ci
def test_shipped_poses_are_exact_and_well_away_again() -> None:
    codes, poses = load_well_away()
    for code in np.unique(codes)[::12]:
        np.testing.assert_array_equal(find_well_away(int(code), 6, 20161, Options()), poses[codes == code])


def _campaign(options: Options, per_pose: int, seed: int) -> tuple[int, int]:
    codes, base = load_well_away()
    share = np.bincount(np.unique(codes, return_inverse=True)[1])
    repeats = np.repeat((per_pose * 6) // share, share)  # an equal share per formation
    order = np.argsort(codes, kind="stable")
    which = np.repeat(order, repeats)
    random = np.random.default_rng(seed)
    near = random.random(len(which)) < 0.5
    sizes = ETA * np.where(near, random.uniform(0.99, 1.0, len(which)), random.uniform(0.0, 1.0, len(which)))
    labels = recognize(displaced(base[which], sizes, seed + 1), SCENE, options)
    return len(which), int(((labels.formation != codes[which]) | labels.ambiguous).sum())


@BOTH
def test_campaign_within_the_bound(options: Options) -> None:
    count, failures = _campaign(options, 12, 2016)
    assert count > 20_000 and failures == 0


@pytest.mark.slow
def test_campaign_of_a_million(campaign) -> None:  # type: ignore[no-untyped-def]
    total = wrong = 0
    for k, options in enumerate((Options(), RECOMMENDED)):
        count, failures = _campaign(options, 600, 20160 + k)
        total, wrong = total + count, wrong + failures
    note = "297 formations, equal shares, half within 1 % of the bound of 0.5 mm, both option sets"
    campaign(name="contact states: labels within the correctness bound", seed=20160, count=total, failures=wrong, note=note)
    assert total >= 1_000_000 and wrong == 0


def _turn(tau: Fraction) -> tuple[Fraction, Fraction]:
    return (1 - tau**2) / (1 + tau**2), 2 * tau / (1 + tau**2)


FREE = ExactPose(Fraction(-3, 10), Fraction(1, 2), 1, 0, Fraction(-1), Fraction(1))
MARGIN = Margins.of(ETA)


def _loses(base: np.ndarray, moved: np.ndarray, beyond: float, options: Options) -> bool:
    """Whether the label at `moved`, a displacement of beyond * ETA, is another than at `base`."""
    size = max(float(part[0]) for part in displacement(moved[None], base))
    assert size <= beyond * ETA * (1.0 + 5e-4)  # a turn adds to second order
    there, here = recognize([moved], SCENE, options), recognize([base], SCENE, options)
    return there.formation[0] != here.formation[0] or bool(there.ambiguous[0])


def _counterexamples(options: Options, beyond: float) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """For each constraint a pose at its margin, and a displacement by beyond * ETA against it."""
    move = beyond * ETA
    cases = {}
    touching = np.array((-0.3, 0.5, 0.0, -0.3 - A / 2 - R, 0.5))
    cases["the disk's gap"] = touching, touching + (move, 0, 0, -move, 0)
    low = np.array((-0.3, A / 2 + MARGIN.ground, 0.3, -1.0, 1.0))
    low[:3] = box_with("v+-", (-0.3, MARGIN.ground), 0.3)
    cases["distance from the ground"] = low, low + (0, -move, 0, 0, 0)
    near = np.array((-0.3, 0.5, 0.0, -0.3 - A / 2 - R - MARGIN.disk, 0.5))
    cases["distance from the disk"] = near, near + (-move, 0, 0, move, 0)
    tilted = np.array((*box_with("v+-", (-0.3, 0.0), MARGIN.angle), -1.0, 1.0))
    cases["angle of crossing edges"] = tilted, tilted - (0, 0, 2 * np.arcsin(move / (np.sqrt(2) * A)), 0, 0)
    ledge = np.array((-A / 2 + MARGIN.overlap, H + A / 2, np.pi / 2, -1.0, 1.0))
    cases["overlap of edges"] = ledge, ledge - (move, 0, 0, 0, 0)
    # box: a shift along its side and a turn, so that the side under the disk's centre moves the most
    lever = 2 * R / A
    part, whole = move * lever / np.hypot(1, lever), move / np.hypot(1, lever)
    turn = 2 * part / A
    foot = np.array((-0.3, 0.5, 0.0, -0.3 - A / 2 - R, 0.5 + A / 2 - MARGIN.foot))
    cases["foot on a face"] = foot, foot + (0, -(whole - turn * A / 2), -turn, 0, move)
    angle = np.arcsin(MARGIN.foot / R)
    beside = np.array((-0.3, 0.5, 0.0, -0.3 - A / 2 - R * np.cos(angle), 0.5 + A / 2 + MARGIN.foot))
    cases["foot beyond a vertex"] = beside, beside + (0, whole - turn * A / 2, turn, 0, -move)
    return cases


@BOTH
def test_the_bound_and_every_margin_are_sharp(options: Options) -> None:
    for name, (base, moved) in _counterexamples(options, 1.004).items():
        if name == "foot on a face" and options.contact_set_disk == "point":
            continue  # with the point as contact set the vertex beside must be out of the band, which asks for more
        assert _loses(base, moved, 1.004, options), name
    for name, (base, moved) in _counterexamples(options, 0.999).items():
        if not (name == "foot on a face" and options.contact_set_disk == "point"):
            assert not _loses(base, moved, 0.999, options), name


def test_well_away_names_what_is_degenerate() -> None:
    gv = encode(["gv"], SCENE)
    pose = exact_poses(gv, 1, 3)[0]
    assert examine(pose).code == gv
    c, s = _turn(Fraction(1, 10_000))  # a vertex on the floor, nearly flat
    half = Fraction(1, 16)
    flat = ExactPose(Fraction(-1, 2), half * (c + s), c, -s, Fraction(-3), Fraction(1))
    assert "angle" in well_away(flat, MARGIN)
    corner = ExactPose(half, Fraction(1, 32) + half, 1, 0, Fraction(-3), Fraction(1))  # v-- on vS, flat on the platform
    assert well_away(corner, MARGIN)[0] == "a vertex meets vS"
    assert well_away(FREE, MARGIN) == []
    near = ExactPose(Fraction(-3, 10), Fraction(1, 16) + Fraction(1, 1000), 1, 0, Fraction(-3), Fraction(1))
    assert "ground" in well_away(near, MARGIN)
