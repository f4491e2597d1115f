package drift

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
)

// memory is a small repository in memory.
type memory struct {
	tracked map[string]bool        // the index; true for a file that a sparse checkout leaves out
	files   map[string]string      // of the working tree
	past    map[string]PathHistory // since base
	older   map[string]PathHistory // of all commits
	shallow bool
	ignores string
}

func (m memory) Index(context.Context) (Index, error) { return m, nil }
func (m memory) There(path string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(m.files)), func(f string) bool {
		return f == path || strings.HasPrefix(f, path+"/")
	})
}
func (m memory) HasCommits() (bool, error)      { return m.past != nil || m.older != nil, nil }
func (m memory) CompleteHistory() (bool, error) { return !m.shallow, nil }
func (m memory) Ignored(_ context.Context, paths []string) (map[string]bool, error) {
	return map[string]bool{m.ignores: slices.Contains(paths, m.ignores)}, nil
}
func (m memory) History(_ context.Context, span string, here, gone []string) (map[string]PathHistory, error) {
	known := m.past
	if span == "HEAD" {
		known = m.older
	}
	found := map[string]PathHistory{}
	for _, p := range slices.Concat(here, gone) {
		if h, ok := known[p]; ok {
			found[p] = h
		}
	}
	return found, nil
}

func (m memory) Has(path string) bool { _, ok := m.tracked[path]; return ok }
func (m memory) HasFolder(path string) bool {
	return len(m.Where(func(f string) bool { return strings.HasPrefix(f, path+"/") })) > 0
}
func (m memory) Hidden(path string) bool { return m.tracked[path] }
func (m memory) Module(path string) string {
	if path == "lib" || strings.HasPrefix(path, "lib/") {
		return "lib"
	}
	return ""
}
func (m memory) Where(fits func(string) bool) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(m.tracked)), func(f string) bool { return !fits(f) })
}

func TestCheckFiles(t *testing.T) {
	repo := memory{
		tracked: map[string]bool{"a.go": false, "x/b.go": false, "sparse.go": true, "lost.go": false, "off/c.go": true, "README": false},
		files: map[string]string{"a.go": "1", "x/b.go": "2", "new.go": "3", "README": "4", "readme": "4", "out.log": "5",
			`win\dows.go`: "6", `x\b.go`: "7"},
		past:    map[string]PathHistory{"a.go": {Path: "a.go", Commits: 2}, "old.go": {Path: "old.go", To: "x/b.go", Commit: "0123456789", Date: "2026-01-02"}},
		older:   map[string]PathHistory{"ancient.go": {Path: "ancient.go", Commit: "9876543210"}},
		ignores: "out.log",
	}
	absent := Reference{Absent: true, Sure: true, Places: []Place{{Source: Artifact}}}
	for _, test := range []struct {
		path string
		ref  Reference
		want string // empty: no verdict
	}{
		{"a.go", Reference{}, "changed in 2 commits"},
		{"x/b.go", Reference{}, "ok"},
		{"win/dows.go", Reference{Literal: `win\dows.go`, Sure: true}, "ok, not in a commit yet"},
		{"x/b.go", Reference{Literal: `x\b.go`}, "ok"},
		{"x", Reference{Folder: true}, "ok"},
		{"b.go", Reference{}, "ok, at x/b.go"},
		{"sparse.go", Reference{}, "ok"},
		{"off", Reference{Folder: true}, "ok"},
		{"lost.go", Reference{}, "deleted, in no commit yet"},
		{"lib/inner.go", Reference{}, "unknown, inside the submodule lib"},
		{"new.go", Reference{}, "ok, not in a commit yet"},
		{"out.log", Reference{}, "ignored"},
		{"readme", Reference{}, ""},
		{"*.go", Reference{Glob: true}, "ok"},
		{"*.py", Reference{Glob: true}, ""},
		{"old.go", Reference{}, "moved to x/b.go in 0123456 (2026-01-02)"},
		{"ancient.go", Reference{}, "deleted in 9876543"},
		{"ancient.go", Reference{Bare: true}, ""},
		{"never.go", Reference{Sure: true}, "never existed"},
		{"never.go", Reference{}, ""},
		{"gone.go", absent, "ok, deleted, as the artifacts say"},
	} {
		test.ref.Path = test.path
		all := []Finding{{Reference: test.ref}}
		check := Check{Repo: repo, Base: "base", All: true}
		if err := check.Files(t.Context(), all); err != nil || all[0].InWords() != test.want {
			t.Errorf("%s: %q, %v; want %q", test.path, all[0].InWords(), err, test.want)
		}
	}
	repo.shallow = true
	all := []Finding{{Reference: Reference{Path: "never.go", Sure: true}}}
	if err := (&Check{Repo: repo, Base: "base", All: true}).Files(t.Context(), all); err != nil || all[0].Verdict != Unknown {
		t.Errorf("shallow: %q, %v", all[0].InWords(), err)
	}
}
