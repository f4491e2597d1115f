//go:build unix

package load

import (
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/git/gittest"
)

// situations are states and kinds of a repository in ref mode, such as a merge in progress or a
// worktree. Each function gets a repository with two commits, and returns the folder to work in.
var situations = []struct {
	name string
	make func(l *load) (dir string)
}{
	{"staged and edited", func(l *load) string { return l.dir }},
	{"merge", func(l *load) string { return l.conflict("merge", "side") }},
	{"rebase", func(l *load) string { return l.conflict("rebase", "side") }},
	{"cherry-pick", func(l *load) string { return l.conflict("cherry-pick", "side") }},
	{"revert", func(l *load) string { return l.conflict("revert", "HEAD~") }},
	{"bisect", func(l *load) string { return l.gits([]string{"bisect", "start"}, []string{"bisect", "bad"}) }},
	{"detached", func(l *load) string { return l.gits([]string{"switch", "-q", "--detach"}) }},
	{"unborn", func(l *load) string { return l.gits([]string{"switch", "-q", "--orphan", "fresh"}) }},
	{"linked worktree", func(l *load) string { return l.gits([]string{"worktree", "add", "-q", "../tree"}, nil) }},
	{"worktree of a bare repository", func(l *load) string {
		l.gits([]string{"clone", "-q", "--bare", ".", "../bare.git"})
		return l.gits([]string{"-C", "../bare.git", "worktree", "add", "-q", "../tree", "main"}, nil)
	}},
	{"submodule", func(l *load) string {
		l.gits([]string{"init", "-q", "../tree"}, []string{"-C", "../tree", "-c", "protocol.file.allow=always",
			"submodule", "--quiet", "add", l.dir, "module"}, nil)
		return filepath.Join(filepath.Dir(l.dir), "tree", "module")
	}},
	{"SHA-256", func(l *load) string {
		return l.gits([]string{"init", "-q", "--object-format=sha256", "../tree"},
			[]string{"-C", "../tree", "commit", "-q", "--allow-empty", "-m", "First"}, nil)
	}},
	{"shallow clone", func(l *load) string {
		return l.gits([]string{"clone", "-q", "--depth=1", "file://" + l.dir, "../tree"}, nil)
	}},
	{"partial clone", func(l *load) string {
		l.gits([]string{"config", "uploadpack.allowFilter", "true"})
		return l.gits([]string{"clone", "-q", "--filter=blob:none", "file://" + l.dir, "../tree"}, nil)
	}},
	{"sparse checkout", func(l *load) string { return l.gits([]string{"sparse-checkout", "set", "docs"}) }},
	{"core.autocrlf", func(l *load) string { return l.gits([]string{"config", "core.autocrlf", "true"}) }},
	{"core.ignoreCase", func(l *load) string { return l.gits([]string{"config", "core.ignoreCase", "true"}) }},
}

// TestInRefMode runs the changing commands in each situation. Each command makes one commit on the
// checkpoint ref, and afterwards the files are those of the ref. The index, HEAD, the branches, all
// other files and git's operation in progress stay the same, byte for byte, and no hook runs.
func TestInRefMode(t *testing.T) {
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			l := newLoad(t, "--commit", "ref")
			l.write("2")
			l.gits([]string{"commit", "-q", "-a", "-m", "Second"})
			l.dir = s.make(l)
			l.git("config", "ckpt.commit", "ref")
			gittest.Must(t, os.WriteFile(filepath.Join(l.dir, "staged.txt"), []byte("staged\r\n"), 0o666))
			l.git("-c", "core.safecrlf=false", "add", "--sparse", "staged.txt")
			gittest.Must(t, os.WriteFile(filepath.Join(l.dir, "staged.txt"), []byte("edited\n"), 0o666))
			gittest.Must(t, os.WriteFile(filepath.Join(l.dir, "untracked.txt"), []byte("untracked\n"), 0o666))
			l.hooks()
			l.eachCommand(changing)
		})
	}
}

