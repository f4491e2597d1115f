package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/validate"
)

// kinds has the kinds of questions, each with the function that answers it by ckpt's own packages.
var kinds = map[string]func(object) any{
	"id": answerID, "time": answerTime, "file": answerFile, "fields": answerFields, "headings": answerHeadings,
	"items": answerItems, "tables": answerTables, "sections": answerSections,
	"decisions": answerDecisions, "next": answerNext,
	"trail": answerTrail, "deltas": answerDeltas, "completion": answerCompletion, "current": answerCurrent,
	"lineage": answerLineage, "problems": answerProblems, "edit": answerEdit, "merge": answerMerge,
	"merge-folders": answerMergeFolders, "learnings": answerLearnings, "learn": answerLearn, "unlearn": answerUnlearn,
}

// Answer returns ckpt's answer to a question of a kind.
func Answer(kind string, input object) (any, error) {
	answer, ok := kinds[kind]
	if !ok {
		return nil, fmt.Errorf("no question is called %q", kind)
	}
	return answer(input), nil
}

var (
	unreadable = object{"unreadable": true}
	refused    = object{"refused": true}
)

func texts(v any) (all []string) {
	list, _ := v.([]any)
	for _, s := range list {
		all = append(all, text(s))
	}
	return all
}

func instant(v any) time.Time {
	t, _ := checkpoint.ParseTime(text(v))
	return t
}

// timeOf returns a time as the format writes it, or "".
func timeOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return checkpoint.FormatTime(t)
}

func span(s doc.Span) []any { return []any{s.Start, s.End} }

func list[T any](all []T, as func(T) any) []any {
	out := make([]any, len(all))
	for i, v := range all {
		out[i] = as(v)
	}
	return out
}

func same(s string) any { return s }

func answerID(in object) any {
	id := text(in["id"])
	return object{"valid": checkpoint.CheckID(id) == nil, "new": checkpoint.CheckNewID(id) == nil}
}

func answerTime(in object) any { return object{"time": timeOf(instant(in["text"]))} }

func parse(in object) (*checkpoint.Checkpoint, error) {
	return checkpoint.Parse(text(in["path"]), []byte(text(in["text"])))
}

func answerFile(in object) any {
	c, err := parse(in)
	switch {
	case errors.Is(err, checkpoint.ErrOther):
		return object{"is": "other"}
	case err != nil:
		return object{"is": "unreadable"}
	}
	return object{"is": "checkpoint", "id": c.ID, "status": string(c.Status()), "parent": c.Parent()}
}

func answerFields(in object) any {
	d, err := doc.Parse([]byte(text(in["text"])))
	if err != nil {
		return unreadable
	}
	return object{"fields": list(d.Front.Fields, func(f doc.Field) any { return []any{f.Key, f.Value} })}
}

func answerHeadings(in object) any {
	d, err := doc.Parse([]byte(text(in["text"])))
	if err != nil {
		return unreadable
	}
	return object{"headings": list(d.Sections(), func(s doc.Section) any {
		return object{"level": s.Level, "title": s.Title, "heading": span(s.Heading), "whole": span(s.Whole)}
	})}
}

func answerItems(in object) any {
	d, err := doc.Parse([]byte(text(in["text"])))
	if err != nil {
		return unreadable
	}
	return object{"items": list(d.Items(d.Body()), func(e doc.Entry) any {
		return object{"marker": e.Marker, "text": e.Text, "span": span(e.Span)}
	})}
}

func answerTables(in object) any {
	d, err := doc.Parse([]byte(text(in["text"])))
	if err != nil {
		return unreadable
	}
	row := func(cells []string) any { return list(cells, same) }
	return object{"tables": list(d.Tables(d.Body()), func(t doc.Table) any {
		return object{"header": row(t.Header), "rows": list(t.Rows, func(e doc.Entry) any { return row(e.Cells) })}
	})}
}

func answerSections(in object) any {
	c, err := parse(in)
	if err != nil {
		return unreadable
	}
	return object{"sections": list(c.Sections(), func(s checkpoint.Section) any {
		return object{"name": s.Name(), "heading": span(s.Heading), "extent": span(s.Extent), "text": c.Doc.Text(s.Extent)}
	})}
}

