package validate_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/validate"
)

// TestTrailOfOthers: what others changed may be claimed, and need not be.
func TestTrailOfOthers(t *testing.T) {
	others := []validate.Changed{{File: "b.go", Action: "modified"}, {File: "c.go", Action: "modified"}}
	got := validate.Trail([]checkpoint.Artifact{{File: "a.go", Action: "modified"}, {File: "b.go", Action: "modified"}, {File: "d.go", Action: "modified"}},
		[]validate.Changed{{File: "a.go", Action: "modified"}}, others, "checkpoints", func(string) bool { return true })
	if got.Right != 2 || got.Rows != 3 || got.Files != 1 || got.Found != 1 || len(got.Missing) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestTrail(t *testing.T) {
	changed := []validate.Changed{
		{File: "a.go", Action: "modified", Subject: "Fix a"}, {File: "docs/x.md", Action: "created"}, {File: "docs/y.md", Action: "created"},
		{File: "new.go", From: "old.go", Action: "modified"}, {File: "gone.go", Action: "deleted"}, {File: "vendor/", Action: "created"},
	}
	there := map[string]bool{"a.go": true, "same.go": true, "new.go": true}
	for _, c := range []struct {
		name    string
		claimed string // FILE ACTION, ...
		want    string // found/files right/rows, then what is missing and wrong
	}{
		{"nothing", "", "0/6 0/0 -a.go -docs/x.md -docs/y.md -new.go -gone.go -vendor/"},
		{"all", "a.go modified, docs/x.md created, docs/y.md created, new.go modified, gone.go deleted, vendor/ created", "6/6 6/6"},
		{"created for modified", "a.go created, docs/ modified, vendor/b/c.go created, new.go moved, ./gone.go removed", "6/6 5/5"},
		{"lines and several names", "a.go:12-40 modified, `docs/x.md`, `docs/y.md`  created", "3/6 3/3 -new.go -gone.go -vendor/"},
		{"the old name of a renamed file", "old.go deleted, new.go created", "1/6 2/2 -a.go -docs/x.md -docs/y.md -gone.go -vendor/"},
		{"wrong ones", "same.go modified, never.go created, gone.go modified, a.go deleted", "2/6 0/4 -docs/x.md -docs/y.md -new.go -vendor/ !same.go !never.go !gone.go !a.go"},
		{"not to be judged", "~/x.go modified, /etc/hosts modified, checkpoints/active/c.md modified, temp.go deleted", "0/6 0/0 -a.go -docs/x.md -docs/y.md -new.go -gone.go -vendor/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var claimed []checkpoint.Artifact
			for row := range strings.SplitSeq(c.claimed, ", ") {
				if i := strings.LastIndexByte(row, ' '); i > 0 {
					claimed = append(claimed, checkpoint.Artifact{File: strings.TrimSpace(row[:i]), Action: row[i+1:]})
				} else if row != "" {
					claimed = append(claimed, checkpoint.Artifact{File: row, Action: "created"})
				}
			}
			got := validate.Trail(claimed, changed, nil, "checkpoints", func(path string) bool { return there[path] })
			s := fmt.Sprintf("%d/%d %d/%d", got.Found, got.Files, got.Right, got.Rows)
			for _, m := range got.Missing {
				s += " -" + m.File
			}
			for _, w := range got.Wrong {
				s += " !" + w.File
			}
			if s != c.want {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
		})
	}
}