// TestFilesAreNotTheCheckpoints removes the files in several ways. The next command writes them
// again, also an edit by hand that git has stashed, and nothing is staged.
func TestFilesAreNotTheCheckpoints(t *testing.T) {
	for _, command := range [][]string{
		{"rm", "-rf", ".ckpt/active"},
		{"rm", "-rf", ".ckpt"},
		{"git", "clean", "-q", "-fdx"},
		{"git", "stash", "-q", "-u"},
		{"git", "stash", "-q", "-a"},
		{"git", "add", "-A"},
		{"git", "checkout", "-q", "-f", "side"},
		{"git", "switch", "-q", "side"},
		{"git", "reset", "-q", "--hard", "HEAD~"},
	} {
		t.Run(strings.Join(command, " "), func(t *testing.T) {
			t.Parallel()
			l := newLoad(t, "--commit", "ref")
			l.git("branch", "side", "HEAD~") // which has no config.yaml
			l.must("new", "a", "--problem", "Logins fail")
			l.must("new", "b", "--problem", "No guide", "--parked")
			l.must("archive", "a", "--outcome", "They work", "--learning", "Log why")
			l.write("2")
			if out, err := l.run(command[0], command[1:]...); err != nil && command[1] != "switch" {
				t.Fatalf("%s: %v\n%s", command, err, out)
			}
			commits := l.operations()
			l.must("status")
			l.sameAsRef(strings.Join(command, " "))
			l.must("note", "step", "After that", "-c", "b")
			l.sameAsRef("a note")
			if n := l.operations() - commits; n != 1 {
				t.Errorf("%d commits", n)
			}
			if staged := l.git("diff", "--cached", "--name-only"); strings.Contains(staged, ".ckpt/") {
				t.Errorf("staged: %s", staged)
			}
		})
	}
}

// TestSwitchingLosesNoEdit switches to a branch that tracks the folder and back, with several commands of
// git. Each edit by hand is still there, the branch's own files are never written, and commands work on
// both branches.
func TestSwitchingLosesNoEdit(t *testing.T) {
	for _, there := range [][]string{
		{"switch", "-q", "old"}, {"checkout", "-q", "--detach", "old"}, {"checkout", "-q", "-f", "old"},
		{"merge", "-q", "--no-edit", "--allow-unrelated-histories", "old"},
	} {
		t.Run(strings.Join(there, " "), func(t *testing.T) {
			t.Parallel()
			l := newLoad(t, "--commit", "ref")
			l.must("new", "a", "--problem", "Logins fail", "--state", "Begun")
			l.must("new", "b", "--problem", "No guide", "--parked")
			l.gits([]string{"worktree", "add", "-q", "-b", "old", "../old", "HEAD~"})
			other := filepath.Join(filepath.Dir(l.dir), "old")
			for _, name := range []string{"active/chk-a.md", "archive/chk-b.md", "LEARNINGS.md"} {
				file := filepath.Join(other, "checkpoints", filepath.FromSlash(name))
				gittest.Must(t, os.MkdirAll(filepath.Dir(file), 0o777))
				gittest.Must(t, os.WriteFile(file, []byte("# Of the branch\n"), 0o666))
			}
			l.gits([]string{"-C", "../old", "add", "-f", "checkpoints"}, []string{"-C", "../old", "commit", "-q", "-m", "Old"},
				[]string{"worktree", "remove", "--force", "../old"})
			l.must("status")
			for i, to := range [][]string{there, {"switch", "-q", "-f", "main"}, there} {
				words := "By hand " + strings.Repeat("I", i+1)
				file := filepath.Join(l.dir, ".ckpt", "active", "chk-a.md")
				src, err := os.ReadFile(file)
				gittest.Must(t, err)
				gittest.Must(t, os.WriteFile(file, append(src, "\n"+words+".\n"...), 0o666))
				l.git(to...)
				l.must("note", "step", "On that side", "-c", "b")
				shown, err := l.run(l.ckpt, "show", "a", "--raw")
				gittest.Must(t, err)
				if !strings.Contains(shown, words) {
					t.Errorf("after %s the edit is lost:\n%s", to, shown)
				}
				if status := l.git("status", "--porcelain", "--untracked-files=no"); status != "" {
					t.Errorf("after %s: %s", to, status)
				}
			}
			l.must("save")
			l.sameAsRef("save")
		})
	}
}

