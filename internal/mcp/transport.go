package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
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

// patient is a transport that delays the end of input until every request is answered, because a
// client may send its requests and then close the connection. It also tells each call of a tool
// which calls came before it, for checked.
type patient struct{ sdk.Transport }

func (t patient) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return &patientConnection{Connection: c}, err
}

type patientConnection struct {
	sdk.Connection
	asked sync.Map // by the ID of each request without an answer, a channel that is closed with the answer
}

// earlier is the key under which the SDK passes on to middleware what waits for the requests that came before one.
const earlier = "earlier"

func (c *patientConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && r.Method != "subscriptions/listen" { // answered at the end
		r.Extra = &sdk.RequestExtra{TokenInfo: &auth.TokenInfo{Extra: map[string]any{earlier: c.pending()}}}
		c.asked.LoadOrStore(r.ID, make(chan struct{})) // the SDK does not answer another one with the ID of an open one
	}
	if err == io.EOF {
		_ = c.pending().wait(ctx)
	}
	return m, err
}

// pending has the channels of requests without an answer.
type pending []chan struct{}

func (c *patientConnection) pending() (all pending) {
	for _, answered := range c.asked.Range {
		all = append(all, answered.(chan struct{}))
	}
	return all
}

// wait returns when all are answered or ctx ends.
func (all pending) wait(ctx context.Context) error {
	for _, answered := range all {
		select {
		case <-answered:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
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
