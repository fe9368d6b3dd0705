# Each target creates what it needs: a machine with Python 3.11 and make is enough.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2

.PHONY: demo test lint ui bench clean

demo: $(VENV)/.installed
	$(BIN)/envfactory demo

test: $(VENV)/.installed-dev lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

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
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache

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
