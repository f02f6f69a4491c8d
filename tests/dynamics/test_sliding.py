"""The planar quadratic model: its laws, sticking, its limits, and agreement with the hull method."""

import numpy as np
import pytest
from step_audit import audit, rotation

from planarcontact.dynamics import Body, Disc, EllipsoidalFriction, Plane, Scene, scenes, simulate
from planarcontact.dynamics.flat import standing_flat
from planarcontact.errors import UnsupportedError

SKEW = np.array([[1.3, 0.05, 0.12], [0.05, 1.1, -0.08], [0.12, -0.08, 0.6]])


def slab(**changes):
    """A low slab on four corners whose inertia has products, pushed and turned, on a tilted plane by default."""
    angle = np.deg2rad(8.0)
    plane = Plane((np.sin(angle), 0.1, np.cos(angle)), 0.2)
    n, t, o = plane.frame
    turn = np.stack([t, o, n], axis=1)
    w = 0.5 * np.sqrt(1 + np.trace(turn))
    q = np.array([w, *(np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / (4 * w))])
    arguments = dict(
        body=Body(12.0, SKEW, vertices=[(x, y, -0.15) for x in (-0.5, 0.6) for y in (-0.4, 0.5)]),
        support=plane,
        friction=EllipsoidalFriction(mu=0.3, e_t=1.0, e_o=0.7, e_r=0.15),
        position=0.35 * n,
        orientation=q,
        velocity=np.concatenate([0.4 * t - 0.3 * o, 1.2 * n]),
        wrench=lambda s: np.array([5 * np.sin(9 * s), 4 * np.cos(7 * s), 3.0, 0.3, -0.4, 1.5 * np.cos(5 * s)]),
        duration=1.0,
    )
    return Scene(**(arguments | changes))


@pytest.mark.parametrize("gyroscopic", ["momentum", "explicit"])
@pytest.mark.parametrize("scene", [scenes.desk(duration=2.0), slab()], ids=["desk", "slab"])
def test_every_law_holds_on_every_step(scene, gyroscopic):
    trajectory = simulate(scene, method="sliding", gyroscopic=gyroscopic)
    assert trajectory.ok and trajectory.residual.max() <= 1e-14
    worst = audit(scene, trajectory, gyroscopic)
    assert max(worst.values()) <= 2e-14, worst


@pytest.mark.parametrize(
    "scene, gyroscopic",
    [(scenes.desk(), "momentum"), (slab(), "explicit"), pytest.param(slab(), "momentum", marks=pytest.mark.slow)],
    ids=["desk", "slab, explicit", "slab"],
)
def test_agrees_with_the_hull_method(scene, gyroscopic):
    ours = simulate(scene, method="sliding", gyroscopic=gyroscopic)
    hull = simulate(scene, method="hull", gyroscopic=gyroscopic)
    assert hull.ok
    assert np.abs(ours.velocity - hull.velocity).max() <= 1e-12
    assert np.abs(ours.impulse - hull.impulse).max() <= 1e-11
    assert np.abs(ours.ecp - hull.ecp).max() <= 1e-11


def test_sticking_is_exact_and_persistent():
    scene = slab(velocity=np.zeros(6), wrench=lambda s: np.array([3.0, 1.0, 0.0, 0.0, 0.0, 0.2]), duration=2.0)
    trajectory = simulate(scene, method="sliding")
    assert trajectory.ok and not trajectory.velocity.any()
    assert (trajectory.position == scene.position).all()
    assert max(audit(scene, trajectory).values()) <= 1e-14


@pytest.mark.parametrize("v0", [0.05, 0.3, 2.0])
def test_d3_the_stopping_step_uses_what_is_left_of_the_cone(v0):
    scene = scenes.desk(duration=2.0).replace(velocity=(v0, 0, 0, 0, 0, 0), wrench=lambda s: np.zeros(6))
    trajectory = simulate(scene, method="sliding")
    drop = 0.22 * 9.8 * 0.01
    full = int(np.floor(v0 / drop))
    ratio = -trajectory.impulse[:, 1] / trajectory.impulse[:, 0]
    assert ratio[:full] == pytest.approx(0.22, abs=1e-13)
    assert ratio[full] == pytest.approx(0.22 * (v0 / drop - full), abs=1e-12)
    assert ratio[full + 1 :] == pytest.approx(0.0, abs=1e-15)
    assert not trajectory.velocity[full + 1 :].any()


