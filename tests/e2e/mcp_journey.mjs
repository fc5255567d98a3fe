// What every TypeScript client does with the server, whatever its generation and transport: the same steps as
// mcp_python.py, so that a difference between the two is one between the clients.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

/** The environment that the runner gives, mcp_run.py. */
export const { E2E_URL, E2E_KEY, E2E_BINARY, E2E_DATA, E2E_PHOTO } = process.env;

/** A key of the right form that opens nothing. */
export const WRONG_KEY = `imk_${"0".repeat(52)}`;

/** The ways to the server over standard input and output: what the program is started with. */
export const STDIO = {
  "stdio, in process": { args: ["--data-dir", E2E_DATA, "mcp"], env: {} },
  "stdio, thin": { args: ["mcp", "--url", E2E_URL], env: { IMAGE_MEMORY_KEY: E2E_KEY } },
};

const WEBP_MAX_BYTES = 200_000;

/** Counts the requests of a client, and holds its answers to what was asked. */
class Journey {
  calls = 0;

  constructor(client) {
    this.client = client;
  }

  ask(method, params) {
    this.calls += 1;
    return this.client[method](params);
  }

  async call(name, input) {
    const result = await this.ask("callTool", { name, arguments: input });
    assert.ok(!result.isError, `${name}: ${result.content[0]?.text}`);
    // What the text says without its frames of untrusted data is for tests/it; both must be there.
    assert.equal(typeof JSON.parse(result.content[0].text), "object");
    assert.equal(typeof result.structuredContent, "object", `${name} has structured content`);
    return { output: result.structuredContent, content: result.content };
  }

  async refusal(name, input, code) {
    const result = await this.ask("callTool", { name, arguments: input });
    assert.equal(result.isError, true, `${name} is refused`);
    const { error } = JSON.parse(result.content[0].text);
    assert.equal(error.code, code);
    for (const field of ["message", "remedy", "requestId"]) assert.equal(typeof error[field], "string", field);
    assert.equal(typeof error.retryable, "boolean");
    assert.equal(result.structuredContent, undefined, "an error is no output of the tool");
  }
}

function webp(base64) {
  const bytes = Buffer.from(base64, "base64");
  assert.equal(bytes.toString("latin1", 0, 4) + bytes.toString("latin1", 8, 12), "RIFFWEBP");
  assert.ok(bytes.length < WEBP_MAX_BYTES, `a picture of ${bytes.length} bytes`);
}

async function saved(journey, tag) {
  const imageBase64 = readFileSync(E2E_PHOTO).toString("base64");
  const save = { imageBase64, title: "A horse", tags: [tag], onDuplicate: "new" };
  const { assetId } = (await journey.call("image_asset_save", save)).output;
  // A call waits for at most 20 seconds; the first picture after a start may take longer.
  for (let more = 5; more > 0; more -= 1) {
    const { output } = await journey.call("image_asset_get", { assetId, waitSeconds: 20 });
    if (output.status === "ready") return assetId;
  }
  assert.fail("the picture could not be found after 100 seconds");
}

async function found(journey, tag, assetId) {
  const search = { query: "a horse", tags: [tag], contactSheet: true };
  const { output, content } = await journey.call("image_asset_search", search);
  assert.deepEqual(output.results.map((result) => result.assetId), [assetId]);
  const sheet = content.find((block) => block.type === "image");
  assert.equal(sheet?.mimeType, "image/webp");
  webp(sheet.data);
}

async function listed(journey, filter, expected) {
  const { output } = await journey.call("image_asset_list", filter);
  assert.deepEqual(output.assets.map((asset) => asset.assetId), expected);
}

async function moved(journey, tag, assetId) {
  const { projectId } = (await journey.call("image_project_create", { name: tag })).output;
  await journey.call("image_asset_move", { assetIds: [assetId], projectId });
  await listed(journey, { projectId }, [assetId]);
}

async function read(journey, assetId) {
  const { resourceTemplates } = await journey.ask("listResourceTemplates");
  const templates = resourceTemplates.map((template) => template.uriTemplate);
  assert.deepEqual(templates, ["image://asset/{assetId}", "image://asset/{assetId}/preview"]);
  const uri = `image://asset/${assetId}`;
  const [told] = (await journey.ask("readResource", { uri })).contents;
  assert.equal(told.mimeType, "application/json");
  assert.equal(JSON.parse(told.text).assetId, assetId);
  const [picture] = (await journey.ask("readResource", { uri: `${uri}/preview` })).contents;
  assert.equal(picture.mimeType, "image/webp");
  webp(picture.blob);
  // The client turns an error of the protocol into one of its own, with the URI that was not found.
  await assert.rejects(journey.ask("readResource", { uri: "image://asset/nothing" }), /not found/i);
}

async function deleted(journey, tag, assetId) {
  const outcome = async (dryRun) => {
    const input = { assetIds: [assetId], dryRun };
    return (await journey.call("image_asset_delete", input)).output.results[0].outcome;
  };
  assert.equal(await outcome(true), "would_delete");
  await listed(journey, { tags: [tag] }, [assetId]);
  assert.equal(await outcome(false), "deleted");
  await listed(journey, { tags: [tag] }, []);
}

/** Does it all, and returns how many requests that took. */
async function journey(client) {
  const journey = new Journey(client);
  // After this the client holds structured content against the schemas of the outputs.
  const { tools } = await journey.ask("listTools");
  for (const name of ["save", "get", "search", "list", "move", "delete"]) {
    const tool = tools.find((tool) => tool.name === `image_asset_${name}`);
    assert.equal(tool?.outputSchema?.type, "object", name);
  }
  const tag = `e2e-${randomUUID()}`;
  const assetId = await saved(journey, tag);
  await found(journey, tag, assetId);
  await listed(journey, { tags: [tag] }, [assetId]);
  await moved(journey, tag, assetId);
  await read(journey, assetId);
  await deleted(journey, tag, assetId);
  await journey.refusal("image_asset_get", { assetId }, "not_found");
  await journey.refusal("image_asset_get", { assetId: 1 }, "invalid_argument");
  return journey.calls;
}

/** Runs the journey for one way to the server, and tells the runner of it in a line. */
export async function row(name, transport, protocol, client) {
  try {
    assert.equal(client.getNegotiatedProtocolVersion?.() ?? protocol, protocol);
    const calls = await journey(client);
    console.log(JSON.stringify({ client: name, transport, protocol, calls }));
  } catch (error) {
    error.message = `${name}, ${transport}, ${protocol}: ${error.message}`;
    throw error;
  } finally {
    await client.close();
  }
}
