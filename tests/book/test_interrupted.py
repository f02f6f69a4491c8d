"""`make book`, cut off at any moment, damages nothing, and the next run completes."""

import hashlib
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scratch import run_in, status

SEED = 20261130
START, HTML = "install's check and start", "html build"


def _cut_off(clone: Path, seed: int, count: int) -> int:
    """Kill `count` executions of one chapter at random moments; return how many left the tree damaged."""
    random = np.random.default_rng(seed)
    begun = time.monotonic()
    whole = run_in(clone, sys.executable, "tools/chapters.py", "run", "notation")
    assert whole.returncode == 0, whole.stderr
    longest = time.monotonic() - begun
    _commit(clone)
    damaged = 0
    for _ in range(count):
        run = _started(clone, sys.executable, "tools/chapters.py", "run", "notation")
        time.sleep(random.uniform(0.1, 1.05) * longest)
        os.killpg(run.pid, random.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM]))
        run.wait(timeout=60)
        notebook = nbformat.read(clone / "book" / "notation.ipynb", as_version=4)
        nbformat.validate(notebook)
        damaged += status(clone) != ""
    again = run_in(clone, sys.executable, "tools/chapters.py", "run", "notation")
    return damaged + (again.returncode != 0 or status(clone) != "")


def _commit(clone: Path) -> None:
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.invalid"]
    subprocess.run(["git", *identity, "commit", "-qam", "executed", "--allow-empty"], cwd=clone, check=True)


def _started(clone: Path, *command: str, log: Path | None = None) -> "subprocess.Popen[bytes]":
    """Start a command as the leader of a process group of its own, as a shell does."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "PLANARCONTACT_BASE", "TQDM_"))}
    environment |= {"PYTHONPATH": str(clone / "lib"), "PYTHONUNBUFFERED": "1"}
    with open(log or os.devnull, "wb") as file:
        return subprocess.Popen(command, cwd=clone, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True)


def _environment(clone: Path) -> None:
    """An environment that `make` takes for its own: this one's packages, a Python and a stamp of its own."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(clone / ".venv")], check=True)
    (site,) = (clone / ".venv").glob("lib/*/site-packages")
    packages = next(p for p in sys.path if p.endswith("site-packages"))
    (site / "packages.pth").write_text(f"import site; site.addsitedir({packages!r})\n")
    stamp = "import sys; sys.path.insert(0, 'tools'); import install; (install.ROOT / '.venv' / 'installed').write_text(install._fingerprint())"
    made = run_in(clone, sys.executable, "-c", stamp)
    assert made.returncode == 0, made.stderr


def _make(*words: str) -> tuple[str, ...]:
    return ("make", *words, f"PYTHON={sys.executable}")


def _timed(clone: Path, log: Path) -> list[tuple[str, float, float]]:
    """Run `make book` as a whole; return the parts of the run with their beginnings and ends [s]."""
    begun, seen, marks = time.monotonic(), "", [(START, 0.0)]
    run = _started(clone, *_make("book"), log=log)
    while run.poll() is None:
        time.sleep(0.05)
        text = log.read_text("utf-8", errors="replace")
        for line in text[len(seen) :].splitlines():
            found = re.fullmatch(r"(\w+): executing", line.strip())
            if found:
                marks.append((found[1], time.monotonic() - begun))
            elif line.startswith("scoreboard"):
                marks.append((HTML, time.monotonic() - begun))
        seen = text[: text.rfind("\n") + 1]
    assert run.returncode == 0, seen[-3000:]
    assert marks[-1][0] == HTML and len(marks) > 3, marks
    ends = [begin for _, begin in marks[1:]] + [time.monotonic() - begun]
    return [(name, begin, end) for (name, begin), end in zip(marks, ends)]


def _reached(log: Path) -> str:
    """Which part of the run the log ends in; empty where the run was over."""
    lines = log.read_text("utf-8", errors="replace").splitlines()
    if any(line.startswith("the book is ") for line in lines):
        return ""
    if any(line.startswith("scoreboard") for line in lines):
        return HTML
    return next((found[1] for line in reversed(lines) if (found := re.fullmatch(r"(\w+): executing", line.strip()))), START)


def _contents(clone: Path) -> dict[str, str]:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=clone, capture_output=True, check=True).stdout.decode().split("\0")
    return {name: hashlib.sha256((clone / name).read_bytes()).hexdigest() for name in names if name}


