"""A trajectory leaves the program whole."""

import csv

import numpy as np
import pytest

from planarcontact.dynamics import scenes, simulate
from planarcontact.errors import DataError


@pytest.fixture(scope="module")
def run():
    return simulate(scenes.dumbbell(duration=0.3), backend="compiled")


def test_csv_holds_every_number_exactly(run, tmp_path):
    run.to_csv(tmp_path / "run.csv")
    with open(tmp_path / "run.csv", newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    values = np.array(rows, dtype=float)
    assert len(values) == len(run.time) and len(set(header)) == len(header)
    for name, column in run.columns().items():
        assert np.array_equal(values[:, header.index(name)], column, equal_nan=True)


def test_npz_holds_every_array(run, tmp_path):
    run.to_npz(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as saved:
        for name in ("time", "position", "orientation", "velocity", "ecp", "impulse", "residual", "iterations", "status", "contact"):
            assert np.array_equal(saved[name], getattr(run, name), equal_nan=True)


def test_a_path_that_cannot_be_written_is_an_error_of_ours(run, tmp_path):
    for write in (run.to_csv, run.to_npz):
        with pytest.raises(DataError, match="cannot be written"):
            write(tmp_path / "no" / "such" / "folder")
