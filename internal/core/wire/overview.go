package wire

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/result"
)

// WriteOverview writes FromOverview as Write does, each checkpoint as it is made: there
// can be a hundred thousand, and encoding/json would take longer than reading them did.
func WriteOverview(out io.Writer, kind string, o *result.Overview) error {
	if len(o.Entries) == 0 {
		return Write(out, FromOverview(kind, o))
	}
	const enough = 64 << 10
	frame, err := Marshal(Overview{head(kind), currentOf(o), []Entry{}, o.Warnings, othersOf(o)})
	if err != nil {
		return err
	}
	before, after, _ := bytes.Cut(frame, []byte(`"checkpoints": []`))
	text := append(append(make([]byte, 0, enough+enough/8), before...), `"checkpoints": [`...)
	for i, e := range o.Entries {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(appendEntry(append(text, "\n    {"...), e), "\n    }"...)
		if len(text) >= enough {
			if _, err := out.Write(text); err != nil {
				return err
			}
			text = text[:0]
		}
	}
	_, err = out.Write(append(append(text, "\n  ]"...), after...))
	return err
}

// next separates the members of an entry.
const next = ",\n      "

// appendEntry adds the members of an entry, in the order and with the omissions that
// the tags of Entry say.
func appendEntry(text []byte, e *result.Entry) []byte {
	text = appendString(append(text, "\n      "+`"id": `...), e.ID)
	text = appendString(append(text, next+`"path": `...), e.Path)
	text = appendString(append(text, next+`"status": `...), e.Status)
	text = appendSaid(text, next+`"problem": `, e.Problem)
	text = appendSaid(text, next+`"next": `, e.Next)
	text = appendSaid(text, next+`"outcome": `, e.Outcome)
	text = appendSaid(text, next+`"parent": `, e.Parent)
	text = appendSaid(text, next+`"anchor": `, e.Anchor)
	text = appendTime(text, next+`"created": `, e.Created)
	text = appendTime(text, next+`"changed": `, e.Changed)
	text = strconv.AppendInt(append(text, next+`"deltas": `...), int64(e.Deltas), 10)
	if e.Edited {
		text = append(text, next+`"edited": true`...)
	}
	text = appendSaid(text, next+`"unreadable": `, e.Unreadable)
	if !e.Marked.IsZero() {
		text = appendString(append(text, next+`"mark": {`+"\n        "+`"goal": `...), e.Goal)
		text = append(appendTime(text, next+`  "startedAt": `, e.Marked), "\n      }"...)
	}
	text = appendSaid(text, next+`"name": `, e.Run.Name)
	text = appendSaid(text, next+`"workflow": `, e.Run.Workflow)
	text = appendSaid(text, next+`"phase": `, e.Run.Phase)
	text = appendSaid(text, next+`"step": `, e.Run.Step)
	text = appendSaid(text, next+`"agent": `, e.Run.Agent)
	text = appendSaid(text, next+`"session": `, e.Run.Session)
	text = appendSaid(text, next+`"trigger": `, e.Run.Trigger)
	text = appendSaid(text, next+`"progress": `, e.Run.Progress)
	text = appendSaid(text, next+`"unfinished": `, e.Unfinished)
	text = appendList(text, next+`"branches": `, branchesOf(e.On))
	text = appendSaid(text, next+`"worktree": `, worktreeOf(e.On))
	return appendList(text, next+`"newer_on": `, branchesOf(e.Newer))
}

// appendList adds a member unless it is empty.
func appendList(text []byte, name string, values []string) []byte {
	for i, value := range values {
		if text = append(text, ",\n        "...); i == 0 {
			text = append(append(text[:len(text)-len(",\n        ")], name...), "[\n        "...)
		}
		text = appendString(text, value)
	}
	if len(values) > 0 {
		text = append(text, "\n      ]"...)
	}
	return text
}

// appendSaid adds a member unless it is empty.
func appendSaid(text []byte, name, value string) []byte {
	if value == "" {
		return text
	}
	return appendString(append(text, name...), value)
}

// appendTime adds a time unless it is none.
func appendTime(text []byte, name string, t time.Time) []byte {
	if t.IsZero() {
		return text
	}
	return append(checkpoint.AppendTime(append(append(text, name...), '"'), t), '"')
}

func appendString(text []byte, value string) []byte {
	if isSafe(value) {
		return append(append(append(text, '"'), value...), '"')
	}
	quoted, _ := Marshal(value) // a string always has a JSON form
	return append(text, bytes.TrimSuffix(quoted, []byte("\n"))...)
}

// isSafe says whether a string is its own JSON form.
func isSafe(s string) bool {
	ascii := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			return false
		} else if c >= utf8.RuneSelf {
			ascii = false
		}
	}
	return ascii || utf8.ValidString(s) && !strings.ContainsAny(s, "\u2028\u2029")
}
