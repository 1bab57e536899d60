# Two commands matter: `make demo` (set-up and the main job) and `make test` (set-up and all tests).

UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
RUN := $(UV) run --frozen
# The machine's own certificates count, also those of a company's proxy.
export UV_SYSTEM_CERTS ?= 1

.PHONY: setup engine demo check test bench bench-switch soak mutate clean

setup: $(filter .uv/bin/uv,$(UV))
	@$(UV) sync --frozen --quiet

.uv/bin/uv:
	python3 -m venv .uv
	.uv/bin/pip install --quiet uv

engine: setup
	@$(RUN) python -m devkit engine

demo: setup
	@$(RUN) python -m devkit.demo

check: setup
	$(RUN) ruff format --check .
	$(RUN) ruff check .
	$(RUN) mypy

test: check engine
	$(RUN) pytest tests/schedule tests/deliver tests/conformance tests/model/test_webster.py -n 2 -q \
		--cov=fleet.schedule --cov=fleet.deliver --cov=fleet.model.webster --cov-branch --cov-report=term:skip-covered \
		--cov-fail-under=100
	$(RUN) pytest -q --doctest-modules fleet
	$(RUN) pytest -q -m "not engine and not live" -n 2 --ignore=tests/schedule --ignore=tests/deliver \
		--ignore=tests/conformance --ignore=tests/model/test_webster.py
	$(RUN) pytest -m "(engine or live) and not soak" --timeout=900

bench: setup
	@$(RUN) python -m bench.placing
	@$(RUN) python -m bench.loading

bench-switch: engine
	@$(RUN) python -m bench.switching

soak: engine
	@$(RUN) python -m tests.soak --runs 100
	$(RUN) pytest -m soak --timeout=900

mutate: setup
	@$(RUN) python -m devkit.mutate

clean:
	-@$(RUN) python -m devkit down
	rm -rf mutants .devkit .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