@pytest.mark.parametrize("e_r", [0.1, 1e-3, 3.0])
def test_slide_and_spin_share_one_ellipsoid(e_r):
    rng = np.random.default_rng(1)
    for _ in range(40):
        velocity = np.zeros(6)
        velocity[[0, 1, 5]] = rng.normal(size=3) * 10.0 ** rng.uniform(-6, 1, size=3)
        scene = slab(support=Plane(), position=(0, 0, 0.15), orientation=(1, 0, 0, 0), velocity=velocity, duration=0.03)
        scene = scene.replace(friction=EllipsoidalFriction(mu=0.2, e_t=1.0, e_o=0.5, e_r=e_r))
        trajectory = simulate(scene, method="sliding")
        assert trajectory.ok
        assert max(audit(scene, trajectory).values()) <= 1e-13


def test_without_friction_only_the_load_acts():
    scene = slab(friction=EllipsoidalFriction(mu=0.0))
    trajectory = simulate(scene, method="sliding")
    assert trajectory.ok and not trajectory.impulse[:, 1:].any()
    assert max(audit(scene, trajectory).values()) <= 1e-14


def test_refuses_what_it_cannot_do():
    desk = scenes.desk()
    push = lambda force: desk.replace(wrench=lambda s: np.array([force, 0, 0, 0, 0, 0.0]), velocity=np.zeros(6))  # noqa: E731
    with pytest.raises(UnsupportedError, match="lifted"):
        simulate(desk.replace(wrench=lambda s: np.array([0, 0, 148.0, 0, 0, 0])), method="sliding")
    with pytest.raises(UnsupportedError, match="does not stand flat"):
        simulate(desk.replace(position=(0, 0, 0.451)), method="sliding")
    with pytest.raises(UnsupportedError, match="tilts"):
        simulate(desk.replace(velocity=(0, 0, 0, 1.0, 0, 0)), method="sliding")
    with pytest.raises(UnsupportedError, match="does not stand flat"):
        simulate(desk.replace(body=Body(1.0, np.eye(3), vertices=[(0, -1, -0.45), (0, 1, -0.45)])), method="sliding")
    # At rest the ECP moves by H f / N; with enough friction the desk tips about its edge at f = N (L/2) / H.
    firm = push(0.0).replace(friction=EllipsoidalFriction(mu=0.9), duration=0.1)
    threshold = 147.0 * 0.25 / 0.45
    at = lambda f: firm.replace(wrench=lambda s: np.array([f, 0, 0, 0, 0, 0.0]))  # noqa: E731
    assert simulate(at(threshold * (1 - 1e-7)), method="sliding").ok
    with pytest.raises(UnsupportedError, match="tip"):
        simulate(at(threshold * (1 + 1e-7)), method="sliding")


def test_margin_of_a_hull_of_circles_against_its_support_function():
    rng = np.random.default_rng(2)
    for _ in range(20):
        count = int(rng.integers(1, 4))
        discs = [Disc((*rng.normal(size=2), -0.3), (0, 0, 1), rng.uniform(0.1, 0.9)) for _ in range(count)]
        corners = [(*rng.normal(size=2), -0.3) for _ in range(int(rng.integers(0, 6)))]
        body = Body(1.0, np.eye(3), vertices=corners, discs=discs)
        patch = standing_flat(Scene(body=body, friction=EllipsoidalFriction(mu=0.1), position=(0, 0, 0.3)), method="sliding")
        points = np.column_stack([rng.normal(size=(200, 2)) * 1.5, np.full(200, -0.3)])
        angle = np.linspace(0, 2 * np.pi, 40001)
        rays = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        circles = np.array([[*d.centre[:2], d.radius] for d in discs] + [[*c[:2], 0.0] for c in corners])
        support = np.max(rays @ circles[:, :2].T + circles[:, 2], axis=1)
        brute = np.min(support[:, None] - rays @ points[:, :2].T, axis=0)
        mine = patch.margin(points)
        inside = brute >= 0.0
        assert (mine[inside] <= brute[inside] + 1e-12).all() and (mine[inside] >= brute[inside] - 3e-4).all()
        assert (mine[~inside] < 0.0).all()


def test_frame_and_rotation_helpers_agree():
    scene = slab()
    assert rotation(scene.orientation).T @ scene.support.normal == pytest.approx([0, 0, 1], abs=1e-15)
