package learnings

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"example.com/ckpt/internal/text"
)

// Learning is one bullet, with the date and checkpoint of its entry.
type Learning struct {
	Date string `json:"date,omitempty"` // the date in the heading: 2026-01-02
	ID   string `json:"id,omitempty"`   // the checkpoint's id in the heading
	Text string `json:"text"`           // what was learned
}

// List returns the bullets of entries one by one, in order, each text once.
func List(entries []Entry) []Learning {
	var all []Learning
	seen := map[string]bool{}
	for _, e := range entries {
		for _, b := range e.Bullets {
			if b.Text != "" && !seen[b.Text] {
				seen[b.Text] = true
				all = append(all, Learning{Date: e.Date, ID: e.ID, Text: b.Text})
			}
		}
	}
	return all
}

// OrMissing returns learnings, or a line in their place if their file could not be read.
func OrMissing(all []Learning, unread error) []Learning {
	if unread == nil {
		return all
	}
	return append([]Learning{{Text: "(learnings are missing: " + unread.Error() + ")"}}, all...)
}

// Pick returns at most limit learnings of entries, which are newest first: first those
// that share paths or rare words with about, the most similar first, then the newest.
// About is any text of the checkpoint. A word is rare if few other learnings have it. A
// larger limit returns the same picks and more.
func Pick(entries []Entry, about []string, limit int) []Learning {
	all := List(entries)
	topic := wordsOf(strings.Join(about, "\n"))
	words := make([]vocabulary, len(all))
	held := map[string]int{} // for each word and path, the number of learnings that have it
	for i, l := range all {
		words[i] = wordsOf(l.Text)
		for w := range words[i].words {
			held[w]++
		}
		for p := range words[i].paths {
			held[p]++
		}
	}
	score := make([]int, len(all))
	order := make([]int, len(all))
	for i := range all {
		order[i] = i
		score[i] = words[i].shares(topic, held, len(all))
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(score[j], score[i]) })
	picked := make([]Learning, 0, max(0, min(limit, len(all))))
	for _, i := range order[:cap(picked)] {
		picked = append(picked, all[i])
	}
	return picked
}

// vocabulary has the words and the paths of a text, in lower case.
type vocabulary struct {
	words map[string]bool
	paths map[string]bool
}

func wordsOf(text string) vocabulary {
	v := vocabulary{map[string]bool{}, map[string]bool{}}
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	for _, token := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !inWord(r) && r != '/' && r != '.' && r != '-'
	}) {
		if path := strings.Trim(token, "./-"); isPath(path) {
			v.paths[path] = true
			continue
		}
		for _, word := range strings.FieldsFunc(token, func(r rune) bool { return !inWord(r) }) {
			if len(word) > 2 && !common.Get()[word] {
				v.words[word] = true
			}
		}
	}
	return v
}

// isPath reports whether a token is the name of a file or a folder: it has an extension
// of up to five letters, or a slash between words that are not all common ("and/or").
func isPath(token string) bool {
	for part := range strings.SplitSeq(token, "/") {
		if len(part) > 2 && !common.Get()[part] && part != token {
			return true
		}
	}
	i := strings.LastIndexByte(token, '.')
	return i > 1 && len(token)-i > 1 && len(token)-i <= 6 && (token[i+1] < '0' || token[i+1] > '9')
}

// shares returns the weight of the words and paths that v shares with a topic. The fewer learnings
// have one, the more it weighs. A path weighs four times as much as a word, and the end of a path
// twice as much.
func (v vocabulary) shares(topic vocabulary, held map[string]int, learnings int) int {
	const path, end, word = 4, 2, 1
	rarity := func(s string) int {
		if held[s] > max(2, learnings/5) {
			return 0
		}
		return bits.Len(uint(learnings / held[s]))
	}
	score := 0
	for p := range v.paths {
		best := 0
		for q := range topic.paths {
			switch {
			case p == q:
				best = path
			case strings.HasSuffix(p, "/"+q) || strings.HasSuffix(q, "/"+p):
				best = max(best, end)
			}
		}
		if best > 0 {
			score += best*rarity(p) + 1 // at least 1, even for a path that all learnings have
		}
	}
	for w := range v.words {
		if topic.words[w] {
			score += word * rarity(w)
		}
	}
	return score
}

// common has the words that say nothing about a topic.
var common = text.Lazy[map[string]bool]{Make: func() map[string]bool {
	return words(`about after again all also always and any are because been before both but can could
	does doing don done each ever every for from get had has have her here his how into its just like make may
	more most must need needs never new not now off one only other our out over own same should since some
	such than that the their them then there these they this those too under until use used uses using very
	via was way well were what when where which while who why will with without would yet you your`)
}}

func words(list string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(list) {
		all[w] = true
	}
	return all
}
