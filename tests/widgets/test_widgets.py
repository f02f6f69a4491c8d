"""The widgets' data: their form, and that they are what the library computes now."""

import numpy as np
import pytest
from widgets import cor_map, desk_ecp, formats, limit_surface

from planarcontact.contact_states.viewer_code import decode_stream
from planarcontact.limit_surface.download import is_available

FILES = sorted(p.stem for p in formats.FOLDER.glob("*.js"))


def points(layer: dict, unit: float) -> np.ndarray:
    return np.array([decode_stream(s) for s in layer["points"]]).T * unit


def test_files_are_read_back_byte_for_byte(tmp_path):
    assert FILES == ["cor-map-wood", "desk-ecp", "limit-surface-three-points", "limit-surface-wood"]
    for name in FILES:
        path = formats.write(name, formats.read(name), tmp_path)
        assert path.read_bytes() == (formats.FOLDER / f"{name}.js").read_bytes()
        assert path.stat().st_size < 150_000


def test_layers_hold_their_numbers():
    random = np.random.default_rng(0)
    grid, rings = random.normal(size=(4, 5, 3)), [random.normal(size=(n, 3)) for n in (3, 7)]
    made = formats.surface("s", grid, unit=1e-3)
    assert np.abs(points(made, 1e-3).reshape(4, 5, 3) - grid).max() <= 5.01e-4
    flat = formats.polygons("p", rings, unit=1e-3)
    assert flat["sizes"] == [3, 7] and np.abs(points(flat, 1e-3) - np.concatenate(rings)).max() <= 5.01e-4
    with pytest.raises(ValueError, match="as many notes"):
        formats.points("d", grid[0], unit=1e-3, item="x", notes=["one"])
    with pytest.raises(ValueError, match="colours"):
        formats.surface("s", grid, unit=1e-3, colour="#123456")


@pytest.mark.parametrize("name", [n for n in FILES if n.startswith("limit-surface")])
def test_limit_surface_file_is_consistent(name):
    data = formats.read(name)
    layers = {layer["name"]: layer for layer in data["layers"]}
    assert data["kind"] == "limit-surface" and len(data["axes"]) == 3 and len(layers) == len(data["layers"])
    fitted, half = points(layers["fitted convex quartic, H = 1"], data["unit"]), points(data["layers"][1], data["unit"])
    assert np.abs(half - fitted / 2).max() <= data["unit"]
    facets = layers["its facets: turns about one support"]
    assert len(facets["sizes"]) == 6
    corners = points(facets, data["unit"]).reshape(6, -1, 3)
    for ring in corners:
        assert np.linalg.svd(ring - ring.mean(axis=0))[1][2] < 6 * data["unit"], "a facet is not flat"
    measured = layers["measured loads"]
    assert len(measured["notes"]) == len(decode_stream(measured["points"][0]))
    for arrow in measured["arrows"]:
        assert np.abs(np.linalg.norm(points(arrow, data["unit"]), axis=1) - 1).max() < 2 * data["unit"]


@pytest.mark.ci
def test_simulated_limit_surface_is_what_the_library_gives():
    made, kept = limit_surface.simulated(), formats.read("limit-surface-three-points")
    assert made["title"] == kept["title"] and made["axes"] == kept["axes"]
    for new, old in zip(made["layers"], kept["layers"], strict=True):
        assert {k: new[k] for k in ("name", "type", "colour")} == {k: old[k] for k in ("name", "type", "colour")}
        assert np.abs(points(new, made["unit"]) - points(old, kept["unit"])).max() <= 3 * kept["unit"]


@pytest.mark.ci
def test_measured_widgets_are_what_the_library_gives():
    if not is_available():
        pytest.skip("no robot data (PLANARCONTACT_DATA names their folder)")
    made, kept = cor_map.data(), formats.read("cor-map-wood")
    assert {k: made[k] for k in ("outline", "supports", "grid", "length")} == {k: kept[k] for k in ("outline", "supports", "grid", "length")}
    for new, old in zip(made["surfaces"], kept["surfaces"], strict=True):
        new_loads, old_loads = (np.array([decode_stream(s) for s in x["loads"]]) for x in (new, old))
        assert new["name"] == old["name"] and np.abs(new_loads - old_loads).max() <= 3
    made, kept = limit_surface.measured(), formats.read("limit-surface-wood")
    for new, old in zip(made["layers"], kept["layers"], strict=True):
        assert np.abs(points(new, made["unit"]) - points(old, kept["unit"])).max() <= 3 * kept["unit"]


@pytest.mark.ci
@pytest.mark.parametrize(("mu", "e_r"), [(0.10, 0.30), (0.22, 0.10), (0.50, 0.02)])
def test_desk_is_what_the_library_gives(mu, e_r):
    kept = formats.read("desk-ecp")
    assert kept["mu"][kept["default"][0]] == 0.22 and kept["e_r"][kept["default"][1]] == 0.10
    cell = kept["runs"][kept["mu"].index(mu)][kept["e_r"].index(e_r)]
    unit = {"x": "place", "y": "place", "yaw": "angle", "ecp x": "ecp", "ecp y": "ecp", "speed": "speed", "spin": "speed"}
    for key, values in desk_ecp.run(mu, e_r).items():
        size = kept["units"][unit[key]]
        assert np.abs(np.array(decode_stream(cell[key])) * size - values[desk_ecp.EVERY - 1 :: desk_ecp.EVERY]).max() <= 0.51 * size + 1e-6


def test_sliding_desk_holds_its_ecp_at_mu_times_height():
    """While the desk slides without turning much, the ECP runs ahead of the centre of mass by mu H (case D8)."""
    data = formats.read("desk-ecp")
    height = 0.45
    for i, mu in enumerate(data["mu"][:4]):
        cell = {k: np.array(decode_stream(v)) for k, v in data["runs"][i][0].items()}
        sliding = (cell["speed"] * data["units"]["speed"] > 0.4) & (np.abs(cell["spin"]) * data["units"]["speed"] < 0.05)
        ahead = np.hypot(cell["ecp x"], cell["ecp y"])[sliding] * data["units"]["ecp"]
        assert sliding.sum() >= 3 and np.abs(ahead - mu * height).max() < 0.02 * mu * height
