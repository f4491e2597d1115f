package ckpttest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/testscript"

	"example.com/ckpt/internal/envtest"
)

// photoKey is the key of a script's photo among its values.
type photoKey struct{}

// photo remembers everything in the script's repository that belongs to the user:
// the files outside checkpoints/, and their part of the index and of git status.
// `photo same` fails unless all of it is the same, byte for byte, and git fsck
// finds no error.
func photo(ts *testscript.TestScript, args []string) {
	memory := ts.Value(photoKey{}).(*string)
	if len(args) == 0 {
		*memory = usersOwn(ts)
		return
	}
	if now := usersOwn(ts); now != *memory {
		ts.Fatalf("the user's files are not as they were:\n%s", diff.Diff("before", []byte(*memory), "now", []byte(now)))
	}
	for line := range strings.Lines(scriptGit(ts, "fsck", "--strict", "--no-dangling")) {
		if !strings.HasPrefix(line, "notice: ") { // about a branch without commits
			ts.Fatalf("git fsck: %s", line)
		}
	}
}

// usersOwn describes the repository without checkpoints/.
func usersOwn(ts *testscript.TestScript) string {
	root := strings.TrimSpace(scriptGit(ts, "rev-parse", "--show-toplevel"))
	var b strings.Builder
	for _, command := range [][]string{
		{"status", "--porcelain=v2", "--untracked-files=all"},
		{"ls-files", "--stage"},
		{"diff", "--cached", "--binary"},
		{"diff", "--binary"},
	} {
		args := append([]string{"-C", root}, command...)
		b.WriteString("$ git " + strings.Join(command, " ") + "\n" + scriptGit(ts, append(args, "--", ".", ":(exclude)checkpoints")...))
	}
	ts.Check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch name := d.Name(); {
		case name == ".git", name == ".tmp", path == filepath.Join(root, "checkpoints"):
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.Type().IsRegular():
			content, err := os.ReadFile(path)
			info, infoErr := d.Info()
			fmt.Fprintf(&b, "%s %x %s\n", info.Mode(), sha256.Sum256(content), path)
			return errors.Join(err, infoErr)
		}
		return nil
	}))
	return b.String()
}

// scriptGit runs git in the script's folder and environment and returns what it prints.
func scriptGit(ts *testscript.TestScript, args ...string) string {
	cmd := envtest.Command("git", args...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "PATH"} {
		if value := ts.Getenv(name); value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		ts.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, said.String())
	}
	return said.String()
}
