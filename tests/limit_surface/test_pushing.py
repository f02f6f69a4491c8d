"""One-point and two-point pushes: closed forms, conditions checked from outside, voting, Lynch and Mason (case L14)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import linprog

from planarcontact.errors import InputError, UnsupportedError
from planarcontact.limit_surface import LimitSurfaceModel
from planarcontact.limit_surface.block import TriangularBlock
from planarcontact.limit_surface.friction_cone import friction_cone, in_cone
from planarcontact.limit_surface.ideal import SupportPoints, twist_about
from planarcontact.limit_surface.pushing import motion_cone, push
from planarcontact.limit_surface.stable_push import conservative_region, is_stable_push, push_twists
from planarcontact.limit_surface.statics import statics_pressures
from planarcontact.limit_surface.uniform import UniformDisc, UniformRectangle, UniformRing

BLOCK = TriangularBlock()
SCREWS = SupportPoints(BLOCK.supports("10_90"), statics_pressures(BLOCK.supports("10_90"), BLOCK.weight), 0.3, BLOCK.length)
DISC = UniformDisc(0.05, 10.0, 0.3, 0.05)


def ellipsoid(force: float, moment: float, length: float = 0.05) -> LimitSurfaceModel:
    a = 1 / force**2
    return LimitSurfaceModel.from_coefficients([a, 0, 0, a, 0, (length / moment) ** 2], 2, length)


SURFACES = {"screws": SCREWS, "disc": DISC, "ellipsoid": ellipsoid(3.0, 0.1), "square": UniformRectangle(0.1, 0.1, 5.0, 0.4, 0.05)}


def at_contact(twist, c):
    return twist[:2] + twist[2] * np.array([-c[1], c[0]])


@pytest.mark.parametrize("name", SURFACES)
def test_a_push_meets_every_condition_of_its_mode(name):
    surface, rng = SURFACES[name], np.random.default_rng(11)
    seen = set()
    for _ in range(40):
        contact, normal = rng.uniform(-0.07, 0.07, 2), rng.normal(size=2)
        normal /= np.linalg.norm(normal)
        left = np.array([-normal[1], normal[0]])
        mu, velocity = rng.uniform(0.0, 0.9), rng.normal(size=2)
        out = push(surface, contact, normal, mu, velocity)
        seen.add(out.mode)
        slip = velocity - at_contact(out.twist, contact)  # of the pusher over the object
        if out.mode == "separating":
            assert velocity @ normal <= 0 and not out.twist.any() and not out.load.any()
            continue
        force = out.load[:2]
        assert out.load[2] == pytest.approx(contact[0] * force[1] - contact[1] * force[0], abs=1e-12)
        assert slip @ normal == pytest.approx(0.0, abs=1e-9)
        assert force @ normal > 0
        assert_allclose(np.cross(surface.twist(out.load[None])[0], out.twist), 0.0, atol=1e-6 * np.linalg.norm(out.twist))
        assert out.load @ out.twist > 0
        if out.mode == "sticking":
            assert_allclose(slip, 0.0, atol=1e-9)
            assert abs(force @ left) <= mu * (force @ normal) + 1e-9
        else:
            side = 1 if out.mode == "sliding left" else -1
            assert side * (slip @ left) > 0
            assert force @ left == pytest.approx(side * mu * (force @ normal), abs=1e-9)
        scale = float(surface.value(out.load[None])[0]) if name == "ellipsoid" else surface.support(out.twist[None])[0] / (out.load @ out.twist)
        assert scale == pytest.approx(1.0, rel=1e-9)
    assert {"sticking", "sliding left", "sliding right", "separating"} <= seen


def test_sticking_push_of_an_ellipsoid_by_hand():
    """V = A F with zero moment about the contact: two linear equations for the force."""
    model, c = ellipsoid(3.0, 0.1), np.array([-0.05, 0.02])
    jacobian = np.array([[1, 0, -c[1]], [0, 1, c[0]]])
    matrix = jacobian @ np.diag([1 / 9, 1 / 9, 100]) @ jacobian.T
    velocity = np.array([0.02, 0.003])
    force = np.linalg.solve(matrix, velocity)
    twist = np.diag([1 / 9, 1 / 9, 100]) @ jacobian.T @ force
    out = push(model, c, (1, 0), 5.0, velocity)
    assert out.mode == "sticking"
    assert_allclose(out.twist, twist, rtol=1e-9)
    assert out.load[0] * force[1] == pytest.approx(out.load[1] * force[0], abs=1e-12)


def test_a_push_through_the_centre_translates():
    for surface in (DISC, UniformRing(0.05, 1.0, 0.3, 0.05), SURFACES["square"]):
        out = push(surface, (-0.05, 0.0), (1, 0), 0.5, (0.01, 0.0))
        assert out.mode == "sticking"
        assert_allclose(out.twist, [0.01, 0, 0], atol=1e-9)


def test_mirror_images_slide_to_the_other_side():
    one = push(DISC, (-0.05, 0.01), (1, 0), 0.1, (1.0, 0.9))
    other = push(DISC, (-0.05, -0.01), (1, 0), 0.1, (1.0, -0.9))
    assert (one.mode, other.mode) == ("sliding left", "sliding right")
    assert_allclose(one.twist * [1, -1, -1], other.twist, atol=1e-12)


@pytest.mark.parametrize("name", SURFACES)
def test_the_sense_of_rotation_is_voted(name):
    """Mason: the rays of the push and of the two edges of the friction cone vote on the sense of rotation."""
    surface, rng = SURFACES[name], np.random.default_rng(12)
    for _ in range(30):
        contact, angle = rng.uniform(-0.07, 0.07, 2), rng.uniform(0, 2 * np.pi)
        normal, left = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        mu, tilt = rng.uniform(0, 0.8), rng.uniform(-1.2, 1.2)
        velocity = normal * np.cos(tilt) + left * np.sin(tilt)
        rays = [velocity, normal + mu * left, normal - mu * left]
        votes = np.sign([contact[0] * r[1] - contact[1] * r[0] for r in rays])
        out = push(surface, contact, normal, mu, velocity)
        assert np.sign(out.twist[2]) == np.median(votes)


def test_motion_cone_separates_the_modes():
    contact, normal = (-0.05, 0.015), (1.0, 0.0)
    right, left = motion_cone(SCREWS, contact, normal, 0.4)
    for edge, inner, outer in ((right, 1, -1), (left, -1, 1)):
        turn = lambda s, e=edge: (np.cos(s) * e[0] - np.sin(s) * e[1], np.sin(s) * e[0] + np.cos(s) * e[1])  # noqa: E731
        assert push(SCREWS, contact, normal, 0.4, turn(1e-4 * inner)).mode == "sticking"
        assert push(SCREWS, contact, normal, 0.4, turn(1e-4 * outer)).mode == ("sliding right" if edge is right else "sliding left")


@pytest.mark.parametrize("mu", [1e-6, 0.1, 1.0, 100.0])
@pytest.mark.parametrize("surface", [DISC, UniformRing(0.05, 1.0, 0.3, 0.05), ellipsoid(3, 0.1), SURFACES["square"]])
def test_l14_two_point_pushes_of_symmetric_supports(surface, mu):
    forward = [1.0, 0.0, 0.0]
    normals = [[1.0, 0.0], [1.0, 0.0]]
    assert is_stable_push(surface, [[-0.05, 0.025], [-0.05, -0.025]], normals, mu, forward) is True
    assert is_stable_push(surface, [[-0.05, 0.005], [-0.05, 0.055]], normals, mu, forward) is False
    assert is_stable_push(surface, [[-0.05, -0.005], [-0.05, -0.055]], normals, mu, forward) is False
    # the same turned by 40 degrees, and with one contact straight behind the centre of mass
    c, s = np.cos(0.7), np.sin(0.7)
    turn = np.array([[c, -s], [s, c]])
    if not isinstance(surface, UniformRectangle):
        turned = [turn @ p for p in ([-0.05, 0.025], [-0.05, -0.025])]
        assert is_stable_push(surface, turned, [turn @ [1, 0]] * 2, mu, [*(turn @ [1, 0]), 0.0])
    assert is_stable_push(surface, [[-0.05, 0.0], [-0.05, 0.05]], normals, mu, forward)


def test_sliding_sideways_needs_friction():
    contacts, normals = [[-0.05, 0.025], [-0.05, -0.025]], [[1, 0], [1, 0]]
    oblique = [1.0, 0.3, 0.0]
    assert not is_stable_push(DISC, contacts, normals, 0.29, oblique)
    assert not is_stable_push(DISC, [[-0.05, 0.01], [-0.05, -0.01]], normals, 0.31, oblique)  # too narrow: it would turn
    assert is_stable_push(DISC, [[-0.05, 0.025], [-0.05, -0.025]], normals, 0.31, oblique)


def test_sense_of_rotation_and_shapes_of_the_centre():
    contacts, normals = [[-0.05, 0.025], [-0.05, -0.025]], [[1, 0], [1, 0]]
    twists = push_twists(contacts, normals, [[0.0, -1.0], [0.0, 1.0]])
    assert twists[:, 2].tolist() == [-1.0, 1.0] and (twists[:, 0] > 0).all()
    many = is_stable_push(DISC, contacts, normals, 0.5, [[0.0, 1.0], [0.0, 0.0]])
    assert many.shape == (2,)
    assert is_stable_push(DISC, contacts, normals, 0.5, [0.0, 1e9]) == is_stable_push(DISC, contacts, normals, 0.5, [1.0, 0.0, 1e-9])


def test_cone_membership_agrees_with_a_linear_program():
    rng = np.random.default_rng(3)
    for _ in range(25):
        edges = friction_cone(rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), rng.uniform(0, 1))
        loads = np.vstack([rng.normal(size=(6, 3)), rng.random((4, 4)) @ edges])
        ours = in_cone(edges, loads)
        theirs = [linprog(np.zeros(4), A_eq=edges.T, b_eq=row, bounds=(0, None)).status == 0 for row in loads]
        assert ours.tolist() == theirs
        assert ours[6:].all()


def test_one_contact_spans_a_plane_only():
    edges = friction_cone([[-0.05, 0.0]], [[1, 0]], 0.5)
    assert in_cone(edges, [edges[0] + 2 * edges[1], [1, 0, 0.1], -edges[0]]).tolist() == [True, False, False]
    assert_allclose(edges, [[1, -0.5, 0.025], [1, 0.5, -0.025]])


def test_contacts_all_around_hold_every_load():
    angle = 2 * np.pi * np.arange(3) / 3
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    assert in_cone(friction_cone(points, -points, 0.5), np.random.default_rng(0).normal(size=(50, 3))).all()


def edge_contacts(width=0.05):
    along = np.array([1.0, -1.0]) / np.sqrt(2)
    middle = np.array([0.075, 0.075]) - BLOCK.centre
    return np.array([middle + width / 2 * along, middle - width / 2 * along]), np.tile(-np.ones(2) / np.sqrt(2), (2, 1))


@pytest.mark.parametrize("mu", [0.3, 1.0])
def test_conservative_pushes_are_stable_for_every_pressure(mu):
    contacts, normals = edge_contacts()
    rng = np.random.default_rng(5)
    cors = rng.uniform(-0.6, 0.6, size=(6000, 2))
    safe = conservative_region(BLOCK.vertices, contacts, normals, mu, cors)
    assert 0.005 < safe.mean() < 0.5
    for _ in range(40):
        share = rng.dirichlet(np.full(3, 0.4), size=12)
        points = share @ BLOCK.vertices
        weights = random_pressure(points, rng)
        if weights is None:
            continue
        surface = SupportPoints(points, weights, 0.3, BLOCK.length)
        assert is_stable_push(surface, contacts, normals, mu, cors[safe]).all()


def test_turn_about_a_support_is_stable_where_one_load_of_its_set_is_in_the_cone():
    """Against a linear programme over a polygon of 720 corners in the facet's disc, and just outside it."""
    rng = np.random.default_rng(11)
    angle = np.linspace(0.0, 2.0 * np.pi, 720, endpoint=False)
    answers = []
    for _ in range(120):
        points = rng.normal(size=(3, 2)) * 0.05
        surface = SupportPoints(np.vstack([points, points[:1]]), rng.exponential(size=4), 0.3, 0.05)  # the first in two parts
        contacts, normals = rng.normal(size=(2, 2)) * 0.05, rng.normal(size=(2, 2))
        twist = surface.facets()[int(rng.integers(6))].twist
        edges = friction_cone(contacts, normals, 0.7)
        stable = is_stable_push(surface, contacts, normals, 0.7, twist)
        axes, middle = surface.resting_friction(twist), surface.load(twist[None])[0]
        inner, outer = (
            linprog(np.zeros(4 + 720), A_eq=np.vstack([np.hstack([edges.T, -(middle + size * disc).T]), [0.0] * 4 + [1.0] * 720]), b_eq=[0, 0, 0, 1]).status == 0
            for disc in [np.cos(angle)[:, None] * axes[0] + np.sin(angle)[:, None] * axes[1]]
            for size in (1.0, 1.0001)
        )
        assert inner <= stable <= outer
        answers.append((stable, bool(in_cone(edges / [1, 1, 0.05], middle[None] / [1, 1, 0.05])[0])))
    assert 20 < sum(stable for stable, _ in answers) < 100 and any(stable and not by_middle for stable, by_middle in answers)
    assert all(stable for stable, by_middle in answers if by_middle)


