"""A body from a mesh is the solid that the mesh encloses."""

import builtins

import numpy as np
import pytest
import trimesh

from planarcontact.dynamics import Body, EllipsoidalFriction, Scene, simulate
from planarcontact.errors import InputError, UnsupportedError

SIDES = np.array([0.3, 0.2, 0.1])
# An L of two boxes, as (centre, sides): the solid is not convex, and its COM lies off every symmetry but one.
ELL = [((0.2, 0.05, 0.04), (0.4, 0.1, 0.08)), ((0.05, 0.2, 0.04), (0.1, 0.2, 0.08))]
OUTLINE = np.array([(0, 0), (0.4, 0), (0.4, 0.1), (0.1, 0.1), (0.1, 0.3), (0, 0.3)])
DENSITY = 700.0


def turned(seed):
    """A random rotation and a shift that is large against the solids."""
    rng = np.random.default_rng(seed)
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q *= np.sign(np.diag(r))
    return (q if np.linalg.det(q) > 0 else -q), rng.normal(size=3) * 3


def boxes(parts, density):
    """Mass, COM and inertia about it of boxes side by side, from the closed forms."""
    masses = [density * np.prod(sides) for _, sides in parts]
    mass = sum(masses)
    com = sum(m * np.array(centre) for m, (centre, _) in zip(masses, parts)) / mass
    inertia = np.zeros((3, 3))
    for m, (centre, sides) in zip(masses, parts):
        arm, square = np.array(centre) - com, np.square(sides)
        inertia += m / 12 * np.diag(square.sum() - square) + m * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return mass, com, inertia


def ell_mesh(rotation, shift):
    """The L as triangles by hand: two caps of four triangles, and two for each of six walls."""
    low, high = (np.column_stack([OUTLINE, np.full(6, z)]) for z in (0.0, 0.08))
    cap = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    faces = [(a, c, b) for a, b, c in cap] + [(a + 6, b + 6, c + 6) for a, b, c in cap]
    for k in range(6):
        j = (k + 1) % 6
        faces += [(k, j, j + 6), (k, j + 6, k + 6)]
    return trimesh.Trimesh(np.vstack([low, high]) @ rotation.T + shift, faces, process=False)


@pytest.mark.parametrize("suffix", ["ply", "obj", "stl"])
@pytest.mark.parametrize("seed", [1, 2])
def test_box_in_any_pose(tmp_path, suffix, seed):
    rotation, shift = turned(seed)
    mesh = trimesh.creation.box(SIDES)
    mesh.apply_transform(np.block([[rotation, shift[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]]))
    mesh.export(tmp_path / f"box.{suffix}")
    body = Body.from_mesh(tmp_path / f"box.{suffix}", mass=2.0)
    precision = 1e-5  # files keep single precision or eight decimals
    inertia = rotation @ (2.0 / 12 * np.diag((SIDES**2).sum() - SIDES**2)) @ rotation.T
    assert body.mass == 2.0
    assert np.abs(body.inertia - inertia).max() <= precision * np.abs(inertia).max()
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * SIDES / 2 @ rotation.T
    assert body.vertices.shape == (8, 3)
    assert max(np.linalg.norm(body.vertices - c, axis=1).min() for c in corners) <= 1e-6


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_l_shaped_solid_in_any_pose(tmp_path, seed):
    rotation, shift = turned(seed)
    ell_mesh(rotation, shift).export(tmp_path / "ell.ply")
    body = Body.from_mesh(str(tmp_path / "ell.ply"), density=DENSITY)
    mass, com, inertia = boxes(ELL, DENSITY)
    assert body.mass == pytest.approx(mass, rel=2e-5)
    assert np.abs(body.inertia - rotation @ inertia @ rotation.T).max() <= 5e-5 * np.abs(inertia).max()
    hull = [k for k in range(6) if k != 3]  # the inner corner cannot touch
    corners = np.array([[*OUTLINE[k], z] for k in hull for z in (0.0, 0.08)])
    assert len(corners) <= len(body.vertices) <= 12  # the file's rounding may lift an inner corner out of a cap's plane
    assert max(np.linalg.norm(body.vertices - rotation @ (c - com), axis=1).min() for c in corners) <= 2e-6


def test_exact_in_double_precision():
    """Without a file's rounding the formulas hold to rounding, far from the origin too."""
    from planarcontact.dynamics.mesh import MeshSolid

    for rotation, shift in (turned(6), (np.eye(3), np.array([50.0, -20.0, 30.0]))):
        mesh = ell_mesh(rotation, shift)
        solid = MeshSolid(np.array(mesh.triangles), np.array(mesh.vertices))
        volume, com, second = boxes(ELL, 1.0)
        assert solid.volume == pytest.approx(volume, rel=1e-11)
        assert np.abs(solid.centroid - rotation @ com - shift).max() <= 1e-12
        assert np.abs(solid.second - rotation @ second @ rotation.T).max() <= 1e-10 * np.abs(second).max()


def test_a_mesh_rests_where_its_box_would(tmp_path):
    trimesh.creation.box(SIDES).export(tmp_path / "box.ply")
    scene = Scene(
        body=Body.from_mesh(tmp_path / "box.ply", density=500.0), friction=EllipsoidalFriction(0.3),
        position=(0, 0, 0.05), velocity=(0.5, 0, 0, 0, 0, 0), duration=0.1,
    )  # fmt: skip
    run = simulate(scene)
    assert run.ok and run.velocity[-1, 0] == pytest.approx(0.5 - 0.3 * 9.8 * 0.1, abs=1e-9)
    assert run.velocity[-1, 1:] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("choice", [{}, {"mass": 1.0, "density": 1.0}, {"mass": -1.0}, {"density": 0.0}, {"mass": np.nan}])
def test_mass_or_density(tmp_path, choice):
    trimesh.creation.box(SIDES).export(tmp_path / "box.stl")
    with pytest.raises(InputError, match="mass|density"):
        Body.from_mesh(tmp_path / "box.stl", **choice)


def open_box(path):
    mesh = trimesh.creation.box(SIDES)
    mesh.update_faces(np.arange(11))
    mesh.export(path)


def inside_out(path):
    mesh = trimesh.creation.box(SIDES)
    mesh.invert()
    mesh.export(path)


FILES = {
    "open.stl": (open_box, "not watertight"),
    "inverted.ply": (inside_out, "no solid"),
    "words.stl": (lambda path: path.write_text("solid what\nnot a mesh\n"), "mesh"),
    "cut.ply": (lambda path: path.write_bytes(b"ply\nformat binary_little_endian 1.0\nelement vertex 9\n"), "mesh"),
    "empty.obj": (lambda path: path.write_text(""), "mesh"),
    "box.nonsense": (lambda path: path.write_text("x"), "cannot be read"),
    "missing.stl": (lambda path: None, "no such file"),
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_are_no_solid(tmp_path, name):
    make, message = FILES[name]
    make(tmp_path / name)
    with pytest.raises(InputError, match=message):
        Body.from_mesh(tmp_path / name, mass=1.0)


@pytest.mark.parametrize("path", [None, 3, "a\0b"])
def test_what_is_not_a_path(path):
    with pytest.raises(InputError, match="path"):
        Body.from_mesh(path, mass=1.0)


def test_without_trimesh_the_message_says_what_to_install(tmp_path, monkeypatch):
    load = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name == "trimesh":
            raise ImportError(name)
        return load(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(UnsupportedError, match="pip install"):
        Body.from_mesh(tmp_path / "box.stl", mass=1.0)
