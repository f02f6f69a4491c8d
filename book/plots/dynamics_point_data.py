"""Columns of the page on the one contact point, collected from random bodies and their steps."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from planarcontact.dynamics import Scene
from planarcontact.dynamics.animation import outline
from planarcontact.dynamics.uniqueness import Roots, balance, outside, random_contact, roots

Columns = dict[str, NDArray]
KINDS = ("resting", "moving", "discs")


class Survey(NamedTuple):
    """What many starts on many bodies of one kind gave, the worst of each; lengths in bounding radii."""

    bodies: int
    starts: int
    lost: int
    motions: int
    ecp: float
    outside: float
    balance: float
    split: float


def survey(kind: str, bodies: int, starts: int, seed: int) -> tuple[Survey, list[tuple[Scene, Roots, int]]]:
    """Solve one step of `bodies` random bodies from each of `starts` starts; also return each body with one of its roots."""
    rng, kept, worst, lost, motions = np.random.default_rng(seed), [], np.zeros(4), 0, 0
    for k in range(bodies):
        scene = random_contact(rng, kind)
        size = scene.body.bounding_radius
        found = roots(scene, starts=starts, seed=k)
        groups = found.motions(1e-8 * scene.velocity_scale * max(1.0, 1.0 / size))
        lost += int((~found.found).sum())
        motions = max(motions, len(groups))
        for group in groups:
            first = int(group[0])
            force, point = balance(scene, found, first)
            differences = (
                np.abs(found.ecp[group] - found.ecp[first]).max() / size,
                outside(scene, found.position[first], found.orientation[first], found.ecp[first]) / size,
                np.abs(point - found.ecp[first]).max() / size,
                np.abs(found.split[group] - found.split[first]).max() / found.impulse[first, 0],
            )
            worst = np.maximum(worst, differences)
        kept.append((scene, found, int(groups[0][0])))
    return Survey(bodies, bodies * starts, lost, motions, *worst), kept


def shares(points: NDArray[np.float64], ecp: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the least and the largest share (k, 2) of the load that each of k points can carry with its centre at `ecp`."""
    size = np.abs(points - ecp).max()
    equal = np.vstack([(points - ecp).T / size, np.ones(len(points))])
    right = np.array([0.0, 0.0, 1.0])
    ends = np.empty((len(points), 2))
    for k, row in enumerate(np.eye(len(points))):
        for column, sign in enumerate((1.0, -1.0)):
            ends[k, column] = sign * linprog(sign * row, A_eq=equal, b_eq=right, bounds=(0, 1), method="highs").fun
    return ends


def split_data(cases: list[tuple[Scene, Roots, int]], drawn: int) -> Columns:
    """One resting body's feet with the range of their shares; and for every body the widest range of any foot."""
    widest = []
    for number, (scene, found, k) in enumerate(cases):
        feet = scene.body.vertices[:8]
        turn = 2 * np.arctan2(scene.orientation[3], scene.orientation[0])
        c, s = np.cos(turn), np.sin(turn)
        ecp = found.ecp[k, :2] @ np.array([[c, -s], [s, c]])  # into the body frame, whose origin has x = y = 0
        ends = shares(feet[:, :2], ecp)
        widest.append(np.ptp(ends, axis=1).max())
        if number == drawn:
            hull = outline(feet, np.eye(3)[[2, 0, 1]])
            columns = {
                "foot x [m]": feet[:, 0], "foot y [m]": feet[:, 1], "hull x [m]": hull[:, 0], "hull y [m]": hull[:, 1],
                "ecp x [m]": ecp[:1], "ecp y [m]": ecp[1:], "least share [1]": ends[:, 0], "largest share [1]": ends[:, 1],
            }  # fmt: skip
    return columns | {"widest range [1]": np.sort(widest)}
