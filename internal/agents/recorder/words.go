package recorder

import (
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
)

const wordsLimit = 64 << 10 // the maximum size in bytes of a log of what the user said

// losesContext reports whether a session has lost its context after an event. Gemini CLI calls the
// compaction hook in every turn, so for Gemini CLI only a manual compaction counts.
func losesContext(call protocol.Call) bool {
	return call.Event == protocol.PreCompact && (call.Agent != "gemini" || call.Trigger == "manual") ||
		call.Event == protocol.SessionStart && (call.Source == "clear" || call.Source == "compact")
}

// addWords adds an entry to the log of what the user said in a session, which other users cannot read. The log begins
// with a message. It also has operations, and the events at which the session lost its context: the order of the
// entries shows which messages no operation took up. An undo is added only if the log has the operation that it undoes.
func (r *Recorder) addWords(e record.Entry) error {
	concerns := func(w record.Entry) bool { return len(e.Undoes) == 0 || slices.Contains(e.Undoes, w.Commit) }
	if e.Text == "" && !slices.ContainsFunc(r.WordsOf(e.Session), concerns) {
		return nil
	}
	path := r.log(git.Words, fileName(e.Session)).Path
	size, err := disk.Append(path, record.Encode(e), 0o600)
	if err != nil || size <= wordsLimit {
		return err
	}
	src, err := disk.ReadFile(path)
	if err != nil {
		return err
	}
	return disk.ReplaceFile(path, src, record.Compact(record.Parse(src), wordsLimit))
}

// WordsOf returns what the user said in a session, with the operations between.
func (r *Recorder) WordsOf(session string) []record.Entry {
	src, _ := r.log(git.Words, fileName(session)).Read() // a log that cannot be read has no entries
	return record.Parse(src)
}

// Untaken returns the messages that no operation took up, in this session and in earlier ones, the newest
// session first. It leaves out sessions that may be active: they have not ended, and their last entry is
// from after the start of this session. It also leaves out sessions with another checkpoint in CKPT_ID than
// this session has, if both have one. Heard reports whether anything that the user said is recorded.
func (r *Recorder) Untaken() (all []record.Words, heard bool) {
	logs, _ := disk.ListRotated(r.dir(git.Words))
	if len(logs) == 0 {
		return nil, false
	}
	sessions := record.Sessions(r.Entries(time.Time{}))
	mine := slices.IndexFunc(sessions, func(s record.Session) bool { return s.ID == r.Session })
	for _, log := range logs {
		src, _ := log.Read() // a log that cannot be read has no entries
		w := record.Untaken(record.Parse(src))
		isBeside := func(s record.Session) bool {
			return mine >= 0 && s.ID == w.Session && !s.Ended() && s.Last().After(sessions[mine].First())
		}
		isOfAnother := func(e record.Entry) bool { // either id may be a prefix
			return !strings.HasPrefix(e.Checkpoint, r.Pinned) && !strings.HasPrefix(r.Pinned, e.Checkpoint)
		}
		if w.Session == r.Session || !slices.ContainsFunc(sessions, isBeside) && !slices.ContainsFunc(w.Said, isOfAnother) {
			all = append(all, w)
		}
	}
	return all, true
}
