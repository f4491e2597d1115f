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
	Stamp   string   // the time, written as in the delta
	Did     string   // the first paragraph of What Changed, on one line
	Rest    string   // the text below the first paragraph, unchanged
	Outcome []string // "Phase 1: done": the final status of the items that no later delta moved
	Report  bool     // the delta is the report that replaced a mark
}

// Line returns the step on one line: when → what → outcome.
func (s Step) Line() string {
	var parts []string
	for _, part := range []string{s.Stamp, s.Did, strings.Join(s.Outcome, "; ")} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " → ")
}

// Text returns the line of the step, followed by Rest.
func (s Step) Text() string {
	if s.Rest == "" {
		return s.Line()
	}
	return s.Line() + "\n\n" + s.Rest
}

// Steps returns the deltas of a checkpoint as entries of Play-By-Play, oldest first.
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

// changed returns the text of What Changed. If the delta has that heading twice, the texts are
// joined.
func changed(c *checkpoint.Checkpoint, d checkpoint.Delta) string {
	var texts []string
	for _, part := range d.Parts {
		if doc.PlainTitle(part.Title) == whatChanged {
			if text := c.Doc.Text(part.Body); text != "" {
				texts = append(texts, text)
			}
		}
	}
	return strings.Join(texts, "\n\n")
}

// block matches the first line of a block that is not a paragraph: a list, a fence, a
// quote, a table, HTML.
var block = text.Regexp("^ {0,3}([-*+] |[0-9]+[.)] |```|~~~|>|\\||<|    |\t)")

// lead returns the first paragraph of a text on one line, and the rest of the text unchanged.
func lead(text string) (first, rest string) {
	text = strings.Trim(text, "\n")
	at := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" || block.Get().MatchString(line) {
			break
		}
		at += len(line)
	}
	return strings.Join(strings.Fields(text[:at]), " "), strings.Trim(text[at:], "\n")
}

// outcomes returns for each delta the items that no later delta moves, with their final status. It
// leaves out items that are back at their first status.
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

// Artifacts returns the files of the trail and of the deltas in the order of their last mentions.
// The last mention counts, but if it has no description, an earlier one is kept. A renamed file has
// its new name.
func Artifacts(c *checkpoint.Checkpoint) []checkpoint.Artifact {
	var all []checkpoint.Artifact
	for _, e := range merged(body(c), touched(c)) {
		all = append(all, e.Artifact)
	}
	return all
}

// Mentions returns the entries of the trail and of the deltas' artifacts, in the order of the file.
func Mentions(c *checkpoint.Checkpoint) []checkpoint.TrailEntry {
	return slices.Concat(body(c), touched(c))
}

// body returns the entries of the Artifact Trail.
func body(c *checkpoint.Checkpoint) []checkpoint.TrailEntry {
	p, _ := c.Find(checkpoint.Artifacts)
	return checkpoint.TrailEntries(c.Doc, p.Extent)
}

// touched returns the entries of the deltas' artifacts, in order. Columns beyond those
// of the format are added to the description.
func touched(c *checkpoint.Checkpoint) []checkpoint.TrailEntry {
	var all []checkpoint.TrailEntry
	for _, d := range c.Deltas() {
		for _, part := range d.Parts {
			if doc.PlainTitle(part.Title) == artifacts {
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

// merged returns one entry per file, in the order of the last mentions.
func merged(lists ...[]checkpoint.TrailEntry) []checkpoint.TrailEntry {
	last := map[string]int{}
	all := slices.Concat(lists...)
	for i, e := range all {
		file := key(e.File)
		if was, again := last[file]; again {
			all[i] = over(all[was], e)
		}
		if m := renamed.Get().FindStringSubmatch(e.Change); m != nil {
			delete(last, key(m[1]))
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

// over returns the later of two entries of a file. A missing description, and missing columns beyond those of the
// format, are taken from the earlier entry.
func over(was, now checkpoint.TrailEntry) checkpoint.TrailEntry {
	now.Change = cmp.Or(now.Change, was.Change)
	if len(was.Cells) > known && len(now.Cells) <= known {
		now.Cells = append(row(now), was.Cells[known:]...)
	}
	return now
}

// known is the number of columns that the format defines for an artifact.
const known = 3

// Cell returns the name of a file for a cell of a table. A text in backticks, such as a list of several names, stays.
func Cell(file string) string {
	if strings.HasPrefix(file, "`") && strings.HasSuffix(file, "`") {
		return file
	}
	return checkpoint.Code(file)
}

// row returns the cells of an entry.
func row(e checkpoint.TrailEntry) []string {
	cells := []string{Cell(e.File), e.Action, e.Change}
	if len(e.Cells) > 0 && strings.Contains(e.File, "`") { // the cell may have several names
		cells[0] = e.Cells[0]
	}
	if len(e.Cells) > known {
		cells = append(cells, e.Cells[known:]...)
	}
	return cells
}

// renamed matches the former name of a file in the description that ckpt writes.
var renamed = text.Regexp("^renamed from `+ ?([^`]+?) ?`+")

// The subsections of a delta that a fold moves, by their plain titles.
const (
	whatChanged = "what changed"
	artifacts   = "artifacts"
	transitions = "status transitions"
	breadcrumbs = "breadcrumbs"
)
