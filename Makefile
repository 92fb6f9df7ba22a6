# `make run` starts the simulator, `make test` checks everything; both set up what they need.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --only-binary :all: --constraint constraints.txt
SOURCES := src tests examples

.PHONY: run test check kernels bench soak docs proto town plots clean

run: .venv/core
	@$(BIN)/dorosim run $(ARGS)

# a process of pytest on each processor; `make test ARGS="-n 0 tests/world"` does without
test: .venv/test
	@$(MAKE) --no-print-directory --jobs 2 kernels check
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal $(ARGS)

check: .venv/test
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports

# once and not by each process of pytest
kernels: .venv/test
	@$(BIN)/python -m dorosim.app.compile

bench: .venv/bench
	$(BIN)/dorosim bench $(ARGS)

soak: .venv/test
	$(BIN)/python -m pytest -m soak $(ARGS)

docs: .venv/core
	$(BIN)/python -m dorosim.app.reference docs/reference

proto: .venv/test
	$(BIN)/python -m dorosim.app.proto

.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "dorosim needs Python 3.11 or newer; say which with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/core: .venv/python pyproject.toml constraints.txt
	@echo "installing dorosim into .venv"
	@$(PIP) --editable .
	@$(BIN)/python -m compileall -q src
	@touch $@

.venv/test: .venv/core
	@echo "installing what the tests need"
	@$(PIP) --editable '.[test]'
	@touch $@

# the peer that traffic is measured beside; without it the bench says so and goes on
.venv/bench: .venv/test
	@echo "installing SUMO, which the bench measures beside"
	@$(PIP) --editable '.[bench]' && touch $@ || echo "SUMO cannot be installed here; its figures will be missing"

town: .venv/test
	$(BIN)/python -m dorosim.app.town .

plots: .venv/test
	$(BIN)/python -m dorosim.app.plot docs/images

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
