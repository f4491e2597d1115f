package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/secrets"
)

// discreet is middleware that removes the secrets of a request from the errors that answer it.
func discreet(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		var given []string
		params, _ := json.Marshal(req.GetParams()) // a copy, since other middleware changes the request
		result, err := next(ctx, method, req)
		failed, ok := result.(*sdk.CallToolResult)
		ok = ok && failed != nil && failed.IsError
		if !ok && err == nil {
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

// texts appends all texts of a JSON value to all, including the names of members.
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

// checked is middleware that answers a call with an unknown argument by an error that lists the arguments of the tool;
// the SDK's error would name only the unknown one. It removes null arguments, which some clients send for absent ones.
// It keeps those of checkpoint_save, whose documents may have nulls.
func (s *server) checked(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		r, ok := req.(*sdk.CallToolRequest)
		if !ok {
			return next(ctx, method, req)
		}
		var given map[string]json.RawMessage
		takes, known := s.takes[r.Params.Name]
		if !known || json.Unmarshal(r.Params.Arguments, &given) != nil {
			return next(ctx, method, req)
		}
		n := len(given)
		maps.DeleteFunc(given, func(_ string, v json.RawMessage) bool {
			return string(v) == "null" && r.Params.Name != saveTool
		})
		if len(given) < n {
			r.Params.Arguments, _ = json.Marshal(given)
		}
		for _, key := range slices.Sorted(maps.Keys(given)) {
			if !slices.Contains(takes, key) {
				return failure(fault.New(fault.Usage, "%s has no argument %q", r.Params.Name, key).WithHint("it takes %s",
					strings.Join(takes, ", "))), nil
			}
		}
		return next(ctx, method, req)
	}
}
