"""What a trajectory says about itself, recomputed from its states and impulses alone (NumPy, no solver involved)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .geometry import lowest_height, rotations
from .scene import Scene
from .trajectory import Trajectory

__all__ = ["Diagnostics", "Energy", "diagnose"]


@dataclass(frozen=True, eq=False)
class Energy:
    """Energy of the body and what changed it.

    Args:
        kinetic: (N + 1,) translational plus rotational [J].
        potential: (N + 1,) m g z of the COM [J].
        applied: (N,) work of the applied load over each step, h F.nu with the velocity at the step's end [J].
        friction: (N,) work of the friction impulse at the ECP, never positive [J].
        normal: (N,) p_n times the normal velocity of the ECP at the step's end [J].
    """

    kinetic: NDArray[np.float64]
    potential: NDArray[np.float64]
    applied: NDArray[np.float64]
    friction: NDArray[np.float64]
    normal: NDArray[np.float64]

    @property
    def total(self) -> NDArray[np.float64]:
        """Kinetic plus potential energy (N + 1,) [J]."""
        return self.kinetic + self.potential


@dataclass(frozen=True, eq=False)
class Diagnostics:
    """Every law of the model, checked on every step; all but `slip` and `cone_use` should vanish.

    Lengths are in units of the bounding radius R, velocities of V = sqrt(g R), impulses of m V.

    Args:
        penetration: (N,) depth of the body's lowest point below the plane at the step's end, at least 0 [R].
        signorini: (N,) p_n times the ECP's distance from the plane [m V R].
        momentum: (N,) largest defect of the Newton-Euler equations [m V].
        slip: (N, 3) velocity v_t, v_o [m/s] and v_r [rad/s] at the ECP; nan while apart.
        cone_use: (N,) share of the friction limit that is used, between 0 and 1; nan where p_n is 0.
        coulomb: (N,) excess of the friction impulse over its limit, at least 0 [m V].
        dissipation: (N,) shortfall of the friction's work from the largest possible, mu p_n |E v| [m V^2].
    """

    penetration: NDArray[np.float64]
    signorini: NDArray[np.float64]
    momentum: NDArray[np.float64]
    slip: NDArray[np.float64]
    cone_use: NDArray[np.float64]
    coulomb: NDArray[np.float64]
    dissipation: NDArray[np.float64]
    energy: Energy


def diagnose(scene: Scene, trajectory: Trajectory, *, gyroscopic: str = "momentum", sample: str = "mid") -> Diagnostics:
    """Check a trajectory against every law of its scene.

    Args:
        scene: the `Scene` that was simulated.
        trajectory: its `Trajectory`, with N steps.
        gyroscopic: the form that was simulated, "momentum" or "explicit".
        sample: where the load was sampled.

    Returns:
        `Diagnostics` with one row per step.

    Raises:
        InputError: the trajectory has another number of steps than the scene.

    Source: document 1, Eqs. 5 to 9.
    """
    if len(trajectory.time) != scene.steps + 1:
        raise InputError("trajectory", len(trajectory.time) - 1, f"steps, where the scene has {scene.steps}")
    body, plane, friction = scene.body, scene.support, scene.friction
    n, t, o = plane.frame
    radius, speed = body.bounding_radius, scene.velocity_scale
    position, nu, p = trajectory.position[1:], trajectory.velocity[1:], trajectory.impulse
    apart = np.isnan(trajectory.ecp[:, 0])
    arm = np.where(apart[:, None], 0.0, trajectory.ecp - position)
    at = nu[:, :3] + np.cross(nu[:, 3:], arm)
    slip = np.stack([at @ t, at @ o, nu[:, 3:] @ n], axis=1)
    limit = friction.mu * p[:, 0]
    used = np.linalg.norm(p[:, 1:] / friction.axes, axis=1)
    work = (p[:, 1:] * slip).sum(axis=1)
    low = lowest_height(body, plane, position, trajectory.orientation[1:])
    gap = np.where(apart, 0.0, position @ n + arm @ n - plane.offset)
    most = limit * np.linalg.norm(slip * friction.axes, axis=1)
    loads = scene.loads(sample)
    return Diagnostics(
        penetration=np.maximum(-low, 0.0) / radius,
        signorini=p[:, 0] * np.abs(gap) / (body.mass * speed * radius),
        momentum=_momentum(scene, trajectory, arm, loads, gyroscopic),
        slip=np.where(apart[:, None], np.nan, slip),
        cone_use=np.where(limit > 0.0, used / np.where(limit > 0.0, limit, 1.0), np.nan),
        coulomb=np.maximum(used - limit, 0.0) / (body.mass * speed),
        dissipation=(work + most) / (body.mass * speed**2),
        energy=Energy(
            kinetic=_kinetic(scene, trajectory),
            potential=body.mass * scene.gravity * trajectory.position[:, 2],
            applied=scene.step * (loads * nu).sum(axis=1),
            friction=work,
            normal=p[:, 0] * (at @ n),
        ),
    )


def _kinetic(scene: Scene, trajectory: Trajectory) -> NDArray[np.float64]:
    v, omega = trajectory.velocity[:, :3], trajectory.velocity[:, 3:]
    spin = _body_spin(trajectory.orientation, omega)
    return 0.5 * (scene.body.mass * (v**2).sum(axis=1) + np.einsum("ni,ij,nj->n", spin, scene.body.inertia, spin))


def _body_spin(orientation: NDArray[np.float64], omega: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.einsum("nji,nj->ni", rotations(orientation), omega)


def _angular_momentum(scene: Scene, orientation: NDArray[np.float64], omega: NDArray[np.float64]) -> NDArray[np.float64]:
    turn = rotations(orientation)
    return np.einsum("nij,jk,nk->ni", turn, scene.body.inertia, np.einsum("nji,nj->ni", turn, omega))


def _momentum(
    scene: Scene, trajectory: Trajectory, arm: NDArray[np.float64], loads: NDArray[np.float64], gyroscopic: str
) -> NDArray[np.float64]:
    n, t, o = scene.support.frame
    mass, h = scene.body.mass, scene.step
    p, nu = trajectory.impulse, trajectory.velocity
    push = p[:, :1] * n + p[:, 1:2] * t + p[:, 2:3] * o
    weight = mass * scene.gravity * np.array([0.0, 0.0, 1.0])
    linear = mass * np.diff(nu[:, :3], axis=0) - h * (loads[:, :3] - weight) - push
    spin = nu[:, 3:]
    if gyroscopic == "explicit":
        begin = trajectory.orientation[:-1]
        change = _angular_momentum(scene, begin, np.diff(spin, axis=0))
        change = change + h * np.cross(spin[:-1], _angular_momentum(scene, begin, spin[:-1]))
    else:
        change = np.diff(_angular_momentum(scene, trajectory.orientation, spin), axis=0)
    angular = change - h * loads[:, 3:] - np.cross(arm, push) - p[:, 3:] * n
    defects = np.concatenate([linear, angular / scene.body.bounding_radius], axis=1)
    return np.abs(defects).max(axis=1) / (mass * scene.velocity_scale)
