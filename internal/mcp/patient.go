package mcp

import (
	"context"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// patient is a transport whose end of input comes when every request is answered: a
// client that closes its side has asked all the same.
type patient struct{ sdk.Transport }

func (t patient) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return &patientConnection{Connection: c}, err
}

type patientConnection struct {
	sdk.Connection
	asked sync.WaitGroup // requests without an answer
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
