package git

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// format is what a repository's own config says about its shape. Git reads it
// from that file alone, without includes and without the user's config, before
// it reads anything else (see repositoryformatversion in git's documentation),
// so a small reader of ours is exact here, and costs no process.
type format struct {
	bare       bool
	worktree   string            // core.worktree
	extensions map[string]string // lower-case names: "objectformat": "sha256"
	promisor   bool              // a remote has objects that this repository may lack
}

func readFormat(commonDir, gitDir string) (format, error) {
	f := format{extensions: map[string]string{}}
	if err := f.read(filepath.Join(commonDir, "config")); err != nil {
		return f, err
	}
	if gitDir != commonDir {
		f.worktree = "" // the main working tree's, not this one's
	}
	if truth(f.extensions["worktreeconfig"]) {
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
		f.set(section, strings.ToLower(strings.TrimSpace(key)), plain(value))
	}
	return nil
}

func (f *format) set(section, key, value string) {
	switch {
	case key == "" || key[0] == '#' || key[0] == ';':
	case section == "extensions":
		f.extensions[key] = value
	case strings.HasPrefix(section, "remote ") && key == "promisor":
		f.promisor = f.promisor || truth(value)
	case section != "core":
	case key == "bare":
		f.bare = truth(value)
	case key == "worktree":
		f.worktree = value
	}
}

// plain is a config value without its quotes, escapes and trailing comment.
func plain(value string) string {
	var b strings.Builder
	quoted := false
	value = strings.TrimSpace(value)
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
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

// truth is a config value as git reads a boolean.
func truth(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// noName is the name of no object, as long as the repository's names are.
func (r *Repo) noName() string {
	if strings.EqualFold(r.format.extensions["objectformat"], "sha256") {
		return strings.Repeat("0", 64)
	}
	return strings.Repeat("0", 40)
}
