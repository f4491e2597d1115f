// Package fold is a checkpoint as of now: its deltas taken into what its body says,
// later words winning. [Steps] and [Artifacts] say it; [Fold] writes it into the
// file, by the format's column "Compression Behavior".
//
// What must be kept (problem, intent, decisions, state, next actions, rules) is not
// touched by any of them, but for [State]: the statuses in tables of Current State.
package fold

import (
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// Step is a delta as an entry of Play-By-Play.
type Step struct {
	Stamp   string   // as the delta has it
	Did     string   // what changed: its first paragraph, on one line
	Rest    string   // what it says below that, as it is
	Outcome []string // "Phase 1: done": what came of the items that this delta moved last
	Report  bool     // it took the place of a mark
}

// Line is the step on one line: when → what → outcome.
func (s Step) Line() string {
	var parts []string
	for _, part := range []string{s.Stamp, s.Did, strings.Join(s.Outcome, "; ")} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " → ")
}

// Text is the step with all that it says.
func (s Step) Text() string {
	if s.Rest == "" {
		return s.Line()
	}
	return s.Line() + "\n\n" + s.Rest
}

// Steps are the deltas of a checkpoint as entries of Play-By-Play, oldest first.
func Steps(c *checkpoint.Checkpoint) []Step {
	deltas := c.Deltas()
	moved := outcomes(deltas)
	var all []Step
	for i, d := range deltas {
		s := Step{Stamp: cmp.Or(d.Stamp, "undated"), Outcome: moved[i], Report: d.IsReport()}
		s.Did, s.Rest = lead(changed(c, d))
		if s.Did != "" || s.Rest != "" || len(s.Outcome) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// changed is What Changed, all of it where the heading stands twice.
func changed(c *checkpoint.Checkpoint, d checkpoint.Delta) string {
	var texts []string
	for _, part := range d.Parts {
		if kindOf(part) == whatChanged {
			if text := c.Doc.Text(part.Body); text != "" {
				texts = append(texts, text)
			}
		}
	}
	return strings.Join(texts, "\n\n")
}

// block is what is no line of a paragraph: a list, a fence, a quote, a table, HTML.
var block = text.Regexp("^ {0,3}([-*+] |[0-9]+[.)] |```|~~~|>|\\||<|    |\t)")

// lead is the first paragraph of a text on one line, and the rest as it is.
func lead(text string) (first, rest string) {
	text = strings.Trim(text, "\n")
	at := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" || block.MatchString(line) {
			break
		}
		at += len(line)
	}
	return strings.Join(strings.Fields(text[:at]), " "), strings.Trim(text[at:], "\n")
}

// outcomes are the status transitions applied: by delta, each item that it was the
// last to move, and where to. One that is back where it began is left out.
func outcomes(deltas []checkpoint.Delta) map[int][]string {
	type move struct {
		by            int
		before, after string
	}
	moves := map[string]move{}
	for i, d := range deltas {
		for _, t := range d.Transitions {
			m, again := moves[t.Item]
			if !again {
				m.before = t.Before
			}
			m.by, m.after = i, t.After
			moves[t.Item] = m
		}
	}
	all := map[int][]string{}
	for i, d := range deltas {
		for _, t := range d.Transitions {
			if m, ok := moves[t.Item]; ok && m.by == i {
				delete(moves, t.Item)
				if m.before != m.after {
					all[i] = append(all[i], t.Item+": "+m.after)
				}
			}
		}
	}
	return all
}

// Artifacts are the files of the trail and of the deltas: one entry a file, the one
// that was mentioned last at the end. Its last mention counts; a description stays
// where a later mention has none. Of a renamed file the new name is listed.
func Artifacts(c *checkpoint.Checkpoint) []checkpoint.Artifact {
	var all []checkpoint.Artifact
	for _, e := range merged(body(c), touched(c)) {
		all = append(all, e.Artifact)
	}
	return all
}

// body are the entries of the Artifact Trail.
func body(c *checkpoint.Checkpoint) []checkpoint.TrailEntry {
	p, ok := c.Find(checkpoint.Artifacts)
	if !ok {
		return nil
	}
	return checkpoint.TrailEntries(c.Doc, p.Extent)
}

// touched are the entries of the deltas' artifacts, in their order. What a row says
// in columns beyond the format's belongs to its description.
func touched(c *checkpoint.Checkpoint) []checkpoint.TrailEntry {
	var all []checkpoint.TrailEntry
	for _, d := range c.Deltas() {
		for _, part := range d.Parts {
			if kindOf(part) == artifacts {
				for _, e := range checkpoint.TrailEntries(c.Doc, part.Body) {
					if len(e.Cells) > known {
						said := slices.DeleteFunc(slices.Clone(e.Cells[known-1:]), func(cell string) bool { return cell == "" })
						e.Change, e.Cells = strings.Join(said, " — "), e.Cells[:known]
					}
					all = append(all, e)
				}
			}
		}
	}
	return all
}

// merged is one entry a file, in the order of the last mentions.
func merged(lists ...[]checkpoint.TrailEntry) []checkpoint.TrailEntry {
	last := map[string]int{}
	all := slices.Concat(lists...)
	for i, e := range all {
		file := key(e.File)
		if was, again := last[file]; again {
			all[i] = over(all[was], e)
		}
		if from := renamedFrom(e.Change); from != "" {
			delete(last, key(from))
		}
		last[file] = i
	}
	var kept []checkpoint.TrailEntry
	for i, e := range all {
		if at, ok := last[key(e.File)]; ok && at == i {
			kept = append(kept, e)
		}
	}
	return kept
}

func key(file string) string { return strings.TrimPrefix(file, "./") }

// over is a later entry of a file with what only the earlier one says: a
// description, or cells of columns that the format does not know.
func over(was, now checkpoint.TrailEntry) checkpoint.TrailEntry {
	if now.Change == "" {
		now.Change = was.Change
	}
	if len(was.Cells) > known && len(now.Cells) <= known {
		now.Cells = append(row(now), was.Cells[known:]...)
	}
	return now
}

// known is how many columns the format has for an artifact.
const known = 3

// Cell is a file's name as a cell says it. Several names in one cell have backticks
// of their own.
func Cell(file string) string {
	if strings.HasPrefix(file, "`") && strings.HasSuffix(file, "`") {
		return file
	}
	return checkpoint.Code(file)
}

// row is an entry as the cells of a row.
func row(e checkpoint.TrailEntry) []string {
	cells := []string{Cell(e.File), e.Action, e.Change}
	if len(e.Cells) > 0 && strings.Contains(e.File, "`") { // however many names it holds
		cells[0] = e.Cells[0]
	}
	if len(e.Cells) > known {
		cells = append(cells, e.Cells[known:]...)
	}
	return cells
}

var renamed = text.Regexp("^renamed from `+ ?([^`]+?) ?`+")

// renamedFrom is the former name of a file, as ckpt writes it; "" for none.
func renamedFrom(change string) string {
	if m := renamed.FindStringSubmatch(change); m != nil {
		return m[1]
	}
	return ""
}

// part is what a subsection of a delta is.
type part int

const (
	own part = iota // its writer's own
	whatChanged
	artifacts
	transitions
	breadcrumbs
)

func kindOf(s doc.Section) part {
	switch strings.ToLower(strings.Trim(s.Title, "*_`: \t")) {
	case "what changed":
		return whatChanged
	case "artifacts":
		return artifacts
	case "status transitions":
		return transitions
	case "breadcrumbs":
		return breadcrumbs
	}
	return own
}
