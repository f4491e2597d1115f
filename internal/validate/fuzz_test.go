package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/validate"
)

// FuzzRules checks any readable file: there is no panic, each line number is in the file,
// a second check has the same findings, and each rule is in the documentation.
func FuzzRules(f *testing.F) {
	f.Add("active/chk-auth.md", good)
	f.Add("archive/chk-auth.md", archived)
	for _, e := range examples {
		f.Add("active/chk-auth.md", e.text)
	}
	f.Add("active/x.md", "---\ncheckpoint: x\n---\n## Delta:\n###\n|\n|-|\n||\n## Completion\n**Date**:")
	f.Fuzz(func(t *testing.T, path, text string) {
		c, err := checkpoint.Parse(path, []byte(text))
		set := &checkpoint.Set{}
		if err != nil {
			set.Broken = append(set.Broken, checkpoint.Broken{Path: path, Err: err})
		} else {
			set.All = append(set.All, c)
		}
		r := validate.Set(set, now)
		lines := strings.Count(text, "\n") + 1
		for _, found := range r.Findings {
			past := found.Line > lines && found.Code != "CK101" // its line number is YAML's, which counts differently
			if found.Line < 1 || past || found.Message == "" || found.Path != path {
				t.Errorf("of %d lines: %+v", lines, found)
			}
		}
		if again := validate.Set(set, now); !slices.Equal(again.Findings, r.Findings) {
			t.Error("other findings the second time")
		}
	})
}

// big returns a file of 10 MB with ten thousand deltas.
func big() string {
	var b strings.Builder
	b.WriteString(good)
	at := now
	for i := range 10_000 {
		at = at.Add(time.Hour)
		b.WriteString("\n---\n\n" + strings.TrimPrefix(delta(checkpoint.FormatTime(at)), "\n"))
		for j := range 8 {
			fmt.Fprintf(&b, "| `internal/store/file_%d_%d.go` | modified | Reads the table by id, as the index on chk-auth allows it; no scan of the whole set |\n", i, j)
		}
	}
	return b.String()
}

func TestBigFile(t *testing.T) {
	if testing.Short() {
		t.Skip("10 MB")
	}
	text := big()
	set := read(t, map[string]string{"active/chk-auth.md": text})
	start := time.Now()
	r := validate.Set(set, now)
	if took := time.Since(start); took > 30*time.Second { // below 1 s on an idle machine; a quadratic check takes minutes
		t.Errorf("%d MB took %v", len(text)>>20, took)
	}
	if len(r.Findings) != 1 || r.Findings[0].Code != "CK105" {
		t.Errorf("%d findings, the first %v", len(r.Findings), r.Findings[:min(1, len(r.Findings))])
	}
}

func BenchmarkBigFile(b *testing.B) {
	text := big()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		validate.Set(read(b, map[string]string{"active/chk-auth.md": text}), now)
	}
}
