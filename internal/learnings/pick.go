package learnings

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"example.com/ckpt/internal/text"
)

// Unique returns learnings in order, each text once.
func Unique(learnings []Learning) []Learning {
	var all []Learning
	seen := map[string]bool{"": true}
	for _, l := range learnings {
		if !seen[l.Text] {
			seen[l.Text] = true
			all = append(all, l)
		}
	}
	return all
}

// OrMissing returns all. If unread is not nil, it puts a learning with that error before the others.
func OrMissing(all []Learning, unread error) []Learning {
	if unread == nil {
		return all
	}
	return append([]Learning{{Text: "(learnings are missing: " + unread.Error() + ")"}}, all...)
}

// Pick returns at most limit of the learnings, which must be newest first. The parameter about is the text of
// a checkpoint. First come learnings that share rare paths or words with it, the most similar first; then
// come the newest. The fewer learnings have a path or a word, the more it counts. A path counts four times
// as much as a word. A larger limit returns the same picks and more.
func Pick(learnings []Learning, about string, limit int) []Learning {
	if len(learnings) == 0 {
		return nil
	}
	all := Unique(learnings)
	topic := termsOf(about)
	terms := make([]map[string]bool, len(all))
	learningsWith := map[string]int{} // the number of learnings by term
	for i, l := range all {
		terms[i] = termsOf(l.Text)
		for term := range terms[i] {
			learningsWith[term]++
		}
	}
	score := map[string]int{}
	for i, l := range all {
		for term := range terms[i] {
			if !topic[term] || learningsWith[term] > max(2, len(all)/5) {
				continue
			}
			weight := bits.Len(uint(len(all) / learningsWith[term]))
			if strings.ContainsAny(term, "/.") {
				weight *= 4
			}
			score[l.Text] += weight
		}
	}
	slices.SortStableFunc(all, func(a, b Learning) int { return cmp.Compare(score[b.Text], score[a.Text]) })
	return all[:max(0, min(limit, len(all)))]
}

// termsOf returns the words and the paths of a text, in lower case. For a path it also returns the paths
// without the first folders, so that a/b.go and b.go have one in common.
func termsOf(text string) map[string]bool {
	terms := map[string]bool{}
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	for _, token := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !inWord(r) && r != '/' && r != '.' && r != '-'
	}) {
		if path := strings.Trim(token, "./-"); isPath(path) {
			for isPath(path) {
				terms[path] = true
				_, path, _ = strings.Cut(path, "/")
			}
			continue
		}
		for _, word := range strings.FieldsFunc(token, func(r rune) bool { return !inWord(r) }) {
			if len(word) > 2 && !common.Get()[word] {
				terms[word] = true
			}
		}
	}
	return terms
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

// common has words that occur in texts on any topic.
var common = text.Lazy[map[string]bool]{Make: func() map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(`about after again all also always and any are because been before both but can could
		does doing don done each ever every for from get had has have her here his how into its just like make may
		more most must need needs never new not now off one only other our out over own same should since some
		such than that the their them then there these they this those too under until use used uses using very
		via was way well were what when where which while who why will with without would yet you your`) {
		all[word] = true
	}
	return all
}}
