package wire

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Write writes an answer as Marshal does. An overview goes out as it is made: it
// can hold a hundred thousand checkpoints, and encoding/json would take longer
// than reading them did.
func Write(out io.Writer, answer any) error {
	o, ok := answer.(Overview)
	if !ok || len(o.Checkpoints) == 0 {
		text, err := Marshal(answer)
		if err == nil {
			_, err = out.Write(text)
		}
		return err
	}
	const enough = 64 << 10
	frame, err := Marshal(Overview{o.Head, o.Current, []Entry{}, o.Warnings})
	if err != nil {
		return err
	}
	before, after, _ := strings.Cut(string(frame), `"checkpoints": []`)
	text := []byte(before + `"checkpoints": [`)
	for i, e := range o.Checkpoints {
		if i > 0 {
			text = append(text, ',')
		}
		text = e.append(append(text, "\n    {"...))
		text = append(text, "\n    }"...)
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

// append adds the members of an entry, in the order and with the omissions that
// the tags of Entry say.
func (e Entry) append(text []byte) []byte {
	text = appendMember(text, "\n      ", "id", e.ID)
	text = appendMember(text, next, "path", e.Path)
	text = appendMember(text, next, "status", e.Status)
	for _, m := range [...]struct{ name, value string }{
		{"problem", e.Problem}, {"next", e.Next}, {"outcome", e.Outcome}, {"parent", e.Parent}, {"anchor", e.Anchor}, {"created", e.Created}, {"changed", e.Changed},
	} {
		if m.value != "" {
			text = appendMember(text, next, m.name, m.value)
		}
	}
	text = strconv.AppendInt(append(text, next+`"deltas": `...), int64(e.Deltas), 10)
	if e.Edited {
		text = append(text, next+`"edited": true`...)
	}
	if e.Unreadable != "" {
		text = appendMember(text, next, "unreadable", e.Unreadable)
	}
	if e.Mark != nil {
		text = appendMember(append(text, next+`"mark": {`...), "\n        ", "goal", e.Mark.Goal)
		text = append(appendMember(text, next+"  ", "startedAt", e.Mark.StartedAt), "\n      }"...)
	}
	for _, m := range [...]struct{ name, value string }{
		{"name", e.Name}, {"workflow", e.Workflow}, {"phase", e.Phase}, {"step", e.Step}, {"agent", e.Agent}, {"session", e.Session}, {"progress", e.Progress}, {"unfinished", e.Unfinished},
	} {
		if m.value != "" {
			text = appendMember(text, next, m.name, m.value)
		}
	}
	return text
}

// next separates the members of an entry.
const next = ",\n      "

func appendMember(text []byte, before, name, value string) []byte {
	text = append(append(text, before...), '"')
	text = append(append(text, name...), `": `...)
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
