package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/workspace"
)

// kind tells whether a tool changes anything.
type kind int

const (
	reads   kind = iota
	changes      // the tool adds a commit of checkpoint files, which ckpt undo can revert
)

// answer is a tool's answer: a text for the model and, for most tools, the same as a structured value. If there is a
// value, clients show it to the model instead of the text; some show both.
type answer struct {
	text  string
	kind  string // the kind of the value's JSON, if a command also gives this answer
	value any
}

// call is one call of a tool.
type call struct {
	*sdk.CallToolRequest
	p *workspace.Workspace
}

// alwaysLoad is metadata that makes Claude Code send a tool to the model with every request. The model must search for
// other tools. So only tools that every session needs have this metadata.
var alwaysLoad = sdk.Meta{"anthropic/alwaysLoad": true}

// unlist removes properties from a schema and returns their names. The tool still accepts these arguments, for
// programs. Models do not need them, and every request carries the schema.
func unlist(s *jsonschema.Schema, names ...string) []string {
	for _, name := range names {
		delete(s.Properties, name)
	}
	s.AdditionalProperties = nil // checked refuses other members, so the schema need not
	return names
}

// add adds a tool. The tool accepts the arguments of tool.InputSchema, or else the fields of In, and also
// the unlisted ones.
func add[In any](s *server, to *sdk.Server, k kind, tool *sdk.Tool, do func(context.Context, call, In) (answer, error),
	unlisted ...string) {
	no := false
	tool.Annotations = &sdk.ToolAnnotations{Title: tool.Title, ReadOnlyHint: k == reads, DestructiveHint: &no,
		IdempotentHint: k == reads, OpenWorldHint: &no}
	if tool.InputSchema == nil {
		tool.InputSchema = schemaOf[In]()
	}
	s.takes[tool.Name] = slices.Sorted(slices.Values(slices.AppendSeq(slices.Clone(unlisted),
		maps.Keys(tool.InputSchema.(*jsonschema.Schema).Properties))))
	sdk.AddTool(to, tool, func(ctx context.Context, req *sdk.CallToolRequest, in In) (called *sdk.CallToolResult, _ any,
		_ error) {
		defer func() {
			if r := recover(); r != nil {
				called = failure(fmt.Errorf("%s: a defect of ckpt: %v", tool.Name, r))
			}
		}()
		p, err := s.open(ctx, req.Session)
		if err != nil {
			return failure(err), nil, nil
		}
		a, err := do(ctx, call{req, p}, in)
		if err != nil {
			return failure(err), nil, nil
		}
		called = &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: term.Plain(strings.TrimRight(a.text,
			"\n"))}}}
		if a.value == nil {
			return called, nil, nil
		}
		structured, err := result.Marshal(a.kind, a.value)
		if err != nil {
			return failure(err), nil, nil
		}
		called.StructuredContent = json.RawMessage(structured)
		return called, nil, nil
	})
}

// failure returns the answer for an error, with its hint.
func failure(err error) *sdk.CallToolResult {
	result := &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: term.Plain(err.Error())}}}
	if hint := fault.HintOf(err); hint != "" {
		result.Content = append(result.Content, &sdk.TextContent{Text: "hint: " + term.Plain(hint)})
	}
	return result
}

// answerOf returns the answer that a command would give: its text and its JSON.
func answerOf[T any](s *server, kind string, value T, text func(*output.Printer, T)) (answer, error) {
	var out bytes.Buffer
	streams := term.Streams{Out: &out, Err: &out, NoColor: true, Env: s.streams.Env}
	err := output.Print(output.New(streams, false, time.Time{}), value, text)
	return answer{text: out.String(), kind: kind, value: value}, err
}

// schemaOf returns the schema of a type in the form that is simplest for a model: the type of a list is array, not
// array or null.
func schemaOf[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // only a mistake in this package can cause an error
	}
	walk(schema, func(s *jsonschema.Schema) {
		rest := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
		if len(rest) == 1 {
			s.Type, s.Types = rest[0], nil
		}
	})
	return schema
}

// walk calls do for a schema, and for those of its members and elements.
func walk(s *jsonschema.Schema, do func(*jsonschema.Schema)) {
	if s == nil {
		return
	}
	do(s)
	for _, below := range s.Properties {
		walk(below, do)
	}
	walk(s.Items, do)
}

// open makes a schema accept members that it does not name, since documents of the three schemas have such members.
func open(s *jsonschema.Schema) *jsonschema.Schema {
	walk(s, func(s *jsonschema.Schema) { s.AdditionalProperties = nil })
	return s
}
