package git

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/refs"
)

// Open opens the repository that dir is in. Like git, it uses GIT_DIR, GIT_WORK_TREE and GIT_COMMON_DIR if they are
// set, and else searches from dir upwards for a .git folder, or for the .git file of a linked worktree or submodule.
// The error is fault.NotFound outside a repository, fault.Unsupported in a bare one, and fault.Refused in one that
// belongs to another user and git does not trust it. Usually Open starts no process.
func Open(dir string) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fault.New(fault.Failed, "open repository: %w", err)
	}
	r := &Repo{program: &program{}, Counts: &Counts{}}
	if env := os.Getenv("GIT_DIR"); env != "" {
		r.gitDir, r.root = absolute(env), dir
		if !isGitDir(r.gitDir) {
			if to, err := readGitFile(r.gitDir); err == nil {
				r.gitDir = to
			}
		}
	} else {
		r.root, r.gitDir, err = walkUp(dir)
		if err != nil {
			return nil, err
		} else if err := checkOwner(r); err != nil {
			return nil, err
		}
	}
	r.commonDir, err = commonDir(r.gitDir)
	if err != nil {
		return nil, err
	}
	r.format, err = readFormat(r.commonDir, r.gitDir)
	if err == nil {
		err = r.format.checkKnown()
	}
	if err != nil {
		return nil, err
	}
	tree := os.Getenv("GIT_WORK_TREE")
	switch {
	case tree != "":
		r.root = absolute(tree)
	case r.format.worktree != "":
		r.root = disk.From(r.gitDir, r.format.worktree)
	case r.format.bare && r.gitDir == r.commonDir:
		return nil, noFiles(r.gitDir)
	default: // the git folder is not a working tree, although a hook of a push runs in it
		if in, err := filepath.Rel(r.gitDir, r.root); err == nil && filepath.IsLocal(in) {
			return nil, noFiles(r.gitDir)
		}
	}
	if real, err := filepath.EvalSymlinks(r.root); err == nil {
		r.root = real
	}
	r.refs, r.objects = refs.Open(r.gitDir, r.commonDir, r.Sharing), openObjects(r)
	return r, nil
}

// walkUp returns the first folder from dir upwards that has a .git, and its git folder. It stops below a ceiling.
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
			return "", "", noFiles(at)
		case filepath.Dir(at) == at || isCeiling(filepath.Dir(at)):
			return "", "", fault.New(fault.NotFound, "%q is not in a git repository", dir).WithHint("ckpt init --git")
		}
	}
}

// isCeiling reports whether dir is one of GIT_CEILING_DIRECTORIES, in which git does not search for a repository.
func isCeiling(dir string) bool {
	return slices.ContainsFunc(filepath.SplitList(os.Getenv("GIT_CEILING_DIRECTORIES")), func(c string) bool {
		return filepath.IsAbs(c) && disk.Real(c) == disk.Real(dir)
	})
}

func noFiles(gitDir string) error {
	return fault.New(fault.Unsupported, "%q is a git folder: it has no files of its own", gitDir).
		WithHint("ckpt -C DIR in a working tree (git worktree list; git worktree add DIR makes one)")
}

// isGitDir reports whether git would accept dir as a git folder. It has a HEAD, and either the folders objects and refs
// or the file commondir, which names the folder with them.
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

// readGitFile returns the folder that a .git file names: "gitdir: PATH".
func readGitFile(path string) (string, error) {
	data, err := disk.Bytes(path)
	if err != nil {
		return "", fault.New(fault.Failed, "open repository: %w", err)
	}
	to, ok := bytes.CutPrefix(data, []byte("gitdir:"))
	if !ok {
		return "", fault.New(fault.Failed, "%q does not name the repository", path)
	}
	gitDir := disk.From(filepath.Dir(path), strings.TrimSpace(string(to)))
	if !isGitDir(gitDir) {
		return "", fault.New(fault.NotFound, "%q points to %q, which is not a repository", path, gitDir).
			WithHint("git worktree repair")
	}
	return gitDir, nil
}

// commonDir returns the folder with the objects and refs of gitDir.
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
	return disk.From(gitDir, strings.TrimSpace(string(data))), nil
}

