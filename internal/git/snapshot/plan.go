package snapshot

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// restorePlan is the way from one snapshot, the present one, to another.
type restorePlan struct {
	repo       *git.Repo
	have, want contents

	write, remove []string // paths of files, sorted
	staged        int
}

// plan finds what is to be written and removed, and refuses if something that no snapshot
// contains would be lost.
func (b *restorePlan) plan() error {
	for path, e := range b.want.work {
		if b.have.work[path] != e || b.want.bytes[path] != b.have.bytes[path] {
			b.write = append(b.write, path)
		}
	}
	for path := range b.have.work {
		if _, stays := b.want.work[path]; !stays {
			b.remove = append(b.remove, path)
		}
	}
	slices.Sort(b.write)
	slices.Sort(b.remove)
	for _, path := range slices.Concat(b.write, b.remove) {
		if b.have.work[path].Mode == filemode.Submodule || b.want.work[path].Mode == filemode.Submodule {
			return fault.New(fault.Unsupported, "the submodule %q was at another commit: its files cannot be brought back", path).
				WithHint("git submodule update -- %s", path)
		}
	}
	for _, path := range b.write {
		if other := Of(b.repo).inTheWay(path, b.have.work); other != "" {
			return fault.New(fault.Unsupported, "%q stands where %q was, and git ignores it: it would be lost", other, path).
				WithHint("mv %s elsewhere, and again", other)
		}
	}
	return nil
}

// inTheWay returns a file that no snapshot contains and that would have to be removed for path
// to be written; "" for none.
func (s Snapshots) inTheWay(path string, saved map[string]git.Entry) string {
	parts := strings.Split(path, "/")
	for n := 1; n <= len(parts); n++ {
		at := strings.Join(parts[:n], "/")
		info, err := os.Lstat(filepath.Join(s.repo.Root(), filepath.FromSlash(at)))
		if err != nil {
			return "" // nothing there, nor below
		}
		if _, have := saved[at]; !info.IsDir() {
			if have {
				return ""
			}
			return at
		}
	}
	other := ""
	_ = filepath.WalkDir(filepath.Join(s.repo.Root(), filepath.FromSlash(path)), func(file string, d os.DirEntry, err error) error {
		rel, relErr := filepath.Rel(s.repo.Root(), file)
		if rel = filepath.ToSlash(rel); err != nil || relErr != nil {
			other = path
			return filepath.SkipAll
		}
		if _, have := saved[rel]; !d.IsDir() && !have {
			other = rel
			return filepath.SkipAll
		}
		return nil
	})
	return other
}

// do changes index and files: the index first, since git may have locked it, and then nothing
// has changed.
func (b *restorePlan) do(ctx context.Context) error {
	if err := b.stage(ctx); err != nil {
		return err
	}
	if err := b.spareIgnored(ctx); err != nil {
		return err
	}
	for _, path := range b.remove {
		if err := Of(b.repo).removeFile(path); err != nil {
			return err
		}
	}
	if err := Of(b.repo).writeFiles(ctx, b.write, b.want); err != nil {
		return err
	}
	return b.announce(ctx)
}

// stage changes the index entry by entry: what git knows of the other files stays.
func (b *restorePlan) stage(ctx context.Context) error {
	var gone, come bytes.Buffer
	none := strings.Repeat("0", len(b.want.commit))
	for path := range b.have.index {
		if _, stays := b.want.index[path]; !stays {
			gone.WriteString("0 " + none + "\t" + path + "\x00")
			b.staged++
		}
	}
	for path := range b.have.intent {
		if _, staged := b.want.index[path]; !staged && !b.want.intent[path] {
			gone.WriteString("0 " + none + "\t" + path + "\x00")
			b.staged++
		}
	}
	written := map[string]bool{}
	for _, path := range b.write {
		written[path] = true
	}
	for path, e := range b.want.index {
		if b.have.index[path] != e || written[path] { // what git knows of a file's size is void when it is written
			fmt.Fprintf(&come, "%o %s 0\t%s\x00", e.Mode, e.Hash, path)
		}
		if b.have.index[path] != e {
			b.staged++
		}
	}
	if gone.Len()+come.Len() == 0 {
		return nil
	}
	return b.repo.Retry(func() error {
		_, err := b.repo.Git(ctx, append(gone.Bytes(), come.Bytes()...), "update-index", "-z", "--replace", "--index-info")
		return err
	})
}

// spareIgnored takes those files out of the ones to be removed that git ignored at the time of
// the snapshot: they did not appear since, they were not recorded. The .gitignore files of then
// decide, and are written first. A file that was added by force since is in the index now.
func (b *restorePlan) spareIgnored(ctx context.Context) error {
	isRules := func(path string) bool { return path == ".gitignore" || strings.HasSuffix(path, "/.gitignore") }
	rules, _ := parted(b.write, isRules)
	gone, rest := parted(b.remove, isRules)
	if len(rest) == 0 {
		return nil
	}
	for _, path := range rest {
		if slices.ContainsFunc(rules, func(rule string) bool { return strings.HasPrefix(rule, path+"/") }) {
			gone = append(gone, path) // a file where their folder was
		}
	}
	for _, path := range gone {
		if err := Of(b.repo).removeFile(path); err != nil {
			return err
		}
	}
	if err := Of(b.repo).writeFiles(ctx, rules, b.want); err != nil {
		return err
	}
	out, err := b.repo.Git(ctx, []byte(strings.Join(rest, "\x00")), "check-ignore", "--no-index", "-z", "--stdin")
	if err != nil && git.ExitCode(err) != 1 { // 1: none is
		return err
	}
	ignored := strings.Split(string(out), "\x00")
	b.remove = slices.DeleteFunc(b.remove, func(path string) bool {
		return slices.Contains(ignored, path) && !b.want.hasFileAbove(path) && b.want.index[path].Hash == "" && !b.want.intent[path]
	})
	return nil
}

// hasFileAbove reports whether a file of the snapshot is in the place of a folder of path.
func (c contents) hasFileAbove(path string) bool {
	for i, sign := range path {
		if _, have := c.work[path[:i]]; sign == '/' && have {
			return true
		}
	}
	return false
}

// announce does again what `git add -N` had done, and makes git see that the files are as in
// the index.
func (b *restorePlan) announce(ctx context.Context) error {
	var paths []string
	for path := range b.want.intent {
		if !b.have.intent[path] {
			paths = append(paths, ":(top,literal)"+path)
		}
	}
	if len(paths) > 0 {
		if _, err := b.repo.GitGlob(ctx, append([]string{"add", "-N", "-f", "--"}, paths...)...); err != nil {
			return err
		}
	}
	_, _ = b.repo.Git(ctx, nil, "update-index", "-q", "--refresh") // else git looks when it needs to know
	return nil
}
