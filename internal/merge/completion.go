package merge

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
)

// completion merges the fields of two Completions. Two outcomes both stand, each behind
// the date of its Completion; the learnings are one list. It reports false for another
// section, and for a Completion that is not made of the fields of the format.
func (m *merger) completion(b, x, y *unit) (string, bool) {
	if x.class != completion {
		return "", false
	}
	was, _ := checkpoint.ReadCompletion(b.body)
	cx, ok := checkpoint.ReadCompletion(x.body)
	cy, known := checkpoint.ReadCompletion(y.body)
	if !ok || !known {
		return "", false
	}
	c := checkpoint.CompletionFields{
		Status:    threeWay(was.Status, cx.Status, cy.Status, was.Status != ""),
		Date:      threeWay(was.Date, cx.Date, cy.Date, was.Date != ""),
		Learnings: bothOf(was.Learnings, cx.Learnings, cy.Learnings),
		Outcomes:  outcomes(was, cx, cy),
	}
	if len(c.Outcomes) > 1 {
		m.find(Outcomes, "both sides wrote an outcome: both stand")
	}
	return "\n" + trimEnd(c.String()), true
}

// withoutCompletion takes what one Completion says out of a merged one, and reports false
// where that does not say it any more, or says nothing else.
func withoutCompletion(merged, gone string) (string, bool) {
	c, ok := checkpoint.ReadCompletion(merged)
	was, known := checkpoint.ReadCompletion(gone)
	if !ok || !known || len(c.Outcomes) < 2 {
		return "", false
	}
	for _, outcome := range was.Outcomes {
		date, outcome := dated(outcome, was.Date)
		i := slices.Index(c.Outcomes, date+": "+outcome)
		if i < 0 {
			return "", false
		}
		c.Outcomes = slices.Delete(c.Outcomes, i, i+1)
	}
	if len(c.Outcomes) == 0 {
		return "", false
	}
	last, outcome := dated(c.Outcomes[len(c.Outcomes)-1], c.Date)
	if c.Date = last; len(c.Outcomes) == 1 {
		c.Outcomes[0] = outcome
	}
	c.Learnings = slices.DeleteFunc(c.Learnings, func(text string) bool { return slices.Contains(was.Learnings, text) })
	return "\n" + trimEnd(c.String()), true
}

// bothOf merges two lists of texts.
func bothOf(was, x, y []string) []string {
	stays := func(text string) bool { return slices.Contains(x, text) && slices.Contains(y, text) }
	return weave(unique(was), unique(x), unique(y), stays, func(a, b string) bool { return a < b })
}

func unique(all []string) []string {
	var out []string
	for _, text := range all {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// outcomes merges the outcomes of two Completions, in the order of time.
func outcomes(was, x, y checkpoint.CompletionFields) []string {
	dates := map[string]string{} // of each outcome, the latest
	for i, c := range []checkpoint.CompletionFields{x, y} {
		other := [2]checkpoint.CompletionFields{y, x}[i]
		for _, text := range c.Outcomes {
			date, outcome := dated(text, c.Date)
			if hasOutcome(was, outcome) && !hasOutcome(other, outcome) {
				continue // the other side replaced it
			}
			dates[outcome] = max(dates[outcome], date)
		}
	}
	var all []string
	for outcome, date := range dates {
		if len(dates) > 1 && date != "" {
			outcome = date + ": " + outcome
		}
		all = append(all, outcome)
	}
	slices.Sort(all)
	return all
}

func hasOutcome(c checkpoint.CompletionFields, outcome string) bool {
	return slices.ContainsFunc(c.Outcomes, func(text string) bool { _, o := dated(text, ""); return o == outcome })
}

// dated splits an outcome into the date that a merge put before it, or else that of its
// Completion, and the text.
func dated(text, date string) (when, outcome string) {
	if before, rest, ok := strings.Cut(text, ": "); ok {
		if _, ok := checkpoint.ParseTime(before); ok {
			return before, rest
		}
	}
	return date, text
}
