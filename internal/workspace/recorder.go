package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/secrets"
)

// The sessions of agents are recorded in the git folder of the worktree, in a log for each
// session, so that a session knows of the work of one that died. The logs are never
// committed and never sent.

// aSecret replaces a secret in the record of a session and in texts from git's history.
const ASecret = "[secret]"

const (
	sessionsKept = 20
	sessionLimit = 28 << 10 // bytes; with the older file a log has at most 64 KB
)

// recordedEvents are the events that are recorded.
var recordedEvents = []protocol.Event{protocol.SessionStart, protocol.Prompt, protocol.Tool, protocol.Stop, protocol.SessionEnd}

// recordEvent adds an event to the record of its session. Of a subagent it records the
// tool calls only, for the session that started it.
func (p *Workspace) RecordEvent(ctx context.Context, call protocol.Call) error {
	if call.Session == "" || !slices.Contains(recordedEvents, call.Event) || (call.Inner || p.Subagent) && call.Event != protocol.Tool {
		return nil
	}
	e := record.Entry{At: p.Now(), Agent: call.Agent, Session: call.Session, Event: string(call.Event)}
	if call.Event == protocol.Tool && !p.describeTool(&e, call) {
		return nil
	}
	return p.appendEntry(ctx, e)
}

// describeTool fills in what a tool did. It reports false for calls of ckpt, which are
// not recorded as work.
func (p *Workspace) describeTool(e *record.Entry, call protocol.Call) bool {
	use := call.Tool
	if strings.Contains(use.Name, "ckpt") || use.Command != "" && record.OnlyCkpt(use.Command) {
		return false
	}
	scanner := &secrets.Scanner{}
	hide := func(s string) string { return scanner.Replace(s, ASecret) }
	e.Tool, e.Exit = use.Name, use.Exit
	if use.Command != "" {
		e.Command = record.CommandLine(use.Command, hide)
	}
	for _, file := range use.Files {
		if rel, ok := p.inWorktree(call.Dir, file); ok {
			e.Files = append(e.Files, hide(rel))
		}
	}
	return true
}

// inWorktree returns a file that an agent named as a slash path from the worktree's root.
// It reports whether the file is there, and neither a checkpoint nor git's own.
func (p *Workspace) inWorktree(dir, file string) (string, bool) {
	root := p.Repo.Root()
	file = filepath.FromSlash(file)
	if !filepath.IsAbs(file) {
		if !filepath.IsAbs(dir) {
			dir = root
		}
		file = filepath.Join(dir, file)
	}
	rel, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(rel) { // the agent may know the worktree by another path
		folder, err := filepath.EvalSymlinks(filepath.Dir(file))
		if err != nil {
			return "", false
		}
		if rel, err = filepath.Rel(root, filepath.Join(folder, filepath.Base(file))); err != nil || !filepath.IsLocal(rel) {
			return "", false
		}
	}
	rel = filepath.ToSlash(rel)
	first, _, _ := strings.Cut(rel, "/")
	return rel, rel != "." && first != ".git" && !strings.HasPrefix(rel, p.Prefix+"/")
}

// appendEntry adds an entry to the record of its session, unless the recorder is off.
func (p *Workspace) appendEntry(ctx context.Context, e record.Entry) error {
	if on, err := p.RecorderOn(ctx); !on || err != nil {
		return err
	}
	first, err := disk.AppendRotated(p.sessionFile(e.Session), record.Encode(e), sessionLimit)
	if err != nil || !first {
		return err
	}
	p.Repo.ShareState(ctx) // others who share the repository have sessions, too
	all, err := disk.ListRotated(p.sessionsDir())
	if err != nil || len(all) <= sessionsKept {
		return err
	}
	for _, old := range all[sessionsKept:] {
		_ = old.Remove() // another hook may have removed it
	}
	return nil
}

// recorderOn reports whether sessions are recorded: neither git's configuration nor
// config.yaml turns the recorder off.
func (p *Workspace) RecorderOn(ctx context.Context) (bool, error) {
	switch value, _, err := p.Repo.Config().Get(ctx, "ckpt.recorder"); {
	case err != nil:
		return false, err
	case slices.Contains([]string{"off", "false", "no", "0"}, strings.ToLower(value)):
		return false, nil
	case value != "" && !slices.Contains([]string{"on", "true", "yes", "1"}, strings.ToLower(value)):
		return false, fault.New(fault.Invalid, "invalid git config ckpt.recorder %q (want on or off)", value).WithHint("git config ckpt.recorder off")
	}
	policy, err := p.Store.Config()
	return !policy.NoRecorder, err
}

// recorderState describes where sessions are recorded and how much space the logs take,
// or why there is no record.
func (p *Workspace) RecorderState(ctx context.Context) string {
	on, err := p.RecorderOn(ctx)
	logs, lerr := disk.ListRotated(p.sessionsDir())
	if err = errors.Join(err, lerr); err != nil {
		return "not recorded: " + err.Error()
	}
	size := int64(0)
	for _, log := range logs {
		size += log.Size
	}
	where := filepath.ToSlash(p.sessionsDir())
	if rel, err := filepath.Rel(p.Repo.Root(), p.sessionsDir()); err == nil && filepath.IsLocal(rel) {
		where = filepath.ToSlash(rel)
	}
	state := fmt.Sprintf("%d recorded in %s, %d KB (ckpt log --session", len(logs), where, (size+1023)/1024)
	if !on {
		return state + "); the recorder is off"
	}
	return state + "; off: git config ckpt.recorder off)"
}

func (p *Workspace) sessionsDir() string { return filepath.Join(p.Repo.JournalDir(), "sessions") }

// sessionFile returns the path of a session's log. An id may have any characters.
func (p *Workspace) sessionFile(session string) string {
	sum := sha256.Sum256([]byte(session))
	return filepath.Join(p.sessionsDir(), hex.EncodeToString(sum[:8]))
}

// sessionEntries returns the entries of all sessions of this worktree that were active
// after a time, those of each session in their order. It skips logs that cannot be read.
func (p *Workspace) SessionEntries(after time.Time) []record.Entry {
	logs, _ := disk.ListRotated(p.sessionsDir())
	var all []record.Entry
	for _, log := range logs {
		if log.Last.Before(after) {
			break // they are sorted
		}
		src, err := log.Read()
		if err == nil {
			all = append(all, record.Parse(src)...)
		}
	}
	return all
}

// recordOperation adds an operation on a checkpoint to the record of the session: a delta,
// for example, describes what the session did before it.
func (p *Workspace) RecordOperation(ctx context.Context, op, id string, at time.Time) {
	if p.Session != "" && id != "" {
		_ = p.appendEntry(ctx, record.Entry{At: at, Agent: p.Agent, Session: p.Session, Event: record.Operation, Tool: op, Checkpoint: id}) // the operation itself is done
	}
}
