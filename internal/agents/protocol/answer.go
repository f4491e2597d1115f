package protocol

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
)

// Answer is a hook's answer. The zero value prints nothing.
type Answer struct {
	Context string // a text for the model
	Block   string // why the agent must not stop yet
	Notice  string // a text for the user
}

// output has the fields that agents read, in the order in which they are written.
type output struct {
	Notice          string    `json:"systemMessage,omitempty"`
	Decision        string    `json:"decision,omitempty"`
	Reason          string    `json:"reason,omitempty"`
	Followup        string    `json:"followup_message,omitempty"`
	ContextSnake    string    `json:"additional_context,omitempty"`
	Context         string    `json:"additionalContext,omitempty"`
	SpecificContext *specific `json:"hookSpecificOutput,omitempty"`
}

type specific struct {
	Named   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// Encode returns an answer in the form that the calling agent reads from standard output. The result
// is nil for an empty answer, and for an answer that the agent has no field for: the agent would take
// an unknown field for an error or for a message of the user.
func Encode(c Call, a Answer) []byte {
	switch {
	case a.Block != "" && c.Event == Stop:
		return block(c, a.Block)
	case a.Notice != "" && (c.Agent == "claude" || c.Agent == "gemini" || c.Agent == "opencode"):
		return encode(output{Notice: a.Notice})
	case a.Context == "":
		return nil
	}
	switch c.Event {
	case PreCompact:
		if c.Agent == "claude" || c.Agent == "opencode" { // the agent appends plain text to the prompt of the compaction
			return []byte(a.Context + "\n")
		}
		return nil
	case SessionStart, Prompt, Tool:
		return inform(c, a.Context)
	}
	return nil
}

func block(c Call, reason string) []byte {
	switch c.Agent {
	case "gemini":
		return encode(output{Decision: "deny", Reason: reason})
	case "cursor":
		return encode(output{Followup: reason})
	case "claude":
		if c.Prompt != "" { // a version with prompt ids continues if it gets a context, and shows no error
			return encode(output{SpecificContext: &specific{Named: named(c), Context: reason}})
		}
	}
	return encode(output{Decision: "block", Reason: reason})
}

func inform(c Call, text string) []byte {
	own := &specific{Named: named(c), Context: text}
	switch c.Agent {
	case "claude": // Copilot runs Claude's hooks too, and reads the first of the two fields
		return encode(output{Context: text, SpecificContext: own})
	case "codex", "gemini": // Codex refuses a field that it does not know
		return encode(output{SpecificContext: own})
	case "copilot":
		return encode(output{Context: text})
	case "cursor":
		return encode(output{ContextSnake: text})
	}
	return []byte(strings.TrimRight(text, "\n") + "\n")
}

// named returns the agent's name of the event: from the call, or else the usual one. Without the
// name an agent drops the context silently.
func named(c Call) string {
	names := map[Event]string{Prompt: "UserPromptSubmit", Tool: "PostToolUse", Stop: "Stop"}
	if c.Agent == "gemini" {
		names = map[Event]string{Prompt: "BeforeAgent", Tool: "AfterTool"}
	}
	return cmp.Or(c.Named, names[c.Event], "SessionStart")
}

func encode(o output) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(o) // strings can always be encoded
	return b.Bytes()
}
