package schema

import (
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
)

// words has the names of a schema for the states of a task.
type words struct{ open, doing, done, skipped string }

var (
	todoWords = words{open: "pending", doing: "in_progress", done: "completed", skipped: "completed"}
	planWords = words{open: "pending", doing: "running", done: "completed", skipped: "skipped"}
)

// tasks returns a field for a list of tasks: the entries of Next Actions, each with a mark. Key is the
// member with the text of a task; a bare string is an open task.
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
			status, _ := member[string](e, "status")
			switch status {
			case w.doing, w.done, w.skipped:
				return status
			}
			return w.open // any status without a mark in Next Actions means open
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

// finished is the text that `ckpt done` appends to an action that it moves to Play-By-Play.
const finished = " → done"

// tasksOf returns the actions that were moved to Play-By-Play and are not in Next Actions, then the actions in Next
// Actions, and then the moved actions that are also open in Next Actions.
func tasksOf(c *checkpoint.Checkpoint, key string, w words) []value.Object {
	var all, past []value.Object
	over := map[string]bool{} // by the text of an action in Next Actions: whether it is done
	for _, a := range c.Actions() {
		status, text := w.open, a.Text
		inner, struck := strings.CutPrefix(text, "~~")
		switch {
		case struck && strings.HasSuffix(inner, "~~"):
			status, text = w.skipped, strings.TrimSuffix(inner, "~~")
		case a.Done:
			status = w.done
		case a.Begun:
			status = w.doing
		}
		over[oneLine(text)] = over[oneLine(text)] || status == w.done || status == w.skipped
		all = append(all, value.Object{{Key: key, Value: text}, {Key: "status", Value: status}})
	}
	for _, s := range steps(c) {
		text, ok := strings.CutSuffix(s, finished)
		task := value.Object{{Key: key, Value: text}, {Key: "status", Value: w.done}}
		if done, listed := over[oneLine(text)]; ok && !listed {
			past = append(past, task)
		} else if ok && !done {
			all = append(all, task)
		}
	}
	return append(past, all...)
}

// pathHint returns the hint of breadcrumbs for the files in a member of a context; "" for a member without files.
func pathHint(member string) string {
	switch member {
	case "brd_file":
		return "requirements"
	case "spec_files":
		return "specification"
	}
	return ""
}

// notes is the member of a context for facts without a name.
const notes = "notes"

// facts returns a field whose value is an object of facts. The lines of Technical Context are its members. If
// places is true, the project is in the frontmatter and the files are in the breadcrumbs instead.
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
				hint := pathHint(m.Key)
				switch {
				case places && hint != "":
					for _, file := range texts(m.Value) {
						if name := oneLine(file); name != "" {
							d.crumbs = append(d.crumbs, checkpoint.Breadcrumb{Type: "file", Reference: name, Hint: hint})
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

// crumbsOf returns o, a context, with the files that the breadcrumbs name.
func crumbsOf(c *checkpoint.Checkpoint, o value.Object) value.Object {
	var specs []string
	for _, crumb := range c.Breadcrumbs() {
		switch crumb.Hint {
		case pathHint("brd_file"):
			o = value.Set(o, crumb.Reference, "brd_file")
		case pathHint("spec_files"):
			specs = append(specs, crumb.Reference)
		}
	}
	if len(specs) > 0 {
		o = value.Set(o, list(specs), "spec_files")
	}
	return o
}

// nameOf returns the name of a fact, and whether it has one.
func nameOf(fact string) (string, bool) {
	name, _, ok := strings.Cut(fact, ": ")
	return name, ok && isName(name)
}

// isName reports whether a word can be the name of a fact.
func isName(key string) bool {
	return key != "" && !strings.ContainsFunc(key, func(r rune) bool {
		return r != '_' && r != '-' && r != '.' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}
