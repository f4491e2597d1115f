package ckpttest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/term"
)

// claude calls a hook as Claude Code does at an event of a session:
//
//	claude SESSION start [startup|resume|clear|compact]
//	claude SESSION prompt [TEXT [BYTES]]   with BYTES it is that long and ends with "TEXT end"
//	claude SESSION stop|compact|end
//	claude SESSION writes FILE
//	claude SESSION runs COMMAND [EXIT]     without EXIT the command was interrupted
//
// claude writes no file and runs no command: the script does that itself.
func claude() int {
	args := os.Args[1:]
	if len(args) < 2 {
		return usage()
	}
	event := ""
	payload := map[string]any{"session_id": args[0]}
	named := func(hook, name string) {
		event, payload["hook_event_name"] = hook, name
	}
	switch rest := args[2:]; {
	case args[1] == "start":
		named("session-start", "SessionStart")
		payload["source"] = strings.Join(append(rest, "startup")[:1], "")
	case args[1] == "prompt":
		named("prompt", "UserPromptSubmit")
		text := strings.Join(append(rest, "/go")[:1], "")
		if len(rest) == 2 {
			size, _ := strconv.Atoi(rest[1])
			text += strings.Repeat(" and more", size/len(" and more")) + "\n" + text + " end"
		}
		payload["prompt"] = text
	case args[1] == "stop":
		named("stop", "Stop")
	case args[1] == "compact":
		named("pre-compact", "PreCompact")
		payload["trigger"] = "auto"
	case args[1] == "end":
		named("session-end", "SessionEnd")
		payload["reason"] = "other"
	case args[1] == "writes" && len(rest) == 1:
		named("tool", "PostToolUse")
		payload["tool_name"] = "Write"
		payload["tool_input"] = map[string]any{"file_path": rest[0], "content": "package x\n"}
		payload["tool_response"] = map[string]any{"type": "create", "filePath": rest[0]}
	case args[1] == "runs" && len(rest) > 0:
		named("tool", "PostToolUse")
		payload["tool_name"] = "Bash"
		payload["tool_input"] = map[string]any{"command": rest[0]}
		switch {
		case len(rest) == 1:
			payload["hook_event_name"], payload["is_interrupt"], payload["error"] = "PostToolUseFailure", true, "interrupted"
		case rest[1] == "0":
			payload["tool_response"] = map[string]any{"stdout": "ok", "stderr": "", "interrupted": false}
		default:
			payload["hook_event_name"], payload["is_interrupt"], payload["error"] = "PostToolUseFailure", false, "Exit code "+rest[1]+"\nFAIL"
		}
	default:
		return usage()
	}
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	payload["cwd"] = dir
	input, err := json.Marshal(payload)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	streams := term.System()
	streams.In = strings.NewReader(string(input))
	return cli.Main(context.Background(), []string{"hook", "claude", event}, cli.World{Streams: streams, Now: gittest.Clock})
}

func usage() int {
	fmt.Fprintln(os.Stderr, "usage: claude SESSION start|prompt|writes|runs|compact|stop|end ...")
	return 2
}
