package checkout

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
)

// ledger is what the clone records of its branches. It is in a file to which lines are added:
//
//	seen COMMIT PARENT       COMMIT of a branch is seen; it replaces PARENT, which was seen before
//	home BRANCH PATH         a file is published on the branch, where the last operation on it began
//	owed BRANCH COMMIT PATH  a commit of the ref has changed a file, which the branch has yet to get
//	paid BRANCH PATH         the branch has got the newest version of a file
//
// The ref has all changes of the folder up to a seen commit: they were taken in, or published from the ref.
type ledger struct {
	file  string
	lines int
	torn  bool   // the last line is incomplete, as after a crash
	here  string // the name under which a detached HEAD of this worktree is recorded

	seen []string          // commits, the newest last
	home map[string]string // branch by path
	owed []debt
}

// debt is a file that a branch has yet to get, and the operation that changed it.
type debt struct {
	branch, commit, path string
	any                  bool // any branch may get the file: isAny is true for branch
}

// detached is recorded in place of a branch if an operation began on a detached HEAD; a linked worktree adds its name.
// The branch that this worktree checks out next gets the files. If the worktree is gone, any branch gets them.
const detached = "-"

// mostSeen is the maximum number of commits that are recorded as seen. The commits of a branch that is dropped are
// taken in again, which changes nothing.
const mostSeen = 100

// ledger returns the ledger. An operation reads its file once: no other process writes it meanwhile.
func (b Branch) ledger() (*ledger, error) {
	if b.recorded != nil && b.recorded.file != "" {
		return b.recorded, nil
	}
	file := filepath.Join(b.Repo.CommonDir(), "ckpt", "branches")
	l := &ledger{file: file, here: detached, home: map[string]string{}}
	if b.Repo.GitDir() != b.Repo.CommonDir() {
		l.here += filepath.Base(b.Repo.GitDir())
	}
	src, err := disk.ReadFile(l.file)
	if err != nil {
		return l, err
	}
	for line := range strings.Lines(string(src)) {
		line, whole := strings.CutSuffix(line, "\n")
		l.torn = !whole
		if whole {
			l.apply(strings.ReplaceAll(line, "\x00", "\n"))
		}
	}
	if b.recorded != nil {
		*b.recorded = *l
		l = b.recorded
	}
	return l, nil
}

// apply updates the ledger by one line of its file.
func (l *ledger) apply(line string) {
	l.lines++
	kind, rest, _ := strings.Cut(line, " ")
	first, rest, _ := strings.Cut(rest, " ")
	switch kind {
	case "seen":
		if rest != "" { // otherwise the line is from a rewritten file, which lists each commit once
			l.seen = slices.DeleteFunc(l.seen, func(commit string) bool { return commit == first || commit == rest })
		}
		l.seen = append(l.seen, first)
		l.seen = l.seen[max(0, len(l.seen)-mostSeen):]
	case "home":
		l.home[rest] = first
	case "owed":
		commit, path, _ := strings.Cut(rest, " ")
		l.owed = append(l.owed, debt{branch: first, commit: commit, path: path, any: l.isAny(first)})
	case "paid":
		l.owed = slices.DeleteFunc(l.owed, func(d debt) bool { return d.branch == first && d.path == rest })
	}
}

// add adds lines. It rewrites a file that is torn, or that has many lines which do not count any more.
func (l *ledger) add(lines ...string) error {
	for _, line := range lines {
		l.apply(line)
	}
	if live := len(l.seen) + len(l.home) + len(l.owed); l.torn || l.lines > 2*live+100 {
		l.lines, l.torn = live, false
		return disk.WriteFile(l.file, asLines(l.live()), false)
	}
	_, err := disk.Append(l.file, asLines(lines), 0o666)
	return err
}

// asLines returns the content of a file with these lines. A line break within one, as in the name of a file, becomes a
// zero byte.
func asLines(lines []string) []byte {
	return []byte(strings.NewReplacer("\n", "\x00", "\x00", "\n").Replace(strings.Join(append(lines, ""), "\x00")))
}

// live returns the lines that still matter.
func (l *ledger) live() (lines []string) {
	for _, commit := range l.seen {
		lines = append(lines, "seen "+commit)
	}
	for path, branch := range l.home {
		lines = append(lines, "home "+branch+" "+path)
	}
	for _, d := range l.owed {
		lines = append(lines, d.line())
	}
	return lines
}

func (d debt) line() string { return fmt.Sprintf("owed %s %s %s", d.branch, d.commit, d.path) }

// isTo reports whether a branch has yet to get the file of d. If any is set, that can be any branch.
func (d debt) isTo(branch string) bool { return d.branch == branch || d.any }

// isAny reports whether branch means any branch: it stands for a detached HEAD, here or in a worktree that is gone.
func (l *ledger) isAny(branch string) bool {
	name, is := strings.CutPrefix(branch, detached)
	gone := name != "" && !disk.Exists(filepath.Join(filepath.Dir(l.file), "..", "worktrees", name))
	return is && (branch == l.here || gone)
}

// belongs reports whether a file is published on a branch, or the branch has yet to get it.
func (l *ledger) belongs(rel, branch string) bool {
	home, known := l.home[rel]
	return known && (home == branch || l.isAny(home)) ||
		slices.ContainsFunc(l.owed, func(d debt) bool { return d.isTo(branch) && d.isFor(rel) })
}

// isFor reports whether rel is the file of d, which may have been moved to another folder since.
func (d debt) isFor(rel string) bool { return path.Base(d.path) == path.Base(rel) }

// leavesOut reports whether publishing skips the file of d, which was edited by hand or is left alone.
func (f *Found) leavesOut(d debt) bool {
	file := f.files[d.path]
	return file != nil && (file.byHand || file.aside) && !change.Same(file.head, file.want)
}

// debtors returns the branches that have yet to get something.
func (l *ledger) debtors() []string {
	var all []string
	for _, d := range l.owed {
		all = append(all, d.branch)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
