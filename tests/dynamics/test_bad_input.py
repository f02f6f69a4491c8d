"""Every entry point answers bad input with an error of ours that names the argument and the value."""

import numpy as np
import pytest

from planarcontact.dynamics import (
    Body, Disc, EllipsoidalFriction, Plane, SampledWrench, Scene, Sphere, diagnostics, scenes, simulate, simulate_batch,
)  # fmt: skip
from planarcontact.errors import InputError, UnsupportedError

CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("mass", [0.0, -1.0, NAN, INF, "1", None, True, [1.0, 2.0], 1j])
def test_mass(mass):
    with pytest.raises(InputError, match="mass"):
        Body(mass, np.eye(3), CORNERS)


@pytest.mark.parametrize(
    ("inertia", "word"),
    [
        (np.eye(2), "shape"),
        (np.diag([1, 1, 0]), "positive"),
        (np.diag([1, 1, -1]), "positive"),
        (np.diag([1, 1, 2.1]), "sum of the other two"),
        ([[1, 0.5, 0], [0, 1, 0], [0, 0, 1]], "symmetric"),
        (np.diag([1, 1, NAN]), "finite"),
        ("abc", "real numbers"),
        (np.zeros((3, 3)), "positive"),
    ],
)
def test_inertia(inertia, word):
    with pytest.raises(InputError, match=word):
        Body(1.0, inertia, CORNERS)


@pytest.mark.parametrize(
    "geometry",
    [
        {},
        {"vertices": [(0, 0)]},
        {"vertices": [(0, 0, NAN)]},
        {"vertices": [(0, 0, 0)]},
        {"vertices": 3.0},
        {"discs": [Sphere((0, 0, 0), 1)]},
        {"discs": 1},
        {"spheres": ["ball"]},
        {"vertices": CORNERS, "patches": []},
        {"vertices": CORNERS, "patches": [[0, 1, 8]]},
        {"vertices": CORNERS, "patches": [[0, -1]]},
        {"vertices": CORNERS, "patches": [[]]},
        {"vertices": CORNERS, "patches": [[0.5, 1.0]]},
        {"vertices": CORNERS, "patches": ["ab"]},
        {"vertices": CORNERS, "patches": 3},
    ],
)
def test_geometry(geometry):
    with pytest.raises(InputError):
        Body(1.0, np.eye(3), **geometry)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Disc((0, 0, 0), (0, 0, 0), 1),
        lambda: Disc((0, 0, 0), (0, 0, 1), 0),
        lambda: Disc((0, 0), (0, 0, 1), 1),
        lambda: Disc((0, 0, 0), (0, 0, INF), 1),
        lambda: Sphere((0, 0, 0), -1),
        lambda: Sphere((0, 0, NAN), 1),
        lambda: Plane((0, 0, 0)),
        lambda: Plane((0, 0, NAN)),
        lambda: Plane((0, 0, 1), INF),
        lambda: Plane((0, 1)),
        lambda: Plane().height([0, 0, NAN]),
        lambda: Plane().height([1.0, 2.0]),
        lambda: EllipsoidalFriction(-0.1),
        lambda: EllipsoidalFriction(NAN),
        lambda: EllipsoidalFriction(0.2, e_t=0),
        lambda: EllipsoidalFriction(0.2, e_o=-1),
        lambda: EllipsoidalFriction(0.2, e_r=INF),
        lambda: SampledWrench([0, 1], np.zeros((3, 6))),
        lambda: SampledWrench([0, 0], np.zeros((2, 6))),
        lambda: SampledWrench([1, 0], np.zeros((2, 6))),
        lambda: SampledWrench([], np.zeros((0, 6))),
        lambda: SampledWrench([0, NAN], np.zeros((2, 6))),
        lambda: SampledWrench([0, 1], np.zeros((2, 6)))(1.5),
        lambda: SampledWrench([0, 1], np.zeros((2, 6)))(NAN),
    ],
)
def test_parts(make):
    with pytest.raises(InputError):
        make()


