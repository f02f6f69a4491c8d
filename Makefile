# planarcontact: `make book` builds the book, `make test` checks it. `make help` lists the rest.
PYTHON ?= python3
NAME ?=
CHAPTERS ?=
PARAMS ?=
ARGS ?=
TESTS ?= tests book
export REPOSITORY UPDATE PARAMS

PY = .venv/bin/python
PYTEST = "$(PY)" -m pytest -n 2 --dist loadfile

.PHONY: help env book html chapter test-quick test test-slow study benchmarks pictures pdf lock clean

help:
	@echo "make book         install from the lock, execute every chapter, build the HTML [CHAPTERS=\"dynamics across\": these alone]"
	@echo "make html         build the HTML from the committed outputs (nothing executed)"
	@echo "make chapter NAME=dynamics [PARAMS=\"step=0.005\"] [UPDATE=1]"
	@echo "make test-quick   units and properties"
	@echo "make test         all that CI checks"
	@echo "make test-slow    the long campaigns; each renews its row of book/campaigns.csv"
	@echo "make study        the identification studies of document 3, all trials, resumable"
	@echo "make benchmarks   the measurements behind the benchmarks page"
	@echo "make pictures     redraw the reference pictures of the figures"
	@echo "make pdf          each page, and the whole book, as PDF (needs Chromium)"
	@echo "make lock         renew requirements.lock from pyproject.toml (needs uv)"

env:
	@"$(PYTHON)" tools/install.py

book: env
	@"$(PY)" tools/chapters.py run $(CHAPTERS)
	@"$(PY)" tools/build_html.py

html: env
	@"$(PY)" tools/build_html.py

chapter: env
	@test -n "$(NAME)" || { echo "error: name a chapter: make chapter NAME=dynamics" >&2; exit 2; }
	@"$(PY)" tools/chapters.py run $(NAME) --set "$$PARAMS"

test-quick: env
	@$(PYTEST) -m "not ci and not slow and not browser" $(ARGS) tests

test: env
	@$(PYTEST) -m "not slow" --mpl --nbval --nbval-current-env --nbval-cell-timeout=600 --nbval-sanitize-with=tests/nbval.cfg $(ARGS) $(TESTS)

test-slow: env
	@"$(PY)" -m pytest -m slow $(ARGS) tests

study: env
	@"$(PY)" tools/study.py $(ARGS)

benchmarks: env
	@"$(PY)" tools/benchmarks.py $(ARGS)

pictures: env
	@"$(PY)" -m pytest -q --mpl-generate-path=tests/pictures tests/book/test_pictures.py

pdf: html
	@"$(PY)" tools/pdf.py

lock:
	@uv pip compile --quiet --universal --fork-strategy fewest --generate-hashes --python-version 3.11 --extra test \
	  --no-emit-index-url --no-header --constraint tools/lock-constraints.txt pyproject.toml -o requirements.lock

clean:
	@rm -rf _build .pytest_cache
