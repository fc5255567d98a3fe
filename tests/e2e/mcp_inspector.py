"""The inspector's command line: a program of its own for each call, as in a script or a pipeline.

    python3 tests/e2e/mcp_run.py mcp_inspector
"""

import base64
import json
import os
import subprocess
import uuid
from dataclasses import dataclass, field
from pathlib import Path

URL, KEY, BINARY, DATA = (os.environ[f"E2E_{name}"] for name in ("URL", "KEY", "BINARY", "DATA"))
LAUNCHER = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
COMMAND = [os.environ["E2E_NODE"], f"{os.environ['E2E_PACKAGES']}/{LAUNCHER}", "--cli"]
COMMAND += ["--format", "json", "--quiet", "--stored-auth-only"]

# Codes with which it ends, as its documentation has them.
AUTH_REQUIRED, TOOL_IS_ERROR = 3, 5

ERAS = {"2025-11-25": "legacy", "2026-07-28": "modern"}
# In process each call starts and stops Postgres, so that way is gone in one version only.
LEFT_OUT = ("stdio, in process", "2026-07-28")
WAYS = {
    "http": ["--transport", "http", "--server-url", f"{URL}/mcp", "--header", f"Authorization: Bearer {KEY}"],
    "stdio, in process": [BINARY, "--data-dir", DATA, "mcp"],
    "stdio, thin": ["-e", f"IMAGE_MEMORY_KEY={KEY}", BINARY, "mcp", "--url", URL],
}


def check(holds: object, what: str) -> None:
    if not holds:
        raise AssertionError(what)


@dataclass
class Inspector:
    """One way to the server in one era."""

    way: str
    era: str
    calls: int = field(default=0)

    def run(self, *options: str, code: int = 0) -> dict:
        self.calls += 1
        # Its own options come first: what follows the server's program is the program's.
        server = WAYS[self.way]
        command = [*COMMAND, "--protocol-era", self.era, *options, *server]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
        what = f"{self.way}, {self.era}, {' '.join(options)[:120]}: {ended.returncode}\n{ended.stderr}"
        check(ended.returncode == code, what)
        return json.loads(ended.stdout)["result"]

    def call(self, tool: str, code: int = 0, **arguments: object) -> dict:
        given = json.dumps(arguments)
        options = ("--method", "tools/call", "--tool-name", tool, "--tool-args-json", given)
        return self.run(*options, code=code)

    def output(self, tool: str, **arguments: object) -> dict:
        return self.call(tool, **arguments)["structuredContent"]


def saved(inspector: Inspector, tag: str) -> str:
    image = base64.b64encode(Path(os.environ["E2E_PHOTO"]).read_bytes()).decode()
    save = {"imageBase64": image, "title": "A horse", "tags": [tag], "onDuplicate": "new"}
    asset = inspector.output("image_asset_save", **save)["assetId"]
    got = inspector.output("image_asset_get", assetId=asset, waitSeconds=20)
    check(got["status"] == "ready", f"the picture is {got['status']}")
    return asset


def read(inspector: Inspector, asset: str) -> None:
    templates = inspector.run("--method", "resources/templates/list")["resourceTemplates"]
    check(len(templates) == 2, f"{templates}")
    for uri, kind in ((f"image://asset/{asset}", "text"), (f"image://asset/{asset}/preview", "blob")):
        (content,) = inspector.run("--method", "resources/read", "--uri", uri)["contents"]
        check(content["uri"] == uri and content[kind], f"{uri} is a {kind}")


def travel(inspector: Inspector) -> None:
    # Strict: it ends with another code for a schema that other clients would stumble over.
    tools = inspector.run("--method", "tools/list", "--strict")["tools"]
    check(len(tools) >= 12, f"{len(tools)} tools")
    tag = f"e2e-{uuid.uuid4()}"
    asset = saved(inspector, tag)
    found = inspector.call("image_asset_search", query="a horse", tags=[tag], contactSheet=True)
    check([hit["assetId"] for hit in found["structuredContent"]["results"]] == [asset], "it is found")
    sheets = [block["mimeType"] for block in found["content"] if block["type"] == "image"]
    check(sheets == ["image/webp"], f"{sheets}")
    project = inspector.output("image_project_create", name=tag)["projectId"]
    inspector.output("image_asset_move", assetIds=[asset], projectId=project)
    listed = inspector.output("image_asset_list", projectId=project)["assets"]
    check([one["assetId"] for one in listed] == [asset], "it is in its project")
    read(inspector, asset)
    for dry, outcome in ((True, "would_delete"), (False, "deleted")):
        gone = inspector.output("image_asset_delete", assetIds=[asset], dryRun=dry)
        check(gone["results"][0]["outcome"] == outcome, f"{gone}")
    refused = inspector.call("image_asset_get", code=TOOL_IS_ERROR, assetId=asset)
    error = json.loads(refused["content"][0]["text"])["error"]
    check(refused["isError"] and error["code"] == "not_found", f"{refused}")


def wrong_key(era: str) -> None:
    server = ["--server-url", f"{URL}/mcp", "--header", "Authorization: Bearer imk_wrong"]
    command = [*COMMAND, "--protocol-era", era, "--method", "tools/list", *server]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    check(ended.returncode == AUTH_REQUIRED, f"a wrong key, {era}: {ended.returncode}\n{ended.stderr}")
    check("unauthenticated" in ended.stderr or "401" in ended.stderr, f"why is told: {ended.stderr}")


def main() -> None:
    for way in WAYS:
        for protocol, era in ERAS.items():
            if (way, protocol) == LEFT_OUT:
                continue
            inspector = Inspector(way, era)
            travel(inspector)
            row = {"client": "Inspector 2", "transport": way, "protocol": protocol}
            print(json.dumps(row | {"calls": inspector.calls}), flush=True)
    for protocol, era in ERAS.items():
        wrong_key(era)
        row = {"client": "Inspector 2", "transport": "a wrong key", "protocol": protocol}
        print(json.dumps(row | {"calls": 1}), flush=True)


if __name__ == "__main__":
    main()
