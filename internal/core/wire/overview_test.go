package wire

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzWrite: an overview that goes out by hand is what encoding/json makes of it.
func FuzzWrite(f *testing.F) {
	f.Add("chk-a", "Plain.", "2026-01-01T00:00:00Z", 3, true)
	f.Add("", "\"quoted\" \\ [] <&>", "\n\t\x00\x7f", -1, false)
	f.Add("é→🙂", "\u2028\u2029", "\xff\xc3", 0, false)
	f.Fuzz(func(t *testing.T, a, b, c string, n int, edited bool) {
		o := Overview{Head: head("list"), Current: a, Warnings: []string{c}}
		for _, e := range []Entry{{}, {ID: a, Problem: b, Created: c, Deltas: n}, {a, b, c, a, b, c, a, b, c, a, n, edited, b, nil, Run{a, b, c, a, b, c, a}, b}, {ID: a, Mark: &Mark{a, c}}} {
			o.Checkpoints = append(o.Checkpoints, e)
			want, err := Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := Write(&got, o); err != nil || got.String() != string(want) {
				t.Fatalf("%v, %s, not %s", err, got.Bytes(), want)
			}
		}
	})
}

func TestWriteAsItIsMade(t *testing.T) {
	o := Overview{Head: head("list")}
	for range 1000 {
		o.Checkpoints = append(o.Checkpoints, Entry{ID: strings.Repeat("a", 100)})
	}
	want, _ := Marshal(o)
	var got chunks
	if err := Write(&got, o); err != nil || len(got) < 2 || string(bytes.Join(got, nil)) != string(want) {
		t.Errorf("%v, %d chunks", err, len(got))
	}
}

type chunks [][]byte

func (c *chunks) Write(text []byte) (int, error) {
	*c = append(*c, bytes.Clone(text))
	return len(text), nil
}
