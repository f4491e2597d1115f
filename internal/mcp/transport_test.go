package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/workspace"
)

// TestGoesOnAfterALineThatIsNoMessage sends invalid lines between messages. Each gets an
// answer, and the server goes on.
func TestGoesOnAfterALineThatIsNoMessage(t *testing.T) {
	const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	for _, tc := range []struct {
		line, id string
		code     int
	}{
		{`nonsense`, "null", -32700},
		{`{"jsonrpc":"2.0","id":1,`, "null", -32700},
		{"\xff\xfe", "null", -32700},
		{`[]`, "null", -32600},
		{`42`, "null", -32600},
		{`"ping"`, "null", -32600},
		{`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, "null", -32600},
		{`{"id":7,"method":"ping"}`, "null", -32600},
		{`{"jsonrpc":"1.0","id":"b","method":"ping"}`, "null", -32600},
		{`[{"jsonrpc":"2.0","id":2,"method":"ping"}]`, "null", -32600},
	} {
		t.Run(tc.line, func(t *testing.T) {
			in := strings.Join([]string{tc.line, hello, "", tc.line, `{"jsonrpc":"2.0","method":"notifications/initialized"}  ` + "\r", tc.line, `{"jsonrpc":"2.0","id":"bye","method":"ping"}`}, "\n")
			var out bytes.Buffer
			at := workspace.Settings{Dir: gittest.New(t).Dir, Now: time.Now, Getenv: func(string) string { return "" }}
			if err := Serve(context.Background(), term.Streams{In: strings.NewReader(in), Out: &out, Err: &out}, at); err != nil {
				t.Fatal(err)
			}
			refused, answered := 0, map[string]bool{}
			for line := range strings.Lines(out.String()) {
				var a struct {
					ID     json.RawMessage
					Result json.RawMessage
					Error  struct{ Code int }
				}
				if err := json.Unmarshal([]byte(line), &a); err != nil {
					t.Fatalf("%v: %q", err, line)
				}
				if a.Result != nil {
					answered[string(a.ID)] = true
				} else if got := fmt.Sprint(string(a.ID), " ", a.Error.Code); got == fmt.Sprint(tc.id, " ", tc.code) {
					refused++
				} else {
					t.Errorf("answered %s", line)
				}
			}
			if refused != 3 || !answered[`"hello"`] || !answered[`"bye"`] {
				t.Errorf("%d refused, answered %v", refused, answered)
			}
		})
	}
}

// TestCallsRunInOrder sends calls without waiting for answers. Each runs after the ones before it, also after one
// that is refused at once.
func TestCallsRunInOrder(t *testing.T) {
	dir := gittest.New(t).Dir
	lines := []string{`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`}
	send := func(id int, tool, arguments string) {
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments))
	}
	send(100, "checkpoint_save", strings.ReplaceAll(protocolArguments, "\n", ""))
	var want []string
	for i := range 8 {
		send(i, "checkpoint_delta", fmt.Sprintf(`{"changed":"Step %d","next":["Action %[1]d"]}`, i))
		send(i+10, "checkpoint_delta", `{"wrong":1}`)
		want = append(want, fmt.Sprintf("Step %d", i))
	}
	send(101, "checkpoint_resume", `{}`)
	lines = append(lines, `{"jsonrpc":"2.0","id":"last","method":"ping"}`)
	var out bytes.Buffer
	at := workspace.Settings{Dir: dir, Now: time.Now, Getenv: func(string) string { return "" }}
	if err := Serve(context.Background(), term.Streams{In: strings.NewReader(strings.Join(lines, "\n")), Out: &out, Err: &out}, at); err != nil {
		t.Fatal(err)
	}
	all, brief, ok := strings.Cut(out.String(), `"id":101,`)
	if !ok || !strings.Contains(brief, "Action 7") || !strings.Contains(all, `"id":"last"`) {
		t.Errorf("the calls were answered so:\n%s", out.String())
	}
	c := client{T: t, dir: dir}
	saved, _ := filepath.Glob(filepath.Join(dir, "checkpoints", "active", "*.md"))
	file := c.file(filepath.Join("active", filepath.Base(saved[0])))
	if got := regexp.MustCompile(`Step \d`).FindAllString(file, -1); !slices.Equal(got, want) {
		t.Errorf("the deltas are %q", got)
	}
}
