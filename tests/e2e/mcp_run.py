"""Tries the server with real clients: the program of the checkout over a data directory of its own, and a driver
for each client. `make e2e` brings what it needs; to run some of them alone, name them:

    python3 tests/e2e/mcp_run.py mcp_python mcp_inspector

A driver is a file beside this one. It finds the server in the environment (E2E_…), prints a line of JSON for
each row of the matrix, and ends with another code than 0 when anything is not as it should be.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mcp_server import BINARY, FIXTURES, ROOT, Server

HERE = Path(__file__).parent
BROUGHT = ROOT / ".dev/e2e"
NODE = BROUGHT / "bin/node"

# The longest first.
DRIVERS = (
    "mcp_inspector.py",
    "mcp_typescript_v1.mjs",
    "mcp_typescript_v2.mjs",
    "mcp_python.py",
    "mcp_examples.py",
    "mcp_conformance.py",
)

# Longest that one driver may take; all of them together take a minute and a half.
DRIVER_SECONDS = 300

# Drivers that run at the same time. Each has its own data in process, and tags of its own on the server.
AT_ONCE = 2


def missing() -> str | None:
    """What has to be there and is not, in a sentence."""
    if sys.version_info < (3, 11):
        return "the clients need python3, 3.11 or later"
    for path, remedy in (
        (BROUGHT / ".complete", "the clients are not there: run `make e2e`, or .ci/e2e/bring"),
        (BINARY, "the server is not built: run `make e2e`, or `make build`"),
        (FIXTURES, "the server of the fixtures is not built: run `make e2e`"),
    ):
        if not path.exists():
            return remedy
    return None


def environment(server: Server, room: Path, driver: str) -> dict[str, str]:
    home = room / driver
    home.mkdir()
    of_the_machine = {name: value for name, value in os.environ.items() if "IMAGE_MEMORY" not in name}
    return of_the_machine | {
        "E2E_URL": server.url,
        "E2E_KEY": server.key,
        "E2E_BINARY": str(BINARY),
        "E2E_NODE": str(NODE),
        "E2E_PACKAGES": str(BROUGHT / "npm/node_modules"),
        "E2E_ROOM": str(home),
        "E2E_DATA": str(home / "data"),
        "E2E_PHOTO": str(ROOT / "tests/fixtures/photos/horse.png"),
        # The inspector keeps a store in the home directory, which is not to be the user's.
        "HOME": str(home),
        "PYTHONPATH": str(BROUGHT / "python"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def drive(server: Server, room: Path, driver: str) -> tuple[list[dict], str | None]:
    """Rows of the matrix, and what went wrong."""
    began = time.monotonic()
    rows, fault = _drive(server, room, driver)
    print(f"{Path(driver).stem}: {time.monotonic() - began:.0f} s", flush=True)
    return rows, fault


def _drive(server: Server, room: Path, driver: str) -> tuple[list[dict], str | None]:
    program = NODE if driver.endswith(".mjs") else sys.executable
    try:
        ended = subprocess.run(
            [program, HERE / driver],
            cwd=ROOT,
            env=environment(server, room, driver),
            capture_output=True,
            text=True,
            timeout=DRIVER_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return [], f"it did not end within {DRIVER_SECONDS} seconds"
    lines = ended.stdout.splitlines()
    rows = [json.loads(line) for line in lines if line.startswith("{")]
    rest = [line for line in lines if not line.startswith("{")]
    if ended.returncode == 0 and rows:
        return rows, None
    return rows, "\n".join([*rest, ended.stderr.strip() or "it said nothing"])


def matrix(rows: list[dict]) -> str:
    header = {"client": "client", "transport": "transport", "protocol": "protocol", "calls": "calls"}
    columns = list(header)
    table = [header, *rows]
    widths = [max(len(str(row[column])) for row in table) for column in columns]
    lines = []
    for row in table:
        cells = (str(row[column]).ljust(width) for column, width in zip(columns, widths))
        lines.append("  ".join([*cells, "" if row is header else "ok"]).rstrip())
    return "\n".join(lines)


def main() -> None:
    if complaint := missing():
        sys.exit(complaint)
    wanted = sys.argv[1:]
    chosen = [name for name in DRIVERS if not wanted or Path(name).stem in wanted]
    if len(chosen) < len(set(wanted)):
        sys.exit(f"drivers are {', '.join(Path(name).stem for name in DRIVERS)}")
    rows, faults = [], []
    with tempfile.TemporaryDirectory(prefix="image-memory-e2e-") as room:
        with Server.real(Path(room) / "server") as server, ThreadPoolExecutor(AT_ONCE) as pool:
            driven = pool.map(lambda driver: drive(server, Path(room), driver), chosen)
            for driver, (told, fault) in zip(chosen, driven):
                rows += told
                if fault:
                    faults.append(f"{driver}: {fault}")
        print(matrix(rows))
        if faults:
            sys.exit("\n\n".join([*faults, f"the server said:\n{server.log.read_text()[-3000:]}"]))


if __name__ == "__main__":
    main()
