package checkpoint

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// Archive returns the file for archive/: with a Completion and without a status. If the file has a
// Completion, Archive keeps it and adds the missing fields; the outcome may be empty only then.
func (c *Checkpoint) Archive(outcome string, learnings []string, now time.Time) (*Checkpoint, error) {
	r := c.Revise().Drop("status")
	p, written := c.Find(Completion)
	if !written {
		if strings.TrimSpace(outcome) == "" {
			return nil, fault.New(fault.Usage, "%s has no Completion yet: say how it ended", c.ID).
				WithHint("ckpt archive %s --outcome TEXT", c.ID)
		}
		r.tail = append(r.tail, "## "+Completion.String()+"\n\n"+completionFields(&completed{}, outcome, learnings, now))
	} else {
		have := c.completion(p, unknownField)
		if said := have.texts(outcomeField); len(said) > 0 && outcome != "" &&
			text.OneLine(outcome) != strings.Join(said, " ") {
			return nil, fault.New(fault.Usage, "the Completion of %s has an outcome already", c.ID).
				WithHint("ckpt archive %s, or ckpt edit %s", c.ID, c.ID)
		}
		if fields := completionFields(have, outcome, learnings, now); fields != "" {
			r.edits = append(r.edits, c.completionEdit(p, fields))
		}
	}
	done, err := r.Apply()
	if err != nil {
		return nil, err
	}
	return done.at("archive/" + base(c.Path)), nil
}

// FormerCompletion is the title that Reopen gives to a Completion that it does not
// remove.
const FormerCompletion = "Former Completion"

// Reopen returns the file for active/, without the Completion that Archive wrote. A Completion with
// any other text was written by hand: unless force is set, it stays as a section called
// [FormerCompletion], and kept is true.
func (c *Checkpoint) Reopen(force bool) (open *Checkpoint, kept bool, err error) {
	r := c.Revise().Set("status", string(Active))
	p, ok := c.Find(Completion)
	kept = ok && !force && !c.completedByArchive(p)
	switch {
	case kept:
		at := p.Section.Heading
		heading := strings.Replace(c.Doc.Slice(at), p.Section.Title, FormerCompletion, 1)
		r.edits = append(r.edits, doc.ReplaceSections(at, heading))
	case ok:
		s := doc.Span{Start: c.separator(p.Section.Heading.Start), End: p.Extent.End}
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
	return open.at("active/" + base(c.Path)), kept, nil
}

// completedByArchive reports whether a Completion is exactly what Archive writes, or what a merge
// makes of two of them: each outcome after its date.
func (c *Checkpoint) completedByArchive(p Section) bool {
	have := c.completion(p, unknownField)
	at, ok := ParseTime(strings.Join(have.texts(dateField), " "))
	outcome := strings.Join(have.texts(outcomeField), " ")
	wrote := completionFields(&completed{}, outcome, have.texts(learningsField), at)
	text := strings.TrimSpace(strings.ReplaceAll(c.Doc.Slice(p.Extent), c.Doc.EOL(), "\n"))
	if f, read := ReadCompletion(text); read && len(f.Outcomes) > 1 {
		undated := slices.ContainsFunc(f.Outcomes, func(outcome string) bool {
			date, _, _ := strings.Cut(outcome, ": ")
			_, ok := ParseTime(date)
			return !ok
		})
		return ok && !undated && text == strings.TrimSpace(f.String())
	}
	return ok && text == strings.TrimSpace(wrote)
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

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
