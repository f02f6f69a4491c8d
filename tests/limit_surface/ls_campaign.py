"""The campaign of inversions: random twists over models fitted to random supports."""

import numpy as np
from ls_synthetic import angles, ring, sample
from planarcontact.errors import ConvergenceError
from planarcontact.limit_surface import InversionStatus, Weights, fit


def inversions(*, seed: int, models: int, rows: int) -> tuple[int, int, float]:
    """Return the number of twists inverted, the failures among them, and the worst angle [deg]."""
    rng = np.random.default_rng(seed)
    count = failures = 0
    worst = 0.0
    while count < models * rows:
        k = count // rows
        body = ring() if k % 3 == 0 else None
        length = [0.05, 1.0, 20.0][k % 3]
        primed = np.array([1.0, 1.0, length])
        loads, twists = sample(int(rng.integers(1 << 31)), [5, 7, 15, 45][k % 4], 0.1 * (k % 2), body)
        options = dict(kind="quad" if k % 10 == 9 else "poly4-cvx", degree=6 if k % 10 == 8 else 4)
        try:
            model = fit(
                loads * primed,
                twists / primed,
                length=length,
                objective="released" if k % 5 == 4 else "printed",
                weights=Weights(ridge=[0.0, 0.1, 2.0][k % 3], force=4.0),
                **options,
            )
        except ConvergenceError:  # the released loss may collapse: another sample takes its place
            continue
        queries = rng.normal(size=(rows, 3)) / primed
        result = model.invert(queries)
        off = angles(model.twist(result.load) * primed, queries * primed)
        bad = (result.status > InversionStatus.SEARCHED) | ~(off <= 1e-6) | ~(np.abs(model.value(result.load) - 1) <= 1e-9)
        count, failures, worst = count + rows, failures + int(np.sum(bad)), max(worst, float(np.max(off)))
    return count, failures, worst
