"""What the pages on limit surfaces compute about single statements of the document, a function for each."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.io import loadmat
from scipy.optimize import nnls

from planarcontact.limit_surface import (
    LimitSurfaceModel, Pokes, SupportPoints, TriangularBlock, WeightGrid, fetch, fit, friction_cone, howe_cutkosky, in_cone,
    is_stable_push, monomials, pressure_grid, read_poke_log, slide_many, touch_of_finger,
)
from planarcontact.limit_surface.block import ARRANGEMENTS, SURFACES
from planarcontact.limit_surface.measures import angles
from planarcontact.limit_surface.stable_push import push_twists

Array = NDArray[np.float64]

#: Exponents of the fifteen coefficients in the authors' files; the saved training errors come out to 1e-12 deg with this order.
AUTHORS = (
    (4, 0, 0), (0, 4, 0), (0, 0, 4), (3, 1, 0), (3, 0, 1), (1, 3, 0), (0, 3, 1), (1, 0, 3), (0, 1, 3), (2, 2, 0), (2, 0, 2), (0, 2, 2),
    (2, 1, 1), (1, 2, 1), (1, 1, 2),
)


def authors_fit(key: str, index: int, length: float) -> tuple[LimitSurfaceModel, float, Array, Array, float]:
    """The convex quartic of a file of the authors over its largest coefficient, that coefficient, the loads and primed twists it was fitted to, and by how much its error differs from the saved one [deg]."""
    saved = loadmat(fetch(key, progress=False), squeeze_me=True)["result_methods"][index]
    loads, twists, given = (saved[name].item() for name in ("F_train", "V_train", "coeffs"))
    size = float(np.abs(given[0]).max())
    coefficients = np.zeros(15)
    coefficients[monomials(4).index(np.array(AUTHORS))] = given[0] / size
    model = LimitSurfaceModel.from_coefficients(coefficients, length=length)
    primed = np.array([1.0, 1.0, length])
    error = np.degrees(np.mean(angles(model.twist(loads * primed) * primed, twists)))
    return model, size, loads * primed, twists, abs(error - saved["err_train"].item()[0].real)


def poked(twists: Array, logs: dict[Any, Pokes]) -> Any:
    """Key of the log that holds every one of these primed twists, or None."""
    for key, pokes in logs.items():
        measured = pokes.twists * [1, 1, pokes.length]
        if np.linalg.norm(measured[None] - twists[:, None], axis=2).min(axis=1).max() < 1e-3:
            return key
    return None


def newton_from(model: LimitSurfaceModel, start: Array, twists: Array, steps: int) -> Array:
    """Angles [deg] between grad H and V after full Gauss-Newton steps from one fixed start for all."""
    basis = monomials(model.degree)
    goal = twists * [1, 1, model.length]
    goal = goal / np.linalg.norm(goal, axis=1, keepdims=True)
    at = np.tile(start, (len(goal), 1))
    for _ in range(steps):
        gap = basis.gradients(at) @ model.coefficients - goal
        at = at - np.linalg.solve(basis.hessians(at) @ model.coefficients, gap[:, :, None])[:, :, 0]
    return np.degrees(angles(basis.gradients(at) @ model.coefficients, goal))


def direction_only(model: LimitSurfaceModel, twists: Array, steps: int) -> float:
    """Share of queries that the update of Theorem 2 does not solve where its V_t is read as a unit velocity, from F = V [-]."""
    basis = monomials(model.degree)
    goal = twists * [1, 1, model.length]
    goal = goal / np.linalg.norm(goal, axis=1, keepdims=True)
    at = goal.copy()
    for _ in range(steps):
        gradient = basis.gradients(at) @ model.coefficients
        gap = gradient / np.linalg.norm(gradient, axis=1, keepdims=True) - goal
        at = at - np.linalg.solve(basis.hessians(at) @ model.coefficients, gap[:, :, None])[:, :, 0]
    gradient = basis.gradients(at) @ model.coefficients
    return float(np.mean(~(np.degrees(angles(gradient, goal)) < 1e-3)))


def cut_ellipsoid(ideal: SupportPoints, loads: Array) -> Array:
    """Twists of the ellipsoid of Howe and Cutkosky, cut by the planes of the supports' facets."""
    ellipsoid, facets = howe_cutkosky(ideal), ideal.facets()
    normals = np.array([facet.twist for facet in facets])
    gauges = np.column_stack([ellipsoid.value(loads) ** 0.5, loads @ normals.T / ideal.support(normals)])
    active = gauges.argmax(axis=1)
    return np.where((active == 0)[:, None], ellipsoid.twist(loads), normals[np.maximum(active - 1, 0)])


