package checkout

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/disk"
)

// heads are the commits of branches that the store has seen: what they and their ancestors changed in the
// folder was taken in, or was published from the store. The clone records them in a file, a line for each, the
// newest last.
type heads struct {
	file    string
	commits []string
}

// mostHeads is how many commits are recorded. Of a branch that is forgotten the commits are taken in again,
// which changes nothing.
const mostHeads = 100

func (b Branch) heads() (*heads, error) {
	h := &heads{file: filepath.Join(b.Repo.CommonDir(), "ckpt", "heads")}
	lines, _, err := readRecords(h.file)
	for _, line := range lines {
		h.commits = append(h.commits, line[0])
	}
	return h, err
}

// readRecords reads a file with two words on each line, such as a branch and a path; the second one may have
// spaces. The last line is torn if a crash has cut its end off: it is left out.
func readRecords(file string) (lines [][2]string, torn bool, err error) {
	src, err := disk.ReadFile(file)
	for line := range strings.Lines(string(src)) {
		line, whole := strings.CutSuffix(line, "\n")
		first, second, ok := strings.Cut(line, " ")
		torn = !whole
		if whole && ok {
			lines = append(lines, [2]string{first, second})
		}
	}
	return lines, torn, err
}

func (h *heads) has(commit string) bool { return slices.Contains(h.commits, commit) }

// replace records a commit in place of its parent, or beside the others.
func (h *heads) replace(parent, commit string) error {
	h.commits = slices.DeleteFunc(h.commits, func(seen string) bool { return seen == parent || seen == commit })
	h.commits = append(h.commits, commit)
	var text strings.Builder
	for _, seen := range h.commits[max(0, len(h.commits)-mostHeads):] {
		text.WriteString(seen + " -\n") // an earlier version wrote the tree of the folder, too
	}
	return disk.WriteFile(h.file, []byte(text.String()), false)
}

// tree returns the tree of the folder in a commit; "" for none.
func (c *Checkout) tree(ctx context.Context, commit string) (string, error) {
	if commit == "" {
		return "", nil
	}
	at, err := c.Repo.Objects().EntriesIn(ctx, commit, []string{c.Prefix})
	return at[c.Prefix].Hash, err
}

// homes tell on which branch the last operation on a file began: where it is published. The clone records
// them in a file, a line for each change, the newest last.
type homes struct {
	file  string
	of    map[string]string // branch by path
	lines int
	torn  bool // the file does not end with a line break
}

func (b Branch) homes() (*homes, error) {
	h := &homes{file: filepath.Join(b.Repo.CommonDir(), "ckpt", "homes"), of: map[string]string{}}
	lines, torn, err := readRecords(h.file)
	for _, line := range lines {
		h.of[line[1]] = line[0]
	}
	h.lines, h.torn = len(lines), torn
	return h, err
}

// detached is the home of what began on a detached HEAD: the branch that is checked out next.
const detached = "-"

// set records that an operation on files begins on a branch; "" for a detached HEAD.
func (h *homes) set(branch string, paths []string) error {
	if branch == "" {
		branch = detached
	}
	var text strings.Builder
	for _, rel := range paths {
		if h.of[rel] != branch && !strings.Contains(rel, "\n") {
			h.of[rel] = branch
			text.WriteString(branch + " " + rel + "\n")
			h.lines++
		}
	}
	switch {
	case text.Len() == 0:
		return nil
	case h.lines > 2*len(h.of)+100:
		text.Reset()
		for rel, branch := range h.of {
			text.WriteString(branch + " " + rel + "\n")
		}
		return disk.WriteFile(h.file, []byte(text.String()), false)
	}
	line := text.String()
	if h.torn {
		line = "\n" + line
	}
	_, err := disk.Append(h.file, []byte(line), 0o777)
	return err
}

// is reports whether a file is published on a branch.
func (h *homes) is(rel, branch string) bool {
	home, known := h.of[rel]
	return known && (home == branch || home == detached)
}
