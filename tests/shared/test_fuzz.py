"""Anything may be passed to an entry point; what comes back is a result to be trusted, or an error of ours."""

import pytest
from fuzz import Target, failures
from fuzz_targets import TARGETS, file_targets
from tqdm import tqdm

SEEDED = 25
COUNT = 10_000


@pytest.mark.ci
@pytest.mark.parametrize("name", TARGETS)
def test_some_inputs(name):
    assert failures(TARGETS[name], SEEDED, 1) == []


@pytest.mark.ci
def test_some_damaged_files(tmp_path):
    for name, target in file_targets(tmp_path).items():
        assert failures(target, SEEDED, 2) == [], name


def test_the_fuzzer_sees_a_fault():
    import numpy as np

    leaky = Target(lambda x: np.sqrt(np.float64(x)), lambda rng: {"x": 2.0})
    quiet = Target(lambda x: float("nan"), lambda rng: {"x": 2.0})
    assert failures(leaky, 50, 0) and failures(quiet, 1, 0)


@pytest.mark.slow
def test_ten_thousand_inputs_of_each(tmp_path, campaign):
    found, targets = [], {**TARGETS, **file_targets(tmp_path)}
    for name, target in tqdm(targets.items(), desc="fuzz"):
        found += [f"{name}: {text}" for text in failures(target, COUNT, 20261130)]
    note = f"{len(targets)} entry points, {COUNT} inputs each: a usable result, or an error of planarcontact"
    campaign(name="fuzz: arguments and files", seed=20261130, count=COUNT * len(targets), failures=len(found), note=note)
    assert found == [], "\n".join(found[:50])