def last_directions(surface: Any, mass: float, gyration: float, count: int, seed: int, within: float) -> list[tuple[Array, int]]:
    """Where free slides from random twists end: the directions that lie farther than `within` [deg] apart, with their numbers of slides, most first."""
    rng = np.random.default_rng(seed)
    starts = rng.normal(size=(count, 3)) * [0.3, 0.3, 0.3 / gyration]
    ends = slide_many(surface, mass, mass * gyration**2, starts)[2] * [1, 1, gyration]
    groups: list[tuple[Array, int]] = []
    while len(ends):
        near = np.degrees(angles(np.broadcast_to(ends[:, None], (len(ends),) * 2 + (3,)), np.broadcast_to(ends[None], (len(ends),) * 2 + (3,)))) <= within
        at = int(near.sum(axis=1).argmax())
        groups.append((ends[near[at]].mean(axis=0), int(near[at].sum())))
        ends = ends[~near[at]]
    return groups


def on_supports(supports: dict[str, SupportPoints], contacts: Array, normals: Array, mu: float) -> tuple[int, int, int]:
    """Pushes that turn about a support: how many, how many are stable by the middle of the set of loads, how many by the set."""
    cases = by_middle = by_set = 0
    for ideal in supports.values():
        scale = np.array([1.0, 1.0, ideal.length])
        edges = friction_cone(contacts, normals, mu) / scale
        for facet in ideal.facets():
            if push_twists(contacts, normals, ideal.points[facet.support][None])[0, 2] * facet.sense < 0:
                continue
            cases += 1
            by_middle += bool(in_cone(edges, facet.centre[None] / scale)[0])
            by_set += bool(is_stable_push(ideal, contacts, normals, mu, facet.twist))
    return cases, by_middle, by_set


def inertia_share(friction: float) -> float:
    """Largest share, over 95 % of the samples of all poke logs, of the finger's acceleration in what friction takes, mu g [-]."""
    shares = []
    for surface in SURFACES:
        for arrangement in ARRANGEMENTS:
            for push in read_poke_log(fetch(f"{surface}-{arrangement}", progress=False)):
                time, place = push.tip_time - push.tip_time[0], push.tip[:, :2] / 1000
                kept = np.concatenate([[True], np.diff(time) > 0])
                even = np.arange(0, time[-1], 0.1)  # the speed is held for seconds; shorter steps measure the clock
                way = np.column_stack([np.interp(even, time[kept], place[kept, k]) for k in range(2)])
                shares.append(np.linalg.norm(np.diff(way, 2, axis=0), axis=1) / 0.1**2 / (friction * 9.81))
    return float(np.quantile(np.concatenate(shares), 0.95))


def twins(logs: dict[Any, Pokes], within: float) -> tuple[int, Array, Array, Array]:
    """Pairs of pokes of one log whose twists are, to `within` [deg], opposite, or equal: the number of opposite ones; the loads' angles from opposite; from equal, both at one edge; from equal, at two edges [deg]."""
    corners = TriangularBlock().vertices
    apart: list[list[float]] = [[], [], []]
    for pokes in logs.values():
        v, f = pokes.twists * [1, 1, pokes.length], pokes.loads / [1, 1, pokes.length]
        edge = np.array([touch_of_finger(corners, at).edge for at in pokes.contacts])
        i, j = np.triu_indices(len(pokes), 1)
        same = edge[i] == edge[j]
        for k, (sign, kept) in enumerate(((-1.0, np.ones(len(i), dtype=bool)), (1.0, same), (1.0, ~same))):
            near = kept & (np.degrees(angles(v[i], sign * v[j])) < within)
            apart[k] += np.degrees(angles(f[i[near]], sign * f[j[near]])).tolist()
    return len(apart[0]), *(np.array(values) for values in apart)


