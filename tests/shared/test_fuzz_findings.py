"""What fuzzing found, as tests of the whole kind: errors that leave as ours, results whose status is true."""

import warnings
from pathlib import Path

import jax
import numpy as np
import pytest
from fuzz_contact_states import DEMO, LABELS
from fuzz_dynamics import FLAT, STATES

from planarcontact import across
from planarcontact import contact_states as cs
from planarcontact import dynamics as dyn
from planarcontact import limit_surface as ls
from planarcontact.contact_states.demo_model import demo_model
from planarcontact.dynamics.precision import double_precision
from planarcontact.errors import ConvergenceError, DataError, InputError, UnsupportedError

pytestmark = pytest.mark.ci

DISC = ls.UniformDisc(0.05, 15.0, 0.3, length=0.05)
WRONG = ({"mu": -1.0}, {"mu": np.nan}, {"mu": np.ones(3)}, {"inertia": -np.eye(3)}, {"orientation": np.zeros(4)}, {"mu": "a"}, {"other": 1.0})


@pytest.mark.parametrize("parameters", WRONG, ids=str)
def test_a_rollout_refuses_what_is_no_parameter(parameters):
    with double_precision(), pytest.raises(InputError):
        dyn.rollout(FLAT)(parameters)


def test_a_rollout_and_its_gradient_raise_our_error_where_a_step_has_none(capfd):
    fast = {"velocity": np.full(6, 1e200)}
    with double_precision():
        run = dyn.rollout(FLAT)
        with pytest.raises(ConvergenceError, match="no derivative"):
            run(fast)
        with pytest.raises(ConvergenceError, match="no derivative"):
            jax.jvp(run, (fast,), (fast,))
    assert capfd.readouterr().err == "", "a traceback was printed beside the exception"


def test_a_rollout_is_the_same_called_traced_and_mapped():
    with double_precision():
        run, values = dyn.rollout(FLAT), {"mu": jax.numpy.array(0.2)}
        plain = np.asarray(run(values))
        assert np.array_equal(plain, jax.jit(run)(values))
        assert np.array_equal(plain, jax.vmap(run)({"mu": jax.numpy.array([0.2, 0.3])})[0])
        with pytest.raises(InputError, match="shape"):
            jax.jit(run)({"mu": jax.numpy.ones(2)})


@pytest.mark.parametrize("call", (
    lambda scene: dyn.final_state_gradient(scene),
    lambda scene: dyn.rollout(scene),
    lambda scene: dyn.estimate_parameters(scene, STATES, np.ones(13)),
    lambda scene: dyn.push_to_goal(scene, np.zeros(13), np.zeros((1, 6))),
    lambda scene: dyn.simulate_linearised(scene),
    lambda scene: dyn.save_scene("scene.json", scene),
    lambda scene: dyn.simulate(FLAT, backend="compiled").to_html("run.html", scene),
))  # fmt: skip
@pytest.mark.parametrize("scene", (None, 1, "desk", np.zeros(3), {}, object()), ids=lambda scene: type(scene).__name__)
def test_what_is_no_scene_is_refused_everywhere(call, scene, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="scene"):
        call(scene)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("changes", (
    {"observed": np.full_like(STATES, np.nan)}, {"observed": STATES[:-1]}, {"observed": [[1], [1, 2]]}, {"noise": np.zeros(13)},
    {"with_respect_to": []}, {"with_respect_to": ["mu", "mu"]}, {"with_respect_to": 3}, {"with_respect_to": "mu"},
))  # fmt: skip
def test_what_cannot_be_estimated_is_refused(changes):
    with pytest.raises(InputError):
        dyn.estimate_parameters(**{"scene": FLAT, "observed": STATES, "noise": np.full(13, 1e-6), "with_respect_to": ["mu"], **changes})


def test_a_first_guess_of_zero_is_refused_and_not_taken_from_another_parameter():
    still = FLAT.replace(friction=dyn.EllipsoidalFriction(0.0))
    with pytest.raises(InputError, match="mu"):
        dyn.estimate_parameters(still, STATES, np.full(13, 1e-6), ["mu"])


