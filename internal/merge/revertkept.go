package merge

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
)

// replacedUnit is what the change wrote of a text that is not in its section any more.
type replacedUnit struct {
	*unit
	wrote []entry
}

// takeKept takes from what a merge kept the newest text of a section that the text of the
// change replaced there: without the change it would stand. It is empty for none.
func (r *reversal) takeKept(all map[string]*unit, now []*unit, section *unit) string {
	title := checkpoint.ReplacedTitle(section.title())
	for _, n := range slices.Backward(now) {
		u, w := all[n.key], r.was[n.key]
		if u == nil {
			continue
		}
		if u.class == replacedText && w == nil && strings.EqualFold(u.title(), title) {
			delete(all, n.key)
			return plain(u.body)
		}
		for i, part := range u.kept {
			head, body, _ := strings.Cut(part, "\n")
			if strings.EqualFold(strings.Trim(head, "# "), title) && (w == nil || !w.hasKept(part)) {
				rest := slices.Delete(slices.Clone(u.kept), i, i+1)
				u.kept = nil
				u.keep(rest...)
				return plain(body)
			}
		}
	}
	return ""
}

// forget takes the text out of what a merge kept of it.
func (g replacedUnit) forget(all map[string]*unit) {
	title := checkpoint.ReplacedTitle(g.title())
	rest := func(body string) string {
		s := &union{x: entriesOf(body)}
		return s.text(slices.DeleteFunc(slices.Clone(s.x), func(e entry) bool { return hasText(g.wrote, e) }))
	}
	for key, u := range all {
		if u.class == replacedText && strings.EqualFold(u.title(), title) {
			if u.body = "\n" + rest(u.body); plain(u.body) == "" {
				delete(all, key)
			}
		}
		var kept []string
		for _, part := range u.kept {
			head, body, _ := strings.Cut(part, "\n")
			if strings.EqualFold(strings.Trim(head, "# "), title) {
				if body = rest(body); body == "" {
					continue
				}
				part = head + "\n\n" + body
			}
			kept = append(kept, part)
		}
		if len(u.kept) > 0 {
			u.kept = nil
			u.keep(kept...)
		}
	}
}

// outcomeTaken takes the outcome and the learnings of w that b has not out of a Completion to
// which others have added theirs. It reports false for another section, and where what w
// says is not there any more.
func outcomeTaken(w, n, b *unit) (string, bool) {
	was, ok := checkpoint.ReadCompletion(w.body)
	now, known := checkpoint.ReadCompletion(n.body)
	before, _ := checkpoint.ReadCompletion(b.body)
	if w.class != completion || !ok || !known {
		return "", false
	}
	for _, text := range was.Outcomes {
		if _, outcome := dated(text, ""); !hasOutcome(now, outcome) {
			return "", false
		}
	}
	now.Outcomes = slices.DeleteFunc(slices.Clone(now.Outcomes), func(text string) bool {
		_, outcome := dated(text, "")
		return hasOutcome(was, outcome) && !hasOutcome(before, outcome)
	})
	if len(now.Outcomes) == 1 {
		_, now.Outcomes[0] = dated(now.Outcomes[0], "")
	}
	now.Learnings = slices.DeleteFunc(slices.Clone(now.Learnings), func(text string) bool {
		return slices.Contains(was.Learnings, text) && !slices.Contains(before.Learnings, text)
	})
	if len(now.Outcomes) == 0 && len(now.Learnings) == 0 {
		return "", true
	}
	return "\n" + trimEnd(now.String()), true
}
