package brief_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/brief"
)

// TestNeedsWithMessages checks briefs with messages of the user. Every limit must give the same Needs: the smallest
// limit at which a brief lacks only messages that fit no limit. A larger limit must show the same and more.
func TestNeedsWithMessages(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for name, b := range briefs(t, 3) {
		for s := range 1 + r.IntN(3) {
			w := record.Words{Session: fmt.Sprintf("s%d", s)}
			for range 1 + r.IntN(4) {
				w.Said = append(w.Said, record.Entry{Session: w.Session, Text: strings.Repeat(sentence(r)+"\n", 1+r.IntN(12)*(1+r.IntN(8)))})
			}
			b.Said = append(b.Said, w)
		}
		for measure, m := range measures {
			whole := b.Within(brief.Limit{})
			need := m.need(b.Within(m.limit(1)).Needs)
			before := b.Within(m.limit(1))
			for n := 2; n < 3*m.of(whole.Text); n += 1 + n/6 {
				got := b.Within(m.limit(n))
				at := fmt.Sprintf("%s, %d %s", name, n, measure)
				if size := m.of(got.Text); size > n {
					t.Fatalf("%s: it takes %d", at, size)
				}
				checkMore(t, at, before, got)
				before = got
				if got.Complete != (whole.Complete && n >= need) {
					t.Fatalf("%s: complete is %t, and it needs %d", at, got.Complete, need)
				}
				if strings.Count(got.Text, "INCOMPLETE: ") > 1 || strings.Contains(got.Text, "does)\n\n## ") {
					t.Fatalf("%s: two lines on what is left out, or a heading without messages:\n%s", at, got.Text)
				}
				said := m.need(got.Needs)
				if said != 0 && said != need || (said == 0) != (n >= need) {
					t.Fatalf("%s: needs %d, at another limit %d", at, said, need)
				}
				if want := fmt.Sprintf("INCOMPLETE: needs %d ", need); said > 0 && got.Text != "" && !strings.HasPrefix(got.Text, want) {
					t.Fatalf("%s: it does not begin with %q:\n%s", at, want, got.Text)
				}
			}
			if !b.Within(m.limit(need)).Needs.None() || b.Within(m.limit(need-1)).Needs.None() {
				t.Fatalf("%s: %d %s are not the smallest limit", name, need, measure)
			}
		}
		for _, s := range b.Within(brief.Limit{}).Shown {
			if text := s.Text + "\n"; s.Name == "said" && !strings.Contains(b.Within(brief.Limit{}).Text, text) {
				t.Fatalf("%s: JSON has other messages than the text:\n%s", name, text)
			}
		}
	}
}
