// An independent client of the Model Context Protocol against the real `ckpt mcp`, in a
// throw-away repository: node client.mjs CKPT FOLDER. It needs the SDK of npm.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [ckpt, folder] = process.argv.slice(2);
const client = new Client({ name: "independent", version: "1" });
await client.connect(new StdioClientTransport({ command: ckpt, args: ["-C", folder, "mcp"], env: process.env }));

// The client checks every schema, and every structured answer against it.
const { tools } = await client.listTools();
assert.deepEqual(tools.map((t) => t.name).sort(), [
  "checkpoint", "checkpoint_archive", "checkpoint_delta", "checkpoint_list", "checkpoint_load",
  "checkpoint_resume", "checkpoint_save", "checkpoint_validate", "rewind",
]);
for (const t of tools) {
  assert.equal(t.inputSchema.type, "object", t.name);
  assert.ok(t.description && t.annotations.destructiveHint === false && t.annotations.openWorldHint === false, t.name);
}

const call = (name, args) => client.callTool({ name, arguments: args });
const state = {
  query: "Find all competitors", currentStepIndex: 0, results: [], context: {},
  plan: [{ id: "s1", description: "Identify them", action: "search", parameters: { source: "industry" }, status: "pending" }],
};
const saved = await call("checkpoint_save", { sessionId: "session-1", state, description: "Before the search" });
assert.ok(!saved.isError, JSON.stringify(saved));
assert.equal(saved.structuredContent.checkpointId, "chk-session-1");
assert.equal(saved.structuredContent.agentId, "independent");

const loaded = await call("checkpoint_load", { sessionId: "session-1" });
assert.deepEqual(loaded.structuredContent.checkpoint.state, state);

const brief = await call("checkpoint_resume", {});
assert.match(brief.content[0].text, /Find all competitors/);

const delta = await call("checkpoint_delta", { changed: "Found them", next: ["Fetch their revenue"] });
assert.equal(delta.structuredContent.committed, true);
for (const name of ["checkpoint_list", "checkpoint_validate"]) assert.ok(!(await call(name, {})).isError, name);

const refused = await call("rewind", { report: "x" });
assert.equal(refused.isError, true);
assert.equal(refused.content[0].text, "No active checkpoint.");
assert.match((await call("checkpoint", { goal: "Why" })).content[0].text, /^Checkpoint created\.\n/);
assert.ok(!(await call("rewind", { report: "Because" })).isError);
const unknown = await call("checkpoint_delta", { changed: "x", nxt: [] });
assert.equal(unknown.isError, true);

assert.ok(!(await call("checkpoint_archive", { outcome: "Done", learnings: ["Ask first"] })).isError);
await client.close();
console.log(`${tools.length} tools answer an independent client`);
