"""Error against cost on the desk without rotation: the hull method and MuJoCo in one run; writes results/dynamics_mujoco.json.

The desk only translates, so the law of friction is the same in both: Coulomb's, with mu = 0.22, for every foot. The truth is the
hull method's own limit h -> 0, by Richardson's extrapolation of two fine steps. Costs are times of the processor. Pyramidal
cones lie within Coulomb's: with them MuJoCo solves another problem, and they are swept to show it.

MuJoCo's settings are every combination of BROAD and of CONTACT, then those of AROUND, one option at a time, around the best
so far at each step of CONTACT.
"""

import itertools
import json
import time

from _record import machine, write  # first: it sets the number of threads
import mujoco
import numpy as np
from planarcontact.dynamics import scenes
from planarcontact.dynamics.compiled import record
from planarcontact.dynamics.options import SimulateOptions
from tqdm import tqdm

TIMES = np.arange(1, 201) * 0.02  # where velocities are compared [s]
DEFAULT = {
    "timestep": 0.01, "cone": "elliptic", "integrator": "implicitfast", "timeconst": "0.02", "impratio": 1, "solver": "Newton",
    "margin": 0.0, "solimp": "0.9 0.95 0.001", "noslip": 0, "iterations": 100, "multiccd": "on",
}  # fmt: skip
STEPS = (0.01, 0.005, 0.002, 0.001, 0.0005)
BROAD = {  # every combination of what a user would turn first; the rest as in DEFAULT
    "timestep": STEPS,
    "cone": ("elliptic", "pyramidal"),
    "integrator": ("implicitfast", "Euler"),
    "timeconst": ("2h", "4h", "0.02"),
    "impratio": (1, 10),
    "solver": ("Newton", "PGS"),
}
CONTACT = {  # every combination of what decides when a contact acts and how stiffly
    "timestep": (0.01, 0.002, 0.0005),
    "timeconst": ("2h", "0.02"),
    "impratio": (10,),
    "margin": (0.0, 0.001),
    "solimp": ("0.9 0.95 0.001", "0.9999 0.9999 0.001"),
    "noslip": (0, 5),
}
AROUND = {  # one at a time, around the best of the above at the same three steps
    "cone": ("pyramidal",),
    "integrator": ("Euler", "implicit"),
    "solver": ("PGS", "CG"),
    "iterations": (5, 20),
    "multiccd": ("off",),
    "margin": (0.0001, 0.01),
    "solimp": ("0.99 0.999 0.001",),
    "impratio": (1, 100),
}
MODEL = """
<mujoco>
  <option timestep="{timestep}" gravity="0 0 -9.8" cone="{cone}" integrator="{integrator}" impratio="{impratio}" solver="{solver}" iterations="{iterations}" noslip_iterations="{noslip}" tolerance="1e-12"/>
  <worldbody>
    <geom type="plane" size="50 50 1" friction="0.22 0.005 0.0001" solref="{solref}" solimp="{solimp}" margin="{margin}"/>
    <body pos="0 0 {height}">
      <freejoint/>
      <inertial pos="0 0 0" mass="15" diaginertia="1.325 1.325 0.625"/>
      {feet}
    </body>
  </worldbody>
</mujoco>
"""
FOOT = '<geom type="box" size="0.03 0.03 0.02" pos="{x} {y} -0.43" friction="0.22 0.005 0.0001" solref="{solref}" solimp="{solimp}" margin="{margin}"/>'


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
    contact = {"solref": solref, "solimp": setting["solimp"], "margin": setting["margin"]}
    feet = "".join(FOOT.format(x=x, y=y, **contact) for x in (-0.22, 0.22) for y in (-0.22, 0.22))
    model = mujoco.MjModel.from_xml_string(MODEL.format(**(setting | contact), feet=feet, height=0.45 + 2 * setting["margin"]))  # two geoms, two margins
    if setting["multiccd"] == "off":
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_MULTICCD
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
        lift = max(lift, abs(data.qpos[2] - 0.45 - 2 * setting["margin"]))
        without += not (data.efc_force > 0).any()
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
    theirs: dict[str, dict] = {}

    def take(values: dict) -> dict:
        setting = DEFAULT | values
        key = json.dumps(setting)
        if key not in theirs:
            row = other(setting)
            velocity = row.pop("velocity")
            theirs[key] = row | {"error": error(velocity) if np.isfinite(velocity).all() else None}
        return theirs[key]

    for grid in (BROAD, CONTACT):
        for values in tqdm(list(itertools.product(*grid.values()))):
            take(dict(zip(grid, values)))
    for h in CONTACT["timestep"]:
        known = [row for row in theirs.values() if row["timestep"] == h and row["error"] is not None]
        best = min(known, key=lambda row: row["error"])
        for name, choices in AROUND.items():
            for choice in choices:
                take({k: best[k] for k in DEFAULT} | {name: choice})
    result = {"machine": machine(), "mujoco": mujoco.__version__, "hull": ours, "sweep": list(theirs.values())}
    write("dynamics_mujoco", result)


if __name__ == "__main__":
    main()
