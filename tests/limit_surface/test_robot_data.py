"""Reading the robot logs and identifying loads and twists: made-up logs with known answers, and the authors' values."""

import numpy as np
import pytest
import scipy.io
from numpy.testing import assert_allclose

from planarcontact.errors import DataError, InputError
from planarcontact.limit_surface import robot_data
from planarcontact.limit_surface.block import ARRANGEMENTS, SURFACES, TriangularBlock
from planarcontact.limit_surface.download import data_folder, fetch, is_available
from planarcontact.limit_surface.robot_data import extract_pokes, load_pokes, planar_pose, read_poke_log

recorded = pytest.mark.skipif(
    not is_available(), reason="no robot data: name their folder in PLANARCONTACT_DATA, or run `make book` once online"
)


def turn(angle):
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def pose_row(x, y, theta):
    return [1000 * x, 1000 * y, 18.0, np.cos(theta / 2), 0.0, 0.0, np.sin(theta / 2)]


def made_up_push(rng, *, force, contact, theta, motion, yaw, offset=(0.4, -0.7)):
    """A log whose object-frame load and displacement are known: constant force after a rise, constant contact."""
    n, m = 400, 300
    corner = -TriangularBlock().centre
    time = 100.0 + np.linspace(0.0, 6.0, n)
    # the object moves only over the kept part of the recording, which is how the identification interpolates
    share = np.clip((np.arange(n) - 119) / (n - 1 - 119), 0.0, 1.0)
    start = rng.normal(size=2)
    world_motion = turn(theta) @ motion[:2]
    com = start + share[:, None] * world_motion
    angle = theta + share * motion[2]
    push = np.array([turn(a) @ force for a in angle]) * (share > 0)[:, None]
    push[119] = turn(theta) @ force
    tip = com + np.array([turn(a) @ contact for a in angle])
    sensor = np.array(offset) - push @ turn(yaw) @ robot_data.TOOL_FRAME  # TOOL_FRAME is its own inverse
    poses = [pose_row(*(p + turn(a) @ corner), a) for p, a in ((com[0], theta), (com[-1], theta + motion[2]))]
    robot = np.linspace(time[0] - 0.2, time[-1] + 0.1, m)
    tips = np.column_stack([np.interp(robot, time, tip[:, k]) for k in (0, 1)])
    lines = [*(" ".join(f"{v:.17g}" for v in p) for p in poses), str(n)]
    lines += [f"{t:.17g} {f[0]:.17g} {f[1]:.17g}" for t, f in zip(time, sensor)]
    lines += [str(m)] + [f"{t:.17g} " + " ".join(f"{v:.17g}" for v in pose_row(*p, yaw)) for t, p in zip(robot, tips)]
    return "\n".join(lines)


@pytest.mark.parametrize("theta", [0.3, 2.0, 3.12, -3.13])
def test_known_load_contact_and_motion_are_recovered(tmp_path, theta):
    rng = np.random.default_rng(4)
    force, contact = np.array([2.0, -3.0]), np.array([-0.02, 0.05])
    motion = np.array([0.006, -0.004, 0.11])
    log = tmp_path / "log.txt"
    pushes = [made_up_push(rng, force=force, contact=contact, theta=theta, motion=motion, yaw=y) for y in (0.0, 1.1, -2.9)]
    log.write_text(f"{len(pushes)}\n" + "\n".join(pushes) + "\n")
    pokes = extract_pokes(read_poke_log(log))
    assert len(pokes) == 3
    moment = contact[0] * force[1] - contact[1] * force[0]
    assert_allclose(pokes.loads, np.tile([*force, moment], (3, 1)), rtol=2e-4)
    assert_allclose(pokes.contacts, np.tile(contact, (3, 1)), atol=2e-5)
    assert_allclose(pokes.displacements, np.tile(motion, (3, 1)), atol=1e-12)
    assert_allclose(np.linalg.norm(pokes.twists * [1, 1, pokes.length], axis=1), 1.0, rtol=1e-14)
    assert_allclose(np.cross(pokes.twists, motion), 0.0, atol=1e-10)


def test_the_turn_is_unwrapped_across_half_a_revolution(tmp_path):
    rng = np.random.default_rng(5)
    log = tmp_path / "log.txt"
    motion = np.array([0.0, 0.01, 0.2])
    log.write_text("1\n" + made_up_push(rng, force=np.ones(2), contact=np.ones(2) / 50, theta=3.1, motion=motion, yaw=0.4))
    assert extract_pokes(read_poke_log(log)).displacements[0, 2] == pytest.approx(0.2, abs=1e-9)


