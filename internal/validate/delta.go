package validate

import (
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
)

func deltaTime(f *file, add report) {
	for _, d := range f.deltas {
		if d.At.IsZero() {
			add(f.heading(d.Section), "the delta's heading says %s, no ISO-8601 time", quote(d.Stamp))
		}
	}
}

func deltaOrder(f *file, add report) {
	last := ""
	for _, d := range f.deltas {
		if d.At.IsZero() {
			continue
		}
		if last != "" && before(d.Stamp, last) {
			add(f.heading(d.Section), "the delta of %s comes after that of %s", d.Stamp, last)
			continue
		}
		last = d.Stamp
	}
}

func deltaChanged(f *file, add report) {
	for _, d := range f.deltas {
		if strings.TrimSpace(d.Changed) == "" {
			add(f.heading(d.Section), "the delta %s does not say what changed", quote(d.Stamp))
		}
	}
}

func deltaArtifacts(f *file, add report) {
deltas:
	for _, d := range f.deltas {
		line := f.heading(d.Section)
		for _, part := range d.Parts {
			if plain(part.Title) != "artifacts" {
				continue
			}
			if len(f.tablesIn(part.Body)) > 0 {
				continue deltas
			}
			line = f.heading(part)
		}
		add(line, "the delta %s has no table of artifacts", quote(d.Stamp))
	}
}

func deltaSentence(f *file, add report) {
	for _, d := range f.deltas {
		if !oneSentence(d.Changed) {
			for _, part := range d.Parts {
				if plain(part.Title) == "what changed" {
					add(f.heading(part), "What Changed is more than one sentence")
					break
				}
			}
		}
	}
}

var (
	sentenceEnd  = text.Regexp(`[.!?]["')\]*_` + "`" + `]*\s+["'(\[*_]*\p{Lu}`)
	abbreviation = text.Regexp(`(?i)\b(e\.g|i\.e|etc|vs|cf|ca|approx|no|fig|dr|mr|mrs|ms|st|z\.b|p\.ej)\.$`)
	bullet       = text.Regexp(`(?m)^\s{0,3}(?:[-*+]|\d+[.)])\s`)
)

// oneSentence reports whether a text is a single sentence: it has no full stop inside, no second
// paragraph and no list of several items. The full stop of "e.g." does not count.
func oneSentence(text string) bool {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if strings.Contains(text, "\n\n") || len(bullet.Get().FindAllStringIndex(text, 2)) > 1 {
		return false
	}
	for _, m := range sentenceEnd.Get().FindAllStringIndex(text, -1) {
		if !abbreviation.Get().MatchString(text[max(0, m[0]-10) : m[0]+1]) {
			return false
		}
	}
	return true
}

var deltaTitle = text.Regexp(`(?i)^delta\s*:\s*(.*)$`)

func deltaLevel(f *file, add report) {
	for _, s := range f.d.Sections() {
		if s.Level == 2 || len(s.Title) < len("delta") || !strings.EqualFold(s.Title[:len("delta")], "delta") {
			continue
		}
		if m := deltaTitle.Get().FindStringSubmatch(s.Title); m != nil {
			if _, ok := checkpoint.ParseTime(m[1]); ok {
				add(f.heading(s), "%s is a heading of level %d and opens no delta", quote(s.Title), s.Level)
			}
		}
	}
}
