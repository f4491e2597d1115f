package validate_test

import (
	"flag"
	"os"
	"testing"

	"example.com/ckpt/internal/validate"
)

var update = flag.Bool("update", false, "write docs/validation.md")

func TestDocsAreFresh(t *testing.T) {
	const page = "../../docs/validation.md"
	want := validate.Markdown()
	if *update {
		if err := os.MkdirAll("../../docs", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil || string(got) != want {
		t.Errorf("docs/validation.md is stale (%v): go test ./internal/validate -update", err)
	}
}
