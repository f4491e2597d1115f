package merge

import (
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
)

// completion merges the fields of two Completions: it keeps both outcomes, each after the date of
// its Completion, and joins the learnings to one list. It reports false for any other section and
// for a Completion that has more than the fields of the format.
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
		Learnings: mergeTexts(was.Learnings, cx.Learnings, cy.Learnings),
		Outcomes:  mergeOutcomes(was, cx, cy),
	}
	if len(c.Outcomes) > 1 {
		m.note(Outcomes, "both sides wrote an outcome: both stand")
	}
	return "\n" + trimEnd(c.String()), true
}

// mergeTexts merges two lists of texts.
func mergeTexts(was, x, y []string) []string {
	stays := func(text string) bool { return slices.Contains(x, text) && slices.Contains(y, text) }
	return mergeOrder(unique(was), unique(x), unique(y), stays, cmp.Less)
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

// mergeOutcomes merges the outcomes of two Completions, in the order of time.
func mergeOutcomes(was, x, y checkpoint.CompletionFields) []string {
	dates := map[string]string{} // the latest date of each outcome
	for _, sides := range [][2]checkpoint.CompletionFields{{x, y}, {y, x}} {
		for _, text := range sides[0].Outcomes {
			date, outcome := dated(text, sides[0].Date)
			if hasOutcome(was, outcome) && !hasOutcome(sides[1], outcome) {
				continue // the other side replaced the outcome
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

// dated splits an outcome into its date and its text. If no merge put a date before the text, it
// returns the given date.
func dated(text, date string) (when, outcome string) {
	if before, rest, ok := strings.Cut(text, ": "); ok {
		if _, ok := checkpoint.ParseTime(before); ok {
			return before, rest
		}
	}
	return date, text
}

// revertCompletion returns the text of the Completion n without the outcomes and the learnings that w
// has and b lacks. It reports false for another section, and if n no longer has an outcome of w.
func revertCompletion(w, n, b *unit) (string, bool) {
	was, ok := checkpoint.ReadCompletion(w.body)
	c, known := checkpoint.ReadCompletion(n.body)
	before, _ := checkpoint.ReadCompletion(b.body)
	if w.class != completion || !ok || !known {
		return "", false
	}
	for _, text := range was.Outcomes {
		if _, outcome := dated(text, ""); !hasOutcome(c, outcome) {
			return "", false
		}
	}
	c.Outcomes = slices.DeleteFunc(c.Outcomes, func(text string) bool {
		_, outcome := dated(text, "")
		return hasOutcome(was, outcome) && !hasOutcome(before, outcome)
	})
	c.Learnings = slices.DeleteFunc(c.Learnings, func(text string) bool {
		return slices.Contains(was.Learnings, text) && !slices.Contains(before.Learnings, text)
	})
	if n := len(c.Outcomes); n > 0 {
		date, outcome := dated(c.Outcomes[n-1], c.Date)
		c.Date = date
		if n == 1 {
			c.Outcomes[0] = outcome
		}
	}
	if len(c.Outcomes) == 0 && len(c.Learnings) == 0 {
		return "", true
	}
	return "\n" + trimEnd(c.String()), true
}
