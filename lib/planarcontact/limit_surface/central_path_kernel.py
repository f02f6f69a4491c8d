"""The compiled part of `central_path`: Newton's method on barriers of norms and semidefinite blocks."""

import numpy as np

from .jit import entry, njit

__all__ = ["follow", "positive_definite"]

#: A step's decrement below which Newton's method converges quadratically, and that at which a point counts as reached.
_NEAR, _REACHED = 0.25, 1e-4


@entry
def follow(loss, cone, x, mu, end, shrink, steps):  # type: ignore[no-untyped-def]
    """Move x along the central path from mu to end; return whether it got there, and the Newton steps.

    loss: (quadratic, linear, rows, offsets, clipped, pointers, share); cone: (operator, margin, orders, entries), entries being
    (block pointers, i, j, column, weight).
    """
    size = len(x)
    step, trial = np.empty(size), np.empty(size)
    ok, factors, level = _value(loss, cone, x, mu)
    if not ok:
        return False, 0
    taken = 0
    while True:
        tolerance = _REACHED if mu <= end else 0.5
        stalled = 0
        while True:
            gradient, hessian = _derivatives(loss, cone, factors, x, mu)
            decrement = _newton(gradient, hessian, step)
            if not decrement >= 0.0:
                return False, taken
            share = 1.0
            while True:
                for i in range(size):
                    trial[i] = x[i] + share * step[i]
                ok, factors, after = _value(loss, cone, trial, mu)
                if ok and (decrement < _NEAR or after <= level - 0.1 * share * decrement * decrement):
                    break
                share *= 0.5
                if share < 1e-10:
                    # rounding hides the descent of a short step; a long one without descent is a failure
                    return mu <= end and decrement < 1e-2, taken
            x[:] = trial
            level = after
            taken += 1
            if decrement < tolerance:
                break
            if decrement < 1e-2:
                stalled += 1
                if stalled > 6:  # the decrement stands at its rounding errors
                    break
            if taken >= steps:
                return False, taken
        if mu <= end:
            return True, taken
        mu = max(end, mu * shrink)
        ok, factors, level = _value(loss, cone, x, mu)


@entry
def positive_definite(rows, orders):  # type: ignore[no-untyped-def]
    """Return whether all blocks in these rows are positive definite."""
    return _factor(rows, orders, np.zeros((np.sum(orders), max(1, np.max(orders)))))


@njit
def _factor(rows, orders, factors):  # type: ignore[no-untyped-def]
    """Fill the blocks' Cholesky factors, one below the other; return whether all blocks are positive definite."""
    half = np.sqrt(0.5)
    at = top = 0
    for n in orders:
        block = factors[top : top + n]
        for j in range(n):
            for i in range(j + 1):
                block[j, i] = rows[at] * (1.0 if i == j else half)
                at += 1
        for j in range(n):
            for k in range(j):
                block[j, j] -= block[j, k] ** 2
            if not block[j, j] > 0.0:
                return False
            block[j, j] = np.sqrt(block[j, j])
            for i in range(j + 1, n):
                for k in range(j):
                    block[i, j] -= block[i, k] * block[j, k]
                block[i, j] /= block[j, j]
        top += n
    return True


@njit
def _value(loss, cone, x, mu):  # type: ignore[no-untyped-def]
    """Return whether x is inside, the blocks' factors, and (loss with its norms' bounds eliminated) / mu - sum of log det."""
    quadratic, linear, rows, offsets, clipped, pointers, share = loss
    operator, margin, orders, entries = cone
    m = len(linear)
    factors = np.zeros((np.sum(orders), 6 if len(orders) == 0 else np.max(orders)))
    total = 0.0
    if len(orders):
        blocks = -margin
        for first in range(len(entries[3])):
            blocks[entries[5][first]] += entries[6][first] * x[entries[3][first]]
        if not _factor(blocks, orders, factors):
            return False, factors, 0.0
        top = 0
        for n in orders:
            for i in range(n):
                total -= 2.0 * np.log(factors[top + i, i])
            top += n
    for i in range(m):
        slope = linear[i]
        for j in range(m):
            slope += 0.5 * quadratic[i, j] * x[j]
        total += slope * x[i] / mu
    for k in range(len(pointers) - 1):
        square = 0.0
        for r in range(pointers[k], pointers[k + 1]):
            rest = offsets[r]
            for j in range(m):
                rest += rows[r, j] * x[j]
            if not (clipped[r] and rest > 0.0):
                square += rest * rest
        root = np.sqrt(mu * mu + share * share * square)
        total += (mu + root) / mu - np.log(2.0 * mu * (mu + root) / (share * share))
    return True, factors, total


