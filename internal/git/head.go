package git

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// Head is where the working tree stands.
type Head struct {
	Ref  string // "refs/heads/main"; "" when detached
	Hash string // the commit, in hex; "" on a branch without commits
}

// Branch is the short name of the branch; "" when detached.
func (h Head) Branch() string { return strings.TrimPrefix(h.Ref, "refs/heads/") }

// Head reads where the working tree stands.
func (r *Repo) Head() (Head, error) {
	if r.foreign() != "" {
		return r.headByGit(context.Background())
	}
	tip, err := r.tip()
	if err != nil {
		return Head{}, err
	}
	h := Head{Hash: tip.hash}
	if len(tip.chain) > 1 {
		h.Ref = tip.chain[len(tip.chain)-1]
	}
	return h, nil
}

// tip is HEAD followed to its end: "HEAD" and then the refs it goes through,
// one for a plain branch, more where a branch is a symbolic ref itself.
type tip struct {
	chain []string
	hash  string // "" where the last ref does not exist
}

func (t tip) equal(u tip) bool {
	return t.hash == u.hash && strings.Join(t.chain, " ") == strings.Join(u.chain, " ")
}

func (r *Repo) tip() (tip, error) {
	t := tip{chain: []string{"HEAD"}}
	for range 6 { // git gives up after five hops
		name := t.chain[len(t.chain)-1]
		value, err := r.readRef(name)
		if err != nil {
			return tip{}, err
		}
		to, symbolic := strings.CutPrefix(value, "ref:")
		if !symbolic {
			t.hash = value
			return t, nil
		}
		to = strings.TrimSpace(to)
		if !strings.HasPrefix(to, "refs/") || strings.Contains(to, "..") {
			return tip{}, fault.New(fault.Failed, "%s points at %q, which is no ref", name, to)
		}
		t.chain = append(t.chain, to)
	}
	return tip{}, fault.New(fault.Failed, "HEAD goes through too many symbolic refs")
}

// readRef is the value of one ref: a hash, "ref: NAME", or "" where there is none.
func (r *Repo) readRef(name string) (string, error) {
	path := r.refFile(name)
	if to, err := os.Readlink(path); err == nil && strings.HasPrefix(to, "refs/") {
		return "ref: " + to, nil // core.preferSymlinkRefs
	}
	data, err := disk.Bytes(path)
	if err != nil {
		if info, serr := os.Stat(path); errors.Is(err, fs.ErrNotExist) || serr == nil && info.IsDir() {
			return r.packedRef(name)
		}
		return "", fault.New(fault.Failed, "read ref %s: %w", name, err)
	}
	value := strings.TrimSpace(string(data))
	if !strings.HasPrefix(value, "ref:") && !isHash(value) {
		return "", fault.New(fault.Failed, "ref %s is broken: %q", name, value).WithHint("git fsck")
	}
	return value, nil
}

// packedRef looks name up in packed-refs; "" where it is not in there.
func (r *Repo) packedRef(name string) (string, error) {
	data, err := os.ReadFile(filepath.Join(r.commonDir, "packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fault.New(fault.Failed, "read ref %s: %w", name, err)
	}
	line := []byte(" " + name + "\n")
	for i := bytes.Index(data, line); i >= 0; {
		start := bytes.LastIndexByte(data[:i], '\n') + 1
		if value := string(data[start:i]); isHash(value) {
			return value, nil
		}
		next := bytes.Index(data[i+1:], line)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return "", nil
}

// refFile is where the loose form of a ref is. HEAD is the working tree's own;
// all that HEAD can point at is shared.
func (r *Repo) refFile(name string) string {
	return filepath.Join(r.refBase(name), filepath.FromSlash(name))
}

func (r *Repo) refBase(name string) string {
	for _, own := range [...]string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(name, own) {
			return r.gitDir
		}
	}
	if strings.HasPrefix(name, "refs/") {
		return r.commonDir
	}
	return r.gitDir
}

// isHash says whether s is an object's name in hex, SHA-1 or SHA-256.
func isHash(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}
