package view

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/term"
)

func TestCommandLine(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.md")
	if err := os.WriteFile(file, []byte("# From a file\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name     string
		args     []string
		in       string
		exit     int
		out, err string // substrings
	}{
		{"standard input", nil, "# Title\n", 0, "▪ Title", ""},
		{"a lone dash", []string{"-"}, "# Title\n", 0, "▪ Title", ""},
		{"a file", []string{file}, "", 0, "▪ From a file", ""},
		{"options after the file", []string{file, "--style", "dark"}, "", 0, "\x1b[", ""},
		{"width", []string{"--width=20"}, "one two three four five six", 0, "  one two three\n  four five six\n", ""},
		{"no pager", []string{"--no-pager", file}, "", 0, "▪ From a file", ""},
		{"help", []string{"--help"}, "", 0, "Usage:", ""},
		{"version", []string{"--version"}, "", 0, "ckpt-view ", ""},
		{"no such file", []string{filepath.Join(dir, "b.md")}, "", 3, "", "ckpt-view: no such file: "},
		{"a folder", []string{dir}, "", 1, "", "ckpt-view: read "},
		{"two files", []string{file, file}, "", 2, "", "hint: ckpt-view --help"},
		{"a file that looks like an option", []string{"--", "--help"}, "", 3, "", `no such file: "--help"`},
		{"unknown option", []string{"--wide"}, "", 2, "", "-wide\nhint: "},
		{"unknown style", []string{"--style", "pink"}, "", 2, "", `--style is "pink"; it must be auto, dark, light or plain`},
		{"too narrow", []string{"--width", "3"}, "", 2, "", "--width is 3; it must be at least 20"},
		{"too large", nil, strings.Repeat("x", largest+1), 7, "", "larger than 16 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, remarks bytes.Buffer
			s := term.Streams{In: strings.NewReader(tt.in), Out: &out, Err: &remarks}
			if exit := Main(t.Context(), tt.args, s); exit != tt.exit {
				t.Errorf("exit %d, want %d", exit, tt.exit)
			}
			if !strings.Contains(out.String(), tt.out) || (tt.out == "") != (out.Len() == 0) {
				t.Errorf("out %q, want %q", out.String(), tt.out)
			}
			if !strings.Contains(remarks.String(), tt.err) || (tt.err == "") != (remarks.Len() == 0) {
				t.Errorf("err %q, want %q", remarks.String(), tt.err)
			}
		})
	}
}

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
			err := run(ctx, []string{"--no-pager"}, s)
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
	if exit := Main(t.Context(), nil, s); exit != 0 {
		t.Fatal(remarks.String())
	}
	if !strings.HasPrefix(out.String(), "paged:") || !strings.Contains(out.String(), "\x1b[") {
		t.Errorf("got %q", out.String())
	}
	out.Reset()
	s.In = strings.NewReader("# Title\n")
	Main(t.Context(), []string{"--no-pager"}, s)
	if strings.Contains(out.String(), "paged:") {
		t.Errorf("paged although --no-pager: %q", out.String())
	}
}

func TestNothingToRead(t *testing.T) {
	var out, remarks bytes.Buffer
	s := term.Streams{In: keyboard{}, Out: &out, Err: &remarks}
	if exit := Main(t.Context(), nil, s); exit != 2 {
		t.Errorf("exit %d: %s", exit, remarks.String())
	}
}

type keyboard struct{}

func (keyboard) IsTerminal() bool         { return true }
func (keyboard) Read([]byte) (int, error) { panic("nobody types in a test") }
