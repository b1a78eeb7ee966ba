# The first two targets are all that a newcomer needs: `make demo` and `make test` set up what they use.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SOURCES := arreio services shared contracts/arreio_contracts migrations tests benchmarks evals deploy

comma := ,

# uv trusts what the system trusts, as pip does.
export UV_SYSTEM_CERTS := 1
export UV_NATIVE_TLS := 1

.PHONY: demo test lint bytecode bench chaos eval-local up lock schemas deployment audit clean setup browser network
.DEFAULT_GOAL := demo

demo: $(READY)
	$(BIN)/python -m arreio.demo

test: $(READY) browser network lint bytecode
	$(BIN)/python -m pytest -n 2 --dist worksteal

# The tests that look at pages need Chromium: root on Debian gets it, anyone else's are skipped without it.
APT := DEBIAN_FRONTEND=noninteractive timeout 600 apt-get -qq -o DPkg::Lock::Timeout=300
CHROMIUM := install -y --no-install-recommends chromium fonts-dejavu-core
browser:
	@for name in chromium chromium-browser google-chrome-stable google-chrome chrome; do \
		command -v $$name >/dev/null && exit 0; \
	done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		$(APT) $(CHROMIUM) >/dev/null 2>&1 || { $(APT) update && $(APT) $(CHROMIUM); } >/dev/null 2>&1; \
	fi; \
	command -v chromium >/dev/null || echo "no browser: the tests that look at pages are skipped (apt-get install chromium)"

# The test of several hosts makes network namespaces, by iproute2 and as root.
network:
	@if ! command -v ip >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		$(APT) install -y iproute2 >/dev/null 2>&1 || { $(APT) update && $(APT) install -y iproute2; } >/dev/null 2>&1; \
	fi; \
	command -v ip >/dev/null || echo "no iproute2: the test of several hosts is skipped (apt-get install iproute2)"

# The tests start thousands of programs, sooner where their bytecode lies ready, also where Python may write none.
bytecode: $(READY)
	$(BIN)/python -m compileall -q -j 2 arreio services shared contracts/arreio_contracts migrations tests/support

lint: $(READY)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check --quiet $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/python -m benchmarks

# 200 tasks while everything is killed, stopped and cut off: make chaos [SEED=N] [TASKS=N]
chaos: $(READY)
	$(BIN)/python -m tests.chaos --tasks $(or $(TASKS),200) $(if $(SEED),--seed $(SEED))

# The table of docs/evals.md: make eval-local MODEL=FILE.gguf [TASKS=tuning] [SEEDS=3] [ARMS=harness,bare]
eval-local: $(READY)
	nice -n 10 $(BIN)/python -m evals $(if $(MODEL),--model $(MODEL)) --tasks $(or $(TASKS),all) --seeds $(or $(SEEDS),3) \
		--arms $(or $(ARMS),harness$(comma)bare)

up: $(READY)
	$(BIN)/arreio up

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	python3 -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes -r requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	touch $(READY)

lock: $(READY)
	$(BIN)/uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --all-extras pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header -c requirements.lock --extra build --extra slack --extra telegram \
		pyproject.toml -o requirements.image.lock

schemas: $(READY)
	$(BIN)/python -m arreio_contracts.generate contracts
	$(BIN)/python -m services.gateway.http docs/openapi.json

# What of the deployment follows from the code (deploy/, k8s/).
deployment: $(READY)
	$(BIN)/python -m deploy.render

# What the image holds (build/sbom.cdx.json), and what is known against it.
audit: $(READY)
	$(BIN)/python -m deploy.audit

clean:
	rm -rf $(VENV) build dist *.egg-info contracts/*.egg-info contracts/build contracts/dist
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
