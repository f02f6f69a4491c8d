"""The last digits of a sum of norms: Newton's method on the smooth part, with the norms that vanish held at zero."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["polish"]

Array = NDArray[np.float64]
_NEAR = 1e-6  # a norm below this, relative to the largest, vanishes at the optimum
_STEPS = 20


def polish(terms: list[tuple[Array, Array]], ahead: Array, b: Array) -> Array | None:
    """Return the minimum of the sum of norms near b, or None if the optimality conditions could not be met.

    Args:
        terms: (matrix (K, n, m), offset (K, n)) each; the loss is the sum over all of |matrix[k] b + offset[k]|.
        ahead: (K, m) for the last term: row k joins its norm while ahead[k] . b < 0.
        b: (m,) an approximate optimum.

    The conditions are checked: every norm held at zero has a multiplier in the unit ball, and the gradient vanishes.
    """
    last = len(terms) - 1
    sizes = [_residual(matrix, offset, b, ahead if t == last else None)[1] for t, (matrix, offset) in enumerate(terms)]
    top = max(float(np.max(size)) for size in sizes)
    held = [size < _NEAR * top for size in sizes]
    rows = np.concatenate([matrix[h].reshape(-1, len(b)) for (matrix, _), h in zip(terms, held)])
    right = np.concatenate([-offset[h].ravel() for (_, offset), h in zip(terms, held)])
    count, m = rows.shape
    for _ in range(_STEPS):
        gradient, hessian = np.zeros(m), np.zeros((m, m))
        for t, (matrix, offset) in enumerate(terms):
            jacobian, size, rest = _smooth(matrix, offset, b, ahead if t == last else None, ~held[t])
            if np.any(size < 0.1 * _NEAR * top):
                return None
            slope = np.einsum("kn,knm->km", rest, jacobian) / size[:, None]
            gradient += np.sum(slope, axis=0)
            weighted = (jacobian / size[:, None, None]).reshape(-1, m)
            hessian += weighted.T @ jacobian.reshape(-1, m) - slope.T @ (slope / size[:, None])
        system = np.block([[hessian, rows.T], [rows, np.zeros((count, count))]])
        balance = np.sqrt(np.maximum(np.max(np.abs(system), axis=1), np.finfo(float).tiny))
        try:
            step = np.linalg.solve(system / balance / balance[:, None], np.append(-gradient, right - rows @ b) / balance) / balance
        except np.linalg.LinAlgError:
            return None
        if not np.all(np.isfinite(step)) or np.max(np.abs(step[:m])) > 1e-2 * np.max(np.abs(b)):
            return None
        b = b + step[:m]
        if np.max(np.abs(step[:m])) <= 1e-14 * np.max(np.abs(b)):
            break
    else:
        return None
    start = m
    for (matrix, _), h in zip(terms, held):
        n = matrix.shape[1]
        stop = start + n * int(np.sum(h))
        if np.any(np.linalg.norm(step[start:stop].reshape(-1, n), axis=1) > 1.0 + 1e-9):
            return None
        start = stop
    return b


def _residual(matrix: Array, offset: Array, b: Array, ahead: Array | None) -> tuple[Array, Array]:
    rest = matrix @ b + offset
    if ahead is not None:
        rest = np.column_stack([rest, np.minimum(0.0, ahead @ b)])
    return rest, np.linalg.norm(rest, axis=1)


def _smooth(matrix: Array, offset: Array, b: Array, ahead: Array | None, kept: NDArray[np.bool_]) -> tuple[Array, Array, Array]:
    matrix, offset = matrix[kept], offset[kept]
    if ahead is not None:
        extra = ahead[kept]
        extra = np.where((extra @ b < 0)[:, None], extra, 0.0)
        matrix = np.concatenate([matrix, extra[:, None]], axis=1)
        offset = np.column_stack([offset, np.zeros(len(offset))])
    rest = matrix @ b + offset
    return matrix, np.linalg.norm(rest, axis=1), rest
