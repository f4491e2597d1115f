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

// What hooks remember lies in the git folder, a working tree's own: which session
// was told what, as empty files, and the last errors. Nothing of it is committed,
// and losing it costs a repeated reminder.

// claimsKept is how long what a session was told is remembered.
const claimsKept = 30 * 24 * time.Hour

// errorsKept bounds the file of errors.
const errorsKept = 20

func (p *Handler) hooksDir() string { return filepath.Join(p.Repo.JournalDir(), "hooks") }

// hookFile is the file of a claim; a session's id is whatever an agent says.
func (p *Handler) hookFile(claim string) string {
	sum := sha256.Sum256([]byte(claim))
	return filepath.Join(p.hooksDir(), hex.EncodeToString(sum[:8]))
}

func (p *Handler) StoredHookErrors() string { return filepath.Join(p.Repo.JournalDir(), "hook-errors") }

// claim says whether a session has not been told this kind of thing for that long.
func (p *Handler) claim(call protocol.Call, kind string, within time.Duration) (bool, error) {
	now := p.Now()
	first, err := disk.Claim(p.claimFile(call, kind), within, now)
	if first {
		disk.Expire(p.hooksDir(), claimsKept, now)
	}
	return first, err
}

func (p *Handler) claimFile(call protocol.Call, kind string) string {
	return p.hookFile(kind + " " + call.Session)
}

// HookFailed keeps what went wrong in a hook where doctor shows it: the agent that
// called must not stumble over it.
func (p *Handler) HookFailed(call protocol.Call, failure error) {
	what := " " + call.Agent + " " + string(call.Event) + ": " + strings.Join(strings.Fields(failure.Error()), " ")
	lines := p.HookErrors()
	if n := len(lines); n > 0 && strings.HasSuffix(lines[n-1], what) { // once more the same: others stay
		lines = lines[:n-1]
	}
	lines = append(lines, p.Now().UTC().Format(time.RFC3339)+what)
	lines = lines[max(0, len(lines)-errorsKept):]
	_ = disk.WriteFile(p.StoredHookErrors(), []byte(strings.Join(lines, "\n")+"\n"), false) // nobody is left to tell
}

// HookErrors are the last errors of hooks, the newest last.
func (p *Handler) HookErrors() []string {
	src, err := disk.ReadFile(p.StoredHookErrors())
	if err != nil || len(src) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(src)), "\n")
}
