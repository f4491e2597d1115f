package view

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"example.com/ckpt/internal/term"
)

// TestTooHardToDraw checks that a document that cannot be drawn is printed as text.
func TestTooHardToDraw(t *testing.T) {
	var out, remarks bytes.Buffer
	deep := strings.Repeat("> ", 5000) + "\x1b[31mneedle"
	err := run(t.Context(), term.Streams{In: strings.NewReader(deep), Out: &out, Err: &remarks})
	if err != nil || !strings.HasSuffix(out.String(), "> needle") {
		t.Errorf("wrote %.20q..., %v", out.String(), err)
	}
	if !strings.Contains(remarks.String(), "this is its bare text") {
		t.Errorf("remarks %q", remarks.String())
	}
}

func TestTooSlowToDraw(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := RenderSoon(ctx, strings.Repeat("[a](", 60_000), Look{Width: MinWidth}); err == nil {
		t.Error("it waited")
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
