package wire

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/core/result"
)

// FuzzWriteOverview: an overview that goes out by hand is what encoding/json makes of it.
func FuzzWriteOverview(f *testing.F) {
	f.Add("chk-a", "Plain.", "archived", 1767225600, true)
	f.Add("", "\"quoted\" \\ [] <&>", "\n\t\x00\x7f", -1, false)
	f.Add("é→🙂", "\u2028\u2029", "\xff\xc3", 0, false)
	f.Fuzz(func(t *testing.T, a, b, c string, n int, edited bool) {
		at := time.Unix(int64(n), 0)
		o := &result.Overview{Warnings: []string{c}}
		for _, e := range []*result.Entry{
			{}, {ID: a, Problem: b, Created: at, Deltas: n}, {ID: a, Goal: b, Marked: at},
			{
				ID: a, Path: b, Status: c, Problem: a, Next: b, Outcome: c, Parent: a, Anchor: b, Created: at, Changed: at.Add(time.Hour), Deltas: n, Edited: edited,
				Unreadable: b, Goal: c, Marked: at, Run: result.Run{Name: a, Workflow: b, Phase: c, Step: a, Agent: b, Session: c, Trigger: b, Progress: a}, Unfinished: b,
			},
		} {
			o.Entries = append(o.Entries, e)
			want, err := Marshal(FromOverview("list", o))
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := WriteOverview(&got, "list", o); err != nil || got.String() != string(want) {
				t.Fatalf("%v, %s, not %s", err, got.Bytes(), want)
			}
		}
	})
}

func TestWriteAsItIsMade(t *testing.T) {
	o := &result.Overview{}
	for range 1000 {
		o.Entries = append(o.Entries, &result.Entry{ID: strings.Repeat("a", 100)})
	}
	want, _ := Marshal(FromOverview("list", o))
	var got chunks
	if err := WriteOverview(&got, "list", o); err != nil || len(got) < 2 || string(bytes.Join(got, nil)) != string(want) {
		t.Errorf("%v, %d chunks", err, len(got))
	}
}

type chunks [][]byte

func (c *chunks) Write(text []byte) (int, error) {
	*c = append(*c, bytes.Clone(text))
	return len(text), nil
}
