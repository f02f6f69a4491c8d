"""Runs, hysteresis (R16) and the exports."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from cs_poses import A, AWAY, H, box_with

from planarcontact.contact_states import (
    Options,
    catalog,
    decode,
    encode,
    export_catalog,
    export_labels,
    export_segments,
    flag_runs,
    recognize,
    segment,
    step_scene,
)
from planarcontact.errors import InputError

SCENE = step_scene()


def hovering(gaps: list[float]) -> np.ndarray:
    return np.array([(-0.3, A / 2 + g, 0.0, *AWAY) for g in gaps])


@pytest.mark.parametrize(("low", "high"), [(0.99e-3, 1.01e-3), (0.9e-3, 1.2e-3), (-1e-4, 1.4e-3)])
def test_r16_raw_labels_chatter_and_hysteresis_gives_one_run(low: float, high: float) -> None:
    labels = recognize(hovering([low, high] * 50), SCENE)
    assert labels.on[:, 11].tolist() == [True, False] * 50 and len(segment(labels)) == 100
    calm = segment(labels, release=1.5e-3)
    assert len(calm) == 1 and calm.names(0) == {"g"}
    assert labels.formation.tolist() == [encode(["g"], SCENE), 0] * 50  # the raw labels stay


def test_r16_tilt_chatter_at_the_limit() -> None:
    limit = SCENE.tilt_limit(1e-3)
    poses = [(*box_with("v+-", (-0.3, 0.0), limit + sign * 1e-4), *AWAY) for sign in (-1, 1) * 30]
    labels = recognize(poses, SCENE)
    assert len(segment(labels)) == 60 and len(segment(labels, release=1.5e-3)) == 1


def test_hysteresis_lets_go_beyond_the_release_and_catches_at_eps_on() -> None:
    rising = hovering((np.arange(300) * 1e-5 + 5e-6).tolist())
    up, down = (segment(recognize(p, SCENE), release=2e-3) for p in (rising, rising[::-1]))
    assert [up.label(k) for k in range(2)] == ["{g}", "{}"] and up.start[1] == 200
    assert [down.label(k) for k in range(2)] == ["{}", "{g}"] and down.start[1] == 200
    for bad in (0.5e-3, np.nan, "wide"):
        with pytest.raises(InputError, match="release"):
            segment(recognize(rising, SCENE), release=bad)  # type: ignore[arg-type]


def test_hysteresis_looks_only_back() -> None:
    gaps = np.random.default_rng(0).uniform(0.0, 2e-3, 200).tolist()
    whole = segment(recognize(hovering(gaps), SCENE), release=1.5e-3).frame_formation
    for n in (1, 50, 199):
        np.testing.assert_array_equal(segment(recognize(hovering(gaps[:n]), SCENE), release=1.5e-3).frame_formation, whole[:n])


def test_runs_cover_the_frames_and_count_their_changes() -> None:
    labels = recognize(hovering([0, 0, 5e-3, 0, 5e-3, 5e-3, 0]), SCENE)
    runs = segment(labels)
    assert runs.start.tolist() == [0, 2, 3, 4, 6] and runs.stop.tolist() == [2, 3, 4, 6, 7]
    g = encode(["g"], SCENE)
    assert runs.transitions() == [(0, g, 2), (g, 0, 2)]
    np.testing.assert_array_equal(np.repeat(runs.formation, runs.stop - runs.start), labels.formation)


def test_flag_runs() -> None:
    flags = np.array([[1, 0], [1, 1], [0, 1], [1, 1]], dtype=bool)
    assert flag_runs(flags).tolist() == [[0, 0, 2], [0, 3, 4], [1, 1, 4]]
    assert flag_runs(np.zeros((3, 2), dtype=bool)).shape == (0, 3)


def test_exports_hold_what_the_labels_hold(tmp_path: Path) -> None:
    poses = np.concatenate((hovering([0, 0, 5e-3]), [(0.3, H + A / 2, np.pi / 2, *AWAY)]))
    labels, time = recognize(poses, SCENE, Options()), np.arange(4) * 0.01
    for ending in ("csv", "json", "npz"):
        export_catalog(SCENE, tmp_path / f"catalog.{ending}")
        export_labels(labels, tmp_path / f"labels.{ending}", time=time)
        export_segments(labels, tmp_path / f"runs.{ending}", time=time)
        export_segments(segment(labels), tmp_path / f"changes.{ending}", transitions=True)
    with (tmp_path / "catalog.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(int(r["index"]), r["name"]) for r in rows] == [(e.index, e.name) for e in catalog(SCENE)]
    found = json.loads((tmp_path / "labels.json").read_text(encoding="utf-8"))
    assert found["contacts"] == ["{g}", "{g}", "{}", "{t}"] and np.array_equal(found["gap [m]"], labels.gap)
    with np.load(tmp_path / "labels.npz") as archive:
        np.testing.assert_array_equal(archive["on"], labels.on)
        np.testing.assert_array_equal(archive["time [s]"], time)
        assert [decode(int(c), SCENE) for c in archive["formation"]] == [labels.names(i) for i in range(4)]
    with (tmp_path / "runs.csv").open(encoding="utf-8") as file:
        runs = list(csv.DictReader(file))
    assert [r["contacts"] for r in runs] == ["{g}", "{}", "{t}"] and float(runs[1]["first time [s]"]) == 0.02
    with (tmp_path / "changes.csv").open(encoding="utf-8") as file:
        assert {(r["contacts"], r["next contacts"]) for r in csv.DictReader(file)} == {("{g}", "{}"), ("{}", "{t}")}


def test_exports_refuse(tmp_path: Path) -> None:
    labels = recognize(hovering([0.0]), SCENE)
    for call in (
        lambda: export_labels(labels, tmp_path / "a.xlsx"),
        lambda: export_labels(labels, tmp_path / "a.csv", time=[0.0, 1.0]),
        lambda: export_catalog(SCENE, 3),  # type: ignore[arg-type]
    ):
        with pytest.raises(InputError):
            call()
    assert list(tmp_path.iterdir()) == []
