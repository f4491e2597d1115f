package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"example.com/ckpt/internal/term"
)

var typedCommand = regexp.MustCompile("`ckpt ([a-z][a-z-]*)")

// TestDocumentsNameCommandsThatExist checks that the commands that documents tell
// people to type exist.
func TestDocumentsNameCommandsThatExist(t *testing.T) {
	known := map[string]bool{"help": true}
	for _, c := range NewRoot(World{Streams: term.Streams{}}).Commands() {
		known[c.Name()] = true
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "../../README.md", "../../CONTRIBUTING.md", "../../examples/README.md") {
		src, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range typedCommand.FindAllSubmatch(src, -1) {
			if !known[string(m[1])] {
				t.Errorf("%s: there is no `ckpt %s`", filepath.Base(page), m[1])
			}
		}
	}
}
