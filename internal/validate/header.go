package validate

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/text"
)

// lineOf matches the line number in the error of an unreadable file. Only the position of the
// finding depends on it, so parsing a message is acceptable.
var lineOf = text.Regexp(`\bline (\d+)\b`)

func unreadable(s *folder, add reportIn) {
	for _, b := range s.set.Broken {
		line := 1
		if m := lineOf.Get().FindStringSubmatch(b.Err.Error()); m != nil {
			line, _ = strconv.Atoi(m[1])
		}
		add(b.Path, "", line, "cannot be read: %s", b.Err)
	}
}

func createdMissing(f *file, add report) {
	if f.c.Field("created") == "" {
		add(f.d.Front.Line("created"), "no `created:` in the frontmatter")
	}
}

func timeField(key string) func(*file, report) {
	return func(f *file, add report) {
		value := f.c.Field(key)
		if _, ok := checkpoint.ParseTime(value); value != "" && !ok {
			add(f.d.Front.Line(key), "%s is %s, no ISO-8601 time", key, quote(value))
		}
	}
}

func lastDeltaBehind(f *file, add report) {
	newest := ""
	for _, d := range f.deltas {
		if _, ok := checkpoint.ParseTime(d.Stamp); ok && (newest == "" || before(newest, d.Stamp)) {
			newest = d.Stamp
		}
	}
	value := f.c.Field("last_delta")
	_, ok := checkpoint.ParseTime(value)
	switch {
	case newest == "":
	case value == "":
		add(f.d.Front.Line("last_delta"), "no `last_delta:`, and the newest delta is of %s", newest)
	case ok && before(value, newest):
		add(f.d.Front.Line("last_delta"), "last_delta is %s, and the newest delta is of %s", value, newest)
	}
}

func lastDeltaAlone(f *file, add report) {
	value := f.c.Field("last_delta")
	folded := strings.Contains(f.c.Text(checkpoint.PlayByPlay), value+" → ")
	if value != "" && len(f.deltas) == 0 && !folded {
		add(f.d.Front.Line("last_delta"), "last_delta is %s, and the file holds no delta", quote(value))
	}
}

// before reports whether the written time a is before b. If one of them is only a date, times on the
// same day do not count as before.
func before(a, b string) bool {
	at, _ := checkpoint.ParseTime(a)
	bt, _ := checkpoint.ParseTime(b)
	if !hasClock(a) || !hasClock(b) {
		const day = 24 * time.Hour
		at, bt = at.Truncate(day), bt.Truncate(day)
	}
	return at.Before(bt)
}

// hasClock reports whether a written time is more than a date.
func hasClock(stamp string) bool { return strings.ContainsAny(stamp, "Tt:") }

func statusValue(f *file, add report) {
	value := f.c.Field("status")
	known := []string{"", string(checkpoint.Current), string(checkpoint.Active)}
	if !slices.Contains(known, strings.ToLower(value)) {
		add(f.d.Front.Line("status"), "status is %s, neither current nor active", quote(value))
	}
}

func twoCurrents(s *folder, add reportIn) {
	currents := s.set.MarkedCurrent()
	for _, c := range currents {
		var others []string
		for _, other := range currents {
			if other != c {
				others = append(others, other.Path)
			}
		}
		if len(others) > 0 {
			add(c.Path, c.ID, c.Doc.Front.Line("status"), "%q is marked current, and so is %s", c.ID, text.List(others, 5))
		}
	}
}

func statusArchived(f *file, add report) {
	if value := f.c.Field("status"); value != "" && !f.active {
		add(f.d.Front.Line("status"), "the file is in archive/, where status %s says nothing", quote(value))
	}
}

// folder is a set of checkpoints with data that several rules need.
type folder struct {
	set    *checkpoint.Set
	forest *lineage.Forest
	lost   map[string]bool // the names of unreadable files, without .md
}

