// Package recorder records the sessions of agents in the git folder of the worktree, in a log for each session. From
// the logs, a session learns of the work of a session that died. The logs are never committed and never sent.
package recorder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/secrets"
)

// Recorder writes and reads the records of the sessions of one worktree.
type Recorder struct {
	Repo     *git.Repo
	Prefix   string // the checkpoints folder; changes to its files are not recorded as work
	Agent    string // the agent at work, if known
	Session  string // its session, if known
	Subagent bool   // the caller is a subagent
	Pinned   string // the checkpoint that CKPT_ID names, without chk-
	Now      func() time.Time
	Config   func() (policy.Config, error)
}

const (
	work         = "sessions" // the folder for what sessions did
	sessionsKept = 20
	sessionLimit = 28 << 10 // in bytes; a log and the older file before it have at most 64 KB together
)

// recordedEvents are the events of hooks that become entries of the record of a session.
var recordedEvents = []protocol.Event{protocol.SessionStart, protocol.Prompt, protocol.Tool, protocol.Stop,
	protocol.SessionEnd}

// Event adds an event to the record of its session. It records only the tool calls of a subagent, in
// the record of the session that started the subagent.
func (r *Recorder) Event(ctx context.Context, call protocol.Call) error {
	if call.Session == "" {
		return nil
	}
	inSubagent := call.Inner || r.Subagent
	if inSubagent && call.Event != protocol.Tool {
		return nil
	}
	mode, err := r.Mode(ctx)
	if mode == policy.RecordNothing || err != nil {
		return err
	}
	e := record.Entry{At: r.Now(), Agent: call.Agent, Session: call.Session, Event: string(call.Event)}
	if call.Event == protocol.Tool && !r.describeTool(&e, call) {
		return nil
	}
	if slices.Contains(recordedEvents, call.Event) {
		err = r.appendEntry(ctx, e)
	}
	if mode == policy.RecordAll {
		e.Text, e.Checkpoint = record.Message(call.Said, hide), r.Pinned
	}
	if e.Text != "" || losesContext(call) {
		err = errors.Join(err, r.addWords(e))
	}
	return err
}

// describeTool adds to e what a tool did. It returns false for calls of ckpt, which are not recorded as work.
func (r *Recorder) describeTool(e *record.Entry, call protocol.Call) bool {
	use := call.Tool
	if strings.Contains(use.Name, "ckpt") || use.Command != "" && record.OnlyCkpt(use.Command) {
		return false
	}
	e.Tool, e.Exit = use.Name, use.Exit
	if use.Command != "" {
		e.Command = record.CommandLine(use.Command, hide)
		e.Last = record.LastLine(use.Command, use.Exit, use.End, hide)
	}
	for _, file := range use.Files {
		if rel, ok := r.inWorktree(call.Dir, file); ok {
			e.Files = append(e.Files, hide(rel))
		}
	}
	return true
}

// hide returns a text as it is recorded: without secrets, and without zero bytes, which no checkpoint may have.
func hide(text string) string {
	return (&secrets.Scanner{}).Replace(strings.ReplaceAll(text, "\x00", "\uFFFD"))
}

// inWorktree returns a file that an agent named, as a slash path from the worktree's root. It
// reports false for a file outside the worktree, a checkpoint, and a file of git itself.
func (r *Recorder) inWorktree(dir, file string) (string, bool) {
	root := r.Repo.Root()
	if !filepath.IsAbs(dir) {
		dir = root
	}
	file = disk.From(dir, filepath.FromSlash(file))
	rel, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(rel) { // the agent may know the worktree by another path
		folder, err := filepath.EvalSymlinks(filepath.Dir(file))
		if err != nil {
			return "", false
		}
		rel, err = filepath.Rel(root, filepath.Join(folder, filepath.Base(file)))
		if err != nil || !filepath.IsLocal(rel) {
			return "", false
		}
	}
	rel = filepath.ToSlash(rel)
	first, _, _ := strings.Cut(rel, "/")
	return rel, rel != "." && first != ".git" && !strings.HasPrefix(rel, r.Prefix+"/")
}

