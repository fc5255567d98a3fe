// The TypeScript SDK of before 2026, @modelcontextprotocol/sdk: it offers 2025-11-25, and nothing newer.
//
//     python3 tests/e2e/mcp_run.py mcp_typescript_v1

import assert from "node:assert/strict";

import { E2E_BINARY, E2E_KEY, E2E_URL, STDIO, WRONG_KEY, row } from "./mcp_journey.mjs";
import { imported } from "./mcp_packages.mjs";

const { Client } = await imported("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = await imported("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { StdioClientTransport, getDefaultEnvironment } = await imported("@modelcontextprotocol/sdk/client/stdio.js");

const NAME = "TypeScript SDK 1";
const PROTOCOL = "2025-11-25";

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

async function connected(transport) {
  const client = new Client({ name: "e2e", version: "1" });
  await client.connect(transport);
  return client;
}

const ways = { http: () => http(E2E_KEY) };
for (const [way, started] of Object.entries(STDIO)) ways[way] = () => stdio(started);
for (const [way, transport] of Object.entries(ways)) {
  await row(NAME, way, PROTOCOL, await connected(transport()));
}

await assert.rejects(connected(http(WRONG_KEY)), (error) => error.code === 401, "a wrong key is a 401");
const env = { IMAGE_MEMORY_KEY: WRONG_KEY };
for (const { args } of Object.values(STDIO)) {
  await assert.rejects(connected(stdio({ args, env })), /key/, "a wrong key is told over stdio");
}
console.log(JSON.stringify({ client: NAME, transport: "a wrong key", protocol: PROTOCOL, calls: 3 }));
