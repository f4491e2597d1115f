package importing

import (
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
)

// isTask reports whether a file is a task of Backlog.md, by the keys of its frontmatter.
func (f file) isTask() bool {
	if f.given == nil {
		return false
	}
	for _, key := range []string{"id", "title", "status", "created_date"} {
		if value, ok := f.given.Front.Get(key); !ok || strings.TrimSpace(value) == "" {
			return false
		}
	}
	return true
}

// taskWords are the sections of a task's headings. Acceptance criteria are what is left to
// do.
var taskWords = map[string]checkpoint.Kind{
	"description": checkpoint.Problem, "acceptance criteria": checkpoint.Next, "definition of done": checkpoint.Next,
}

// task plans the checkpoint of a task of Backlog.md. Title and status of the frontmatter
// also become the title and the Current State; the frontmatter stays whole in Imported.
func (d *Draft) task(f file) error {
	field := func(key string) string {
		value, _ := f.given.Front.Get(key)
		return oneLine(value)
	}
	title, status := field("title"), field("status")
	if checkpoint.CheckNewID(field("id")) == nil {
		d.ID = field("id")
	}
	body := "\n# " + title + "\n" + f.doc.Slice(f.doc.Body()) + "\n\n## Current State\n\nThe task is " + quoted(status) + ".\n"
	d.Finished = strings.EqualFold(status, "done")
	if open := f.tallyOf(f.doc.Body()); !d.Finished && open.boxes == 0 {
		body += "\n## Next Actions\n\n- " + title + "\n"
	}
	made, err := doc.Parse([]byte(body))
	if err != nil {
		return err
	}
	f.doc, f.means = made, taskWords
	d.source = f.lines()
	d.Lines = len(d.source)
	d.made(notes([]file{f}, d.From))
	if d.Finished {
		d.complete("Task done: "+title, field("updated_date"))
	}
	return nil
}

// complete adds a Completion.
func (d *Draft) complete(outcome, date string) {
	text := "\n\n## " + checkpoint.Completion.String() + "\n\n- **Status**: Archived\n- **Outcome**: " + outcome + "\n"
	if t, ok := checkpoint.ParseTime(date); ok {
		text += "- **Date**: " + checkpoint.FormatTime(t) + "\n"
	}
	d.text = append(d.text, text...)
}

func quoted(text string) string { return `"` + text + `"` }
