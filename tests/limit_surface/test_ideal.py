"""Ideal limit surfaces: closed forms against quadrature, convexity, facets, sets of loads."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from planarcontact.errors import InputError
from planarcontact.limit_surface.block import ARRANGEMENTS, TriangularBlock
from planarcontact.limit_surface.ideal import SupportPoints, centre_of_rotation, twist_about
from planarcontact.limit_surface.statics import statics_pressures
from planarcontact.limit_surface.uniform import UniformDisc, UniformPolygon, UniformRectangle, UniformRing

SCREWS = ARRANGEMENTS[:4]


def block(arrangement: str, mu: float = 0.3) -> SupportPoints:
    body = TriangularBlock()
    points = body.supports(arrangement)
    return SupportPoints(points, statics_pressures(points, body.weight), mu, body.length)


def surfaces():
    rng = np.random.default_rng(3)
    yield "disc", UniformDisc(0.8, 2.0, 0.3)
    yield "ring", UniformRing(0.7, 2.0, 0.3)
    yield "rectangle", UniformRectangle(1.0, 2.0, 2.0, 0.3)
    yield "triangle", UniformPolygon([[-0.5, -0.4], [0.9, -0.3], [0.1, 1.1]], 1.0, 0.5)
    yield "points", SupportPoints(rng.normal(size=(5, 2)), rng.random(5), 0.4)
    yield "screws", block("30_63")


ALL = dict(surfaces())


def random_twists(count: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, 3))


def dense_points(surface, n: int) -> SupportPoints:
    """The same support as a cloud of points, by midpoint rules that know nothing of the closed forms."""
    if isinstance(surface, (UniformDisc, UniformRing)):
        angle = 2 * np.pi * (np.arange(n) + 0.5) / n
        radii = surface.radius * (np.sqrt((np.arange(n) + 0.5) / n) if isinstance(surface, UniformDisc) else np.ones(1))
        points = np.vstack([r * np.column_stack([np.cos(angle), np.sin(angle)]) for r in radii])
    elif isinstance(surface, UniformRectangle):
        x = (np.arange(n) + 0.5) / n - 0.5
        points = np.column_stack([c.ravel() for c in np.meshgrid(x * surface.width, x * surface.height)])
    else:
        u, v = np.meshgrid((np.arange(n) + 0.5) / n, (np.arange(n) + 0.5) / n)
        a, b, c = surface.vertices
        share = np.sqrt(u.ravel())[:, None]
        points = a + share * ((b - a) + v.ravel()[:, None] * (c - b))
    return SupportPoints(points, np.full(len(points), surface.normal_load / len(points)), surface.mu)


@pytest.mark.parametrize("name", ALL)
def test_load_is_the_gradient_of_the_dissipated_power(name):
    surface, twists, h = ALL[name], random_twists(200, 1), 1e-6
    gradient = np.stack([surface.support(twists + h * e) - surface.support(twists - h * e) for e in np.eye(3)], 1) / (2 * h)
    assert_allclose(surface.load(twists), gradient, atol=2e-8)


@pytest.mark.parametrize("name", ALL)
def test_maximum_work_and_symmetry(name):
    surface, twists = ALL[name], random_twists(150, 2)
    loads = surface.load(twists)
    assert_allclose(surface.load(-2.5 * twists), -loads, atol=1e-14)
    work = twists @ loads.T
    assert (np.diag(work)[:, None] >= work - 1e-12).all()
    assert_allclose(np.diag(work), surface.support(twists), rtol=1e-12)


@pytest.mark.parametrize("name", ["disc", "ring", "rectangle", "triangle"])
def test_closed_form_agrees_with_a_dense_cloud_of_points(name):
    surface = ALL[name]
    reach = 1.2
    centres = np.array([[0.0, 0.0], [0.13, -0.21], [0.31, 0.33], [1.5, 0.2], [-3.0, 2.0], [-6.0, 5.0], [40.0, -9.0]]) * reach
    twists = np.vstack([twist_about(centres), twist_about(centres, sense=-1), [[1.0, 0.5, 0.0]]])
    cloud = dense_points(surface, 300)
    assert_allclose(surface.load(twists), cloud.load(twists), atol=6e-3 * surface.mu * surface.normal_load)
    far = np.abs(twists[:, :2]).max(axis=1) > 1.4 * reach  # the midpoint rule is good where the integrand is smooth
    assert_allclose(surface.load(twists[far]), cloud.load(twists[far]), atol=2e-5)


@pytest.mark.parametrize("surface", [UniformRectangle(1.0, 2.0, 2.0, 0.3), UniformPolygon([[0, -1], [1, 0], [0.3, 0.9]], 1, 1)])
def test_polygon_formulas_meet_where_they_hand_over(surface):
    reach = np.linalg.norm(surface.vertices, axis=1).max()
    direction = np.array([[0.6, 0.8], [-1.0, 0.0], [0.28, -0.96]])
    for factor in (1 - 1e-9, 1 + 1e-9):
        rows = twist_about(surface._FAR * reach * factor * direction)
        assert_allclose(surface._near(rows), surface._distant(rows), atol=2e-13)


def test_disc_and_ring_limits_known_by_hand():
    disc, ring = UniformDisc(0.1, 5.0, 0.4), UniformRing(0.1, 5.0, 0.4)
    spin, slip = [[0.0, 0.0, 2.0]], [[0.3, -0.4, 0.0]]
    assert_allclose(disc.load(spin), [[0, 0, 2.0 / 3.0 * 0.1 * 2.0]], rtol=1e-14)
    assert_allclose(ring.load(spin), [[0, 0, 0.1 * 2.0]], rtol=1e-14)
    for surface in (disc, ring):
        assert_allclose(surface.load(slip), [[1.2, -1.6, 0.0]], rtol=1e-14)
    # centre of rotation on the rim: mean distance 32/(9 pi) R for the disc, 4/pi R for the ring
    rim = [[0.1, 0.0, 1.0]]
    assert_allclose(disc.support(rim), 2.0 * 0.1 * 32 / (9 * np.pi), rtol=1e-12)
    assert_allclose(ring.support(rim), 2.0 * 0.1 * 4 / np.pi, rtol=1e-12)


@pytest.mark.parametrize("arrangement", SCREWS)
def test_facets_lie_on_the_surface_and_hold_every_load_of_their_turn(arrangement):
    surface = block(arrangement)
    facets = surface.facets()
    assert len(facets) == 6
    for facet in facets:
        assert surface.is_set_valued(facet.twist[None])[0]
        assert_allclose(surface.load(facet.twist[None])[0], facet.centre)
        assert_allclose(centre_of_rotation(facet.twist[None])[0], surface.points[facet.support], atol=1e-15)
        for angle in np.linspace(0.0, 6.0, 13):
            point = facet.point(np.cos(angle), np.sin(angle))
            assert_allclose(point @ facet.twist, surface.support(facet.twist[None])[0], rtol=1e-12)
            nudge = twist_about(surface.points[facet.support] + 1e-7 * np.array([[-np.sin(angle), np.cos(angle)]]), sense=facet.sense)
            assert_allclose(surface.load(nudge)[0], facet.point(*(facet.sense * np.array([np.cos(angle), np.sin(angle)]))), atol=1e-4)
        semi = surface.limits[facet.support] * np.array([1, np.sqrt(1 + (surface.points[facet.support] ** 2).sum() / surface.length**2)])
        primed = facet.axes / [1, 1, surface.length]
        assert_allclose(np.linalg.svd(primed, compute_uv=False), semi[::-1], rtol=1e-12)
        assert_allclose(facet.area, np.pi * semi.prod(), rtol=1e-12)


@pytest.mark.parametrize("arrangement, share", [("10_130", 0.249), ("30_90", 0.272), ("10_90", 0.276), ("30_63", 0.353)])
def test_mesh_is_closed_lies_on_the_surface_and_holds_the_facets(arrangement, share):
    surface = block(arrangement)
    mesh = surface.mesh(800)
    edges = np.sort(np.vstack([mesh.triangles[:, [i, (i + 1) % 3]] for i in range(3)]), axis=1)
    _, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts == 2).all()
    assert len(mesh.vertices) - len(counts) + len(mesh.triangles) == 2
    assert sum(f.area for f in surface.facets()) / mesh.area == pytest.approx(share, abs=2e-3)
    assert mesh.area == pytest.approx(surface.mesh(3000).area, rel=4e-3)
    # no vertex outside the support function, and those of a facet exactly on its plane
    directions = random_twists(400, 5)
    assert (mesh.vertices @ directions.T <= surface.support(directions) * (1 + 1e-12)).all()
    for k, facet in enumerate(surface.facets()):
        assert_allclose(mesh.vertices[mesh.facet == k] @ facet.twist, surface.support(facet.twist[None])[0], rtol=1e-12)


def test_mesh_of_a_disc_is_a_body_of_revolution():
    mesh = UniformDisc(0.1, 1.0, 1.0, length=0.1).mesh(3000)
    assert (mesh.facet == -1).all() and len(mesh.triangles) == 2 * len(mesh.vertices) - 4
    coarse = UniformDisc(0.1, 1.0, 1.0, length=0.1).mesh(400)
    assert coarse.volume < mesh.volume < coarse.volume * 1.02


def test_set_valued_rows_only_where_a_loaded_support_stands_still():
    surface = SupportPoints([[0.03, 0.0], [-0.02, 0.01], [0.0, -0.04]], [1.0, 2.0, 0.0], 0.5)
    centres = np.array([[0.03, 0.0], [0.03, 1e-12], [0.03, 1e-6], [0.0, -0.04], [0.0, 0.0]])
    assert surface.is_set_valued(twist_about(centres)).tolist() == [True, True, False, False, False]
    assert not surface.is_set_valued([[1.0, 2.0, 0.0]])[0]
    assert len(surface.facets()) == 4
    assert not UniformDisc(1.0, 1.0, 1.0).is_set_valued([[1.0, 0.0, 1.0]])[0]


def test_ring_of_points_approaches_the_ring():
    angle = 2 * np.pi * np.arange(360) / 360
    points = SupportPoints(np.column_stack([np.cos(angle), np.sin(angle)]), np.full(360, 1 / 360), 1.0)
    ring, twists = UniformRing(1.0, 1.0, 1.0), random_twists(300, 8)
    gap = np.linalg.norm(points.load(twists) - ring.load(twists), axis=1)
    assert gap.max() < 4e-3 and np.median(gap) < 1e-12


def test_scaling_of_units_and_turned_frames():
    surface, twists = block("10_90"), random_twists(50, 9)
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    turned = SupportPoints(surface.points @ turn.T, surface.pressures, surface.mu, surface.length)
    both = np.eye(3)
    both[:2, :2] = turn
    assert_allclose(turned.load(twists @ both.T), surface.load(twists) @ both.T, atol=1e-13)
    big = SupportPoints(1000 * surface.points, surface.pressures, surface.mu)  # mm and N mm
    scale = np.array([1.0, 1.0, 1000.0])
    assert_allclose(big.load(twists * [1000, 1000, 1]), surface.load(twists) * scale, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("arrangement, shares", [("10_130", (1, 1, 1)), ("30_90", (1, 1, 1)), ("10_90", (1, 2, 1)), ("30_63", (1, 3, 3))])
def test_pressures_by_statics(arrangement, shares):
    got = statics_pressures(TriangularBlock().supports(arrangement), 7.0)
    assert_allclose(got, 7.0 * np.array(shares) / sum(shares), rtol=1e-3)  # 63.33 mm stands for 190/3
    assert_allclose(got @ TriangularBlock().supports(arrangement), 0.0, atol=1e-14)


def test_centre_of_rotation_and_twist_are_inverse():
    centres = np.random.default_rng(1).normal(size=(20, 2))
    assert_allclose(centre_of_rotation(twist_about(centres, sense=-1)), centres, atol=1e-14)
    assert centre_of_rotation([[0.0, -1.0, 0.0]]).tolist() == [[np.inf, 0.0]]


@pytest.mark.parametrize(
    "make, name",
    [
        (lambda: SupportPoints([[0, 0]], [1.0], 0.0), "mu"),
        (lambda: SupportPoints([[0, 0]], [1.0], -0.1), "mu"),
        (lambda: SupportPoints([[0, 0], [1, 0]], [1.0, -1.0], 0.1), "pressures"),
        (lambda: SupportPoints([[0, 0], [1, 0]], [0.0, 0.0], 0.1), "pressures"),
        (lambda: SupportPoints(np.zeros((0, 2)), [], 0.1), "points"),
        (lambda: SupportPoints([[0, np.nan]], [1.0], 0.1), "points"),
        (lambda: SupportPoints([[0, 0]], [1.0], 0.1, length=0.0), "length"),
        (lambda: UniformDisc(0.0, 1.0, 0.3), "radius"),
        (lambda: UniformRing(0.1, -1.0, 0.3), "normal_load"),
        (lambda: UniformRectangle(1.0, 0.0, 1.0, 0.3), "height"),
        (lambda: UniformPolygon([[0, 0], [0, 1], [1, 0]], 1.0, 0.3), "vertices"),
        (lambda: UniformDisc(1.0, 1.0, 0.3).load([[0.0, 0.0, 0.0]]), "twists"),
        (lambda: block("30_90").load([[0.0, 0.0, np.inf]]), "twists"),
        (lambda: block("30_90").mesh(5), "n"),
        (lambda: TriangularBlock().supports("patch"), "arrangement"),
        (lambda: statics_pressures([[0, 0], [1, 1], [2, 2]], 1.0), "points"),
        (lambda: statics_pressures([[0, 0], [1, 0], [0, 1]], 1.0, centre=(1, 1)), "centre"),
        (lambda: statics_pressures([[0, 0], [1, 0], [0, 1]], 0.0, centre=(0.3, 0.3)), "normal_load"),
        (lambda: twist_about([[0.0, 0.0]], sense=2), "sense"),
    ],
)
def test_unusable_input_is_named(make, name):
    with pytest.raises(InputError) as caught:
        make()
    assert caught.value.name.startswith(name)


def awkward_support(rng: np.random.Generator, kind: str) -> SupportPoints:
    """Random point supports: plain, on a line, two almost in one place, or one with nearly all the load."""
    count = int(rng.integers(3, 12))
    points = rng.normal(size=(count, 2)) * 10.0 ** rng.uniform(-3.0, 1.0)
    pressures = rng.exponential(size=count)
    if kind == "line":
        points[:, 1] = 0.0
    if kind == "twins":
        points[1] = points[0] * (1.0 + 10.0 ** rng.uniform(-12.0, -2.0))
    if kind == "heavy":
        pressures[0] *= 1e6
    return SupportPoints(points, pressures, 0.3, length=float(np.abs(points).max()) * 10.0 ** rng.uniform(-2.0, 2.0))


@pytest.mark.parametrize("kind", ["plain", "line", "twins", "heavy"])
def test_twist_of_loads_beside_the_rim_of_a_facet_is_the_least_power(kind):
    """Off the rim by 1e-16 to 0.3 of the facet's size, where a support creeps as slowly as that."""
    rng = np.random.default_rng(["plain", "line", "twins", "heavy"].index(kind))
    for _ in range(25):
        surface = awkward_support(rng, kind)
        loads = []
        for facet in surface.facets():
            for excess in 10.0 ** rng.uniform(-16.0, -0.5, 6):
                angle = rng.uniform(0.0, 2.0 * np.pi)
                loads.append(facet.point((1.0 + excess) * np.cos(angle), (1.0 + excess) * np.sin(angle)))
        loads = np.array(loads)
        twists = surface.twist(loads)
        power = surface.support(twists) / (loads * twists).sum(axis=1)
        assert (power > 0.0).all()
        for _ in range(20):
            other = twists + rng.normal(size=twists.shape) * 10.0 ** rng.uniform(-9.0, -1.0, (len(twists), 1)) / [1.0, 1.0, surface.length]
            along = (loads * other).sum(axis=1)
            ahead = along > 0.0
            assert (surface.support(other)[ahead] >= power[ahead] * along[ahead] * (1.0 - 1e-12)).all()


def test_twist_of_loads_beside_the_rim_agrees_with_a_cone_program():
    import cvxpy as cp

    rng = np.random.default_rng(4)
    for _ in range(6):
        points, pressures = rng.normal(size=(4, 2)), rng.exponential(size=4)
        surface = SupportPoints(points, pressures, 0.3)
        facet = surface.facets()[int(rng.integers(8))]
        load = facet.point(1.0 + 10.0 ** rng.uniform(-3.0, -1.0), 0.0)
        twist = cp.Variable(3)
        speeds = [cp.norm(cp.hstack([twist[0] - twist[2] * y, twist[1] + twist[2] * x])) for x, y in points]
        problem = cp.Problem(cp.Minimize(0.3 * sum(p * s for p, s in zip(pressures, speeds))), [load @ twist == 1.0])
        problem.solve(solver="CLARABEL")
        found = surface.twist(load[None])[0]
        assert_allclose(surface.support(found[None])[0] / (load @ found), problem.value, rtol=1e-7)
