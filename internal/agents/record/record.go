// Package record encodes and parses the record of agents' sessions: a line for each event, such as
// a prompt, a tool call or the end of a turn. It describes the work of sessions that no delta
// records: as a paragraph of a brief, as one line, and as the missing delta. Its texts state only
// what the record and git show. It does no I/O.
//
// A line has the time, the names of agent, session and tool, the files that the tool
// wrote, and the command line that it ran, with the last line that it printed if it failed or ran
// tests. It never has the content of a file or other output of a command. What the user said is in a
// record of its own: see [Words].
//
// A line that was not written completely is skipped; the lines around it are read.
package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Entry is one event of a session. Its key "at" comes first in every line.
type Entry struct {
	At      time.Time `json:"at"`                   // in UTC, to the second
	Agent   string    `json:"agent,omitempty"`      // "claude"
	Session string    `json:"session,omitempty"`    // the session's id as the agent gives it; never empty
	Event   string    `json:"event,omitempty"`      // the name of a hook's event: "tool", "prompt", "stop", ...
	Tool    string    `json:"tool,omitempty"`       // as the agent names it; empty if no tool was called
	Files   []string  `json:"files,omitempty"`      // the files written, as slash paths from the worktree's root
	More    int       `json:"more_files,omitempty"` // the number of other files written
	Command string    `json:"command,omitempty"`    // the command line that was run, on one line; empty if none was
	Exit    *int      `json:"exit,omitempty"`       // the command's exit code, if the agent gives it
	Last    string    `json:"last_line,omitempty"`  // the last line that it printed, if it failed or runs tests

	// for an operation of ckpt, the id of the checkpoint that it changed; for a prompt, the id in CKPT_ID, without chk-
	Checkpoint string   `json:"checkpoint,omitempty"`
	Commit     string   `json:"commit,omitempty"` // for an operation, its commit
	Undoes     []string `json:"undoes,omitempty"` // for an undo or a redo, the commits of the operations that it reverts

	Text string `json:"text,omitempty"` // for a prompt, what the user said, word for word
	Took int    `json:"took,omitempty"` // for an operation, how many of the oldest messages it dealt with; 0 means all
}

// maxFiles is the approximate maximum size in bytes of the names of files in a line.
const maxFiles = 2000

// begin is the beginning of every line. It cannot occur inside a line, since quotes are escaped.
const begin = `{"at":"`

// Encode returns an entry as one line with a line feed. It names files up to maxFiles bytes,
// and counts the others in More.
func Encode(e Entry) []byte {
	e.At = e.At.UTC().Truncate(time.Second)
	size := 0
	for i, f := range e.Files {
		if size > maxFiles {
			e.More += len(e.Files) - i
			e.Files = e.Files[:i]
			break
		}
		size += len(f) + len(`"",`)
	}
	var line bytes.Buffer
	to := json.NewEncoder(&line)
	to.SetEscapeHTML(false)
	_ = to.Encode(e) // it can fail only for a year that has five digits
	return line.Bytes()
}

// Parse returns the entries of src in their order. It skips text that is not an entry,
// and finds an entry that follows an incomplete line without a line feed.
func Parse(src []byte) []Entry {
	var all []Entry
	for text := range bytes.Lines(src) {
		for i, part := range bytes.Split(text, []byte(begin)) {
			if e, ok := parse(part); i > 0 && ok {
				all = append(all, e)
			}
		}
	}
	return all
}

// parse decodes the rest of a line that follows begin.
func parse(rest []byte) (e Entry, ok bool) {
	err := json.Unmarshal(slices.Concat([]byte(begin), rest), &e)
	e.At = e.At.UTC()
	return e, err == nil && e.Session != "" && e.Event != ""
}

// Session is the record of one session.
type Session struct {
	ID      string
	Agent   string  // the agent of the newest entry
	Entries []Entry // in the order in which they were written; never empty
}

// First returns the time of the oldest entry that is still recorded.
func (s Session) First() time.Time { return s.Entries[0].At }

// Last returns the time of the newest entry.
func (s Session) Last() time.Time { return s.Entries[len(s.Entries)-1].At }

// Ended reports whether the session has ended. If not, it may have died or be active.
func (s Session) Ended() bool { return s.Entries[len(s.Entries)-1].Event == ended }

// Sessions groups entries by session, the one with the newest entry first.
func Sessions(entries []Entry) []Session {
	at := map[string]int{}
	var all []Session
	for _, e := range entries {
		i, ok := at[e.Session]
		if !ok {
			i = len(all)
			at[e.Session] = i
			all = append(all, Session{ID: e.Session})
		}
		all[i].Agent = e.Agent
		all[i].Entries = append(all[i].Entries, e)
	}
	slices.SortFunc(all, func(a, b Session) int {
		return cmp.Or(b.Last().Compare(a.Last()), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// Log is the record of one session as `ckpt log --session` shows it.
type Log struct {
	Session
	Older  int       // the number of oldest entries that were left out
	Others []Session // the other recorded sessions
}

// Find returns the session whose id is name, or else all sessions whose ids begin with name.
// "@" means the first session. The given sessions must be in the order of Sessions.
func Find(all []Session, name string) []Session {
	name = strings.TrimSuffix(name, "…")
	if name == "@" {
		return all[:min(len(all), 1)]
	}
	var found []Session
	for _, s := range all {
		switch {
		case s.ID == name:
			return []Session{s}
		case name != "" && strings.HasPrefix(s.ID, name):
			found = append(found, s)
		}
	}
	return found
}
