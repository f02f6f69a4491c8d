"""The methods that are compared with each other share geometry and the Newton driver, and nothing that they solve."""

import ast
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

import planarcontact.dynamics as dynamics
from planarcontact.dynamics import hull, kkt_step, patches_step, scenes, simulate, sliding_step
from planarcontact.dynamics import step as hull_step

FOLDER = Path(dynamics.__file__).parent
SHARED = {  # data, geometry, bookkeeping, and the generic Newton driver
    "body", "support", "friction", "loads", "scene", "options", "status", "trajectory", "record", "geometry", "rotation",
    "precision", "newton", "mesh", "animation", "animation_page",
}  # fmt: skip
FAMILIES = {
    "hull": {"hull", "starts", "step", "work", "jacobian", "contact", "complementarity", "parameters"},
    "sliding": {"sliding", "sliding_step", "sliding_friction", "flat", "jit", "small"},
    "patches": {"patches", "patches_step"},
    "kkt": {"kkt", "kkt_step", "convex"},
    "compiled": {"compiled", "compiled_cascade", "compiled_growth", "compiled_march", "compiled_newton", "compiled_set", "compiled_starts", "compiled_step", "compiled_problem", "compiled_state", "compiled_work", "jit", "small"},
}  # fmt: skip
KERNELS = {"jit", "small"}  # how numba is called, and 3 x 3 algebra


def imports(module):
    """Modules of this folder that a module imports, anywhere in its text."""
    found = set()
    for node in ast.walk(ast.parse((FOLDER / f"{module}.py").read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found |= {node.module.split(".")[0]} if node.module else {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and "dynamics" in node.module:
            found |= {node.module.rsplit(".", 1)[-1]}
    return found


def closure(module):
    """All modules of this folder that a module needs, itself included."""
    seen, open_ = set(), {module}
    while open_:
        name = open_.pop()
        seen.add(name)
        open_ |= {other for other in imports(name) if (FOLDER / f"{other}.py").exists()} - seen
    return seen


@pytest.mark.parametrize("name", FAMILIES)
def test_each_method_needs_only_its_own_modules(name):
    assert closure(name) <= FAMILIES[name] | SHARED
    assert FAMILIES[name] <= closure(name), "the list above names a module that the method no longer uses"


def test_families_overlap_only_in_how_kernels_are_compiled():
    for one in FAMILIES:
        for other in FAMILIES:
            if one < other:
                assert FAMILIES[one] & FAMILIES[other] <= KERNELS
    for module in SHARED:
        assert closure(module) <= SHARED, "a shared module must not reach into a method"


@pytest.fixture(scope="module")
def motions():
    """The desk's velocities by every method, before any fault is put in."""
    scene = scenes.desk(duration=0.03)
    return scene, {name: simulate(scene, method=name).velocity for name in ("hull", "sliding", "patches", "kkt")}


def spoilt(scene, method, kernel):
    """Run a method whose source has been changed, with its old compilation dropped."""
    kernel.clear_cache()
    return simulate(scene, method=method).velocity


def apart(one, other):
    return np.abs(one - other).max()


def test_all_methods_agree_without_a_fault(motions):
    _, velocity = motions
    for name in ("sliding", "patches", "kkt"):
        assert apart(velocity[name], velocity["hull"]) <= 1e-11


@pytest.mark.ci
def test_a_fault_in_the_hull_method_shows_in_every_comparison(motions, monkeypatch):
    scene, velocity = motions
    true_slip = hull_step.slip
    monkeypatch.setattr(hull_step, "slip", lambda *a: true_slip(*a) * jnp.array([1.0, 1.0, 1.02]))
    try:
        faulty = spoilt(scene, "hull", hull._chunk)
    finally:
        hull._chunk.clear_cache()
    for name in ("sliding", "patches", "kkt"):
        assert apart(velocity[name], faulty) > 1e-6


def test_a_fault_in_the_sliding_model_shows(motions, monkeypatch):
    scene, velocity = motions
    true_march = sliding_step.march
    faulty = lambda h, mass, inertia, *rest: true_march(h, mass, 1.01 * inertia, *rest)  # noqa: E731
    monkeypatch.setattr("planarcontact.dynamics.sliding.march", faulty)
    assert apart(simulate(scene, method="sliding").velocity, velocity["hull"]) > 1e-6


@pytest.mark.ci
def test_a_fault_in_the_patches_shows(motions, monkeypatch):
    scene, velocity = motions
    true_friction = patches_step._friction
    monkeypatch.setattr(patches_step, "_friction", lambda f, z, out: true_friction(f._replace(mu=1.01 * f.mu), z, out))
    try:
        faulty = spoilt(scene, "patches", patches_step.solve_step)
    finally:
        patches_step.solve_step.clear_cache()
    assert apart(faulty, velocity["hull"]) > 1e-6


@pytest.mark.ci
def test_a_fault_in_the_document_s_equations_shows(motions, monkeypatch):
    scene, velocity = motions
    true_hull = kkt_step.values_and_gradients
    monkeypatch.setattr(kkt_step, "values_and_gradients", lambda f, x: (true_hull(f, x)[0] + 1e-4 * x[2], true_hull(f, x)[1]))
    try:
        faulty = spoilt(scene, "kkt", kkt_step.solve_step)
    finally:
        kkt_step.solve_step.clear_cache()
    assert apart(faulty, velocity["hull"]) > 1e-6