def test_a_motion_that_does_not_tell_is_an_error_not_an_estimate():
    falling = FLAT.replace(position=(0, 0, 5.0))
    run = dyn.simulate(falling, backend="compiled")
    seen = np.hstack([run.position, run.orientation, run.velocity])
    with warnings.catch_warnings(), pytest.raises(ConvergenceError, match="determine"):
        warnings.simplefilter("error")
        dyn.estimate_parameters(falling, seen, np.full(13, 1e-6), ["mu", "e_r"])


@pytest.mark.parametrize("body", (dyn.scenes.DUMBBELL, dyn.Body(1.0, np.eye(3), spheres=[dyn.Sphere((0, 0, 0), 0.1)])), ids=("discs", "sphere"))
@pytest.mark.parametrize("mu", (0.0, 1.0))
def test_a_body_without_vertices_is_written_as_html(body, mu, tmp_path):
    scene = FLAT.replace(body=body, friction=dyn.EllipsoidalFriction(mu))
    dyn.simulate(scene, backend="compiled").to_html(tmp_path / "run.html", scene)
    assert (tmp_path / "run.html").stat().st_size > 1000


@pytest.mark.parametrize("masses", ({"box_mass": 1e-151}, {"disk_mass": 1e-200}), ids=str)
def test_masses_that_the_engine_refuses(masses):
    with pytest.raises(InputError, match="settings"):
        cs.make_demo(cs.DemoSettings(**masses), duration=0.01)


def test_a_simulation_that_the_engine_gave_up_is_an_error_not_a_result(tmp_path, monkeypatch):
    """MuJoCo starts again from the first state then, and its poses look sound."""
    monkeypatch.chdir(tmp_path)  # where it writes a log of its own
    with pytest.raises(ConvergenceError, match="unstable"):
        cs.make_demo(parameters=cs.ControllerParameters(push_height=1e300), duration=0.05)
    with pytest.raises(ConvergenceError, match="unstable"):
        across.mujoco_run(across.BoxMotion(speed=1e150, duration=0.01))


@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_archive_of_a_demo_is_refused_or_reads_the_same(seed, tmp_path):
    path, rng = tmp_path / "demo.npz", np.random.default_rng(seed)
    demo = cs.Demo(np.arange(40) * 0.01, rng.normal(size=(40, 5)), np.zeros((40, 2)), np.zeros(40, dtype=int), np.zeros(40))
    demo.save(path)
    content = bytearray(path.read_bytes())
    for at in rng.integers(len(content), size=3):
        content[at] ^= 255
    path.write_bytes(content)
    try:
        read = cs.load_demo(path)
    except DataError:
        return
    assert np.array_equal(read.poses, demo.poses)


def test_names_that_no_file_and_no_geom_can_have(tmp_path):
    with pytest.raises(InputError, match="path"):
        dyn.save_scene(str(tmp_path / "\ud800"), FLAT)
    with pytest.raises(InputError, match="geom"):
        cs.poses_from_mujoco(demo_model(), np.zeros((1, 5)), "\ud800", "disk")


@pytest.mark.parametrize("call", (
    lambda: across.mujoco_run(timestep=1e-150),
    lambda: across.mujoco_run(solref=(1.0,)),
    lambda: across.mujoco_run(solref=(0.02, np.inf)),
    lambda: across.push_two_fingers(DISC, across.TwoFingers([[-0.05, -0.02], [-0.05, 0.03]], [1, 0], 0.3, [0.01, 0, 0]), step=1e-300),
    lambda: across.push_two_fingers(DISC, None),
    lambda: across.slide_flat(None, [1, 0, 0]),
    lambda: across.box_scene(None),
    lambda: across.planar_poses(None),
    lambda: across.planar_poses(dyn.simulate(FLAT, backend="compiled"), tolerance="wide"),
    lambda: across.friction_step(None, 1.0, 0.05, np.ones(3), 0.01, np.ones(3)),
    lambda: across.friction_step(DISC, 1.0, 0.0, np.ones(3), 0.01, np.ones(3)),
    lambda: cs.jittered(np.zeros((1, 5)), 10**18, 1e-3, arm=0.1, seed=0),
    lambda: cs.jittered(np.zeros((1, 5)), 3, 1e-3, arm=5e-324, seed=0),
    lambda: cs.DemoSettings(timestep=5e-324),
    lambda: dyn.scenes.desk_body(side="wide"),
    lambda: dyn.scenes.dumbbell_body(bar=1.0),
    lambda: dyn.scenes.t_bar(wobble=np.zeros(2)),
))  # fmt: skip
def test_what_hung_or_raised_a_foreign_error_is_refused(call):
    with pytest.raises(InputError):
        call()


