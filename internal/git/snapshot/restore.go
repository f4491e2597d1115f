package snapshot

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
)

// Restored is what [Snapshots.Restore] did.
type Restored struct {
	Saved   Snapshot // what was there before
	Written int      // files that were written
	Removed int      // files that had appeared since
	Staged  int      // entries of the index that changed
}

// Restore makes working tree and index what they were at a snapshot. The folder exclude stays
// as it is, as do HEAD and every file that git ignores now or ignored then. The present state
// is saved as a snapshot of its own before the first file is touched, and only what that one
// contains is overwritten or removed. What cannot be done exactly is refused
// (fault.Unsupported), and nothing has changed then. A failure half way is rolled back; after a
// death half way [Snapshots.Interrupted] names the snapshots.
func (s Snapshots) Restore(ctx context.Context, to Snapshot, exclude string, now time.Time) (Restored, error) {
	var done Restored
	want, err := s.contents(ctx, to)
	if err != nil {
		return done, err
	}
	done.Saved, err = s.take(ctx, exclude, "before "+to.Ref+" was brought back", want, now)
	if err != nil {
		return done, err
	}
	have, err := s.contents(ctx, done.Saved)
	if err != nil {
		return done, err
	}
	b := &restorePlan{repo: s.repo, have: have, want: want}
	if err := b.plan(); err != nil {
		_ = s.Delete(ctx, done.Saved) // nothing is about to change
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

// rollback undoes a restoration that failed half way.
func (sn Snapshots) rollback(ctx context.Context, saved Snapshot, exclude string, now time.Time, failed error) error {
	ctx = context.WithoutCancel(ctx)
	lost := fault.New(fault.KindOf(failed), "%w; the files are half brought back, and as they were in %s", failed, saved.Ref).
		WithHint("ckpt rewind --snapshot %s", saved.Ref)
	half, err := sn.take(ctx, exclude, "a bringing back that failed", contents{}, now)
	if err != nil {
		return lost
	}
	b := &restorePlan{repo: sn.repo}
	if b.have, err = sn.contents(ctx, half); err != nil {
		return lost
	}
	if b.want, err = sn.contents(ctx, saved); err != nil {
		return lost
	}
	if b.plan() != nil || b.do(ctx) != nil {
		return lost
	}
	for _, s := range []Snapshot{half, saved} {
		_ = sn.Delete(ctx, s) // all that they hold is there
	}
	_ = disk.Remove(sn.markerFile())
	return failed
}

// HeadMoved reports whether HEAD has other files, outside the folder exclude, than it had at a
// snapshot.
func (sn Snapshots) HeadMoved(ctx context.Context, s Snapshot, exclude string) (bool, error) {
	head, err := sn.repo.Head()
	if err != nil || s.Head == head.Hash || s.Head == "" {
		return false, err
	}
	_, err = sn.repo.GitGlob(ctx, "diff-tree", "-r", "--quiet", s.Head, head.Hash, "--", ".", ":(top,exclude,literal)"+exclude)
	if git.ExitCode(err) == 1 {
		return true, nil
	}
	return false, err
}

func (s Snapshots) markerFile() string { return filepath.Join(s.repo.JournalDir(), "bringing-back") }

// Interrupted returns the snapshot that was being restored when ckpt died, and the one with
// what was there before; "" if nothing is half done.
func (s Snapshots) Interrupted() (to, saved string) {
	src, err := disk.ReadFile(s.markerFile())
	if err != nil {
		return "", ""
	}
	to, saved, _ = strings.Cut(strings.TrimSpace(string(src)), "\n")
	return to, saved
}

// contents is what a snapshot contains, by path.
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
