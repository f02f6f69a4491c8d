"""Anything may be passed to an entry point; what comes back is a result to be trusted, or an error of ours."""

import numpy as np
import pytest
from fuzz import Target, failures
from fuzz_targets import EXEMPT, PARTS, TARGETS, entry_points, file_targets
from tqdm import tqdm

SEEDED = 25
COUNT = 10_000
SEED = 20261130


def test_every_entry_point_is_fuzzed(tmp_path):
    public = set(entry_points())
    covered = {name.split(",")[0] for name in (*TARGETS, *file_targets(tmp_path))}
    assert public - covered - set(EXEMPT) == set(), "public, takes input, and is neither fuzzed nor exempt"
    assert set(EXEMPT) - public == set(), "exempt, but not public"
    assert covered & set(EXEMPT) == set(), "exempt, but fuzzed all the same"
    assert all(EXEMPT.values())
    assert {name for name in covered if name not in public} == {"limit_surface.own_pushes.read_pushes"}


@pytest.mark.ci
@pytest.mark.parametrize("name", TARGETS)
def test_some_inputs(name):
    assert failures(TARGETS[name], SEEDED, 1) == []


@pytest.mark.ci
def test_some_damaged_files(tmp_path):
    for name, target in file_targets(tmp_path).items():
        assert failures(target, SEEDED, 2) == [], name


def test_the_fuzzer_sees_a_fault():
    leaky = Target(lambda x: np.sqrt(np.float64(x)), lambda rng: {"x": 2.0})
    quiet = Target(lambda x: float("nan"), lambda rng: {"x": 2.0})
    assert failures(leaky, 50, 0) and failures(quiet, 1, 0)


def test_the_fuzzer_sees_a_hang(monkeypatch):
    monkeypatch.setattr("fuzz.LIMIT", 0.05)
    (said,) = failures(Target(lambda x: [None for _ in iter(int, 1)], lambda rng: {"x": 2.0}), 1, 0)
    assert "Hang: took longer than" in said


@pytest.mark.slow
@pytest.mark.parametrize("part", [*PARTS, "files"])
def test_ten_thousand_inputs_of_each(part, tmp_path, campaign):
    found, targets = [], file_targets(tmp_path) if part == "files" else PARTS[part]
    for name, target in tqdm(targets.items(), desc=f"fuzz {part}"):
        found += [f"{name}: {text}" for text in failures(target, COUNT, SEED)]
    what = "readers of damaged files" if part == "files" else "targets, every public callable that takes input"
    note = f"{len(targets)} {what}; {COUNT} inputs each; a failure is a foreign exception, a warning, a number that is not finite or a hang"
    campaign(name=f"fuzz: {part.replace('_', ' ')}", seed=SEED, count=COUNT * len(targets), failures=len(found), note=note)
    assert found == [], "\n".join(found[:50])
