package ckpttest

import (
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"
)

// elsewhere clones the repository, begins a branch in the clone, and changes to the clone's folder. The clone
// represents a user with another store of checkpoints. It has the configuration of this repository and no remote.
func elsewhere(ts *testscript.TestScript, args []string) {
	from, dir := ts.MkAbs("."), filepath.Join(ts.Getenv("WORK"), "elsewhere", args[0])
	scriptGit(ts, "tag", "-f", "elsewhere", append(args[1:], "HEAD")[0])
	ts.Check(os.RemoveAll(dir))
	scriptGit(ts, "clone", "-q", "-n", from, dir)
	scriptGit(ts, "tag", "-d", "elsewhere")
	config, err := os.ReadFile(filepath.Join(from, ".git", "config"))
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(dir, ".git", "config"), config, 0o666))
	ts.Check(os.RemoveAll(filepath.Join(dir, ".git", "hooks")))
	ts.Check(os.CopyFS(filepath.Join(dir, ".git", "hooks"), os.DirFS(filepath.Join(from, ".git", "hooks"))))
	ts.Check(ts.Chdir(dir))
	scriptGit(ts, "switch", "-q", "-C", args[0], "elsewhere")
	scriptGit(ts, "tag", "-d", "elsewhere")
	ts.Setenv("ELSEWHERE", from)
}

// back changes to the folder in which elsewhere was called, and fetches the branch of the clone.
func back(ts *testscript.TestScript, _ []string) {
	dir := ts.MkAbs(".")
	ts.Check(ts.Chdir(ts.Getenv("ELSEWHERE")))
	branch := filepath.Base(dir)
	scriptGit(ts, "fetch", "-q", dir, "+"+branch+":"+branch)
}
