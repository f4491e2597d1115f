package recorder

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/secrets"
)

// wordsLimit is the size in bytes at which a log of what the user said is renamed. A message has at
// most 16 KB, so a log and the older file before it have at most 64 KB together.
const wordsLimit = 16 << 10

// listen adds to the words of a session what an event says: a message, or that the context is lost.
// Gemini CLI calls the hook before a compaction in every turn.
func (r *Recorder) listen(ctx context.Context, e record.Entry, call protocol.Call) error {
	compacted := call.Event == protocol.PreCompact && (call.Agent != "gemini" || call.Trigger == "manual")
	restarted := call.Event == protocol.SessionStart && (call.Source == "clear" || call.Source == "compact")
	switch {
	case compacted, restarted:
		e.Event = record.Cut
	case call.Event == protocol.Prompt && record.IsMessage(call.Said):
		if mode, err := r.Mode(ctx); mode != policy.RecordAll || err != nil {
			return err
		}
		scanner := &secrets.Scanner{}
		e.Text = record.Message(call.Said, func(s string) string { return scanner.Replace(s, secrets.Mask) })
	default:
		return nil
	}
	return r.addWords(e)
}

// addWords adds an entry to the words of its session. Only a message begins the log, which nobody
// else may read. It also has the operations of the session, so that its order shows which messages
// nothing took up.
func (r *Recorder) addWords(e record.Entry) error {
	file := r.words(e.Session)
	if e.Text == "" && !disk.Exists(file) && !disk.Exists(file+disk.Older) {
		return nil
	}
	return disk.AppendPrivate(file, record.Encode(e), wordsLimit)
}

// takeUp adds an operation to the words of its session, and of the sessions whose messages it laid
// into the checkpoint.
func (r *Recorder) takeUp(e record.Entry) {
	if r.Writes {
		r.Takes = append([]record.Words{{Session: r.Session}}, r.Takes...)
	}
	for _, w := range r.Takes {
		e.Session, e.Agent, e.Took = w.Session, w.Agent, len(w.Said)
		if w.Said == nil {
			e.Took = record.All
		}
		_ = r.addWords(e) // the operation itself is done
	}
}

func (r *Recorder) wordsDir() string { return filepath.Join(r.Repo.StateDir(), git.Words) }

func (r *Recorder) words(session string) string {
	return filepath.Join(r.wordsDir(), filepath.Base(r.file(session)))
}

// WordsOf returns what the user said in a session, with the operations between.
func (r *Recorder) WordsOf(session string) []record.Entry {
	src, _ := disk.Rotated{Path: r.words(session)}.Read() // nobody has said anything
	return record.Parse(src)
}

// Untaken returns what the user said and no operation took up: in this session, and in the sessions
// before it, the newest first. A session that does something after this one has begun is at work
// beside it, unless it has ended. Heard reports whether anything that the user said is recorded.
func (r *Recorder) Untaken() (own record.Words, before []record.Words, heard bool) {
	logs, _ := disk.ListRotated(r.wordsDir())
	if len(logs) == 0 {
		return own, nil, false
	}
	sessions, beside := record.Sessions(r.Entries(time.Time{})), map[string]bool{}
	mine := slices.IndexFunc(sessions, func(s record.Session) bool { return s.ID == r.Session })
	for _, s := range sessions {
		beside[s.ID] = mine >= 0 && !s.Ended() && s.Last().After(sessions[mine].First())
	}
	for _, log := range logs {
		src, _ := log.Read() // a log that cannot be read has nothing to tell
		w := record.Untaken(record.Parse(src))
		heard = heard || w.Session != ""
		switch {
		case len(w.Said) == 0:
		case w.Session == r.Session:
			own = w
		case !beside[w.Session]:
			before = append(before, w)
		}
	}
	return own, before, heard
}
