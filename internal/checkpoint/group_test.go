package checkpoint_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
)

func TestGroupFiles(t *testing.T) {
	for files, want := range map[string]string{
		"":                                     "",
		"a.go":                                 "a.go 1",
		"src/b.ts src/a.ts lib/c.ts":           "lib/c.ts 1, src/*.ts 2",
		"src/a.ts src/a.test.ts src/b.test.ts": "src/*.test.ts 2, src/a.ts 1",
		"Makefile LICENSE .gitignore":          "* 3",
		`src\a.ts src\b.ts`:                    "src/*.ts 2",
		"/abs/a.go /abs/b.go x/.env":           "/abs/*.go 2, x/.env 1",
	} {
		var list []checkpoint.Artifact
		for _, f := range strings.Fields(files) {
			list = append(list, checkpoint.Artifact{File: f, Action: "modified"})
		}
		var got []string
		for _, g := range checkpoint.GroupFiles(list) {
			got = append(got, fmt.Sprint(g.Pattern, " ", len(g.Files)))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: got %s, want %s", files, strings.Join(got, ", "), want)
		}
	}
}

func TestArtifactColumns(t *testing.T) {
	for table, want := range map[string]checkpoint.Artifact{
		"| File | Status | Key Change |\n|---|---|---|\n| a.go | modified | b |\n": {"a.go", "modified", "b"},
		"| File | Summary |\n|---|---|\n| a.go | b |\n":                            {"a.go", "", "b"},
		"| Path | Purpose | Action |\n|---|---|---|\n| a.go | b | created |\n":     {"a.go", "created", "b"},
		"| Datei | Stand | Was |\n|---|---|---|\n| a.go | neu | b |\n":             {"a.go", "neu", "b"},
	} {
		c := parse(t, head+"### Artifact Trail\n\n"+table)
		if got := c.Artifacts(); len(got) != 1 || got[0] != want {
			t.Errorf("%s\ngot %v, want %v", table, got, want)
		}
	}
}
