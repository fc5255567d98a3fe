"""Saves a picture, waits until it can be found, and searches for it by words:

    python3 docs/examples/remember.py cat.png "a tabby cat"

IMAGE_MEMORY_URL names the server, such as http://127.0.0.1:8787, and IMAGE_MEMORY_KEY is a key with the
scopes read and write.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.error import HTTPError
from urllib.request import Request, urlopen

# For a checker of types, which finds them in schemas/python; running needs none.
if TYPE_CHECKING:
    from collections.abc import Mapping

    from image_memory_types import (
        ErrorObject,
        ImageAssetGetInput,
        ImageAssetGetOutput,
        ImageAssetGetOutputFailure,
        ImageAssetSaveInput,
        ImageAssetSaveOutput,
        ImageAssetSearchInput,
        ImageAssetSearchOutput,
        Refusal,
    )


def call(tool: str, arguments: Mapping[str, object]) -> Any:
    """Calls a tool; its answer is what the types call its output."""
    request = Request(
        f"{os.environ['IMAGE_MEMORY_URL']}/v1/tools/{tool}",
        data=json.dumps(arguments).encode(),
        headers={
            "Authorization": f"Bearer {os.environ['IMAGE_MEMORY_KEY']}",
            "Content-Type": "application/json",
        },
    )
    try:
        with urlopen(request) as response:
            return json.load(response)
    except HTTPError as error:
        refusal: Refusal = json.load(error)
        fail(refusal["error"])


def fail(error: ErrorObject | ImageAssetGetOutputFailure) -> NoReturn:
    """Tells what went wrong and what to do about it. Decide by the code; message and remedy are for people."""
    sys.exit(f"{error['code']}: {error['message']}\n{error['remedy']}")


def remember(file: Path, words: str) -> None:
    """Does it all."""
    image = base64.b64encode(file.read_bytes()).decode()
    save: ImageAssetSaveInput = {"imageBase64": image, "title": file.stem}
    saved: ImageAssetSaveOutput = call("image_asset_save", save)
    print(f"saved {saved['assetId']}, {saved['width']} by {saved['height']} pixels")

    # A call waits for at most 20 seconds; the first picture after a start may take longer.
    get: ImageAssetGetInput = {"assetId": saved["assetId"], "waitSeconds": 20}
    asset: ImageAssetGetOutput = call("image_asset_get", get)
    for _ in range(5):
        if asset["status"] == "processing":
            asset = call("image_asset_get", get)
    failure = asset.get("failure")
    if failure:
        fail(failure)

    search: ImageAssetSearchInput = {"query": words, "limit": 5}
    found: ImageAssetSearchOutput = call("image_asset_search", search)
    for result in found["results"]:
        print(f"{result['score']:.3f}  {result['title']}")


if __name__ == "__main__":
    given = sys.argv[1:]
    if not given or not {"IMAGE_MEMORY_URL", "IMAGE_MEMORY_KEY"} <= set(os.environ):
        print("set IMAGE_MEMORY_URL and IMAGE_MEMORY_KEY, and name a picture", file=sys.stderr)
        sys.exit(2)
    remember(Path(given[0]), given[1] if len(given) > 1 else Path(given[0]).stem)
