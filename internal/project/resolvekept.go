package project

import (
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/ledger"
	"example.com/ckpt/internal/core/phrase"
	"example.com/ckpt/internal/store"
)

// plainFile says whether a file of the folder means to be no checkpoint.
func plainFile(name string) bool {
	base := path.Base(name)
	return base == indexName || base == store.Learnings
}

// holding is what a version must not lose: deltas, decisions, learnings, by kind.
type holding map[string][]string

// held is what a version holds; what cannot be read holds nothing.
func held(src []byte) holding {
	h := holding{}
	if c, err := checkpoint.Parse("", src); err == nil {
		for _, d := range c.Deltas() {
			h["delta"] = append(h["delta"], d.Stamp+" "+d.Changed)
		}
		for _, d := range c.Decisions() {
			h["decision"] = append(h["decision"], d.What)
		}
		return h
	}
	for _, e := range ledger.Entries(src) {
		for _, b := range e.Bullets {
			h["learning"] = append(h["learning"], b.Text)
		}
	}
	return h
}

// fresh counts what a side holds that base does not, in words.
func (h holding) fresh(base holding) string {
	var words []string
	for _, kind := range []string{"delta", "decision", "learning"} {
		n := 0
		for _, text := range h[kind] {
			if !slices.Contains(base[kind], text) {
				n++
			}
		}
		if n > 0 {
			words = append(words, phrase.Count(n, kind))
		}
	}
	return strings.Join(words, " and ")
}

// ofBoth says what a merge has of both sides.
func ofBoth(base, ours, theirs []byte) string {
	was := held(base)
	var words []string
	if said := held(ours).fresh(was); said != "" {
		words = append(words, said+" of ours")
	}
	if said := held(theirs).fresh(was); said != "" {
		words = append(words, said+" of theirs")
	}
	if len(words) == 0 {
		return "merged by section"
	}
	return strings.Join(words, ", ")
}

// missing names what a version does not hold of both sides. What one of them has taken
// out, as a fold takes deltas, is not missed.
func missing(src, base, ours, theirs []byte) []string {
	have, was := held(src), held(base)
	sides := []holding{held(ours), held(theirs)}
	var lost []string
	for i, side := range sides {
		for kind, texts := range side {
			for _, text := range texts {
				if slices.Contains(was[kind], text) && !slices.Contains(sides[1-i][kind], text) {
					continue
				}
				if name := "the " + kind + " " + phrase.FirstLine(text); !slices.Contains(have[kind], text) && !slices.Contains(lost, name) {
					lost = append(lost, name)
				}
			}
		}
	}
	slices.Sort(lost)
	return lost
}
