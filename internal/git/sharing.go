package git

import (
	"context"
	"path/filepath"

	"example.com/ckpt/internal/disk"
)

// sharing returns what the files of the git directory grant to other users:
// core.sharedRepository. A configuration that cannot be read grants nothing.
func (r *Repo) sharing(ctx context.Context) disk.Sharing {
	value, _ := r.setting(ctx, "core.sharedrepository", "")
	return disk.ParseSharing(value)
}

// shared applies the sharing to a file before it gets to its place.
func (r *Repo) shared(s *disk.Staged, err error) (*disk.Staged, error) {
	if err == nil {
		err = s.Share(r.sharing(context.Background()))
	}
	return s, err
}

// ShareState applies the sharing to ckpt's own files in the git directory, so that
// other users can lock, write the journal and read what waits.
func (r *Repo) ShareState(ctx context.Context) {
	with := r.sharing(ctx)
	private := []string{r.configCache(), r.releaseCache()}
	with.ApplyBelow(filepath.Dir(r.lockFile()), private...)
	if r.gitDir != r.commonDir {
		with.ApplyBelow(r.JournalDir(), private...)
	}
}
