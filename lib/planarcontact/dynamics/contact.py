"""Generators on the plane: their arms about the COM and their gaps.

Each generator has unknown normal impulses in one vector w (m,): a vertex or a sphere one, p; a disc three,
(p, p b_1, p b_2), which lie in the second-order cone where the disc pushes at centre + b_1 spoke_1 + b_2 spoke_2.
"""

from typing import NamedTuple

import jax.numpy as jnp
from jax import Array

from .parameters import Parameters

__all__ = ["Arms", "arms", "heads", "lowest", "scalar_count"]

class Arms(NamedTuple):
    """Generators in world axes relative to the COM [m], and their gaps above the plane [m].

    `turning` (m, 3) are the vectors that turn with the body, in the order of w: vertices, sphere centres, then per disc
    its centre and two spokes. `still` (m, 3) is what is added to them without turning (the radius of a sphere towards
    the plane); sum_i w_i r_i with r = turning + still is the moment arm of the normal impulse. `gaps` (m,): of a vertex or sphere its height; of a disc the height of its
    centre and the rises of its two spokes, which must lie in the second-order cone.
    """

    turning: Array
    still: Array
    gaps: Array


def scalar_count(p: Parameters) -> int:
    """Return the number of vertices and spheres: the leading entries of w that are impulses, not cones."""
    return p.vertices.shape[0] + p.sphere_radii.shape[0]


def heads(p: Parameters) -> Array:
    """Return the mask (m,) of the entries of w whose sum is the normal impulse p_n."""
    cones = jnp.tile(jnp.array([1.0, 0.0, 0.0]), p.disc_centres.shape[0])
    return jnp.concatenate([jnp.ones(scalar_count(p)), cones])


def arms(p: Parameters, position: Array, rotation: Array) -> Arms:
    """Return the arms of all generators for a COM position (3,) [m] and a rotation (3, 3)."""
    n = p.frame[0]
    rotate = lambda points: (points[..., None, :] * rotation).sum(axis=-1)  # noqa: E731
    vertices, spheres = rotate(p.vertices), rotate(p.sphere_centres)
    centres, spokes = rotate(p.disc_centres), rotate(p.disc_spokes)
    level = n @ position - p.offset
    discs = jnp.concatenate([centres[:, None, :], spokes], axis=1).reshape(-1, 3)
    lift = jnp.tile(jnp.array([1.0, 0.0, 0.0]), p.disc_centres.shape[0]) * level
    sphere_still = -p.sphere_radii[:, None] * n
    turning = jnp.concatenate([vertices, spheres, discs])
    still = jnp.concatenate([jnp.zeros_like(vertices), sphere_still, jnp.zeros_like(discs)])
    rise = lambda points: (points * n).sum(axis=-1)  # noqa: E731
    gaps = jnp.concatenate([level + rise(vertices), level + rise(spheres) - p.sphere_radii, lift + rise(discs)])
    return Arms(turning, still, gaps)


def lowest(p: Parameters, a: Arms) -> tuple[Array, Array]:
    """Return the lowest point of the body relative to the COM (3,) [m] and its height above the plane [m]."""
    c = scalar_count(p)
    points = (a.turning + a.still)[:c]
    discs = a.turning[c:].reshape(-1, 3, 3)
    rises = a.gaps[c:].reshape(-1, 3)
    square = (rises[:, 1:] ** 2).sum(axis=1)
    flat = square == 0.0
    norm = jnp.sqrt(jnp.where(flat, 1.0, square))
    down = -jnp.where(flat[:, None], 0.0, rises[:, 1:] / norm[:, None])
    rims = discs[:, 0] + jnp.einsum("dk,dkx->dx", down, discs[:, 1:])
    heights = jnp.concatenate([a.gaps[:c], rises[:, 0] - jnp.where(flat, 0.0, norm)])
    points = jnp.concatenate([points, rims])
    k = jnp.argmin(heights)
    return points[k], heights[k]
