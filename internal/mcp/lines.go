package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// The codes of JSON-RPC for what cannot be read as a message.
const (
	notJSON    = -32700
	notRequest = -32600
)

// lines lets only whole messages through, one a line. Whatever else the client sends is
// answered with an error of JSON-RPC, and the next line is read: the SDK's own reader
// ends the session at the first line that it cannot decode. Batches are not part of the
// protocol any more.
type lines struct {
	in   *bufio.Reader
	out  io.Writer
	most int    // bytes of a message
	rest []byte // of a line that was let through
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
			if _, err := jsonrpc.DecodeMessage(line); err != nil {
				l.refuse(line, notRequest, "the line is not a message of JSON-RPC 2.0")
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

// line returns the next line without the white space around it. Of one that is too long
// it reads the rest and returns nothing.
func (l *lines) line() (line []byte, long bool, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > l.most; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimSpace(line), long, err
		}
	}
}

// refuse answers a line, with the id that it has where that can be one.
func (l *lines) refuse(line []byte, code int, message string) {
	var id any
	var given struct{ ID any }
	if json.Unmarshal(line, &given) == nil {
		switch given.ID.(type) {
		case string, float64:
			id = given.ID
		}
	}
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id,
		"error": map[string]any{"code": code, "message": message}})
	if err == nil {
		_, _ = l.out.Write(append(answer, '\n')) // a client that is gone is found by the next read
	}
}

// together lets several write whole messages to one writer.
type together struct {
	mu sync.Mutex
	io.Writer
}

func (t *together) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.Writer.Write(p)
}