def _left_running(clone: Path) -> list[str]:
    """Processes that still work in the clone, where the system tells."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if clone in (place := Path(os.readlink(entry / "cwd"))).parents or place == clone:
                found.append(f"{entry.name} {(entry / 'cmdline').read_bytes()[:80]!r}")
        except OSError:
            continue
    return found


def _interrupted(clone: Path, part: tuple[str, float, float], moment: float, chapter_time: dict[str, float], kind: int, log: Path) -> str:
    """Start `make book` just before a part, and send a signal at the moment; return the part that it hit.

    The chapters before that part are left out: they were executed in the whole run, and found as committed.
    """
    name, begin, _ = part
    quickest = min((c for c in chapter_time if c not in (START, HTML)), key=chapter_time.__getitem__)
    if name == START:
        words, delay = (), moment
    elif name == HTML:
        words, delay = (f"CHAPTERS={quickest}",), chapter_time[START] + chapter_time[quickest] + moment - begin
    else:
        words, delay = (f"CHAPTERS={name} {quickest}",), chapter_time[START] + moment - begin
    run = _started(clone, *_make("book", *words), log=log)
    try:
        run.wait(timeout=delay)
    except subprocess.TimeoutExpired:
        hit = _reached(log)
        os.killpg(run.pid, kind)
        run.wait(timeout=120)
        return hit
    return ""


def _completed(clone: Path, hit: str) -> str:
    """Run what the interruption cut off; return what is wrong with it."""
    target = {START: ("env",), HTML: ("html",)}.get(hit, ("chapter", f"NAME={hit}"))
    again = run_in(clone, *_make(*target), timeout=1800)
    if again.returncode:
        return f"the next run failed: {again.stdout[-500:]} {again.stderr[-1000:]}"
    if target[0] == "chapter" and "as committed" not in again.stdout:
        return f"the next run changed the chapter: {again.stdout}"
    left = [str(path) for path in (clone / "book").rglob("*.partial")]
    return f"left behind: {left}" if left else ""


@pytest.mark.slow
def test_twenty_interrupted_runs_of_make_book(clone: Path, tmp_path: Path, campaign: Callable[..., None]) -> None:
    random, log = np.random.default_rng(SEED), tmp_path / "log"
    _environment(clone)
    parts = _timed(clone, log)
    _commit(clone)  # where the library changed since the chapters were executed, their stamps did
    before, whole = _contents(clone), parts[-1][2]
    chapter_time = {name: end - begin for name, begin, end in parts}
    moments = [*random.uniform(0.0, whole, 14), *random.uniform(parts[0][1], parts[0][2], 3), *random.uniform(parts[-1][1], whole, 3)]
    kinds = random.permutation([signal.SIGINT, signal.SIGKILL] * 10)
    hits: list[tuple[str, int]] = []
    failures: list[str] = []
    for moment, kind in zip(moments, kinds):
        for _ in range(5):  # again where the run was over before the moment came
            part = next(p for p in parts if p[1] <= moment <= p[2])
            hit = _interrupted(clone, part, moment, chapter_time, int(kind), log)
            if hit:
                break
            moment = 0.5 * (part[1] + moment)
        said = [] if hit else ["the run was over before the signal"]
        hits.append((hit, int(kind)))
        if status(clone) or _contents(clone) != before:
            said.append(f"the tree changed: {status(clone)}")
            subprocess.run(["git", "checkout", "-q", "."], cwd=clone, check=True)
        deadline = time.monotonic() + 60
        while (running := _left_running(clone)) and time.monotonic() < deadline:
            time.sleep(0.5)
        said += [f"still running: {running}"] if running else []
        said += [wrong] if hit and (wrong := _completed(clone, hit)) else []
        failures += [f"{signal.Signals(int(kind)).name} at {moment:.1f} s of {whole:.0f} s, in {hit}: {text}" for text in said]
    last = run_in(clone, *_make("book"), timeout=3600)
    names = [name for name, _, _ in parts if name not in (START, HTML)]
    if last.returncode or status(clone) or _contents(clone) != before or any(f"{n}: as committed" not in last.stdout for n in names):
        failures.append(f"the last, whole run: {last.returncode} {last.stdout[-1500:]} {last.stderr[-1500:]} {status(clone)}")
    where = Counter(START if h == START else HTML if h == HTML else "chapters" for h, _ in hits)
    note = (
        f"14 moments drawn over a whole run of {whole:.0f} s, 3 in its start, 3 in the html build; hit: "
        + ", ".join(f"{where[key]} {key}" for key in ("chapters", HTML, START))
        + f"; 10 by Ctrl-C, 10 killed; a run begins at the chapter that the moment falls in ({len({h for h, _ in hits} - {START, HTML})} of "
        f"{len(names)}); what was cut off is run again after each, and the whole once at the end"
    )
    campaign(name="make book interrupted", seed=SEED, count=len(hits), failures=len(failures), note=note)
    assert failures == [], "\n".join(failures)


@pytest.mark.ci
def test_an_interrupted_execution(clone: Path) -> None:
    assert _cut_off(clone, seed=4, count=2) == 0


@pytest.mark.ci
def test_make_book_takes_some_chapters(clone: Path) -> None:
    told = run_in(clone, "make", "-n", "-o", "env", "book", "CHAPTERS=notation across")
    assert told.returncode == 0 and "tools/chapters.py run notation across\n" in told.stdout
    assert "tools/chapters.py run\n" in run_in(clone, "make", "-n", "-o", "env", "book").stdout.replace("run \n", "run\n")
