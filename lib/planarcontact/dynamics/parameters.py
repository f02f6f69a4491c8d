"""The numbers of a scene as arrays, the form in which the equations of a step take them."""

from typing import NamedTuple

import numpy as np
from jax import Array

from .scene import Scene

__all__ = ["Parameters", "parameters"]


class Parameters(NamedTuple):
    """Arrays of one scene; a leading axis on every entry makes it a batch.

    mass [kg]; inertia (3, 3) [kg m2] and its inverse; vertices (v, 3) [m]; sphere centres (s, 3) [m], radii (s,) [m]; disc centres
    (d, 3) [m], spokes (d, 2, 3) [m]: two orthogonal radii in the disc's plane; frame (3, 3): rows n, t, o; offset [m];
    gravity [m/s2]; mu; axes (3,): e_t, e_o, e_r [m]; step [s]; radius [m], speed [m/s]: the units of the residual.
    """

    mass: Array
    inertia: Array
    inverse_inertia: Array
    vertices: Array
    sphere_centres: Array
    sphere_radii: Array
    disc_centres: Array
    disc_spokes: Array
    frame: Array
    offset: Array
    gravity: Array
    mu: Array
    axes: Array
    step: Array
    radius: Array
    speed: Array


def parameters(scene: Scene) -> Parameters:
    """Return the arrays (float64, NumPy) of a scene."""
    body = scene.body
    return Parameters(
        mass=np.float64(body.mass),
        inertia=body.inertia,
        inverse_inertia=np.linalg.inv(body.inertia),
        vertices=body.vertices,
        sphere_centres=np.array([s.centre for s in body.spheres]).reshape(-1, 3),
        sphere_radii=np.array([s.radius for s in body.spheres]).reshape(-1),
        disc_centres=np.array([d.centre for d in body.discs]).reshape(-1, 3),
        disc_spokes=np.array([d.radius * d.spokes for d in body.discs]).reshape(-1, 2, 3),
        frame=scene.support.frame,
        offset=np.float64(scene.support.offset),
        gravity=np.float64(scene.gravity),
        mu=np.float64(scene.friction.mu),
        axes=scene.friction.axes,
        step=np.float64(scene.step),
        radius=np.float64(body.bounding_radius),
        speed=np.float64(scene.velocity_scale),
    )
