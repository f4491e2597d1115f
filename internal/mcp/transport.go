package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The codes of JSON-RPC for input that is not a message.
const (
	notJSON    = -32700
	notRequest = -32600
)

// lines is a reader that returns valid messages, one per line. It answers any other line with an
// error of JSON-RPC, while the reader of the SDK ends the session at the first line that it cannot
// decode. Batches are no longer part of the protocol.
type lines struct {
	in   *bufio.Reader
	out  io.Writer
	most int    // the maximal size of a message, in bytes
	rest []byte // the rest of the line that is being read
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, long, err := l.line()
		switch {
		case long:
			l.refuse(nil, notRequest, fmt.Sprintf("the message is longer than %d bytes", l.most))
		case len(line) == 0:
		case !json.Valid(line):
			l.refuse(nil, notJSON, "the line is not JSON; a message is one line")
		default:
			_, err := jsonrpc.DecodeMessage(line)
			if _, stays := idOf(line); err != nil || !stays {
				l.refuse(line, notRequest, "the line is not a message of JSON-RPC 2.0 with a text or an integer as its id")
			} else {
				l.rest = append(line, '\n')
			}
		}
		if err != nil && len(l.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// line returns the next line without the white space around it. It skips a line that is too long,
// and reports that it did.
func (l *lines) line() (line []byte, long bool, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		long = long || len(line)+len(part) > l.most
		if long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimSpace(line), long, err
		}
	}
}

// refuse answers a line with an error, and with the id of the line if it has a valid one.
func (l *lines) refuse(line []byte, code int, message string) {
	id, _ := idOf(line)
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id,
		"error": map[string]any{"code": code, "message": message}})
	if err == nil {
		_, _ = l.out.Write(append(answer, '\n')) // if the client is gone, the next read fails
	}
}

// idOf returns the id of a request; nil if it has no valid one. Stays is false for a number that the SDK would
// change in its answer.
func idOf(line []byte) (id any, stays bool) {
	var given struct{ ID any }
	_ = json.Unmarshal(line, &given) // what is not an object has no id
	n, isNumber := given.ID.(float64)
	_, isText := given.ID.(string)
	stays = !isNumber || n == math.Trunc(n) && math.Abs(n) <= 1<<53
	if stays && (isNumber || isText) {
		id = given.ID
	}
	return id, stays
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

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// patient is a transport that delays the end of input until every request is answered, because a
// client may send its requests and then close the connection.
type patient struct{ sdk.Transport }

func (t patient) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return &patientConnection{Connection: c}, err
}

type patientConnection struct {
	sdk.Connection
	asked sync.WaitGroup // counts the requests without an answer
}

func (c *patientConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		c.asked.Add(1)
	}
	if err == io.EOF {
		answered := make(chan struct{})
		go func() {
			c.asked.Wait()
			close(answered)
		}()
		select {
		case <-answered:
		case <-ctx.Done():
		}
	}
	return m, err
}

func (c *patientConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	if _, ok := m.(*jsonrpc.Response); ok {
		defer c.asked.Done()
	}
	return c.Connection.Write(ctx, m)
}
