"""The examples of docs/examples, run as docs/clients.md tells it.

    python3 tests/e2e/mcp_run.py mcp_examples
"""

import json
import os
import re
import subprocess
import sys

SERVER = {"IMAGE_MEMORY_URL": os.environ["E2E_URL"]}
EXAMPLES = {
    "remember.mjs": [os.environ["E2E_NODE"], "docs/examples/remember.mjs"],
    "remember.py": [sys.executable, "docs/examples/remember.py"],
}


def run(command: list[str], key: str) -> subprocess.CompletedProcess[str]:
    # What an example runs with has no packages of anyone.
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env = own | SERVER | {"IMAGE_MEMORY_KEY": key}
    arguments = [*command, os.environ["E2E_PHOTO"], "a horse"]
    return subprocess.run(arguments, env=env, capture_output=True, text=True, timeout=150)


def main() -> None:
    for name, command in EXAMPLES.items():
        ended = run(command, os.environ["E2E_KEY"])
        if ended.returncode != 0:
            sys.exit(f"{name}: {ended.returncode}\n{ended.stderr}")
        saved, *found = ended.stdout.splitlines()
        if not re.fullmatch(r"saved ast_\w{26}, \d+ by \d+ pixels", saved):
            sys.exit(f"{name} says of what it saved: {saved}")
        if not any(re.fullmatch(r"\d\.\d{3}  horse", line) for line in found):
            sys.exit(f"{name} does not find what it saved: {found}")
        ended = run(command, "imk_wrong")
        if ended.returncode != 1 or not ended.stderr.startswith("unauthenticated: "):
            sys.exit(f"{name} with a wrong key: {ended.returncode}\n{ended.stderr}")
        print(json.dumps({"client": name, "transport": "POST /v1/tools", "protocol": "-", "calls": 4}))


if __name__ == "__main__":
    main()
