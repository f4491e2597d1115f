package snapshot_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/git/gittest"
)

// state is all that a snapshot promises to bring back: what git says of index and
// working tree, and every file with its mode and bytes, ignored ones included. The
// checkpoints are no part of it.
func state(t *testing.T, r *gittest.Repo) string {
	t.Helper()
	touch(t, r.Dir)
	var b strings.Builder
	for _, args := range [][]string{
		{"status", "--porcelain=v2", "-z", "--untracked-files=all", "--", ".", ":(exclude)checkpoints"},
		{"diff", "--binary", "--", ".", ":(exclude)checkpoints"},
		{"diff", "--cached", "--binary", "--", ".", ":(exclude)checkpoints"},
		{"ls-files", "-s", "--", ".", ":(exclude)checkpoints"},
	} {
		said := r.Git(args...)
		if args[0] == "status" {
			said = withoutPhantoms(r, said)
		}
		b.WriteString("git " + args[0] + "\n" + strings.ReplaceAll(said, "\x00", "\n") + "\n")
	}
	b.WriteString(onDisk(t, r.Dir))
	return b.String()
}

// withoutPhantoms is what git status says without the files that it calls modified
// because their size is not the one of last time, and that have no difference: CRLF in
// place of LF, say.
func withoutPhantoms(r *gittest.Repo, said string) string {
	changed := "\x00" + r.Git("diff", "--name-only", "-z")
	var lines []string
	for line := range strings.SplitSeq(said, "\x00") {
		if part := strings.SplitN(line, " ", 9); len(part) == 9 && part[0] == "1" && part[1][1] == 'M' && !strings.Contains(changed, "\x00"+part[8]+"\x00") {
			if part[1] == ".M" {
				continue
			}
			line = strings.Replace(line, part[1], part[1][:1]+".", 1)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\x00")
}

var touched = moment

// touch makes git look at the files instead of their times: what it has believed of a
// file since its attributes changed is no state.
func touch(t *testing.T, dir string) {
	t.Helper()
	touched = touched.Add(time.Second)
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && d.Type().IsRegular() {
			return os.Chtimes(path, touched, touched)
		}
		return err
	})
}

func onDisk(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if err != nil || rel == ".git" || rel == "checkpoints" {
			if d != nil && d.IsDir() && err == nil {
				return filepath.SkipDir
			}
			return err
		}
		info, err := d.Info()
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return nil
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			fmt.Fprintf(&b, "%q -> %q\n", rel, to)
			return err
		}
		src, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%q %v %q\n", rel, info.Mode()&0o111 != 0, src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// names collide on purpose: what is a file in one tree is a folder in another.
var names = []string{"a", "b", "a/x", "a/y/z", "b/x", "c.txt", "d.bin", "e e", "f\"g", "ünï", "h\ni", "-j", "*", "sub/.gitignore", ".gitignore", ".gitattributes", "k.tmp", "sub/l.tmp", "sub/m.crlf", "n.log", ":o"}

var texts = []string{"", "one\n", "one\ntwo\n", "one\r\ntwo\r\n", "one\r\ntwo\n", "no last line break", "\x00\x01binary\r\n\xff", strings.Repeat("long\n", 3000)}

// mess changes a working tree at random, the way people and agents do.
func mess(t *testing.T, r *gittest.Repo, rnd *rand.Rand, steps int) {
	t.Helper()
	for range steps {
		name := names[rnd.IntN(len(names))]
		path := filepath.Join(r.Dir, name)
		switch n := rnd.IntN(14); {
		case n < 5:
			text := texts[rnd.IntN(len(texts))]
			if strings.HasSuffix(name, ".gitignore") {
				text = []string{"*.tmp\n", "*.log\n", "*.tmp\n*.log\n", "", "x\n"}[rnd.IntN(5)]
			} else if name == ".gitattributes" {
				text = []string{"*.txt text\n", "* text=auto\n", "*.crlf text eol=crlf\n", "*.bin binary\n", "c.txt ident\n"}[rnd.IntN(5)]
			}
			put(t, r.Dir, name, text)
		case n == 5:
			_ = os.Chmod(path, 0o755)
		case n == 6:
			if makeWay(t, r.Dir, name) {
				_ = os.Symlink([]string{"a", "nowhere", "../x"}[rnd.IntN(3)], path)
			}
		case n == 7:
			_ = os.RemoveAll(path)
		case n == 8 || n == 9:
			_, _ = r.TryGit("add", "--", ":(literal)"+name)
		case n == 10:
			_, _ = r.TryGit("rm", "-q", "-r", "--cached", "--", ":(literal)"+name)
		case n == 11:
			_, _ = r.TryGit("add", "-N", "--", ":(literal)"+name)
		case n == 12:
			_, _ = r.TryGit("mv", "--", name, names[rnd.IntN(len(names))])
		default:
			_, _ = r.TryGit("add", "-f", "--", ":(literal)"+name)
		}
	}
}

// makeWay removes what stands where the folders of a file are to be.
func makeWay(t *testing.T, dir, name string) bool {
	t.Helper()
	parts := strings.Split(name, "/")
	for i := range parts[:len(parts)-1] {
		at := filepath.Join(dir, filepath.Join(parts[:i+1]...))
		if info, err := os.Lstat(at); err == nil && !info.IsDir() {
			_ = os.Remove(at)
		}
	}
	_ = os.RemoveAll(filepath.Join(dir, name))
	return os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755) == nil
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	makeWay(t, dir, name)
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
