"""A file is written whole or not at all, and what forbids it is said in one sentence."""

import resource
import subprocess
import sys

import numpy as np
import pytest

from planarcontact.contact_states import export_catalog, recognize, step_scene
from planarcontact.contact_states.viewer import write_viewer
from planarcontact.dynamics import save_scene, scenes, simulate
from planarcontact.errors import DataError, InputError
from planarcontact.figures import write_columns
from planarcontact.files import replacing
from planarcontact.limit_surface import LimitSurfaceModel, fit

SCENE = scenes.desk().replace(duration=0.02, wrench=lambda t: np.zeros(6))
RUN = simulate(SCENE, backend="compiled")
MODEL = LimitSurfaceModel.from_coefficients([1.0, 1.0, 1.0, 0.0, 0.0, 0.0], degree=2)
POSES = np.array([[0.0, 0.0625, 0.0, 0.2, 0.1]] * 3)
STEP = step_scene()


def gp():
    loads = np.random.default_rng(0).normal(size=(8, 3))
    return fit(loads, loads, kind="gp", length=0.1)


WRITERS = {
    "scene.json": lambda p: save_scene(p, still()),
    "run.csv": RUN.to_csv,
    "run.npz": RUN.to_npz,
    "run.html": lambda p: RUN.to_html(p, SCENE),
    "model.json": MODEL.save,
    "gp.json": lambda p: gp().save(p),
    "catalog.csv": lambda p: export_catalog(STEP, p),
    "catalog.json": lambda p: export_catalog(STEP, p),
    "catalog.npz": lambda p: export_catalog(STEP, p),
    "columns.csv": lambda p: write_columns(p, {"x [m]": np.arange(3000.0)}),
}


def still():
    from planarcontact.dynamics import SampledWrench

    return SCENE.replace(wrench=SampledWrench([0.0, 1.0], np.zeros((2, 6))))


@pytest.mark.parametrize("name", WRITERS)
def test_a_missing_folder_is_said(name, tmp_path):
    with pytest.raises(DataError, match="cannot be written"):
        WRITERS[name](tmp_path / "none" / name)


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("path", [None, 3, "a\0b"])
def test_what_is_no_path_is_said(name, path):
    with pytest.raises(InputError, match="path"):
        WRITERS[name](path)


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_old_file(name, tmp_path):
    target = tmp_path / name
    WRITERS[name](target)
    before = target.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, hard))
    try:
        with pytest.raises(DataError, match="cannot be written"):
            WRITERS[name](target)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert target.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == [name]


def test_the_viewer_says_where_it_cannot_write(tmp_path):
    class Path:
        time, poses = np.arange(3.0), POSES

    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot be written"):
        write_viewer(Path(), recognize(POSES, STEP), tmp_path / "file")


def test_an_exception_of_the_caller_passes_and_leaves_nothing(tmp_path):
    with pytest.raises(KeyError), replacing(tmp_path / "x.txt") as partial:
        partial.write_text("half")
        raise KeyError("stop")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_mount_without_space(tmp_path, campaign):
    """A real file system of 64 kB; needs the right to mount."""
    mount = tmp_path / "small"
    mount.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(mount)], check=True)
    failures = 0
    try:
        for name, write in WRITERS.items():
            write(mount / name)
            before = (mount / name).read_bytes()
            (mount / "filler").write_bytes(b"x" * (60_000 - len(before)))
            code = "import sys; open(sys.argv[1], 'ab').write(b'x' * 8192)"
            subprocess.run([sys.executable, "-c", code, str(mount / "filler")], stderr=subprocess.DEVNULL)
            try:
                write(mount / name)
                failures += len(before) > 8192  # a file this small may find a free page
            except DataError:
                failures += (mount / name).read_bytes() != before
            (mount / "filler").unlink()
            (mount / name).unlink()
    finally:
        subprocess.run(["umount", str(mount)], check=True)
    campaign(name="files: full disk", seed=0, count=len(WRITERS), failures=failures, note="every writer of the library on a mount of 64 kB")
    assert failures == 0
