package wire

import (
	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/token"
)

// Rehearsal is the answer of `ckpt rehearse`; its id is empty where there is nothing
// to resume.
type Rehearsal struct {
	Head
	ID         string           `json:"id"`
	Path       string           `json:"path,omitempty"`
	Size       *BriefSize       `json:"size,omitempty"` // of the brief
	Limit      *BriefSize       `json:"limit,omitempty"`
	Asked      int              `json:"asked"`
	Answered   int              `json:"answered"`
	Percent    int              `json:"percent"`
	MustKeep   Score            `json:"must_keep"`
	ShouldKeep Score            `json:"should_keep"`
	Questions  []Question       `json:"questions"`
	NotAsked   []string         `json:"not_asked"` // headings that the format does not know: the brief leaves them out
	Weak       []result.Finding `json:"weak"`      // vague next actions, decisions without a why
}

// Score is how many of the questions were answered.
type Score struct {
	Asked    int `json:"asked"`
	Answered int `json:"answered"`
}

// Question is one that the brief has to answer.
type Question struct {
	Section  string `json:"section"`
	Tier     string `json:"tier"`
	Ask      string `json:"ask"`
	Answer   string `json:"answer"` // as the checkpoint has it
	Answered bool   `json:"answered"`
}

// FromRehearsal is the answer that holds a rehearsal; nil is the one where there is
// nothing to resume.
func FromRehearsal(r *brief.Rehearsal) Rehearsal {
	w := Rehearsal{Head: head("rehearsal"), Questions: []Question{}, NotAsked: []string{}, Weak: []result.Finding{}}
	if r == nil {
		return w
	}
	all := r.Score()
	w.ID, w.Path, w.Asked, w.Answered, w.Percent = r.Brief.Brief.ID, r.Brief.Brief.Path, all.Asked, all.Answered, all.Percent()
	w.Size = &BriefSize{token.Estimate(r.Brief.Text), len(r.Brief.Text)}
	if !r.Brief.Limit.None() {
		w.Limit = &BriefSize{r.Brief.Limit.Tokens, r.Brief.Limit.Bytes}
	}
	w.MustKeep, w.ShouldKeep = score(r.ScoreOf(brief.MustKeep)), score(r.ScoreOf(brief.ShouldKeep))
	for _, q := range r.Questions {
		w.Questions = append(w.Questions, Question{q.Section, q.Tier.String(), q.Ask, q.Answer, q.Answered})
	}
	w.NotAsked, w.Weak = list(r.NotAsked), append(w.Weak, r.Weak...)
	return w
}

func score(s brief.Score) Score { return Score{s.Asked, s.Answered} }
