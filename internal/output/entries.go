package output

import (
	"fmt"
	"path"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/result"
)

// Entries is a section of a checkpoint, for `ckpt next` and `ckpt note KIND` without a text.
type Entries struct {
	*checkpoint.Checkpoint
	Kind checkpoint.Kind
}

// NextActions prints the open next actions with their numbers.
func NextActions(p *Printer, e Entries) {
	open := e.OpenActions()
	switch {
	case len(e.Actions()) == 0:
		Notes(p, e)
	case len(open) == 0:
		p.remark("no next action of " + e.ID + " is open")
	}
	for _, a := range open {
		mark := fmt.Sprintf("%d. ", a.Number)
		text := strings.ReplaceAll(a.Text, "\n", "\n"+strings.Repeat(" ", len(mark)))
		p.printf("%s\v%s\n", mark, p.prose(strings.ReplaceAll(text, "\n"+strings.Repeat(" ", len(mark))+"\n", "\n\n")))
	}
}

// Notes prints the text of the section.
func Notes(p *Printer, e Entries) {
	text := doc.Given(e.Text(e.Kind))
	if text == "" {
		p.remark(fmt.Sprintf("%s of %s is empty", e.Kind, e.ID))
		return
	}
	p.raw(text + "\n")
}

// entriesJSON is the answer of `ckpt next` and `ckpt note KIND` without a text.
type entriesJSON struct {
	ID      string `json:"id"`
	Path    string `json:"path"`
	Section string `json:"section"` // the name of the section in flags: "next-actions"
	Text    string `json:"text"`    // the Markdown of the section
	// The entries as objects: each has a text, or its parts. A next action has a number, and done if it is done.
	Entries result.List[any] `json:"entries"`
}

// entryJSON is an entry without further parts. Only next actions have a number.
type entryJSON struct {
	Number int    `json:"number,omitempty"`
	Text   string `json:"text"`
	Done   bool   `json:"done,omitempty"`
}

func entriesOf(e Entries, folder Folder) entriesJSON {
	w := entriesJSON{
		ID: e.ID, Path: path.Join(folder.Files, e.Path), Section: e.Kind.Template().Name, Text: doc.Given(e.Text(e.Kind)),
	}
	switch e.Kind {
	case checkpoint.Next:
		for _, a := range e.Actions() {
			w.Entries = append(w.Entries, entryJSON{Number: a.Number, Text: a.Text, Done: a.Done})
		}
	case checkpoint.Decisions:
		w.Entries = anyOf(e.Decisions())
	case checkpoint.Breadcrumbs:
		w.Entries = anyOf(e.Breadcrumbs())
	case checkpoint.Artifacts:
		w.Entries = anyOf(e.Artifacts())
	default:
		if place, ok := e.Find(e.Kind); ok {
			for _, item := range e.Doc.Items(place.Extent) {
				w.Entries = append(w.Entries, entryJSON{Text: doc.Given(item.Text)})
			}
		}
	}
	return w
}

func anyOf[T any](all []T) []any {
	list := make([]any, len(all))
	for i, one := range all {
		list[i] = one
	}
	return list
}
