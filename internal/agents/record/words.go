package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
)

// A message has at most maxMessage bytes. Of a longer message the beginning and the end are
// kept, and only maxScanned bytes of each are searched for secrets.
const (
	maxMessage = 16 << 10
	maxScanned = 12 << 10
)

// Reminder is the beginning of the reminder of a due delta. Some agents pass that text to hooks as a prompt.
const Reminder = "ckpt: a delta for "

// Message returns a prompt as it is recorded, without the secrets that hide removes. It is empty if no user
// wrote the prompt: agents also use prompts for commands, which begin with a mark, and for texts of hooks.
func Message(prompt string, hide func(string) string) string {
	text := strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(prompt, ""), "\r\n", "\n"))
	if text == "" || strings.ContainsRune("/<!", rune(text[0])) || strings.HasPrefix(text, Reminder) {
		return ""
	}
	beyond := max(0, len(text)-2*maxScanned)
	scanned := strings.ToValidUTF8(text[:(len(text)-beyond)/2]+text[(len(text)+beyond)/2:], "")
	beyond = len(text) - len(scanned)
	all := hide(scanned)
	if beyond == 0 && len(all) <= maxMessage {
		return all
	}
	half := min(len(all), maxMessage-64) / 2 // with room for the line between
	begin, end := strings.ToValidUTF8(all[:half], ""), strings.ToValidUTF8(all[len(all)-half:], "")
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", begin, len(all)+beyond-len(begin)-len(end), end)
}

// Message returns what the user said word for word, in a code block with its time.
func (e Entry) Message() string {
	fence := "```"
	for strings.Contains(e.Text, fence) {
		fence += "`"
	}
	return "The user, " + checkpoint.FormatTime(e.At) + ":\n\n" + fence + "text\n" + e.Text + "\n" + fence
}

var messages = text.Regexp(`(?ms)^The user, \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ:$.*`)

// Messages returns the end of a text, from the first message in the form of Entry.Message on.
func Messages(s string) string { return messages.Get().FindString(s) }

// Words are the messages of the user in one session that no operation took up. An operation takes up messages by
// recording them in a checkpoint, word for word or in other words.
type Words struct {
	Session string
	Agent   string
	Said    []Entry // the oldest first
	Lost    int     // how many of them were said before the session last lost its context
}

// Name returns the name of the session for use in texts: its shortened id, and its agent.
func (w Words) Name() string { return sessionName(Work{Session: w.Session, Agent: w.Agent}, "") }

// sameMessage is the maximum time between two calls of hooks for one message.
const sameMessage = 3 * time.Second

// Untaken returns the messages in the entries of one session that no operation took up. An operation takes
// up the oldest messages, unless it was undone. An entry without a text marks that the session lost its context.
// Two entries with the same text and nothing between them come from two hooks.
func Untaken(entries []Entry) Words {
	undone := map[string]bool{}
	for _, e := range slices.Backward(entries) {
		for _, commit := range e.Undoes {
			undone[commit] = undone[commit] || !undone[e.Commit]
		}
	}
	var w Words
	last := Entry{}
	for _, e := range entries {
		w.Session, w.Agent = e.Session, cmp.Or(e.Agent, w.Agent)
		switch {
		case undone[e.Commit] || len(e.Undoes) > 0:
		case e.Event == Operation:
			n := min(len(w.Said), cmp.Or(e.Took, len(w.Said)))
			w.Said, w.Lost = w.Said[n:], max(0, w.Lost-n)
		case e.Text == "":
			w.Lost = len(w.Said)
		case e.Text != last.Text || e.At.Sub(last.At) > sameMessage:
			w.Said = append(w.Said, e)
		}
		last = e
	}
	return w
}

// gone is the format of the text that replaces messages for which a log has no room.
const gone = "[%d messages left out: a session has at most 64 KB]"

// Compact returns the log of a session without messages that operations took up, and in at most limit bytes. If
// the remaining messages have no room, it keeps the first and the newest of them, and counts the rest.
func Compact(entries []Entry, limit int) []byte {
	w := Untaken(entries)
	for {
		var src []byte
		for i, e := range w.Said {
			src = append(src, Encode(e)...)
			e.Text = ""
			if i+1 == w.Lost { // the session lost its context here
				src = append(src, Encode(e)...)
			}
		}
		if len(src) <= limit || len(w.Said) < 3 {
			return src
		}
		n := 0
		if _, err := fmt.Sscanf(w.Said[1].Text, gone, &n); err == nil {
			w.Said, w.Lost = slices.Delete(w.Said, 2, 3), min(w.Lost, max(2, w.Lost-1))
		}
		w.Said[1].Text = fmt.Sprintf(gone, n+1)
	}
}

// WithWords returns the record of a session with what the user said in its prompts. Messages whose
// prompts are no longer in the record come first.
func WithWords(entries, words []Entry) []Entry {
	all, first := slices.Clone(entries), 0
	for _, w := range words {
		at := slices.IndexFunc(all, func(e Entry) bool { return e.Event == w.Event && e.Text == "" && e.At.Equal(w.At) })
		switch {
		case w.Text == "":
		case at >= 0:
			all[at] = w
		default:
			all, first = slices.Insert(all, first, w), first+1
		}
	}
	return all
}
