# What a person runs, and continuous integration too. One profile serves everything, so that nothing is
# built twice.

SHELL := /bin/bash
MEMORY := cargo run --locked --quiet --package local --bin image-memory --
TOOLS := .dev/tools/bin
FUZZ := .dev/cargo-fuzz/bin/cargo-fuzz
MACHETE := .dev/machete/bin/cargo-machete
TYPES := .dev/types
CLIENTS := .dev/e2e

.PHONY: help demo dev test e2e check check-types generate pgbouncer

help:
	@echo "make demo         save ten photographs and find them again; judges the result"
	@echo "make dev          the server on 127.0.0.1:8787 over the same data"
	@echo "make test         all checks and all tests, on a real Postgres of their own"
	@echo "make e2e          real clients against the server"
	@echo "make check        format, lints, dependencies"
	@echo "make check-types  the types for clients and the examples over them"
	@echo "make fuzz         feed the parsers whatever breaks them, FUZZ_SECONDS each"
	@echo "make generate     write the files that follow from the code"

demo: build
	@$(MEMORY) demo

dev: build
	@$(MEMORY) dev

# Apart from running, so that a first build shows that it is under way.
.PHONY: build
build:
	@cargo build --locked --package local --bin image-memory

test: pgbouncer check check-types build
	@rm -rf target/test-logs
	$(MEMORY) with-postgres -- cargo test --locked --workspace
	@$(MAKE) --no-print-directory e2e

# The clients call the program that was built, and a server of fixtures for the conformance suite.
e2e: $(CLIENTS)/.complete
	@cargo build --locked --package local --bin image-memory --example mcp_fixtures
	@python3 tests/e2e/mcp_run.py

check: $(TOOLS)/.complete $(MACHETE)
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	$(TOOLS)/cargo-deny --locked --all-features check --hide-inclusion-graph bans licenses sources
	$(MACHETE)

# Whether schemas/openapi.json follows from the code is for the test of generated files.
check-types: $(TYPES)/.complete
	@.ci/types/check

generate: $(TYPES)/.complete
	UPDATE=1 cargo test --locked --package tests --test it -- generated::generated_files_are_up_to_date
	python3 .ci/types/generate.py schemas

# Seconds for each target.
FUZZ_SECONDS ?= 300

.PHONY: fuzz
fuzz: build $(FUZZ)
	@mkdir -p fuzz/corpus/mcp
	$(MEMORY) with-postgres -- env RUSTC_BOOTSTRAP=1 $(FUZZ) run --sanitizer none mcp fuzz/corpus/mcp fuzz/seeds/mcp -- \
	  -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=20 -print_final_stats=1

$(FUZZ):
	@cargo install --quiet --locked --root .dev/cargo-fuzz cargo-fuzz@0.13.2

# Binaries from the Python package index, pinned by hash: from source they take minutes.
$(TOOLS)/.complete: .ci/tools.txt
	@rm -rf .dev/tools
	@python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps \
	  --only-binary=:all: --require-hashes --target .dev/tools --requirement .ci/tools.txt || \
	  { echo "make check needs python3 with pip (Debian: apt-get install python3-pip) and a network, once" >&2; exit 1; }
	@touch $@

# The makers of types for clients, which take a quarter of a minute once in a checkout.
$(TYPES)/.complete: $(wildcard .ci/types/*.txt .ci/types/package*.json) .ci/types/bring
	@.ci/types/bring

# SDKs, the inspector and the conformance suite of MCP, which take half a minute once in a checkout.
$(CLIENTS)/.complete: $(wildcard .ci/e2e/*.txt .ci/e2e/package*.json) .ci/e2e/bring .ci/types/node.txt
	@.ci/e2e/bring

# Three minutes of CPU, once in a checkout.
$(MACHETE):
	@cargo install --quiet --locked --root .dev/machete cargo-machete@0.9.2

# A package of the system: the tests run the store behind a real PgBouncer.
pgbouncer:
	@PATH="$$PATH:/usr/sbin"; \
	if command -v pgbouncer >/dev/null; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "installing pgbouncer"; \
	  (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq pgbouncer) >/dev/null && exit 0; \
	fi; \
	echo "make test needs PgBouncer: run 'sudo apt-get install pgbouncer'. It is supported on Debian-like Linux." >&2; \
	exit 1
