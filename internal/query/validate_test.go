package query

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
)

func TestValidate(t *testing.T) {
	r := shop(t)
	r.Write("notes/plan.md", chk("chk-plan", "A plan.", "created: yesterday"))
	r.Write("notes/half.md", "---\ncheckpoint: [half\n---\n")
	r.Write("notes/todo.md", "# Not a checkpoint\n")
	q := New(open(t, r))
	for _, c := range []struct {
		name    string
		names   []string
		checked int
		want    string // the files with errors or warnings
		kind    fault.Kind
	}{
		{name: "the whole folder", checked: 6, want: "checkpoints/active/chk-bad.md checkpoints/archive/chk-older.md"},
		{name: "a sound one", names: []string{"auth"}, checked: 1},
		{name: "one whose parent is missing", names: []string{"chk-older"}, checked: 1, want: "checkpoints/archive/chk-older.md"},
		{name: "one that cannot be read, by id", names: []string{"chk-bad"}, checked: 1, want: "checkpoints/active/chk-bad.md"},
		{name: "one that cannot be read, by path", names: []string{"checkpoints/active/chk-bad.md"}, checked: 1,
			want: "checkpoints/active/chk-bad.md"},
		{name: "two", names: []string{"chk-bad", "auth", "older"}, checked: 3,
			want: "checkpoints/active/chk-bad.md checkpoints/archive/chk-older.md"},
		{name: "a file outside the folder", names: []string{"notes/plan.md"}, checked: 1, want: "notes/plan.md"},
		{name: "an absolute path", names: []string{filepath.Join(r.Dir, "notes/half.md")}, checked: 1,
			want: filepath.ToSlash(filepath.Join(r.Dir, "notes/half.md"))},
		{name: "no checkpoint", names: []string{"notes/todo.md"}, kind: fault.Invalid},
		{name: "no file", names: []string{"notes/gone.md"}, kind: fault.NotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			report, err := q.Validate(t.Context(), c.names)
			if fault.KindOf(err) != c.kind {
				t.Fatalf("%v, want kind %v", err, c.kind)
			}
			if err != nil {
				return
			}
			var files []string
			for _, f := range report.Findings {
				if f.Severity != result.Advice {
					files = append(files, f.Path)
				}
			}
			if got := strings.Join(slices.Compact(files), " "); got != c.want || report.Checked != c.checked {
				t.Errorf("%d files, problems in %q, want %d and %q", report.Checked, got, c.checked, c.want)
			}
		})
	}
}
