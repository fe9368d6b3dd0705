# Each target creates what it needs: a machine with Python 3.11 and make is enough.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
PEERS := $(basename $(notdir $(wildcard tests/exchange/peers/*.txt)))

.PHONY: demo test test-peers lint ui bench clean

demo: $(VENV)/.installed
	ENVFACTORY_SIZE=small $(BIN)/envfactory demo

test: $(VENV)/.installed-dev lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

test-peers: $(VENV)/.installed-dev $(PEERS:%=.venv-peers/%/.installed)
	$(BIN)/python -m pytest -m peers tests/exchange

lint: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

ui: $(VENV)/.installed
	$(BIN)/envfactory ui

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.runtime --json
	$(BIN)/python -m benchmarks.line --json
	$(BIN)/python -m benchmarks.truth --json
	$(BIN)/python -m benchmarks.experience --json
	$(BIN)/python -m benchmarks.operations --json

clean:
	rm -rf $(VENV) .venv-peers build *.egg-info .mypy_cache .ruff_cache .pytest_cache

$(VENV)/.installed: pyproject.toml requirements.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

# torch is not in the lock: which build is right, and so its hash, depends on the machine.
$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.lock constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements-dev.lock
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt torch
	touch $@

# What other projects need clashes with what we need, and with one another.
.venv-peers/%/.installed: tests/exchange/peers/%.txt
	$(PYTHON) -m venv .venv-peers/$*
	.venv-peers/$*/bin/pip install --quiet --disable-pip-version-check -r $<
	for alone in $(wildcard tests/exchange/peers/$*.no-deps); do \
		.venv-peers/$*/bin/pip install --quiet --disable-pip-version-check --no-deps --ignore-requires-python -r $$alone; done
	touch $@
