"""Stepping a body in three dimensions whose friction is a limit surface."""

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..dynamics import EllipsoidalFriction, Scene, Status, Trajectory
from ..dynamics.compiled_march import march
from ..dynamics.compiled_state import NO_IMPULSE, generators, numbers
from ..dynamics.geometry import TOUCH, contacts, rotations
from ..dynamics.options import SimulateOptions
from ..dynamics.record import Record, trajectory
from ..dynamics.status import ContactMode
from ..errors import ConvergenceError, InputError, UnsupportedError
from ..limit_surface import SupportPoints
from .patch_friction import PatchFriction, check_pair
from .proximal_step import friction_step
from .support_newton import SupportProblem

__all__ = ["PatchTrajectory", "simulate_patch"]

Array = NDArray[np.float64]

#: Rounds between contact and friction, of each of five ways to take them.
_ROUNDS = 60
_MAX_STEPS = 10**6


@dataclass(frozen=True, eq=False)
class PatchTrajectory(Trajectory):
    """A `Trajectory` that also says by which law each step was taken.

    Args:
        by_scene: (N,) True where the scene's own friction stood in, with ``elsewhere="scene"``, since the step would have ended off what
            the surface covers; with the scene's friction it may then end on the face after all.
    """

    by_scene: NDArray[np.bool_]


def simulate_patch(scene: Scene, friction: PatchFriction, *, max_iterations: int = 50, tolerance: float = 1e-12) -> PatchTrajectory:
    """Simulate a scene in three dimensions with a limit surface for its friction.

    A step has two halves that must agree. Normal contact is the complementarity problem of the hull method: the body
    lands, lifts, tips and slides on a slope as there, friction being a load on it. Friction is the projection that
    `friction_step` solves, for the normal load, the direction of the face and the velocity at the end of the step. Rounds of the two,
    the last few combined (Anderson's method), end when the velocity that friction was made for is that of the body to within the
    tolerance. Where they do not settle and friction is that of single supports, Newton's method solves for all of them at once.

    Args:
        scene: body, plane, loads and start; its own ellipsoidal friction is used only with ``elsewhere="scene"``. The face of
            the patch is the body's lowest in z, body frame.
        friction: the limit surface and what to assume about it.
        max_iterations: cap on the iterations of every solver of the normal contact.
        tolerance: largest accepted unit-free residual: that of the normal contact, and by how much the velocity that friction was
            made for misses the body's, in units of sqrt(g R).

    Returns:
        A `PatchTrajectory`; impulses are about the ECP, to which the moment about the COM's projection is carried.

    Raises:
        InputError: an argument is unusable, or the face is not one that the surface can belong to.
        UnsupportedError: with ``elsewhere="refuse"``, the body touches otherwise than the law covers; the message names time
            and contact.
        ConvergenceError: the surface cannot give a load, or float64 does not hold the numbers of a step. (A step that is not
            solved is no error, and says so in its status.)

    Source: documents 1 (Eqs. 6 to 17) and 3 (Section III), joined.
    """
    check_pair(scene, friction)
    options = SimulateOptions(backend="compiled", max_iterations=max_iterations, tolerance=tolerance)
    if scene.steps > _MAX_STEPS:
        raise UnsupportedError(f"step: the scene has {scene.steps} steps, and {_MAX_STEPS} is the limit here; use a longer step")
    loads = scene.loads(options.sample)
    steps = _Steps(scene, friction, options)
    rows = []
    for n, load in enumerate(loads):
        try:
            with np.errstate(over="raise", invalid="raise", divide="raise"):
                rows.append(steps(n, load))
        except ConvergenceError as error:
            raise ConvergenceError(f"at the step to t = {(n + 1) * scene.step:.9g} s: {error}", residual=error.residual) from error
        except (ArithmeticError, np.linalg.LinAlgError, InputError) as error:
            if isinstance(error, InputError) and error.name == "surface":
                raise  # the caller's own surface; other arguments were checked before
            raise ConvergenceError(f"float64 does not hold the step to t = {(n + 1) * scene.step:.9g} s ({error}): check the units") from error
    run = trajectory(scene, Record(*(np.array(column) for column in zip(*rows))))
    return PatchTrajectory(**{field.name: getattr(run, field.name) for field in fields(Trajectory)}, by_scene=np.array(steps.by_scene))


