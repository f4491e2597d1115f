package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// author is the identity of all commits in the measured repositories.
var author = []string{
	"GIT_AUTHOR_NAME=Bench", "GIT_AUTHOR_EMAIL=bench@example.com", "GIT_COMMITTER_NAME=Bench",
	"GIT_COMMITTER_EMAIL=bench@example.com",
	"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
}

// git runs git in a measured repository.
func git(dir string, args ...string) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), author...)
	if out, err := cmd.CombinedOutput(); err != nil {
		log.Fatalf("bench: git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// importer makes a repository, and returns the input of git fast-import. The caller must call done at the end, which
// checks out the branch and packs the repository.
func importer(dir string) (pipe io.Writer, done func()) {
	git(dir, "init", "-q", "-b", "main")
	in := exec.Command("git", "fast-import", "--quiet")
	in.Dir, in.Env, in.Stderr = dir, append(os.Environ(), author...), os.Stderr
	stdin, err := in.StdinPipe()
	check(err)
	check(in.Start())
	return stdin, func() {
		check(stdin.Close())
		check(in.Wait())
		git(dir, "checkout", "-q", "-f", "main")
		git(dir, "repack", "-q", "-a", "-d")
		git(dir, "config", "gc.auto", "0")
	}
}

// notes is the file that is committed for comparison. Like a checkpoint it lies two folders deep.
const notes = "docs/work/notes.md"

// repository makes a packed repository of n tracked files in folders of a hundred, with 40 checkpoints of about 3 KB.
// The first checkpoint is current. Mode is the commit mode, own or ref.
func (b *bench) repository(mode, name string, n int) string {
	dir := filepath.Join(b.dir, name)
	check(os.MkdirAll(dir, 0o777))
	pipe, done := importer(dir)
	fmt.Fprint(pipe, "commit refs/heads/main\ncommitter Bench <bench@example.com> 1767225600 +0000\ndata 5\nFirst\n")
	for i := range n {
		content := fmt.Sprintf("file %d of %d\n", i, n)
		fmt.Fprintf(pipe, "M 100644 inline src/%04d/%02d.txt\ndata %d\n%s\n", i/100, i%100, len(content), content)
	}
	fmt.Fprintf(pipe, "M 100644 inline %s\ndata 2\nx\n\n", notes)
	if mode == "ref" {
		fmt.Fprint(pipe, "M 100644 inline checkpoints/config.yaml\ndata 12\ncommit: ref\n\n"+
			"commit refs/ckpt/checkpoints\ncommitter Bench <bench@example.com> 1767225600 +0000\ndata 5\nFirst\n"+
			"M 100644 inline checkpoints/.current/main\ndata 8\nchk-000\n\n")
	}
	for i := range 40 {
		content := checkpoint(i, i == 0 && mode == "own")
		fmt.Fprintf(pipe, "M 100644 inline checkpoints/active/chk-%03d.md\ndata %d\n%s\n", i, len(content), content)
	}
	fmt.Fprint(pipe, "done\n")
	done()
	git(dir, "status")
	time.Sleep(settled)
	return dir
}

// settled is the time after which ckpt trusts its cache of git's configuration. While a configuration file has just
// changed, ckpt asks git every time, because another change in the same moment would not change the file's time.
const settled = 2100 * time.Millisecond

// archived returns the file of a completed checkpoint with a delta.
func archived(i int) string {
	return checkpoint(i, false) + fmt.Sprintf(`
---

## Delta: 2026-01-03T10:00:00Z

### What Changed

The other half works, too.

### Artifacts

| File | Action | Description |
|------|--------|-------------|
| %s | modified | the other half |

---

## Completion

- **Status**: Archived
- **Outcome**: Task %d is done, and nobody waits for it
- **Learnings**: Ask first what the other half is
- **Date**: 2026-01-03T11:00:00Z
`, "`src/0000/01.txt`", i)
}

// checkpoint returns the text of a checkpoint of about 3 KB.
func checkpoint(i int, current bool) string {
	var w strings.Builder
	status := "active"
	if current {
		status = "current"
	}
	fmt.Fprintf(&w, "---\ncheckpoint: chk-%03d\ncreated: 2026-01-02T10:00:00Z\nanchor: main@0000000\nstatus: %s\n---\n\n"+
		"## Problem\n\nTask %d is not done, and people wait for it.\n\n", i, status, i)
	w.WriteString("## Session Intent\n\nIt is done.\n\n## Essential Information\n\n### Decisions\n\n")
	for d := range 12 {
		fmt.Fprintf(&w, "- **Decision %d**: because it was the simplest thing that would carry the load we expect\n", d)
	}
	w.WriteString("\n### Technical Context\n\n- Go, git\n\n### Play-By-Play\n\n")
	for d := range 12 {
		fmt.Fprintf(&w, "- Step %d → tried it with the real data → it worked after the second try\n", d)
	}
	w.WriteString("\n### Artifact Trail\n\n| File | Status | Key Change |\n|------|--------|------------|\n")
	for d := range 6 {
		fmt.Fprintf(&w, "| `src/%04d/01.txt` | modified | the part that counts |\n", d)
	}
	w.WriteString("\n### Current State\n\nHalf of it works.\n\n### Next Actions\n\n" +
		"1. Do the other half in src/0000/01.txt\n\n## User Rules\n\n- Be brief\n")
	return w.String()
}

// deltas compares a delta in a commit mode with a commit of one file, for both levels of durability.
// With afterGC it packs the repository before each delta and commit, so that both begin with cold caches.
func (b *bench) deltas(mode string, n int, afterGC bool) {
	dir := b.repository(mode, fmt.Sprintf("delta-%s-%d-%t", mode, n, afterGC), n)
	label := fmt.Sprintf("%s, %d", mode, n)
	if afterGC {
		label += ", first after `git gc`"
	}
	for _, level := range []struct{ name, ours, theirs string }{
		{"survives a power cut", "on", "all"},
		{"git's default", "off", "default"},
	} {
		git(dir, "config", "ckpt.fsync", level.ours)
		time.Sleep(settled)
		b.compare(label, level.name, func(i int) sample {
			text := checkpoint(i, false) + level.name + "\n"
			check(os.WriteFile(filepath.Join(dir, filepath.FromSlash(notes)), []byte(text), 0o666))
			if afterGC {
				git(dir, "gc", "-q")
			}
			return b.run(dir, b.ckpt("delta", "-m", fmt.Sprintf("Step %d", i), "--artifact", notes))
		}, func(int) sample {
			if afterGC {
				git(dir, "gc", "-q")
			}
			commit := []string{"git", "-c", "core.fsync=" + level.theirs}
			return b.run(dir, append(commit, "add", notes),
				append(commit, "commit", "-q", "--only", "-m", "x", "--", notes))
		})
	}
}

// filled compares two ways to record a delta with the changed files. In the first, ckpt asks git for the files. In the
// second, the files are given, and git status runs in addition.
func (b *bench) filled(n int) {
	dir := b.repository("own", fmt.Sprintf("filled-%d", n), n)
	for i := range 5 {
		check(os.WriteFile(filepath.Join(dir, "src", "0000", fmt.Sprintf("%02d.txt", i)), []byte("changed\n"), 0o666))
	}
	b.compare(fmt.Sprintf("%d", n), "told, and `git status`", func(i int) sample {
		return b.run(dir, b.ckpt("delta", "-m", fmt.Sprintf("Step %d", i)))
	}, func(i int) sample {
		return b.run(dir, b.ckpt("delta", "-m", fmt.Sprintf("Told %d", i), "--artifact", notes),
			[]string{"git", "status", "--porcelain"})
	})
}

// reading compares listing and searching n archived checkpoints with rg and grep. It compares the commands for which an
// agent waits with git --version, and with the same commands in a repository without an archive.
func (b *bench) reading(n int) {
	dir := b.repository("own", fmt.Sprintf("read-%d", n), 10)
	archive := filepath.Join(dir, "checkpoints", "archive")
	for i := range n {
		folder := filepath.Join(archive, "2026", fmt.Sprintf("%02d", i%12+1))
		check(os.MkdirAll(folder, 0o777))
		check(os.WriteFile(filepath.Join(folder, fmt.Sprintf("chk-%06d.md", i+1000)), []byte(archived(i+1000)), 0o666))
	}
	git(dir, "add", ".")
	git(dir, "commit", "-q", "-m", "Archive")
	time.Sleep(settled)
	list := b.ckpt("list", "--all", "--json")
	name := fmt.Sprintf("`list --all --json`, %d archived", n)
	if _, err := exec.LookPath("rg"); err == nil {
		b.pair(name, "`rg -l '^checkpoint:'`", dir, list, []string{"rg", "-l", "^checkpoint:", "checkpoints"})
	}
	if _, err := exec.LookPath("grep"); err == nil {
		b.pair(name, "`grep -rl '^checkpoint:'`", dir, list, []string{"grep", "-rl", "^checkpoint:", "checkpoints"})
	}
	if _, err := exec.LookPath("rg"); err == nil {
		for _, word := range []struct{ name, text string }{
			{"in one file", fmt.Sprintf("chk-%d", n/2+1000)}, {"once in each file", "archived"},
			{"on 13 lines of each file", "decision"},
		} {
			name := fmt.Sprintf("`search`, a word %s, %d archived", word.name, n)
			b.pair(name, "`rg -i`", dir, b.ckpt("search", word.text), []string{"rg", "-i", word.text, "checkpoints"})
		}
	}
	none := b.repository("own", fmt.Sprintf("none-%d", n), 10)
	for _, command := range []string{"status", "resume"} {
		name := fmt.Sprintf("`%s`, %d archived", command, n)
		b.pair(name, "`git --version`", dir, b.ckpt(command), []string{"git", "--version"})
		b.pair(name, "the same, none archived", dir, b.ckpt(command), b.ckpt("-C", none, command))
	}
}
