# Needs Python 3.11 or newer, git, make and a package index; everything else goes into .venv.

PYTHON ?= $(shell python3.11 -c '' 2>/dev/null && echo python3.11 || echo python3)
# An index that offers torch's CPU build; empty: whatever your package index gives.
TORCH_INDEX ?=

BIN := .venv/bin
TORCH := torch==2.13.0
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
COMPILE := $(BIN)/pip-compile --quiet --generate-hashes --strip-extras --no-header --no-annotate --unsafe-package torch \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host

.DEFAULT_GOAL := help
.PHONY: help demo install dev test check chaos bench format lock clean

help:  ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

demo: install  ## the whole story on a made-up company: no account, no key
	@$(BIN)/brain demo

install: .venv/installed  ## what `brain` needs to run
dev: .venv/installed-dev  ## and what its tests need

test: dev  ## every test but the long ones
	$(BIN)/pytest

check: dev  ## style, types, imports, architecture, unit and golden tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q tests/test_architecture.py tests/unit tests/golden

chaos: dev  ## kills servers and workers for some minutes
	$(BIN)/pytest -m chaos

bench: dev  ## measures on large data
	$(BIN)/pytest -m bench -s

format: dev  ## lays out the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: dev  ## resolves pyproject.toml again into the two lock files
	$(COMPILE) --upgrade --output-file .venv/run.lock pyproject.toml
	$(COMPILE) --upgrade --extra dev --constraint .venv/run.lock --output-file .venv/dev.lock pyproject.toml
	grep -v '^#' .venv/run.lock | sed '/^$$/d' > requirements.lock
	grep -v '^#' .venv/dev.lock | sed '/^$$/d' > requirements-dev.lock

clean:  ## removes what was installed and cached here
	rm -rf .venv build *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=/path/to/it" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	@touch $@

# torch comes first and by itself: its builds differ by machine, so the locks hold neither its hash nor its file.
.venv/torch: | .venv/made
	$(PIP) $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) $(TORCH)
	@touch $@

.venv/installed: requirements.lock pyproject.toml | .venv/torch
	$(PIP) --no-deps --require-hashes -r requirements.lock
	$(PIP) --no-deps --config-settings editable_mode=compat --editable .
	@touch $@

.venv/installed-dev: requirements-dev.lock | .venv/installed
	$(PIP) --no-deps --require-hashes -r requirements-dev.lock
	@touch $@
