package validate_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"example.com/ckpt/internal/validate"
)

var update = flag.Bool("update", false, "write docs/validation.md and docs/validation-rules.md")

func TestDocsAreFresh(t *testing.T) {
	for name, want := range validate.Pages() {
		page := filepath.Join("../../docs", name)
		if *update {
			if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(page)
		if err != nil || string(got) != want {
			t.Errorf("docs/%s is stale (%v): go test ./internal/validate -update", name, err)
		}
	}
}
