"""The box of document 2 in the stepper of document 1 and in MuJoCo: one motion in the plane, labelled frame by frame."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..contact_states import Labels, Options, recognize, step_scene
from ..contact_states.demo_model import BOX_WEIGHT, GRAVITY, SIDE, unbroken
from ..dynamics import Body, EllipsoidalFriction, Scene, Trajectory, simulate
from ..errors import InputError, UnsupportedError
from ..validation import finite_array, finite_number, nonnegative, positive

__all__ = ["BoxMotion", "EngineRun", "box_scene", "confusion", "label_poses", "mujoco_run", "planar_poses", "reason", "stepper_run"]

Array = NDArray[np.float64]

#: Where the box starts and the disk is parked: far from the riser, and far from each other [m].
START, PARKED = -1.5, (-4.0, 2.0)
_MAX_STEPS = 10**7


@dataclass(frozen=True, kw_only=True)
class BoxMotion:
    """One motion in the plane: the box drops flat, slides to rest, is tilted about its right lower edge and let go.

    Args:
        drop: height of the flat box above the floor at the start [m].
        speed: its speed along x at the start [m/s].
        mu: coefficient of friction.
        tilt: peak of the tilting moment over weight times half the side, the moment that only just lifts the box [-].
        begins: time at which the moment begins [s].
        pulse: its duration, a half-sine [s].
        duration: simulated time [s].

    Raises:
        InputError: a value is out of its range.
    """

    drop: float = 0.01
    speed: float = 0.5
    mu: float = 0.6
    tilt: float = 1.12
    begins: float = 0.4
    pulse: float = 0.5
    duration: float = 1.5

    def __post_init__(self) -> None:
        for name in ("drop", "speed", "tilt", "begins"):
            object.__setattr__(self, name, nonnegative(name, getattr(self, name)))
        for name in ("mu", "pulse", "duration"):
            object.__setattr__(self, name, positive(name, getattr(self, name)))

    def moment(self, t: float) -> float:
        """Return the moment about y at time t, clockwise [N m]; a time that is not finite is an `InputError`."""
        phase = (finite_number("t", t) - self.begins) / self.pulse
        return self.tilt * BOX_WEIGHT * SIDE / 2 * float(np.sin(np.pi * phase)) if 0.0 < phase < 1.0 else 0.0

    def wrench(self, t: float) -> Array:
        """Return force and moment (6,) about the COM, world axes [N, N m]."""
        return np.array([0.0, 0.0, 0.0, 0.0, self.moment(t), 0.0])


def box_scene(motion: BoxMotion = BoxMotion(), *, step: float = 1e-3) -> Scene:
    """Return the scene of the box, a cube of even density, that moves in the plane y = 0.

    Args:
        motion: what happens to it.
        step: time step [s].

    Returns:
        A `planarcontact.dynamics.Scene`.

    Raises:
        InputError: the step is not positive, or the motion is none.
    """
    _checked(motion)
    mass, half = BOX_WEIGHT / GRAVITY, SIDE / 2
    corners = half * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
    return Scene(
        body=Body(mass, mass * SIDE**2 / 6.0 * np.eye(3), vertices=corners),
        friction=EllipsoidalFriction(mu=motion.mu), gravity=GRAVITY, position=(START, 0.0, half + motion.drop),
        velocity=(motion.speed, 0.0, 0.0, 0.0, 0.0, 0.0), wrench=motion.wrench, step=step, duration=motion.duration,
    )  # fmt: skip


def planar_poses(run: Trajectory, *, tolerance: float = 1e-9) -> Array:
    """Return the recognizer's poses of a trajectory in the plane y = 0, the disk parked far away.

    Args:
        run: a trajectory.
        tolerance: how far the body may stray from the plane, in metres and radians.

    Returns:
        (N + 1, 5) box x, z, theta (clockwise), disk x, z [m, m, rad, m, m].

    Raises:
        InputError: no trajectory, or a negative tolerance.
        UnsupportedError: the body leaves the plane.
    """
    if not isinstance(run, Trajectory):
        raise InputError("run", run, "is not a Trajectory")
    tolerance = nonnegative("tolerance", tolerance)
    w, i, j, k = run.orientation.T
    stray = float(max(np.abs(run.position[:, 1] - run.position[0, 1]).max(), np.abs(i).max(), np.abs(k).max()))
    if not stray <= tolerance:
        raise UnsupportedError(f"the body strays from the x-z plane by {stray:.3g}: its contacts are not those of a planar scene")
    theta = np.unwrap(2.0 * np.arctan2(j, w))
    disk = np.broadcast_to(PARKED, (len(w), 2))
    return np.column_stack([run.position[:, 0], run.position[:, 2], theta, disk])


def label_poses(poses: Array, *, eps_on: float = 1e-3) -> Labels:
    """Label poses in the document's scene, with the document's options but for `eps_on` [m]."""
    return recognize(poses, step_scene(), Options(eps_on=eps_on))


def confusion(labels: list[str], modes: list[str]) -> dict[tuple[str, str], int]:
    """Return how many frames have each pair of (the stepper's mode, the recognizer's formation)."""
    if len(labels) != len(modes):
        raise InputError("labels", len(labels), f"frames, and there are {len(modes)} modes")
    out: dict[tuple[str, str], int] = {}
    for pair in zip(modes, labels):
        out[pair] = out.get(pair, 0) + 1
    return out


def reason(mode: str, label: str, gap: float, lift: float, eps_on: float) -> str:
    """Say why label and mode of a frame agree or differ; empty where nothing explains it.

    Args:
        mode: the stepper's `ContactMode`, by name.
        label: the recognizer's formation, "{g}", "{gv}" or "{}".
        gap: height of the lowest corner over the floor [m].
        lift: height of the lower face's other corner over the lowest [m].
        eps_on: the recognizer's band [m].
    """
    if (mode, label) in (("SURFACE", "{g}"), ("LINE", "{gv}"), ("LINE", "{(v--,L)}"), ("APART", "{}")):
        return "agree"
    if mode == "LINE" and label == "{g}" and lift <= SIDE * 1.001 * np.sin(step_scene().tilt_limit(eps_on)):
        return "tilted by less than the recognizer's limit"
    if mode == "APART" and label == "{g}" and 0.0 < gap <= eps_on:
        return "above the floor by less than the band"
    return ""


@dataclass(frozen=True)
class EngineRun:
    """A run of another engine: `time` (N,), `poses` (N, 5), number of contacts that carry force (N,), deepest overlap
    since the frame before (N,) [m]."""

    time: Array
    poses: Array
    carrying: NDArray[np.int64]
    overlap: Array


def mujoco_run(
    motion: BoxMotion = BoxMotion(), *, timestep: float = 1e-3, frame: float = 1e-3, solref: tuple[float, float] | None = None
) -> EngineRun:
    """Simulate the same motion in MuJoCo: the same box on two slides and a hinge over a plane, the same moment.

    Args:
        motion: what happens to the box.
        timestep: the engine's step [s].
        frame: time between recorded frames, a multiple of it [s].
        solref: time constant [s] and damping ratio of the contact; the engine's own (0.02, 1) if left out.

    Returns:
        The run.

    Raises:
        InputError: a step is not positive, or does not divide the frame; the motion is none, or two numbers of the contact
            are not positive.
        UnsupportedError: MuJoCo is not installed.
        ConvergenceError: the engine gave the simulation up as unstable.
    """
    try:
        import mujoco
    except ImportError as error:
        raise UnsupportedError("this run needs MuJoCo: pip install 'planarcontact[mujoco]'") from error
    _checked(motion)
    if solref is not None:
        first, second = finite_array("solref", solref, (2,)).tolist()
        solref = positive("solref[0]", first), positive("solref[1]", second)
    frame, timestep = positive("frame", frame), positive("timestep", timestep)
    every = frame / timestep
    if not motion.duration / timestep <= _MAX_STEPS or not every <= _MAX_STEPS:
        raise InputError("timestep", timestep, f"asks for more than {_MAX_STEPS} steps", "use a longer one")
    if every < 0.5 or abs(every - round(every)) > 1e-9:
        raise InputError("timestep", timestep, f"does not divide the frame of {frame} s")
    half, contact = SIDE / 2, "" if solref is None else f'solref="{solref[0]} {solref[1]}"'
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><compiler angle="radian"/>
        <option timestep="{timestep}" gravity="0 0 -{GRAVITY}" integrator="implicitfast" cone="elliptic" impratio="10"
        tolerance="1e-12"/>
        <worldbody><geom type="plane" size="9 9 1" friction="{motion.mu} 0 0" {contact}/>
        <body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 1 0"/>
        <geom type="box" size="{half} {half} {half}" mass="{BOX_WEIGHT / GRAVITY}" friction="{motion.mu} 0 0" {contact}/></body>
        </worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    data.qpos[:] = START, half + motion.drop, 0.0
    data.qvel[0] = motion.speed
    force = np.zeros(6)
    rows: list[tuple[float, Array, int, float]] = []
    deepest = 0.0
    for n in range(round(motion.duration / frame) * round(every) + 1):
        if n % round(every) == 0:
            carrying = 0
            for c in range(data.ncon):
                mujoco.mj_contactForce(model, data, c, force)
                carrying += force[0] > 0.0
            unbroken(data)
            rows.append((n * timestep, data.qpos.copy(), carrying, deepest))
            deepest = 0.0
        data.qfrc_applied[2] = motion.moment((n + 0.5) * timestep)
        mujoco.mj_step(model, data)
        if data.ncon:
            deepest = max(deepest, -float(data.contact.dist.min()))
    time, places, carrying, overlap = (np.array(column) for column in zip(*rows))
    poses = np.column_stack([places, np.broadcast_to(PARKED, (len(time), 2))])
    return EngineRun(time, poses, carrying.astype(np.int64), overlap)


def stepper_run(motion: BoxMotion = BoxMotion(), *, step: float = 1e-3) -> Trajectory:
    """Simulate the motion in the stepper of document 1, compiled."""
    return simulate(box_scene(motion, step=step), backend="compiled")


def _checked(motion: BoxMotion) -> BoxMotion:
    if not isinstance(motion, BoxMotion):
        raise InputError("motion", motion, "is not a BoxMotion")
    return motion
