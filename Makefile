# Two commands are enough: `make demo` and `make check`. Both set up all they need in .venv.

PYTHON ?= python3
EXTRAS ?= dev
BIN := .venv/bin
READY := .venv/ready
BOOKS := $(wildcard tables/*.xlsx)
LOGS := $(wildcard tables/*.sample.jsonl)

# What is compiled is kept, as Python does unless it is told otherwise: a test run starts hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := demo
.PHONY: demo quick check full format lint types test search golden docs reports bench clean

demo: $(READY)  ## check the workbooks, run their examples, print their pages, answer the sample logs
	$(BIN)/dtables check $(BOOKS)
	$(BIN)/dtables test $(BOOKS)
	$(BIN)/dtables print $(BOOKS) -o build/pages
	@for log in $(LOGS); do \
	  game=$$(basename $$log .sample.jsonl); \
	  echo "$$log -> build/$$game.answers.jsonl"; \
	  $(BIN)/dtables eval tables/$$game.xlsx $$log -o build/$$game.answers.jsonl || exit 1; \
	done

quick: format lint  ## most tests in a minute, none that needs a tool, a whole game or long; `make quick K=checker`: one room
	DTABLES_QUICK=1 $(BIN)/pytest -n auto --dist loadgroup tests/$(K)

check: format lint  ## format, lint, types beside tests; of what is drawn or swept a third
	$(MAKE) --jobs=2 types test

full: format lint types  ## the same, and nothing thinned
	DTABLES_FULL=1 $(BIN)/pytest -n auto --dist loadgroup

format: $(READY)
	$(BIN)/ruff format --check src tests benchmarks

lint: $(READY)
	$(BIN)/ruff check src tests benchmarks

types: $(READY)
	$(BIN)/mypy

test: $(READY)
	$(BIN)/pytest -n auto --dist loadgroup

search: $(READY)  ## the tests that draw at random, with what they have not drawn before
	DTABLES_SEARCH=1 $(BIN)/pytest -n auto --dist loadgroup -m hypothesis

golden: $(READY)  ## rewrite the expected files of the tests; read the difference before committing
	DTABLES_GOLDEN=write $(BIN)/pytest -n auto tests/test_cases.py tests/cli/test_transcripts.py tests/cli/test_codes_of_files.py tests/games/test_explanations.py tests/frozen tests/mutation

docs: $(READY)  ## rewrite the pages that are made from the code and the workbooks
	$(BIN)/python -m tests.support.pages

reports: $(READY)  ## print the pages of all workbooks again, with an index that shows them
	$(BIN)/python -m tests.support.reports

bench: $(READY)  ## what is measured, as ratios side by side; `python -m benchmarks --list` says what there is
	$(BIN)/python -m benchmarks

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	touch $@

clean:
	rm -rf .venv build .pytest_cache .mypy_cache .ruff_cache .hypothesis
