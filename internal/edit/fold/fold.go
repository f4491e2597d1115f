// Package fold merges the deltas of a checkpoint into its body; later deltas take precedence.
// [Steps] and [Artifacts] return the result; [Fold] writes it into the file, as the column "Compression Behavior" of
// the checkpoint format (003) requires.
//
// A fold does not change the sections that must be kept: problem, intent, decisions, current state,
// next actions and rules.
package fold

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
)

// Detailed is how many of the newest entries of Play-By-Play stay as they are. Older entries keep
// only their first part.
const Detailed = 10

// Result counts what a fold did.
type Result struct {
	Deltas    int // how many deltas were merged into the body
	Left      int // how many of them had sections of their own, which stay in the file
	Shortened int // how many older entries of Play-By-Play were shortened
}

// Fold returns the checkpoint with its deltas merged into its body, or the checkpoint itself if it
// has none. Artifacts are merged by path; what changed is appended to Play-By-Play, with the
// outcome of the status transitions; breadcrumbs are appended to the table Breadcrumbs. A delta's
// own sections stay where they are, byte for byte.
//
// It is an error if the text of any other section would change.
func Fold(c *checkpoint.Checkpoint) (*checkpoint.Checkpoint, Result, error) {
	var res Result
	deltas := c.Deltas()
	res.Deltas = len(deltas)
	if res.Deltas == 0 {
		return c, res, nil
	}
	r := revise.Begin(c).DropDeltas(func(part doc.Section) bool { return Spent(c, part) })
	for _, d := range deltas {
		if slices.ContainsFunc(d.Parts, func(part doc.Section) bool { return !Spent(c, part) }) {
			res.Left++
		}
	}
	res.Shortened = tell(r, c)
	follow(r, c)
	mergeTrail(r, c)
	folded, err := r.Apply()
	if err != nil {
		return nil, res, err
	}
	if k, same := sameSections(c, folded); !same {
		return nil, res, fault.New(fault.Unsupported, "%s: without its deltas the section %q would read differently", c.ID,
			k.String()).
			WithHint("ckpt edit %s: give the headings the levels of the format", c.ID)
	}
	return folded, res, nil
}

// Spent reports whether a fold moves all the content of a part of a delta.
func Spent(c *checkpoint.Checkpoint, part doc.Section) bool {
	switch doc.PlainTitle(part.Title) {
	case whatChanged:
		return true
	case artifacts:
		return listed(c, part.Body, 100)
	case transitions:
		return listed(c, part.Body, known)
	case breadcrumbs:
		return blocksAre(c, part.Body, func(b doc.Block) bool { return isTable(c, b) })
	}
	return false
}

// listed reports whether a span has only entries that [checkpoint.TrailEntries] finds, in rows of at
// most the given number of cells.
func listed(c *checkpoint.Checkpoint, s doc.Span, cells int) bool {
	entries := map[doc.Span]bool{}
	bullets := 0
	for _, e := range checkpoint.TrailEntries(c.Doc, s) {
		entries[e.Span] = true
		if e.Cells == nil {
			bullets++
		}
	}
	for _, t := range c.Doc.Tables(s) {
		for _, row := range t.Rows {
			if entries[row.Span] && len(row.Cells) <= cells {
				continue
			}
			if slices.ContainsFunc(row.Cells, func(cell string) bool { return !checkpoint.IsBareNone(cell) }) {
				return false
			}
		}
	}
	return bullets == len(c.Doc.Items(s)) && blocksAre(c, s, func(b doc.Block) bool {
		return b.Kind == doc.List || isTable(c, b)
	})
}

// blocksAre reports whether the function sort accepts all blocks of a span. Rules and words such as
// "None" are ignored.
func blocksAre(c *checkpoint.Checkpoint, s doc.Span, sort func(doc.Block) bool) bool {
	for _, b := range c.Doc.Blocks(s) {
		none := b.Kind == doc.Paragraph && checkpoint.IsBareNone(c.Doc.Slice(b.Span))
		if b.Kind != doc.Rule && !none && !sort(b) {
			return false
		}
	}
	return true
}

// isTable reports whether a block is a table and nothing else.
func isTable(c *checkpoint.Checkpoint, b doc.Block) bool {
	tables := c.Doc.Tables(b.Span)
	return len(tables) == 1 && tables[0].Span.Start == b.Span.Start
}

// sameSections reports whether a fold left unchanged all sections that it must not change, and returns the first that
// differs. A section can change if the delta after it is removed: the section then extends further.
func sameSections(a, b *checkpoint.Checkpoint) (checkpoint.Kind, bool) {
	for _, k := range checkpoint.Kinds() {
		switch k {
		case checkpoint.Essential, checkpoint.Breadcrumbs, checkpoint.PlayByPlay, checkpoint.Artifacts:
			continue
		}
		if a.Text(k) != b.Text(k) {
			return k, false
		}
	}
	return 0, true
}

// tell appends the deltas to the entries of Play-By-Play. Entries other than the newest keep only
// their first part. It returns how many of the existing entries it shortened.
func tell(r *revise.Revision, c *checkpoint.Checkpoint) int {
	items, steps := c.Steps(), Steps(c)
	older := max(len(items)+len(steps)-Detailed, 0) // how many entries are shortened
	for i, s := range steps {
		text := s.Text()
		if len(items)+i < older {
			text = s.Line()
		}
		r.Bullet(checkpoint.PlayByPlay, text)
	}
	shortened := 0
	for _, item := range items[:min(older, len(items))] {
		rest := doc.Span{Start: checkpoint.FirstPart(c.Doc, item).End, End: item.Span.End}
		text := c.Doc.Slice(rest)
		if strings.TrimSpace(text) != "" {
			r.Splice(doc.Replace(rest, text[len(strings.TrimSuffix(text, "\n")):])) // keeps the line break
			shortened++
		}
	}
	return shortened
}

// follow appends the breadcrumbs of deltas, except those that the file already has.
func follow(r *revise.Revision, c *checkpoint.Checkpoint) {
	seen := map[string]bool{}
	for _, b := range c.Breadcrumbs() {
		seen[b.Reference] = true
	}
	for _, d := range c.Deltas() {
		for _, part := range d.Parts {
			if doc.PlainTitle(part.Title) != breadcrumbs {
				continue
			}
			for _, t := range c.Doc.Tables(part.Body) {
				for _, row := range t.Rows {
					if len(row.Cells) > 1 && !seen[strings.Trim(row.Cells[1], "` ")] {
						seen[strings.Trim(row.Cells[1], "` ")] = true
						r.Row(checkpoint.Breadcrumbs, row.Cells...)
					}
				}
			}
		}
	}
}

// mergeTrail merges the artifacts of deltas into the Artifact Trail, one entry per file, in the
// order of their last mention.
func mergeTrail(r *revise.Revision, c *checkpoint.Checkpoint) {
	old, fresh := body(c), touched(c)
	if len(fresh) == 0 {
		return
	}
	all := merged(old, fresh)
	inBody := map[doc.Span]bool{} // the entries of the body, and whether each stays
	for _, e := range old {
		inBody[e.Span] = false
	}
	for _, e := range all {
		if _, ok := inBody[e.Span]; ok {
			inBody[e.Span] = true
		} else {
			r.Row(checkpoint.Artifacts, row(e)...)
		}
	}
	for _, e := range old {
		if !inBody[e.Span] {
			r.Splice(doc.Replace(e.Span, ""))
		}
	}
}
