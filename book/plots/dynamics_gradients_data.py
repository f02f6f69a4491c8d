"""Columns of the page on derivatives: checks by differences, slides in another simulator, and a push to a goal."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from planarcontact.dynamics import EllipsoidalFriction, Scene, scenes, simulate
from planarcontact.dynamics.compiled import record
from planarcontact.dynamics.estimation import Estimate, Push, estimate_parameters
from planarcontact.dynamics.gradients import with_parameters
from planarcontact.dynamics.options import SimulateOptions
from planarcontact.dynamics.sensitivity import sensitivity

Columns = dict[str, NDArray]
MU, E_R = 0.22, 0.1
THROW = (1.2, 0.5, 6.0)  # v_x, v_y [m/s], w_z [rad/s]
NOISE = np.array([1e-3] * 3 + [2e-3] * 4 + [1.0] * 6)  # a camera: 1 mm, 0.2 degrees, no velocities
ONE_FOOT = """
<mujoco>
  <option timestep="{step}" gravity="0 0 -9.8" cone="elliptic" impratio="100" iterations="200" tolerance="1e-14"/>
  <worldbody>
    <geom type="plane" size="50 50 1" condim="4" friction="{mu} {torsion} 0"/>
    <body pos="0 0 0.05">
      <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 0 1"/>
      <inertial pos="0 0 0" mass="15" diaginertia="1.325 1.325 0.625"/>
      {feet}
    </body>
  </worldbody>
</mujoco>
"""
BALL = '<geom type="sphere" size="0.05" pos="{x} {y} 0" condim="{condim}" friction="{mu} {torsion} 0"/>'
FEET = {"one foot": ([(0.0, 0.0)], 4), "four feet": ([(x, y) for x in (-0.22, 0.22) for y in (-0.22, 0.22)], 3)}


def slide_in_mujoco(kind: str, duration: float, period: float, step: float = 1e-4) -> NDArray[np.float64]:
    """Return poses x, y, z, yaw (n + 1, 4) [m, rad], every `period` [s], of a body that MuJoCo lets slide to rest.

    "one foot" has one soft contact whose friction limit is the ellipsoid of mu and e_r; "four feet" stands on four points
    with Coulomb's friction and no torsion, whose common limit is no ellipsoid.
    """
    places, condim = FEET[kind]
    friction = {"mu": MU, "torsion": MU * E_R}
    feet = "".join(BALL.format(x=x, y=y, condim=condim, **friction) for x, y in places)
    text = ONE_FOOT.format(step=step, feet=feet, **friction)
    if condim == 3:
        text = text.replace('condim="4"', 'condim="3"')
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    for _ in range(round(0.5 / step)):  # let it settle before the throw
        mujoco.mj_step(model, data)
    data.qpos[:2], data.qpos[3] = 0.0, 0.0
    data.qvel[:] = THROW[0], THROW[1], 0.0, THROW[2]
    every, poses = round(period / step), [data.qpos.copy()]
    for k in range(round(duration / step)):
        mujoco.mj_step(model, data)
        if (k + 1) % every == 0:
            poses.append(data.qpos.copy())
    return np.array(poses)


def slider(step: float, duration: float, mu: float, e_r: float) -> Scene:
    """Return our scene of the same slide: the desk's mass and inertia on four feet, its COM on the floor so that it cannot tip."""
    body = scenes.desk_body(height=1e-3)
    body = type(body)(15.0, np.diag([1.325, 1.325, 0.625]), body.vertices[:16])
    return Scene(
        body=body, friction=EllipsoidalFriction(mu, 1.0, 1.0, e_r), position=(0, 0, 1e-3), step=step, duration=duration,
        velocity=(THROW[0], THROW[1], 0, 0, 0, THROW[2]),
    )  # fmt: skip


