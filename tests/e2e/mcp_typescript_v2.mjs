// The TypeScript SDK of 2026, @modelcontextprotocol/client: it speaks 2026-07-28, and offers each of the earlier
// versions when told to.
//
//     python3 tests/e2e/mcp_run.py mcp_typescript_v2

import assert from "node:assert/strict";

import { E2E_BINARY, E2E_KEY, E2E_URL, STDIO, WRONG_KEY, row } from "./mcp_journey.mjs";
import { imported } from "./mcp_packages.mjs";

const { Client, StreamableHTTPClientTransport } = await imported("@modelcontextprotocol/client");
const { StdioClientTransport, getDefaultEnvironment } = await imported("@modelcontextprotocol/client/stdio");

const NAME = "TypeScript SDK 2";
const LEGACY = ["2025-03-26", "2025-06-18", "2025-11-25"];
const MODERN = "2026-07-28";

const http = (key) =>
  new StreamableHTTPClientTransport(new URL(`${E2E_URL}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });

const stdio = ({ args, env }) =>
  new StdioClientTransport({
    command: E2E_BINARY,
    args,
    env: { ...getDefaultEnvironment(), ...env },
    stderr: "ignore",
  });

async function connected(transport, options) {
  const client = new Client({ name: "e2e", version: "1" }, options);
  await client.connect(transport);
  return client;
}

const legacy = (protocol) => ({ supportedProtocolVersions: [protocol] });
// Asks the server what it speaks before it says anything else, and would fall back.
const auto = { versionNegotiation: { mode: "auto" } };

const ways = { http: () => http(E2E_KEY) };
for (const [way, started] of Object.entries(STDIO)) ways[way] = () => stdio(started);
for (const [way, transport] of Object.entries(ways)) {
  for (const protocol of LEGACY) {
    await row(NAME, way, protocol, await connected(transport(), legacy(protocol)));
  }
  await row(NAME, way, MODERN, await connected(transport(), auto));
}

const env = { IMAGE_MEMORY_KEY: WRONG_KEY };
for (const [protocol, options] of [
  ["2025-11-25", legacy("2025-11-25")],
  // Pinned, it would tell of no key over stdio, only that the version was not offered.
  [MODERN, auto],
]) {
  const is401 = (error) => (error.status ?? error.cause?.status ?? error.data?.status) === 401;
  await assert.rejects(connected(http(WRONG_KEY), options), is401, `a wrong key is a 401 in ${protocol}`);
  for (const { args } of Object.values(STDIO)) {
    await assert.rejects(connected(stdio({ args, env }), options), /key/, `over stdio in ${protocol}`);
  }
  console.log(JSON.stringify({ client: NAME, transport: "a wrong key", protocol, calls: 3 }));
}