func answerDecisions(in object) any {
	c, err := parse(in)
	if err != nil {
		return unreadable
	}
	return object{"decisions": list(c.Decisions(), func(d checkpoint.Decision) any {
		is := "live"
		switch {
		case d.Struck:
			is = "superseded"
		case d.Aside != "":
			is = "aside"
		}
		return object{"what": d.What, "why": d.Why, "is": is}
	})}
}

func answerNext(in object) any {
	c, err := parse(in)
	if err != nil {
		return unreadable
	}
	return object{"first": c.FirstAction(), "actions": list(c.Actions(), func(a checkpoint.Action) any {
		return object{"number": a.Number, "text": a.Text, "done": a.Done}
	})}
}

func artifact(a checkpoint.Artifact) any { return []any{a.File, a.Action, a.Change} }

func answerTrail(in object) any {
	c, err := parse(in)
	if err != nil {
		return unreadable
	}
	deltas := list(c.Deltas(), func(d checkpoint.Delta) any {
		return object{"artifacts": list(d.Artifacts, artifact), "transitions": list(d.Transitions,
			func(t checkpoint.Transition) any { return []any{t.Item, t.Before, t.After} })}
	})
	return object{"artifacts": list(c.Artifacts(), artifact), "deltas": deltas, "breadcrumbs": list(c.Breadcrumbs(),
		func(b checkpoint.Breadcrumb) any { return []any{b.Type, b.Reference, b.Hint} })}
}

func answerDeltas(in object) any {
	c, err := parse(in)
	if err != nil {
		return unreadable
	}
	return object{"deltas": list(c.Deltas(), func(d checkpoint.Delta) any {
		return object{"time": timeOf(d.At), "changed": d.Changed, "whole": span(d.Section.Whole),
			"parts": list(d.Parts, func(s doc.Section) any { return s.Title })}
	})}
}

func answerCompletion(in object) any {
	c, err := parse(in)
	if err != nil {
		return unreadable
	}
	return object{"outcome": c.Outcome(), "learnings": list(c.Learnings(), same), "completed": timeOf(c.Completed())}
}

// folder returns the files of a question as a set.
func folder(v any) *checkpoint.Set {
	set := &checkpoint.Set{}
	files, _ := v.(object)
	for _, path := range sortedKeys(files) {
		if !checkpoint.IsFile(path) {
			continue
		}
		c, err := checkpoint.Parse(path, []byte(text(files[path])))
		switch {
		case errors.Is(err, checkpoint.ErrOther):
		case err != nil:
			set.Broken = append(set.Broken, checkpoint.Broken{Path: path, Err: err})
		default:
			set.All = append(set.All, c)
		}
	}
	return set
}

func answerCurrent(in object) any {
	set := folder(in["files"])
	marked := list(set.MarkedCurrent(), func(c *checkpoint.Checkpoint) any { return c.ID })
	set.Settle(nil)
	current := ""
	if c := set.Current(); c != nil {
		current = c.ID
	}
	return object{"current": current, "marked": marked,
		"unreadable": list(set.Broken, func(b checkpoint.Broken) any { return b.Path })}
}

func answerLineage(in object) any {
	nodes := []any{}
	for depth, n := range lineage.Build(folder(in["files"])).Walk() {
		nodes = append(nodes, object{"path": n.Checkpoint.Path, "depth": depth, "problems": list(n.Problems,
			func(p lineage.Problem) any { return append([]any{p.Kind.String()}, list(p.Names, same)...) })})
	}
	return object{"nodes": nodes}
}

func answerProblems(in object) any {
	problems := []any{}
	for _, f := range validate.Set(folder(in["files"]), instant(in["now"])).Findings {
		problems = append(problems, []any{f.Code, f.Path, f.Line})
	}
	return object{"problems": problems}
}

