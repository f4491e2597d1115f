package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWrite checks one file of each kind. A man page has the text of ckpt COMMAND --help.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	err := write(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"man/ckpt.1":            ".SH NAME\nckpt \\- ",
		"man/ckpt-delta.1":      "\n  ckpt delta [ID] (\\-F \\- | \\-m TEXT) [flags]\n",
		"man/ckpt-list.1":       `  \-n, \-\-limit N `,
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
	hidden, err := filepath.Glob(filepath.Join(dir, "man", "ckpt-hook*"))
	if err != nil || len(hidden) > 0 {
		t.Errorf("man pages of hidden commands: %q, %v", hidden, err)
	}
}