def other_lengths(logs: dict[Any, Pokes], radii: dict[str, float], weights: WeightGrid, **how: Any) -> dict[str, float]:
    """Mean angle [deg] on held-out pokes, seen with each log's own length, of fits with other characteristic lengths."""
    found: dict[str, list[float]] = {name: [] for name in radii}
    for name, rho in radii.items():
        for p in logs.values():
            for fold in range(0, 5, 2):
                test, check = np.arange(50) // 10 == fold, np.arange(50) // 10 == (fold + 1) % 5
                train = ~(test | check)
                model = fit(p.loads[train], p.twists[train], kind="poly4-cvx", length=rho, weights=weights, solver="COMPILED",
                            validation=(p.loads[check], p.twists[check]), **how)
                primed = np.array([1, 1, p.length])
                found[name].append(float(np.degrees(np.mean(angles(model.twist(p.loads[test]) * primed, p.twists[test] * primed)))))
    return {name: float(np.mean(values)) for name, values in found.items()}


def grid_on_exact_data(ideal: SupportPoints, grid: Array, count: int, seed: int) -> tuple[float, float, float]:
    """Pressures found on a grid from exact loads of known supports: mean distance [m] of the weight from its support, largest error of a support's share [-], mean angle [deg] to the surface's twists."""
    gen, primed = np.random.default_rng(seed), np.array([1.0, 1.0, ideal.length])
    twists = gen.normal(size=(count, 3)) / primed
    found = pressure_grid(ideal.load(twists), twists, grid, length=ideal.length)
    distance = np.linalg.norm(found.points[:, None] - ideal.points[None], axis=2)
    shares = found.pressures / found.pressures.sum()
    near = distance.argmin(axis=1)
    got = np.array([shares[near == k].sum() for k in range(len(ideal.points))])
    asked = gen.normal(size=(200, 3)) / primed
    off = angles(found.twist(ideal.load(asked)) * primed, asked * primed)
    true = ideal.pressures / ideal.pressures.sum()
    return float(shares @ distance.min(axis=1)), float(np.abs(got - true).max()), float(np.degrees(off.mean()))


def pressures_by_sign(logs: dict[Any, Pokes], grid: Array) -> tuple[Array, Array]:
    """Least squares of friction limits on a grid, free and with their signs as a constraint: share of negative ones (logs, 2) [-], and root mean square (logs, 2) of the error of a held-out load [N]."""
    negative, missed = np.zeros((len(logs), 2)), np.zeros((len(logs), 2))
    for row, p in enumerate(logs.values()):
        v = p.twists[:, None, :2] + p.twists[:, 2, None, None] * np.stack([-grid[:, 1], grid[:, 0]], axis=-1)
        u = v / np.linalg.norm(v, axis=2, keepdims=True)
        matrix = np.stack([u[..., 0], u[..., 1], (grid[:, 0] * u[..., 1] - grid[:, 1] * u[..., 0]) / p.length], axis=1)
        loads = p.loads / [1, 1, p.length]
        for fold in range(5):
            test = np.arange(len(p)) % 5 == fold
            flat, right = matrix[~test].reshape(-1, len(grid)), loads[~test].ravel()
            for k, limits in enumerate((np.linalg.lstsq(flat, right, rcond=None)[0], nnls(flat, right)[0])):
                negative[row, k] += np.mean(limits < 0) / 5
                missed[row, k] += np.mean(np.sum((matrix[test] @ limits - loads[test]) ** 2, axis=1)) / 5
    return negative, np.sqrt(missed)
