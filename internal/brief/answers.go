package brief

import (
	"slices"
	"strings"
	"unicode"
)

// heard is what a brief says, by the part that it stands in; "" is the head and the
// foot.
type heard map[string]*heardPart

// part is the words of passages, and which passages hold a word.
type heardPart struct {
	passages [][]string
	with     map[string][]int
}

func hear(r *Rendering) heard {
	h := heard{"": {with: map[string][]int{}}}
	for _, s := range r.Shown {
		if h[s.Name] == nil {
			h[s.Name] = &heardPart{with: map[string][]int{}}
		}
		for _, text := range passages(s.Text) {
			h[s.Name].add(wordsOf(text))
		}
	}
	for line := range strings.Lines(r.Text) {
		if strings.HasPrefix(line, "# Resuming ") || strings.HasPrefix(line, "**Next:**") {
			h[""].add(wordsOf(line))
		}
	}
	return h
}

func (p *heardPart) add(passage []string) {
	n := len(p.passages)
	p.passages = append(p.passages, passage)
	for _, w := range passage {
		if at := p.with[w]; len(at) == 0 || at[len(at)-1] != n {
			p.with[w] = append(at, n)
		}
	}
}

// answers says whether one passage holds the answer to a question and what it is
// about.
func (h heard) answers(q *Question) bool {
	for _, name := range q.parts {
		if p := h[name]; p != nil && p.answers(q) {
			return true
		}
	}
	return false
}

func (p *heardPart) answers(q *Question) bool {
	if len(q.answer) == 0 { // nobody wrote it down
		return false
	}
	rarest := p.with[q.answer[0]]
	for _, w := range slices.Concat(q.answer, q.key) {
		if at := p.with[w]; len(at) < len(rarest) {
			rarest = at
		}
	}
	return slices.ContainsFunc(rarest, func(n int) bool {
		return holds(p.passages[n], q.answer) && holds(p.passages[n], q.key)
	})
}

// holds says whether some words stand in a passage, one behind the other.
func holds(passage, some []string) bool {
	for i := 0; i+len(some) <= len(passage); i++ {
		if slices.Equal(passage[i:i+len(some)], some) {
			return true
		}
	}
	return false
}

// words are the words of a text in lower case, without the marks around them: a
// path is one, "auth.go" no part of "x/auth.go".
func wordsOf(text string) []string {
	var all []string
	for _, field := range strings.Fields(strings.ToLower(strings.ReplaceAll(text, `\|`, "|"))) {
		word := strings.TrimFunc(field, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("~/$@%+", r)
		})
		if word != "" && word != "+" {
			all = append(all, word)
		}
	}
	return all
}

// passages cut a text at its entries: a bullet, without its marker, with what is
// indented below it, a row of a table, a paragraph. Headings and the heads of tables say nothing.
func passages(text string) []string {
	var all []string
	blank := true
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		switch {
		case bare == "":
		case strings.HasPrefix(line, "#"):
			all = append(all, "")
		case strings.HasPrefix(bare, "|") && strings.Trim(bare, "|-: \t") == "":
			if len(all) > 0 {
				all[len(all)-1] = ""
			}
		case len(all) == 0, line[0] != ' ' && line[0] != '\t' && (blank || marker(line) > 0 || line[0] == '|'):
			all = append(all, line[marker(line):])
		default:
			all[len(all)-1] += line
		}
		blank = bare == ""
	}
	return slices.DeleteFunc(all, func(p string) bool { return len(wordsOf(p)) == 0 })
}

// marker is the length of what a line begins with as an entry of a list: "- ", "2. ".
func marker(line string) int {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	rest := line[digits:]
	if len(rest) < 2 || rest[1] != ' ' || digits == 0 && !strings.ContainsRune("-*+", rune(rest[0])) || digits > 0 && !strings.ContainsRune(".)", rune(rest[0])) {
		return 0
	}
	return digits + 2
}
