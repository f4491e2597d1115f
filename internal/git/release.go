package git

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// Oldest is the oldest git that ckpt works with.
const Oldest = "2.34"

// release is the version of a git binary. The zero value is an unknown one.
type release struct {
	name         string // "2.39.5 (Apple Git-154)"
	major, minor int
}

func parseRelease(out []byte) (v release) {
	v.name = strings.TrimPrefix(strings.TrimSpace(string(out)), "git version ")
	if _, err := fmt.Sscanf(v.name, "%d.%d", &v.major, &v.minor); err != nil {
		v.major, v.minor = 0, 0
	}
	return v
}

// before reports whether v is older than a release. An unknown one is not: whoever
// builds a git without a number has a new one.
func (v release) before(major, minor int) bool {
	return v.major > 0 && (v.major < major || v.major == major && v.minor < minor)
}

// check returns fault.Unsupported where v is too old for ckpt.
func (v release) check(path string) error {
	if !v.before(2, 34) {
		return nil
	}
	return fault.New(fault.Unsupported, "git %s is too old: ckpt needs git %s or newer", v.name, Oldest).
		WithHint("install a newer git, or put its folder first in PATH (this one is %s)", path)
}

// Version returns the version of the git binary in PATH; it runs git once.
func Version(ctx context.Context) (string, error) {
	v, err := askRelease(ctx)
	return v.name, err
}

func askRelease(ctx context.Context) (release, error) {
	out, err := output(exec.CommandContext(ctx, "git", "version"), nil)
	return parseRelease(out), err
}

// checkRelease is check for the git in PATH, without a repository.
func checkRelease(ctx context.Context) error {
	path, err := exec.LookPath("git")
	if err != nil {
		return noGit()
	}
	v, err := askRelease(ctx)
	if err != nil {
		return err
	}
	return v.check(path)
}

// releaseAge is how long the version of a git is believed: what is in PATH may be a
// script that starts one of several.
const releaseAge = 24 * time.Hour

// program is what is known of the git binary that a repository uses.
type program struct {
	lock    sync.Mutex // git is run by several goroutines
	release release    // zero until it is needed
}

// gitRelease returns the version of the git binary, fault.Unsupported for one that is
// too old. Asking git takes a process, about half of what a small commit takes, so the
// answer is kept in <gitdir>/ckpt/git beside what shows that the binary has changed.
func (r *Repo) gitRelease(ctx context.Context) (release, error) {
	r.program.lock.Lock()
	defer r.program.lock.Unlock()
	if r.program.release.name != "" {
		return r.program.release, nil
	}
	path, err := exec.LookPath("git")
	if err != nil {
		return release{}, noGit()
	}
	now, _ := state(path)
	known, stamp := r.releaseCache(), path+"\x00"+now+"\x00"
	if disk.ClaimedSince(known, releaseAge, time.Now()) {
		data, _ := disk.Bytes(known) // a file that cannot be read knows nothing
		if name, ok := strings.CutPrefix(string(data), stamp); ok {
			if v := parseRelease([]byte(name)); v.check(path) == nil {
				r.program.release = v
				return v, nil
			}
		}
	}
	v, err := askRelease(ctx)
	if err != nil {
		return release{}, err
	}
	if err := v.check(path); err != nil {
		return release{}, err
	}
	replaceCache(known, stamp+v.name)
	r.program.release = v
	return v, nil
}

func (r *Repo) releaseCache() string { return filepath.Join(r.gitDir, "ckpt", "git") }

// Version returns the version of the git binary that this repository uses.
func (r *Repo) Version(ctx context.Context) (string, error) {
	v, err := r.gitRelease(ctx)
	return v.name, err
}
