package wire

import (
	"slices"

	"example.com/ckpt/internal/agents/record"
)

// SessionLog is the answer of `ckpt log --session`, the newest entry first.
type SessionLog struct {
	Head
	Session
	Older    int            `json:"older"` // entries that --limit left out
	Entries  []SessionEntry `json:"entries"`
	Sessions []Session      `json:"sessions"` // the other recorded ones, the most recently active first
}

// Session is a session of an agent.
type Session struct {
	ID    string `json:"id"`
	Agent string `json:"agent,omitempty"`
	First string `json:"first"` // the time of the oldest entry that is still recorded
	Last  string `json:"last"`
}

// SessionEntry is one thing that a session did.
type SessionEntry struct {
	At         string   `json:"at"`
	Event      string   `json:"event"`                // tool, prompt, stop, session-start, session-end; ckpt: an operation of ckpt
	Tool       string   `json:"tool,omitempty"`       // as the agent names it; of ckpt: the operation
	Files      []string `json:"files,omitempty"`      // that it wrote, from the worktree's root
	MoreFiles  int      `json:"more_files,omitempty"` // the number of those that files leaves out
	Command    string   `json:"command,omitempty"`
	Exit       *int     `json:"exit,omitempty"`       // absent if the agent does not give it
	Checkpoint string   `json:"checkpoint,omitempty"` // of ckpt
}

// FromSessionLog returns the JSON of a session's record.
func FromSessionLog(l *record.Log) SessionLog {
	w := SessionLog{Head: head("session"), Session: fromSession(l.Session), Older: l.Older, Entries: []SessionEntry{}, Sessions: []Session{}}
	for _, e := range slices.Backward(l.Entries) {
		w.Entries = append(w.Entries, SessionEntry{stamp(e.At), e.Event, e.Tool, e.Files, e.More, e.Command, e.Exit, e.Checkpoint})
	}
	for _, s := range l.Others {
		w.Sessions = append(w.Sessions, fromSession(s))
	}
	return w
}

func fromSession(s record.Session) Session {
	return Session{s.ID, s.Agent, stamp(s.First()), stamp(s.Last())}
}
