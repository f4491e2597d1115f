package record

import (
	"cmp"
	"slices"
	"time"
)

// Operation is the event of an entry that ckpt itself writes: Tool is the operation and
// Checkpoint what it was done to. It is no work, but says which checkpoint a session works
// on, and that a delta has recorded what the session did before.
const Operation = "ckpt"

// ended is the event of an entry that ends its session.
const ended = "session-end"

// Work is what one session did that no delta records.
type Work struct {
	Agent    string
	Session  string
	Last     time.Time // when it last wrote a file or ran a command
	Wrote    time.Time // when a file was last written, by this session as far as the record shows
	Ended    bool      // the session has ended; where not, it may have died or may be at work
	Files    []string  // the files that it wrote, the newest first
	More     int       // how many files were written that the record does not name
	Commands []Run     // the commands that it ran: tests first, then the newest; each once
}

// Run is a command and how its last run ended.
type Run struct {
	Command string
	At      time.Time // of the last run
	Exit    *int      // nil where nobody knows: the agent does not tell, or the run was interrupted
	ExitOf  string    // the program that Exit is of, where that is not what the command is about: "tail"
	Test    bool      // it runs tests
}

// Alive reports whether a session other than reader may be at work at a time: it has not
// ended, and did anything so short a time before.
func Alive(entries []Entry, reader string, now time.Time, within time.Duration) bool {
	for _, s := range Sessions(entries) {
		if s.ID != reader && s.Entries[len(s.Entries)-1].Event != ended && now.Sub(s.Last()) < within {
			return true
		}
	}
	return false
}

// recording are the operations after which a checkpoint describes the work before them.
var recording = map[string]bool{"delta": true, "rewind": true, "new": true, "archive": true}

// Recorded is what a checkpoint records.
type Recorded struct {
	ID    string
	Since time.Time // when it was last brought up to date; the zero time where nobody knows
	Moved time.Time // when the worktree's current checkpoint last became another one; zero where nobody knows
}

// Unrecorded returns what sessions did that a checkpoint does not record, the session that
// worked last first. Commands that change nothing are no work. What the record shows to be
// work on another checkpoint, or to be recorded by a delta of another one, is left out.
// Where Since is not known the result is empty.
func Unrecorded(entries []Entry, by Recorded) []Work {
	if by.Since.IsZero() {
		return nil
	}
	var all []Work
	for _, s := range Sessions(entries) {
		if w := s.unrecorded(by); len(w.Files)+w.More+len(w.Commands) > 0 {
			all = append(all, w)
		}
	}
	slices.SortStableFunc(all, func(a, b Work) int {
		return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(a.Session, b.Session))
	})
	return all
}

func (s Session) unrecorded(by Recorded) Work {
	w := Work{Agent: s.Agent, Session: s.ID}
	on := Entry{}   // the last operation: the session works on its checkpoint
	behind := false // what follows came after the session's own delta, also in the same second
	for _, e := range s.Entries {
		w.Ended = e.Event == ended
		if e.Event == Operation {
			switch on = e; {
			case !recording[e.Tool]:
			case on.Checkpoint != by.ID:
				w.Last, w.Wrote, w.Files, w.More, w.Commands = time.Time{}, time.Time{}, nil, 0, nil
			case !e.At.Before(by.Since):
				behind = true
			}
			continue
		}
		moved := on.At.Before(by.Moved) && e.At.After(by.Moved) // somebody else made another one current
		if !behind && !e.At.After(by.Since) || on.Checkpoint != "" && on.Checkpoint != by.ID && !moved {
			continue
		}
		w.add(e)
	}
	slices.Reverse(w.Files)
	slices.Reverse(w.Commands)
	slices.SortStableFunc(w.Commands, func(a, b Run) int {
		switch {
		case a.Test == b.Test:
			return 0
		case a.Test:
			return -1
		}
		return 1
	})
	return w
}

// add takes an entry in, as the newest.
func (w *Work) add(e Entry) {
	for _, f := range e.Files {
		w.Files = append(slices.DeleteFunc(w.Files, func(g string) bool { return f == g }), f)
	}
	w.More += e.More
	if len(e.Files)+e.More > 0 {
		w.Last, w.Wrote = e.At, e.At
	}
	if test, look, exitOf := weigh(e.Command); e.Command != "" && !look {
		w.Commands = slices.DeleteFunc(w.Commands, func(r Run) bool { return r.Command == e.Command })
		w.Commands = append(w.Commands, Run{e.Command, e.At, e.Exit, exitOf, test})
		w.Last = e.At
	}
}
