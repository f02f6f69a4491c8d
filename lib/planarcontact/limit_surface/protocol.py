"""The experiments of document 3, Section V: what data one trial trains, chooses and tests on."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..validation import one_of
from .block import ARRANGEMENTS, TriangularBlock
from .checks import seed_number, whole_number
from .ideal import SupportPoints, twist_about
from .objectives import BOARD_GRID, SIMULATION_GRID, WeightGrid
from .robot_data import Pokes, load_pokes
from .statics import statics_pressures

__all__ = ["CONDITIONS", "SEED", "Condition", "Sample", "Trial", "make_trial"]

Array = NDArray[np.float64]

#: Seed of the committed study, fixed before its first run: the day of the document's third version.
SEED = 20160616

_NOISE = 0.1  # standard deviation per component of primed loads and unit twists
_COUNT = 150  # pairs asked for in a simulated trial
_SPLITS = 15  # random splits per arrangement of the robot experiment
_IDEAL = 603  # pairs asked for on the ideal surface in the robot experiment


@dataclass(frozen=True)
class Sample:
    """Loads and twists in primed space: rows F' (N, 3) and unit rows V' (N, 3)."""

    loads: Array
    twists: Array

    def __len__(self) -> int:
        return len(self.loads)

    def take(self, rows: NDArray[np.int64]) -> "Sample":
        """The given rows."""
        return Sample(self.loads[rows], self.twists[rows])


@dataclass(frozen=True)
class Trial:
    """One trial: the pool whose first n rows train, the data that choose the weights, and named test data."""

    pool: Sample
    validation: Sample
    tests: dict[str, Sample]


@dataclass(frozen=True)
class Condition:
    """One group of bars.

    Attributes:
        name: short name.
        figure: the document's figures that it makes, or "" for ours.
        trials: number of trials, the document's.
        amounts: numbers of training pairs.
        grid: weights among which validation data choose, in the units of the authors' code.
        make: rng and trial number to the trial.
    """

    name: str
    figure: str
    trials: int
    amounts: tuple[int, ...]
    grid: WeightGrid
    make: Callable[[np.random.Generator, int], Trial]


def make_trial(condition: str, trial: int, *, seed: int = SEED) -> Trial:
    """Draw one trial; the same seed, condition and trial always give the same data.

    Args:
        condition: a key of `CONDITIONS`.
        trial: number from 0 on.
        seed: seed of the study.

    Returns:
        The trial.

    Raises:
        InputError: an unknown condition or a trial that it does not have.
        DataError: the robot data cannot be fetched.
    """
    entry = CONDITIONS[one_of("condition", condition, tuple(CONDITIONS))]
    trial, seed = whole_number("trial", trial, 0, entry.trials - 1), seed_number(seed)
    index = list(CONDITIONS).index(condition)
    return entry.make(np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(index, trial))), trial)


def _legs(rng: np.random.Generator) -> SupportPoints:
    """Three points anywhere on the unit circle with random shares of the load, centred at their centre of pressure."""
    angle = rng.uniform(0.0, 2.0 * np.pi, 3)
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    share = rng.random(3)
    share /= share.sum()
    return SupportPoints(points - share @ points, share, 1.0)


def _ring(_: np.random.Generator) -> SupportPoints:
    """361 points, one per degree with the first one twice, as in the authors' code (the document says 360)."""
    angle = np.radians(np.arange(361.0))
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    share = np.full(361, 1.0 / 361.0)
    return SupportPoints(points - share @ points, share, 1.0)


def _square(_: np.random.Generator) -> SupportPoints:
    """400 points in the middles of the cells of a unit square."""
    x = (np.arange(20) + 0.5) / 20.0 - 0.5
    points = np.column_stack([c.ravel() for c in np.meshgrid(x, x)])
    return SupportPoints(points, np.full(400, 1.0 / 400.0), 1.0)


def _square_gyration(rng: np.random.Generator) -> SupportPoints:
    """The same square, with its radius of gyration as the characteristic length."""
    plain = _square(rng)
    return SupportPoints(plain.points, plain.pressures, 1.0, float(np.sqrt((plain.points**2).sum(axis=1).mean())))


def _by_centres(rng: np.random.Generator, surface: SupportPoints, count: int, facets: bool) -> Sample:
    """Sample as the released code does, where the document speaks of uniform directions.

    Centres of rotation come from directions uniform on the sphere by rejection, so that their number is random, are
    scaled by the mean distance of the supports from their centroid and moved there; half of the pairs, with
    `facets`, turn about a support, with a friction there that is uniform in its magnitude. Every centre is used in
    both senses.
    """
    per_facet = int(np.ceil(0.25 * count / len(surface.points))) if facets else 0
    wanted = int(np.ceil((0.25 if facets else 0.5) * count))
    cube = rng.uniform(-1.0, 1.0, (int(np.ceil(wanted * 6.0 / np.pi)), 3))
    unit = cube[(cube**2).sum(axis=1) <= 1.0]
    middle = surface.points.mean(axis=0)
    reach = float(np.linalg.norm(surface.points - middle, axis=1).mean())
    centres = reach * np.column_stack([-unit[:, 1], unit[:, 0]]) / unit[:, 2:] + middle
    resting = np.repeat(np.arange(len(surface.points)), per_facet)
    centres = np.vstack([centres, surface.points[resting]])
    twists = np.vstack([twist_about(centres), twist_about(centres, sense=-1)])
    loads = surface.load(twists)
    if facets:
        rows = np.concatenate([len(unit) + np.arange(len(resting)), len(centres) + len(unit) + np.arange(len(resting))])
        loads[rows] += _resting_friction(rng, surface, np.tile(resting, 2), rng.random(len(rows)))
    return _primed(surface, loads, twists).take(rng.permutation(len(loads)))