// changing has commands that make a commit on the ref each. The first word "edit" edits a file.
var changing = [][]string{
	{"new", "a", "--problem", "Logins fail: ünï\ttab  two", "--next", "Look", "--state", "Begun"},
	{"new", "b", "--problem", "No guide", "--parked"},
	{"delta", "-m", "Found it", "--state", "Known", "--done", "Look", "--next", "Fix"},
	{"note", "decision", "Use git", "--why", "It is there"},
	{"next", "--add", "Then test"},
	{"done", "Fix"},
	{"edit", "a"},
	{"save"},
	{"use", "b"},
	{"use", "--none"},
	{"edit", "b"},
	{"note", "step", "Beside an edit", "-c", "b"},
	{"restore", "chk-b", "--at", "@{1}"},
	{"archive", "a", "--outcome", "Logins work", "--learning", "Log why"},
	{"reopen", "a"},
	{"archive", "a", "--outcome", "Again"},
	{"new", "c", "--problem", "Old", "--parked"},
	{"prune", "--max-per-workflow", "1", "--apply"},
	{"undo"},
	{"delete", "chk-b", "--force"},
	{"undelete", "chk-b"},
}

// withoutCommit has commands that may make no commit on the ref.
var withoutCommit = []string{"use b", "use --none"}

// eachCommand runs commands and checks after each that it made its change, and no other.
func (l *load) eachCommand(commands [][]string) {
	t := l.t
	before := l.photo()
	commits := 1 // the root, which the first command makes
	if _, err := l.run("git", "rev-parse", "-q", "--verify", "refs/ckpt/checkpoints"); err == nil {
		commits = l.operations()
	}
	for _, c := range commands {
		if c[0] == "edit" {
			file := filepath.Join(l.dir, ".ckpt", "active", "chk-"+c[1]+".md")
			src, err := os.ReadFile(file)
			gittest.Must(t, err)
			gittest.Must(t, os.WriteFile(file, append(src, "\n## By hand\n\nMine.\n"...), 0o666))
			continue
		}
		name := strings.Join(c, " ")
		out, err := l.run(l.ckpt, c...)
		if err != nil {
			t.Fatalf("ckpt %s: %v\n%s", name, err, out)
		}
		n := l.operations() - commits
		if strings.Contains(out, "ckpt: saved your edits of ") {
			commits, n = commits+1, n-1
		}
		commits += n
		if n != 1 && (n != 0 || !slices.Contains(withoutCommit, name)) {
			t.Errorf("ckpt %s made %d commits\n%s", name, n, out)
		}
		after := l.photo()
		for path := range after {
			if before[path] != after[path] {
				t.Errorf("ckpt %s changed %s", name, path)
			}
		}
		for path := range before {
			if _, ok := after[path]; !ok {
				t.Errorf("ckpt %s removed %s", name, path)
			}
		}
		before = after
		l.sameAsRef(name)
	}
	if said := l.git("fsck", "--no-dangling", "--no-progress", "--no-reflogs"); strings.Contains(said, "error") {
		t.Errorf("git fsck: %s", said)
	}
}

