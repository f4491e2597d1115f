package protocol

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Answer is what a hook has to say. Its zero value is silence.
type Answer struct {
	Context string // the model is to read it
	Block   string // the agent is not to stop, for this reason
	Notice  string // its user is to see it
}

// Limit is how many bytes of context an agent keeps of a hook's answer, with room
// for the words around it. Claude Code shows the model a preview of what is longer
// than 10,000 characters; Codex cuts at 2,500 tokens.
const Limit = 9500

// output is the fields that agents read, in the order they are written.
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

// Encode is the answer in the dialect of the agent that called, for standard
// output; nil where there is nothing to say, or no way to say it: what an agent
// cannot place would be an error to it, or a message of the user's.
func Encode(c Call, a Answer) []byte {
	switch {
	case a.Block != "" && (c.Event == Stop || c.Event == SubagentStop):
		return block(c, a.Block)
	case a.Notice != "" && (c.Agent == "claude" || c.Agent == "gemini" || c.Agent == "opencode"):
		return encode(output{Notice: a.Notice})
	case a.Context == "":
		return nil
	}
	switch c.Event {
	case PreCompact:
		if c.Agent == "claude" || c.Agent == "opencode" { // plain text joins the compaction's prompt
			return []byte(a.Context + "\n")
		}
		return nil
	case StatusLine:
		return []byte(a.Context + "\n")
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
		if c.Prompt != "" { // Claude Code since 2.1.163 goes on for a context, and shows no error
			return encode(output{SpecificContext: &specific{Named: named(c), Context: reason}})
		}
	}
	return encode(output{Decision: "block", Reason: reason})
}

func inform(c Call, text string) []byte {
	own := &specific{Named: named(c), Context: text}
	switch c.Agent {
	case "claude": // Copilot runs Claude's hooks too, and reads the first of the two
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

// named is the event as the agent called it, else as it would: without the name
// the context is dropped in silence.
func named(c Call) string {
	if c.Named != "" {
		return c.Named
	}
	switch {
	case c.Event == Prompt && c.Agent == "gemini":
		return "BeforeAgent"
	case c.Event == Tool && c.Agent == "gemini":
		return "AfterTool"
	case c.Event == Prompt:
		return "UserPromptSubmit"
	case c.Event == Tool:
		return "PostToolUse"
	case c.Event == Stop:
		return "Stop"
	case c.Event == SubagentStop:
		return "SubagentStop"
	}
	return "SessionStart"
}

func encode(o output) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(o) // strings always encode
	return b.Bytes()
}
