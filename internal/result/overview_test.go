package result

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// FuzzOverview compares the streamed encoding of an overview with that of encoding/json.
func FuzzOverview(f *testing.F) {
	f.Add("chk-a", "Plain.", "archived", 1767225600, true)
	f.Add("", "\"quoted\" \\ [] <&>", "\n\t\x00\x7f", -1, false)
	f.Add("é→🙂", "\u2028\u2029", "\xff\xc3", 0, false)
	f.Fuzz(func(t *testing.T, a, b, c string, n int, edited bool) {
		at := At(time.Unix(int64(n), 0))
		o := &Overview{Warnings: []string{c}}
		for _, e := range []*Entry{
			{}, {ID: a, Problem: b, Created: at, Deltas: n}, {ID: a, Mark: &Mark{Goal: b, At: at}},
			{
				ID: a, Path: b, Status: c, Problem: a, Next: b, Outcome: c, Parent: a, Anchor: b, Created: at, Changed: At(at.Add(time.Hour)), Deltas: n, Edited: edited,
				Unreadable: b, Mark: &Mark{Goal: c, At: at}, Unfinished: b, Branch: c,
				Run: Run{Name: a, Workflow: b, Phase: c, Step: a, Agent: b, Session: c, Trigger: b, Progress: a},
			},
		} {
			o.Entries = append(o.Entries, e)
			want, err := Marshal("list", o)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := Encode(&got, "list", o); err != nil || got.String() != string(want) {
				t.Fatalf("error %v\ngot  %s\nwant %s", err, got.Bytes(), want)
			}
		}
	})
}

func TestOverviewIsStreamed(t *testing.T) {
	o := &Overview{}
	for range 1000 {
		o.Entries = append(o.Entries, &Entry{ID: strings.Repeat("a", 100)})
	}
	want, _ := Marshal("list", o)
	var got chunks
	if err := Encode(&got, "list", o); err != nil || len(got) < 2 || string(bytes.Join(got, nil)) != string(want) {
		t.Errorf("error %v, %d chunks", err, len(got))
	}
}

type chunks [][]byte

func (c *chunks) Write(text []byte) (int, error) {
	*c = append(*c, bytes.Clone(text))
	return len(text), nil
}