def _by_directions(rng: np.random.Generator, surface: SupportPoints, count: int, facets: bool) -> Sample:
    """Sample as the document's text says: uniform directions, and with `facets` half of the pairs uniform on the facets."""
    free = count // 2 if facets else count
    twists = rng.normal(size=(free, 3)) / [1.0, 1.0, surface.length]
    loads = surface.load(twists)
    if facets:
        resting = np.arange(count - free) % len(surface.points)
        turns = twist_about(surface.points[resting], sense=rng.choice([-1.0, 1.0], len(resting)))
        on_facet = surface.load(turns) + _resting_friction(rng, surface, resting, np.sqrt(rng.random(len(resting))))
        twists, loads = np.vstack([twists, turns]), np.vstack([loads, on_facet])
    return _primed(surface, loads, twists).take(rng.permutation(count))


def _resting_friction(rng: np.random.Generator, surface: SupportPoints, index: NDArray[np.int64], share: Array) -> Array:
    """Loads of friction at resting supports, a share of its limit in a random direction."""
    angle = rng.uniform(0.0, 2.0 * np.pi, len(index))
    force = (share * surface.limits[index])[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    x, y = surface.points[index].T
    return np.column_stack([force, x * force[:, 1] - y * force[:, 0]])


def _primed(surface: SupportPoints, loads: Array, twists: Array) -> Sample:
    scale = np.array([1.0, 1.0, surface.length])
    motions = twists * scale
    return Sample(loads / scale, motions / np.linalg.norm(motions, axis=1, keepdims=True))


def _simulated(
    support: Callable[[np.random.Generator], SupportPoints],
    sampler: Callable[[np.random.Generator, SupportPoints, int, bool], Sample],
    noise: float,
) -> Callable[[np.random.Generator, int], Trial]:
    """A half tests; of the rest, which bears the noise, three fifths train and two fifths choose the weights."""

    def make(rng: np.random.Generator, _: int) -> Trial:
        surface = support(rng)
        sample = sampler(rng, surface, _COUNT, len(surface.points) == 3)
        half = len(sample) // 2
        test, rest = sample.take(np.arange(half)), sample.take(np.arange(half, len(sample)))
        loads = rest.loads + noise * rng.normal(size=rest.loads.shape)
        twists = rest.twists + noise * rng.normal(size=rest.twists.shape)
        rest = Sample(loads, twists / np.linalg.norm(twists, axis=1, keepdims=True))
        cut = round(0.6 * len(rest))
        return Trial(rest.take(np.arange(cut)), rest.take(np.arange(cut, len(rest))), {"ideal": test})

    return make


@cache
def _pokes(surface: str, arrangement: str) -> Pokes:
    return load_pokes(surface, arrangement, progress=False)


def _poked(surface: str) -> Callable[[np.random.Generator, int], Trial]:
    """Fifty pokes: ten test, ten choose the weights, thirty train; the ideal surface is a second test."""

    def make(rng: np.random.Generator, trial: int) -> Trial:
        arrangement = ARRANGEMENTS[trial // _SPLITS]
        pokes = _pokes(surface, arrangement)
        scale = np.array([1.0, 1.0, pokes.length])
        sample = Sample(pokes.loads / scale, pokes.twists * scale).take(rng.permutation(len(pokes)))
        body = TriangularBlock()
        points = body.supports(arrangement)
        ideal = SupportPoints(points, statics_pressures(points, 1.0), 1.0, body.length)
        tests = {"sensor": sample.take(np.arange(10)), "ideal": _by_centres(rng, ideal, _IDEAL, True)}
        return Trial(sample.take(np.arange(20, 50)), sample.take(np.arange(10, 20)), tests)

    return make


def _conditions() -> dict[str, Condition]:
    simulated, poked = (7, 15, 22, 45), (5, 10, 20, 30)
    supports = {"legs": _legs, "ring": _ring, "square": _square, "square-gyration": _square_gyration}
    figures = {"legs-noisy": "2a", "legs-clean": "2b", "ring-noisy": "2c", "ring-clean": "2d"}
    out = []
    for suffix, sampler in (("", _by_centres), ("-text", _by_directions)):
        for name, support in supports.items():
            if suffix and name.startswith("square"):
                continue
            for state, noise in (("noisy", _NOISE), ("clean", 0.0)):
                key = f"{name}-{state}{suffix}"
                make = _simulated(support, sampler, noise)
                out.append(Condition(key, figures.get(key, ""), 50, simulated, SIMULATION_GRID, make))
    for surface, figure, grid in (("wood", "4a 4b", SIMULATION_GRID), ("board", "4c 4d", BOARD_GRID)):
        out.append(Condition(surface, figure, 4 * _SPLITS, poked, grid, _poked(surface)))
    return {condition.name: condition for condition in out}


#: Every condition of the study by its name.
CONDITIONS: dict[str, Condition] = _conditions()
