"""Which outlines are simple and apart: exact arithmetic against shapely, on a grid so that touching is common."""

import numpy as np
import shapely
from planarcontact.contact_states import Environment
from planarcontact.contact_states.crossings import Side, chain_sides, inside, meeting, ring_sides
from planarcontact.errors import InputError


def _rings(seed: int, count: int, corners: int) -> list[np.ndarray]:
    random = np.random.default_rng(seed)
    rings = [random.integers(0, 5, (corners, 2)).astype(float) for _ in range(count)]
    return [ring for ring in rings if len(np.unique(ring, axis=0)) == corners]


def test_simple_outlines_are_those_of_shapely() -> None:
    kinds = {True: 0, False: 0}
    for ring in _rings(1, 3000, 5):
        valid = bool(shapely.Polygon(ring).is_valid)
        kinds[valid] += 1
        try:
            Environment.from_polygons([ring])
            taken = True
        except InputError:
            taken = False
        assert taken == valid, ring.tolist()
    assert min(kinds.values()) > 300


def test_polygons_apart_are_those_of_shapely() -> None:
    rings = [r for r in _rings(2, 400, 3) if shapely.Polygon(r).area > 0]
    kinds = {True: 0, False: 0}
    for k in range(0, len(rings) - 1, 2):
        first, second = rings[k], 0.5 * rings[k + 1] + np.array((k % 7 - 2, k % 5 - 1)) * 0.5
        apart = bool(shapely.Polygon(first).disjoint(shapely.Polygon(second)))
        kinds[apart] += 1
        met = meeting(ring_sides(first), ring_sides(second)) is not None
        assert (met or inside(first[0], second) or inside(second[0], first)) != apart
    assert min(kinds.values()) > 20


def test_rays_cross_where_long_segments_do() -> None:
    random = np.random.default_rng(3)
    kinds = {True: 0, False: 0}
    for _ in range(2000):
        a, b, c, d = random.integers(0, 5, (4, 2)).astype(float)
        if (a == b).all() or (c == d).all():
            continue
        ray, side = Side(a, b, ray=True), Side(c, d)
        expected = bool(shapely.LineString([a, a + 100 * (b - a)]).distance(shapely.LineString([c, d])) < 1e-9)
        kinds[expected] += 1
        assert ray.meets(side) == side.meets(ray) == expected
        both = Side(c, d, ray=True)
        assert ray.meets(both) == both.meets(ray)
        assert ray.meets(both) == bool(shapely.LineString([a, a + 100 * (b - a)]).distance(shapely.LineString([c, c + 100 * (d - c)])) < 1e-9)
    assert min(kinds.values()) > 100


def test_what_rounding_could_not_tell_apart() -> None:
    """Two spikes whose tips are one rounding step apart, and then touch."""
    tip = 1.0
    left = np.array([(0.0, -1.0), (tip, 0.0), (0.0, 1.0)])
    for right_tip, touches in ((np.nextafter(tip, 2.0), False), (tip, True), (np.nextafter(tip, 0.0), True)):
        right = np.array([(2.0, -1.0), (2.0, 1.0), (right_tip, 0.0)])
        assert (meeting(ring_sides(left), ring_sides(right)) is not None) == touches


def test_rays_that_meet_far_away_are_found() -> None:
    slope = 1e-7
    closing = np.array([(-1.0, slope), (0.0, 0.0), (0.0, -1.0), (-1.0, -1.0 + 3 * slope)])
    assert meeting(chain_sides(closing)) is not None
    opening = np.array([(-1.0, slope), (0.0, 0.0), (0.0, -1.0), (-1.0, -1.0 - slope)])
    assert meeting(chain_sides(opening)) is None
