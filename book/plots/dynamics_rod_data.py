"""A leaning rod whose step has more than one motion: every root in its plane, from the laws alone and for the library's equations."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from planarcontact.dynamics import Body, EllipsoidalFriction, Scene
from planarcontact.dynamics.parameters import parameters
from planarcontact.dynamics.precision import double_precision
from planarcontact.dynamics.step import Before, measure

MASS, HALF, KNOB, MU, GRAVITY = 1.0, 0.5, 0.05, 0.22, 9.8  # kg, half the length [m], radius of the heavy ball in the middle [m]
INERTIA = 0.4 * MASS * KNOB**2  # the rod itself is light


class Root(NamedTuple):
    """One motion of the rod in a step, as the velocity of the COM along x and z [m/s], its spin [rad/s] and the impulses [N s].

    `slip` is the tip's velocity along the floor [m/s], `gain` the change of energy [J].
    """

    kind: str
    v_x: float
    v_z: float
    spin: float
    p_n: float
    p_x: float
    slip: float
    gain: float


def rod(lean: float, slip: float, spin: float, step: float) -> Scene:
    """The rod at `lean` [deg] from the floor, its lower tip on the floor and sliding along x with `slip` [m/s], under `spin` [rad/s] about y."""
    angle = np.radians(lean)
    along = HALF * np.array([np.cos(angle), 0.0, np.sin(angle)])
    turning = np.array([0.0, spin, 0.0])
    velocity = np.array([slip, 0.0, 0.0]) + np.cross(turning, along)
    body = Body(MASS, INERTIA * np.eye(3), vertices=[(-HALF, 0, 0), (HALF, 0, 0)])
    return Scene(
        body=body, friction=EllipsoidalFriction(MU), position=along, orientation=(np.cos(angle / 2), 0, -np.sin(angle / 2), 0),
        velocity=[*velocity, *turning], step=step, duration=step,
    )  # fmt: skip


def answers(lean: float, spin: float) -> tuple[float, float]:
    """Acceleration [m/s^2] of the tip off the floor, without a contact force and from each newton of it, while it slides towards -x.

    Newton's and Euler's laws at one instant: the first is what gravity and the spin do, the second what the force and its friction do.
    """
    c, s = np.cos(np.radians(lean)), np.sin(np.radians(lean))
    return spin**2 * HALF * s - GRAVITY, (1.0 + MASS * HALF**2 / INERTIA * c * (c - MU * s)) / MASS


def planar_roots(scene: Scene, points: int = 400_001) -> list[Root]:
    """Every motion of one step in the rod's plane: off the floor, sliding either way, or sticking.

    The spin at the step's end fixes all else, so each kind is one equation in it; its sign changes are sought on a grid over all
    spins that the energy at hand allows, and refined. Nothing of the library's stepper is used.
    """
    h, (x, _, z) = scene.step, scene.position
    v_x, v_z, spin = scene.velocity[[0, 2, 4]]
    lean = -2.0 * np.arctan2(scene.orientation[2], scene.orientation[0])
    energy = 0.5 * MASS * (v_x**2 + v_z**2) + 0.5 * INERTIA * spin**2

    def motion(kind: str, w: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        angle = lean - 2.0 * np.arctan(0.5 * h * w)
        r_x, r_z = -HALF * np.cos(angle), -HALF * np.sin(angle)
        rise = (-r_z - z) / h
        p_n = MASS * (rise - v_z + h * GRAVITY)
        if kind == "sticks":
            along = -w * r_z
            p_x = MASS * (along - v_x)
        else:
            p_x = (MU if kind == "slides to -x" else -MU) * p_n
            along = v_x + p_x / MASS
        return INERTIA * (w - spin) - (r_z * p_x - r_x * p_n), along, rise, p_n, p_x, along + w * r_z

    def root(kind: str, w: float, along: float, rise: float, p_n: float, p_x: float, slip: float) -> Root:
        gain = 0.5 * MASS * (along**2 + rise**2) + 0.5 * INERTIA * w**2 + MASS * GRAVITY * h * rise - energy
        return Root(kind, along, rise, w, p_n, p_x, slip, gain)

    found = []
    fall = v_z - h * GRAVITY
    if z + h * fall - HALF * np.sin(lean - 2.0 * np.arctan(0.5 * h * spin)) >= 0.0:
        found.append(root("leaves the floor", spin, v_x, fall, 0.0, 0.0, np.nan))
    widest = np.sqrt(2.0 * (energy + MASS * GRAVITY * HALF) / INERTIA)
    grid = np.linspace(-widest, widest, points)
    for kind in ("slides to -x", "slides to +x", "sticks"):
        values = motion(kind, grid)[0]
        for k in np.flatnonzero(values[:-1] * values[1:] < 0.0):
            w = brentq(lambda w, kind=kind: float(motion(kind, np.float64(w))[0]), grid[k], grid[k + 1], xtol=1e-15, rtol=1e-15)
            _, along, rise, p_n, p_x, slip = (float(value) for value in motion(kind, np.float64(w)))
            lawful = {"slides to -x": slip < 0.0, "slides to +x": slip > 0.0, "sticks": abs(p_x) <= MU * p_n}[kind]
            if p_n > 0.0 and lawful:
                found.append(root(kind, w, along, rise, p_n, p_x, slip))
    return found


def library_residual(scene: Scene, root: Root) -> float:
    """The library's own unit-free residual at a root: the same motion put into the equations of the hull method."""
    _, t, o = scene.support.frame
    used = np.zeros(3)
    if root.p_n > 0.0:
        used[:2] = np.array([t[0], o[0]]) * root.p_x / (MU * root.p_n)
    z = np.array([root.v_x, 0.0, root.v_z, 0.0, root.spin, 0.0, root.p_n, 0.0, *used])
    with double_precision():
        return float(measure(parameters(scene), Before(scene.position, scene.orientation, scene.velocity, scene.loads()[0]), z, False))


def rod_data(lean: float, spins: tuple[float, ...]) -> dict[str, NDArray[np.float64]]:
    """The rod's outline, and how its tip's acceleration off the floor hangs on the normal force, for each spin."""
    angle = np.radians(lean)
    along = 2 * HALF * np.array([np.cos(angle), np.sin(angle)])
    force = np.linspace(0.0, 16.0, 41)
    columns = {"rod x [m]": np.array([0.0, along[0]]), "rod z [m]": np.array([0.0, along[1]]), "ball radius [m]": np.array([KNOB]), "force [N]": force}
    for spin in spins:
        free, share = answers(lean, spin)
        columns[f"acceleration at {spin:g} rad/s [m/s^2]"] = free + share * force
    return columns
