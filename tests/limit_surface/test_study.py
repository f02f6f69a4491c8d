"""The study's protocol and runner: what a trial holds, that it repeats, resumes, and says what it cannot do."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from planarcontact.errors import DataError, InputError
from planarcontact.limit_surface import study
from planarcontact.limit_surface.download import is_available
from planarcontact.limit_surface.identification import fit
from planarcontact.limit_surface.objectives import SIMULATION_GRID, WeightGrid
from planarcontact.limit_surface.protocol import CONDITIONS, SEED, make_trial
from planarcontact.limit_surface.study import METHODS, paper_cells, run_study, run_trial, summary

recorded = pytest.mark.skipif(
    not is_available(), reason="no robot data: name their folder in PLANARCONTACT_DATA, or run `make book` once online"
)
SIMULATED = [name for name in CONDITIONS if name not in ("wood", "board")]
QUICK = (("quad", "printed"), ("gp", ""))


def twins(sample) -> int:
    """Number of pairs of exactly opposite data."""
    rows = np.hstack([sample.loads, sample.twists])
    return int((np.abs(rows[:, None] + rows[None]).max(axis=2) < 1e-9).sum())


@pytest.mark.parametrize("name", SIMULATED)
def test_a_simulated_trial_is_what_the_document_describes(name):
    data = make_trial(name, 3, seed=1)
    test = data.tests["ideal"]
    total = len(test) + len(data.validation) + len(data.pool)
    for sample in (test, data.validation, data.pool):
        assert_allclose(np.linalg.norm(sample.twists, axis=1), 1.0, rtol=1e-12)
    assert ((test.loads * test.twists).sum(axis=1) > 0).all()
    assert (np.linalg.norm(test.loads[:, :2], axis=1) <= 1 + 1e-12).all()
    if "text" in name:
        assert (total, len(test), len(data.validation), len(data.pool)) == (150, 75, 30, 45)
    else:
        assert 110 < total < 200 and total % 2 == 0 and abs(len(test) - total / 2) < 1
    repeated = np.unique(test.twists.round(9), axis=0, return_counts=True)[1].max()
    assert (repeated > 5) == name.startswith("legs")  # turns about the three legs
    again = make_trial(name, 3, seed=1)
    assert_array_equal(again.pool.loads, data.pool.loads)
    assert not np.array_equal(make_trial(name, 4, seed=1).pool.loads[:5], data.pool.loads[:5])
    assert not np.array_equal(make_trial(name, 3, seed=2).pool.loads[:5], data.pool.loads[:5])


def test_noise_is_where_it_belongs():
    clean, noisy = make_trial("ring-clean", 0, seed=1), make_trial("ring-noisy", 0, seed=1)
    assert np.abs(np.linalg.norm(noisy.pool.loads, axis=1) - 0.9).max() > 0.15 > np.abs(np.linalg.norm(clean.pool.loads[:, :2], axis=1)).min() - 1
    assert (np.linalg.norm(noisy.tests["ideal"].loads[:, :2], axis=1) <= 1 + 1e-12).all()


def test_the_released_sampling_leaks_twins_and_the_printed_one_does_not():
    leak, fair = make_trial("ring-clean", 1, seed=1), make_trial("ring-clean-text", 1, seed=1)

    def crossing(data):
        rows = np.hstack([data.pool.loads, data.pool.twists])
        test = np.hstack([data.tests["ideal"].loads, data.tests["ideal"].twists])
        return int((np.abs(rows[:, None] + test[None]).max(axis=2) < 1e-9).sum())

    assert crossing(leak) > 10 and crossing(fair) == 0


def test_facet_loads_are_on_their_facets():
    for name in ("legs-clean", "legs-clean-text"):
        test = make_trial(name, 2, seed=5).tests["ideal"]
        values, inverse, counts = np.unique(test.twists.round(9), axis=0, return_inverse=True, return_counts=True)
        for k in np.flatnonzero(counts > 4):
            powers = (test.loads * test.twists)[inverse.ravel() == k].sum(axis=1)
            assert_allclose(powers, powers[0], rtol=1e-9)


@recorded
@pytest.mark.parametrize("name", ["wood", "board"])
def test_a_robot_trial_splits_fifty_pokes(name):
    data = make_trial(name, 17, seed=1)
    assert (len(data.pool), len(data.validation), len(data.tests["sensor"])) == (30, 10, 10)
    assert 560 < len(data.tests["ideal"]) < 660
    rows = np.vstack([data.pool.loads, data.validation.loads, data.tests["sensor"].loads])
    assert len(np.unique(rows, axis=0)) == 50


@pytest.mark.parametrize("kind, objective", METHODS[:6])
def test_weights_in_the_authors_units_belong_to_raw_loads(kind, objective):
    """Loads in half newtons are twice as large, their gradients half, their coefficients 2^-d: weights for half newtons
    that undo this must give the same surface, though a fit measures loads by their own mean."""
    data = make_trial("legs-noisy", 1, seed=9)
    loads, twists = data.pool.loads[:30], data.pool.twists[:30]
    check = (data.validation.loads, data.validation.twists)
    power = 2 if objective == "printed" else 1
    growth = 2.0 ** ((2 if kind == "quad" else 4) * power)
    one = study.authors_units(WeightGrid((0.2,), (4.0,)), loads, kind, objective)
    two = study.authors_units(WeightGrid((0.2 * growth,), (4.0,), 2.0**power), 2 * loads, kind, objective)
    first = fit(loads, twists, kind=kind, objective=objective, weights=one, validation=check)
    second = fit(2 * loads, twists, kind=kind, objective=objective, weights=two, validation=check)
    test = data.tests["ideal"].loads
    assert_allclose(second.twist(test), first.twist(test), atol=1e-3)
    plain = study.authors_units(WeightGrid((0.2,), (4.0,)), 2 * loads, kind, objective)
    assert plain != one and plain.velocity != one.velocity


def test_study_resumes_and_writes_nothing_half(tmp_path, monkeypatch):
    small = dict(CONDITIONS)
    from dataclasses import replace

    small["ring-clean"] = replace(CONDITIONS["ring-clean"], trials=3, amounts=(7,))
    monkeypatch.setattr(study, "CONDITIONS", small)
    rows = run_study(tmp_path, ["ring-clean"], seed=1, methods=QUICK, progress=False)
    kept = sorted(p.name for p in tmp_path.rglob("*.json"))
    assert kept == ["000.json", "001.json", "002.json"] and len(rows) == 3
    first = next(tmp_path.rglob("000.json"))
    content = json.loads(first.read_text())
    content[0]["quad printed [deg]"] = 1.25
    first.write_text(json.dumps(content))
    next(tmp_path.rglob("002.json")).unlink()
    again = run_study(tmp_path, ["ring-clean"], seed=1, methods=QUICK, progress=False)
    assert again[0]["quad printed [deg]"] == 1.25 and again[2] == rows[2]
    more = run_study(tmp_path, ["ring-clean"], seed=1, methods=(("poly4", "printed"), *QUICK), progress=False)
    assert more[0]["quad printed [deg]"] == 1.25 and more[0]["poly4 printed [deg]"] > 0
    first.write_text("{")
    with pytest.raises(DataError, match="damaged"):
        run_study(tmp_path, ["ring-clean"], seed=1, methods=QUICK, progress=False)
    assert not list(tmp_path.rglob("*.partial"))


@pytest.mark.ci
def test_study_on_a_dask_cluster_gives_the_same_numbers(tmp_path, monkeypatch):
    import joblib
    from distributed import Client, LocalCluster

    monkeypatch.setenv("PYTHONPATH", "lib")
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster, Client(cluster):
        with joblib.parallel_config(backend="dask"):
            out = joblib.Parallel()(joblib.delayed(run_trial)("ring-clean", k, seed=1, methods=QUICK) for k in (0, 1))
    assert out == [run_trial("ring-clean", k, seed=1, methods=QUICK) for k in (0, 1)]


def test_table_round_trip_and_summary(tmp_path):
    rows = [
        dict(zip(study.COLUMNS, ("wood", k, "sensor", 5, *(float(k + j) for j in range(7))))) for k in range(4)
    ]
    study.write_table(tmp_path / "t.csv", rows)
    assert study.read_table(tmp_path / "t.csv") == rows
    mean, half, count = summary(rows, "wood", "sensor", 5, METHODS[1])
    assert (mean, count) == (2.5, 4)
    assert half == pytest.approx(3.182446 * np.std([1, 2, 3, 4], ddof=1) / 2, rel=1e-6)
    with pytest.raises(DataError):
        study.read_table(tmp_path / "none.csv")
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError):
        study.read_table(tmp_path / "bad.csv")


def test_the_documents_bars_are_complete():
    cells = paper_cells()
    assert len(cells) == 128
    assert {c.figure for c in cells} == {"2a", "2b", "2c", "2d", "4a", "4b", "4c", "4d"}
    for cell in cells:
        assert cell.amount in CONDITIONS[cell.condition].amounts and cell.half > 0
        assert cell.count == CONDITIONS[cell.condition].trials
    assert list(SIMULATION_GRID.ridge) == [0.0, 0.1, 2.0, 8.0] and SEED == 20160616


def test_unknown_conditions_and_trials():
    with pytest.raises(InputError):
        make_trial("cube", 0)
    with pytest.raises(InputError):
        make_trial("ring-clean", 50)