// absolute returns an absolute path. A relative one starts in the process's folder, as in git's variables.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// format is the part of a repository's own config that describes its format. Git reads it from that
// file alone, without includes and without the user's config, before it reads anything else (see
// repositoryformatversion in git's documentation). So a small parser is exact here, and no process
// is needed.
type format struct {
	version    string // core.repositoryFormatVersion; "" is 0
	bare       bool
	worktree   string            // core.worktree
	extensions map[string]string // extensions.*, by name in lower case: "objectformat": "sha256"
	promisor   bool              // a remote has objects that this repository may lack
}

func readFormat(commonDir, gitDir string) (format, error) {
	f := format{extensions: map[string]string{}}
	if err := f.read(filepath.Join(commonDir, "config")); err != nil {
		return f, err
	}
	if gitDir != commonDir {
		f.worktree = "" // the setting is for the main working tree, and this is a linked one
	}
	if IsTrue(f.extensions["worktreeconfig"]) {
		return f, f.read(filepath.Join(gitDir, "config.worktree"))
	}
	return f, nil
}

func (f *format) read(path string) error {
	data, err := disk.Bytes(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fault.New(fault.Failed, "open repository: %w", err)
	}
	section := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			end := strings.IndexByte(line, ']')
			if end < 0 {
				continue
			}
			section = strings.ToLower(line[1:end])
			line = strings.TrimSpace(line[end+1:])
		}
		key, value, hasValue := strings.Cut(line, "=")
		if !hasValue {
			value = "true"
		}
		key, value = strings.ToLower(strings.TrimSpace(key)), plain(value)
		switch {
		case key == "" || key[0] == '#' || key[0] == ';':
		case section == "extensions":
			f.extensions[key] = value
		case strings.HasPrefix(section, "remote ") && key == "promisor":
			f.promisor = f.promisor || IsTrue(value)
		case section != "core":
		case key == "repositoryformatversion":
			f.version = value
		case key == "bare":
			f.bare = IsTrue(value)
		case key == "worktree":
			f.worktree = value
		}
	}
	return nil
}

// plain returns a config value without its quotes, escapes and trailing comment.
func plain(value string) string {
	var b strings.Builder
	quoted := false
	value = strings.TrimSpace(value)
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(value):
			i++
			b.WriteByte(value[i])
		case !quoted && (c == '#' || c == ';'):
			return strings.TrimSpace(b.String())
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// IsTrue reports whether git reads a config value as true.
func IsTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// checkKnown refuses a repository with an extension that ckpt does not know, as git does: such an extension may change
// anything. Version 0 has no extensions.
func (f format) checkKnown() error {
	if f.version == "" || f.version == "0" {
		return nil
	}
	known := []string{"noop", "noop-v1", "preciousobjects", "partialclone", "worktreeconfig", "relativeworktrees",
		"submodulepathconfig", "objectformat", "refstorage"}
	for name := range f.extensions {
		if !slices.Contains(known, name) {
			return fault.New(fault.Unsupported, "the repository uses the extension %q, which ckpt does not know", name)
		}
	}
	return nil
}

// checkOwner refuses a repository of another user that git does not trust: its configuration and hooks could run
// programs. If the user owns the repository's folders, git is not asked; otherwise git decides (safe.directory). The
// caller does not check a repository that GIT_DIR gives.
func checkOwner(r *Repo) error {
	if os.Getenv("GIT_TEST_ASSUME_DIFFERENT_OWNER") == "" &&
		!slices.ContainsFunc([]string{filepath.Join(r.root, ".git"), r.root, r.gitDir}, notMine) {
		return nil
	}
	cmd := exec.Command("git", "rev-parse", "--git-dir")
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "LC_ALL=C", "LANGUAGE=C")
	_, err := Output(cmd, nil)
	if ExitCode(err) != 128 || !strings.Contains(err.Error(), "safe.directory") {
		return nil // git accepts the repository, or has another error that its first real call will report
	}
	words, way, _ := strings.Cut(err.Error(), "\n")
	for line := range strings.Lines(way) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "git config ") {
			return fault.New(fault.Refused, "%s", words).WithHint("%s", line)
		}
	}
	return fault.New(fault.Refused, "%s", words).WithHint("git status")
}
