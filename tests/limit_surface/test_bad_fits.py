"""Input that a fit cannot use: an error of ours that names it, or an honest report."""

import numpy as np
import pytest
from ls_synthetic import sample
from planarcontact.errors import InputError
from planarcontact.limit_surface import Weights, WeightGrid, fit

LOADS, TWISTS = sample(1, 12, noise=0.02)


def broken(row, column, value):
    out = LOADS.copy()
    out[row, column] = value
    return out


@pytest.mark.parametrize("kind", ["quad", "poly4", "poly4-cvx", "gp"])
@pytest.mark.parametrize(
    ("loads", "twists", "name"),
    [
        (broken(3, 1, np.nan), TWISTS, r"loads\[3, 1\]"),
        (broken(0, 2, np.inf), TWISTS, r"loads\[0, 2\]"),
        (LOADS, np.where(np.arange(12)[:, None] == 4, 0.0, TWISTS), r"twists\[4\]"),
        (np.where(np.arange(12)[:, None] == 7, 0.0, LOADS), TWISTS, r"loads\[7\]"),
        (LOADS[:, :2], TWISTS, "loads"),
        (LOADS, TWISTS[:5], "twists"),
        (LOADS[:0], TWISTS[:0], "loads"),
        (LOADS[0], TWISTS[0], "loads"),
        ("abc", TWISTS, "loads"),
        (None, TWISTS, "loads"),
        (-LOADS, TWISTS, "loads"),
    ],
)
def test_data(kind, loads, twists, name):
    with pytest.raises(InputError, match=name):
        fit(loads, twists, kind=kind)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (dict(kind="poly5"), "kind"),
        (dict(kind="poly4-cvx", objective="best"), "objective"),
        (dict(kind="poly4-cvx", degree=3), "degree"),
        (dict(kind="poly4", degree=0), "degree"),
        (dict(kind="poly4-cvx", length=0.0), "length"),
        (dict(kind="poly4-cvx", length=np.nan), "length"),
        (dict(kind="poly4-cvx", weights=(-1, 1)), "weights"),
        (dict(kind="poly4-cvx", weights=(1, 1, 0)), "weights.force"),
        (dict(kind="poly4-cvx", weights=dict(ridge=1, gamma=2)), "weights"),
        (dict(kind="poly4-cvx", weights="strong"), "weights"),
        (dict(kind="poly4-cvx", weights=Weights(norm="euclid")), "norm"),
        (dict(kind="poly4-cvx", weights=WeightGrid((0.1,), (1.0,))), "validation"),
        (dict(kind="poly4-cvx", validation=LOADS), "validation"),
        (dict(kind="poly4-cvx", validation=(LOADS, TWISTS[:3])), "validation"),
        (dict(kind="poly4-cvx", validation=(-LOADS, TWISTS)), "validation"),
        (dict(kind="gp", weights=Weights()), "weights"),
        (dict(kind="gp", weights=(0.0, 1.0)), "weights"),
    ],
)
def test_options(options, name):
    with pytest.raises(InputError, match=name):
        fit(LOADS, TWISTS, **options)


def test_options_are_keywords():
    with pytest.raises(TypeError):
        fit(LOADS, TWISTS, "poly4-cvx")


@pytest.mark.parametrize("factor", [(1, 1, 1e3), (1e3, 1e3, 1e6), (1e-3, 1e-3, 1e-3), (1, 1, 1e-3)])
def test_loads_in_other_units_are_fitted_and_uneven_ones_are_noted(factor):
    loads = LOADS * factor
    report = fit(loads, TWISTS, kind="poly4-cvx").report
    assert report.certificate.certified
    uneven = factor[2] != factor[0]
    assert any("check units" in note for note in report.notes) == uneven
