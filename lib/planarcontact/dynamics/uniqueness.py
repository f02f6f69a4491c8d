"""Is the equivalent contact point unique? One step solved from many starts, and its roots compared."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import nnls

from ..errors import InputError
from . import step
from .body import Body, Disc
from .contact import heads
from .friction import EllipsoidalFriction
from .geometry import lowest_height, touching_points
from .jacobian import jacobian
from .newton import Equations, solve
from .options import SimulateOptions
from .parameters import Parameters, parameters
from .precision import double_precision
from .rotation import rotation_matrix
from .scene import Scene
from .support import Plane

__all__ = ["Roots", "balance", "outside", "random_contact", "roots"]

DEEP = 1e-10  # of the bounding radius: a root that lies deeper breaks the law that it should solve
FORMS = ((False, False), (True, False), (False, True))  # min-map instead of Fischer-Burmeister, descent of |F| demanded


@dataclass(frozen=True, eq=False)
class Roots:
    """What a step's equations gave from each of s starts.

    Args:
        found: (s,) whether the start led to a root that keeps the body above the plane.
        velocity: (s, 6) velocity at the step's end [m/s, rad/s].
        impulse: (s, 4) p_n, p_t, p_o [N s], p_r [N m s].
        ecp: (s, 3) equivalent contact point, world [m].
        split: (s, m) normal impulses of the generators [N s], a disc's as three numbers.
        position: (s, 3) COM at the step's end [m].
        orientation: (s, 4) quaternion at the step's end.
        residual: (s,) unit-free residual.
    """

    found: NDArray[np.bool_]
    velocity: NDArray[np.float64]
    impulse: NDArray[np.float64]
    ecp: NDArray[np.float64]
    split: NDArray[np.float64]
    position: NDArray[np.float64]
    orientation: NDArray[np.float64]
    residual: NDArray[np.float64]

    def motions(self, tolerance: float) -> list[NDArray[np.int64]]:
        """Return the roots sorted by motion: index arrays, in each of which velocities differ by at most `tolerance`."""
        groups: list[list[int]] = []
        for k in np.flatnonzero(self.found):
            for group in groups:
                if np.abs(self.velocity[k] - self.velocity[group[0]]).max() <= tolerance:
                    group.append(int(k))
                    break
            else:
                groups.append([int(k)])
        return [np.array(group) for group in groups]


@partial(jax.jit, static_argnames=("max_iterations",))
def _from_each(p: Parameters, before: step.Before, starts: Array, tolerance: float, *, max_iterations: int) -> tuple:
    least, monotone = (jnp.array(flags) for flags in zip(*FORMS))
    equations = Equations(
        lambda z, k: step.residual(p, before, z, least[k], False),
        lambda z, k: jacobian(p, before, z, least[k], False),
        lambda z: step.measure(p, before, z, False),
        step.unit_sizes(p),
        monotone,
    )

    def one(start: Array) -> tuple:
        tries = jnp.tile(start, (len(FORMS), 1))
        found = solve(equations, tries, max_iterations=max_iterations, tolerance=tolerance)
        after = step.advance(p, before, found.z)
        friction = p.mu * after.normal * p.axes * found.z[-3:]
        impulse = jnp.concatenate([after.normal[None], friction])
        return found.z, found.measure, impulse, after.position + after.ecp, after.position, after.orientation

    return jax.lax.map(one, starts)


def roots(scene: Scene, *, starts: int = 12, seed: int = 0) -> Roots:
    """Solve the first step of a scene from many random starts.

    A start has a random velocity, of the size sqrt(g R) about the initial one, random impulses on every generator, and a
    random direction of friction.

    Args:
        scene: a `Scene`; only its first step is taken.
        starts: number of starts.
        seed: seed of their generator.

    Returns:
        The `Roots`; starts from which the solver gave up are in it, marked.

    Raises:
        InputError: `starts` is less than 1.

    Source: document 1, Section 3.1: the ECP and the wrench at it are unique.
    """
    if not starts >= 1:
        raise InputError("starts", starts, "is too few", "give at least 1")
    rng, p, options = np.random.default_rng(seed), parameters(scene), SimulateOptions()
    before = step.Before(scene.position, scene.orientation, scene.velocity, scene.loads()[0])
    with double_precision():
        unit, head = np.asarray(step.unit_sizes(p)), np.asarray(heads(p))
        z = rng.normal(size=(starts, len(unit)))
        z[:, 6:-3] = np.abs(z[:, 6:-3]) * head * rng.choice([0.0, 1.0], size=(starts, 1))
        z[:, -3:] *= rng.uniform(size=(starts, 1)) / np.linalg.norm(z[:, -3:], axis=1, keepdims=True)
        z = z * unit
        z[:, :6] += scene.velocity
        rows = _from_each(p, before, z, options.tolerance, max_iterations=options.max_iterations)
        z, residual, impulse, ecp, position, orientation = (np.asarray(row) for row in rows)
    low = lowest_height(scene.body, scene.support, position, orientation)
    found = (residual <= options.tolerance) & (low >= -DEEP * scene.body.bounding_radius)
    return Roots(found, z[:, :6], impulse, ecp, z[:, 6:-3], position, orientation, residual)


def balance(scene: Scene, result: Roots, k: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return impulse (4,) and ECP (3,) [m] of root k from its motion alone: six balances, and no word of what touches.

    The change of momentum less the load is the contact's force and its moment about the COM. The force gives p_n, p_t and
    p_o. The point lies on the plane, so the moment about t and o gives its two coordinates, and what remains about n is p_r.

    Source: document 1, Eq. 6, read backwards.
    """
    n, t, o = scene.support.frame
    body, h, load = scene.body, scene.step, scene.loads()[0]
    with double_precision():
        first, last = (np.asarray(rotation_matrix(jnp.asarray(q))) for q in (scene.orientation, result.orientation[k]))
    spin = lambda turn, omega: turn @ body.inertia @ turn.T @ omega  # noqa: E731
    force = body.mass * (result.velocity[k, :3] - scene.velocity[:3]) - h * load[:3] + h * body.mass * np.array([0, 0, scene.gravity])
    moment = spin(last, result.velocity[k, 3:]) - spin(first, scene.velocity[3:]) - h * load[3:]
    p_n, p_t, p_o = n @ force, t @ force, o @ force
    level = scene.support.offset - n @ result.position[k]  # n.(a - x)
    along_t = (level * p_t - o @ moment) / p_n  # (r x f).o = (r.n)(f.t) - (r.t)(f.n)
    along_o = (t @ moment + level * p_o) / p_n  # (r x f).t = (r.o)(f.n) - (r.n)(f.o)
    arm = level * n + along_t * t + along_o * o
    return np.array([p_n, p_t, p_o, n @ (moment - np.cross(arm, force))]), result.position[k] + arm