// photo returns the state that commands must not change: git's index, HEAD, branches and operation in
// progress, and all files but the checkpoints.
func (l *load) photo() map[string]string {
	found := map[string]string{"refs": l.git("for-each-ref", "refs/heads", "refs/tags", "refs/remotes", "refs/stash", "refs/bisect")}
	gitDir := strings.TrimSpace(l.git("rev-parse", "--absolute-git-dir"))
	for _, name := range []string{"index", "HEAD", "ORIG_HEAD", "MERGE_HEAD", "MERGE_MSG", "CHERRY_PICK_HEAD", "REVERT_HEAD",
		"BISECT_LOG", "rebase-merge/done", "rebase-merge/git-rebase-todo", "hooked", "logs/HEAD"} {
		src, err := os.ReadFile(filepath.Join(gitDir, name))
		if err == nil {
			found[name] = string(src)
		}
	}
	gittest.Must(l.t, filepath.WalkDir(l.dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(l.dir, path)
		if d.IsDir() && slices.Contains([]string{".git", ".ckpt/active", ".ckpt/archive"}, rel) {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || rel == ".git" || rel == ".ckpt/LEARNINGS.md" {
			return err
		}
		src, err := os.ReadFile(path)
		found["file "+rel] = string(src)
		return err
	}))
	return found
}

// onRef returns the hashes of the Markdown files on the ref.
func (l *load) onRef() map[string]string {
	files := map[string]string{}
	for line := range strings.Lines(l.git("ls-tree", "-r", "refs/ckpt/checkpoints")) {
		entry, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if strings.HasSuffix(path, ".md") {
			files[path] = strings.Fields(entry)[2]
		}
	}
	return files
}

// blob returns git's hash of a content: SHA-1, or SHA-256 if it is as long as that of another file.
func blob(content, other string) string {
	h := sha1.New()
	if len(other) == 2*sha256.Size {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00%s", len(content), content)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// sameAsRef checks that the files of the worktree are those of the ref, and no others are there.
func (l *load) sameAsRef(after string) {
	want := l.onRef()
	folder := filepath.Join(l.dir, ".ckpt")
	gittest.Must(l.t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "config.yaml" {
			return err
		}
		rel, _ := filepath.Rel(folder, path)
		rel = "checkpoints/" + filepath.ToSlash(rel)
		src, err := os.ReadFile(path)
		shared, has := want[rel]
		switch {
		case !has:
			l.t.Errorf("after %s the ref lacks %s", after, rel)
		case blob(currentLine.Get().ReplaceAllString(string(src), "status: active"), shared) != shared:
			l.t.Errorf("after %s %s is not as on the ref:\n%q\n%q", after, rel, src, l.git("cat-file", "blob", shared))
		}
		delete(want, rel)
		return err
	}))
	for rel := range want {
		l.t.Errorf("after %s the worktree lacks %s", after, rel)
	}
}

// hooks installs git hooks that each make a file.
func (l *load) hooks() {
	dir := strings.TrimSpace(l.git("rev-parse", "--path-format=absolute", "--git-path", "hooks"))
	for _, name := range []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-checkout",
		"post-index-change", "reference-transaction", "post-rewrite", "pre-push"} {
		gittest.Must(l.t, os.MkdirAll(dir, 0o777))
		gittest.Must(l.t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\ntouch $(git rev-parse --git-dir)/hooked\n"), 0o777))
	}
}

// gits runs git several times. The last one may be nil, and then the folder is ../tree.
func (l *load) gits(commands ...[]string) string {
	for _, c := range commands {
		if c == nil {
			return filepath.Join(filepath.Dir(l.dir), "tree")
		}
		l.git(c...)
	}
	return l.dir
}

// conflict leaves git in the middle of a command with a conflict.
func (l *load) conflict(command, other string) string {
	l.gits([]string{"switch", "-q", "-c", "side", "HEAD~"})
	l.write("side")
	l.gits([]string{"commit", "-q", "-a", "-m", "Side"}, []string{"switch", "-q", "main"})
	if command == "revert" {
		l.write("3")
		l.gits([]string{"commit", "-q", "-a", "-m", "Third"})
	}
	if out, err := l.run("git", command, other); err == nil {
		l.t.Fatalf("git %s found no conflict:\n%s", command, out)
	}
	return l.dir
}
