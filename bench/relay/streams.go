package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"example.com/ckpt/internal/secrets"
	"example.com/ckpt/internal/term"
)

// stream describes how an agent is started, and how its standard output is read: one JSON object a line.
type stream struct {
	name string
	// flags make the agent print the stream, and run hooks in the new repository, whose folder is "DIR".
	flags []string
	// not has flags with a value that are removed, because they would make the agent print something else.
	not []string
	// resume adds to the words of a command line those that resume a session.
	resume func(words []string, id string) []string
	// named is set if the agent tells the id of a session only at its end. Then the flags of resume, with a
	// random UUID, also begin a session.
	named bool
	// read adds the data of an object to s, and returns how many calls the object ends.
	read func(o object, s *session) (ended int)
}

// streams are the agents whose streams are known. The program of a command, or the flag -as, names one.
var streams = []stream{
	{
		name: "claude", read: readClaude, resume: withFlag("--resume"), not: []string{"--output-format"},
		flags: []string{"--output-format", "stream-json", "--verbose"},
	},
	{
		name: "codex", read: readCodex,
		resume: func(words []string, id string) []string { return slices.Concat(words, []string{"resume", id}) },
		flags:  []string{"--json", "--dangerously-bypass-hook-trust", "-c", `projects={"DIR"={trust_level="trusted"}}`},
	},
	{
		name: "gemini", read: readGemini, not: []string{"--output-format", "-o"},
		resume: func(words []string, _ string) []string { return withFlag("--resume")(words, "latest") },
		flags:  []string{"--skip-trust", "--output-format", "stream-json"},
	},
	{
		name: "opencode", read: readOpenCode, resume: withFlag("--session"), not: []string{"--format"},
		flags: []string{"--format", "json"},
	},
	{
		name: "copilot", read: readCopilot, resume: withFlag("--session-id"), named: true,
		not: []string{"--output-format"}, flags: []string{"--output-format", "json"},
	},
}

// plain is the stream of any other command. The prompt is its last argument, after "--resume ID" to resume
// a session. A line is one of these objects; others are ignored:
//
//	{"session":"ID"}
//	{"call":{"tool":"bash","command":"go test ./..."}}    a call of a tool has ended
//	{"tokens":1234}                                       one more request took so many tokens
var plain = stream{resume: withFlag("--resume"), read: func(o object, s *session) int {
	s.name(o.text("session"))
	s.request("", o.number("tokens"))
	if c := o.object("call"); c != nil {
		return s.called(1, c.text("tool"), c)
	}
	return 0
}}

func withFlag(name string) func([]string, string) []string {
	return func(words []string, id string) []string { return slices.Concat(words, []string{name, id}) }
}

func streamNames() []string {
	var names []string
	for _, s := range streams {
		names = append(names, s.name)
	}
	return names
}

// command is a real agent: a command line.
type command struct {
	words  []string
	stream stream
	keep   io.Writer // the transcript is written to it, with secrets replaced
}

// newCommand returns the agent of a command line. As names its stream; if it is empty, the name of the program does.
func newCommand(line, as string, keep io.Writer) (*command, error) {
	c := &command{words: strings.Fields(line), stream: plain, keep: keep}
	if len(c.words) == 0 {
		return nil, fmt.Errorf("-agent is empty")
	}
	program := strings.TrimSuffix(filepath.Base(c.words[0]), ".exe")
	i := slices.IndexFunc(streams, func(s stream) bool { return s.name == as || as == "" && s.name == program })
	if i >= 0 {
		c.stream = streams[i]
	} else if as != "" && as != "plain" {
		return nil, fmt.Errorf("unknown -as %q (want %s or plain)", as, strings.Join(streamNames(), ", "))
	}
	return c, nil
}

// line returns the words with which a session is started in the repository dir.
func (c *command) line(dir, prompt, id string) []string {
	var words []string
	for i := 0; i < len(c.words); i++ {
		name, _, joined := strings.Cut(c.words[i], "=")
		switch {
		case !slices.Contains(c.stream.not, name):
			words = append(words, c.words[i])
		case !joined:
			i++ // skip the value of the flag
		}
	}
	for _, flag := range c.stream.flags {
		words = append(words, strings.Replace(flag, "DIR", filepath.ToSlash(dir), 1))
	}
	if id != "" {
		words = c.stream.resume(words, id)
	}
	if c.stream.name == "gemini" || c.stream.name == "copilot" { // -p takes the prompt as its value
		words = append(slices.DeleteFunc(words, func(w string) bool { return w == "-p" || w == "--prompt" }), "-p")
	}
	return append(words, prompt)
}

