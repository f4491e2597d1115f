// Package retain decides which checkpoints a policy keeps and which it would have
// gone, each with a reason.
//
// Whatever the policy says, it keeps the current checkpoint, those with a name,
// those that a completed phase left, and whatever still has children: a parent of
// one that stays is never pruned, so no lineage breaks.
package retain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/age"
)

// Policy is how much is kept. A zero sets no limit; the zero policy keeps all.
type Policy struct {
	MaxAge         time.Duration // since the last change
	MaxPerWorkflow int           // the newest so many of each workflow
	MaxPerSession  int           // of each session
	Daily          int           // of each workflow the last one of a day stays, for so many days, whatever the limits say
}

// None says whether the policy sets no limit.
func (p Policy) None() bool { return p.MaxAge == 0 && p.MaxPerWorkflow == 0 && p.MaxPerSession == 0 }

// Item is what of a checkpoint matters here.
type Item struct {
	ID, Path, Parent  string
	Status            string // current, active, archived
	Name              string
	Workflow, Session string // those without one are a group like any other
	Trigger, Step     string
	Created, Changed  time.Time // zero where the file says none
	Held              string    // why it stays for a reason outside of its file; "" for none
}

// Rule is what a verdict is based on.
type Rule string

// The rules that keep, and the limits that prune.
const (
	Within   Rule = "within" // no limit is reached
	Current  Rule = "current"
	Named    Rule = "named"
	Phase    Rule = "phase"
	Held     Rule = "held"
	Unsure   Rule = "unsure" // it says no time, or shares its id
	Daily    Rule = "daily"
	Children Rule = "children"
	Age      Rule = "age"
	Workflow Rule = "workflow"
	Session  Rule = "session"
)

// Verdict is what becomes of one checkpoint.
type Verdict struct {
	Item
	Keep   bool
	Rule   Rule
	Why    string
	Spared bool // it is kept although a limit is reached
}

// Plan is the verdicts on a set, the newest first; the current one is the newest.
type Plan struct {
	Policy   Policy
	Verdicts []Verdict
}

// Pruned are the verdicts on those that are to go, the newest first.
func (p *Plan) Pruned() []Verdict {
	return slices.DeleteFunc(slices.Clone(p.Verdicts), func(v Verdict) bool { return v.Keep })
}

// Apply judges every checkpoint of a set.
func Apply(set []Item, policy Policy, now time.Time) *Plan {
	set = slices.Clone(set)
	slices.SortFunc(set, newestFirst)
	twice := map[string]int{}
	for _, i := range set {
		twice[i.ID]++
	}
	plan := &Plan{Policy: policy, Verdicts: make([]Verdict, len(set))}
	c := counter{policy: policy, now: now, workflows: map[string]int{}, sessions: map[string]int{}, days: map[string][]string{}}
	for n, i := range set {
		v := Verdict{Item: i, Keep: true, Rule: Within, Why: "within the policy"}
		limit, over := c.limit(i)
		day := c.daily(i)
		if limit != "" {
			v.Keep, v.Rule, v.Why = false, limit, over
			rule, why := protected(i, twice[i.ID])
			if rule == "" && day != "" {
				rule, why = Daily, day
			}
			if rule != "" {
				v.Keep, v.Rule, v.Why, v.Spared = true, rule, why, true
			}
		}
		plan.Verdicts[n] = v
	}
	plan.keepParents()
	return plan
}

// protected is why a checkpoint stays whatever the limits say, "" for none.
func protected(i Item, files int) (Rule, string) {
	switch {
	case i.Status == "current":
		return Current, "it is the current one"
	case i.Name != "":
		return Named, fmt.Sprintf("it has a name: %s", i.Name)
	case CompletesPhase(i.Trigger, i.Step):
		return Phase, "it was left by a completed phase"
	case i.Held != "":
		return Held, i.Held
	case files > 1:
		return Unsure, fmt.Sprintf("%d files have this id", files)
	case i.Changed.IsZero():
		return Unsure, "it says no time"
	}
	return "", ""
}

// CompletesPhase says whether a checkpoint was made because a phase was over: by its
// trigger ("phase", "phase_complete"), or by a step that says so ("Phase 2 Complete").
func CompletesPhase(trigger, step string) bool {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(" _-", r) {
				return -1
			}
			return r
		}, strings.ToLower(s))
	}
	switch letters(trigger) {
	case "phase", "phasecomplete", "phasecompleted", "phasecompletion", "phaseend", "phasedone":
		return true
	}
	step = letters(step)
	return strings.HasPrefix(step, "phase") && (strings.HasSuffix(step, "complete") || strings.HasSuffix(step, "completed"))
}

// keepParents keeps the parent of whatever is kept, and its parent.
func (p *Plan) keepParents() {
	files := map[string][]int{}
	for n, v := range p.Verdicts {
		files[v.ID] = append(files[v.ID], n)
	}
	var todo []int
	for n, v := range p.Verdicts {
		if v.Keep {
			todo = append(todo, n)
		}
	}
	for len(todo) > 0 {
		child := p.Verdicts[todo[0]]
		todo = todo[1:]
		for _, n := range files[child.Parent] {
			if v := &p.Verdicts[n]; !v.Keep {
				v.Keep, v.Spared, v.Rule, v.Why = true, true, Children, child.ID+", which stays, was forked from it"
				todo = append(todo, n)
			}
		}
	}
}

// counter finds the limits that checkpoints reach, newest first.
type counter struct {
	policy              Policy
	now                 time.Time
	workflows, sessions map[string]int
	days                map[string][]string // by workflow
}

// limit is the first limit that the next checkpoint reaches, and how.
func (c *counter) limit(i Item) (Rule, string) {
	c.workflows[i.Workflow]++
	c.sessions[i.Session]++
	w, s := c.workflows[i.Workflow], c.sessions[i.Session]
	switch {
	case c.policy.MaxPerWorkflow > 0 && w > c.policy.MaxPerWorkflow:
		return Workflow, over(w, "workflow", i.Workflow, c.policy.MaxPerWorkflow)
	case c.policy.MaxPerSession > 0 && s > c.policy.MaxPerSession:
		return Session, over(s, "session", i.Session, c.policy.MaxPerSession)
	case c.policy.MaxAge > 0 && i.Changed.Before(c.now.Add(-c.policy.MaxAge)):
		return Age, "last changed more than " + age.String(c.policy.MaxAge) + " ago"
	}
	return "", ""
}

// over says that the nth of a group, from the newest on, is one too many.
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

// daily is why the next checkpoint stays as the last one of its day, "" where it is not.
func (c *counter) daily(i Item) string {
	days := c.days[i.Workflow]
	day := i.Changed.UTC().Format(time.DateOnly)
	if i.Changed.IsZero() || len(days) >= c.policy.Daily || slices.Contains(days, day) {
		return ""
	}
	c.days[i.Workflow] = append(days, day)
	return "it is the last one of " + day
}

// newestFirst orders by the last change; the current one is the newest of all.
func newestFirst(a, b Item) int {
	return cmp.Or(
		cmp.Compare(rank(a), rank(b)), b.Changed.Compare(a.Changed), b.Created.Compare(a.Created),
		natural(b.ID, a.ID), cmp.Compare(a.Path, b.Path),
	)
}

func rank(i Item) int {
	if i.Status == "current" {
		return 0
	}
	return 1
}

// natural compares ids with the numbers in them as numbers: chk-9 before chk-10.
func natural(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x > 0 && y > 0 {
			m, n := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
			if d := cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(m, n), cmp.Compare(x, y)); d != 0 {
				return d
			}
			a, b = a[x:], b[y:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits is how many digits s begins with.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
