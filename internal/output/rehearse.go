package output

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/token"
)

// Rehearsal gives the score, then what the brief could not answer, by section, then
// what no brief would make better.
func (p Text) Rehearsal(r *brief.Rehearsal) error {
	if r == nil {
		return p.done()
	}
	style, b := p.pen(), r.Brief.Brief
	all := r.Score()
	size := text.Count(token.Estimate(r.Brief.Text), "token")
	if !r.Brief.Limit.None() {
		size += ", at most " + r.Brief.Limit.String()
	}
	p.printf("%s: %d %% (%s answered from a brief of %s)\n", style.Bold(b.ID), all.Percent(), outOf(all), size)
	p.printf("  must keep    %s\n  should keep  %s\n", outOf(r.ScoreOf(brief.MustKeep)), outOf(r.ScoreOf(brief.ShouldKeep)))
	if len(r.NotAsked) > 0 {
		p.printf("  not asked    %s the format does not know: %s\n", text.Count(len(r.NotAsked), "heading"), shorten(strings.Join(r.NotAsked, ", "), 80))
	}
	section := ""
	for _, q := range r.Questions {
		if q.Answered {
			continue
		}
		if section == "" {
			p.printf("\nNot answered\n")
		}
		if q.Section != section {
			section = q.Section
			p.printf("  %s\n", style.Dim(section))
		}
		p.printf("    %s %s\n", style.Red("✗"), shorten(q.Ask, 110))
	}
	for i, f := range r.Weak {
		if i == 0 {
			p.printf("\nWeak whatever the brief\n")
		}
		p.printf("  %s: %s [%s]\n    %s\n", place(f), f.Message, f.Code, style.Dim(f.Fix))
	}
	p.remark(b.Warnings...)
	return p.done()
}

func outOf(s brief.Score) string {
	return fmt.Sprintf("%d of %s", s.Answered, text.Count(s.Asked, "question"))
}
