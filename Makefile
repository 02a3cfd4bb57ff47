# Two commands do everything on a fresh machine with Python 3.11+:
#   make app    install and start the app
#   make test   install and run the whole test suite
# On request: make tables (published tables), make bench (speed), make attack (fuzzed
# links and files, runners killed again and again, a person's timing, twenty visitors at
# once), make docs (the documentation as HTML), make pictures (of every page, for docs),
# make lint, make bundles (after a change of JavaScript), make clean

PYTHON ?= python3
VENV := .venv
# Three are no faster on two cores; BLAS threads of their own would only spin.
WORKERS ?= 2
BIN := $(VENV)/bin
NODE := $(BIN)/python -m tests.javascript
TOOLS := node_modules/.package-lock.json

.PHONY: app test ruff lint bundles tables bench attack docs pictures clean help

help:
	@sed -n '1,7p' Makefile

app: $(VENV)/app.stamp
	$(BIN)/python -m streamlit run app.py

# On a fresh checkout numba has 40 s to compile: once here, not in every worker and every
# server of the browser tests at the same time. When all is compiled it takes 5 s.
# What npm lints is a test too.
test: $(VENV)/test.stamp $(TOOLS) ruff
	$(BIN)/python -m halfmoon.pages._parts.running.warming
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

ruff: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lint: ruff $(TOOLS)
	$(NODE) npm run --silent lint

# The bundles that the app loads are committed: after a change of JavaScript.
bundles: $(TOOLS)
	$(NODE) npm run --silent format
	$(NODE) npm run --silent build

# Finished cells are kept: a second run computes only what is missing. Where data are not
# here the run says so, and the tables are made of what there is.
tables: $(VENV)/test.stamp
	-$(BIN)/python -m halfmoon experiments run --jobs $(WORKERS)
	$(BIN)/python -m halfmoon experiments report --out docs/tables
	$(BIN)/python -m tests.tables.defaults
	$(BIN)/python -m tests.tables.model_selection
	$(BIN)/python -m pytest -m slow -s tests/tables

attack: $(VENV)/test.stamp
	$(BIN)/python -m pytest -m slow -s tests --ignore tests/tables
	$(BIN)/python -m tests.load.visitors --visitors 20 --seconds 120
	$(BIN)/python -m tests.load.solving --visitors 20 --seconds 180

# The examples of the gallery are run; a warning is an error.
docs: $(VENV)/docs.stamp
	rm -rf docs/source/api docs/source/algorithms
	$(BIN)/python -m sphinx -W --keep-going -q docs/source docs/build
	@echo "The documentation is in docs/build/index.html."

pictures: $(VENV)/test.stamp
	$(BIN)/python -m tests.browser.pictures

bench: $(VENV)/bench.stamp
	$(BIN)/python -m pytest -m benchmark -s tests/benchmarks

clean:
	rm -rf $(VENV) node_modules

$(VENV)/pip.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	  "Halfmoon needs Python 3.11 or newer, this is %s; try make PYTHON=python3.12" \
	  % sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	@touch $@

$(VENV)/app.stamp: requirements.txt requirements/library.txt requirements/app.txt $(VENV)/pip.stamp
	$(BIN)/python -m pip install --quiet -r requirements.txt
	@touch $@

$(VENV)/test.stamp: tests/requirements.txt $(wildcard requirements/*.txt) $(VENV)/app.stamp
	$(BIN)/python -m pip install --quiet -r tests/requirements.txt
	@touch $@

$(VENV)/docs.stamp: docs/requirements.txt $(VENV)/app.stamp
	$(BIN)/python -m pip install --quiet -r docs/requirements.txt
	@touch $@

# Linter, type checker and bundler of the JavaScript, run by the node of a wheel.
$(TOOLS): package-lock.json $(VENV)/test.stamp
	$(NODE) npm ci --silent
	@touch $@

# Peers are no requirements: one that does not install is told, and its rows are skipped.
$(VENV)/bench.stamp: tests/requirements-bench.txt $(VENV)/test.stamp
	-$(BIN)/python -m pip install --quiet -r tests/requirements-bench.txt
	-$(BIN)/python -m pip install --quiet --no-deps "semisupervised==0.0.28"
	@touch $@
