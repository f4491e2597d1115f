package main

import (
	"fmt"
	"strings"
)

// source is a table of ckpt's tests from which cases are made.
type source struct {
	kind  string
	file  string // below internal/
	table string // the test or the variable that has the table
	input func(row) object
	want  string            // the field of a row with the answer: a text or files
	rules string            // the rules that every row keeps, and after "!" those that it breaks
	rows  map[string]string // the rules of single rows, by their names
	needs map[string]string // what a reader must be able to do to answer a row, by the row's name
	skip  []string          // rows that are not for other programs
}

// front is the frontmatter of the checkpoints in these tests.
const front = "---\ncheckpoint: chk-a\ncreated: 2026-01-01T00:00:00Z\n---\n\n"

// inBody returns a question about a checkpoint that has a field of a row in its body.
func inBody(field, before, after string) func(row) object {
	return func(r row) object {
		body, _ := r.fields[field].(string)
		return object{"path": "active/chk-a.md", "text": front + before + body + after}
	}
}

func bare(field string) func(row) object {
	return func(r row) object { return object{"text": r.fields[field]} }
}

func byName(key string) func(row) object { return func(r row) object { return object{key: r.name} } }

// inCompletion returns a question about a Completion. About half of them have CRLF.
func inCompletion(r row) object {
	body, _ := r.fields["completion"].(string)
	src := front + "## Completion\n\n" + body
	if len(r.name)%2 == 1 {
		src = strings.ReplaceAll(src, "\n", "\r\n")
	}
	return object{"path": "archive/chk-a.md", "text": src}
}

func problems(r row) object {
	in, name := "active", "chk-auth"
	if r.fields["in"] != nil {
		in = r.fields["in"].(string)
	}
	if r.fields["name"] != nil {
		name = r.fields["name"].(string)
	}
	files := object{in + "/" + name + ".md": r.fields["text"]}
	if other, ok := r.fields["other"].(string); ok {
		_, rest, _ := strings.Cut(other, "checkpoint: ")
		id, _, _ := strings.Cut(rest, "\n")
		files["active/"+id+".md"] = other
	}
	return object{"files": files, "now": "2026-01-03T10:00:00Z"}
}

// tree returns a question about a folder, from lines "[archive/]id[<parent] [created]".
func tree(r row) object {
	files := object{}
	add := func(args []any) {
		for _, line := range args {
			name, created, dated := strings.Cut(line.(string), " ")
			if !dated {
				created = "2026-01-01"
			}
			name, parent, _ := strings.Cut(name, "<")
			src := "---\ncheckpoint: " + name[strings.LastIndexByte(name, '/')+1:] + "\ncreated: " + created + "\n"
			if parent != "" {
				src += "parent: " + parent + "\n"
			}
			if !strings.Contains(name, "/") {
				name = "active/" + name
			}
			files[name+".md"] = src + "---\n"
		}
	}
	made := r.fields["set"].(call)
	if made.name == "broken" {
		for _, path := range made.args[1:] {
			files[path.(string)] = "---\ncheckpoint: a\n" // never closed
		}
		made = made.args[0].(call)
	}
	add(made.args[1:])
	return object{"files": files}
}

// edits returns a question about changes to a checkpoint.
func edits(r row) object {
	in := inBody("body", "", "")(r)
	calls, ok := r.fields["change"].([]call)
	if !ok {
		calls = []call{r.fields["change"].(call)}
	}
	changes := []any{}
	for _, c := range calls {
		changes = append(changes, changeOf(c))
	}
	in["edit"] = changes
	return in
}

// sectionNames has the names of sections by the constants of package checkpoint.
var sectionNames = map[string]string{
	"Problem": "problem", "Intent": "session-intent", "Decisions": "decisions", "Next": "next-actions",
	"Artifacts": "artifact-trail", "Breadcrumbs": "breadcrumbs", "PlayByPlay": "play-by-play", "State": "current-state",
	"Rules": "user-rules",
}

