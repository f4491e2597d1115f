package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/secrets"
)

// discreet keeps secrets that a request holds out of the errors that answer it.
func discreet(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		var given []string // before others change it
		params, _ := json.Marshal(req.GetParams())
		result, err := next(ctx, method, req)
		failed, ok := result.(*sdk.CallToolResult)
		if ok = ok && failed != nil && failed.IsError; !ok && err == nil {
			return result, nil
		}
		var all any
		if json.Unmarshal(params, &all) == nil {
			given = texts(all, given)
		}
		s := &secrets.Scanner{}
		if ok {
			for _, c := range failed.Content {
				if t, is := c.(*sdk.TextContent); is {
					t.Text = s.Hide(t.Text, given...)
				}
			}
		}
		if err == nil {
			return result, nil
		}
		if said, is := errors.AsType[*jsonrpc.Error](err); is {
			hidden := *said
			hidden.Message = s.Hide(said.Message, given...)
			return result, &hidden
		}
		return result, secrets.Discreet(err, given...)
	}
}

// texts adds the texts of a JSON value, names of members included.
func texts(v any, all []string) []string {
	switch v := v.(type) {
	case string:
		all = append(all, v)
	case []any:
		for _, e := range v {
			all = texts(e, all)
		}
	case map[string]any:
		for name, e := range v {
			all = texts(e, append(all, name))
		}
	}
	return all
}
