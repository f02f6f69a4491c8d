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
from notebooks import chapters
from scratch import run_in, status

SEED, ALL = 20261130, chapters()
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


class _Interruptions:
    """Interrupted runs of `make book` in one clone, and what was wrong after each."""

    def __init__(self, clone: Path, log: Path):
        self.clone, self.log, self.random = clone, log, np.random.default_rng(SEED)
        self.kinds = [int(kind) for kind in self.random.permutation([signal.SIGINT, signal.SIGKILL] * 10)]
        self.hits: list[str] = []
        self.failures: list[str] = []
        self.before = _contents(clone)

    def run(self, chapters: list[str], wait_for: str, wait: float) -> str:
        """Start `make book`, send a signal some seconds after a line of its output; return the part hit, empty if it was over."""
        run = _started(self.clone, *_make("book", f"CHAPTERS={' '.join(chapters)}"), log=self.log)
        while run.poll() is None and not re.search(wait_for, self.text()):
            time.sleep(0.1)
        try:
            run.wait(timeout=wait)
        except subprocess.TimeoutExpired:
            kind, hit = self.kinds[len(self.hits)], _reached(self.log)
            os.killpg(run.pid, kind)
            run.wait(timeout=120)
            self.hits.append(hit)
            self.check(f"{signal.Signals(kind).name} in {hit}")
            return hit
        if run.returncode:
            self.failures.append(f"a run that was not interrupted: {self.text()[-1500:]}")
        return ""

    def text(self) -> str:
        return self.log.read_text("utf-8", errors="replace")

    def completed(self) -> list[str]:
        """Chapters that the run executed to their end."""
        return re.findall(r"^(\w+): (?:as committed|written)$", self.text(), re.M)

    def check(self, when: str) -> None:
        """The tree is as before, but for the stamps of chapters that were executed to their end."""
        changed = {name for name, found in _contents(self.clone).items() if found != self.before.get(name)}
        wrong = changed - {f"book/{name}.ipynb" for name in self.completed()}
        others = [line for line in status(self.clone).splitlines() if line[3:].strip('"') not in changed]
        if wrong or others:
            self.failures.append(f"{when}: changed {sorted(wrong)} {others}")
            subprocess.run(["git", "checkout", "-q", *sorted(wrong)], cwd=self.clone, check=bool(wrong))
        for name in changed - wrong:
            nbformat.validate(nbformat.read(self.clone / name, as_version=4))
        _commit(self.clone)
        self.before = _contents(self.clone)
        deadline = time.monotonic() + 60
        while (running := _left_running(self.clone)) and time.monotonic() < deadline:
            time.sleep(0.5)
        if running:
            self.failures.append(f"{when}: still running {running}")

    def then(self, *words: str) -> None:
        """The next command completes."""
        again = run_in(self.clone, *_make(*words), timeout=1800)
        if again.returncode:
            self.failures.append(f"make {' '.join(words)} afterwards: {again.stdout[-500:]} {again.stderr[-1000:]}")


@pytest.mark.slow
def test_twenty_interrupted_runs_of_make_book(clone: Path, tmp_path: Path, campaign: Callable[..., None]) -> None:
    _environment(clone)
    made, begun = _Interruptions(clone, tmp_path / "log"), time.monotonic()
    made.then("html")
    html_time, todo, passes = time.monotonic() - begun, list(ALL), 1
    while len(made.hits) < 14:  # the chapter that was cut off is executed to its end before the next signal may come
        hit = made.run(todo, rf"(?m)^{todo[0]}: (?:as committed|written)$", made.random.exponential(15.0))
        if todo[0] not in made.completed():
            made.failures.append(f"{todo[0]} was not completed by the run after it was cut off: {made.text()[-800:]}")
        todo = todo[len(made.completed()) :]
        if hit in ("", HTML) or not todo:
            todo, passes = list(ALL), passes + 1
    quick = todo[:1] if len(todo) > 1 else ["notation"]
    for _ in range(3):
        made.run(quick, "", made.random.uniform(0.0, 2.0))
        made.then("env")
    for _ in range(3):
        hit = ""
        while not hit:
            hit = made.run(["notation"], "(?m)^scoreboard", made.random.uniform(0.0, html_time))
        made.then("html")
    last = run_in(clone, *_make("book"), timeout=3600)
    if last.returncode or any(f"{name}: written" not in last.stdout and f"{name}: as committed" not in last.stdout for name in ALL):
        made.failures.append(f"the last, whole run: {last.returncode} {last.stdout[-1500:]} {last.stderr[-1500:]}")
    stale = [name for name in ALL if f"{name}: written" in last.stdout]
    if {line[3:] for line in status(clone).splitlines()} - {f"book/{name}.ipynb" for name in stale}:
        made.failures.append(f"the last, whole run changed {status(clone)}")
    where = Counter(hit if hit in (START, HTML) else "chapters" for hit in made.hits)
    note = (
        f"10 by Ctrl-C, 10 killed; hit {where['chapters']} chapter executions ({len(set(made.hits) - {START, HTML})} of the {len(ALL)} chapters), "
        f"{where[HTML]} html builds, {where[START]} starts (install's check); 14 at random times of a pass through the whole book in which the next "
        "run begins with the chapter that was cut off and must end it, 6 at random times of the start and of the html build; after each no file of "
        f"the tree but the stamps of completed chapters had changed; one whole run at the end, {len(ALL) - len(stale)} chapters as committed"
    )
    campaign(name="make book interrupted", seed=SEED, count=len(made.hits), failures=len(made.failures), note=note)
    assert made.failures == [], "\n".join(made.failures)


@pytest.mark.ci
def test_an_interrupted_execution(clone: Path) -> None:
    assert _cut_off(clone, seed=4, count=2) == 0


@pytest.mark.ci
def test_make_book_takes_some_chapters(clone: Path) -> None:
    told = run_in(clone, "make", "-n", "-o", "env", "book", "CHAPTERS=notation across")
    assert told.returncode == 0 and "tools/chapters.py run notation across\n" in told.stdout
    assert "tools/chapters.py run\n" in run_in(clone, "make", "-n", "-o", "env", "book").stdout.replace("run \n", "run\n")
