package snapshot

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
)

// Restored is what [Snapshots.Restore] did.
type Restored struct {
	Saved   Snapshot // a snapshot of the state before
	Written int      // the number of files that were written
	Removed int      // the number of files removed because they had appeared since
	Staged  int      // the number of index entries that changed
}

// Restore restores the working tree and the index from a snapshot. It does not change the folder
// exclude, HEAD, or files that git ignores now or ignored then. Before the first change it saves
// the present state as another snapshot, and it only overwrites or removes what that contains. If
// it cannot restore the state exactly, it returns fault.Unsupported and changes nothing. A failure
// half way is rolled back; if the process is killed half way, [Snapshots.Interrupted] returns the
// snapshots.
func (s Snapshots) Restore(ctx context.Context, to Snapshot, exclude string, now time.Time) (Restored, error) {
	var done Restored
	want, err := s.contents(ctx, to)
	if err != nil {
		return done, err
	}
	done.Saved, err = s.take(ctx, exclude, "before "+to.Ref+" was restored", want, now)
	if err != nil {
		return done, err
	}
	have, err := s.contents(ctx, done.Saved)
	if err != nil {
		return done, err
	}
	b := &restorePlan{repo: s.repo, have: have, want: want}
	if err := b.plan(); err != nil {
		_ = s.Delete(ctx, done.Saved) // nothing was changed, so it is not needed
		return done, err
	}
	if err := disk.WriteFile(s.markerFile(), []byte(to.Ref+"\n"+done.Saved.Ref+"\n"), false); err != nil {
		return done, err
	}
	if err := b.do(ctx); err != nil {
		return done, s.rollback(ctx, done.Saved, exclude, now, err)
	}
	done.Written, done.Removed, done.Staged = len(b.write), len(b.remove), b.staged
	return done, disk.Remove(s.markerFile())
}

// rollback undoes a restore that failed half way.
func (sn Snapshots) rollback(ctx context.Context, saved Snapshot, exclude string, now time.Time, failed error) error {
	ctx = context.WithoutCancel(ctx)
	lost := fault.New(fault.KindOf(failed), "%w; the files are partly restored; they were as in %s", failed,
		saved.Ref).
		WithHint("ckpt rewind --snapshot %s", saved.Ref)
	half, err := sn.take(ctx, exclude, "a bringing back that failed", contents{}, now)
	if err != nil {
		return lost
	}
	b := &restorePlan{repo: sn.repo}
	b.have, err = sn.contents(ctx, half)
	if err != nil {
		return lost
	}
	b.want, err = sn.contents(ctx, saved)
	if err != nil {
		return lost
	}
	if b.plan() != nil || b.do(ctx) != nil {
		return lost
	}
	for _, s := range []Snapshot{half, saved} {
		_ = sn.Delete(ctx, s) // all of their content is in the working tree again
	}
	_ = disk.Remove(sn.markerFile())
	return failed
}

// HeadMoved reports whether the files at HEAD differ from those at the HEAD of a snapshot, outside
// the folder exclude.
func (sn Snapshots) HeadMoved(ctx context.Context, s Snapshot, exclude string) (bool, error) {
	head, err := sn.repo.Head()
	if err != nil || s.Head == head.Hash || s.Head == "" {
		return false, err
	}
	_, err = sn.repo.GitGlob(ctx, "diff-tree", "-r", "--quiet", s.Head, head.Hash, "--", ".",
		":(top,exclude,literal)"+exclude)
	if git.ExitCode(err) == 1 {
		return true, nil
	}
	return false, err
}

func (s Snapshots) markerFile() string { return filepath.Join(s.repo.JournalDir(), "bringing-back") }

// Interrupted returns the snapshot whose restore was interrupted when ckpt was killed, and the one
// with the state before; "" if no restore was interrupted.
func (s Snapshots) Interrupted() (to, saved string) {
	src, err := disk.ReadFile(s.markerFile())
	if err != nil {
		return "", ""
	}
	to, saved, _ = strings.Cut(strings.TrimSpace(string(src)), "\n")
	return to, saved
}

