"""The oracle against hand cases, shapely, and the definition itself; and that it shares no code with the recognizer."""

import ast
from fractions import Fraction as F
from pathlib import Path

import numpy as np
import pytest
import shapely
from shapely.geometry import Point, Polygon

from planarcontact.contact_states.exact import clearance, examine
from planarcontact.contact_states.exact_geometry import Piece, meet
from planarcontact.contact_states.exact_scene import ExactPose, ExactScene, formation_code, formation_templates, template_name
from planarcontact.contact_states.quadratic import Quadratic, exact_root, sign
from planarcontact.errors import InputError

SCENE = ExactScene()
U = F(1, 64)  # m, the disk's radius: the box is 8, the step 2 of these
FOLDER = Path(__file__).parents[2] / "lib" / "planarcontact" / "contact_states"
EXACT_FILES = sorted(p.name for pattern in ("exact.py", "exact_scene.py", "exact_geometry.py", "realisable*.py", "quadratic.py") for p in FOLDER.glob(pattern))


def pose(x, z, tau=F(0), quarter=0, disk=(-40, 40)):
    """Centre and disk in units of U; the box turned counter-clockwise by 90 deg * quarter + 2 atan(tau)."""
    c, s = (1 - tau * tau) / (1 + tau * tau), 2 * tau / (1 + tau * tau)
    for _ in range(quarter):
        c, s = -s, c
    return ExactPose(F(x) * U, F(z) * U, F(c), F(-s), F(disk[0]) * U, F(disk[1]) * U)


def names(q, scene=SCENE):
    state = examine(q, scene)
    assert state.admissible, state.overlaps
    return {template_name(i) for i in state.contacts}


