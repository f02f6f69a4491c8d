"""The compiled part of centring: barriers of semidefinite blocks, and Newton's method for a quadratic loss."""

import numba
import numpy as np

__all__ = ["barrier", "centre_quadratic", "factor"]


@numba.njit(cache=True, error_model="numpy")
def centre_quadratic(hessian, gradient, operator, margin, orders, x, inside, mu, steps):  # type: ignore[no-untyped-def]
    m, size = len(gradient), len(x)
    push = 0.0
    start = x.copy()
    while True:
        positive, g, h = barrier(operator @ x - margin, operator, orders)
        if positive:
            break
        push = max(1e-9, 10.0 * push)
        if push > 1e-5:
            return False
        x[:] = start + push * inside
    scale, rest = np.empty(size), np.empty(size)
    for _ in range(steps):
        for i in range(m):
            g[i] += gradient[i] / mu
            for j in range(m):
                g[i] += hessian[i, j] * x[j] / mu
                h[i, j] += hessian[i, j] / mu
        for i in range(size):
            scale[i] = 1.0 / np.sqrt(h[i, i])
        # Cholesky in place of the scaled Hessian, then two triangular solves
        for j in range(size):
            for i in range(j, size):
                h[i, j] *= scale[i] * scale[j]
        for j in range(size):
            for k in range(j):
                h[j, j] -= h[j, k] * h[j, k]
            if not h[j, j] > 0.0:
                return False
            h[j, j] = np.sqrt(h[j, j])
            for i in range(j + 1, size):
                for k in range(j):
                    h[i, j] -= h[i, k] * h[j, k]
                h[i, j] /= h[j, j]
        decrement = 0.0
        for i in range(size):
            rest[i] = -g[i] * scale[i]
            for k in range(i):
                rest[i] -= h[i, k] * rest[k]
            rest[i] /= h[i, i]
            decrement += rest[i] * rest[i]
        decrement = np.sqrt(decrement)
        for i in range(size - 1, -1, -1):
            for k in range(i + 1, size):
                rest[i] -= h[k, i] * rest[k]
            rest[i] /= h[i, i]
        share = 1.0 if decrement < 0.25 else 1.0 / (1.0 + decrement)
        for i in range(size):
            x[i] += share * scale[i] * rest[i]
        if decrement < 1e-4:
            return True
        positive, g, h = barrier(operator @ x - margin, operator, orders)
        if not positive:
            return False
    return False


@numba.njit(cache=True, error_model="numpy")
def factor(rows, orders, factors):  # type: ignore[no-untyped-def]
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


@numba.njit(cache=True, error_model="numpy")
def barrier(rows, operator, orders):  # type: ignore[no-untyped-def]
    """Whether all blocks are positive definite; gradient and Hessian of -sum of log det in the unknowns."""
    size = operator.shape[1]
    gradient, hessian = np.zeros(size), np.zeros((size, size))
    half = np.sqrt(0.5)
    factors = np.zeros((np.sum(orders), np.max(orders)))
    if not factor(rows, orders, factors):
        return False, gradient, hessian
    start = top = 0
    for n in orders:
        block = factors[top : top + n]
        top += n
        inverse = np.zeros((n, n))
        for j in range(n):
            inverse[j, j] = 1.0 / block[j, j]
            for i in range(j + 1, n):
                total = 0.0
                for k in range(j, i):
                    total -= block[i, k] * inverse[k, j]
                inverse[i, j] = total / block[i, i]
        moves = np.empty((size, n * (n + 1) // 2))
        move, left = np.empty((n, n)), np.empty((n, n))
        for v in range(size):
            at = start
            for j in range(n):
                for i in range(j + 1):
                    move[i, j] = operator[at, v] * (1.0 if i == j else half)
                    move[j, i] = move[i, j]
                    at += 1
            for i in range(n):
                for j in range(n):
                    total = 0.0
                    for k in range(i + 1):
                        total += inverse[i, k] * move[k, j]
                    left[i, j] = total
            at = 0
            for j in range(n):
                for i in range(j + 1):
                    total = 0.0
                    for k in range(j + 1):
                        total += left[i, k] * inverse[j, k]
                    if i == j:
                        gradient[v] -= total
                        moves[v, at] = total
                    else:
                        moves[v, at] = total / half
                    at += 1
        hessian += moves @ moves.T
        start += n * (n + 1) // 2
    return True, gradient, hessian
