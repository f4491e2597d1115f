package lineage

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
)

func TestBuild(t *testing.T) {
	for _, tc := range []struct {
		name string
		set  *checkpoint.Set
		want string
	}{
		{"nothing", set(t), ""},
		{"children by age, then by id", set(t, "a", "c<a 2026-01-03", "b<a 2026-01-02", "e<a 2026-01-03", "d<b"), `
a
  b
    d
  c
  e`},
		{"roots by age", set(t, "b 2026-01-01", "a 2026-01-02"), `
b
a`},
		{"a missing parent", set(t, "a<gone", "b<a"), `
a (parent "gone" does not exist)
  b`},
		{"a parent that cannot be read", broken(set(t, "a<lost"), "active/lost.md"), `
a (parent "lost" cannot be read (active/lost.md))`},
		{"its own parent", set(t, "a<a", "b<a"), `
a (names itself as its parent)
  b`},
		{"a cycle of two", set(t, "b<a", "a<b", "x<b"), `
a (cycle: a → b → a)
  b
    x`},
		{"a cycle of three, entered at the oldest", set(t, "a<c 2026-01-03", "b<a 2026-01-01", "c<b 2026-01-02"), `
b (cycle: b → c → a → b)
  c
    a`},
		{"two cycles and a root", set(t, "a<b", "b<a", "c<d", "d<c", "r"), `
a (cycle: a → b → a)
  b
c (cycle: c → d → c)
  d
r`},
		{"a duplicate id", set(t, "a", "archive/a", "b<a"), `
a (the same id in active/a.md, archive/a.md)
  b
a (the same id in active/a.md, archive/a.md)`},
		{"a duplicate below its twin's child", set(t, "a", "b<a", "archive/a<b"), `
a (the same id in active/a.md, archive/a.md)
  b
    a (the same id in active/a.md, archive/a.md)`},
		{"an archived parent", set(t, "archive/2025/07/a", "b<a"), `
a
  b`},
		{"no time of creation", set(t, "b soon", "a"), `
b
a`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := draw(Build(tc.set)); got != strings.TrimPrefix(tc.want, "\n") {
				t.Errorf("got:\n%s\nwant:%s", got, tc.want)
			}
		})
	}
}

func TestBelow(t *testing.T) {
	f := Build(set(t, "a", "b<a", "c<b", "x<z", "y<x", "z<y"))
	for id, want := range map[string]string{
		"b": "b\n  c",
		"x": "x (cycle: x → y → z → x)\n  y\n    z",
		"z": "x (cycle: x → y → z → x)\n  y\n    z",
	} {
		if got := draw(f.Below(id)); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", id, got, want)
		}
	}
	if got := draw(f); !strings.Contains(got, "x (cycle: x → y → z → x)") {
		t.Errorf("the whole forest changed:\n%s", got)
	}
}

func TestFilter(t *testing.T) {
	f := Build(broken(set(t, "archive/a", "b<a", "archive/c<b", "archive/d", "e"), "archive/z.md"))
	for _, tc := range []struct {
		name string
		keep func(*checkpoint.Checkpoint) bool
		want string
	}{
		{"active", isActive, "[a]\n  b\ne"},
		{"archived", isArchived, "a\n  [b]\n    c\nd"},
		{"none", func(*checkpoint.Checkpoint) bool { return false }, ""},
	} {
		kept := f.Filter(tc.keep)
		if got := draw(kept); got != tc.want {
			t.Errorf("%s:\n%s\nwant:\n%s", tc.name, got, tc.want)
		}
		if len(kept.Broken) != 1 {
			t.Errorf("%s: the unreadable file is hidden", tc.name)
		}
	}
	if got := draw(f.Below("b").Filter(isArchived)); got != "[b]\n  c" {
		t.Errorf("below b, archived:\n%s", got)
	}
}

func TestProblems(t *testing.T) {
	var got []string
	for _, n := range Build(set(t, "a<a", "b<gone", "c", "archive/c")).Walk() {
		for _, p := range n.Problems {
			got = append(got, n.Checkpoint.Path+" "+p.Kind.String())
		}
	}
	want := []string{"active/a.md self-parent", "active/b.md missing-parent", "active/c.md duplicate-id", "archive/c.md duplicate-id"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// set makes a set of checkpoints from lines "[archive/]id[<parent] [created]".
func set(t testing.TB, lines ...string) *checkpoint.Set {
	t.Helper()
	s := &checkpoint.Set{}
	for _, line := range lines {
		name, created, dated := strings.Cut(line, " ")
		if !dated {
			created = "2026-01-01"
		}
		name, parent, _ := strings.Cut(name, "<")
		id := name[strings.LastIndexByte(name, '/')+1:]
		path := name + ".md"
		if !strings.Contains(path, "/") {
			path = "active/" + path
		}
		front := "---\ncheckpoint: " + id + "\ncreated: " + created + "\n"
		if parent != "" {
			front += "parent: " + parent + "\n"
		}
		c, err := checkpoint.Parse(path, []byte(front+"---\n"))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		s.All = append(s.All, c)
	}
	return s
}

func isArchived(c *checkpoint.Checkpoint) bool { return c.Status() == checkpoint.Archived }

func isActive(c *checkpoint.Checkpoint) bool { return !isArchived(c) }

func broken(s *checkpoint.Set, path string) *checkpoint.Set {
	s.Broken = append(s.Broken, checkpoint.Broken{Path: path, Err: errors.New("torn")})
	return s
}

// draw returns a forest with two spaces per level, problems in parentheses and skipped nodes in
// brackets.
func draw(f *Forest) string {
	var lines []string
	for depth, n := range f.Walk() {
		line := n.Checkpoint.ID
		if n.Skipped {
			line = "[" + line + "]"
		}
		for _, p := range n.Problems {
			line += fmt.Sprintf(" (%s)", p)
		}
		lines = append(lines, strings.Repeat("  ", depth)+line)
	}
	return strings.Join(lines, "\n")
}
