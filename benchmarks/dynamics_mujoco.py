"""Error against cost on the desk without rotation: the hull method and MuJoCo in one run; writes results/dynamics_mujoco.json.

The desk only translates, so the law of friction is the same in both: Coulomb's, with mu = 0.22, for every foot. The truth is the
hull method's own limit h -> 0, by Richardson's extrapolation of two fine steps. Costs are times of the processor.
"""

import itertools
import json
import os
import platform
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import mujoco  # noqa: E402
import numpy as np  # noqa: E402
from planarcontact.dynamics import scenes  # noqa: E402
from planarcontact.dynamics.compiled import record  # noqa: E402
from planarcontact.dynamics.options import SimulateOptions  # noqa: E402

RESULT = Path(__file__).parent / "results" / "dynamics_mujoco.json"
TIMES = np.arange(1, 201) * 0.02  # where velocities are compared [s]
SWEEP = {
    "timestep": (0.01, 0.005, 0.002, 0.001, 0.0005),
    "cone": ("elliptic", "pyramidal"),
    "integrator": ("implicitfast", "Euler"),
    "timeconst": ("2h", "4h", "0.02"),
    "impratio": (1, 10),
    "solver": ("Newton", "PGS"),
}
MODEL = """
<mujoco>
  <option timestep="{timestep}" gravity="0 0 -9.8" cone="{cone}" integrator="{integrator}" impratio="{impratio}" solver="{solver}" iterations="100" tolerance="1e-12"/>
  <worldbody>
    <geom type="plane" size="50 50 1" friction="0.22 0.005 0.0001" solref="{solref}"/>
    <body pos="0 0 0.45">
      <freejoint/>
      <inertial pos="0 0 0" mass="15" diaginertia="1.325 1.325 0.625"/>
      {feet}
    </body>
  </worldbody>
</mujoco>
"""
FOOT = '<geom type="box" size="0.03 0.03 0.02" pos="{x} {y} -0.43" friction="0.22 0.005 0.0001" solref="{solref}"/>'


def push(t: float) -> np.ndarray:
    """The desk's force [N] at a time [s], without its torque."""
    s, c = np.sin(2 * np.pi * t), np.cos(2 * np.pi * t)
    return np.array([22.5 * s + 22.5, 22.5 * c + 22.5, 0.0, 0.0, 0.0, 0.0])


def hull(h: float) -> tuple[np.ndarray, float, float]:
    """Planar velocities at TIMES (200, 2) [m/s], cost of a simulated second [s], largest lift [m]."""
    scene = scenes.desk(step=h).replace(velocity=(0.3, 0.2, 0, 0, 0, 0), wrench=push)
    loads, options = scene.loads(), SimulateOptions()
    costs = []
    for _ in range(3):
        start = time.process_time()
        done = record(scene, options, loads)
        costs.append(time.process_time() - start)
    assert not done.status.any()
    rows = np.round(TIMES / h).astype(int) - 1
    return done.velocity[rows, :2], float(np.median(costs[1:])) / scene.duration, float(np.abs(done.position[:, 2] - 0.45).max())


def other(setting: dict) -> dict:
    """Run MuJoCo with one setting: error, cost, and how far and how often its contact is lost."""
    h = setting["timestep"]
    constant = {"2h": 2 * h, "4h": 4 * h, "0.02": 0.02}[setting["timeconst"]]
    solref = f"{constant} 1"
    feet = "".join(FOOT.format(x=x, y=y, solref=solref) for x in (-0.22, 0.22) for y in (-0.22, 0.22))
    names = ("timestep", "cone", "integrator", "impratio", "solver")
    model = mujoco.MjModel.from_xml_string(MODEL.format(**{k: setting[k] for k in names}, solref=solref, feet=feet))
    data = mujoco.MjData(model)
    data.qvel[:2] = 0.3, 0.2
    steps = round(4.0 / h)
    loads = np.array([push((k + 0.5) * h) for k in range(steps)])
    every = round(0.02 / h)
    velocity, lift, without = [], 0.0, 0
    cost = 0.0
    for k in range(steps):
        data.xfrc_applied[1] = loads[k]
        start = time.process_time()
        mujoco.mj_step(model, data)
        cost += time.process_time() - start
        lift = max(lift, abs(data.qpos[2] - 0.45))
        without += data.ncon == 0
        if (k + 1) % every == 0:
            velocity.append(data.qvel[:2].copy())
    return setting | {"velocity": np.array(velocity), "cost": cost / 4.0, "lift": lift, "without_contact": without / steps}


def main() -> None:
    fine = [hull(h)[0] for h in (1e-4, 5e-5)]
    truth = 2 * fine[1] - fine[0]
    size = np.abs(truth).max()
    error = lambda v: float(np.abs(v - truth).max() / size)  # noqa: E731
    ours = []
    for h in (0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002):
        velocity, cost, lift = hull(h)
        ours.append({"step": h, "error": error(velocity), "cost": cost, "lift": lift})
    theirs = []
    for values in itertools.product(*SWEEP.values()):
        row = other(dict(zip(SWEEP, values)))
        row["error"] = error(row.pop("velocity"))
        theirs.append(row)
    machine = {"processor": platform.processor() or platform.machine(), "cores": os.cpu_count(), "load": os.getloadavg()[0]}
    result = {"machine": machine, "mujoco": mujoco.__version__, "hull": ours, "sweep": theirs}
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
