package ckpttest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/text"
)

// gitIs reports whether a condition such as [git:2.54] is true: git has that version or a later one.
func gitIs(condition string) (bool, error) {
	wanted, ok := strings.CutPrefix(condition, "git:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", condition)
	}
	out, err := envtest.Command("git", "version").Output()
	if err != nil {
		return false, err
	}
	var has, want [2]int
	_, err = fmt.Sscanf(string(out), "git version %d.%d", &has[0], &has[1])
	_, wrong := fmt.Sscanf(wanted, "%d.%d", &want[0], &want[1])
	return slices.Compare(has[:], want[:]) >= 0, errors.Join(err, wrong)
}

// fails runs a command that must end with an exit code and change nothing.
func fails(ts *testscript.TestScript, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	before := files(ts)
	if got := run(ts, args[1:]); got != want {
		ts.Fatalf("exit code %d, not %d", got, want)
	}
	same(ts, before)
}

// reads runs a command that must succeed and change nothing.
func reads(ts *testscript.TestScript, args []string) { fails(ts, append([]string{"0"}, args...)) }

func run(ts *testscript.TestScript, command []string) (exitCode int) {
	err := ts.Exec(command[0], command[1:]...)
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return failed.ExitCode()
	}
	ts.Check(err)
	return 0
}

// files returns the hashes of the files in the script's folder, by path. Of .git it
// only has the refs, HEAD, the index and the configuration.
func files(ts *testscript.TestScript) map[string]string {
	root, held := ts.MkAbs("."), map[string]string{}
	ts.Check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		inGit, ok := strings.CutPrefix(rel, ".git/")
		if ok && !mattersInGit(inGit) || strings.HasPrefix(rel, ".tmp/") {
			return nil
		}
		if !d.Type().IsRegular() {
			held[rel] = d.Type().String()
			return nil
		}
		src, err := os.ReadFile(path)
		held[rel] = fmt.Sprintf("%x", sha256.Sum256(src))
		return err
	}))
	return held
}

func mattersInGit(rel string) bool {
	return slices.Contains([]string{"HEAD", "index", "packed-refs", "config"}, rel) || strings.HasPrefix(rel, "refs/")
}

func same(ts *testscript.TestScript, before map[string]string) {
	after := files(ts)
	for path, hash := range after {
		if old, ok := before[path]; !ok || old != hash {
			ts.Fatalf("%s was written", path)
		}
	}
	for path := range before {
		if _, ok := after[path]; !ok {
			ts.Fatalf("%s was removed", path)
		}
	}
}

// like compares an output with a file that leaves out parts of it; see [Like].
func like(ts *testscript.TestScript, args []string) {
	got, want := ts.ReadFile(args[0]), ts.ReadFile(args[1])
	if !Like(got, want) {
		ts.Fatalf("%s is not like %s:\n%s", args[0], args[1], got)
	}
}

// rev sets the variable NAME to the hash of a commit, and NAME7 to its first seven
// digits. Without REVISION, NAME is the revision.
func rev(ts *testscript.TestScript, args []string) {
	hash := strings.TrimSpace(scriptGit(ts, "rev-parse", "--verify", args[len(args)-1]+"^{commit}"))
	ts.Setenv(args[0], hash)
	ts.Setenv(args[0]+"7", hash[:7])
}

// edit replaces a text in a file, in which the text must occur exactly once.
func edit(ts *testscript.TestScript, args []string) {
	file := ts.MkAbs(args[0])
	src, err := os.ReadFile(file)
	ts.Check(err)
	if n := strings.Count(string(src), args[1]); n != 1 {
		ts.Fatalf("%s holds %q %d times", args[0], args[1], n)
	}
	ts.Check(os.WriteFile(file, []byte(strings.Replace(string(src), args[1], args[2], 1)), 0o666))
}

// Like reports whether an output is as a page or a script shows it. In shown, "…" matches any lines or any part of a
// line, and a hash in brackets matches any hash.
func Like(output, shown string) bool { return pattern(shown).MatchString(mask(output)) }

var shownHash = text.Regexp(`\[[0-9a-f]{7,40}\]`)

func mask(text string) string { return shownHash.Get().ReplaceAllString(text, "[a1b2c3d]") }

// pattern returns a regular expression for an output, in which "…" matches any lines or any part of a line.
func pattern(output string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	for line := range strings.Lines(mask(output)) {
		if strings.TrimSpace(line) == "…" {
			b.WriteString(`(?:[^\n]*\n)*?`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", `[^\n]*`))
	}
	b.WriteString(`\z`)
	return regexp.MustCompile(b.String())
}
