"""Poses of the document's scene for the tests: exact contacts, and the same with jitter."""

import numpy as np
from numpy.typing import NDArray

A = 0.125
H, R = A / 4, A / 8
CORNERS = {"v++": (A / 2, A / 2), "v+-": (A / 2, -A / 2), "v-+": (-A / 2, A / 2), "v--": (-A / 2, -A / 2)}
AWAY = (-3.0, 3.0)  # a disk that touches nothing


def turned(theta: float, point: tuple[float, float]) -> tuple[float, float]:
    """A body point in world axes, theta clockwise."""
    c, s = np.cos(theta), np.sin(theta)
    return c * point[0] + s * point[1], c * point[1] - s * point[0]


def box_with(vertex: str, at: tuple[float, float], theta: float) -> tuple[float, float, float]:
    """The box pose that puts a vertex at a world point."""
    dx, dz = turned(theta, CORNERS[vertex])
    return at[0] - dx, at[1] - dz, theta


def leaning(theta: float) -> tuple[float, float, float]:
    """Clockwise-tilted box: v+- on the floor and side +x on the step corner ({gv, sv})."""
    return box_with("v+-", (-H * np.tan(theta), 0.0), theta)


def disk_on_face(box: tuple[float, float, float], face: str, along: float, gap: float = 0.0) -> tuple[float, float]:
    """Disk centre over a face at a signed distance `along` from the face's middle."""
    n = {"+x": (1, 0), "-x": (-1, 0), "+z": (0, 1), "-z": (0, -1)}[face]
    reach = A / 2 + R + gap
    dx, dz = turned(box[2], (n[0] * reach - n[1] * along, n[1] * reach + n[0] * along))
    return box[0] + dx, box[1] + dz


def near_contact(rng: np.random.Generator, count: int, jitter: float = 2e-3) -> NDArray[np.float64]:
    """Poses near contacts of every kind, moved by up to `jitter` (m; and jitter / h in the angle)."""
    poses = []
    for _ in range(count):
        tilt = rng.uniform(0.035, 0.7)
        box = [
            (rng.uniform(-0.5, -0.2), A / 2, 0.0),
            (-A / 2, A / 2, 0.0),
            box_with("v+-", (rng.uniform(-0.2, 0.0), 0.0), tilt),
            leaning(tilt),
            (rng.uniform(-0.05, 0.2), H + A / 2, np.pi / 2),
            box_with("v+-", (rng.uniform(0.0, 0.1), H), rng.uniform(0.1, 1.4)),
            (rng.uniform(-0.2, 0.2), rng.uniform(0.2, 0.4), rng.uniform(-3.0, 3.0)),
        ][rng.integers(7)]
        if rng.random() < 0.5:
            disk = disk_on_face(box, rng.choice(["+x", "-x", "+z", "-z"]), rng.uniform(-A / 2, A / 2))
        else:
            corner = turned(box[2], list(CORNERS.values())[rng.integers(4)])
            way = rng.uniform(-np.pi, np.pi)
            disk = (box[0] + corner[0] + R * np.cos(way), box[1] + corner[1] + R * np.sin(way))
        poses.append((*box, *disk))
    noise = rng.uniform(-jitter, jitter, (count, 5))
    noise[:, 2] /= H
    return np.array(poses) + noise