def outside(scene: Scene, position: ArrayLike, orientation: ArrayLike, point: ArrayLike) -> float:
    """Return how far [m] a point lies from the convex hull of what touches at a pose (inf where nothing does)."""
    touching = touching_points(scene.body, scene.support, np.atleast_2d(position), np.atleast_2d(orientation))[0]
    if len(touching) == 0:
        return float("inf")
    size, offset = scene.body.bounding_radius, np.asarray(point)
    matrix = np.vstack([(touching - offset).T / size, np.full(len(touching), 1e3)])
    return float(nnls(matrix, np.array([0.0, 0.0, 0.0, 1e3]))[1]) * size


def random_contact(rng: np.random.Generator, kind: str) -> Scene:
    """Return a random body on a random plane, about to take one step under a random load.

    Kinds: "resting" and "moving" stand on eight feet scattered over a disc, in no convex arrangement, "resting" with a load
    that friction and feet can bear; "discs" is a cylinder of two unequal discs that stands, or lies on a line.

    Raises:
        InputError: another kind.
    """
    if kind not in ("resting", "moving", "discs"):
        raise InputError("kind", kind, "is not a choice here", "use one of resting, moving, discs")
    size, mass = 10 ** rng.uniform(-1.0, 0.3), 10 ** rng.uniform(-0.5, 1.5)
    height = rng.uniform(0.2, 0.8) * size
    mu = 0.5 if kind == "resting" else rng.uniform(0.05, 0.8)
    friction = EllipsoidalFriction(mu, *rng.uniform(0.6, 1.0, 2), rng.uniform(0.05, 0.4) * size)
    inertia = mass * size**2 * np.diag(rng.uniform(0.15, 0.28, 3))
    plane = Plane() if kind == "resting" else Plane([*rng.normal(size=2) * 0.05, 1.0], rng.normal() * 0.2)
    turn = _upright(plane, rng.uniform(0, 2 * np.pi))
    scale = np.concatenate([np.full(3, np.sqrt(9.8 * size)), np.full(3, np.sqrt(9.8 / size))])
    if kind == "discs":
        radii, lying = rng.uniform(0.3, 1.0, 2) * size, rng.uniform() < 0.5
        radii = np.full(2, radii[0]) if lying else radii
        body = Body(mass, inertia, discs=[Disc((0, 0, s * height), (0, 0, 1), r) for s, r in zip((-1, 1), radii)])
        height = radii[0] if lying else height
        turn = _product(turn, np.array([np.sqrt(0.5), 0, np.sqrt(0.5), 0])) if lying else turn
    else:
        angle = np.sort(rng.uniform(0, 2 * np.pi, 8)) + np.where(np.arange(8) < 4, 0.0, 0.2)
        feet = np.stack([np.cos(angle), np.sin(angle)], axis=1) * rng.uniform(0.3, 1.0, (8, 1)) * size
        feet[:4] = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * size * rng.uniform(0.4, 0.7, (4, 1))
        top = rng.normal(size=(4, 3)) * size * [0.3, 0.3, 0.1] + [0, 0, height]
        body = Body(mass, inertia, vertices=np.vstack([np.column_stack([feet, np.full(8, -height)]), top]))
    push = rng.normal(size=6) * mass * 9.8 * np.concatenate([np.full(3, 0.15), np.full(3, 0.05 * size)])
    velocity = rng.normal(size=6) * scale * 0.3
    velocity[:3] -= (velocity[:3] @ plane.normal) * plane.normal
    velocity[3:] = (velocity[3:] @ plane.normal) * plane.normal + rng.choice([0.0, 0.1]) * velocity[3:]
    if kind == "resting":
        velocity, push = np.zeros(6), push * [0.4, 0.4, 0.4, 0.5, 0.5, 0.2]
    return Scene(
        body=body, support=plane, friction=friction, position=plane.normal * (plane.offset + height), orientation=turn,
        velocity=velocity, wrench=lambda t: push, step=0.01, duration=0.01,
    )  # fmt: skip


def _upright(plane: Plane, angle: float) -> NDArray[np.float64]:
    """Return the quaternion that turns by `angle` about z and then z into the plane's normal."""
    n = plane.normal
    tilt = np.array([1.0 + n[2], -n[1], n[0], 0.0])
    return _product(tilt / np.linalg.norm(tilt), np.array([np.cos(angle / 2), 0, 0, np.sin(angle / 2)]))


def _product(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])
