package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// lines is a reader that returns valid messages, one per line. It answers any other line, such as a batch, with an
// error of JSON-RPC. The SDK's own reader would end the session at the first line that it cannot decode.
type lines struct {
	in   *bufio.Reader
	out  io.Writer
	rest []byte // the part of the current line that Read has not returned yet
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.in.ReadBytes('\n')
		line = bytes.TrimSpace(line)
		if _, bad := jsonrpc.DecodeMessage(line); len(line) > 0 && bad == nil {
			l.rest = append(line, '\n')
		} else if len(line) > 0 {
			code, message := -32600, "the line is not a message of JSON-RPC 2.0 with a text or an integer as its id"
			if !json.Valid(line) {
				code, message = -32700, "the line is not JSON; a message is one line"
			}
			_, _ = fmt.Fprintf(l.out, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, message)
		}
		if err != nil && len(l.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// together is a writer that several goroutines may use at the same time. Each call of Write has whole messages.
type together struct {
	mu sync.Mutex
	io.Writer
}

func (t *together) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.Writer.Write(p)
}

func (t *together) Close() error { return nil }

// patient is a transport that delivers a tool call only after the one before is answered, because the SDK would run
// all calls at once. It delivers the end of input only after every request is answered, because a client may close the
// connection after its last request.
type patient struct{ sdk.Transport }

func (t patient) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return &patientConnection{Connection: c}, err
}

type patientConnection struct {
	sdk.Connection
	asked sync.Map      // from the ID of each unanswered request to a channel that Write closes
	call  chan struct{} // the channel of the newest call of a tool; nil before the first
}

func (c *patientConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	// A request to listen is answered only when the session ends.
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && r.Method != "subscriptions/listen" {
		answered := make(chan struct{})
		// The SDK does not answer a request that repeats the ID of an unanswered one.
		_, again := c.asked.LoadOrStore(r.ID, answered)
		if r.Method == "tools/call" && !again {
			wait(ctx, c.call)
			c.call = answered
		}
	}
	if err == io.EOF {
		for _, answered := range c.asked.Range {
			wait(ctx, answered.(chan struct{}))
		}
	}
	return m, err
}

// wait returns when a request is answered or ctx ends.
func wait(ctx context.Context, answered chan struct{}) {
	if answered == nil {
		return
	}
	select {
	case <-answered:
	case <-ctx.Done():
	}
}

func (c *patientConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		if answered, open := c.asked.LoadAndDelete(r.ID); open {
			close(answered.(chan struct{}))
		}
	}
	return err
}
