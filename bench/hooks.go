package main

import (
	"encoding/json"
	"strings"
)

// hooks measures the hooks for which an agent waits after each tool call, prompt and turn.
func (b *bench) hooks() {
	b.title("Hooks", "`ckpt hook claude EVENT` with the agent's payload on standard input: it records the event and "+
		"prints nothing. Once a minute a hook also asks git whether "+
		"a delta is due; these runs do not.", "event", "compared with")
	dir := b.repository("own", "hooks", 1000)
	for _, event := range []struct{ name, about, tool, output string }{
		{"tool", "", "Bash", "ok\n"},
		{"tool", " that wrote a file", "Write", ""},
		{"prompt", " of 700 bytes", "", ""},
		{"prompt", " of 16 KB", "", ""},
		{"stop", "", "", ""},
		{"tool", " with 5 MB of output", "Bash", strings.Repeat("a line of \"output\"\n", 5<<20/19)},
	} {
		input := map[string]any{"session_id": "bench", "cwd": dir, "hook_event_name": "PostToolUse", "tool_name": event.tool}
		switch event.tool {
		case "Bash":
			input["tool_input"] = map[string]string{"command": "cd src && go test -race ./... 2>&1 | tail -40"}
			input["tool_response"] = map[string]any{"stdout": event.output, "stderr": "", "interrupted": false}
		case "Write":
			input["tool_input"] = map[string]string{"file_path": dir + "/src/new.go",
				"content": strings.Repeat("a line of code\n", 200)}
		}
		if event.name == "prompt" {
			size := map[string]int{" of 700 bytes": 700, " of 16 KB": 16 << 10}[event.about]
			input["prompt"] = strings.Repeat("7. end with exit code 3 if a line was refused\n", size/46)
		}
		payload, err := json.Marshal(input)
		check(err)
		b.stdin = string(payload)
		b.pair("`"+event.name+"`"+event.about, "`git --version`", dir, b.ckpt("hook", "claude", event.name),
			[]string{"git", "--version"})
		b.stdin = ""
	}
}
