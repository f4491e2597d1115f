package git

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// Open finds the repository that dir is in, by git's rules: GIT_DIR,
// GIT_WORK_TREE and GIT_COMMON_DIR first, else up from dir to a .git folder or a
// .git file (linked worktree, submodule). None: fault.NotFound. A bare one:
// fault.Unsupported. Another user's: fault.Refused, unless git works in it. It costs a
// few stats and one small read.
func Open(dir string) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fault.New(fault.Failed, "open repository: %w", err)
	}
	r := &Repo{signLimit: signLimit, program: &program{}}
	if env := os.Getenv("GIT_DIR"); env != "" {
		r.gitDir, r.root = absolute(env), dir
		if !isGitDir(r.gitDir) {
			if to, err := readGitFile(r.gitDir); err == nil {
				r.gitDir = to
			}
		}
	} else if r.root, r.gitDir, err = walkUp(dir); err != nil {
		return nil, err
	} else if err := r.checkOwner(); err != nil {
		return nil, err
	}
	if r.commonDir, err = commonDir(r.gitDir); err != nil {
		return nil, err
	}
	if r.format, err = readFormat(r.commonDir, r.gitDir); err != nil {
		return nil, err
	}
	switch tree := os.Getenv("GIT_WORK_TREE"); {
	case tree != "":
		r.root = absolute(tree)
	case r.format.worktree != "":
		r.root = from(r.gitDir, r.format.worktree)
	case r.format.bare && r.gitDir == r.commonDir:
		return nil, fault.New(fault.Unsupported, "%q is a bare repository: it has no files", r.gitDir)
	}
	if real, err := filepath.EvalSymlinks(r.root); err == nil {
		r.root = real
	}
	return r, nil
}

// walkUp is the first folder from dir upwards that has a .git.
func walkUp(dir string) (root, gitDir string, err error) {
	for at := dir; ; at = filepath.Dir(at) {
		dot := filepath.Join(at, ".git")
		info, err := os.Stat(dot)
		switch {
		case err == nil && info.IsDir() && isGitDir(dot):
			return at, dot, nil
		case err == nil && info.Mode().IsRegular():
			to, err := readGitFile(dot)
			return at, to, err
		case isGitDir(at):
			return "", "", fault.New(fault.Unsupported, "%q is a git folder: it has no files of its own", at)
		case filepath.Dir(at) == at:
			return "", "", fault.New(fault.NotFound, "%q is not in a git repository", dir).WithHint("ckpt init --git")
		}
	}
}

// isGitDir asks what git asks: a HEAD, and objects and refs, or where they are.
func isGitDir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	if _, err := os.Stat(filepath.Join(dir, "commondir")); err == nil {
		return true
	}
	_, err1 := os.Stat(filepath.Join(dir, "objects"))
	_, err2 := os.Stat(filepath.Join(dir, "refs"))
	return err1 == nil && err2 == nil
}

// readGitFile is the folder that a .git file names: "gitdir: PATH".
func readGitFile(path string) (string, error) {
	data, err := disk.Bytes(path)
	if err != nil {
		return "", fault.New(fault.Failed, "open repository: %w", err)
	}
	to, ok := bytes.CutPrefix(data, []byte("gitdir:"))
	if !ok {
		return "", fault.New(fault.Failed, "%q does not say where the repository is", path)
	}
	gitDir := from(filepath.Dir(path), strings.TrimSpace(string(to)))
	if !isGitDir(gitDir) {
		return "", fault.New(fault.NotFound, "%q points at %q, which is no repository", path, gitDir).WithHint("git worktree repair")
	}
	return gitDir, nil
}

// commonDir is where the objects and refs of gitDir are.
func commonDir(gitDir string) (string, error) {
	if env := os.Getenv("GIT_COMMON_DIR"); env != "" {
		return absolute(env), nil
	}
	data, err := disk.Bytes(filepath.Join(gitDir, "commondir"))
	if errors.Is(err, fs.ErrNotExist) {
		if !isGitDir(gitDir) {
			return "", fault.New(fault.NotFound, "%q is not a git repository", gitDir).WithHint("ckpt init --git")
		}
		return gitDir, nil
	}
	if err != nil {
		return "", fault.New(fault.Failed, "open repository: %w", err)
	}
	return from(gitDir, strings.TrimSpace(string(data))), nil
}

// absolute is path seen from the process's folder, as git sees its variables.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// from is path seen from dir.
func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
