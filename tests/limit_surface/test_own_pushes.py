"""A table of one's own pushes: known loads and twists come out, and every common mistake is named."""

import csv

import numpy as np
import pytest
from numpy.testing import assert_allclose

from planarcontact.errors import DataError, InputError
from planarcontact.limit_surface import fit
from planarcontact.limit_surface.own_pushes import PUSH_COLUMNS, read_pushes
from planarcontact.limit_surface.uniform import UniformDisc

SURFACE = UniformDisc(0.06, 8.0, 0.35, 0.05)
CENTRE = np.array([0.03, -0.02])


def write(path, rows, columns=PUSH_COLUMNS):
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)
    return path


def made_up(count=20, *, reading=1.0, offset=(0.0, 0.0), still=0):
    """Pushes of a disc: a twist, its load, and the contact from which a force makes that load."""
    rng = np.random.default_rng(1)
    rows, loads, twists = [], [], []
    for k in range(count):
        twist = rng.normal(size=3) * [0.01, 0.01, 0.2]
        load = SURFACE.load(twist[None])[0]
        f = load[:2]
        contact = load[2] * np.array([f[1], -f[0]]) / (f @ f)  # c x f = tau
        start, angle0 = rng.normal(size=2), rng.uniform(-4, 4)
        c0, s0 = np.cos(angle0), np.sin(angle0)
        way = np.array([c0 * twist[0] - s0 * twist[1], s0 * twist[0] + c0 * twist[1]])
        for share in np.concatenate([np.zeros(still), np.linspace(0, 1, 30)]):
            angle = angle0 + share * twist[2]
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            com = start + share * way
            acts = 1.0 if len(rows) % (30 + still) >= still else 0.0
            force = reading * acts * (turn @ f) + offset
            rows.append([k, *force, *(com + turn @ contact), *(com - turn @ CENTRE), (angle + np.pi) % (2 * np.pi) - np.pi])
        loads.append(load)
        twists.append(twist)
    return rows, np.array(loads), np.array(twists)


def test_loads_and_twists_come_out(tmp_path):
    rows, loads, twists = made_up()
    out = read_pushes(write(tmp_path / "p.csv", rows), length=0.05, centre=CENTRE)
    assert_allclose(out.loads, loads, atol=1e-12)
    assert_allclose(out.twists, twists, atol=1e-12)
    assert (out.dissipation > 0).all()


def test_reaction_of_a_sensor_and_its_tare(tmp_path):
    rows, loads, _ = made_up(reading=-1.0, offset=(3.0, -1.0), still=10)
    out = read_pushes(write(tmp_path / "p.csv", rows), length=0.05, centre=CENTRE, force_on="pusher", tare=10)
    assert_allclose(out.loads, loads, atol=1e-12)


def test_a_wrong_sign_shows_in_the_dissipation_and_is_refused_by_the_fit(tmp_path):
    rows, _, _ = made_up(reading=-1.0)
    out = read_pushes(write(tmp_path / "p.csv", rows), length=0.05, centre=CENTRE)
    assert (out.dissipation < 0).all()
    with pytest.raises(InputError, match="negate"):
        fit(out.loads, out.twists, kind="quad", length=out.length)


def test_the_fitted_surface_is_that_of_the_disc(tmp_path):
    rows, _, _ = made_up(count=60)
    out = read_pushes(write(tmp_path / "p.csv", rows), length=0.05, centre=CENTRE)
    model = fit(out.loads, out.twists, kind="poly4-cvx", length=out.length, weights=(1e-6, 1.0, 1.0))
    assert model.report.angle < 1.0 and model.report.ok


def test_threshold_drops_the_approach(tmp_path):
    rows, loads, _ = made_up(still=10)
    out = read_pushes(write(tmp_path / "p.csv", rows), length=0.05, centre=CENTRE, threshold=0.1)
    assert_allclose(out.loads, loads, atol=1e-12)


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda rows: [], "no sample"),
        (lambda rows: rows[:1], "usable samples"),
        (lambda rows: [[*rows[0][:1], "nan", *rows[0][2:]], *rows[1:]], "not finite"),
        (lambda rows: [[*rows[0][:1], "much", *rows[0][2:]], *rows[1:]], "cannot be read"),
        (lambda rows: [r[:5] + rows[0][5:] for r in rows[:30]], "does not move"),
        (lambda rows: [r[:5] for r in rows], "cannot be read"),
    ],
)
def test_damaged_tables_are_refused(tmp_path, change, words):
    rows, _, _ = made_up(count=2)
    with pytest.raises(DataError, match=words):
        read_pushes(write(tmp_path / "p.csv", change(rows)), length=0.05)


def test_missing_columns_files_and_unusable_arguments(tmp_path):
    rows, _, _ = made_up(count=2)
    with pytest.raises(DataError, match="force x"):
        read_pushes(write(tmp_path / "p.csv", rows, ("push", "fx", *PUSH_COLUMNS[2:])), length=0.05)
    with pytest.raises(DataError):
        read_pushes(tmp_path / "none.csv", length=0.05)
    path = write(tmp_path / "q.csv", rows)
    for wrong in ({"length": 0.0}, {"length": 0.05, "force_on": "table"}, {"length": 0.05, "tare": -1}, {"length": 0.05, "threshold": -1.0}):
        with pytest.raises(InputError):
            read_pushes(path, **wrong)
