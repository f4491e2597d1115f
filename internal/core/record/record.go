// Package record reads and writes what agents did in their sessions: a line for each
// prompt, tool call and end of a turn. Bytes in, bytes out; where the lines are kept is
// decided elsewhere.
//
// A line holds the time, the names of agent, session and tool, the files that the tool
// wrote, and the command line that it ran. It never holds a prompt, the content of a
// file or the output of a command.
//
// A line that was not written to its end costs itself and nothing else.
package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// Entry is one event of a session.
type Entry struct {
	At      time.Time // in UTC, to the second
	Agent   string    // "claude"
	Session string    // as the agent names it; never empty
	Event   string    // the name of a hook's event: "tool", "prompt", "stop", ...
	Tool    string    // as the agent names it; empty where no tool was called
	Files   []string  // the files written, as slash paths from the worktree's root
	More    int       // the number of files written that Files leaves out
	Command string    // the command line that was run, on one line; empty where none was
	Exit    *int      // how the command ended; nil where the agent does not tell

	Checkpoint string // of an [Operation]: the id of what it was done to
}

// maxFiles bounds the bytes of the names of files in a line.
const maxFiles = 2000

// line is an entry as it is written. The key at comes first in every line.
type line struct {
	At      string   `json:"at"`
	Agent   string   `json:"agent"`
	Session string   `json:"session"`
	Event   string   `json:"event"`
	Tool    string   `json:"tool"`
	Files   []string `json:"files"`
	More    int      `json:"more_files"`
	Command string   `json:"command"`
	Exit    *int     `json:"exit"`

	Checkpoint string `json:"checkpoint"`
}

// begin is how every line begins. It cannot occur within one: quotes are escaped there.
const begin = `{"at":"`

// Encode returns an entry as one line, with its end. Files that would make it long are
// left out and counted.
//
// It writes the JSON itself: a hook comes after every tool call, and encoding/json first
// has to look at the type.
func Encode(e Entry) []byte {
	out := make([]byte, 0, 512)
	text := func(key, value string) {
		if value != "" {
			out = appendString(append(append(append(out, `,"`...), key...), `":`...), value)
		}
	}
	number := func(key string, n int) {
		out = strconv.AppendInt(append(append(append(out, `,"`...), key...), `":`...), int64(n), 10)
	}
	out = append(e.At.UTC().AppendFormat(append(out, begin...), time.RFC3339), '"')
	text("agent", e.Agent)
	text("session", e.Session)
	text("event", e.Event)
	text("tool", e.Tool)
	from, more := len(out), e.More
	for i, f := range e.Files {
		if len(out)-from > maxFiles {
			more += len(e.Files) - i
			break
		}
		if i == 0 {
			out = append(out, `,"files":[`...)
		} else {
			out = append(out, ',')
		}
		out = appendString(out, f)
	}
	if len(e.Files) > 0 {
		out = append(out, ']')
	}
	if more > 0 {
		number("more_files", more)
	}
	text("command", e.Command)
	if e.Exit != nil {
		number("exit", *e.Exit)
	}
	text("checkpoint", e.Checkpoint)
	return append(out, "}\n"...)
}

// appendString appends a text as a JSON string.
func appendString(out []byte, s string) []byte {
	out = append(out, '"')
	for _, r := range s { // what is not UTF-8 becomes U+FFFD
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r < ' ':
			out = append(out, '\\', 'u', '0', '0', "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return append(out, '"')
}

// Parse returns the entries of src in their order. It skips what is not an entry, and
// finds those that were appended to a line without an end.
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

// parse reads what follows the beginning of a line.
func parse(rest []byte) (Entry, bool) {
	var l line
	if json.Unmarshal(slices.Concat([]byte(begin), rest), &l) != nil || l.Session == "" || l.Event == "" {
		return Entry{}, false
	}
	at, err := time.Parse(time.RFC3339, l.At)
	if err != nil {
		return Entry{}, false
	}
	return Entry{at.UTC(), l.Agent, l.Session, l.Event, l.Tool, l.Files, l.More, l.Command, l.Exit, l.Checkpoint}, true
}

// Session is what is recorded of one session.
type Session struct {
	ID      string
	Agent   string  // the agent of the newest entry
	Entries []Entry // in the order in which they were written; never empty
}

// First returns when the session did something for the first time, as far as the record goes back.
func (s Session) First() time.Time { return s.Entries[0].At }

// Last returns when the session last did something.
func (s Session) Last() time.Time { return s.Entries[len(s.Entries)-1].At }

// Sessions sorts entries by session, the session that did something last first.
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
