package record

import (
	"cmp"
	"slices"
	"time"
)

// Operation is the event of an entry that ckpt itself writes: Tool is the operation and
// Checkpoint the checkpoint that it changed. Such an entry is not work. It shows on which checkpoint
// a session works, and whether a delta has recorded what the session did before.
const Operation = "ckpt"

// ended is the event of an entry that ends its session.
const ended = "session-end"

// Work is the work of one session that no delta records.
type Work struct {
	Agent    string
	Session  string
	Last     time.Time // when it last wrote a file or ran a command
	Wrote    time.Time // when it last wrote a file, according to the record
	Ended    bool      // the session has ended; if not, it may have died or be active
	Files    []string  // the files that it wrote, the newest first
	More     int       // how many files were written that the record does not name
	Commands []Run     // the commands that it ran, each once, in the order of arrange
}

// Run is a command and how its last run ended.
type Run struct {
	Command string
	At      time.Time // the time of the last run
	Exit    *int      // nil if unknown: the agent does not give it, or the run was interrupted
	ExitOf  string    // the last program, if its code hides whether the tests or the change failed: "tail"
	Test    bool      // it runs tests
	Last    string    // the last line that it printed; only for the newest command that failed and the newest tests
}

// Alive reports whether a session other than reader may be active: it has not ended, and
// the time from its last entry to now is shorter than within.
func Alive(entries []Entry, reader string, now time.Time, within time.Duration) bool {
	return slices.ContainsFunc(Sessions(entries), func(s Session) bool {
		return s.ID != reader && !s.Ended() && now.Sub(s.Last()) < within
	})
}

// isRecording reports whether an operation records the work before it in a checkpoint.
func isRecording(operation string) bool {
	return slices.Contains([]string{"delta", "rewind", "new", "archive"}, operation)
}

// Recorded identifies a checkpoint and the time up to which it describes the work.
type Recorded struct {
	ID    string
	Since time.Time // the time of the last operation that brought it up to date; zero if unknown
	Moved time.Time // when another checkpoint last became current in the worktree; zero if unknown
}

// Unrecorded returns, for each session, the work that the checkpoint does not record. The session that worked last is
// first. Unrecorded leaves out commands that change nothing, work on other checkpoints, and work that deltas of other
// checkpoints record. If by.Since is unknown, the result is empty.
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
	on := Entry{}   // the session's last operation, which names the checkpoint that it works on
	behind := false // whether the session has written a delta before this entry, perhaps in the same second
	for _, e := range s.Entries {
		w.Ended = e.Event == ended
		if e.Event == Operation {
			on = e
			switch {
			case !isRecording(e.Tool):
			case on.Checkpoint != by.ID:
				w = Work{Agent: s.Agent, Session: s.ID}
			case !e.At.Before(by.Since):
				if e.At.Equal(by.Since) { // an operation after Since was undone, so it records nothing
					w = Work{Agent: s.Agent, Session: s.ID}
				}
				behind = true
			}
			continue
		}
		moved := on.At.Before(by.Moved) && e.At.After(by.Moved) // between on and e another checkpoint became current
		isRecorded := !behind && e.At.Before(by.Since)          // an entry of the same second as Since may be later
		isElsewhere := on.Checkpoint != "" && on.Checkpoint != by.ID && !moved
		succeeded := e.Exit == nil || *e.Exit == 0
		if behind && succeeded && recordsItself(e.Command) {
			e.Command = "" // the hook is called after the line, so the entry follows the delta that the line wrote
		}
		if !isRecorded && !isElsewhere {
			w.add(e)
		}
	}
	slices.Reverse(w.Files)
	slices.Reverse(w.Commands)
	w.arrange()
	return w
}

// arrange sorts the commands: first the newest test, then the newest command that failed, the other tests, and all
// other commands. The tests and the other commands are newest first. Only the first two commands keep their last line.
func (w *Work) arrange() {
	failed, tested := false, false
	var groups [4][]Run
	for _, r := range w.Commands {
		fails, group := r.Exit != nil && *r.Exit != 0, 3
		switch {
		case r.Test && !tested:
			group = 0
		case fails && !failed:
			group = 1
		case r.Test:
			group = 2
		}
		if group > 1 {
			r.Last = ""
		}
		failed, tested = failed || fails, tested || r.Test
		groups[group] = append(groups[group], r)
	}
	w.Commands = slices.Concat(groups[:]...)
}

// add adds the files and the command of an entry that is newer than those before.
func (w *Work) add(e Entry) {
	for _, f := range e.Files {
		w.Files = append(slices.DeleteFunc(w.Files, func(g string) bool { return f == g }), f)
	}
	w.More += e.More
	if len(e.Files)+e.More > 0 {
		w.Last, w.Wrote = e.At, e.At
	}
	if test, look, exitOf := classify(e.Command); e.Command != "" && !look {
		w.Commands = slices.DeleteFunc(w.Commands, func(r Run) bool { return r.Command == e.Command })
		w.Commands = append(w.Commands, Run{
			Command: e.Command, At: e.At, Exit: e.Exit, ExitOf: exitOf, Test: test, Last: e.Last,
		})
		w.Last = e.At
	}
}
