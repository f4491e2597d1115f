package brief

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/validate"
)

// Rehearsal is the result of testing a brief.
type Rehearsal struct {
	Brief     *Rendering
	Questions []Question       // in the order of the brief
	Weak      []result.Finding // actions and decisions that are too vague
	NotAsked  []string         // the headings of sections that the format does not know
}

// Score counts the answered questions.
type Score struct {
	Asked    int `json:"asked"`    // the number of questions
	Answered int `json:"answered"` // how many of them the brief answers
}

// Percent returns the score in whole percent, rounded down. Without a question it is 100.
func (s Score) Percent() int {
	if s.Asked == 0 {
		return 100
	}
	return 100 * s.Answered / s.Asked
}

// Rehearse tests a brief of c.
func Rehearse(c *checkpoint.Checkpoint, brief *Rendering) *Rehearsal {
	r := &Rehearsal{Brief: brief, Questions: Questions(c), NotAsked: unknown(c)}
	passages := indexBrief(brief)
	for i := range r.Questions {
		q := &r.Questions[i]
		q.Answered = passages.answers(q)
	}
	for _, f := range validate.Checkpoint(c, time.Time{}) {
		switch f.Code {
		case validate.VagueAction, validate.NoObject, validate.NoWhy:
			r.Weak = append(r.Weak, f)
		}
	}
	return r
}

// unknown returns the headings of sections about which nothing is asked, each once.
func unknown(c *checkpoint.Checkpoint) []string {
	var all []string
	for _, s := range c.Headings() {
		known := s.Kind != checkpoint.Own
		if s.Delta != "" {
			title := strings.Join(wordsOf(s.Title), " ")
			known = s.Title == s.Delta || slices.Contains([]string{"what changed", "artifacts", "status transitions"}, title)
		}
		if !known && s.Title != "" && !slices.Contains(all, s.Title) {
			all = append(all, s.Title)
		}
	}
	return all
}

// Score returns the score of all questions.
func (r *Rehearsal) Score() Score {
	return r.score(func(Question) bool { return true })
}

// ScoreOf returns the score of the questions of a tier.
func (r *Rehearsal) ScoreOf(t Tier) Score {
	return r.score(func(q Question) bool { return q.Tier == t })
}

func (r *Rehearsal) score(of func(Question) bool) Score {
	var s Score
	for _, q := range r.Questions {
		if !of(q) {
			continue
		}
		s.Asked++
		if q.Answered {
			s.Answered++
		}
	}
	return s
}

// briefIndex has the passages of a brief by the name of their part. The first and the last line of
// a brief belong to no part.
type briefIndex map[string]*passageIndex

// passageIndex has the words of each passage, and for each word the passages that contain it.
type passageIndex struct {
	passages [][]string
	with     map[string][]int
}

func indexBrief(r *Rendering) briefIndex {
	h := briefIndex{"": {with: map[string][]int{}}}
	for _, s := range r.Shown {
		if h[s.Name] == nil {
			h[s.Name] = &passageIndex{with: map[string][]int{}}
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

func (p *passageIndex) add(passage []string) {
	n := len(p.passages)
	p.passages = append(p.passages, passage)
	for _, w := range passage {
		if at := p.with[w]; len(at) == 0 || at[len(at)-1] != n {
			p.with[w] = append(at, n)
		}
	}
}

// answers reports whether one passage contains both what the question is about and its answer.
func (h briefIndex) answers(q *Question) bool {
	for _, name := range q.parts {
		if p := h[name]; p != nil && p.answers(q) {
			return true
		}
	}
	return false
}

func (p *passageIndex) answers(q *Question) bool {
	if len(q.answer) == 0 { // the checkpoint lacks the answer
		return false
	}
	rarest := p.with[q.answer[0]]
	for _, w := range slices.Concat(q.answer, q.key) {
		if at := p.with[w]; len(at) < len(rarest) {
			rarest = at
		}
	}
	return slices.ContainsFunc(rarest, func(n int) bool {
		return containsWords(p.passages[n], q.answer) && containsWords(p.passages[n], q.key)
	})
}

// containsWords reports whether a passage contains words, one after the other.
func containsWords(passage, some []string) bool {
	for i := 0; i+len(some) <= len(passage); i++ {
		if slices.Equal(passage[i:i+len(some)], some) {
			return true
		}
	}
	return false
}

// wordsOf returns the words of a text in lower case, without punctuation around them. A path is one
// word, so that "auth.go" does not match in "x/auth.go".
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

// passages divides a text into entries. An entry is a bullet without its marker and with what is
// indented below it, a row of a table, or a paragraph. Headings and the heads of tables are left
// out.
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

// marker returns the length of the marker with which an entry of a list begins: "- ", "2. ".
func marker(line string) int {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	rest := line[digits:]
	signs := "-*+"
	if digits > 0 {
		signs = ".)"
	}
	if len(rest) < 2 || rest[1] != ' ' || strings.IndexByte(signs, rest[0]) < 0 {
		return 0
	}
	return digits + 2
}