def test_projection_of_a_tilted_pose():
    half = np.sqrt(0.5)
    level = planar_pose([[100.0, -50.0, 3.0, half, 0.0, 0.0, half]], offset=(0.05, 0.0))
    assert_allclose(level, [[0.1, 0.0, np.pi / 2]], atol=1e-15)
    assert_allclose(planar_pose([[0, 0, 0, -2 * half, 0, 0, -2 * half]]), [[0, 0, np.pi / 2]], atol=1e-15)
    with pytest.raises(InputError):
        planar_pose([[0, 0, 0, 0, 0, 0, 0]])


def broken_logs():
    whole = "1\n" + made_up_push(
        np.random.default_rng(0), force=np.ones(2), contact=np.ones(2), theta=0.1, motion=np.ones(3) / 50, yaw=0.0
    )
    yield "cut short", whole[: len(whole) // 2].rsplit(" ", 1)[0]
    yield "words", "fifty\n" + whole
    yield "a count that is none", whole.replace("\n400\n", "\n400.5\n", 1)
    yield "too much", whole + "\n3.0"
    yield "nan", whole.replace("18", "nan", 1)
    yield "empty", ""
    yield "no push", "0"


@pytest.mark.parametrize("name, text", list(broken_logs()))
def test_a_damaged_log_is_refused(tmp_path, name, text):
    path = tmp_path / "log.txt"
    path.write_text(text)
    with pytest.raises(DataError, match="log.txt"):
        read_poke_log(path)


def test_a_missing_log_and_a_binary_one(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_poke_log(tmp_path / "none.txt")
    (tmp_path / "b.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError):
        read_poke_log(tmp_path / "b.txt")


def test_unusable_arguments():
    with pytest.raises(InputError):
        load_pokes("steel", "30_90")
    with pytest.raises(InputError):
        load_pokes("wood", "30_91")
    with pytest.raises(InputError):
        extract_pokes([])


def test_a_push_without_motion_is_refused(tmp_path):
    push = made_up_push(np.random.default_rng(0), force=np.ones(2), contact=np.ones(2), theta=0.1, motion=np.zeros(3), yaw=0.0)
    (tmp_path / "log.txt").write_text("1\n" + push)
    with pytest.raises(DataError, match="did not move"):
        extract_pokes(read_poke_log(tmp_path / "log.txt"))


@recorded
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_every_recorded_poke_dissipates(surface, arrangement):
    pokes = load_pokes(surface, arrangement, progress=False)
    assert len(pokes) == 50
    assert ((pokes.loads * pokes.twists).sum(axis=1) > 0.0).all()
    # the tip stays on the block: within 8 mm of its outline or inside (the finger has a radius)
    outside = pokes.contacts @ np.array([[-1, 0], [0, -1], [np.sqrt(0.5)] * 2]).T - [0.05, 0.05, 0.05 * np.sqrt(0.5)]
    assert (outside.max(axis=1) < 0.008).all()


@recorded
@pytest.mark.parametrize(
    "saved, index, log",
    [
        ("fits-wood", 0, "wood-30_90"),
        ("fits-wood", 1, "wood-10_90"),
        ("fits-wood", 2, "wood-patch"),
        ("fits-fig-5", 1, "board-10_90"),
        ("fits-fig-5", 2, "board-patch"),
    ],
)
def test_loads_and_twists_are_those_that_the_authors_saved(saved, index, log):
    table = scipy.io.loadmat(fetch(saved, progress=False), squeeze_me=True, struct_as_record=False)
    theirs = table["result_methods"][index]
    pokes = extract_pokes(read_poke_log(fetch(log, progress=False)))
    scale = np.array([1.0, 1.0, pokes.length])
    loads, twists = pokes.loads / scale, pokes.twists * scale
    match = np.linalg.norm(twists - theirs.V_train[:, None], axis=2).argmin(axis=1)
    assert len(set(match)) == 20
    # their code does not normalise quaternions that the log rounds to six digits (three for the robot)
    assert np.abs(twists[match] - theirs.V_train).max() < 2.5e-5
    assert np.abs(loads[match] - theirs.F_train).max() < 6e-3
    assert np.median(np.abs(loads[match] - theirs.F_train)) < 1e-3


@recorded
def test_the_logs_are_those_the_document_describes():
    """Slow pushes of 15 mm, 2.5 mm/s (document 3, its footnote 8)."""
    lengths, speeds = [], []
    for surface in SURFACES:
        for arrangement in ARRANGEMENTS:
            for push in read_poke_log(data_folder() / fetch(f"{surface}-{arrangement}", progress=False)):
                steps = np.linalg.norm(np.diff(push.tip[:, :2], axis=0), axis=1)
                moving = steps > 0
                lengths.append(np.linalg.norm(push.tip[-1, :2] - push.tip[0, :2]))
                speeds.append(lengths[-1] / np.ptp(push.tip_time[np.flatnonzero(moving)[[0, -1]] + [0, 1]]))
    assert np.median(lengths) == pytest.approx(15.0, abs=2.0)
    assert np.median(speeds) == pytest.approx(2.5, abs=0.2)