@pytest.mark.parametrize(
    "change",
    [
        {"orientation": (1, 0, 0, 1e-2)},
        {"orientation": (0, 0, 0, 0)},
        {"orientation": (1 + 2e-6, 0, 0, 0)},
        {"orientation": (1, 0, 0)},
        {"orientation": (NAN, 0, 0, 0)},
        {"position": (0, 0)},
        {"position": (0, 0, INF)},
        {"velocity": (0, 0, 0)},
        {"velocity": (0, 0, 0, 0, 0, NAN)},
        {"gravity": -9.8},
        {"gravity": (0, 0, -9.8)},
        {"gravity": NAN},
        {"step": 0.0},
        {"step": -0.01},
        {"step": 1e-12},
        {"duration": 0.0},
        {"duration": INF},
        {"duration": NAN},
        {"wrench": np.zeros(6)},
        {"wrench": None},
        {"body": "desk"},
        {"friction": 0.22},
        {"no_such": 1},
    ],
)
def test_scene(change):
    with pytest.raises(InputError) as caught:
        scenes.desk().replace(**change)
    assert next(iter(change)) in str(caught.value)


def test_a_quaternion_within_1e_6_of_norm_one_is_taken_and_normalised():
    scene = scenes.desk().replace(orientation=(1 + 9e-7, 0, 0, 0))
    assert np.linalg.norm(scene.orientation) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(
    "wrench",
    [
        lambda t: np.zeros(3),
        lambda t: None,
        lambda t: "push",
        lambda t: np.full(6, NAN if t > 0.02 else 0.0),
        lambda t: np.full(6, INF),
        SampledWrench([0, 0.01], np.zeros((2, 6))),
    ],
)
def test_wrench_values(wrench):
    with pytest.raises(InputError):
        simulate(scenes.desk().replace(wrench=wrench))


@pytest.mark.parametrize(
    "option",
    [
        {"method": "magic"}, {"backend": "gpu"}, {"reference": "mine"}, {"gyroscopic": "none"}, {"sample": "middle"},
        {"max_iterations": 0}, {"max_iterations": 2.5}, {"max_iterations": True}, {"tolerance": 0.0}, {"tolerance": NAN},
        {"method": None}, {"method": ["hull"]},
    ],
)  # fmt: skip
def test_options(option):
    for call in (lambda: simulate(scenes.desk(), **option), lambda: simulate_batch([scenes.desk()], **option)):
        with pytest.raises(InputError) as caught:
            call()
        assert next(iter(option)) in str(caught.value)


@pytest.mark.parametrize("scene", [None, "desk", 3, [1]])
def test_not_a_scene(scene):
    with pytest.raises(InputError):
        simulate(scene)


@pytest.mark.parametrize("batch", [[], None, 3, [None], ["desk"]])
def test_batch(batch):
    with pytest.raises(InputError):
        simulate_batch(batch)


def test_d10_a_pedestal_between_the_feet_is_refused_not_pushed_away():
    class Pedestal:
        """Something that stands between the feet: the hull would touch it, the desk does not."""

    with pytest.raises(UnsupportedError, match="Pedestal.*only a Plane"):
        scenes.desk().replace(support=Pedestal())


@pytest.mark.parametrize("support", [None, (Plane(), Plane()), Sphere((0, 0, 0), 1), Disc((0, 0, 0), (0, 0, 1), 1), "floor"])
def test_d10_kind_any_support_but_a_plane_is_refused(support):
    with pytest.raises(UnsupportedError):
        scenes.desk().replace(support=support)


def test_more_than_one_body_is_refused():
    with pytest.raises(UnsupportedError, match="2 bodies"):
        scenes.desk().replace(body=[scenes.desk_body(), scenes.desk_body()])


def test_a_trajectory_of_another_scene_is_refused():
    with pytest.raises(InputError, match="steps"):
        diagnostics.diagnose(scenes.desk(), simulate(scenes.desk(duration=0.05)))


def test_scenes_need_keywords():
    with pytest.raises(TypeError):
        Scene(scenes.desk_body())