def test_numbers_beyond_float64_on_the_way_are_an_error_of_ours():
    with pytest.raises(ConvergenceError, match="float64"):
        across.friction_step(DISC, 1.0, 0.05, np.ones(3), 0.01, np.array([1e300, 0, 0]))
    body = across.FlatBody(surface=DISC, mass=1.5, inertia=0.003, outline=[[-0.05, -0.05], [0.1, -0.05], [-0.05, 0.1]])
    with pytest.raises(InputError, match="raised KeyError"):
        across.slide_flat(body, [0.1, 0, 0], wrench=lambda t: {}["no"])
    with pytest.raises(InputError, match="not an argument"):
        body.replace(weight=3.0)
    assert not Path("MUJOCO_LOG.TXT").exists()


def test_huge_quaternions_and_paths_with_surrogates_are_refused(tmp_path):
    with pytest.raises(InputError, match="orientation"):
        FLAT.replace(orientation=(1e300, 0, 0, 0))
    labels = cs.recognize(np.zeros((2, 5)), cs.step_scene())
    demo = cs.Demo(np.array([0.0, 0.01]), np.zeros((2, 5)), np.zeros((2, 2)), np.zeros(2, dtype=int), np.zeros(2))
    for call in (lambda path: cs.write_viewer(demo, labels, path), lambda path: cs.export_labels(labels, path + ".csv"), cs.load_demo):
        with pytest.raises(InputError, match="not a path"):
            call(str(tmp_path / "\ud800"))


def test_a_panic_of_the_solver_is_a_status_not_an_exception_of_its_own():
    from planarcontact.limit_surface.conic import Panicked, solved

    class PanicException(BaseException):
        """As the solver's Rust code raises."""

    class Solver:
        def __init__(self, raises):
            self.raises = raises

        def solve(self):
            raise self.raises

    assert isinstance(solved(Solver(PanicException())), Panicked)
    for error in (KeyboardInterrupt(), ValueError(), GeneratorExit()):
        with pytest.raises(type(error)):
            solved(Solver(error))


LOADS = DISC.load(np.random.default_rng(0).normal(size=(8, 3)))


@pytest.mark.parametrize("call", (
    lambda: ls.fit(LOADS, LOADS, kind="quad", weights=np.array(1.0)),
    lambda: ls.fit(LOADS, LOADS, kind="quad", weights=np.eye(3)),
    lambda: ls.OnlineFit(3.0).update(LOADS * 1e200, LOADS),
    lambda: ls.ProjectedGradient(3e300).update(LOADS, LOADS),
    lambda: ls.bootstrap(LOADS, LOADS, kind="quad", seed="now"),
    lambda: ls.monomials(1e300),
    lambda: ls.monomials(10**9),
    lambda: ls.Monomials(2.5),
    lambda: ls.TriangularBlock(leg={}),
    lambda: ls.in_cone(np.zeros((1, 3)), np.ones((1, 3))),
    lambda: ls.grid_points([[0, 0], [1, 0], [0, 1]], 5e-324),
    lambda: ls.grid_points(np.zeros((0, 2)), 0.1),
    lambda: ls.howe_cutkosky(None),
    lambda: ls.twist_of_load(None, np.ones((1, 3))),
    lambda: ls.touch_of_finger([[0, 0], [0, 0], [1, 0], [0, 1]], [2, 2]),
    lambda: ls.predict_pokes(DISC, None, mu=0.3),
    lambda: ls.judge(DISC, None),
    lambda: ls.scores(np.ones(3), np.ones(3, dtype=bool)),
    lambda: ls.table_predictions("printed", splits="many"),
    lambda: ls.fetch("wood-30_90", folder=3),
    lambda: ls.fetch("wood-30_90", base_url=3),
    lambda: ls.is_available(3),
    lambda: ls.make_trial("legs-clean", 0.5),
    lambda: ls.make_trial("legs-clean", 0, seed="now"),
    lambda: ls.run_trial("nowhere", 0),
    lambda: ls.run_trial("legs-clean", 0, methods=["quad"]),
    lambda: ls.run_study("study", ["nowhere"]),
    lambda: ls.run_study(3, ["legs-clean"]),
    lambda: ls.run_study("study", ["legs-clean"], jobs=0),
    lambda: ls.conservative_region(np.zeros((0, 2)), [[0, 0], [0, 1]], [[1, 0], [1, 0]], 0.3, [[1, 1]]),
))  # fmt: skip
def test_limit_surfaces_refuse_what_leaked_a_foreign_error(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError):
        call()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("gravity", (0.0, 5e-324, 1e-320))