// session runs the command. At the cut it kills the command and all processes that it has started.
func (c *command) session(ctx context.Context, p *place, prompt, id string, at cut) (session, error) {
	if id == "" && c.stream.named {
		random := make([]byte, 16)
		rand.Read(random) // it does not fail
		id = uuid(random)
	}
	s := session{ID: id}
	words := c.line(p.dir, prompt, id)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.dir, p.env(), 5*time.Second
	term.LeadGroup(cmd)
	code := p.sources()
	out, to := io.Pipe()
	cmd.Stdout = to
	if err := cmd.Start(); err != nil {
		return s, err
	}
	var failed error
	go func() { // after WaitDelay, Wait gives up on processes that keep the output open
		failed = cmd.Wait()
		to.Close()
	}()
	defer context.AfterFunc(ctx, func() { term.EndGroup(cmd.Process.Pid, 0) })()
	var late atomic.Bool
	if at.after > 0 {
		defer time.AfterFunc(at.after, func() { late.Store(true); term.EndGroup(cmd.Process.Pid, 0) }).Stop()
	}
	lines, scanner, ended := bufio.NewReader(out), &secrets.Scanner{}, 0
	for {
		line, err := lines.ReadBytes('\n')
		fmt.Fprint(c.keep, scanner.Replace(string(line)))
		var o object
		if json.Unmarshal(line, &o) == nil && !s.Cut {
			if n := c.stream.read(o, &s); n > 0 && len(s.Calls) > 0 {
				ended += n
				now := p.sources()
				s.Calls[min(ended, len(s.Calls))-1].Wrote = now != code
				code = now
			}
			if at.reached(&s, ended) {
				s.Cut = true
				term.EndGroup(cmd.Process.Pid, 0)
			}
		}
		if err != nil {
			break
		}
	}
	s.Cut = s.Cut || late.Load()
	switch {
	case ctx.Err() != nil:
		return s, ctx.Err()
	case failed != nil && !s.Cut && len(s.Calls) == 0:
		return s, fmt.Errorf("%s: %w", strings.Join(words[:len(words)-1], " "), failed)
	}
	return s, nil
}

// object is a JSON object of a stream.
type object map[string]any

// object returns the object at a path; nil if it is not there.
func (o object) object(path ...string) object {
	for _, name := range path {
		o, _ = map[string]any(o)[name].(map[string]any)
	}
	return o
}

// text returns the first string that the object has under one of the names.
func (o object) text(names ...string) string {
	for _, name := range names {
		if s, ok := o[name].(string); ok {
			return s
		}
	}
	return ""
}

// number returns the sum of the numbers under the names.
func (o object) number(names ...string) int {
	sum := 0.0
	for _, name := range names {
		n, _ := o[name].(float64)
		sum += n
	}
	return int(sum)
}

// list returns the objects of a list.
func (o object) list(name string) []object {
	var all []object
	entries, _ := o[name].([]any)
	for _, e := range entries {
		if m, ok := e.(map[string]any); ok {
			all = append(all, m)
		}
	}
	return all
}

// name sets the session's id, unless it is empty.
func (s *session) name(id string) {
	if id != "" {
		s.ID = id
	}
}

// request adds the tokens of a request. A request with an id counts only once.
func (s *session) request(id string, tokens int) {
	if tokens == 0 || s.counted[id] {
		return
	}
	if s.Start == 0 {
		s.Start = tokens
	}
	s.Tokens += tokens
	if id != "" {
		if s.counted == nil {
			s.counted = map[string]bool{}
		}
		s.counted[id] = true
	}
}

// called adds a call with its arguments, and returns ended.
func (s *session) called(ended int, tool string, args object) int {
	line := args.text("command", "cmd", "file_path", "filePath", "path", "absolute_path", "pattern")
	s.Calls = append(s.Calls, call{Tool: tool, Command: line})
	return ended
}

// readClaude reads a line of `claude -p --output-format stream-json --verbose`.
func readClaude(o object, s *session) int {
	s.name(o.text("session_id"))
	if o.text("parent_tool_use_id") != "" { // the call of a subagent
		return 0
	}
	message := o.object("message")
	usage := message.object("usage")
	tokens := usage.number("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
	s.request(message.text("id"), tokens)
	ended := 0
	for _, part := range message.list("content") {
		switch part.text("type") {
		case "tool_use":
			s.called(0, part.text("name"), part.object("input"))
		case "tool_result":
			ended++
		}
	}
	return ended
}

// readCodex reads a line of `codex exec --json`.
func readCodex(o object, s *session) int {
	s.name(o.text("thread_id"))
	if usage := o.object("usage"); usage != nil {
		s.Tokens = usage.number("input_tokens", "output_tokens")
	}
	item := o.object("item")
	kind := item.text("type")
	tools := []string{"command_execution", "file_change", "mcp_tool_call", "web_search"}
	if o.text("type") != "item.completed" || !slices.Contains(tools, kind) {
		return 0
	}
	return s.called(1, kind, item)
}

// readGemini reads a line of `gemini --output-format stream-json`.
func readGemini(o object, s *session) int {
	s.name(o.text("session_id"))
	switch o.text("type") {
	case "tool_use":
		return s.called(0, o.text("tool_name"), o.object("parameters"))
	case "tool_result":
		return 1
	case "result":
		s.Tokens = o.object("stats").number("total_tokens")
	}
	return 0
}

// readOpenCode reads a line of `opencode run --format json`.
func readOpenCode(o object, s *session) int {
	s.name(o.text("sessionID"))
	part := o.object("part")
	s.request(part.text("id"), part.object("tokens").number("total"))
	if o.text("type") != "tool_use" {
		return 0
	}
	return s.called(1, part.text("tool"), part.object("state", "input"))
}

// readCopilot reads a line of `copilot -p PROMPT --output-format json`, which reports the size of the context
// after each call.
func readCopilot(o object, s *session) int {
	data := o.object("data")
	switch o.text("type") {
	case "tool.execution_start":
		return s.called(0, data.text("toolName"), data.object("arguments"))
	case "tool.execution_complete":
		s.request("", data.object("toolTelemetry", "metrics").number("context_current_tokens"))
		return 1
	case "result":
		s.name(o.text("sessionId"))
	}
	return 0
}
