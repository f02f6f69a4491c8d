"""Build the HTML of the book from the committed outputs; every warning is an error, nothing is executed.

REPOSITORY=https://github.com/OWNER/NAME adds the repository, Binder and Colab buttons.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent))
from notebooks import ROOT  # noqa: E402

KNOWN_HOSTS = ("https://github.com/", "https://gitlab.com/", "https://bitbucket.org/")


def main() -> int:
    """Build, and say in one line what the file system does not allow."""
    try:
        return build_book()
    except OSError as error:
        print(f"error: {error}. Free some space or check the folder's permissions.", file=sys.stderr)
        return 1


def build_book() -> int:
    """Build into ``_build/html``; the exit code is Sphinx's, or 2 for an unusable REPOSITORY."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    repository = os.environ.get("REPOSITORY", "").rstrip("/")
    if repository:
        if not repository.startswith(KNOWN_HOSTS) or repository.count("/") != 4:
            print(f"error: REPOSITORY={repository!r} is not like https://github.com/OWNER/NAME", file=sys.stderr)
            return 2
        config["repository"] = {"url": repository, "branch": "main", "path_to_book": ""}
        config["html"] |= {"use_repository_button": True, "use_issues_button": True}
        config["launch_buttons"] |= {"binderhub_url": "https://mybinder.org", "colab_url": "https://colab.research.google.com"}
    build = ROOT / "_build"
    build.mkdir(exist_ok=True)
    made = build / "config.yml"
    made.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8", newline="\n")
    shutil.rmtree(build / "html", ignore_errors=True)
    start = "from jupyter_book.cli.main import main; main()"
    command = [sys.executable, "-c", start, "build", ".", "-W", "-n", "--keep-going", "--config", str(made)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "lib"), str(ROOT / "book" / "_ext")))}
    log = build / "html.log"
    with log.open("w", encoding="utf-8") as file:
        code = subprocess.run(command, cwd=ROOT, env=environment, stdout=file, stderr=subprocess.STDOUT).returncode
    text = log.read_text(encoding="utf-8")
    if code:
        wrong = [line for line in text.splitlines() if "WARNING" in line or "ERROR" in line]
        print("\n".join(wrong or text.splitlines()[-40:]), file=sys.stderr)
        print(f"error: the book did not build; the whole log is {log.relative_to(ROOT)}", file=sys.stderr)
        return code
    print("the book is _build/html/index.html")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
