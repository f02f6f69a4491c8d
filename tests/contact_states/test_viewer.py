"""The viewer's data: nothing is lost beyond its units, the bytes repeat, and any labelled scene can be written."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from planarcontact.contact_states import catalog, formation_label, polygon_scene, recognize, step_scene
from planarcontact.contact_states.demo import load_demo
from planarcontact.contact_states.viewer import DATA, LENGTH_UNIT, PAGE, SET_UNIT, viewer_data, write_viewer
from planarcontact.contact_states.viewer_code import decode_stream, encode_stream, run_lengths
from planarcontact.errors import DataError, InputError

BOOK_VIEWER = Path(__file__).resolve().parents[2] / "book" / "_static" / "viewer"


@dataclass
class Poses:
    time: NDArray[np.float64]
    poses: NDArray[np.float64]


@pytest.fixture(scope="module")
def demo():
    return load_demo()


@pytest.fixture(scope="module")
def labels(demo):
    return recognize(demo.poses, step_scene())


@pytest.fixture(scope="module")
def data(demo, labels):
    return viewer_data(demo, labels)


def flags(lengths):
    return np.repeat(np.arange(len(lengths)) % 2 == 1, lengths)


@given(st.lists(st.integers(-(2**40), 2**40), max_size=60))
@settings(max_examples=300, deadline=None)
def test_stream_is_read_back(values):
    assert decode_stream(encode_stream(values)) == values


@given(st.lists(st.integers(-3, 3), max_size=400))
@settings(max_examples=200, deadline=None)
def test_stream_with_repeats_is_read_back(values):
    repeated = np.repeat(values, 7).tolist()
    text = encode_stream(repeated)
    assert decode_stream(text) == repeated and not set(text) & set("\"'\\<")


def test_constant_stream_is_short():
    assert len(encode_stream([123456] * 5000)) <= 16


@given(st.lists(st.booleans(), max_size=300))
@settings(max_examples=300, deadline=None)
def test_run_lengths_are_read_back(values):
    lengths = run_lengths(values)
    assert flags(lengths).tolist() == values and all(n > 0 for n in lengths[1:])


def test_data_hold_poses_and_labels(demo, labels, data):
    units = np.array([LENGTH_UNIT, LENGTH_UNIT, 1e-4, LENGTH_UNIT, LENGTH_UNIT])
    poses = np.array([decode_stream(p) for p in data["poses"]]).T * units
    assert (np.abs(poses - demo.poses) <= units / 2 * (1 + 1e-9)).all()
    names = [t.name for t in catalog(labels.scene)]
    listed = [names.index(t["name"]) for t in data["templates"]]
    assert listed == np.flatnonzero(labels.in_band.any(axis=0)).tolist()
    for entry, column in zip(data["templates"], listed):
        np.testing.assert_array_equal(flags(entry["band"]), labels.in_band[:, column])
        np.testing.assert_array_equal(flags(entry["on"]), labels.on[:, column])
        gaps = np.array(decode_stream(entry["gap"])) * LENGTH_UNIT
        assert np.abs(gaps - labels.gap[labels.in_band[:, column], column]).max() <= LENGTH_UNIT
    np.testing.assert_array_equal(flags(data["ties"]), labels.ambiguous)
    starts, numbers = np.array(data["runs"]).T
    named = np.repeat(np.array(data["formations"])[numbers], np.diff(np.append(starts, len(demo.poses))))
    assert named.tolist() == [formation_label(labels.names(k), labels.scene) for k in range(len(demo.poses))]


def test_contact_sets_are_the_labels(demo, labels, data):
    names = [t.name for t in catalog(labels.scene)]
    for entry in data["templates"]:
        frames = np.flatnonzero(labels.on[:, names.index(entry["name"])])
        ends = np.array([decode_stream(s) for s in entry["set"]]).T * SET_UNIT
        for row in range(0, len(frames), 37):
            x, z, theta = demo.poses[frames[row], :3]
            turn = np.array([[np.cos(theta), np.sin(theta)], [-np.sin(theta), np.cos(theta)]])
            world = ends[row].reshape(2, 2) @ turn.T + (x, z)
            wanted = labels.contact_set(int(frames[row]), entry["name"])
            assert np.abs(world - wanted).max() <= SET_UNIT


def test_viewer_is_small_and_its_bytes_repeat(demo, labels, tmp_path):
    first = write_viewer(demo, labels, tmp_path / "a")
    second = write_viewer(demo, labels, tmp_path / "b")
    assert first.name == PAGE
    for name in (PAGE, DATA):
        assert (first.parent / name).read_bytes() == (second.parent / name).read_bytes()
    assert (first.parent / DATA).stat().st_size <= 40_000


def test_books_viewer_is_that_of_the_shipped_run(demo, labels, tmp_path):
    write_viewer(demo, labels, tmp_path)
    for name in (PAGE, DATA):
        assert (tmp_path / name).read_bytes() == (BOOK_VIEWER / name).read_bytes()


def test_page_asks_nothing_of_a_network():
    text = (BOOK_VIEWER / PAGE).read_text("utf-8")
    assert "https:" not in text and text.count("http:") == 1 and '"http://www.w3.org/2000/svg"' in text
    assert "fetch(" not in text and "import(" not in text and text.count("<script src=") == 1


def test_any_labelled_scene_can_be_written(tmp_path):
    scene = polygon_scene([(0, 0), (0.1, 0), (0.04, 0.08)], [[(-1, -1), (1, -1), (1, 0), (0.2, 0.05), (-1, 0)]], 0.01, disk_environment=True)
    time = np.linspace(0.0, 1.0, 21)
    poses = np.column_stack([-0.4 + 0.1 * time, 0.0005 + 0 * time, 0.2 * np.sin(time), -0.6 + 0 * time, 0.0268 + 0 * time])
    labels = recognize(poses, scene)
    data = viewer_data(Poses(time, poses), labels, title="Triangle")
    assert data["title"] == "Triangle" and len(data["scene"]["corners"]) == 3
    touching = [t for t in data["templates"] if t["feature"] == "M" and sum(t["on"][1::2])]
    assert touching
    for entry in touching:
        ends = np.array([decode_stream(s) for s in entry["set"]]).T * SET_UNIT
        frame = int(np.flatnonzero(flags(entry["on"]))[0])
        assert np.abs(ends[0].reshape(2, 2) - labels.contact_set(frame, entry["name"])).max() <= SET_UNIT
    json.loads((write_viewer(Poses(time, poses), labels, tmp_path).parent / DATA).read_text("utf-8").split("=", 1)[1].rstrip(";\n"))


def test_what_does_not_fit_is_refused(demo, labels, tmp_path):
    with pytest.raises(InputError):
        viewer_data(Poses(demo.time[:9], demo.poses[:9]), labels)
    with pytest.raises(InputError):
        viewer_data(Poses(demo.time**2, demo.poses), labels)
    with pytest.raises(InputError):
        viewer_data(Poses(demo.time, demo.poses[:, :4]), labels)
    with pytest.raises(InputError):
        viewer_data(Poses(demo.time, np.where(demo.poses > 0.05, np.nan, demo.poses)), labels)
    one = recognize(demo.poses[:1], step_scene())
    with pytest.raises(InputError):
        viewer_data(Poses(demo.time[:1], demo.poses[:1]), one)
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError):
        write_viewer(demo, labels, tmp_path / "file")
