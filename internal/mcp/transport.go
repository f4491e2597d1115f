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

// lines is a reader that returns valid messages, one per line. It answers any other line with an
// error of JSON-RPC. The SDK's own reader would end the session at the first line that it cannot
// decode. Batches are no longer part of the protocol.
type lines struct {
	in   *bufio.Reader
	out  io.Writer
	rest []byte // the rest of the line that is being read
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

// together is a writer for several goroutines, which each write whole messages.
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

// patient is a transport that passes on a tool call only when the one before it is answered: the SDK would run them all
// at once. It passes on the end of input only when every request is answered, since a client may close the connection
// after its last request.
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
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && r.Method != "subscriptions/listen" { // answered at the end
		answered := make(chan struct{})
		_, again := c.asked.LoadOrStore(r.ID, answered) // the SDK does not answer a request with the ID of an open one
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
