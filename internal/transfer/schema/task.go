package schema

import (
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
)

// words are how a schema calls the states of a task.
type words struct{ open, doing, done, skipped string }

var (
	todoWords = words{"pending", "in_progress", "completed", "completed"}
	planWords = words{"pending", "running", "completed", "skipped"}
)

// tasks is a list of things to do: Next Actions, with a mark each. Key is what they
// say, in each of them; one that is a text alone is yet to be done.
func tasks(path, key string, w words) field {
	text := func(e any) string { s, _ := member[string](e, key); return clean(s) + plain(e) }
	return field{
		path: path, or: []any{},
		read: func(c *checkpoint.Checkpoint) any { return list(tasksOf(c, key, w)) },
		write: func(d *draft, v any) {
			entries, ok := v.([]any)
			d.emptied = ok && len(entries) == 0
			for _, e := range entries {
				says := text(e)
				if strings.TrimSpace(says) == "" {
					continue
				}
				status, _ := member[string](e, "status")
				switch status {
				case w.done:
					says = "[x] " + says
				case w.doing:
					says = "[~] " + says
				case w.skipped:
					says = "[x] ~~" + says + "~~"
				default:
					says = "[ ] " + says
				}
				d.next = append(d.next, says)
			}
		},
		entry: text,
		status: func(e any) string {
			switch status, _ := member[string](e, "status"); status {
			case w.doing, w.done, w.skipped:
				return status
			}
			return w.open // as any state that Next Actions have no mark for
		},
		update: func(stored, says any) any {
			now, _ := value.Get(says, "status")
			if o, ok := stored.(value.Object); ok {
				return value.Set(o, now, "status")
			}
			return says
		},
	}
}

// finished is what `ckpt done` writes behind an action that it moves to Play-By-Play.
const finished = " → done"

// tasksOf are the next actions that were moved to Play-By-Play, then those that
// still stand where they were.
func tasksOf(c *checkpoint.Checkpoint, key string, w words) []value.Object {
	var all, past []value.Object
	known := map[string]bool{}
	for _, a := range c.Actions() {
		status, text := w.open, a.Text
		first, _, _ := strings.Cut(c.Doc.Slice(a.Span), "\n")
		switch inner, struck := strings.CutPrefix(text, "~~"); {
		case struck && strings.HasSuffix(inner, "~~"):
			status, text = w.skipped, strings.TrimSuffix(inner, "~~")
		case a.Done:
			status = w.done
		case strings.Contains(first, "[~] "+firstLine(text)):
			status = w.doing
		}
		known[same(text)] = true
		all = append(all, value.Object{{Key: key, Value: text}, {Key: "status", Value: status}})
	}
	for _, s := range steps(c) {
		if text, ok := strings.CutSuffix(s, finished); ok && !known[same(text)] {
			past = append(past, value.Object{{Key: key, Value: text}, {Key: "status", Value: w.done}})
		}
	}
	return append(past, all...)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// pathHint is what a breadcrumb of a context says of its file.
var pathHint = map[string]string{"brd_file": "requirements", "spec_files": "specification"}

// notes is the key of a context's facts that have no name.
const notes = "notes"

// facts is a record of working memory: Technical Context, a fact a line. With
// places, project and files have a place of their own.
func facts(path string, places bool, or any) field {
	return field{
		path: path, or: or,
		read: func(c *checkpoint.Checkpoint) any {
			var o value.Object
			if name := c.Field("project"); places && name != "" {
				o = value.Set(o, name, "project_name")
			}
			var loose []string
			if p, ok := c.Find(checkpoint.Context); ok {
				for _, item := range c.Doc.Items(p.Extent) {
					key, text, ok := strings.Cut(item.Text, ": ")
					if ok && isName(key) && key != notes {
						o = value.Set(o, text, key)
					} else if !checkpoint.IsNone(item.Text) {
						loose = append(loose, item.Text)
					}
				}
			}
			if places {
				o = crumbsOf(c, o)
			}
			if len(loose) > 0 {
				o = value.Set(o, list(loose), notes)
			}
			if len(o) == 0 {
				return nil
			}
			return o
		},
		write: func(d *draft, v any) {
			o, _ := v.(value.Object)
			for _, m := range o {
				text, isScalar := scalar(m.Value)
				hint, isPlace := pathHint[m.Key]
				switch {
				case places && isPlace:
					for _, file := range texts(m.Value) {
						if file = same(file); file != "" {
							d.crumbs = append(d.crumbs, checkpoint.Breadcrumb{Type: "file", Reference: file, Hint: hint})
						}
					}
				case places && m.Key == "project_name" && isScalar:
					d.head["project"] = text
				case m.Key == notes:
					d.facts = append(d.facts, texts(m.Value)...)
				case isScalar && isName(m.Key) && strings.TrimSpace(text) != "" && !strings.Contains(text, "\n"):
					d.facts = append(d.facts, m.Key+": "+text)
				}
			}
		},
	}
}

// crumbsOf adds the files that breadcrumbs name.
func crumbsOf(c *checkpoint.Checkpoint, o value.Object) value.Object {
	var specs []string
	for _, crumb := range c.Breadcrumbs() {
		switch crumb.Hint {
		case pathHint["brd_file"]:
			o = value.Set(o, crumb.Reference, "brd_file")
		case pathHint["spec_files"]:
			specs = append(specs, crumb.Reference)
		}
	}
	if len(specs) > 0 {
		o = value.Set(o, list(specs), "spec_files")
	}
	return o
}

// isName says whether a word is the name of a fact.
func isName(key string) bool {
	return key != "" && !strings.ContainsFunc(key, func(r rune) bool {
		return r != '_' && r != '-' && r != '.' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}
