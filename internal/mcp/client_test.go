package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/workspace"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// client is an agent that talks to the server in a repository.
type client struct {
	*testing.T
	dir string
	*sdk.ClientSession
}

// connect starts a server in a new repository and connects to it. Each function in with
// changes the settings.
func connect(t *testing.T, with ...func(*workspace.Settings)) client {
	t.Helper()
	return connectIn(t, gittest.New(t).Dir, with...)
}

func connectIn(t *testing.T, dir string, with ...func(*workspace.Settings)) client {
	t.Helper()
	at := workspace.Settings{Dir: dir, Now: func() time.Time { return time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC) }, Getenv: func(string) string { return "" }}
	for _, change := range with {
		change(&at)
	}
	var out bytes.Buffer
	here, there := sdk.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = newServer(term.Streams{Out: &out, Err: &out}, at).Run(ctx, patient{there})
	}()
	t.Cleanup(func() { <-done })
	c := sdk.NewClient(&sdk.Implementation{Name: "claude-code", Version: "1"}, nil)
	session, err := c.Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return client{t, dir, session}
}

// call calls a tool with arguments as JSON.
func (c client) call(tool, arguments string) *sdk.CallToolResult {
	c.Helper()
	r, err := c.CallTool(c.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		c.Fatalf("%s: %v", tool, err)
	}
	return r
}

// must returns the text and the value of a call that has to succeed.
func (c client) must(tool, arguments string) (string, map[string]any) {
	c.Helper()
	r := c.call(tool, arguments)
	if r.IsError {
		c.Fatalf("%s: %s", tool, said(r))
	}
	v, _ := r.StructuredContent.(map[string]any)
	return said(r), v
}

// refused returns the text of a call that has to fail, with a line for each block.
func (c client) refused(tool, arguments string) string {
	c.Helper()
	r := c.call(tool, arguments)
	if !r.IsError {
		c.Fatalf("%s %s: %s", tool, arguments, said(r))
	}
	return said(r)
}

func said(r *sdk.CallToolResult) string {
	var all []string
	for _, block := range r.Content {
		all = append(all, block.(*sdk.TextContent).Text)
	}
	return strings.Join(all, "\n")
}

func (c client) file(name string) string {
	c.Helper()
	src, err := os.ReadFile(filepath.Join(c.dir, "checkpoints", name))
	if err != nil {
		c.Fatal(err)
	}
	return string(src)
}

func (c client) has(text string, parts ...string) {
	c.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			c.Errorf("%q is missing in\n%s", part, text)
		}
	}
}