func changeOf(c call) object {
	section := ""
	if len(c.args) > 0 {
		section = sectionNames[fmt.Sprint(c.args[0])]
	}
	switch c.name {
	case "bullet", "Bullet":
		return object{"do": "append", "section": section, "entries": c.args[1:]}
	case "text", "Text":
		return object{"do": "replace", "section": section, "text": c.args[1]}
	case "row", "Row":
		return object{"do": "row", "section": section, "cells": c.args[1:]}
	case "list":
		return object{"do": "list", "section": "next-actions", "entries": c.args}
	case "List":
		return object{"do": "list", "section": section, "entries": c.args[1]}
	case "decide", "Decide":
		return object{"do": "decide", "what": c.args[0], "why": c.args[1], "supersedes": c.args[2]}
	case "done":
		return object{"do": "done", "actions": c.args}
	case "AddSection":
		return object{"do": "section", "text": c.args[0]}
	case "Drop":
		return object{"do": "drop", "key": c.args[0]}
	case "AppendDelta":
		d := c.args[0].(object)
		return object{"do": "delta", "time": "2026-01-02T12:00:00+02:00", "changed": d["Changed"], "more": c.args[1]}
	}
	return object{"do": c.name}
}

func setField(r row) object {
	text := "---\n" + r.fields["before"].(string) + "---\n## A\n"
	text = strings.Replace(text, "---\n", "---\ncheckpoint: chk-a\n", 1)
	return object{"path": "active/chk-a.md", "text": text,
		"edit": []any{object{"do": "set", "key": r.fields["key"], "value": r.fields["value"]}}}
}

func dropField(r row) object {
	text := "---\ncheckpoint: chk-a\n" + r.fields["before"].(string) + "---\nbody"
	return object{"path": "active/chk-a.md", "text": text, "edit": []any{object{"do": "drop", "key": "a"}}}
}

// literal returns a question about writing a text into a section.
func literal(r row) object {
	return object{"path": "active/chk-a.md", "text": front + "### Current State\n\nOld.\n\n## Notes\n",
		"edit": []any{object{"do": "replace", "section": "current-state", "text": r.fields["text"]}}}
}

func merged(r row) object {
	in := object{"base": r.fields["base"], "ours": r.fields["ours"], "theirs": r.fields["theirs"]}
	if in["base"] == nil && !strings.Contains(r.name, "of nothing") {
		in["base"] = r.fields["start"]
	}
	return in
}

func mergedFolders(r row) object {
	in := object{}
	for _, version := range []string{"base", "ours", "theirs"} {
		files, _ := r.fields[version].(object)
		if files == nil {
			files = object{}
		}
		in[version] = files
	}
	return in
}

func learn(r row) object {
	learned := []any{}
	for s := range strings.SplitSeq(r.fields["learnings"].(string), "|") {
		learned = append(learned, s)
	}
	return object{"text": r.fields["src"], "id": "chk-a", "date": "2026-01-02", "learnings": learned}
}

func unlearn(r row) object {
	return object{"text": r.fields["src"], "id": "chk-a", "learnings": []any{"one", "two", "o p"}}
}

func pathAndText(r row) object { return object{"path": r.fields["path"], "text": r.fields["src"]} }

func folderOf(r row) object { return object{"files": r.fields["value"], "now": "2026-01-03T10:00:00Z"} }

// entryOf returns a question about a text as the only entry of Next Actions.
func entryOf(r row) object {
	return object{"path": "active/chk-a.md", "text": front + "### Next Actions\n\n- " + r.name + "\n"}
}

// belowSubheading returns a question about a decision below a subheading.
func belowSubheading(r row) object {
	return object{"path": "active/chk-a.md", "text": front + "### Decisions\n\n- a\n\n#### " + r.name + "\n\n- b\n"}
}

func appended(r row) object {
	in := inBody("before", "", "")(r)
	in["edit"] = []any{object{"do": "append", "section": "decisions", "entries": []any{"new"}}}
	return in
}
