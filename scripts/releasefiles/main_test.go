package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWrite looks into one file of each kind. Every command has a man page, which shows brackets, flags and their values
// as ckpt --help does.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	err := write(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"man/ckpt.1":            `\fBckpt COMMAND [flags]`,
		"man/ckpt-delta.1":      `\fBckpt delta [ID] (-F - | -m TEXT) [flags]`,
		"man/ckpt-done.1":       `\fBckpt done {N | TEXT}...`,
		"man/ckpt-archive.1":    "\\fB--back\\fP\n",
		"man/ckpt-log.1":        "\\fB--session\\fP [ID]\n",
		"man/ckpt-list.1":       "\\fB-n\\fP, \\fB--limit\\fP N\n",
		"man/ckpt-show.1":       "-at\\fP REV|DATE\n",
		"man/ckpt-status.1":     "\\fB--no-pager\\fP\n",
		"man/ckpt-view.1":       `\-\-style STYLE`,
		"man/ckpt-plan-run.1":   "ckpt plan run",
		"completions/ckpt.bash": "complete -o default -F __start_ckpt ckpt",
		"completions/_ckpt":     "#compdef ckpt",
		"completions/ckpt.fish": "complete -c ckpt",
		"completions/ckpt.ps1":  "Register-ArgumentCompleter",
	} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, it has no %q", name, err, want)
		}
	}
	pages, err := filepath.Glob(filepath.Join(dir, "man", "*.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil || strings.Contains(string(text), `\fP=`) || strings.Contains(string(text), `\fP[=`) || strings.Contains(string(text), `\fP false`) {
			t.Errorf("%s shows the default of a flag: %v", page, err)
		}
	}
	hidden, err := filepath.Glob(filepath.Join(dir, "man", "ckpt-hook*"))
	if err != nil || len(hidden) > 0 {
		t.Errorf("man pages of hidden commands: %q, %v", hidden, err)
	}
}
