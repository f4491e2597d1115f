package ckpttest

import (
	"cmp"
	"crypto/sha1"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/ckpt/internal/checkpoint"
)

// rare sets the time so that the last commit, if it is made again at that time, has a hash that begins with 00.
func rare(ts *testscript.TestScript, _ []string) {
	commit := scriptGit(ts, "cat-file", "commit", "HEAD")
	start, err := time.Parse(time.RFC3339, ts.Getenv("CKPT_TEST_TIME"))
	ts.Check(err)
	for at := start; ; at = at.Add(time.Second) {
		again := strings.ReplaceAll(commit, fmt.Sprintf("> %d +0000\n", start.Unix()), fmt.Sprintf("> %d +0000\n", at.Unix()))
		if h := sha1.Sum(fmt.Appendf(nil, "commit %d\x00%s", len(again), again)); h[0] == 0 {
			setTime(ts, at.Format(time.RFC3339))
			return
		}
	}
}

// copies writes copies of a file. In their texts and names NNN is replaced by a
// number.
func copies(ts *testscript.TestScript, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	src, err := os.ReadFile(ts.MkAbs(args[1]))
	ts.Check(err)
	for i := range n {
		number := func(s string) string { return strings.ReplaceAll(s, "NNN", fmt.Sprintf("%03d", i)) }
		path := ts.MkAbs(number(args[2]))
		ts.Check(os.MkdirAll(filepath.Dir(path), 0o777))
		ts.Check(os.WriteFile(path, []byte(number(string(src))), 0o666))
	}
}

// dated makes a commit for each checkpoint file, at the time of the file's last change
// according to its text.
func dated(ts *testscript.TestScript, _ []string) {
	root, now := ts.MkAbs("."), ts.Getenv("CKPT_TEST_TIME")
	changed := map[string]time.Time{}
	ts.Check(filepath.WalkDir(filepath.Join(root, "checkpoints"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := os.ReadFile(path)
		if c, parseErr := checkpoint.Parse(filepath.Base(path), src); parseErr == nil {
			changed[path] = c.Changed()
		} else {
			changed[path] = time.Time{}
		}
		return err
	}))
	for _, path := range slices.SortedFunc(maps.Keys(changed), func(a, b string) int {
		return cmp.Or(changed[a].Compare(changed[b]), strings.Compare(a, b))
	}) {
		at := changed[path]
		if at.IsZero() {
			at = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		setTime(ts, at.Format(time.RFC3339))
		ts.Check(ts.Exec("git", "add", path))
		ts.Check(ts.Exec("git", "commit", "-q", "-m", "By hand"))
	}
	setTime(ts, now)
}
