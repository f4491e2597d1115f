package git

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// BranchFiles returns the files and folders of which one changes whenever a branch, or what
// a worktree has checked out, does. Git replaces files, which changes their folders.
func (b Branches) Files() []string {
	files := []string{
		filepath.Join(b.repo.gitDir, "HEAD"), filepath.Join(b.repo.gitDir, "reftable", "tables.list"),
		filepath.Join(b.repo.commonDir, "HEAD"), filepath.Join(b.repo.commonDir, "reftable", "tables.list"),
		filepath.Join(b.repo.commonDir, "packed-refs"), filepath.Join(b.repo.commonDir, "worktrees"),
	}
	for _, refs := range [...]string{"heads", "remotes"} {
		_ = filepath.WalkDir(filepath.Join(b.repo.commonDir, "refs", refs), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				files = append(files, path)
			}
			return nil
		})
	}
	linked, _ := os.ReadDir(filepath.Join(b.repo.commonDir, "worktrees"))
	for _, w := range linked {
		files = append(files, filepath.Join(b.repo.commonDir, "worktrees", w.Name(), "HEAD"))
	}
	return files
}

// StateOf returns what shows that one of these files has changed. It is not settled where
// one changed so shortly before now that another change might not show.
func StateOf(files []string, now time.Time) (of string, settled bool) {
	settled = true
	var b strings.Builder
	for _, file := range files {
		is, changed := state(file)
		b.WriteString(is + "\n")
		settled = settled && now.Sub(changed) >= 2*time.Second
	}
	return b.String(), settled
}
