package brief

import (
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/validate"
)

// Rehearsal is what came of it.
type Rehearsal struct {
	Brief     *Rendering
	Questions []Question       // in the order of the brief
	Weak      []result.Finding // what no reader could begin with, or would ask again
	NotAsked  []string         // the headings of sections that the format does not know
}

// Score is how many questions were answered.
type Score struct{ Answered, Asked int }

// Percent is the score in whole percent, rounded down: 100 is all. Where nothing was
// asked nothing was missed.
func (s Score) Percent() int {
	if s.Asked == 0 {
		return 100
	}
	return 100 * s.Answered / s.Asked
}

// Of rehearses with a brief of c.
func Rehearse(c *checkpoint.Checkpoint, brief *Rendering) *Rehearsal {
	r := &Rehearsal{Brief: brief, Questions: Questions(c), NotAsked: unknown(c)}
	said := hear(brief)
	for i := range r.Questions {
		q := &r.Questions[i]
		q.Answered = said.answers(q)
	}
	for _, f := range validate.Checkpoint(c, time.Time{}) {
		switch f.Code {
		case validate.VagueAction, validate.NoObject, validate.NoWhy:
			r.Weak = append(r.Weak, f)
		}
	}
	return r
}

// unknown are the headings below which nothing is asked, each once.
func unknown(c *checkpoint.Checkpoint) []string {
	var all []string
	for s := range c.Headings() {
		known := s.Known()
		if s.Delta != "" {
			title := strings.Join(wordsOf(s.Title), " ")
			known = s.Title == s.Delta || title == "what changed" || title == "artifacts" || title == "status transitions"
		}
		if !known && s.Title != "" && !slices.Contains(all, s.Title) {
			all = append(all, s.Title)
		}
	}
	return all
}

// Score is that of all questions.
func (r *Rehearsal) Score() Score {
	return r.score(func(Question) bool { return true })
}

// ScoreOf is that of the questions of a tier.
func (r *Rehearsal) ScoreOf(t Tier) Score {
	return r.score(func(q Question) bool { return q.Tier == t })
}

func (r *Rehearsal) score(of func(Question) bool) Score {
	var s Score
	for _, q := range r.Questions {
		if !of(q) {
			continue
		}
		if s.Asked++; q.Answered {
			s.Answered++
		}
	}
	return s
}
