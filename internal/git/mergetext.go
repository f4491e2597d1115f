package git

import (
	"context"
	"os"
	"path/filepath"

	"example.com/ckpt/internal/core/fault"
)

// MergeText unites two versions of a text, line by line, that began as base, as git
// does for a file. Where both changed the same lines theirs stand, and clash says so.
func (r *Repo) MergeText(ctx context.Context, base, ours, theirs []byte) (merged []byte, clash bool, err error) {
	dir, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return nil, false, fault.New(fault.Failed, "merge: %w", err)
	}
	defer os.RemoveAll(dir)
	var files []string
	for name, src := range map[string][]byte{"1ours": ours, "2base": base, "3theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), src, 0o600); err != nil {
			return nil, false, fault.New(fault.Failed, "merge: %w", err)
		}
	}
	for _, name := range []string{"1ours", "2base", "3theirs"} {
		files = append(files, filepath.Join(dir, name))
	}
	merged, err = r.git(ctx, nil, append([]string{"merge-file", "-p"}, files...)...)
	if code := exitCode(err); code > 0 && code < 128 { // so many clashes
		clash = true
		merged, err = r.git(ctx, nil, append([]string{"merge-file", "-p", "--theirs"}, files...)...)
	}
	if merged == nil && err == nil {
		merged = []byte{}
	}
	return merged, clash, err
}
