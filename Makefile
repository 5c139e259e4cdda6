# The front door. Every target sets up .venv first, from whatever Python 3.11+ is at hand.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MINUTES ?= 15

.PHONY: help demo test hunt check format docs bench clean
.DEFAULT_GOAL := help

help:            ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# A stamp for each set of extras, so that the demo does not wait for the developers' tools.
$(VENV)/.user: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.user

$(VENV)/.bench: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	@touch $@

demo: $(VENV)/.user  ## assess a bundled example: summary on the terminal, report in demo/
	$(BIN)/unmask demo --out demo

test: $(VENV)/.dev   ## run the tests, on all cores; those of a cluster after them
	$(BIN)/python -m pytest tests --ignore=tests/docs --ignore=tests/spark -n auto --dist worksteal --durations=15
	$(BIN)/python -m pytest tests/spark --durations=5

hunt: $(VENV)/.dev   ## try to break it: bad input, corrupted files, kills, leaks (MINUTES=15 HUNT=--environments)
	$(BIN)/python -m tests.hostile --minutes $(MINUTES) $(HUNT)

check: $(VENV)/.dev  ## lint, types, layers, doctests, documentation with its examples
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest src tests/docs -n auto --dist worksteal
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

format: $(VENV)/.dev ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/.dev   ## serve the documentation while you write it
	$(BIN)/mkdocs serve

bench: $(VENV)/.bench ## measure speed and memory against other libraries
	$(BIN)/python -m bench
	$(BIN)/python -m bench.prl
	$(BIN)/python -m bench.febrl
	$(BIN)/python -m bench.learning
	$(BIN)/python -m bench.assignment
	$(BIN)/python -m bench.mechanism
	$(BIN)/python -m bench.anonymity
	$(BIN)/python -m bench.population
	$(BIN)/python -m bench.session
	$(BIN)/python -m bench.check
	$(BIN)/python -m bench.start
	$(BIN)/python -m bench.cost
	$(BIN)/python -m bench.wide 20000
	$(BIN)/python -m bench.reading
	$(BIN)/python -m bench.default
	$(BIN)/python -m bench.blocked
	$(BIN)/python -m bench.assignment --sizes --people 20000 200000
	$(BIN)/python -m bench.losses
	$(BIN)/python -m bench.study
	$(BIN)/python -m bench.study_kills
	$(BIN)/python -m bench.web
	$(BIN)/python -m bench.against a6baea3

clean:           ## remove what the other targets made
	rm -rf $(VENV) site demo .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
