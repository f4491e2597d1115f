package query

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
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

// do returns a function that ends the test if an operation failed.
func do(t *testing.T) func(*result.Receipt, error) {
	t.Helper()
	return func(_ *result.Receipt, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestDrift(t *testing.T) {
	r := gittest.New(t)
	r.Commit("Begin", "kept.go", "package kept\n", "edited.go", "package a\n\nfunc Login() {}\n", "moved.go",
		"package moved\n\nfunc Moved() string { return \"a longer text\" }\n", "gone.go", "package gone\n", ".gitignore", "*.log\n")
	e := edit.New(open(t, r))
	do(t)(e.New(t.Context(), edit.NewRequest{Name: "auth", Text: revise.Spec{Problem: "Logins fail."}}))
	want := []struct {
		kind, reference string
		verdict         drift.Verdict
		to              string
	}{
		{"file", "kept.go", drift.OK, ""},
		{"file", "edited.go", drift.Changed, ""},
		{"file", "moved.go", drift.Moved, "away.go"},
		{"file", "gone.go", drift.Deleted, ""},
		{"file", "never.go", drift.Never, ""},
		{"file", "debug.log", drift.Ignored, ""},
	}
	for _, w := range want {
		do(t)(e.Note(t.Context(), edit.NoteRequest{Kind: "breadcrumb", Text: []string{w.kind, w.reference, ""}}))
	}
	r.Commit("Change", "edited.go", "package a\n\nfunc Other() {}\n")
	r.Git("mv", "moved.go", "away.go")
	r.Git("rm", "-q", "gone.go")
	r.Commit("Move")
	q := New(open(t, r))
	report, err := q.Drift(t.Context(), "")
	if err != nil || report.ID != "chk-auth" || len(report.Findings) != len(want) {
		t.Fatalf("%+v, %v", report, err)
	}
	for i, w := range want {
		if f := report.Findings[i]; f.Verdict != w.verdict || f.To != w.to {
			t.Errorf("%s: %s %s, want %s %s", w.reference, f.Verdict, f.To, w.verdict, w.to)
		}
	}
	if _, err := q.Drift(t.Context(), "nowhere"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("of an unknown checkpoint: %v", err)
	}
	pruned, err := q.Prune(t.Context(), "auth")
	if err != nil || pruned.Unchanged || pruned.Commit == "" {
		t.Fatalf("prune: %+v, %v", pruned, err)
	}
	src := r.Read("checkpoints/active/chk-auth.md")
	for _, line := range []string{"~~`moved.go`~~ → `away.go`", "~~`gone.go`~~", "~~`never.go`~~", "| `kept.go` |"} {
		if !strings.Contains(src, line) {
			t.Errorf("prune leaves no %s in\n%s", line, src)
		}
	}
	if again, err := q.Prune(t.Context(), "auth"); err != nil || !again.Unchanged {
		t.Errorf("prune, once more: %+v, %v", again, err)
	}
}

func TestInspect(t *testing.T) {
	r := shop(t)
	r.Write("checkpoints/active/chk-self.md", chk("chk-self", "Self.", "created: 2026-02-02", "parent: chk-self"))
	r.Write("checkpoints/active/chk-sub.md", chk("chk-sub", "Sub.", "created: 2026-02-02", "parent: chk-auth", "step: Review"))
	q := New(open(t, r))
	for _, c := range []struct {
		name, parent, children string
		file                   string
		versions               int
	}{
		{"auth", "", "chk-sub chk-pay", "checkpoints/active/chk-auth.md", 1}, // oldest first
		{"@", "", "chk-sub chk-pay", "checkpoints/active/chk-auth.md", 1},
		{"pay", "chk-auth active", "", "checkpoints/active/chk-pay.md", 1},
		{"docs", "chk-old archived", "", "checkpoints/active/chk-docs.md", 1},
		{"older", "chk-lost missing", "", "checkpoints/archive/chk-older.md", 1},
		{"old", "", "chk-docs", "checkpoints/archive/chk-old.md", 1},
		{"self", "chk-self itself", "", "checkpoints/active/chk-self.md", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			shown, err := q.history.Show(t.Context(), c.name)
			if err != nil {
				t.Fatal(err)
			}
			d, err := q.Inspect(t.Context(), shown)
			if err != nil {
				t.Fatal(err)
			}
			parent, children := "", []string{}
			if p := d.Parent; p != nil {
				switch {
				case p.Missing:
					parent = p.ID + " missing"
				case p.At == "itself":
					parent = p.ID + " itself"
				case p.Status == "archived":
					parent = p.ID + " archived"
				default:
					parent = p.ID + " active"
				}
			}
			for _, r := range d.Children {
				children = append(children, r.ID)
			}
			if parent != c.parent || strings.Join(children, " ") != c.children || d.File != c.file || len(d.Versions) != c.versions {
				t.Errorf("%s of %q with %q, %d versions; want %+v", d.File, parent, children, len(d.Versions), c)
			}
		})
	}
}
