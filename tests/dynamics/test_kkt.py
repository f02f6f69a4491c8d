"""The document's own complementarity problem: where it agrees with the hull method, and how it fails."""

import numpy as np
import pytest
from step_audit import audit, generator_heights

from planarcontact.dynamics import Body, Disc, EllipsoidalFriction, Plane, Scene, Sphere, Status, scenes, simulate
from planarcontact.dynamics.convex import inequalities, values_and_gradients
from planarcontact.dynamics.kkt import failure_patterns
from planarcontact.dynamics.precision import double_precision
from planarcontact.errors import UnsupportedError

FRICTION = EllipsoidalFriction(mu=0.22)
CYLINDER = Body(2.0, np.diag([0.02, 0.01, 0.02]), discs=[Disc((0, y, 0), (0, 1, 0), 0.1) for y in (-0.15, 0.15)])
BALL = Body(1.0, 0.4 * 0.04 * np.eye(3), spheres=[Sphere((0, 0, 0), 0.2)])
BRICK = Body(2.0, np.diag([0.02, 0.03, 0.04]), vertices=[(x, y, z) for x in (-0.2, 0.2) for y in (-0.15, 0.15) for z in (-0.1, 0.1)])


@pytest.fixture(scope="module")
def desk():
    scene = scenes.desk(duration=0.5)
    return scene, simulate(scene, method="sliding")


def test_agrees_on_the_desk(desk):
    scene, one = desk
    trajectory = simulate(scene, method="kkt")
    assert trajectory.ok and trajectory.residual.max() <= 1e-12
    assert np.abs(trajectory.velocity - one.velocity).max() <= 1e-11
    assert np.abs(trajectory.ecp - one.ecp).max() <= 1e-10
    assert max(audit(scene, trajectory).values()) <= 1e-12


def test_failure_patterns_on_the_desk(desk):
    """f_k(a1) = 0 and max f_i(a2) find the motion; max g_j(a1) lets the ECPs coincide inside the body, at zero residual."""
    scene, one = desk
    equality, max_f, max_g = failure_patterns(scene, one)
    for pattern in (equality, max_f):
        assert not pattern.status.any() and not pattern.wrong.any()
        assert pattern.difference.max() <= 1e-10
    assert max_g.wrong.sum() > scene.steps / 2
    assert max_g.residual[max_g.wrong].max() <= 1e-12
    assert max_g.penetration[max_g.wrong].max() > 1e-9


def test_a_wrong_root_is_not_called_success(desk):
    """The penetration of a converged wrong root shows in the heights, which the equations alone do not reveal."""
    scene, one = desk
    max_g = failure_patterns(scene, one)[2]
    k = int(np.argmax(max_g.penetration))
    assert max_g.status[k] == Status.CONVERGED and max_g.penetration[k] > 1e-9
    assert generator_heights(scene, one.position[k + 1], one.orientation[k + 1]).min() >= -1e-15


@pytest.mark.parametrize(
    "body, height, velocity",
    [(CYLINDER, 0.1, (0.5, 0, 0, 0, 0, 0)), (BALL, 0.2, (0.7, 0.1, 0, 0, 0, 2.0)), (BRICK, 0.1, (0.4, 0.3, 0, 0, 0, 3.0))],
    ids=["cylinder", "ball", "brick"],
)
def test_agrees_with_the_hull_method_on_smooth_and_flat_bodies(body, height, velocity):
    scene = Scene(body=body, friction=FRICTION, position=(0, 0, height), velocity=velocity, duration=0.3)
    ours, hull = simulate(scene, method="kkt"), simulate(scene, method="hull")
    assert ours.ok and hull.ok
    assert np.abs(ours.velocity - hull.velocity).max() <= 1e-9
    assert np.abs(ours.impulse - hull.impulse).max() <= 1e-10


def test_free_flight_carries_no_impulse():
    scene = Scene(body=BRICK, friction=FRICTION, position=(0, 0, 5.0), velocity=(0.1, 0, 0, 0, 0, 1.0), duration=0.1)
    trajectory = simulate(scene, method="kkt")
    assert trajectory.ok and np.abs(trajectory.impulse).max() <= 1e-12
    assert trajectory.position[-1, 2] == pytest.approx(5.0 - 9.8 * 0.01**2 * 55, abs=1e-12)


def test_inequalities_describe_the_hull():
    rng = np.random.default_rng(4)
    step = 1e-6
    for body, facets in ((BRICK, 6), (CYLINDER, 3), (BALL, 1), (scenes.desk().body, 6)):
        f = inequalities(body)
        assert f.count == facets
        rim = body.vertices if len(body.vertices) else [d.centre + d.radius * d.spokes[0] for d in body.discs]
        with double_precision():
            value = lambda point: np.asarray(values_and_gradients(f, point)[0])  # noqa: B023, E731
            for point in rng.normal(size=(50, 3)) * 0.3:
                slopes = [(value(point + step * e) - value(point - step * e)) / (2 * step) for e in np.eye(3)]
                assert np.asarray(values_and_gradients(f, point)[1]).T == pytest.approx(np.array(slopes), abs=1e-8)
            for point in rim:
                assert value(point).max() == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize(
    "body",
    [
        Body(1.0, np.eye(3), vertices=[(1, 0, 0), (0, 1, 0), (-1, -1, 0)]),
        Body(1.0, np.eye(3), discs=[Disc((0, 0, 0), (0, 0, 1), 0.1)]),
        Body(1.0, np.eye(3), discs=[Disc((0, 0, 0), (0, 0, 1), 0.1), Disc((0, 0, 1), (0, 0, 1), 0.2)]),
        Body(1.0, np.eye(3), vertices=[(0, 0, 1)], spheres=[Sphere((0, 0, 0), 0.1)]),
    ],
)
def test_refuses_hulls_that_its_inequalities_cannot_describe(body):
    with pytest.raises(UnsupportedError, match="kkt"):
        simulate(Scene(body=body, support=Plane(), friction=FRICTION, position=(0, 0, 2)), method="kkt")
