package snapshot

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/fault"
)

// List returns all snapshots of all working trees, the oldest first.
func (s Snapshots) List(ctx context.Context) ([]Snapshot, error) {
	return s.snapshotsBelow(ctx, snapshotRefs)
}

func (s Snapshots) snapshotsBelow(ctx context.Context, ref string) ([]Snapshot, error) {
	out, err := s.repo.Git(ctx, nil, "for-each-ref", "--sort=creatordate", "--format=%(refname)%00%(objectname)%00%(parent)%00%(committerdate:unix)%00%(subject)", ref)
	if err != nil {
		return nil, err
	}
	var all []Snapshot
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(f) < 5 {
			continue
		}
		seconds, _ := strconv.ParseInt(f[3], 10, 64) // git's own number
		all = append(all, Snapshot{Ref: f[0], commit: f[1], Head: f[2], At: time.Unix(seconds, 0).UTC(), About: strings.TrimPrefix(f[4], "ckpt snapshot: ")})
	}
	return all, nil
}

// Find returns the snapshot that a ref names, in full or from the worktree's name on.
func (sn Snapshots) Find(ctx context.Context, ref string) (Snapshot, error) {
	if !strings.HasPrefix(ref, "refs/") {
		ref = snapshotRefs + ref
	}
	if strings.HasPrefix(ref, snapshotRefs) {
		all, err := sn.snapshotsBelow(ctx, ref)
		if err != nil {
			return Snapshot{}, err
		}
		for _, s := range all {
			if s.Ref == ref {
				return s, nil
			}
		}
	}
	return Snapshot{}, fault.New(fault.NotFound, "no snapshot is called %q", ref).WithHint("git for-each-ref %s", snapshotRefs)
}

// Delete deletes a snapshot.
func (sn Snapshots) Delete(ctx context.Context, s Snapshot) error {
	return sn.repo.Refs().MoveByGit(ctx, s.Ref, "", s.commit)
}

// DropCommand returns the command that deletes a snapshot.
func (s Snapshot) DropCommand() string { return fmt.Sprintf("git update-ref -d %s", s.Ref) }
