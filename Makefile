# make audit   set up, run the default audit on the embedded model, print where the report is
# make test    set up, run the tests that a change can break
# make test-all    the same, then the slow ones: simulations, sweeps, peers, speed
# Nothing is needed but Python 3.11 or newer and a package index.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: audit test test-slow test-all lint types format bench clean

audit: $(VENV)/run.stamp
	$(BIN)/slant audit

# Many tests wait for a browser, a server or a process: three share two cores.
PYTEST = $(BIN)/python -m pytest -n $$($(BIN)/python -c 'import os; print((os.cpu_count() or 1) * 3 // 2)')

test: $(VENV)/dev.stamp
	$(PYTEST) -m 'not slow'

test-slow: $(VENV)/dev.stamp
	$(PYTEST) -m slow

test-all: test
	@$(MAKE) --no-print-directory test-slow

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev.stamp
	$(BIN)/mypy

format: $(VENV)/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/bench.stamp
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache build dist

# The environment is made anew only when what it is made from has changed.
$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "slant needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 …")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --constraint constraints.txt pip

$(VENV)/run.stamp: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) install --quiet --constraint constraints.txt --editable '.[local,scorers,text,web]'
	@touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp
	$(PIP) install --quiet --constraint constraints.txt --group dev
	@$(MAKE) --no-print-directory $(VENV)/axe/axe.min.js || echo "npm is missing or has no index: tests of accessibility are skipped"
	@touch $@

# The judge of accessibility, which its makers publish for npm.
$(VENV)/axe/axe.min.js:
	@mkdir -p $(@D)
	@cd $(@D) && npm pack --silent axe-core@4.14.1 >/dev/null && tar -xzf axe-core-4.14.1.tgz --strip-components 1 package/axe.min.js

# The peers that speed is compared with.
$(VENV)/bench.stamp: $(VENV)/dev.stamp
	$(PIP) install --quiet --constraint constraints.txt --group bench
	@touch $@
