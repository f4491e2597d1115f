// %SEAL%
// Tells ckpt what happens in OpenCode, and the model what ckpt says. Silent where
// ckpt is not installed.
import { spawn } from "node:child_process"

// The tools that write files or run commands, and what of their arguments ckpt reads.
const tools = ["bash", "write", "edit", "multiedit", "patch", "apply_patch"]
const read = ["command", "filePath", "patchText"]

// Requests of OpenCode's own, which are no part of the conversation.
const own = /^You are a (title generator|context summarization agent)/

function ask(event, directory, input) {
  return new Promise((resolve) => {
    let said = ""
    try {
      const hook = spawn("ckpt", ["hook", "opencode", event], {
        cwd: directory,
        stdio: ["pipe", "pipe", "ignore"],
        timeout: 5000,
        windowsHide: true,
      })
      hook.on("error", () => resolve(""))
      hook.on("close", () => resolve(said.trim()))
      hook.stdout.on("data", (part) => (said += part))
      hook.stdin.on("error", () => {})
      hook.stdin.end(JSON.stringify({ ...input, cwd: directory }))
    } catch {
      resolve("")
    }
  })
}

export const Ckpt = async ({ directory, client }) => {
  const briefs = new Map() // by session: the system prompt is built for every request
  const reminders = new Map() // by session: what the next request is to say
  const compacted = new Set()
  const inner = new Map() // sessions of subagents, to the session that is behind them
  const call = (session) => (inner.has(session) ? { session_id: inner.get(session), agent_id: session } : { session_id: session })
  return {
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id ?? ""
      const parent = event.properties?.info?.parentID
      if (event.type === "session.created" && parent) inner.set(session, inner.get(parent) ?? parent)
      if (event.type !== "session.idle" || inner.has(session)) return
      const said = await ask("stop", directory, call(session))
      if (!said) return
      try {
        const { decision, reason, systemMessage } = JSON.parse(said)
        if (decision === "block") await client.session.promptAsync({ path: { id: session }, body: { parts: [{ type: "text", text: reason }] } })
        else if (systemMessage) await client.tui.showToast({ body: { message: systemMessage, variant: "warning" } })
      } catch {}
    },
    "chat.message": async (input, output) => {
      const session = input?.sessionID ?? ""
      const typed = (output?.parts ?? []).filter((part) => part.type === "text" && !part.synthetic)
      const prompt = typed.map((part) => part.text).join("\n")
      const said = await ask("prompt", directory, { ...call(session), prompt })
      if (said) reminders.set(session, said)
    },
    "tool.execute.after": async (input, output) => {
      if (!tools.includes(input?.tool)) return
      const args = Object.fromEntries(Object.entries(input.args ?? {}).filter(([name]) => read.includes(name)))
      const metadata = { exit: output?.metadata?.exit, output: String(output?.output ?? "").slice(-4000) }
      const said = await ask("tool", directory, { ...call(input.sessionID ?? ""), hook_event_name: "tool.execute.after", tool: input.tool, args, metadata })
      if (said) output.output += "\n\n" + said
    },
    "experimental.chat.system.transform": async (input, output) => {
      const session = input?.sessionID ?? ""
      if (inner.has(session) || own.test(output.system[0] ?? "")) return
      if (!briefs.has(session)) {
        const source = compacted.delete(session) ? "compact" : "startup"
        briefs.set(session, ask("session-start", directory, { session_id: session, source }))
      }
      const brief = await briefs.get(session)
      if (brief) output.system.push(brief)
      const reminder = reminders.get(session)
      if (reminder) output.system.push(reminder)
      reminders.delete(session)
    },
    "experimental.session.compacting": async (input, output) => {
      const session = input?.sessionID ?? ""
      const keep = await ask("pre-compact", directory, { session_id: session })
      if (keep) output.context.push(keep)
      briefs.delete(session)
      compacted.add(session)
    },
  }
}