// appendEntry adds an entry to the record of its session.
func (r *Recorder) appendEntry(ctx context.Context, e record.Entry) error {
	first, err := disk.AppendRotated(r.log(work, fileName(e.Session)).Path, record.Encode(e), sessionLimit, 0o666)
	if err != nil || !first {
		return err
	}
	r.Repo.ShareState(ctx) // let other users of a shared repository record their sessions, too
	all, err := disk.ListRotated(r.dir(work))
	if err != nil || len(all) <= sessionsKept {
		return err
	}
	for _, old := range all[sessionsKept:] {
		_ = r.remove(filepath.Base(old.Path)) // another hook may have removed it
	}
	return nil
}

// remove removes the record of a session, with what the user said in it, by the name of its file.
func (r *Recorder) remove(name string) error {
	return errors.Join(r.log(work, name).Remove(), r.log(git.Words, name).Remove())
}

// Forget removes the record of a session.
func (r *Recorder) Forget(session string) error { return r.remove(fileName(session)) }

// Mode returns what is recorded: the lesser of what git's configuration and config.yaml allow.
func (r *Recorder) Mode(ctx context.Context) (policy.Recorder, error) {
	value, _, err := r.Repo.Config().Get(ctx, "ckpt.recorder")
	if err != nil {
		return policy.RecordNothing, err
	}
	mode, err := policy.ParseRecorder(value)
	if err != nil {
		return mode, fault.New(fault.Invalid, "git config ckpt.recorder: %w", err).WithHint("git config ckpt.recorder off")
	}
	shared, err := r.Config()
	return max(mode, shared.Recorder), err
}

// State describes where sessions are recorded and how much space the logs take, or why sessions are
// not recorded.
func (r *Recorder) State(ctx context.Context) string {
	mode, err := r.Mode(ctx)
	logs, lerr := disk.ListRotated(r.dir(work))
	err = errors.Join(err, lerr)
	if err != nil {
		return "not recorded: " + err.Error()
	}
	size := int64(0)
	for _, log := range logs {
		size += log.Size
	}
	where := filepath.ToSlash(r.dir(work))
	if rel, err := filepath.Rel(r.Repo.Root(), r.dir(work)); err == nil && filepath.IsLocal(rel) {
		where = filepath.ToSlash(rel)
	}
	state := fmt.Sprintf("%d recorded in %s, %d KB (ckpt log --session", len(logs), where, (size+1023)/1024)
	switch mode {
	case policy.RecordNothing:
		return state + "); the recorder is off"
	case policy.RecordWork:
		return state + "; off: git config ckpt.recorder off); what the user says is not recorded"
	}
	return state + "; off: git config ckpt.recorder off); what the user said is in " + path.Dir(where) + "/" + git.Words
}

func (r *Recorder) dir(of string) string { return filepath.Join(r.Repo.StateDir(), of) }

// log returns the log of a session in a folder.
func (r *Recorder) log(of, name string) disk.Rotated {
	return disk.Rotated{Path: filepath.Join(r.dir(of), name)}
}

// fileName returns the name of a session's log: a hash, because an id may have any characters.
func fileName(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:8])
}

// Entries returns the entries of all sessions of this worktree that were active after the given
// time. The entries of each session are in order. It skips logs that cannot be read.
func (r *Recorder) Entries(after time.Time) []record.Entry {
	logs, _ := disk.ListRotated(r.dir(work))
	var all []record.Entry
	for _, log := range logs {
		if log.Last.Before(after) {
			break // the logs are sorted by time
		}
		src, err := log.Read()
		if err == nil {
			all = append(all, record.Parse(src)...)
		}
	}
	return all
}

// Operation adds an operation on a checkpoint to the record of the session. Such an entry shows, for example,
// which work a delta describes. Takes has the messages that the operation takes up. An element without
// messages means all messages of its session.
func (r *Recorder) Operation(ctx context.Context, e record.Entry, takes []record.Words) {
	e.Agent, e.Session, e.Event = r.Agent, r.Session, record.Operation
	if r.Session != "" && e.Checkpoint != "" {
		if mode, err := r.Mode(ctx); mode < policy.RecordNothing && err == nil {
			_ = r.appendEntry(ctx, e) // an error is ignored: the operation is done
		}
	}
	if len(e.Undoes) > 0 {
		takes, _ = r.Untaken()
	}
	for _, w := range takes {
		e.Session, e.Agent, e.Took = w.Session, w.Agent, len(w.Said)
		_ = r.addWords(e)
	}
}
