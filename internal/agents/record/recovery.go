package record

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/text"
)

// named has the numbers of files and commands that a text names for a session.
type named struct{ files, commands int }

// steps has how many files and commands each length of a brief's paragraph names, the shortest first.
var steps = []named{{0, 0}, {0, 1}, {2, 1}, {4, 2}, {7, 3}, {12, 5}, {20, 8}, {40, 12}}

// Brief describes work, which must not be empty, for the brief of the checkpoint id. Reader is the id of the session
// that reads it. Brief returns texts of up to most bytes, each with more than the one before it.
func Brief(all []Work, reader, id string, most int) []string {
	var lengths []string
	longer := func(text string) bool {
		if len(text) > most {
			return false
		}
		if len(lengths) == 0 || lengths[len(lengths)-1] != text {
			lengths = append(lengths, text)
		}
		return true
	}
	if !longer(upper(noDelta(all, reader)) + ": `ckpt delta " + id + " --recovered`.") {
		return nil
	}
	for _, n := range steps {
		if !longer(paragraph(all, n, reader, id)) {
			break
		}
	}
	return lengths
}

// paragraph names n files and commands of the newest session, and counts the other sessions.
func paragraph(all []Work, n named, reader, id string) string {
	w := all[0]
	var b strings.Builder
	b.WriteString(upper(sessionName(w, reader)) + " last worked at " + checkpoint.FormatTime(w.Last) +
		" and left no delta.")
	if files := filesOf(w, n.files); files != "" {
		b.WriteString(" It wrote " + files + ".")
	}
	if runs := runsOf(w, n.commands); runs != "" {
		b.WriteString(" It ran " + runs + ".")
	}
	if len(all) > 1 {
		b.WriteString(" Also without a delta: " + text.Count(len(all)-1, "other session") + ".")
	}
	command := "`ckpt delta " + id + " --recovered`"
	switch {
	case isReader(w, reader):
		b.WriteString(" Record it: ")
	case w.Ended:
		b.WriteString(" Record it, now or with your next delta: ")
	default:
		b.WriteString(" Unless it is still at work, record it, now or with your next delta: ")
	}
	return b.String() + command + "."
}

// filesOf names n files and counts the rest. The text is empty if none was written.
func filesOf(w Work, n int) string {
	n = min(n, len(w.Files))
	var names []string
	for _, f := range w.Files[:n] {
		names = append(names, drift.Quote(f))
	}
	return andMore(names, len(w.Files)+w.More-n, "file")
}

// runsOf names n commands and counts the rest. The text is empty if none was run. Tests come
// first among a session's commands.
func runsOf(w Work, n int) string {
	n = min(n, len(w.Commands))
	var names []string
	for _, r := range w.Commands[:n] {
		name := drift.Quote(r.Command)
		ended := outcome(w, r)
		if r.Last != "" {
			ended = strings.TrimPrefix(ended+"; it ended with "+drift.Quote(r.Last), "; ")
		}
		if ended != "" {
			name += " (" + ended + ")"
		}
		names = append(names, name)
	}
	return andMore(names, len(w.Commands)-n, "command")
}

// andMore lists names, and the number of others.
func andMore(names []string, more int, what string) string {
	switch {
	case more == 0:
		return strings.Join(names, ", ")
	case len(names) == 0:
		return text.Count(more, what)
	}
	return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", more)
}

// outcome describes how a run ended and, for tests, whether a file was edited afterwards. The text is
// empty for a command that runs no tests and has no known exit code.
func outcome(w Work, r Run) string {
	ended := ""
	switch {
	case r.Exit == nil && !r.Test:
		return ""
	case r.Exit == nil:
		ended = "exit unknown"
	case r.ExitOf != "":
		ended = fmt.Sprintf("exit %d of %s", *r.Exit, drift.Quote(r.ExitOf))
	default:
		ended = fmt.Sprintf("exit %d", *r.Exit)
	}
	if r.Test && w.Wrote.After(r.At) {
		ended += ", before the last edit"
	}
	return ended
}

// sessionShown is how many bytes of a session's name are shown.
const sessionShown = 8

// sessionName returns the name of the session of w: "this session" if reader is that session.
func sessionName(w Work, reader string) string {
	if isReader(w, reader) {
		return "this session"
	}
	name := strings.ToValidUTF8(w.Session[:min(len(w.Session), sessionShown)], "")
	if len(w.Session) > sessionShown {
		name += "…"
	}
	name = "session " + drift.Quote(name)
	if w.Agent != "" {
		name += " (" + w.Agent + ")"
	}
	return name
}

func isReader(w Work, reader string) bool { return reader != "" && w.Session == reader }

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// Line describes the work, which must not be empty, in one line.
func Line(all []Work, id string) string {
	return noDelta(all, "") + " (ckpt delta " + id + " --recovered)"
}

// noDelta names the newest session that worked without writing a delta, with its time, and counts the others.
func noDelta(all []Work, reader string) string {
	s := sessionName(all[0], reader) + " worked until " + checkpoint.FormatTime(all[0].Last) + " without a delta"
	if more := len(all) - 1; more > 0 {
		s += ", and " + text.Count(more, "other session")
	}
	return s
}
