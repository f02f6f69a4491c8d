"""Identification with forgetting: the same as a weighted batch fit, and able to follow a change."""

import numpy as np
import pytest
from ls_synthetic import angles, ring, sample
from planarcontact.errors import InputError
from planarcontact.limit_surface import OnlineFit, ProjectedGradient, Weights, fit

LOADS, TWISTS = sample(3, 25, noise=0.05)
SIZE = float(np.mean(np.linalg.norm(LOADS, axis=1)))


@pytest.mark.parametrize("weights", [Weights(), Weights(2.0, 1.0, 4.0, "bombieri")])
def test_without_forgetting_it_is_the_batch_fit(weights):
    online = OnlineFit(SIZE, 1.0, weights=weights)
    online.update(LOADS, TWISTS)
    batch = fit(LOADS, TWISTS, kind="poly4-cvx", weights=weights)
    model = online.model()
    assert model.certificate.certified
    assert np.max(angles(model.twist(LOADS), batch.twist(LOADS))) < 1e-3
    np.testing.assert_allclose(model.value(LOADS), batch.value(LOADS), rtol=1e-5)


def test_data_may_come_in_any_portions():
    one, other = OnlineFit(SIZE, 0.9), OnlineFit(SIZE, 0.9)
    one.update(LOADS, TWISTS)
    for k in range(0, len(LOADS), 7):
        other.update(LOADS[k : k + 7], TWISTS[k : k + 7])
    np.testing.assert_allclose(one.model().coefficients, other.model().coefficients, rtol=1e-9)


def test_statistics_are_the_weighted_sums():
    online = OnlineFit(SIZE, 0.8)
    online.update(LOADS, TWISTS)
    weight = 0.8 ** np.arange(len(LOADS))[::-1]
    assert online.count == pytest.approx(weight.sum())
    from planarcontact.limit_surface import monomials

    values = monomials(4).values(LOADS / SIZE)
    np.testing.assert_allclose(online.values, (values * weight[:, None]).T @ values, rtol=1e-10)
    np.testing.assert_allclose(online.first, weight @ values, rtol=1e-10)
    model = online.model()
    assert weight @ model.value(LOADS) / weight.sum() == pytest.approx(1)


@pytest.mark.parametrize("drop", [0.5, 0.8])
def test_forgetting_follows_a_change_of_friction(drop):
    loads, twists = sample(5, 60, body=ring())
    slippery = drop * loads
    errors = {}
    for forgetting in (1.0, 0.85):
        online = OnlineFit(float(np.mean(np.linalg.norm(loads, axis=1))), forgetting)
        online.update(np.vstack([loads, slippery]), np.vstack([twists, twists]))
        errors[forgetting] = abs(np.mean(online.model().value(slippery)) ** 0.25 - 1)
    assert errors[0.85] < 0.05 and 3 * errors[0.85] < errors[1.0]


def test_projected_gradient_stays_convex_and_descends():
    follower = ProjectedGradient(SIZE, step=0.3)
    before = np.mean(angles(follower.model().twist(LOADS), TWISTS))
    for _ in range(4):
        follower.update(LOADS, TWISTS)
    model = follower.model()
    assert model.certificate.certified and np.mean(angles(model.twist(LOADS), TWISTS)) < before


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: OnlineFit(0.0), "size"),
        (lambda: OnlineFit(1.0, 0.0), "forgetting"),
        (lambda: OnlineFit(1.0, 1.1), "forgetting"),
        (lambda: OnlineFit(1.0, degree=3), "degree"),
        (lambda: OnlineFit(1.0).model(), "count"),
        (lambda: ProjectedGradient(1.0, step=-1), "step"),
        (lambda: OnlineFit(1.0).update(-LOADS, TWISTS), "loads"),
        (lambda: OnlineFit(1.0).update(np.full((1, 3), np.nan), TWISTS[:1]), "loads"),
    ],
)
def test_bad_input(make, name):
    with pytest.raises(InputError, match=name):
        make()
