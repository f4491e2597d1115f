package revise

import (
	"bytes"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
)

// drafted lists the sections that a draft has after the problem.
var drafted = []checkpoint.Kind{checkpoint.Intent, checkpoint.State, checkpoint.Next, checkpoint.Rules}

// draftGuide explains a draft.
const draftGuide = "<!-- Save and close to begin the checkpoint. An empty text begins none. -->"

// Draft returns the text in which a person writes a new checkpoint: the problem comes first, then a
// few sections. Comments explain each.
func Draft() string {
	var b strings.Builder
	b.WriteString("\n" + checkpoint.Problem.Template().Guide + "\n" + draftGuide + "\n")
	for _, k := range drafted {
		t := k.Template()
		b.WriteString("\n" + strings.Repeat("#", t.Level) + " " + t.Title + "\n")
		if t.Guide != "" {
			b.WriteString("\n" + t.Guide + "\n")
		}
	}
	return b.String()
}

// ParseDraft returns what a person wrote into a draft, as Markdown for [Create]. It leaves out the comments
// and the empty sections of the draft. It reports whether the text has a problem.
func ParseDraft(src []byte) (text []byte, hasProblem bool) {
	var kept bytes.Buffer
	for line := range bytes.Lines(src) {
		bare := bytes.TrimSpace(line)
		if !checkpoint.IsGuide(bare) && string(bare) != draftGuide {
			kept.Write(line)
		}
	}
	d, err := doc.Parse(append([]byte("\n"), kept.Bytes()...))
	if err != nil {
		return kept.Bytes(), true
	}
	parts := []string{d.Text(d.Preamble())}
	hasProblem = parts[0] != ""
	for _, s := range d.Sections() {
		kind, _ := checkpoint.KindNamed(s.Title)
		empty := d.Text(s.Body) == ""
		if kind == checkpoint.Problem && !empty {
			hasProblem = true
		}
		if !empty || !slices.Contains(drafted, kind) {
			parts = append(parts, strings.TrimSpace(d.Slice(doc.Span{Start: s.Heading.Start, End: s.Body.End})))
		}
	}
	return []byte(paragraphs(parts)), hasProblem
}