def random_pressure(points, rng):
    """Random pressures with the resultant at the origin, or None if the origin is outside the points' hull."""
    n = len(points)
    out = linprog(rng.normal(size=n), A_eq=np.vstack([np.ones(n), points.T]), b_eq=[1.0, 0, 0], bounds=(0, None))
    return out.x if out.status == 0 else None


def test_conservative_translation_along_the_normal():
    contacts, normals = edge_contacts()
    forward = [[*normals[0], 0.0], [*contacts[0], 0.0]]
    assert conservative_region(BLOCK.vertices, contacts, normals, 1.0, forward).tolist() == [True, False]


@pytest.mark.parametrize(
    "call",
    [
        lambda: push(DISC, (0, 0), (0, 0), 0.3, (1, 0)),
        lambda: push(DISC, (0, 0), (1, 0), -0.3, (1, 0)),
        lambda: push(DISC, (0, 0), (1, 0), 0.3, (0, 0)),
        lambda: push(DISC, (0, np.nan), (1, 0), 0.3, (1, 0)),
        lambda: push(DISC, (0, 0, 0), (1, 0), 0.3, (1, 0)),
        lambda: friction_cone([], [], 0.3),
        lambda: friction_cone([[0, 0]], [[1, 0], [1, 0]], 0.3),
        lambda: is_stable_push(DISC, [[0, 0]], [[1, 0]], 0.3, (np.inf, 0.0)),
        lambda: is_stable_push(DISC, [[0, 0]], [[1, 0]], 0.3, (0.0, 0.0, 0.0)),
        lambda: is_stable_push(DISC, [[0, 0]], [[1, 0]], 0.3, (np.nan, 0.0)),
        lambda: conservative_region(BLOCK.vertices, [[0, 0], [1, 0]], [[1, 0], [0, 1]], 0.3, [[0, 0]]),
        lambda: DISC.twist([[0.0, 0.0, 0.0]]),
    ],
)
def test_unusable_input(call):
    with pytest.raises(InputError):
        call()


def test_an_uncertified_model_does_not_judge_stability():
    saddle = LimitSurfaceModel.from_coefficients([1, 0, 0, -0.5, 0, 1], 2)
    with pytest.raises(UnsupportedError):
        is_stable_push(saddle, [[-1, 1], [-1, -1]], [[1, 0], [1, 0]], 0.3, (1.0, 0.0, 0.0))


def test_twist_of_load_inverts_load_of_twist():
    twists = np.random.default_rng(8).normal(size=(150, 3))
    for surface in (SCREWS, DISC, UniformRing(0.05, 1.0, 0.3, 0.05), SURFACES["square"]):
        unit = twists / np.linalg.norm(twists * [1, 1, surface.length], axis=1, keepdims=True)
        assert_allclose(surface.twist(7 * surface.load(unit)), unit, atol=1e-6)
    for facet in SCREWS.facets():
        rows = np.array([facet.point(0.3, -0.6), facet.point(-0.99, 0.0)])
        assert_allclose(np.cross(SCREWS.twist(rows), facet.twist), 0.0, atol=1e-12)
    assert twist_about([[0.0, 0.0]]).tolist() == [[0.0, 0.0, 1.0]]
