"""The official conformance suite, in each protocol version that it knows: the server's own scenarios against
the server, and those that ask for tools of the suite's against mcp_fixtures, which stands behind the same front.
mcp_conformance.json says which runs where, and why some run nowhere.

    python3 tests/e2e/mcp_run.py mcp_conformance
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path

from mcp_proxy import Proxy
from mcp_server import Server

HERE = Path(__file__).parent
ROOM = Path(os.environ["E2E_ROOM"])
SUITE = [
    os.environ["E2E_NODE"],
    f"{os.environ['E2E_PACKAGES']}/@modelcontextprotocol/conformance/dist/index.js",
]
TABLE = json.loads((HERE / "mcp_conformance.json").read_text())
NEEDS_FIXTURES = set(TABLE["checks_of_fixtures_alone"]["ids"])

SUITE_SECONDS = 120


def applicable() -> dict[str, set[str]]:
    """The suite's scenarios for servers, with the versions for which each is."""
    listed = subprocess.run([*SUITE, "list", "--server"], capture_output=True, text=True, check=True)
    found = re.findall(r"^ +- (\S+) \[(.*)\]$", listed.stdout, re.MULTILINE)
    return {name: set(versions.split(",")) for name, versions in found}


def untold(scenarios: set[str]) -> list[str]:
    """Where the suite and the table differ."""
    runs = {*TABLE["real"], *TABLE["fixtures"]}
    nowhere = [pattern for pattern in TABLE["outside"] if "@" not in pattern]
    faults = []
    for name in sorted(scenarios):
        left_out = any(fnmatch(name, pattern) for pattern in nowhere)
        if left_out == (name in runs):
            faults.append(f"{name} stands {'twice' if left_out else 'nowhere'} in mcp_conformance.json")
    faults += [f"the suite has no {name} any more" for name in sorted(runs - scenarios)]
    for pattern in nowhere:
        if not any(fnmatch(name, pattern) for name in scenarios):
            faults.append(f"the suite has no {pattern} any more")
    return faults


@contextmanager
def target(kind: str) -> Iterator[str]:
    """A server behind a proxy, whose origin it allows; the address of the proxy."""
    make = {"real": Server.real, "fixtures": Server.fixtures}[kind]
    proxy = Proxy()
    with make(ROOM / kind, ASSET_HTTP_ALLOWED_ORIGINS=proxy.url) as server:
        proxy.before(server.url, server.key)
        yield proxy.url
        proxy.close()


def suite(url: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [*SUITE, "server", "--url", f"{url}/mcp", *options]
    return subprocess.run(command, cwd=ROOM, capture_output=True, text=True, timeout=SUITE_SECONDS)


def checks(url: str, kind: str, version: str) -> dict[str, list[dict]]:
    """Runs all scenarios of a version; the checks of each."""
    results = ROOM / f"{kind}-{version}"
    ended = suite(url, "--suite", "all", "--spec-version", version, "--output-dir", str(results))
    found = {}
    for path in results.glob("**/checks.json"):
        name = re.fullmatch(r"server-(.+)-\d{4}-\d\d-\d\dT.*", path.parent.name)[1]
        found[name] = json.loads(path.read_text())
    if not found:
        sys.exit(f"{kind}, {version}: the suite did nothing\n{ended.stdout[-2000:]}{ended.stderr}")
    return found


def wrong(found: list[dict]) -> str | None:
    """What failed. A warning is wrong too: none is needed."""
    bad = [check for check in found if check["status"] in ("FAILURE", "WARNING")]
    if not found:
        return "no check was made"
    said = [f"{check['id']}: {check.get('errorMessage') or check['description']}" for check in bad]
    return "\n".join(said) or None


def judge(url: str, kind: str, version: str, chosen: list[str]) -> tuple[str, list[str]]:
    """What passed, in words, and what is wrong."""
    elsewhere = NEEDS_FIXTURES if kind == "real" else set()
    found = checks(url, kind, version)
    faults, passed = [], 0
    for name in chosen:
        made = [check for check in found.get(name, []) if check["id"] not in elsewhere]
        if says := wrong(made):
            faults.append(f"{kind}, {version}, {name}: {says}")
        passed += sum(check["status"] == "SUCCESS" for check in made)
    made = {check["id"] for of_one in found.values() for check in of_one}
    if kind == "fixtures" and version == TABLE["versions"][-1]:
        faults += [f"the suite has no check {check} any more" for check in sorted(NEEDS_FIXTURES - made)]
    return f"{passed} checks of {len(chosen)} scenarios", faults


def main() -> None:
    scenarios = applicable()
    faults = untold(set(scenarios))
    for kind in ("real", "fixtures"):
        with target(kind) as url:
            for version in TABLE["versions"]:
                chosen = [
                    name
                    for name in TABLE[kind]
                    if version in scenarios.get(name, ()) and f"{name}@{version}" not in TABLE["outside"]
                ]
                told, wrongs = judge(url, kind, version, chosen)
                faults += wrongs
                if not wrongs:
                    row = {"client": "Conformance suite", "transport": f"http, {kind}", "protocol": version}
                    print(json.dumps(row | {"calls": told}), flush=True)
    if faults:
        sys.exit("\n\n".join(faults))


if __name__ == "__main__":
    main()