@pytest.mark.parametrize("file", EXACT_FILES)
def test_the_oracle_shares_no_code_with_the_recognizer(file):
    allowed = {"__future__", "collections", "dataclasses", "fractions", "functools", "itertools", "math", "typing", "numpy"}
    ours = {"errors", "validation"} | {name.removesuffix(".py") for name in EXACT_FILES}
    for node in ast.walk(ast.parse((FOLDER / file).read_text())):
        if isinstance(node, ast.Import):
            assert all(alias.name.split(".")[0] in allowed for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert (node.module.split(".")[0] in ours) if node.level else (node.module.split(".")[0] in allowed)


HAND = [
    (pose(-10, 4), {"g"}),
    (pose(-10, F(4) + F(1, 10**30)), set()),
    (pose(-4, 4), {"g", "s"}),
    (pose(-4, 5), {"s"}),
    (pose(-4, 6), {"(v+-,vS)"}),
    (pose(4, 6), {"(-z,P)"}),
    (pose(0, 6), {"(-z,P)"}),
    (pose(4, 6, quarter=3), {"t"}),
    (pose(-10, 4, disk=(-15, 4)), {"g", "mx"}),
    (pose(-10, 4, disk=(-15, 8)), {"g", "mx"} - {"mx"} | {"(v-+,M)"}),
    (pose(-10, 4, disk=(-14 - F(3, 5), 8 + F(4, 5))), {"g", "(v-+,M)"}),
    (pose(-2, 6, disk=(-4, 1)), {"(-z,P)", "mz"}),
]


@pytest.mark.parametrize("case", range(len(HAND)))
def test_hand_cases(case):
    q, wanted = HAND[case]
    assert names(q) == wanted


def test_corner_on_floor_and_side_on_step_corner():
    tau = F(1, 2)  # turned by atan(4/3): v-- lowest, -z faces the step corner
    c, s = F(3, 5), F(4, 5)
    lowest = (-2 * c / s, F(0))
    q = pose(lowest[0] + 4 * c - 4 * s, lowest[1] + 4 * s + 4 * c, tau)
    assert names(q) == {"(v--,L)", "(-z,vS)"}
    q = pose(lowest[0] + 4 * c - 4 * s, lowest[1] + 4 * s + 4 * c, tau, quarter=1)
    assert names(q) == {"(v-+,L)", "(-x,vS)"}


def test_two_vertices_in_a_quadratic_extension():
    root = exact_root(F(15, 16))
    c, s = root, F(1, 4)
    x, z = c * (-8) + c * 4 - s * 4, c * 4 + s * 4
    q = ExactPose(x * U, z * U, c, -s, F(-40) * U, F(40) * U)
    assert names(q) == {"(v--,L)", "(v+-,vS)"}
    assert examine(ExactPose(x * U + F(1, 10**40), z * U, c, -s, F(-1), F(1))).overlaps == ("box and environment",)


def test_overlaps_are_named():
    assert examine(pose(-10, F(39999, 10000))).overlaps == ("box and environment",)
    assert examine(pose(-3, 5)).overlaps == ("box and environment",)
    assert examine(pose(-10, 4, disk=(-10, 4))).overlaps == ("disk and box",)
    assert examine(pose(-30, 4, disk=(F(-1, 2), 5))).overlaps == ()
    assert examine(pose(-30, 4, disk=(F(-1, 2), F(5, 2)))).overlaps == ("disk and environment",)
    assert examine(pose(-30, 4, disk=(-1, 1))).disk_touches_environment


def test_translation_of_scene_and_pose():
    moved = ExactScene(origin=(F(1000), F(-3, 7)))
    for q, wanted in HAND:
        assert names(q.moved(*moved.origin), moved) == wanted


@pytest.mark.parametrize("near", [False, True])
def test_admissibility_agrees_with_shapely(near):
    rng = np.random.default_rng(5)
    a, h, r = 8.0, 2.0, 1.0
    ground = Polygon([(-100, -100), (100, -100), (100, h), (0, h), (0, 0), (-100, 0)])
    decided = {True: 0, False: 0}
    for _ in range(400):
        tau, quarter = F(int(rng.integers(0, 64)), 64), int(rng.integers(4))
        grid = 4 if near else 1000
        x, z, mx, mz = (F(int(n), grid) for n in rng.integers([-16 * grid, 3 * grid, -20 * grid, 0], [8 * grid, 10 * grid, 10 * grid, 12 * grid]))
        q = pose(x, z, tau, quarter, (mx, mz))
        state = examine(q)
        c, s = float(q.cos), float(q.sin)
        box = Polygon([(float(x) + c * u + s * w, float(z) - s * u + c * w) for u, w in ((-4, -4), (4, -4), (4, 4), (-4, 4))])
        centre = Point(float(mx), float(mz))
        margins = {
            "box and environment": box.intersection(ground).area or -shapely.distance(box, ground),
            "disk and box": r - box.distance(centre),
            "disk and environment": r - ground.distance(centre),
        }
        for name, margin in margins.items():
            if abs(margin) > 1e-9 * a:
                decided[margin > 0] += 1
                assert (name in state.overlaps) == (margin > 0)
    assert min(decided.values()) > 100


def test_admissible_poses_have_one_contact_per_pair():
    rng = np.random.default_rng(6)
    seen = set()
    for _ in range(1000):
        tau, quarter = F(int(rng.integers(0, 3)), 2) * F(int(rng.integers(0, 2))), int(rng.integers(4))
        q = pose(*(F(int(n), 2) for n in rng.integers([-12, 7], [16, 16])), tau, quarter, tuple(F(int(n), 2) for n in rng.integers([-30, 0], [20, 40])))
        state = examine(q)
        if state.admissible:
            assert state.code is not None and formation_templates(state.code) == state.contacts
            seen.add(state.code)
    assert len(seen) > 20


def test_clearance_of_hand_cases():
    near = clearance(pose(-10, 4, disk=(-20, 4)))
    assert near.distance == pytest.approx(5 * float(U)) and near.overlap == pytest.approx(0.125)
    assert near.angle == pytest.approx(np.pi / 2)
    corner = clearance(pose(-4, 6))
    assert corner.angle == 0.0 and {i for i, angle, overlap in corner.crossing if angle == 0 and overlap == 0} == {16, 27}
    tilted = clearance(pose(20, 2 + 4 * (F(3, 5) + F(4, 5)), F(1, 2), disk=(-20, 20)))
    assert sorted(angle for _, angle, _ in tilted.crossing) == pytest.approx([np.arctan2(3, 4), np.arctan2(4, 3)])
    face = clearance(pose(-10, 4, disk=(-15, 7)))
    assert face.foot == ((1, pytest.approx(float(U))),)
    assert dict(face.apart)[6] == pytest.approx((2**0.5 - 1) * float(U))
    vertex = clearance(pose(-10, 4, disk=(-14 - F(3, 5), 8 + F(4, 5))))
    assert vertex.foot == ((6, pytest.approx(0.6 * float(U))),)
    with pytest.raises(InputError):
        clearance(pose(-10, 3))


def test_apart_distances_agree_with_shapely():
    rng = np.random.default_rng(7)
    q = pose(-10, 12, F(1, 3), 2, (-3, 3))
    lines = {"L": [(-500, 0), (0, 0)], "S": [(0, 0), (0, 2)], "P": [(0, 2), (500, 2)], "vS": [(0, 2), (0, 2)]}
    for _ in range(20):
        q = pose(F(int(rng.integers(-30, 30))), F(int(rng.integers(13, 20))), F(int(rng.integers(9)), 8), int(rng.integers(4)), (0, 40))
        found = dict(clearance(q).apart)
        half, order = float(4 * U), ("+x", "-x", "+z", "-z", "v++", "v+-", "v-+", "v--")
        corner = {v: tuple(map(float, q.to_world(F(1, 16) * int(v[1] + "1"), F(1, 16) * int(v[2] + "1")))) for v in order[4:]}
        assert half == 1 / 16
        for pair, (other, ends) in enumerate(lines.items(), 1):
            for i, f in enumerate(order):
                touch = [v for v in corner if (f == v or (len(f) == 2 and v["xz".index(f[1]) + 1] == f[0]))]
                shape = shapely.LineString([corner[touch[0]], corner[touch[-1]]])
                edge = shapely.LineString(np.array(ends) * float(U))
                assert found[8 * pair + i] == pytest.approx(shape.distance(edge), abs=1e-12)


def test_quadratic_numbers_are_ordered_as_reals():
    rng = np.random.default_rng(8)
    for _ in range(300):
        p, q, m, n = (F(int(k), 7) for k in rng.integers(-50, 50, 4))
        x, y = Quadratic(p, q, F(15)), Quadratic(m, n, F(15))
        assert sign(x - y) == np.sign(float(p) - float(m) + (float(q) - float(n)) * 15**0.5)
        assert (x * y - y * x) == 0 and (y == 0 or x / y * y == x) and (2 - x) + x == 2 and 1 / (x * x + 1) * (1 + x * x) == 1
    assert exact_root(F(9, 4)) == F(3, 2) and exact_root(F(2)) * exact_root(F(2)) == 2
    close = exact_root(F(2)) - F(1414213562373095048801688724209698078569671875376948, 10**51)
    assert close > 0
    with pytest.raises(InputError):
        exact_root(F(-1))


def test_meet():
    ray = Piece(0, F(0), None, F(0))
    at = lambda x, z: (F(x), F(z))  # noqa: E731
    assert meet(at(-3, 0), at(2, 0), ray) == (at(-3, 0), at(0, 0))
    assert meet(at(0, 0), at(2, 0), ray) == (at(0, 0),)
    assert meet(at(1, 0), at(2, 0), ray) == ()
    assert meet(at(-1, -1), at(-1, 1), ray) == (at(-1, 0),)
    assert meet(at(1, -1), at(1, 1), ray) == ()


def test_bad_input_is_refused():
    with pytest.raises(InputError):
        ExactPose(F(0), F(0), F(1), F(1), F(0), F(0))
    with pytest.raises(InputError):
        ExactPose(0.5, F(0), F(1), F(0), F(0), F(0))
    with pytest.raises(InputError):
        ExactScene(side=F(0))
    with pytest.raises(InputError):
        formation_templates(9**5)
    with pytest.raises(InputError):
        formation_code(frozenset({0, 1}))