@pytest.mark.parametrize("method", ("hull", "kkt"))
def test_gravity_too_small_to_scale_by_is_taken_as_none(gravity, method):
    scene = FLAT.replace(gravity=gravity, position=(0, 0, 0.5))
    assert scene.velocity_scale > 0.0
    run = dyn.simulate(scene, method=method)
    assert np.isfinite(run.position).all() and (run.ok or method == "kkt")


@pytest.mark.parametrize("free", ([], [1, [2]], "012", [6], [-1], [True], [0.5], None, 3), ids=str)
def test_components_that_are_none(free):
    with pytest.raises(InputError, match="free"):
        dyn.push_to_goal(FLAT, np.zeros(13), np.zeros((1, 6)), free=free)


@pytest.mark.parametrize("title", ("\ud800", " ", 3, None), ids=ascii)
def test_a_title_that_no_file_can_hold(title, tmp_path):
    with pytest.raises(InputError, match="title"):
        dyn.simulate(FLAT, backend="compiled").to_html(tmp_path / "run.html", FLAT, title=title)
    with pytest.raises(InputError, match="title"):
        cs.write_viewer(DEMO, LABELS, tmp_path / "viewer", title=title)
    assert list(tmp_path.iterdir()) == []


def test_spins_that_overflow():
    with pytest.raises(UnsupportedError, match="tilts"):
        dyn.simulate(FLAT.replace(velocity=(0, 0, 0, 1e300, 0, 0)), method="sliding")


@pytest.mark.filterwarnings("ignore")  # as an error a warning of the reader would end it too soon
@pytest.mark.parametrize("text", (
    "v 0 -1\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
    "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0.1\nf 1 3 2\nf 1 2 4\nfnull 3 4\n",
    "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 -1\nf 1 3 2\nf 1 2 4\nf 1 4  3\nf 2 3 4\n",
    "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 \n 3 2\nf 1 2 4\nf 1 4 3\nf 2nan",
    "v 0 0\nv 1 0\nv 0 1\nv 1 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
), ids=("first", "last", "negative", "cut", "all"))  # fmt: skip
def test_mesh_of_which_a_corner_or_all_are_not_in_space(text, tmp_path):
    path = tmp_path / "mesh.obj"
    path.write_text(text)
    with pytest.raises(InputError, match="path"):
        dyn.Body.from_mesh(path, mass=1.0)


@pytest.mark.parametrize("scale", (5e-324, 1e-320))
def test_step_whose_friction_underflows(scale):
    surface = ls.SupportPoints([[-0.02, -0.02], [-0.02, 0.04], [0.04, -0.02]], [1, 1, 1], mu=0.3, length=0.05)
    with pytest.raises(ConvergenceError, match="units"):
        across.friction_step(surface, scale, 0.05, np.array([-0.07, -1.97, 0.3]), 1e-3, np.zeros(3))


THREE = ls.SupportPoints([[0.05, 0], [-0.03, 0.04], [-0.03, -0.04]], [1, 1, 1], 0.5, length=0.05)
FINGERS = ([[-0.05, 0.02], [-0.05, -0.02]], [[1, 0], [1, 0]])
FAR = [[1e300, 0], [0, 1]]