// contents has the contents of a snapshot, by path.
type contents struct {
	commit             string
	work, index, bytes map[string]git.Entry
	intent             map[string]bool
}

func (sn Snapshots) contents(ctx context.Context, s Snapshot) (contents, error) {
	c := contents{commit: s.commit, intent: map[string]bool{}}
	for _, part := range []struct {
		name string
		to   *map[string]git.Entry
	}{{"work", &c.work}, {"index", &c.index}, {"bytes", &c.bytes}} {
		out, err := sn.repo.Git(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", s.commit+":"+part.name)
		if err != nil {
			return c, err
		}
		*part.to = git.ParseEntries(out)
	}
	out, err := sn.repo.Git(ctx, nil, "cat-file", "blob", s.commit+":intent")
	for path := range strings.SplitSeq(string(out), "\x00") {
		if path != "" {
			c.intent[path] = true
		}
	}
	return c, err
}

// restorePlan describes how to get from one snapshot, the present one, to another.
type restorePlan struct {
	repo       *git.Repo
	have, want contents

	write, remove []string // sorted paths of files
	staged        int
}

// plan determines what to write and what to remove. It refuses to lose anything that no snapshot
// contains.
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
			return fault.New(fault.Unsupported, "the submodule %q was at another commit: its files cannot be restored",
				path).
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

// inTheWay returns a file in no snapshot that would have to be removed before path can be written;
// "" for none.
func (s Snapshots) inTheWay(path string, saved map[string]git.Entry) string {
	parts := strings.Split(path, "/")
	for n := 1; n <= len(parts); n++ {
		at := strings.Join(parts[:n], "/")
		info, err := os.Lstat(filepath.Join(s.repo.Root(), filepath.FromSlash(at)))
		if err != nil {
			return "" // nothing is at the path or below it
		}
		if _, have := saved[at]; !info.IsDir() {
			if have {
				return ""
			}
			return at
		}
	}
	other := ""
	_ = filepath.WalkDir(filepath.Join(s.repo.Root(), filepath.FromSlash(path)),
		func(file string, d os.DirEntry, err error) error {
			rel, relErr := filepath.Rel(s.repo.Root(), file)
			rel = filepath.ToSlash(rel)
			if err != nil || relErr != nil {
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

// do changes the index and then the files: if git has locked the index, it fails before any change.
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

// stage changes single entries of the index, so that git keeps the stat data of the other files.
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
		if b.have.index[path] != e || written[path] { // writing a file makes its stat data in the index invalid
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

// spareIgnored drops the files that git ignored at the time of the snapshot from the list of files
// to remove: a snapshot does not record ignored files, so they may have existed then. The
// .gitignore files of that time decide, and are written first. A file that was added by force since
// then is in the index now.
func (b *restorePlan) spareIgnored(ctx context.Context) error {
	isRules := func(path string) bool { return path == ".gitignore" || strings.HasSuffix(path, "/.gitignore") }
	rules, _ := parted(b.write, isRules)
	gone, rest := parted(b.remove, isRules)
	if len(rest) == 0 {
		return nil
	}
	for _, path := range rest {
		if slices.ContainsFunc(rules, func(rule string) bool { return strings.HasPrefix(rule, path+"/") }) {
			gone = append(gone, path) // a file is where their folder was
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
	if err != nil && git.ExitCode(err) != 1 { // exit code 1: no path is ignored
		return err
	}
	ignored := strings.Split(string(out), "\x00")
	b.remove = slices.DeleteFunc(b.remove, func(path string) bool {
		return slices.Contains(ignored, path) && !b.want.hasFileAbove(path) && b.want.index[path].Hash == "" &&
			!b.want.intent[path]
	})
	return nil
}

// hasFileAbove reports whether the snapshot has a file at the path of a folder above path.
func (c contents) hasFileAbove(path string) bool {
	for i, sign := range path {
		if _, have := c.work[path[:i]]; sign == '/' && have {
			return true
		}
	}
	return false
}

// announce repeats the `git add -N` of a snapshot, and lets git notice that the files match the
// index.
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
	_, _ = b.repo.Git(ctx, nil, "update-index", "-q", "--refresh") // if this fails, git compares the files later
	return nil
}
