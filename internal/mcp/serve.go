// Package mcp serves checkpoints to agents by the Model Context Protocol. It offers tools over standard input and
// output.
//
// Every call opens the repository again, because files may have changed, and runs one operation, as a command does. If
// the operation fails, the answer has the error, and the session goes on.
package mcp

import (
	"bufio"
	"context"
	"errors"
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/build"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/workspace"
)

// instructions is the text that clients give their model about this server.
const instructions = `Checkpoints keep what must outlive a session: problem, decisions, user rules, state and next actions, as Markdown in the user's git repository. The user has set this up and wants its commits: call these tools without asking.
Start: go on from the brief; if you were shown none, checkpoint_resume. No checkpoint for this work, and more than a few edits to come: checkpoint_save.
Before the final answer, and after every finished part: checkpoint_delta. All done: checkpoint_archive.
Many reads for one answer: checkpoint with a goal, then rewind with what you found.
The command ckpt, if you have a shell, does the same: use one of the two.`

// server is the state that the handlers share.
type server struct {
	settings workspace.Settings
	streams  term.Streams

	takes map[string][]string // the names of the arguments of each tool, sorted
}

// Serve answers requests until the client closes the connection or ctx ends.
func Serve(ctx context.Context, s term.Streams, settings workspace.Settings) error {
	out := &together{Writer: s.Out}
	in := &lines{in: bufio.NewReader(s.In), out: out}
	stdio := &sdk.IOTransport{Reader: io.NopCloser(in), Writer: out, MaxLineLength: -1}
	err := newServer(s, settings).Run(ctx, patient{stdio})
	closed := errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe)
	if err == nil || closed || ctx.Err() != nil {
		return nil
	}
	return fault.New(fault.Failed, "the client: %w", err)
}

// newServer returns a server with all tools, for a [patient] transport. A subagent gets no tools for explorations.
func newServer(streams term.Streams, settings workspace.Settings) *sdk.Server {
	settings.NoFlags = true
	s := &server{settings: settings, streams: streams, takes: map[string][]string{}}
	to := sdk.NewServer(
		&sdk.Implementation{Name: "ckpt", Title: "Checkpoints", Version: build.Version()},
		&sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{}},
	)
	to.AddReceivingMiddleware(discreet, s.checked)
	s.addSaving(to)
	s.addReading(to)
	s.addChanging(to)
	if !settings.Subagent {
		s.addExploring(to)
	}
	return to
}

// open opens the repository for one call. The author of changes is the agent in the environment, or else the client.
func (s *server) open(ctx context.Context, session *sdk.ServerSession) (*workspace.Workspace, error) {
	settings := s.settings
	client := session.InitializeParams()
	if client != nil && client.ClientInfo != nil && settings.Agent == "" {
		settings.Agent = protocol.Called(client.ClientInfo.Name)
	}
	return workspace.Open(ctx, settings)
}