@njit
def _derivatives(loss, cone, factors, x, mu):  # type: ignore[no-untyped-def]
    """Gradient and lower triangle of the Hessian of `_value`'s function."""
    quadratic, linear, rows, offsets, clipped, pointers, share = loss
    operator, margin, orders, entries = cone
    size, m = len(x), len(linear)
    gradient, hessian = np.zeros(size), np.zeros((size, size))
    _barrier(orders, entries, factors, gradient, hessian)
    for i in range(m):
        slope = linear[i]
        for j in range(m):
            slope += quadratic[i, j] * x[j]
        gradient[i] += slope / mu
        for j in range(i + 1):
            hessian[i, j] += quadratic[i, j] / mu
    slope_of = np.empty(m)
    for k in range(len(pointers) - 1):
        first, last = pointers[k], pointers[k + 1]
        rest = np.empty(last - first)
        square = 0.0
        for r in range(first, last):
            value = offsets[r]
            for j in range(m):
                value += rows[r, j] * x[j]
            if clipped[r] and value > 0.0:
                value = 0.0
            rest[r - first] = value
            square += value * value
        root = np.sqrt(mu * mu + share * share * square)
        weight = share * share / (mu + root) / mu
        slope_of[:] = 0.0
        for r in range(first, last):
            value = rest[r - first]
            if value == 0.0 and clipped[r]:
                continue
            for i in range(m):
                slope_of[i] += value * rows[r, i]
                scaled = weight * rows[r, i]
                for j in range(i + 1):
                    hessian[i, j] += scaled * rows[r, j]
        less = weight * share * share / ((mu + root) * root)
        for i in range(m):
            gradient[i] += weight * slope_of[i]
            scaled = less * slope_of[i]
            for j in range(i + 1):
                hessian[i, j] -= scaled * slope_of[j]
    return gradient, hessian


@njit
def _barrier(orders, entries, factors, gradient, hessian):  # type: ignore[no-untyped-def]
    """Add gradient and lower triangle of the Hessian of -sum of log det, through the few entries of each unknown's matrix.

    With S a block's inverse, the gradient is -tr(S A_v) and the Hessian tr(S A_v S A_w).
    """
    pointers, rows, columns, unknowns, weights = entries[0], entries[1], entries[2], entries[3], entries[4]
    twice = np.sqrt(2.0)
    top = 0
    for b in range(len(orders)):
        n = orders[b]
        block = factors[top : top + n]
        top += n
        inverse, s = np.zeros((n, n)), np.zeros((n, n))
        for j in range(n):
            inverse[j, j] = 1.0 / block[j, j]
            for i in range(j + 1, n):
                total = 0.0
                for k in range(j, i):
                    total -= block[i, k] * inverse[k, j]
                inverse[i, j] = total / block[i, i]
        for i in range(n):
            for j in range(i + 1):
                total = 0.0
                for k in range(i, n):
                    total += inverse[k, i] * inverse[k, j]
                s[i, j] = s[j, i] = total
        for e in range(pointers[b], pointers[b + 1]):
            i, j, v, w = rows[e], columns[e], unknowns[e], weights[e]
            gradient[v] -= twice * w * s[i, j]
            for f in range(pointers[b], pointers[b + 1]):
                u = unknowns[f]
                if u <= v:
                    k, l = rows[f], columns[f]  # noqa: E741
                    hessian[v, u] += w * weights[f] * (s[i, k] * s[j, l] + s[i, l] * s[j, k])


@njit
def _newton(gradient, h, step):  # type: ignore[no-untyped-def]
    """Fill the Newton step by a Cholesky factorisation of h, scaled in place; return the decrement, nan where it fails."""
    size = len(gradient)
    scale = np.empty(size)
    for i in range(size):
        if not h[i, i] > 0.0:
            return np.nan
        scale[i] = 1.0 / np.sqrt(h[i, i])
    for i in range(size):
        for j in range(i + 1):
            h[i, j] *= scale[i] * scale[j]
    ridge, lower = 0.0, np.empty((size, size))
    while not _cholesky(h, ridge, lower):
        ridge = max(1e-15, 10.0 * ridge)  # the unit diagonal hides directions that rounding has emptied
        if ridge > 1e-7:
            return np.nan
    decrement = 0.0
    for i in range(size):
        total = -gradient[i] * scale[i]
        for k in range(i):
            total -= lower[i, k] * step[k]
        step[i] = total / lower[i, i]
        decrement += step[i] * step[i]
    for i in range(size - 1, -1, -1):
        for k in range(i + 1, size):
            step[i] -= lower[k, i] * step[k]
        step[i] /= lower[i, i]
    for i in range(size):
        step[i] *= scale[i]
    return np.sqrt(decrement)


@njit
def _cholesky(h, ridge, lower):  # type: ignore[no-untyped-def]
    """Fill the Cholesky factor of h + ridge; return whether it exists."""
    for i in range(len(h)):
        for j in range(i + 1):
            total = h[i, j]
            for k in range(j):
                total -= lower[i, k] * lower[j, k]
            if i > j:
                lower[i, j] = total / lower[j, j]
            elif total + ridge > 0.0:
                lower[i, i] = np.sqrt(total + ridge)
            else:
                return False
    return True