def seen(scene: Scene, poses: NDArray[np.float64], noise: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return observed states (N + 1, 13), nan where nothing was seen: x, y and the quaternion of the poses, with noise."""
    every = scene.steps // (len(poses) - 1)
    states = np.full((scene.steps + 1, 13), np.nan)
    half = poses[:, 3] / 2
    turned = np.stack([np.cos(half), np.zeros_like(half), np.zeros_like(half), np.sin(half)], axis=1)
    states[::every, :2] = poses[:, :2] + noise[:, :2]
    states[::every, 3:7] = turned + noise[:, 3:7]
    return states


def recover(scene: Scene, poses: NDArray[np.float64], scale: float, seed: int) -> Estimate:
    """Estimate mu and e_r from poses with noise of `scale` times the camera's."""
    noise = np.random.default_rng(seed).normal(size=(len(poses), 13)) * NOISE * scale
    return estimate_parameters(scene, seen(scene, poses, noise), NOISE * scale)


def difference_rows(scene: Scene, names: tuple[str, ...], size: float = 1e-6) -> list[tuple[str, float, float, float, float]]:
    """Return for each parameter: |derivative| of the final state along one direction, and the relative differences from it of
    the reverse pass and of central differences; and the share of the final position in it."""
    loads, found, rng = scene.loads(), sensitivity(scene), np.random.default_rng(5)
    friction, body = scene.friction, scene.body
    base = {"mu": friction.mu, "e_t": friction.e_t, "e_o": friction.e_o, "e_r": friction.e_r, "inertia": body.inertia, "wrench": loads}
    rows = []
    for name in names:
        move = np.ones(()) if np.ndim(base[name]) == 0 else rng.normal(size=np.shape(base[name]))
        if name == "inertia":
            move = (move + move.T) / 2 * np.abs(base[name]).max() * 0.1
        forward = found.forward({name: move})
        reverse = np.array([np.sum(found.reverse(row)[name] * move) for row in np.eye(13)])
        ends = []
        for sign in (1.0, -1.0):
            changed, push = with_parameters(scene, loads, {name: base[name] + sign * size * move})
            end = record(changed, SimulateOptions(), push)
            ends.append(np.concatenate([end.position[-1], end.orientation[-1], end.velocity[-1]]))
        central = (ends[0] - ends[1]) / (2 * size)
        most = np.abs(forward).max()
        rows.append((name, most, np.abs(reverse - forward).max() / most, np.abs(central - forward).max() / most, np.abs(forward[:3]).max()))
    return rows


def slides_data(poses: dict[str, NDArray], fits: dict[str, Estimate], step: float, duration: float) -> Columns:
    """Observed and fitted motion of each slide."""
    columns: Columns = {}
    for kind, seen_poses in poses.items():
        value = fits[kind].values
        run = simulate(slider(step, duration, value["mu"], value["e_r"]), backend="compiled")
        every = (len(run.time) - 1) // (len(seen_poses) - 1)
        q = run.orientation[::every]
        yaw = np.unwrap(2 * np.arctan2(q[:, 3], q[:, 0]), period=4 * np.pi)
        columns |= {
            "t [s]": run.time[::every],
            f"{kind}, path [m]": np.hypot(*seen_poses[:, :2].T), f"{kind}, path fitted [m]": np.hypot(*run.position[::every, :2].T),
            f"{kind}, turn [rad]": seen_poses[:, 3], f"{kind}, turn fitted [rad]": yaw,
        }  # fmt: skip
    return columns


def push_data(push: Push, goal: NDArray[np.float64], every: int) -> Columns:
    """Feet of the desk along the way, its path and ECP, the goal, and the load in each window."""
    from planarcontact.dynamics.geometry import rotations

    run = simulate(push.scene, backend="compiled")
    kept = np.arange(0, len(run.time), every)
    corners = push.scene.body.vertices[[0, 4, 8, 12]]
    turns = rotations(run.orientation[kept])
    outline = np.concatenate([at + corners @ turn.T for at, turn in zip(run.position[kept], turns)])
    half = np.arctan2(goal[6], goal[3])
    turn = rotations(np.array([[np.cos(half), 0, 0, np.sin(half)]]))[0]
    target = np.array([goal[0], goal[1], 0]) + corners @ turn.T
    window = np.linspace(0, push.scene.duration, len(push.levels) + 1)
    return {
        "piece": np.repeat(np.arange(len(kept)), 4), "x [m]": outline[:, 0], "y [m]": outline[:, 1],
        "com x [m]": run.position[:, 0], "com y [m]": run.position[:, 1],
        "goal x [m]": target[:, 0], "goal y [m]": target[:, 1],
        "window start [s]": window[:-1], "window end [s]": window[1:],
        "f_x [N]": push.levels[:, 0], "f_y [N]": push.levels[:, 1], "T_z [N m]": push.levels[:, 5],
    }  # fmt: skip
