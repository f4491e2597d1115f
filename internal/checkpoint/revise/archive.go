package revise

import (
	"bytes"
	"path"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

// Archive returns the file for archive/: with a Completion and without a status. It keeps an existing
// Completion and adds the missing fields. The outcome may be empty only if the Completion has one.
func Archive(c *checkpoint.Checkpoint, outcome string, learnings []string,
	now time.Time) (*checkpoint.Checkpoint, error) {
	r := Begin(c).Drop("status")
	p, written := c.Find(checkpoint.Completion)
	if strings.TrimSpace(outcome) == "" && c.Outcome() == "" {
		lacks := c.ID + " has no Completion yet"
		if written {
			lacks = "the Completion of " + c.ID + " has no outcome"
		}
		return nil, fault.New(fault.Usage, "%s: say how it ended", lacks).WithHint("ckpt archive %s --outcome TEXT", c.ID)
	}
	fields, err := checkpoint.MissingFields(c, outcome, learnings, now)
	if err != nil {
		return nil, err
	}
	if !written {
		r.tail = append(r.tail, "## "+checkpoint.Completion.String()+"\n\n"+fields)
	} else if fields != "" {
		r.edits = append(r.edits, completionEdit(c, p, fields))
	}
	done, err := r.Apply()
	if err != nil {
		return nil, err
	}
	return &checkpoint.Checkpoint{Doc: done.Doc, Path: "archive/" + path.Base(c.Path), ID: done.ID}, nil
}

// FormerCompletion is the title that Reopen gives to a Completion that it does not
// remove.
const FormerCompletion = "Former Completion"

// Reopen returns the file for active/. It removes a Completion that has the form in which Archive writes it, and with
// force any. Otherwise the Completion stays as a section called [FormerCompletion], and kept is true.
func Reopen(c *checkpoint.Checkpoint, force bool) (open *checkpoint.Checkpoint, kept bool, err error) {
	r := Begin(c).Set("status", string(checkpoint.Active))
	p, ok := c.Find(checkpoint.Completion)
	kept = ok && !force && !checkpoint.WrittenByArchive(c)
	switch {
	case kept:
		r.edits = append(r.edits, setAside(c, p))
	case ok:
		s := doc.Span{Start: c.Doc.RuleBefore(p.Section.Heading.Start), End: p.Extent.End}
		src := c.Doc.Bytes()
		if s.Start < p.Section.Heading.Start { // Archive wrote it: remove exactly what Archive added
			s.Start = blankBefore(src, s.Start, c.Doc.EOL())
		}
		unended := s.End == len(src) && s.End > 0 && src[s.End-1] != '\n'
		if unended && s.Start > 0 { // before Archive the file had no last line break
			s.Start = breakBefore(src, s.Start, c.Doc.EOL())
		}
		r.edits = append(r.edits, doc.ReplaceSections(s, ""))
	}
	open, err = r.Apply()
	if err != nil {
		return nil, false, err
	}
	return &checkpoint.Checkpoint{Doc: open.Doc, Path: "active/" + path.Base(c.Path), ID: open.ID}, kept, nil
}

// setAside returns the edit that renames a Completion to [FormerCompletion].
func setAside(c *checkpoint.Checkpoint, p checkpoint.Section) doc.Edit {
	at := p.Section.Heading
	return doc.ReplaceSections(at, strings.Replace(c.Doc.Slice(at), p.Section.Title, FormerCompletion, 1))
}

// SetAsideCompletion changes the title of a checkpoint's Completion to [FormerCompletion]. A merge
// does so if one side reopened the checkpoint and the other side changed the Completion.
func SetAsideCompletion(c *checkpoint.Checkpoint) (*checkpoint.Checkpoint, error) {
	p, _ := c.Find(checkpoint.Completion)
	return Begin(c).Splice(setAside(c, p)).Apply()
}

// blankBefore returns the start of the blank line before an offset, or the offset.
func blankBefore(src []byte, at int, eol string) int {
	if b := breakBefore(src, at, eol); b > 0 && b < at && src[b-1] == '\n' {
		return b
	}
	return at
}

// breakBefore returns the start of the line break that ends at an offset, or the offset.
func breakBefore(src []byte, at int, eol string) int {
	if bytes.HasSuffix(src[:at], []byte(eol)) {
		return at - len(eol)
	}
	return at
}

// completionEdit adds fields to an existing Completion: after its own text, before any subsection.
func completionEdit(c *checkpoint.Checkpoint, p checkpoint.Section, fields string) doc.Edit {
	content := c.Doc.Content(p.Section.Body)
	blocks := c.Doc.Blocks(content)
	if len(blocks) == 0 {
		return fillSection(c, p, fields)
	}
	if blocks[len(blocks)-1].Kind != doc.List {
		fields = "\n" + fields
	}
	return insertLines(c, content.End, fields)
}

// ArchivedStep returns the entry for Play-By-Play of the parent that tells how child ended.
func ArchivedStep(child *checkpoint.Checkpoint) string {
	step := child.ID + " → archived"
	if outcome := child.Outcome(); outcome != "" {
		step += " → " + outcome
	}
	return step
}