// answerEdit makes a list of changes in one revision.
func answerEdit(in object) any {
	c, err := parse(in)
	if err != nil {
		return unreadable
	}
	r := revise.Begin(c)
	changes, _ := in["edit"].([]any)
	for _, change := range changes {
		ch := change.(object)
		switch ch["do"] {
		case "archive":
			c, err = revise.Archive(c, text(ch["outcome"]), texts(ch["learnings"]), instant(ch["time"]))
		case "reopen":
			c, _, err = revise.Reopen(c, false)
		default:
			err = revised(r, ch)
		}
		if errors.Is(err, errUnknown) {
			panic(err) // a mistake in a case
		}
		if err != nil {
			return refused
		}
	}
	if len(changes) != 1 || c.Path == text(in["path"]) {
		c, err = r.Apply()
	}
	if err != nil {
		return refused
	}
	return object{"path": c.Path, "text": string(c.Doc.Bytes())}
}

var errUnknown = errors.New("no change is called")

// revised adds a change to a revision.
func revised(r *revise.Revision, ch object) error {
	k, _ := checkpoint.KindNamed(text(ch["section"]))
	switch ch["do"] {
	case "set":
		r.Set(text(ch["key"]), text(ch["value"]))
	case "drop":
		r.Drop(text(ch["key"]))
	case "append":
		for _, entry := range texts(ch["entries"]) {
			r.Bullet(k, entry)
		}
	case "row":
		r.Row(k, texts(ch["cells"])...)
	case "replace":
		r.Text(k, text(ch["text"]))
	case "list":
		r.List(k, texts(ch["entries"]))
	case "decide":
		r.Decide(text(ch["what"]), text(ch["why"]), text(ch["supersedes"]))
	case "done":
		for _, name := range texts(ch["actions"]) {
			if _, err := r.Done(name); err != nil {
				return err
			}
		}
	case "delta":
		d := checkpoint.Delta{At: instant(ch["time"]), Changed: text(ch["changed"])}
		for _, row := range listsOf(ch["artifacts"]) {
			d.Artifacts = append(d.Artifacts, checkpoint.Artifact{File: row[0], Action: row[1], Change: row[2]})
		}
		for _, row := range listsOf(ch["transitions"]) {
			d.Transitions = append(d.Transitions, checkpoint.Transition{Item: row[0], Before: row[1], After: row[2]})
		}
		r.AppendDelta(d, text(ch["more"]))
	case "section":
		r.AddSection(text(ch["text"]))
	default:
		return fmt.Errorf("%w %q", errUnknown, ch["do"])
	}
	return nil
}

func listsOf(v any) (all [][]string) {
	rows, _ := v.([]any)
	for _, row := range rows {
		all = append(all, texts(row))
	}
	return all
}

// bytesOf returns the bytes of a version, nil if there is none.
func bytesOf(v any) []byte {
	if v == nil {
		return nil
	}
	return []byte(text(v))
}

func answerMerge(in object) any {
	m, err := merge.Markdown(bytesOf(in["base"]), bytesOf(in["ours"]), bytesOf(in["theirs"]))
	if err != nil {
		return refused
	}
	return object{"text": string(m.Bytes)}
}

func answerMergeFolders(in object) any {
	var sets [3]merge.Set
	for i, version := range []string{"base", "ours", "theirs"} {
		sets[i] = merge.Set{}
		files, _ := in[version].(object)
		for path, src := range files {
			sets[i][path] = []byte(text(src))
		}
	}
	noText := func(_, ours, _ []byte) ([]byte, bool, error) { return ours, true, nil }
	r, err := merge.Sets(sets[0], sets[1], sets[2], noText)
	if err != nil {
		return refused
	}
	files := object{}
	for path, src := range r.Files {
		files[path] = string(src)
	}
	return object{"files": files}
}

func answerLearnings(in object) any {
	return object{"learnings": list(learnings.Parse([]byte(text(in["text"]))), func(l learnings.Learning) any {
		return object{"date": l.Date, "id": l.ID, "text": l.Text}
	})}
}

func answerLearn(in object) any {
	out := learnings.Add([]byte(text(in["text"])), text(in["id"]), instant(in["date"]), texts(in["learnings"]))
	return object{"text": string(out)}
}

func answerUnlearn(in object) any {
	out, _, kept := learnings.Remove([]byte(text(in["text"])), text(in["id"]), texts(in["learnings"]))
	return object{"text": string(out), "kept": list(kept, same)}
}

func sortedKeys(o object) []string {
	var keys []string
	for k := range o {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, strings.Compare)
	return keys
}
