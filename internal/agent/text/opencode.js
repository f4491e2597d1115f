// %SEAL%
// Tells ckpt what happens in OpenCode, and the model what ckpt says. Silent where
// ckpt is not installed.
import { spawn } from "node:child_process"

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

export const Ckpt = async ({ directory }) => {
  const briefs = new Map() // by session: the system prompt is built for every request
  const compacted = new Set()
  return {
    "experimental.chat.system.transform": async (input, output) => {
      const session = input?.sessionID ?? ""
      if (!briefs.has(session)) {
        const source = compacted.delete(session) ? "compact" : "startup"
        briefs.set(session, ask("session-start", directory, { session_id: session, source }))
      }
      const brief = await briefs.get(session)
      if (brief) output.system.push(brief)
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
