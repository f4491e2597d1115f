package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/disk"
)

// claims are empty files in the git folder of the worktree. Each records something that a session was told.
// They are never committed. If a claim is lost, a reminder may be repeated.
type claims struct {
	dir string
	now func() time.Time
}

// claimsKept is how long claims are kept.
const claimsKept = 30 * 24 * time.Hour

// first makes a claim of a kind for a session, unless the session made such a claim within the given
// time before. It reports whether it made the claim.
func (c claims) first(call protocol.Call, kind string, within time.Duration) (bool, error) {
	now := c.now()
	first, err := disk.Claim(c.file(call, kind), within, now)
	if first {
		disk.Expire(c.dir, claimsKept, now)
	}
	return first, err
}

// has reports whether a session made a claim within the given time before now.
func (c claims) has(call protocol.Call, kind string, within time.Duration) bool {
	return disk.ClaimedSince(c.file(call, kind), within, c.now())
}

// drop removes a claim.
func (c claims) drop(call protocol.Call, kind string) error { return disk.Remove(c.file(call, kind)) }

// file returns the file of a claim. Its name is a hash, because the id of a session may have any characters.
func (c claims) file(call protocol.Call, kind string) string {
	sum := sha256.Sum256([]byte(kind + " " + call.Session))
	return filepath.Join(c.dir, hex.EncodeToString(sum[:8]))
}

// Errors is the file with the last errors of hooks. An error does not fail the agent that called the hook,
// so `ckpt doctor` reports the errors.
type Errors struct {
	File string
	now  func() time.Time
}

// errorsKept is how many errors are kept.
const errorsKept = 20

// Add adds an error. An error that equals the last one replaces it, with the new time.
func (e Errors) Add(call protocol.Call, failure error) {
	what := " " + call.Agent + " " + string(call.Event) + ": " + strings.Join(strings.Fields(failure.Error()), " ")
	lines := e.Lines()
	if n := len(lines); n > 0 && strings.HasSuffix(lines[n-1], what) {
		lines = lines[:n-1]
	}
	lines = append(lines, e.now().UTC().Format(time.RFC3339)+what)
	lines = lines[max(0, len(lines)-errorsKept):]
	_ = disk.WriteFile(e.File, []byte(strings.Join(lines, "\n")+"\n"), false) // this file is where errors are reported
}

// Lines returns the errors, the newest last.
func (e Errors) Lines() []string {
	src, err := disk.ReadFile(e.File)
	if err != nil || len(src) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(src)), "\n")
}
