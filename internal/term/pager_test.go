package term

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

func TestPagerChoice(t *testing.T) {
	tests := []struct {
		name string
		env  []string
		git  string
		want string
	}{
		{"less", nil, "", "less"},
		{"PAGER", []string{"PAGER=more"}, "", "more"},
		{"core.pager before PAGER", []string{"PAGER=more"}, "bat", "bat"},
		{"GIT_PAGER before both", []string{"GIT_PAGER=delta", "PAGER=more"}, "bat", "delta"},
		{"empty GIT_PAGER", []string{"GIT_PAGER=", "PAGER=more"}, "", ""},
		{"cat", []string{"PAGER=cat"}, "", ""},
		{"core.pager is cat", []string{"PAGER=more"}, "cat", ""},
		{"dumb terminal", []string{"TERM=dumb"}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := Streams{Out: Screen(&bytes.Buffer{}), Env: tt.env, Pager: tt.git}
			if got := s.pager(); got != tt.want {
				t.Errorf("pager %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPage(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	big := strings.Repeat("many lines\n", 100_000) // more than a pipe holds
	tests := []struct{ name, pager, text, want string }{
		{"through the pager", "sed s/^/paged:/", "a\nb\n", "paged:a\npaged:b\n"},
		{"its environment", `cat >/dev/null; echo "$LESS,$LV"`, "a", "FRX,-c\n"},
		{"a reader who leaves early", "head -n 1", big, "many lines\n"},
		{"a reader who reads nothing", "true", big, ""},
		{"an exit code", "cat; exit 3", "a\n", "a\n"},
		{"a pager that is not there", "ckpt-no-such-pager", "a\n", "a\n"},
		{"nor in the shell", "ckpt-no-such-pager -R", "a\n", "a\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, remarks bytes.Buffer
			s := Streams{Out: Screen(&out), Err: &remarks, Env: []string{"PATH=/usr/bin:/bin", "PAGER=" + tt.pager}}
			if err := Page(t.Context(), s, tt.text); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); got != tt.want {
				t.Errorf("got %.60q, want %.60q", got, tt.want)
			}
		})
	}
}

func TestNoPagerInAPipe(t *testing.T) {
	var out bytes.Buffer
	s := Streams{Out: &out, Env: []string{"PAGER=sed s/^/paged:/"}}
	if err := Page(t.Context(), s, "a\n"); err != nil || out.String() != "a\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

// TestPaged checks that messages go through the pager with the answer, as in git, but not if they go
// to a file.
func TestPaged(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	print := func(s Streams) error {
		if !s.OutIsTerminal() || s.Width() != 110 {
			t.Errorf("the page is %d columns wide, terminal: %t", s.Width(), s.OutIsTerminal())
		}
		fmt.Fprintln(s.Out, "answer")
		fmt.Fprintln(s.Err, "message")
		return nil
	}
	env := []string{"PATH=/usr/bin:/bin", "COLUMNS=110", "PAGER=sed s/^/paged:/"}
	var out, errs bytes.Buffer
	if err := Paged(t.Context(), Streams{Out: Screen(&out), Err: Screen(&errs), Env: env}, print); err != nil {
		t.Fatal(err)
	}
	if got := out.String() + errs.String(); got != "paged:answer\npaged:message\n" {
		t.Errorf("on a terminal: %q", got)
	}
	out.Reset()
	if err := Paged(t.Context(), Streams{Out: Screen(&out), Err: &errs, Env: env}, print); err != nil {
		t.Fatal(err)
	}
	if out.String() != "paged:answer\n" || errs.String() != "message\n" {
		t.Errorf("with the messages in a file: %q and %q", out.String(), errs.String())
	}
}

func TestPageAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	if err := Page(ctx, Streams{Out: &out}, "a"); err == nil || out.Len() != 0 {
		t.Errorf("wrote %q, error %v", out.String(), err)
	}
}