@pytest.mark.parametrize(("name", "call"), (
    ("weights.ridge", lambda: ls.WeightGrid((0.1, 1e300), (1.0,))),
    ("weights.force", lambda: ls.WeightGrid((0.1,), [1e308] * 6)),
    ("weights.force", lambda: ls.WeightGrid((0.1,), (1e-150,))),
    ("weights.velocity", lambda: ls.WeightGrid((0.1,), (1.0,), velocity=1e300)),
    ("radius", lambda: ls.UniformRing(1e300, 10.0, 1e299)),
    ("radius", lambda: ls.UniformDisc(1e-200, 10.0, 0.3)),
    ("normal_load", lambda: ls.UniformDisc(0.05, 1e300, 1e300)),
    ("normal_load", lambda: ls.UniformRectangle(0.1, 0.05, 1e300, 1e300)),
    ("mu", lambda: ls.UniformRing(0.05, 10.0, 1e300)),
    ("length", lambda: ls.UniformRing(0.05, 10.0, 0.3, 1e-300)),
    ("vertices", lambda: ls.UniformRectangle(0.1, 1e-300, 10.0, 0.3)),
    ("vertices", lambda: ls.UniformRectangle(0.1, 1e-12, 10.0, 0.3)),
    ("vertices", lambda: ls.UniformPolygon([[0, 0], [1, 0], [1, 1], [0, 1e-200]], 10.0, 0.3)),
    ("pressures", lambda: ls.SupportPoints(np.eye(2), [1e200, 1.0], 0.5)),
    ("pressures", lambda: ls.SupportPoints(np.eye(2), [5e-324, 0.0], 0.3)),
    ("length", lambda: ls.SupportPoints(np.eye(2), [1.0, 1.0], 0.5, length=1e-200)),
    ("length", lambda: ls.UniformDisc(0.05, 10.0, 0.3, length=1e-25).mesh(20)),
    ("contact", lambda: ls.motion_cone(DISC, [1e300, 0.01], [1, 0], 0.4)),
    ("contact", lambda: ls.push(DISC, [-0.05, 1e300], [1, 0], 0.4, [1, 0])),
    ("contacts", lambda: ls.friction_cone(FAR, FINGERS[1], 0.3)),
    ("mu", lambda: ls.friction_cone(*FINGERS, 1e308)),
    ("mu", lambda: ls.conservative_region(0.1 * np.eye(2), *FINGERS, 1e300, [[0, 1]])),
    ("cor", lambda: ls.conservative_region(0.1 * np.eye(2), *FINGERS, 0.3, FAR)),
    ("twists", lambda: DISC.support([[1e308, 0, 0]])),
    ("twists", lambda: THREE.support([[1.5e308, 1.5e308, 0]])),
    ("points", lambda: ls.pressure_grid(LOADS, LOADS, np.zeros((0, 2)))),
    ("points", lambda: ls.pressure_grid(LOADS, LOADS, 1e50 * np.eye(2))),
    ("length", lambda: ls.pressure_grid(LOADS, LOADS, np.eye(2), length=1e-200)),
    ("tool_frame", lambda: ls.extract_pokes([], tool_frame=1e300 * np.eye(2))),
    ("centre", lambda: ls.extract_pokes([], centre=(1e300, 0.0))),
    ("steps", lambda: ls.slide(DISC, 1.0, 0.002, [0.1, 0, 0], steps=np.uint64(2**63))),
))  # fmt: skip
@pytest.mark.filterwarnings("error")
def test_sizes_whose_products_leave_float64_are_refused_by_name(name, call):
    with pytest.raises(InputError) as raised:
        weights = call()
        ls.fit(LOADS, LOADS, kind="quad", weights=weights, validation=(LOADS, LOADS))
    assert str(raised.value).startswith((f"{name} ", f"{name}["))


@pytest.mark.parametrize("surface", (DISC, THREE), ids=("disc", "points"))
@pytest.mark.filterwarnings("error")
def test_of_huge_loads_and_twists_the_directions_count(surface):
    rows = np.array([[1e300, -1.2, 3e-3], [1.4, 1e300, -2e-3], [1e308, 1e308, 1e308], [-1e-310, 2e-310, 3e-310]])
    same = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 1], [-1, 2, 3]])
    np.testing.assert_allclose(surface.twist(rows), surface.twist(same), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(surface.load(rows), surface.load(same), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(surface.support(rows[:2]), 1e300 * surface.support(same[:2]), rtol=1e-9)
    assert np.isinf(ls.centre_of_rotation([[0, 1e300, 1e-300]])[0, 0])
    assert not ls.conservative_region(0.1 * np.eye(2), *FINGERS, 0.3, rows).all()
