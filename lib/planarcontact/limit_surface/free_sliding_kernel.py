"""The compiled part of free sliding on a level set: the steps of `free_sliding`, one body after the other."""

import numpy as np

from .inverse_kernel import newton_row
from .jit import entry, njit

__all__ = ["march_rows"]

#: Newton steps per inversion, from the load of the stage before, and the accuracy at which they end [-].
_ITERATIONS, _ENOUGH = 30, 1e-11


@entry
def march_rows(form, body, starts, speeds, h, steps, keep, limits):  # type: ignore[no-untyped-def]
    """Return states (steps + 1 or 1, N, 10) of (u, x, y, theta, t, impulse), and whether each body got through (N,).

    form: (second derivatives (6, n), their exponents (n, 3), degree, first-load map (3, 3), length); body: (mass, gyration radius, weight of the turn);
    limits: (tolerance, halvings, parts).
    """
    count = len(starts)
    table = np.empty((steps + 1 if keep else 1, count, 10))
    good = np.ones(count, dtype=np.bool_)
    tolerance, halvings, parts = limits
    work = (np.empty((3, form[2] - 1)), np.empty(3), np.empty(6), np.empty(3), np.empty(3))
    v = np.empty(3)
    a, b, c, d, there = np.empty(10), np.empty(10), np.empty(10), np.empty(10), np.empty(10)
    trial, after, load, kept = np.empty(10), np.empty(10), np.empty(3), np.empty(3)
    unit = 2 ** int(halvings)
    for row in range(count):
        state = starts[row].copy()
        load[:] = np.nan
        ok = _rates(form, body, speeds[row], 0.0, state, load, v, work, a)
        if keep:
            table[0, row] = state
        used = 0
        for k in range(steps):
            place, level = 0, 0
            while place < unit and ok:
                size = unit >> level
                t, part = (k + place / unit) * h, h * size / unit
                used += 1
                kept[:] = load
                ok = used <= parts + 1
                for i in range(10):
                    trial[i] = state[i] + part / 2 * a[i]
                ok = ok and _rates(form, body, speeds[row], t + part / 2, trial, load, v, work, b)
                for i in range(10):
                    trial[i] = state[i] + part / 2 * b[i]
                ok = ok and _rates(form, body, speeds[row], t + part / 2, trial, load, v, work, c)
                for i in range(10):
                    trial[i] = state[i] + part * c[i]
                ok = ok and _rates(form, body, speeds[row], t + part, trial, load, v, work, d)
                for i in range(10):
                    after[i] = state[i] + part / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i])
                norm = np.sqrt(after[0] ** 2 + after[1] ** 2 + after[2] ** 2)
                for i in range(3):
                    after[i] /= norm
                ok = ok and _rates(form, body, speeds[row], t + part, after, load, v, work, there)
                if not ok:
                    break
                error = np.sqrt((there[0] - d[0]) ** 2 + (there[1] - d[1]) ** 2 + (body[2] * (there[2] - d[2])) ** 2)
                if part / 6 * error <= tolerance:
                    state[:] = after
                    a[:] = there
                    place += size
                    while level > 0 and place % (2 * size) == 0:
                        level -= 1
                        size *= 2
                elif level < halvings:
                    level += 1
                    load[:] = kept
                else:
                    ok = False
            if keep:
                table[k + 1, row] = state
            if not ok:
                break
        if not keep:
            table[0, row] = state
        good[row] = ok
    return table, good


@njit
def _rates(form, body, speed0, decay, state, load, v, work, out):  # type: ignore[no-untyped-def]
    """Fill the derivatives of a state by -ln of the speed; `load`, primed, is where the inversion starts and what it finds."""
    second, exponents, degree, first, length = form
    mass, gyration, _ = body
    size = np.sqrt(state[0] ** 2 + state[1] ** 2 + state[2] ** 2)
    u0, u1, u2 = state[0] / size, state[1] / size, state[2] / size
    cos, sin = np.cos(state[5]), np.sin(state[5])
    v[0], v[1], v[2] = cos * u0 + sin * u1, cos * u1 - sin * u0, u2 / gyration * length
    norm = np.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
    for i in range(3):
        v[i] /= norm
    if not load[0] * v[0] + load[1] * v[1] + load[2] * v[2] > 0.0:
        for i in range(3):
            load[i] = first[i, 0] * v[0] + first[i, 1] * v[1] + first[i, 2] * v[2]
    residual, _ = newton_row(second, exponents, degree, v, _ITERATIONS, _ENOUGH, load, work)
    if not residual <= 1e-9:
        return False
    f0, f1, f2 = cos * load[0] - sin * load[1], sin * load[0] + cos * load[1], load[2] * length / gyration
    power = f0 * u0 + f1 * u1 + f2 * u2
    if not power > 0.0:
        return False
    fall = np.exp(-decay)
    lapse = mass * speed0 * fall / power
    way = speed0 * fall * lapse
    out[0], out[1], out[2] = u0 - f0 / power, u1 - f1 / power, u2 - f2 / power
    out[3], out[4], out[5] = way * u0, way * u1, way * u2 / gyration
    out[6] = lapse
    out[7], out[8], out[9] = fall * f0 / power, fall * f1 / power, fall * f2 / power
    return True
