package revise

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// StrikeBreadcrumb strikes out the reference of the nth of [checkpoint.Checkpoint.Breadcrumbs],
// counted from 0, and writes a text after it. Without such a reference it does nothing.
func (r *Revision) StrikeBreadcrumb(n int, behind string) *Revision {
	all := r.c.Breadcrumbs()
	if n < 0 || n >= len(all) || all[n].Cell.Len() == 0 {
		return r
	}
	r.edits = append(r.edits, strike(r.c, all[n].Cell, true, text.OneLine(behind)))
	return r
}

// Decide adds a decision. With supersedes, it strikes out the one live decision that contains that
// text and names the new decision after it.
func (r *Revision) Decide(what, why, supersedes string) *Revision {
	if supersedes != "" {
		old, err := liveDecision(r.c, supersedes)
		if err != nil {
			r.fail(err)
			return r
		}
		r.edits = append(r.edits, strike(r.c, old.Words, old.InTable, "→ **"+text.OneLine(what)+"**"))
	}
	return r.Bullet(checkpoint.Decisions, checkpoint.DecisionText(what, why))
}

// liveDecision returns the one live decision whose What is s. If there is none, it returns the one that contains s.
func liveDecision(c *checkpoint.Checkpoint, s string) (checkpoint.Decision, error) {
	lacks := func(d checkpoint.Decision) bool { return !d.Live() || !containsFold(d.Text, s) }
	all := slices.DeleteFunc(c.Decisions(), lacks)
	isPart := func(d checkpoint.Decision) bool { return !strings.EqualFold(d.What, s) }
	found := slices.DeleteFunc(slices.Clone(all), isPart)
	if len(found) == 0 {
		found = all
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return checkpoint.Decision{}, fault.New(fault.NotFound, "%s has no live decision that contains %q", c.ID, s).
			WithHint("ckpt show %s --section decisions", c.ID)
	}
	var listed []string
	for _, d := range found {
		listed = append(listed, text.Shorten(text.FirstLine(d.Text), 80))
	}
	return checkpoint.Decision{}, fault.New(fault.Usage, "%q matches %d decisions of %s: %s", s, len(found), c.ID,
		strings.Join(listed, "; ")).
		WithHint("give more of the text")
}

// supersede strikes out the decision A if the entry has the form "~~**A**: why~~ → **B**". It reports whether the entry
// has this form and the checkpoint has a decision A.
func (r *Revision) supersede(entry string) bool {
	struck, known := checkpoint.ReadDecision(entry), false
	for _, old := range r.c.Decisions() {
		if !struck.Struck || !strings.EqualFold(old.What, struck.What) {
			continue
		}
		known = true
		isDone := slices.ContainsFunc(r.edits, func(e doc.Edit) bool { return e.Span == old.Words })
		if old.Live() && !isDone {
			behind := entry[strings.LastIndex(entry, "~~")+len("~~"):]
			r.edits = append(r.edits, strike(r.c, old.Words, old.InTable, strings.TrimLeft(text.OneLine(behind), "*_ ")))
		}
	}
	return known
}

// strike returns the edit that strikes out a span and writes a text after it. For a bullet with nested
// lines, the span is only its first part: Markdown has no way to strike out a list.
func strike(c *checkpoint.Checkpoint, words doc.Span, inTable bool, behind string) doc.Edit {
	s := strings.NewReplacer(`\~~`, "", "~~", "").Replace(c.Doc.Slice(words))
	if inTable {
		behind = strings.ReplaceAll(behind, "|", `\|`)
	}
	return doc.Replace(words, strings.TrimSpace("~~"+s+"~~ "+behind))
}
