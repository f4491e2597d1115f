package validate

import (
	"bytes"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/lineage"
	"example.com/ckpt/internal/core/result"
)

var lineageRules = []Rule{
	{
		Code: "CK301", Severity: result.Error, Title: "an id that is used twice", folder: duplicateID,
		Means:  "An id is unique over active/ and archive/. With two files of one id nobody knows which one is meant, and a parent points to both.",
		Fix:    "One that a merge has left in both folders: `ckpt resolve`. Else give one of them another `checkpoint:` and file name, or delete the copy; until then name the file by its path.",
		Source: "S003-08, S003-55", Example: "checkpoint: chk-auth",
	},
	{
		Code: "CK302", Severity: result.Warning, Title: "the parent is missing", folder: parentMissing,
		Means:  "The checkpoint was forked from one that is in neither active/ nor archive/. It stands as a root in the tree and is shown as such.",
		Fix:    "Bring the parent back if it was deleted (`git log -- checkpoints`), correct the id in `parent:`, or remove the key.",
		Source: "S003-12, S003-55", Example: "parent: chk-gone",
	},
	{
		Code: "CK303", Severity: result.Error, Title: "a checkpoint that is its own parent", file: selfParent,
		Means:  "Lineage leads from a fork to what it was forked from; here it leads nowhere.",
		Fix:    "Put the right id into `parent:`, or remove the key if this is a root.",
		Source: "S003-55", Example: "parent: chk-auth",
	},
	{
		Code: "CK304", Severity: result.Error, Title: "parents that form a circle", folder: parentCycle,
		Means:  "Following the parents leads back to the checkpoint itself: no root, no order.",
		Fix:    "Find the checkpoint that came first and remove its `parent:`.",
		Source: "S003-55", Example: "parent: chk-child",
	},
	{
		Code: "CK305", Severity: result.Advice, Title: "a file that is not called after its id", file: fileName,
		Means:  "The id is the `checkpoint:` key, whatever the file is called. People and other tools look for `<id>.md`.",
		Fix:    "Rename the file to {id}.md (`git mv`), or correct the key.",
		Source: "S003-08", Example: "checkpoint: chk-other",
	},
	{
		Code: "CK306", Severity: result.Advice, Title: "a checkpoint is named that is not here", file: danglingID,
		Means:  "The text refers to a checkpoint that is in neither active/ nor archive/: whoever reads it cannot look it up.",
		Fix:    "Say in a sentence what it held, or correct the id.",
		Source: "S003-03", Example: "- Go on with chk-gone in `auth.go`",
	},
	{
		Code: "CK307", Severity: result.Warning, Title: "a name that Windows reserves", file: reservedName,
		Means:  "Windows takes CON, PRN, AUX, NUL, COM1 to COM9 and LPT1 to LPT9 for devices, with an extension or without: a repository with such a file cannot be checked out there.",
		Fix:    "Give it another `checkpoint:`, and rename the file after it (`git mv`).",
		Source: "S003-08", Example: "checkpoint: aux.notes",
	},
}

// folder is a set with what several rules ask of it.
type folder struct {
	set    *checkpoint.Set
	forest *lineage.Forest
	lost   map[string]bool // ids that files which cannot be read would have by their names
}

func newFolder(set *checkpoint.Set) *folder {
	f := &folder{set: set, forest: lineage.Build(set), lost: map[string]bool{}}
	for _, b := range set.Broken {
		f.lost[strings.TrimSuffix(base(b.Path), ".md")] = true
	}
	return f
}

func (s *folder) has(id string) bool {
	_, ok := s.forest.Find(id)
	return ok || s.lost[id]
}

// duplicateID, parentMissing and parentCycle say what the tree shows, so that the
// two never disagree.
func duplicateID(s *folder, say sayIn) {
	for n, p := range s.forest.Problems() {
		if c := n.Checkpoint; p.Kind == lineage.Duplicate {
			say(c.Path, c.ID, c.Doc.Front.Line("checkpoint"), "the id %q is also that of %s", c.ID, few(p.Names, c.Path))
		}
	}
}

func parentMissing(s *folder, say sayIn) {
	for n, p := range s.forest.Problems() {
		if c := n.Checkpoint; p.Kind == lineage.MissingParent {
			say(c.Path, c.ID, c.Doc.Front.Line("parent"), "the %s", p)
		}
	}
}

// parentCycle tells each member of a circle.
func parentCycle(s *folder, say sayIn) {
	for _, p := range s.forest.Problems() {
		if p.Kind != lineage.Cycle {
			continue
		}
		members := p.Names[1:] // the first stands at the end again
		for i, id := range members {
			n, _ := s.forest.Find(id)
			c := n.Checkpoint
			say(c.Path, c.ID, c.Doc.Front.Line("parent"), "its parents lead back to it: %s", way(members, i))
		}
	}
}

// way is a circle once around from its i-th member, each the parent of the next.
func way(circle []string, i int) string {
	const most = 5
	names := []string{circle[i]}
	first := max(1, len(circle)+1-most)
	if first > 1 {
		names = append(names, "…")
	}
	for j := first; j <= len(circle); j++ {
		names = append(names, circle[(i+j)%len(circle)])
	}
	return strings.Join(names, " → ")
}

func selfParent(f *file, say say) {
	if f.c.Parent() == f.c.ID {
		say(f.d.Front.Line("parent"), "%q is its own parent", f.c.ID)
	}
}

func fileName(f *file, say say) {
	if name := base(f.c.Path); name != f.c.ID+".md" {
		say(f.d.Front.Line("checkpoint"), "the file is called %q, and its id is %q", name, f.c.ID)
	}
}

func reservedName(f *file, say say) {
	for _, name := range []string{f.c.ID, base(f.c.Path)} {
		if device := checkpoint.Reserved(name); device != "" {
			say(f.d.Front.Line("checkpoint"), "Windows reserves the name %s, and cannot check out %s.md", device, strings.TrimSuffix(name, ".md"))
			return
		}
	}
}

// danglingID looks for ids by the `chk-` that ckpt gives them; others look like
// any word. A name in a code block, or with a gap to fill (`chk-*`, `chk-<name>`),
// is an example.
func danglingID(f *file, say say) {
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
		if gap || inWord || id == "chk" || told[id] || f.folder.has(id) || f.inCode(doc.Span{Start: start, End: at}) {
			continue
		}
		told[id] = true
		say(f.line(start), "%s is not here", quote(id))
	}
}

func idByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '.' || b == '_' || b == '-'
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
