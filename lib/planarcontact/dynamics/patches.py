"""Every convex patch as a contact of its own: one equivalent contact point and one wrench per patch."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError, UnsupportedError
from ..validation import finite_array
from .geometry import TOUCH
from .options import SimulateOptions
from .patches_step import Feet, Start, solve_step
from .precision import double_precision
from .record import Record, trajectory
from .scene import Scene
from .status import Status
from .trajectory import Trajectory

__all__ = ["PatchWrenches", "run", "run_with_wrenches"]

SPLITS = 20  # cap on changes of the set of loaded corners within a step


class PatchWrenches(NamedTuple):
    """What each of J patches carries in each of N steps.

    ecp: (N, J, 3) world [m], the patch's centre where it carries nothing; impulse: (N, J, 4) p_n, p_t, p_o [N s] and
    p_r [N m s], about the common ECP with ``reference="common"`` and about the patch's own with ``"own"``.
    """

    ecp: NDArray[np.float64]
    impulse: NDArray[np.float64]


def run(scene: Scene, options: SimulateOptions) -> Trajectory:
    """Simulate with one equivalent contact point and one wrench per patch; see `run_with_wrenches`."""
    return run_with_wrenches(scene, options)[0]


def run_with_wrenches(
    scene: Scene, options: SimulateOptions, *, stiffness: ArrayLike | None = None
) -> tuple[Trajectory, PatchWrenches]:
    """Simulate with one equivalent contact point and one wrench per patch, and return the wrenches as well.

    With ``reference="common"`` every patch's friction moments are taken about the common ECP; its ellipsoids then add
    up to the one of the whole contact, and the motion does not depend on how the patches share the load. With
    ``"own"`` they are taken about the patch's own ECP; the motion then depends on that share, which rigid bodies
    leave open. We take the share of equally stiff corners in the limit of rigid ones (the least-norm split), or of
    patches as stiff as `stiffness` says.

    Args:
        scene: a scene whose body has `patches`.
        options: checked options; ``method`` is "patches".
        stiffness: (J,) positive relative stiffness of the patches [-]; equal by default.

    Returns:
        The trajectory, whose ecp and impulse are those of the whole contact; and the `PatchWrenches`.

    Raises:
        UnsupportedError: the body has no patches, or discs or spheres.
        InputError: a stiffness is not positive.

    Source: document 1, Section 5.1, the model with one contact per convex patch that it compares with.
    """
    body = scene.body
    if body.patches is None or body.discs or body.spheres:
        raise UnsupportedError(
            "method='patches' needs a body of vertices whose convex patches are listed in Body(patches=...); use method='hull'"
        )
    weights = finite_array("stiffness", np.ones(len(body.patches)) if stiffness is None else stiffness, (len(body.patches),))
    if (weights <= 0.0).any():
        raise InputError("stiffness", weights.tolist(), "must be positive")
    member = np.repeat(np.eye(len(body.patches)), [len(p) for p in body.patches], axis=1)
    corners = body.vertices[[i for p in body.patches for i in p]]
    feet = Feet(
        np.float64(body.mass), body.inertia, corners, member, scene.support.frame, np.float64(scene.support.offset),
        np.float64(scene.gravity), np.float64(scene.friction.mu), scene.friction.axes, np.float64(scene.step),
        np.float64(body.bounding_radius), np.float64(scene.velocity_scale),
    )  # fmt: skip
    with double_precision():
        return _march(scene, options, feet, weights @ member)


def _march(
    scene: Scene, options: SimulateOptions, feet: Feet, stiffness: NDArray[np.float64]
) -> tuple[Trajectory, PatchWrenches]:
    steps, count, patches = scene.steps, len(feet.corners), len(feet.member)
    n, t, o = feet.frame
    position, orientation, velocity = scene.position, scene.orientation, scene.velocity
    loaded = np.ones(count, dtype=bool)
    warm = np.concatenate([velocity, np.full(count, scene.step * feet.mass * feet.gravity / count), np.zeros(3 * patches)])
    rows, ecps, impulses = [], np.empty((steps, patches, 3)), np.empty((steps, patches, 4))
    for k, load in enumerate(scene.loads(options.sample)):
        start = Start(position, orientation, velocity, load, np.eye(count))
        found, out, loaded, total = _step(options, feet, start, warm, stiffness, loaded)
        status = int(found.status)
        if not (np.isfinite(found.measure) and np.isfinite(found.z).all()):
            status = int(Status.NOT_FINITE)
        else:
            position, orientation, velocity = np.asarray(out.position), np.asarray(out.orientation), np.asarray(found.z[:6])
            warm = np.asarray(found.z)
        friction = np.asarray(out.friction) * feet.axes
        pull = friction[:, :1] * t + friction[:, 1:2] * o
        normal = np.asarray(out.raw).sum()
        whole = np.asarray(out.raw) @ np.asarray(out.arms) / normal if normal > 0.0 else np.zeros(3)
        lever = np.cross(np.asarray(out.points) - whole, pull) @ n
        impulses[k] = np.column_stack([out.normal, friction])
        ecps[k] = np.asarray(out.position) + np.asarray(out.ecps)
        impulse = np.array([normal, *friction[:, :2].sum(axis=0), (friction[:, 2] + lever).sum()])
        rows.append((position, orientation, velocity, position + whole, impulse, found.measure, total, status))
    record = Record(*(np.array(column) for column in zip(*rows)))
    return trajectory(scene, record), PatchWrenches(ecps, impulses)


def _step(options: SimulateOptions, feet: Feet, start: Start, warm: NDArray, stiffness: NDArray, loaded: NDArray):
    """Solve a step; with own ECPs, until the corners that the split loads are those that can push."""
    free = _free(feet, start, warm)
    starts = np.stack([warm, free, free])
    common = options.reference == "common"
    solve = lambda split: solve_step(  # noqa: E731
        feet, start._replace(split=split), starts, options.tolerance,
        common=common, explicit=options.gyroscopic == "explicit", max_iterations=options.max_iterations,
    )  # fmt: skip
    if common:
        found, out = solve(np.eye(len(loaded)))
        return found, out, loaded, int(found.iterations)
    affine = np.column_stack([np.ones(len(loaded)), feet.corners / feet.radius])
    total = 0
    for _ in range(SPLITS):
        pressure = _pressure(affine, stiffness * loaded)
        found, out = solve((stiffness * loaded)[:, None] * affine @ pressure)
        total += int(found.iterations)
        starts[0] = np.asarray(found.z)
        touching = np.asarray(out.heights) <= TOUCH * feet.radius
        would = touching & (affine @ (pressure @ np.asarray(out.raw)) > -1e-14 * feet.mass * feet.speed)
        if (would == loaded).all() or not touching.any():
            break
        loaded = would
    return found, out, loaded, total


def _pressure(affine: NDArray, weights: NDArray) -> NDArray:
    """Matrix (4, n) from any corner impulses to the affine pressure with the same resultant, under these weights."""
    return np.linalg.pinv(affine.T @ (weights[:, None] * affine), rcond=1e-10, hermitian=True) @ affine.T


def _free(feet: Feet, start: Start, warm: NDArray) -> NDArray:
    """A second start: free motion along the plane, and the weight shared by all corners."""
    z = np.zeros_like(warm)
    z[:6] = start.velocity
    z[:3] += feet.step * (start.load[:3] / feet.mass - np.array([0.0, 0.0, feet.gravity]))
    z[:3] -= min(0.0, z[:3] @ feet.frame[0]) * feet.frame[0]
    z[6 : 6 + len(feet.corners)] = feet.step * feet.mass * feet.gravity / len(feet.corners)
    return z
