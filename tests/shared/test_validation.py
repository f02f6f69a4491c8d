"""The shared checks of arguments: what passes is a float64 copy, what does not is an `InputError` with the value."""

import numpy as np
import pytest

from planarcontact.errors import InputError
from planarcontact.validation import boolean, finite_array, finite_number, nonnegative, one_of, positive


@pytest.mark.parametrize(
    "value",
    [
        None, "1", ["1", "2"], b"1", [1j], [True, False], [[1.0], [1.0, 2.0]], 10**400, [10**400], object(), {"a": 1},
        np.ma.array([1.0, 2.0], mask=[0, 1]), [np.nan], [np.inf], np.datetime64("2026-01-01"), lambda: 1,
    ],
    ids=[str(i) for i in range(16)],
)
def test_what_is_not_an_array_of_finite_numbers_is_refused(value: object) -> None:
    with pytest.raises(InputError) as caught:
        finite_array("x", value)
    assert str(caught.value).startswith("x")
    assert caught.value.name.startswith("x")


@pytest.mark.parametrize("value", [[1, 2], (1.0, 2.0), np.float32([1, 2]), np.ma.array([1.0, 2.0]), range(2)])
def test_numbers_become_float64(value: object) -> None:
    assert finite_array("x", value, (2,)).dtype == np.float64


def test_a_checked_array_is_a_copy() -> None:
    given = np.zeros(3)
    kept = finite_array("x", given)
    given[0] = np.nan
    assert np.isfinite(kept).all()


@pytest.mark.parametrize("shape", [(2,), (3, None), (3, 4, 1)])
def test_shapes_are_said(shape: tuple[int | None, ...]) -> None:
    with pytest.raises(InputError, match="shape"):
        finite_array("x", np.zeros((2, 3)), shape)


@pytest.mark.parametrize("value", [True, "1", None, [1.0], np.zeros(2), np.nan, 10**400, 1j])
def test_what_is_not_one_number_is_refused(value: object) -> None:
    for check in (finite_number, positive, nonnegative):
        with pytest.raises(InputError):
            check("x", value)


def test_signs() -> None:
    assert positive("x", 2) == 2.0 and nonnegative("x", 0) == 0.0
    for check, value in ((positive, 0.0), (positive, -1.0), (nonnegative, -1e-300)):
        with pytest.raises(InputError, match=r"x = "):
            check("x", value)


@pytest.mark.parametrize("value", [None, "c", np.array(["a", "b"]), ["a"], 1])
def test_a_choice_is_one_of_the_words(value: object) -> None:
    with pytest.raises(InputError, match="'a', 'b'"):
        one_of("x", value, ("a", "b"))


@pytest.mark.parametrize("value", [0, 1, "yes", None, np.zeros(2)])
def test_a_truth_value_is_no_number(value: object) -> None:
    with pytest.raises(InputError):
        boolean("x", value)
