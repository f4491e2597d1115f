package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
)

// Cut is the event of an entry that says that the session lost its context.
const Cut = "cut"

// maxMessage is how many bytes the line of a message has at most. Of a longer message the beginning
// and the end are kept, and only maxScanned bytes of each are searched for secrets.
const (
	maxMessage = 16 << 10
	maxScanned = 32 << 10
	maxNames   = 300 // how many bytes the names of agent and session take in a line, at most
)

// IsMessage reports whether a prompt is what a user said. Agents also use prompts for commands and
// for texts of their own, which begin with a mark.
func IsMessage(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	return prompt != "" && !strings.ContainsRune("/<!", rune(prompt[0]))
}

// Message returns a message as it is recorded, as hide returns it.
func Message(text string, hide func(string) string) string {
	text = strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\r\n", "\n"))
	beyond := max(0, len(text)-2*maxScanned)
	all := hide(strings.ToValidUTF8(text[:(len(text)-beyond)/2]+text[(len(text)+beyond)/2:], ""))
	for kept, size := all, len(all); ; size -= size/8 + 1 { // in the line an escape takes more bytes
		if size < len(all) || beyond > 0 {
			begin, end := strings.ToValidUTF8(all[:size/2], ""), strings.ToValidUTF8(all[len(all)-size/2:], "")
			kept = fmt.Sprintf("%s\n[%d bytes left out]\n%s", begin, len(all)+beyond-len(begin)-len(end), end)
		}
		if len(Encode(Entry{Text: kept})) <= maxMessage-maxNames {
			return kept
		}
	}
}

// Said is a message of the user.
type Said struct {
	At   time.Time
	Text string
}

// Markdown returns the message word for word, in a code block with its time.
func (s Said) Markdown() string {
	fence := "```"
	for strings.Contains(s.Text, fence) {
		fence += "`"
	}
	return "The user, " + checkpoint.FormatTime(s.At) + ":\n\n" + fence + "text\n" + s.Text + "\n" + fence
}

// InOrder returns the messages of several sessions, the oldest first.
func InOrder(all []Words) []Said {
	var said []Said
	for _, w := range all {
		said = append(said, w.Said...)
	}
	slices.SortStableFunc(said, func(a, b Said) int { return a.At.Compare(b.At) })
	return said
}

// Words are the messages of one session that no operation took up.
type Words struct {
	Session string
	Agent   string
	Said    []Said // the oldest first
	Lost    int    // how many of them were said before the session last lost its context
}

// Name returns the name of the session for a text.
func (w Words) Name() string { return sessionName(Work{Session: w.Session, Agent: w.Agent}, "") }

// All is the number in an entry of an operation that took up all messages before it.
const All = -1

// sameMessage is the time within which two hooks are called for one message.
const sameMessage = 3 * time.Second

// Untaken returns what is left of the messages in the entries of one session. An entry of an
// operation has the number of messages that it took up, from the oldest on. Two entries with the
// same text come from two hooks, if nothing is between them.
func Untaken(entries []Entry) Words {
	var w Words
	last := Entry{}
	for _, e := range entries {
		w.Session, w.Agent = e.Session, cmp.Or(e.Agent, w.Agent)
		switch {
		case e.Event == Cut:
			w.Lost = len(w.Said)
		case e.Event == Operation:
			n := len(w.Said)
			if e.Took != All {
				n = min(n, e.Took)
			}
			w.Said, w.Lost = w.Said[n:], max(0, w.Lost-n)
		case e.Text != last.Text || e.At.Sub(last.At) > sameMessage:
			w.Said = append(w.Said, Said{e.At, e.Text})
		}
		last = e
	}
	return w
}

// WithWords returns the record of a session with what the user said in its prompts. A message comes
// first if the record of its prompt is gone.
func WithWords(entries, words []Entry) []Entry {
	said := slices.DeleteFunc(words, func(e Entry) bool { return e.Text == "" })
	entries = slices.Clone(entries)
	for i, e := range entries {
		at := slices.IndexFunc(said, func(s Entry) bool { return e.Event == "prompt" && s.At.Equal(e.At) })
		if at >= 0 {
			entries[i].Text = said[at].Text
			said = slices.Delete(said, at, at+1)
		}
	}
	return append(said, entries...)
}