func newFolder(set *checkpoint.Set) *folder {
	f := &folder{set: set, forest: lineage.Build(set), lost: map[string]bool{}}
	for _, b := range set.Broken {
		f.lost[strings.TrimSuffix(path.Base(b.Path), ".md")] = true
	}
	return f
}

func (s *folder) has(id string) bool { return s.forest.Find(id) != nil || s.lost[id] }

// lineageProblem returns a rule that reports the problems of a kind, the same as in `ckpt tree`. It reports
// a cycle for each of its members.
func lineageProblem(kind lineage.Kind, key string) func(*folder, reportIn) {
	return func(s *folder, add reportIn) {
		for _, n := range s.forest.Walk() {
			i := slices.IndexFunc(n.Problems, func(p lineage.Problem) bool { return p.Kind == kind })
			if i < 0 {
				continue
			}
			p, nodes := n.Problems[i], []*lineage.Node{n}
			for i := 1; kind == lineage.Cycle && i < len(p.Names)-1; i++ { // the last name is the first again
				nodes = append(nodes, s.forest.Find(p.Names[i]))
			}
			for _, n := range nodes {
				c := n.Checkpoint
				add(c.Path, c.ID, c.Doc.Front.Line(key), "%s", p)
			}
		}
	}
}

func selfParent(f *file, add report) {
	if f.c.Parent() == f.c.ID {
		add(f.d.Front.Line("parent"), "%q is its own parent", f.c.ID)
	}
}

func fileName(f *file, add report) {
	if name := path.Base(f.c.Path); name != f.c.ID+".md" {
		add(f.d.Front.Line("checkpoint"), "the file is called %q, and its id is %q", name, f.c.ID)
	}
}

func reservedName(f *file, add report) {
	for _, name := range []string{f.c.ID, path.Base(f.c.Path)} {
		if device := checkpoint.Reserved(name); device != "" {
			add(f.d.Front.Line("checkpoint"), "Windows reserves the name %s, and cannot check out %s.md",
				device, strings.TrimSuffix(name, ".md"))
			return
		}
	}
}

// danglingID reports ids that no checkpoint has. It only finds ids with the prefix `chk-`, since others
// look like words. A name in a code block, or with a placeholder (`chk-*`, `chk-<name>`), is an example
// and does not count.
func danglingID(f *file, add report) {
	if f.folder == nil {
		return
	}
	told := map[string]bool{}
	src := f.d.Bytes()
	for at := f.d.Body().Start; ; {
		i := bytes.Index(src[at:], []byte("chk-"))
		if i < 0 {
			return
		}
		start := at + i
		at = start + len("chk-")
		for at < len(src) && idByte(src[at]) {
			at++
		}
		id := strings.TrimRight(string(src[start:at]), "._-")
		id = strings.TrimRight(strings.TrimSuffix(id, ".md"), "._-")
		gap := at < len(src) && (strings.IndexByte("*<{[$", src[at]) >= 0 || bytes.HasPrefix(src[at:], []byte("…")))
		inWord := start > 0 && idByte(src[start-1])
		if gap || inWord || id == "chk" {
			continue
		}
		if told[id] || f.folder.has(id) || f.inCode(doc.Span{Start: start, End: at}) {
			continue
		}
		told[id] = true
		add(f.line(start), "%s is not here", quote(id))
	}
}

func idByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '.' || b == '_' || b == '-'
}

func markTwice(f *file, add report) {
	for i, s := range f.c.Marks() {
		if i > 0 {
			add(f.heading(s), "%s is a second mark", quote(s.Title))
		}
	}
}

func markGoal(f *file, add report) {
	if m, ok := f.c.Mark(); ok && m.Goal == "" {
		add(f.heading(m.Section), "the mark %s has no goal", quote(m.Section.Title))
	}
}

func markArchived(f *file, add report) {
	if m, ok := f.c.Mark(); ok && !f.active {
		add(f.heading(m.Section), "the mark %s was never rewound", quote(m.Section.Title))
	}
}
