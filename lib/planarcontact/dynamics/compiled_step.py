"""One compiled step of the hull method: ways to look for a root, and which root is taken."""

import math

import numpy as np

from .compiled_cascade import CONVERGED, NOT_FINITE
from .compiled_growth import CONTINUED, WARM, WIDE, grow, stand_in
from .compiled_set import columns, lowest, recall, remember, widen
from .compiled_state import END, FINISH, GAP, MASS, NO_IMPULSE, ORIENTATION, POSITION, RADIUS, SPEED, TURNED, place
from .compiled_work import GAIN, TURN, contact_work, turn_of
from .jit import njit
from .small import rotation

__all__ = ["step"]

GAINS = 5  # as in Status
SOUND, ROOT, NO_ROOT = 2, 1, 0  # a root; a root whose contact does work; none


@njit
def clean(p, c, k, scalars, z):
    """Make exactly zero the impulses of generators that do not touch, and bring y into its ball; return whether z changed."""
    impulse, y, changed = p[MASS] * p[SPEED], 3 + k, False
    for j in range(scalars):
        if z[3 + j] != 0.0 and not z[3 + j] / impulse > c[j, GAP] / p[RADIUS]:
            z[3 + j] = 0.0
            changed = True
    for j in range(scalars, k, 3):
        size = math.sqrt(c[j, GAP] ** 2 + c[j + 1, GAP] ** 2 + c[j + 2, GAP] ** 2)
        if not z[3 + j] / impulse > 1e-12 * size:
            z[3 + j] = z[4 + j] = z[5 + j] = 0.0
            changed = True
    size = math.sqrt(z[y] ** 2 + z[y + 1] ** 2 + z[y + 2] ** 2)
    if size > 1.0:
        z[y], z[y + 1], z[y + 2] = z[y] / size, z[y + 1] / size, z[y + 2] / size
        changed = True
    return changed


@njit
def gain(p, s, points, discs, z, normal, e, m):
    """Return what the contact adds to the energy at hand, from the root z, placed in e, and the pose before it."""
    if contact_work(p, s, e, z, normal, 0.0, m) <= GAIN:
        return 0.0
    before, turned = np.zeros(FINISH), np.zeros((3, 3))
    rotation(s[ORIENTATION : ORIENTATION + 4], turned)
    for i in range(3):
        before[END + i] = s[POSITION + i]
        for j in range(3):
            before[TURNED + 3 * i + j] = turned[i, j]
    return contact_work(p, s, e, z, normal, max(0.0, -lowest(p, points, discs, before)[0]), m)


@njit
def step(p, s, points, discs, velocity, c, members, counts, z, max_iterations, tolerance, e, m, rows, kept):
    """Solve one step on the working set, whose impulses and friction z (omega, w, y) holds as a warm start.

    A set that grows one generator at a time can end at another root than all generators together, where the step turns
    the body far. A root with a large turn, one whose contact does work, or none at all, makes the step start again from
    all of them, which is what the JAX stepper does; where that finds no sound root either, from a contact that sticks,
    and along the coefficient of friction. A root whose contact does work is taken only if no way leads to another, and
    is then not called converged. Returns measure, iterations, status, columns and p_n; z and e hold the step's end.
    `kept` (6, n) is scratch.
    """
    remember(members, counts, z, kept, 2)
    measure, gained, status, k, total = math.inf, math.inf, NOT_FINITE, 0, 0
    grade, normal, current = NO_ROOT, 0.0, True
    for way in range(CONTINUED + 1):
        if way > WARM:
            recall(members, counts, z, kept, 2)
            widen(points, discs, members, counts, z)
        found, count, state, width, push = grow(
            p, s, points, discs, velocity, c, members, counts, z, way, max_iterations, tolerance, e, m, rows, kept
        )
        total += count
        work = math.inf if state == NOT_FINITE else gain(p, s, points, discs, z, push, e, m)
        level = NO_ROOT if state != CONVERGED else SOUND if work <= GAIN else ROOT
        better = way == WARM or level > grade or (level == SOUND and way == WIDE)
        if level == grade and not better:
            better = work < gained if level == ROOT else found < measure
        current = better
        if better:
            measure, gained, status, k, normal, grade = found, work, state, width, push, level
            last = grade == SOUND and (way >= WIDE or turn_of(p, velocity, z) <= TURN)
            if last or way == CONTINUED:
                break
            remember(members, counts, z, kept, 4)
        if grade == SOUND and way >= WIDE:
            break
    if not current:
        recall(members, counts, z, kept, 4)
        k = columns(points, discs, members, counts, c)
        normal = place(p, s, c, k, z, e)
    if status == NOT_FINITE:
        return measure, total, status, k, 0.0
    if clean(p, c, k, counts[0], z):
        normal = place(p, s, c, k, z, e)
    if normal <= NO_IMPULSE * p[MASS] * p[SPEED]:
        _, index, x0, x1, x2 = lowest(p, points, discs, e)
        stand_in(p, points, index, x0, x1, x2, e)
    return measure, total, GAINS if grade == ROOT else status, k, normal
