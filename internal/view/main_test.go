package view

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/term"
)

// TestTooHardToDraw checks that a document that cannot be drawn is printed as text.
func TestTooHardToDraw(t *testing.T) {
	for name, markdown := range map[string]string{
		"too deep": strings.Repeat("> ", 5000) + "\x1b[31mneedle",
		"too slow": strings.Repeat("[a](", 60_000) + " needle",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			var out, remarks bytes.Buffer
			s := term.Streams{In: strings.NewReader(markdown), Out: &out, Err: &remarks}
			err := run(ctx, s)
			if err != nil || !strings.HasSuffix(out.String(), " needle") && !strings.HasSuffix(out.String(), "> needle") {
				t.Errorf("wrote %.20q..., %v", out.String(), err)
			}
			if !strings.Contains(remarks.String(), "this is its bare text") {
				t.Errorf("remarks %q", remarks.String())
			}
		})
	}
}

func TestPagerSeesColour(t *testing.T) {
	var out, remarks bytes.Buffer
	s := term.Streams{
		In:  strings.NewReader("# Title\n"),
		Out: term.Screen(&out),
		Err: &remarks,
		Env: []string{"TERM=xterm-256color", "PATH=/usr/bin:/bin", "PAGER=sed 's/^/paged:/'", "COLORFGBG=15;0"},
	}
	if exit := Main(t.Context(), s); exit != 0 {
		t.Fatal(remarks.String())
	}
	if !strings.HasPrefix(out.String(), "paged:") || !strings.Contains(out.String(), "\x1b[") {
		t.Errorf("got %q", out.String())
	}
}
