"""From simulated pushes to an identified surface to predicted two-finger pushes to their execution."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ConvergenceError
from ..limit_surface import LimitSurfaceModel, SupportPoints, TriangularBlock, fit, is_stable_push, push, twist_about
from ..limit_surface.pushing import Surface
from ..validation import nonnegative
from .fingers import TwoFingers
from .two_finger_push import push_two_fingers

__all__ = ["ChainResult", "draw_pushers", "pose_errors", "predict", "simulate_pokes", "surface_from_pokes"]

Array = NDArray[np.float64]

#: Friction of a poking finger, speed and path of the two-finger pusher, as in document 3's experiments.
POKE_MU, SPEED, PATH = 0.5, 2.5e-3, 15e-3
#: Half of the distance of the two fingers, as there [m].
HALF_WIDTH = 0.025
#: A push has slipped if the body ends farther than this from the pusher; a thousand times what a stable one leaves [m].
SLIPPED = 1e-5


def simulate_pokes(surface: SupportPoints, count: int, *, seed: int, noise: float = 0.0) -> tuple[Array, Array, int]:
    """Poke the triangular block with one finger: a random place of its outline, a random direction within 60 degrees.

    Args:
        surface: the ideal surface of its supports.
        count: number of pokes.
        seed: seed of places, directions and noise.
        noise: standard deviation of each component of the loads, as a share of the largest force, and of the unit twists [-].

    Returns:
        (count, 3) loads [N, N, N m], (count, 3) unit twists, and how many places gave no quasi-static motion and were drawn again.

    Raises:
        InputError: the noise is negative.
    """
    rng, level = np.random.default_rng(seed), nonnegative("noise", noise)
    corners, unit = TriangularBlock().vertices, np.array([1.0, 1.0, surface.length])
    loads, twists, again = [], [], 0
    while len(loads) < count:
        i, share, angle = rng.integers(3), rng.uniform(0.05, 0.95), rng.uniform(-np.pi / 3, np.pi / 3)
        edge = corners[(i + 1) % 3] - corners[i]
        normal = np.array([-edge[1], edge[0]]) / np.linalg.norm(edge)
        c, s = np.cos(angle), np.sin(angle)
        try:
            found = push(surface, corners[i] + share * edge, normal, POKE_MU, np.array([[c, -s], [s, c]]) @ normal)
        except ConvergenceError:
            again += 1
            continue
        loads.append(found.load / unit)
        twists.append(found.twist * unit / np.linalg.norm(found.twist * unit))
    largest = float(surface.limits.sum())
    noisy = np.array(loads) + level * largest * rng.normal(size=(count, 3))
    return noisy * unit, (np.array(twists) + level * rng.normal(size=(count, 3))) / unit, again


def surface_from_pokes(surface: SupportPoints, count: int, *, seed: int, noise: float = 0.0) -> LimitSurfaceModel:
    """Identify the convex quartic from `count` simulated pokes; arguments as for `simulate_pokes`."""
    loads, twists, _ = simulate_pokes(surface, count, seed=seed, noise=noise)
    return fit(loads, twists, kind="poly4-cvx", length=surface.length)


def draw_pushers(count: int, mu: float, *, seed: int, reach: float = 0.2) -> list[TwoFingers]:
    """Draw pushers at the middle of the block's long edge, about random centres in a square of half side `reach` [m].

    Args:
        count: number of pushers.
        mu: coefficient of friction of the fingers.
        seed: seed of the centres.
        reach: half the side of the square about the COM [m].

    Returns:
        The pushers; the middle of the fingers moves at `SPEED`, into the block.
    """
    rng = np.random.default_rng(seed)
    a, b = TriangularBlock().vertices[1:]
    along = (b - a) / np.linalg.norm(b - a)
    normal, middle = np.array([-along[1], along[0]]), (a + b) / 2.0
    points = np.stack([middle - HALF_WIDTH * along, middle + HALF_WIDTH * along])
    out = []
    for centre in rng.uniform(-reach, reach, (count, 2)):
        twist = twist_about(centre[None])[0]
        way = twist[:2] + twist[2] * np.array([-middle[1], middle[0]])
        out.append(TwoFingers(points, normal, mu, twist * np.copysign(SPEED / np.linalg.norm(way), way @ normal)))
    return out


@dataclass(frozen=True, eq=False)
class ChainResult:
    """What a surface says of a set of pushes: `stable` (N,) bool by `is_stable_push`; `pose` (N, 3) at the push's end
    [m, m, rad]; `slip` (N,) distance from where the pusher would have carried the body [m]; `mode` (N,), first mode."""

    stable: NDArray[np.bool_]
    pose: Array
    slip: Array
    mode: NDArray[Any]

    @property
    def slips(self) -> NDArray[np.bool_]:
        """(N,) whether the execution slipped."""
        return self.slip > SLIPPED


def predict(surface: Surface, pushers: list[TwoFingers], *, step: float = 0.5) -> ChainResult:
    """Judge and execute pushes of a path of 15 mm with a surface.

    Args:
        surface: a fitted model, or the true ideal surface.
        pushers: from `draw_pushers`.
        step: time step [s].

    Returns:
        The result.

    Raises:
        ConvergenceError: a push has no quasi-static motion.
    """
    stable, poses, slips, modes = [], [], [], []
    for pusher in pushers:
        normals = np.stack([pusher.normal, pusher.normal])
        stable.append(bool(is_stable_push(surface, pusher.points, normals, pusher.mu, pusher.twist)))
        run = push_two_fingers(surface, pusher, step=step, duration=PATH / SPEED)
        poses.append(run.pose[-1])
        slips.append(run.slip[0] + surface.length * run.slip[1])
        modes.append(str(run.mode[0]))
    return ChainResult(np.array(stable), np.array(poses), np.array(slips), np.array(modes))


def pose_errors(predicted: ArrayLike, executed: ArrayLike) -> tuple[Array, Array]:
    """Return how far predicted poses (N, 3) end from executed ones: (N,) [m] and (N,) [rad]."""
    miss = np.asarray(predicted, dtype=np.float64) - np.asarray(executed, dtype=np.float64)
    return np.linalg.norm(miss[:, :2], axis=1), np.abs(miss[:, 2])