class _End(NamedTuple):
    """What a step without friction of its own ends in: its row of a `Record`, by how much the COM's height [m] misses the one
    that friction was put at, the velocity (3,) of the COM's projection in (t, o, n), turns times the radius of gyration, and which
    generators push with what impulse [N s]."""

    row: list[Any]
    moved: float
    velocity: Array
    index: NDArray[np.int64]
    impulse: Array


_Kept = tuple[_End, Array, float]


class _Steps:
    """One step after another of one scene; called with the step's number and load."""

    def __init__(self, scene: Scene, friction: PatchFriction, options: SimulateOptions):
        self.scene, self.friction, self.options = scene, friction, options
        self.points, self.discs = generators(scene)
        smooth = scene.replace(friction=EllipsoidalFriction(mu=0.0))
        self.numbers = {"own": numbers(scene, options), "none": numbers(smooth, options)}
        self.state = (np.array(scene.position), np.array(scene.orientation), np.array(scene.velocity))
        self.frame = scene.support.frame
        n = self.frame[0]
        self.cross = np.array([[0.0, -n[2], n[1]], [n[2], 0.0, -n[0]], [-n[1], n[0], 0.0]])  # n x
        self.guess = np.zeros(3)
        self.by_scene: list[bool] = []

    def __call__(self, number: int, load: Array) -> list[Any]:
        normal = self.frame[0]
        turned = rotations(self.state[1][None])[0]
        self.gyration = float(np.sqrt(normal @ turned @ self.scene.body.inertia @ turned.T @ normal / self.scene.body.mass))
        self.depth = float(normal @ self.state[0]) - self.scene.support.offset
        end, push, change = self._agree(load)
        row = end.row
        reason = self._uncovered(end)
        self.by_scene.append(bool(reason))
        if reason:
            if self.friction.elsewhere == "refuse":
                raise UnsupportedError(
                    f"by t = {(number + 1) * self.scene.step:.9g} s {reason}; "
                    "pass elsewhere='scene' to take the scene's ellipsoidal friction for such steps"
                )
            row, self.guess = self._march("own", load)[0], np.zeros(3)
        else:
            row[4] = self._impulse(end, push)
            row[5] = max(row[5], change)
            if row[7] == Status.CONVERGED and not change <= self.options.tolerance:
                row[7] = Status.STALLED
            self.guess = push
        self.state = row[0], row[1], row[2]
        return row

    def _agree(self, load: Array) -> tuple[_End, Array, float]:
        """Bring normal contact and friction to agree; return the end, the friction impulse per mass (3,), and by how much they miss.

        The miss is one of velocity, in units of the scene's, so that it does not shrink with the metric.
        """
        kept: _Kept | None = None
        full = self._mobility()
        supports = self.friction.pressure == "contact"
        for ways in (((1.0, 1.0, 4, False), (full, 1.0, 4, True)), ((full, 0.5, 4, False), (full, 0.2, 0, False), (4.0 * full, 0.5, 2, True))):
            for metric, share, memory, cold in ways:
                push = np.zeros(3) if cold else self.guess if kept is None else kept[1]
                kept = self._rounds(load, push, metric, share, memory, kept)
                if kept[2] <= self.options.tolerance or not np.isfinite(kept[2]):
                    return kept
            if supports:
                kept = self._all_at_once(load, kept)
                if kept[2] <= self.options.tolerance:
                    return kept
        return kept

    def _rounds(self, load: Array, push: Array, metric: float, share: float, memory: int, kept: _Kept | None) -> _Kept:
        """Alternate between contact and friction from a push; return the best end so far, that of the least miss."""
        tried: list[Array] = []
        missed: list[Array] = []
        best = np.inf
        for k in range(_ROUNDS):
            end = self._end(load, push)
            miss = self._friction(end, push, metric) - push
            size = self._size(miss, end, metric)
            best = min(best, size)
            if kept is None or size < kept[2]:
                kept = (end, push, size)
            if size <= 0.1 * self.options.tolerance or not np.isfinite(size) or (k >= 10 and size > 1e3 * best):
                break
            tried, missed = [*(tried[-memory:] if memory else []), push], [*(missed[-memory:] if memory else []), share * miss]
            push = _combined(tried, missed)
        return kept

    def _size(self, miss: Array, end: _End, metric: float) -> float:
        return metric * float(np.linalg.norm(miss)) / self.scene.velocity_scale + end.moved / self.scene.body.bounding_radius

    def _mobility(self) -> float:
        """Return the largest velocity of the COM's projection, primed, that an impulse per mass of one there gives a free body."""
        turned = rotations(self.state[1][None])[0]
        inverse = np.linalg.inv(turned @ self.scene.body.inertia @ turned.T)
        arms = np.vstack([self.depth * self.frame[1:] @ self.cross, self.gyration * self.frame[0]])
        mobility = np.diag([1.0, 1.0, 0.0]) + self.scene.body.mass * arms @ inverse @ arms.T
        return max(1.0, float(np.linalg.eigvalsh(mobility)[-1]))

    def _all_at_once(self, load: Array, kept: _Kept) -> _Kept:
        """Solve for all supports together where the rounds did not settle; the root has a miss of its own."""
        problem = SupportProblem(self.scene, self.friction.surface.mu, self.state, load)
        z, miss = problem.solve(kept[0].row[2])
        if not miss < kept[2]:
            return kept
        place, turned, velocity, arms, impulses = problem.end(z)
        pressed = impulses @ self.frame[0]
        touching = pressed > NO_IMPULSE * self.scene.body.mass * self.scene.velocity_scale
        if not touching.any():
            return kept
        pressed = np.where(touching, pressed, 0.0)
        friction = impulses[touching] @ self.frame[1:].T
        t, o = (arms[touching] @ self.frame[1:].T).T
        push = np.array([*friction.sum(axis=0), float(t @ friction[:, 1] - o @ friction[:, 0]) / self.gyration]) / self.scene.body.mass
        ecp = place + pressed @ arms / pressed.sum()
        row = [place, turned, velocity, ecp, np.array([pressed.sum(), 0.0, 0.0, 0.0]), miss, kept[0].row[6], Status.CONVERGED]
        return _End(row, 0.0, np.zeros(3), problem.index[touching], pressed[touching]), push, miss

    def _end(self, load: Array, push: Array) -> _End:
        """Return the end of the step under a friction impulse per mass (f_t, f_o, tau / gyration)."""
        mass, h = self.scene.body.mass, self.scene.step
        force = mass / h * (push[0] * self.frame[1] + push[1] * self.frame[2])
        moment = mass / h * push[2] * self.gyration * self.frame[0] - self.depth * (self.cross @ force)
        row, index, impulse = self._march("none", load + np.concatenate([force, moment]))
        depth = float(self.frame[0] @ row[0]) - self.scene.support.offset
        v, omega = row[2][:3], row[2][3:]
        at = v + depth * (self.cross @ omega)
        moved, self.depth = abs(depth - self.depth), depth
        return _End(row, moved, np.array([self.frame[1] @ at, self.frame[2] @ at, self.gyration * (self.frame[0] @ omega)]), index, impulse)

    def _march(self, law: str, load: Array) -> tuple[list[Any], NDArray[np.int64], Array]:
        rows = march(
            self.numbers[law], self.points, self.discs, *self.state, load[None], self.options.max_iterations, self.options.tolerance
        )  # fmt: skip
        return [column[0] for column in rows[:8]], rows[8][0], rows[9][0, :, 0]

    def _friction(self, end: _End, push: Array, metric: float) -> Array:
        """Return the friction impulse per mass (3,) that the law gives at the end of a step that `push` led to."""
        pressed = float(end.row[4][0])
        if pressed <= 0.0:
            return np.zeros(3)
        h, mass = self.scene.step, self.scene.body.mass
        free = end.velocity - metric * push
        gain = metric * h / mass
        if self.friction.pressure == "fixed":
            turn, scale = _turn(end.row[1], self.frame), pressed / h / self.friction.normal_load
            step = friction_step(self.friction.surface, scale, self.gyration, turn.T @ free, gain, turn.T @ end.velocity)
            return -h / mass * (turn @ step.load)
        arms, weights = self._supports(end)
        mu = self.friction.surface.mu
        if len(arms) == 1:
            return self._single(arms[0], mu * weights[0], end.velocity, push, metric)
        surface = SupportPoints(arms, weights / h, mu, self.friction.surface.length)
        step = friction_step(surface, 1.0, self.gyration, free, gain, end.velocity)
        return -h / mass * step.load

    def _single(self, arm: Array, limit: float, velocity: Array, push: Array, metric: float) -> Array:
        """Coulomb friction at one support: the nearest of its disc to what would hold the support."""
        across = np.array([-arm[1], arm[0]]) / self.gyration
        trial = push[:2] - (velocity[:2] + across * velocity[2]) / (metric * (1.0 + across @ across))
        size, most = float(np.linalg.norm(trial)), limit / self.scene.body.mass
        force = trial if size <= most else trial * (most / size)
        return np.append(force, across @ force)

    def _supports(self, end: _End) -> tuple[Array, Array]:
        """Return the arms (k, 2) from the COM's projection, in (t, o), of the vertices that push, and their impulses [N s]."""
        pushing = (end.index >= 0) & (end.index < len(self.scene.body.vertices)) & (end.impulse > 0.0)
        turned = rotations(end.row[1][None])[0]
        arms = self.scene.body.vertices[end.index[pushing]] @ turned.T @ self.frame[1:].T
        return arms, end.impulse[pushing]

    def _impulse(self, end: _End, push: Array) -> Array:
        """Return (p_n, p_t, p_o, p_r), the moment carried from the COM's projection to the ECP."""
        mass = self.scene.body.mass
        arm = self.frame[1:] @ (end.row[3] - end.row[0])
        moment = self.gyration * push[2] - (arm[0] * push[1] - arm[1] * push[0])
        return np.array([end.row[4][0], mass * push[0], mass * push[1], mass * moment])

    def _uncovered(self, end: _End) -> str:
        """Say why the law does not cover the contact at a step's end; empty if it does."""
        if end.row[4][0] <= 0.0:
            return ""
        body, support = self.scene.body, self.scene.support
        tilt = self._tilt(end)
        mode = ContactMode(contacts(body, support, end.row[0][None], end.row[1][None])[0][0])
        if self.friction.pressure == "fixed":
            if mode == ContactMode.SURFACE and tilt <= TOUCH:
                return ""
            return f"the body is off its face (contact: {mode.name}, tilt {np.degrees(tilt):.3g} deg), and the limit surface belongs to the face alone"
        vertices = end.row[0] + body.vertices @ rotations(end.row[1][None])[0].T
        low = vertices[support.height(vertices) <= TOUCH * body.bounding_radius]
        touching = len(np.unique(np.round((low - end.row[0]) / (TOUCH * body.bounding_radius)), axis=0))
        others = (end.index >= len(body.vertices)).any()
        if touching <= 3 and not others:
            return ""
        return f"{touching} vertices{' and other generators' if others else ''} touch, and only the impulses of three vertices or fewer are determined"

    def _tilt(self, end: _End) -> float:
        """Angle between the face and the plane [rad]."""
        axis = rotations(end.row[1][None])[0][:, 2]
        return float(np.arctan2(np.linalg.norm(np.cross(self.frame[0], axis)), self.frame[0] @ axis))


def _turn(orientation: Array, frame: Array) -> Array:
    """Rotation (3, 3) from the face's axes to (t, o, n): by the angle of the body's x axis, projected."""
    axis = frame[1:] @ rotations(orientation[None])[0][:, 0]
    c, s = axis / np.linalg.norm(axis)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _combined(tried: list[Array], missed: list[Array]) -> Array:
    """Anderson's next iterate from the last few and their misses."""
    push, miss = tried[-1], missed[-1]
    if len(tried) == 1:
        return push + miss
    by, change = np.diff(tried, axis=0).T, np.diff(missed, axis=0).T
    weights = np.linalg.lstsq(change, miss, rcond=1e-10)[0]
    return push + miss - (by + change) @ weights
