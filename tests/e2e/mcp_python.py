"""The Python SDK, in each protocol version that it speaks, over HTTP and both ways of stdio. The same steps as
mcp_journey.mjs.

    python3 tests/e2e/mcp_run.py mcp_python
"""

import asyncio
import base64
import json
import os
import uuid
from contextlib import AsyncExitStack
from pathlib import Path

import httpx2
import mcp.client.session
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

URL, KEY, BINARY = (os.environ[name] for name in ("E2E_URL", "E2E_KEY", "E2E_BINARY"))
DATA, PHOTO = os.environ["E2E_DATA"], Path(os.environ["E2E_PHOTO"])

WRONG_KEY = "imk_" + "0" * 52
LEGACY = ("2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
HTTP, IN_PROCESS, THIN = WAYS = ("http", "stdio, in process", "stdio, thin")
WEBP_MAX_BYTES = 200_000


def check(holds: object, what: str) -> None:
    """Fails with what did not hold; assert says nothing, and -O drops it."""
    if not holds:
        raise AssertionError(what)


class Journey:
    """Counts the requests of a client, and holds its answers to what was asked."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.calls = 0

    async def ask(self, method: str, *params):
        self.calls += 1
        return await getattr(self.client, method)(*params)

    async def call(self, tool: str, **arguments):
        result = await self.ask("call_tool", tool, arguments)
        check(not result.is_error, f"{tool}: {result.content}")
        check(isinstance(json.loads(result.content[0].text), dict), "text is the output in JSON")
        check(isinstance(result.structured_content, dict), f"{tool} has structured content")
        return result.structured_content, result.content

    async def refusal(self, code: str, tool: str, **arguments):
        result = await self.ask("call_tool", tool, arguments)
        check(result.is_error, f"{tool} is refused")
        error = json.loads(result.content[0].text)["error"]
        check(error["code"] == code, f"{error} is not {code}")
        check({"message", "remedy", "retryable", "requestId"} <= error.keys(), f"{error}")
        check(result.structured_content is None, "an error is no output of the tool")


def webp(data: str) -> None:
    picture = base64.b64decode(data)
    check(picture[:4] + picture[8:12] == b"RIFFWEBP", "the picture is a WebP")
    check(len(picture) < WEBP_MAX_BYTES, f"a picture of {len(picture)} bytes")


async def saved(journey: Journey, tag: str) -> str:
    image = base64.b64encode(PHOTO.read_bytes()).decode()
    output, _ = await journey.call(
        "image_asset_save", imageBase64=image, title="A horse", tags=[tag], onDuplicate="new"
    )
    asset = output["assetId"]
    # A call waits for at most 20 seconds; the first picture after a start may take longer.
    for _ in range(5):
        output, _ = await journey.call("image_asset_get", assetId=asset, waitSeconds=20)
        if output["status"] != "processing":
            break
    check(output["status"] == "ready", f"the picture is {output['status']}")
    return asset


async def found(journey: Journey, tag: str, asset: str) -> None:
    output, content = await journey.call(
        "image_asset_search", query="a horse", tags=[tag], contactSheet=True
    )
    check([hit["assetId"] for hit in output["results"]] == [asset], f"{output}")
    sheets = [block for block in content if block.type == "image"]
    check([sheet.mime_type for sheet in sheets] == ["image/webp"], "there is one contact sheet")
    webp(sheets[0].data)


async def listed(journey: Journey, expected: list[str], **wanted) -> None:
    output, _ = await journey.call("image_asset_list", **wanted)
    check([asset["assetId"] for asset in output["assets"]] == expected, f"{output}")


async def moved(journey: Journey, tag: str, asset: str) -> None:
    project, _ = await journey.call("image_project_create", name=tag)
    await journey.call("image_asset_move", assetIds=[asset], projectId=project["projectId"])
    await listed(journey, [asset], projectId=project["projectId"])


async def read(journey: Journey, asset: str) -> None:
    templates = (await journey.ask("list_resource_templates")).resource_templates
    uris = [template.uri_template for template in templates]
    check(uris == ["image://asset/{assetId}", "image://asset/{assetId}/preview"], f"{uris}")
    uri = f"image://asset/{asset}"
    told = (await journey.ask("read_resource", uri)).contents[0]
    check(told.mime_type == "application/json", "what is told is JSON")
    check(json.loads(told.text)["assetId"] == asset, "it is told of the image that was asked for")
    picture = (await journey.ask("read_resource", f"{uri}/preview")).contents[0]
    check(picture.mime_type == "image/webp", "the preview is a WebP")
    webp(picture.blob)
    try:
        await journey.ask("read_resource", "image://asset/nothing")
    except MCPError as error:
        check("not found" in str(error), f"{error}")
    else:
        raise AssertionError("a URI that names nothing is not found")


async def deleted(journey: Journey, tag: str, asset: str) -> None:
    for dry, outcome, left in ((True, "would_delete", [asset]), (False, "deleted", [])):
        output, _ = await journey.call("image_asset_delete", assetIds=[asset], dryRun=dry)
        check(output["results"][0]["outcome"] == outcome, f"{output}")
        await listed(journey, left, tags=[tag])


async def travel(client: Client) -> int:
    """Does it all, and returns how many requests that took."""
    journey = Journey(client)
    # After this the client holds structured content against the schemas of the outputs.
    tools = {tool.name: tool for tool in (await journey.ask("list_tools")).tools}
    for name in ("save", "get", "search", "list", "move", "delete"):
        check(tools[f"image_asset_{name}"].output_schema["type"] == "object", name)
    tag = f"e2e-{uuid.uuid4()}"
    asset = await saved(journey, tag)
    await found(journey, tag, asset)
    await listed(journey, [asset], tags=[tag])
    await moved(journey, tag, asset)
    await read(journey, asset)
    await deleted(journey, tag, asset)
    await journey.refusal("not_found", "image_asset_get", assetId=asset)
    await journey.refusal("invalid_argument", "image_asset_get", assetId=1)
    return journey.calls


async def transport(stack: AsyncExitStack, way: str, key: str):
    if way == HTTP:
        headers = {"Authorization": f"Bearer {key}"}
        http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=60))
        return streamable_http_client(f"{URL}/mcp", http_client=http)
    arguments = ["--data-dir", DATA, "mcp"] if way == IN_PROCESS else ["mcp", "--url", URL]
    # The in-process server makes itself a key.
    env = {} if way == IN_PROCESS and key == KEY else {"IMAGE_MEMORY_KEY": key}
    errors = stack.enter_context(open(os.devnull, "w"))
    server = StdioServerParameters(command=BINARY, args=arguments, env=env)
    return stdio_client(server, errlog=errors)


async def connected(stack: AsyncExitStack, way: str, protocol: str, key: str = KEY) -> Client:
    """A client of this version. It has no option for the earlier one that it offers, so that is set where it
    looks; a client of 2026 asks first what the server speaks, and would fall back."""
    if protocol != MODERN:
        mcp.client.session.LATEST_HANDSHAKE_VERSION = protocol
    mode = "auto" if protocol == MODERN else "legacy"
    client = Client(await transport(stack, way, key), mode=mode)
    await stack.enter_async_context(client)
    check(client.protocol_version == protocol, f"{client.protocol_version} is not {protocol}")
    return client


def told(error: BaseException) -> str:
    """What an error says, with all that it holds."""
    inner = [told(part) for part in getattr(error, "exceptions", ())]
    return " ".join([str(error), *inner])


async def refused(way: str, protocol: str) -> None:
    try:
        async with AsyncExitStack() as stack:
            await connected(stack, way, protocol, WRONG_KEY)
    except Exception as error:  # Whichever it is, it must tell of the key.
        says = told(error)
        check("key" in says or "401" in says, f"{way}, {protocol}: a wrong key leads to: {says}")
    else:
        raise AssertionError(f"{way}, {protocol}: a wrong key was let in")


async def main() -> None:
    row = {"client": "Python SDK 2"}
    for way in WAYS:
        for protocol in (*LEGACY, MODERN):
            try:
                async with AsyncExitStack() as stack:
                    calls = await travel(await connected(stack, way, protocol))
            except BaseException as error:
                error.add_note(f"{way}, {protocol}")
                raise
            told_row = row | {"transport": way, "protocol": protocol, "calls": calls}
            print(json.dumps(told_row), flush=True)
    for protocol in (LEGACY[-1], MODERN):
        for way in WAYS:
            await refused(way, protocol)
        told_row = row | {"transport": "a wrong key", "protocol": protocol, "calls": len(WAYS)}
        print(json.dumps(told_row), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
