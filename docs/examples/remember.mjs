// Saves a picture, waits until it can be found, and searches for it by words:
//
//     node docs/examples/remember.mjs cat.png "a tabby cat"
//
// IMAGE_MEMORY_URL names the server, such as http://127.0.0.1:8787, and IMAGE_MEMORY_KEY is a key with the
// scopes read and write. The types are comments here; in TypeScript they are imported in the same way.

/** @import { ErrorObject, Refusal, Tools } from "../../schemas/typescript/index.js" */

import { readFile } from "node:fs/promises";
import { parse } from "node:path";

const { IMAGE_MEMORY_URL: url, IMAGE_MEMORY_KEY: key } = process.env;
const [file, words] = process.argv.slice(2);
if (!url || !key || !file) {
  console.error("set IMAGE_MEMORY_URL and IMAGE_MEMORY_KEY, and name a picture");
  process.exit(2);
}

/**
 * Calls a tool. What it takes and gives follows from its name.
 *
 * @template {keyof Tools} Name
 * @param {Name} tool
 * @param {Tools[Name]["input"]} input
 * @returns {Promise<Tools[Name]["output"]>}
 */
async function call(tool, input) {
  const response = await fetch(`${url}/v1/tools/${tool}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  if (!response.ok) {
    const { error } = /** @type {Refusal} */ (await response.json());
    fail(error);
  }
  return /** @type {Promise<Tools[Name]["output"]>} */ (response.json());
}

/**
 * Tells what went wrong and what to do about it. Decide by the code; message and remedy are for people.
 *
 * @param {Pick<ErrorObject, "message" | "remedy"> & { code: string }} error
 * @returns {never}
 */
function fail({ code, message, remedy }) {
  console.error(`${code}: ${message}\n${remedy}`);
  process.exit(1);
}

const title = parse(file).name;
const saved = await call("image_asset_save", {
  imageBase64: (await readFile(file)).toString("base64"),
  title,
});
console.log(`saved ${saved.assetId}, ${saved.width} by ${saved.height} pixels`);

// A call waits for at most 20 seconds; the first picture after a start may take longer.
let asset = await call("image_asset_get", { assetId: saved.assetId, waitSeconds: 20 });
for (let more = 5; more > 0 && asset.status === "processing"; more -= 1) {
  asset = await call("image_asset_get", { assetId: saved.assetId, waitSeconds: 20 });
}
if (asset.failure) {
  fail(asset.failure);
}

const found = await call("image_asset_search", { query: words ?? title, limit: 5 });
for (const { title, score } of found.results) {
  console.log(`${score.toFixed(3)}  ${title}`);
}
