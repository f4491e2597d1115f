package checkout_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/workspace/checkout"
)

// FuzzWorktree archives, deletes, renames and changes checkpoints and LEARNINGS.md on the ref, edits,
// breaks and makes files by hand, switches branches and makes others current, in any order. Git may
// switch to a branch that tracks the files, and back, once a command has seen such a branch. After
// each update every word that was written by hand and every word of the ref is in the files, and git
// sees no change.
func FuzzWorktree(f *testing.F) {
	for _, seed := range []uint64{1, 2, 3, 5, 25, 29, 33, 39} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		w := &world{fixture: newFixture(t), random: rand.New(rand.NewPCG(seed, 2)), ref: map[string]string{}}
		w.g.Commit("code", "main.go", "package main\n")
		w.g.Git("branch", "side")
		w.g.Git("branch", "a/b")
		for i := range 3 {
			w.share(fmt.Sprintf("active/chk-%d.md", i), text(fmt.Sprintf("chk-%d", i), "active", "s"))
		}
		w.share("LEARNINGS.md", "# Learnings\n\n- First\n")
		for step := range 25 {
			w.step(fmt.Sprintf("w%dw", step))
		}
		w.refresh()
	})
}

// world is a worktree and what its user and others have written.
type world struct {
	*fixture
	random *rand.Rand
	ref    map[string]string // the files of the ref
	hand   []string          // the words that were written by hand
	shared []string          // the words that others wrote
	tracks bool              // there is a branch that tracks files of the folder
	log    []string
}

func (w *world) pick(files map[string]string) string {
	if len(files) == 0 {
		return ""
	}
	names := slices.Sorted(maps.Keys(files))
	return names[w.random.IntN(len(names))]
}

func (w *world) share(rel, content string) {
	w.commit(map[string]string{rel: content})
	w.ref[rel] = content
	if content == "" {
		delete(w.ref, rel)
	}
}

// with adds a word to a file, on a line of its own.
func with(src, word string) string {
	before, after, ok := strings.Cut(src, "\n## Current State")
	if ok {
		return before + "- **" + word + "**: why\n\n## Current State" + after
	}
	return src + "- " + word + "\n"
}

// has reports whether the ref has a checkpoint, at whatever path.
func (w *world) has(made string) bool {
	for rel := range w.ref {
		if strings.Contains(rel, strings.TrimPrefix(made, "active/")) {
			return true
		}
	}
	return false
}

func (w *world) move(rel, to string) {
	if w.ref[to] != "" || !strings.HasPrefix(rel, "active/") {
		return
	}
	content := w.ref[rel]
	w.commit(map[string]string{rel: "", to: content})
	delete(w.ref, rel)
	w.ref[to] = content
}

func (w *world) step(word string) {
	n := w.random.IntN(14)
	rel := w.pick(w.ref)
	onDisk := w.files()
	mine := w.pick(onDisk)
	w.log = append(w.log, fmt.Sprintf("%d %s | %s %s", n, rel, mine, word))
	switch n {
	case 0, 1: // others change a file
		if rel != "" {
			w.share(rel, with(w.ref[rel], word))
			w.shared = append(w.shared, word)
		}
	case 2:
		w.move(rel, "archive/2026/01/"+filepath.Base(rel))
	case 3:
		w.move(rel, "active/renamed-"+filepath.Base(rel))
	case 4: // others delete a file, with what others wrote there
		if strings.HasPrefix(rel, "active/") {
			gone := w.ref[rel]
			w.share(rel, "")
			w.shared = slices.DeleteFunc(w.shared, func(s string) bool { return strings.Contains(gone, s) })
			w.hand = slices.DeleteFunc(w.hand, func(s string) bool { return strings.Contains(gone, s) })
		}
	case 5, 6, 7: // the user edits a file
		if mine != "" {
			w.write(mine, with(onDisk[mine], word))
			w.hand = append(w.hand, word)
		}
	case 8: // an editor with other line ends
		if mine != "" {
			w.write(mine, strings.ReplaceAll(strings.ReplaceAll(onDisk[mine], "\r\n", "\n"), "\n", "\r\n"))
		}
	case 9: // a file that cannot be read
		if mine != "" {
			w.write(mine, strings.Replace(onDisk[mine], "created: ", "created: [", 1)+word+"\n")
			w.hand = append(w.hand, word)
		}
	case 10: // a file made by hand
		made := fmt.Sprintf("active/chk-new-%d.md", w.random.IntN(2))
		if onDisk[made] == "" && !w.has(made) {
			w.write(made, with(text(strings.TrimSuffix(filepath.Base(made), ".md"), "active", "s"), word))
			w.hand = append(w.hand, word)
		}
	case 11: // and one made by others at the same path
		made := fmt.Sprintf("active/chk-new-%d.md", w.random.IntN(2))
		if !w.has(made) {
			w.share(made, with(text(strings.TrimSuffix(filepath.Base(made), ".md"), "active", "s"), word))
			w.shared = append(w.shared, word)
		}
	case 12:
		w.switchBranch()
	case 13:
		w.refresh()
		if w.random.IntN(2) == 0 {
			w.save()
		} else {
			w.choose(fmt.Sprintf("chk-%d", w.random.IntN(3)))
			w.refresh()
		}
	}
}

// switchBranch makes git switch to another branch. The branch "old" tracks other versions of the files, and is made
// when it is first chosen.
func (w *world) switchBranch() {
	branch := []string{"main", "side", "a/b", "old", ""}[w.random.IntN(5)]
	if branch == "old" && !w.tracks {
		w.tracks = true
		other := w.g.At(filepath.Join(w.t.TempDir(), "other"))
		w.g.Git("worktree", "add", "-q", "-b", "old", other.Dir)
		for i := range 3 {
			other.Write(fmt.Sprintf("checkpoints/active/chk-%d.md", i), text(fmt.Sprintf("chk-%d", i), "active", "of the branch"))
		}
		other.Write("checkpoints/LEARNINGS.md", "# Learnings\n\n- Of the branch\n")
		other.Git("add", "-f", "checkpoints")
		other.Git("commit", "-q", "-m", "Old")
		w.g.Git("worktree", "remove", other.Dir)
		w.refresh() // a command sees the branch before git switches to it
	}
	if branch == "" {
		w.g.Git("switch", "-q", "--detach")
	} else {
		w.g.Git("switch", "-q", branch)
	}
	w.refresh()
}

// save commits what the user has edited.
func (w *world) save() {
	for rel, src := range w.files() {
		if checkout.Written(rel) && w.ref[rel] != string(checkout.Shared(rel, []byte(src))) {
			w.share(rel, string(checkout.Shared(rel, []byte(src))))
		}
	}
	w.update()
}

// refresh updates the files and checks that nothing is lost.
func (w *world) refresh() {
	w.t.Helper()
	w.update()
	var all strings.Builder
	for _, src := range w.files() {
		all.WriteString(src)
	}
	for kind, words := range map[string][]string{"hand": w.hand, "ref": w.shared} {
		for _, word := range words {
			if !strings.Contains(all.String(), word) {
				w.t.Fatalf("%s, of the %s, is lost:\n%s", word, kind, strings.Join(w.log, "\n"))
			}
		}
	}
	if status := w.g.Git("status", "--porcelain", "--", "checkpoints"); w.tracks && status != "" {
		w.t.Errorf("git sees changes: %s\n%s", status, strings.Join(w.log, "\n"))
	}
	if leftover, _ := filepath.Glob(filepath.Join(w.c.Dir, "active", ".ckpt-*")); len(leftover) > 0 {
		w.t.Errorf("left: %s", leftover)
	}
}
