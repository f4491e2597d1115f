package policy

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/text"
)

// Limits has the limits of what is kept. Zero means no limit.
type Limits struct {
	MaxAge         time.Duration // the maximum time since the last change
	MaxPerWorkflow int           // the maximum number of checkpoints of each workflow
	MaxPerSession  int           // the maximum number of checkpoints of each session
}

// None reports whether no limit is set.
func (p Limits) None() bool { return p == Limits{} }

// Candidate is a checkpoint that prune may delete. All without a workflow count as one workflow, and all without a
// session as one session.
type Candidate struct {
	ID       string    `json:"id"`
	Path     string    `json:"-"`
	Parent   string    `json:"-"`
	Status   string    `json:"status"` // current, active, archived
	Name     string    `json:"-"`
	Workflow string    `json:"workflow,omitempty"`
	Session  string    `json:"session,omitempty"`
	Trigger  string    `json:"-"`
	Step     string    `json:"-"`
	Created  time.Time `json:"-"` // zero if the file has none
	Changed  time.Time `json:"-"` // zero if the file has none
	Held     string    `json:"-"` // a reason to keep it that is not in its file
}

// Rule is the reason for a verdict.
type Rule string

// The rules that keep a checkpoint, and the limits that delete it.
const (
	RuleWithin   Rule = "within" // no limit is reached
	RuleCurrent  Rule = "current"
	RuleNamed    Rule = "named"
	RulePhase    Rule = "phase"
	RuleHeld     Rule = "held"
	RuleUnsure   Rule = "unsure" // it has no time, or another file has its id
	RuleChildren Rule = "children"
	RuleAge      Rule = "age"
	RuleWorkflow Rule = "workflow"
	RuleSession  Rule = "session"
)

// Verdict is the decision on one checkpoint.
type Verdict struct {
	Candidate
	Keep   bool   `json:"-"`
	Rule   Rule   `json:"rule"`   // the rule that decided it
	Why    string `json:"reason"` // the same in words
	Spared bool   `json:"-"`      // kept although a limit is reached
}

// Pruning has the verdicts on a set, the newest first. The current checkpoint counts as the newest.
type Pruning struct {
	Limits   Limits
	Verdicts []Verdict
}

// Pruned returns the verdicts on the checkpoints to delete, the newest first.
func (p *Pruning) Pruned() []Verdict {
	return slices.DeleteFunc(slices.Clone(p.Verdicts), func(v Verdict) bool { return v.Keep })
}

// Prune decides which checkpoints of a set are kept.
func Prune(set []Candidate, limits Limits, now time.Time) *Pruning {
	set = slices.Clone(set)
	slices.SortFunc(set, newestFirst)
	twice := map[string]int{}
	for _, i := range set {
		twice[i.ID]++
	}
	plan := &Pruning{Limits: limits, Verdicts: make([]Verdict, len(set))}
	c := counter{limits: limits, now: now, workflows: map[string]int{}, sessions: map[string]int{}}
	for n, i := range set {
		v := Verdict{Candidate: i, Keep: true, Rule: RuleWithin, Why: "within the policy"}
		limit, over := c.limit(i)
		if limit != "" {
			v.Keep, v.Rule, v.Why = false, limit, over
			rule, why := protected(i, twice[i.ID])
			if rule != "" {
				v.Keep, v.Rule, v.Why, v.Spared = true, rule, why, true
			}
		}
		plan.Verdicts[n] = v
	}
	plan.keepParents()
	return plan
}

// protected returns the rule by which a checkpoint is kept whatever the limits, and the reason.
// Both are empty if no such rule applies.
func protected(i Candidate, files int) (Rule, string) {
	switch {
	case i.Status == "current":
		return RuleCurrent, "it is the current one"
	case i.Name != "":
		return RuleNamed, fmt.Sprintf("it has a name: %s", i.Name)
	case progress.CompletesPhase(i.Trigger, i.Step):
		return RulePhase, "it was left by a completed phase"
	case i.Held != "":
		return RuleHeld, i.Held
	case files > 1:
		return RuleUnsure, fmt.Sprintf("%d files have this id", files)
	case i.Changed.IsZero():
		return RuleUnsure, "it says no time"
	}
	return "", ""
}

// keepParents keeps the ancestors of the checkpoints that are kept.
func (p *Pruning) keepParents() {
	files := map[string][]int{}
	var todo []int
	for n, v := range p.Verdicts {
		files[v.ID] = append(files[v.ID], n)
		if v.Keep {
			todo = append(todo, n)
		}
	}
	for len(todo) > 0 {
		child := p.Verdicts[todo[0]]
		todo = todo[1:]
		for _, n := range files[child.Parent] {
			if v := &p.Verdicts[n]; !v.Keep {
				v.Keep, v.Spared, v.Rule, v.Why = true, true, RuleChildren, child.ID+", which stays, was forked from it"
				todo = append(todo, n)
			}
		}
	}
}

// counter counts the checkpoints of each workflow and each session, beginning with the newest.
type counter struct {
	limits              Limits
	now                 time.Time
	workflows, sessions map[string]int
}

// limit returns the first limit that the next checkpoint exceeds, and the reason in words.
func (c *counter) limit(i Candidate) (Rule, string) {
	c.workflows[i.Workflow]++
	c.sessions[i.Session]++
	w, s := c.workflows[i.Workflow], c.sessions[i.Session]
	switch {
	case c.limits.MaxPerWorkflow > 0 && w > c.limits.MaxPerWorkflow:
		return RuleWorkflow, over(w, "workflow", i.Workflow, c.limits.MaxPerWorkflow)
	case c.limits.MaxPerSession > 0 && s > c.limits.MaxPerSession:
		return RuleSession, over(s, "session", i.Session, c.limits.MaxPerSession)
	case c.limits.MaxAge > 0 && i.Changed.Before(c.now.Add(-c.limits.MaxAge)):
		return RuleAge, "last changed more than " + text.FormatAge(c.limits.MaxAge) + " ago"
	}
	return "", ""
}

// over returns in words how the nth newest checkpoint of a group exceeds the limit.
func over(n int, what, name string, limit int) string {
	of := "of " + what + " " + name
	if name == "" {
		of = "with no " + what
	}
	ones := "ones"
	if n == 2 {
		ones = "one"
	}
	return fmt.Sprintf("%d newer %s %s, the limit is %d", n-1, ones, of, limit)
}

// newestFirst compares by the last change, newest first; the current checkpoint comes first.
func newestFirst(a, b Candidate) int {
	return cmp.Or(
		cmp.Compare(rank(a), rank(b)), b.Changed.Compare(a.Changed), b.Created.Compare(a.Created),
		cmp.Compare(b.ID, a.ID), cmp.Compare(a.Path, b.Path),
	)
}

func rank(i Candidate) int {
	if i.Status == "current" {
		return 0
	}
	return 1
}
