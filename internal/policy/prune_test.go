package policy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/text"
)

var now = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// ago returns a candidate that was changed some hours ago.
func ago(id string, hours int) Candidate {
	t := now.Add(-time.Duration(hours) * time.Hour)
	return Candidate{ID: id, Path: "active/" + id + ".md", Status: "active", Created: t, Changed: t}
}

func with(i Candidate, change func(*Candidate)) Candidate {
	change(&i)
	return i
}

func TestApply(t *testing.T) {
	month := Limits{MaxAge: 30 * text.Day}
	old := ago("old", 24*40)
	for name, tc := range map[string]struct {
		set    []Candidate
		policy Limits
		want   string // the verdicts, newest first: id, - for pruned, the rule
	}{
		"no policy keeps all":    {[]Candidate{old}, Limits{}, "old within"},
		"an empty folder":        {nil, month, ""},
		"old ones go":            {[]Candidate{old, ago("new", 1)}, month, "new within, -old age"},
		"so old and no older":    {[]Candidate{ago("old", 24*30)}, month, "old within"},
		"archived ones, too":     {[]Candidate{with(old, func(i *Candidate) { i.Status = "archived" })}, month, "-old age"},
		"not the current one":    {[]Candidate{with(old, func(i *Candidate) { i.Status = "current" })}, month, "old current"},
		"not one with a name":    {[]Candidate{with(old, func(i *Candidate) { i.Name = "before-refactor" })}, month, "old named"},
		"nor that of a phase":    {[]Candidate{with(old, func(i *Candidate) { i.Trigger = "phase_complete" })}, month, "old phase"},
		"nor what is held":       {[]Candidate{with(old, func(i *Candidate) { i.Held = "edited" })}, month, "old held"},
		"nor one without a time": {[]Candidate{{ID: "a"}}, Limits{MaxAge: 1, MaxPerWorkflow: 1}, "a unsure"}, // it counts as the oldest
		"nor one of two":         {[]Candidate{old, with(old, func(i *Candidate) { i.Path = "archive/old.md" })}, month, "old unsure, old unsure"},
		"nor a parent of one that stays": {
			[]Candidate{ago("a", 24*60), with(ago("b", 24*50), func(i *Candidate) { i.Parent = "a" }), with(ago("c", 1), func(i *Candidate) { i.Parent = "b" })},
			month, "c within, b children, a children",
		},
		"but a parent of one that goes": {[]Candidate{ago("a", 24*60), with(ago("b", 24*50), func(i *Candidate) { i.Parent = "a" })}, month, "-b age, -a age"},
		"a cycle of those that go":      {[]Candidate{with(ago("a", 24*60), func(i *Candidate) { i.Parent = "b" }), with(ago("b", 24*50), func(i *Candidate) { i.Parent = "a" })}, month, "-b age, -a age"},
		"the newest of each workflow": {
			[]Candidate{with(ago("a1", 3), of("a")), with(ago("a2", 2), of("a")), with(ago("b1", 9), of("b")), ago("x", 8), ago("y", 7)},
			Limits{MaxPerWorkflow: 1}, "a2 within, -a1 workflow, y within, -x workflow, b1 within",
		},
		"of each session": {
			[]Candidate{with(ago("a1", 3), func(i *Candidate) { i.Session = "s" }), with(ago("a2", 2), func(i *Candidate) { i.Session = "s" })},
			Limits{MaxPerSession: 1, MaxPerWorkflow: 9}, "a2 within, -a1 session",
		},
		"the current one is the newest": {[]Candidate{with(ago("a", 3), func(i *Candidate) { i.Status = "current" }), ago("b", 2)}, Limits{MaxPerWorkflow: 1}, "a within, -b workflow"},
		"of each workflow": {
			[]Candidate{with(ago("a", 1), of("a")), with(ago("a2", 2), of("a")), with(ago("b", 3), of("b"))},
			Limits{MaxPerWorkflow: 1}, "a within, -a2 workflow, b within",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, v := range Prune(tc.set, tc.policy, now).Verdicts {
				mark := ""
				if !v.Keep {
					mark = "-"
				}
				got = append(got, mark+v.ID+" "+string(v.Rule))
			}
			if strings.Join(got, ", ") != tc.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), tc.want)
			}
		})
	}
}

func of(workflow string) func(*Candidate) { return func(i *Candidate) { i.Workflow = workflow } }

// TestPolicyHolds makes random sets and policies. Protected checkpoints stay, no lineage
// breaks, only checkpoints over a limit are pruned, a looser policy prunes no others, and
// a second prune changes nothing. The order of the files does not matter.
func TestPolicyHolds(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		set := randomSet(r)
		policy := Limits{time.Duration(r.IntN(10)) * text.Day, r.IntN(4), r.IntN(4)}
		asGiven := slices.Clone(set)
		plan := Prune(set, policy, now)
		if !slices.Equal(set, asGiven) {
			t.Fatalf("seed %d: the set is in another order", seed)
		}
		if len(plan.Verdicts) != len(set) {
			t.Fatalf("seed %d: %d verdicts on %d", seed, len(plan.Verdicts), len(set))
		}
		gone := map[string]bool{}
		for _, v := range plan.Pruned() {
			gone[v.Path] = true
			files := 0
			for _, i := range set {
				if i.ID == v.ID {
					files++
				}
			}
			if v.Status == "current" || v.Name != "" || v.Trigger == "phase" || v.Held != "" || v.Changed.IsZero() || files > 1 {
				t.Errorf("seed %d: %s is dear, and goes by %s", seed, v.ID, v.Rule)
			}
			if policy.None() || v.Rule == RuleAge && policy.MaxAge == 0 || v.Rule == RuleWorkflow && policy.MaxPerWorkflow == 0 || v.Rule == RuleSession && policy.MaxPerSession == 0 {
				t.Errorf("seed %d: %s goes by %s under %+v", seed, v.ID, v.Rule, policy)
			}
		}
		checkLimits(t, seed, plan)
		var left []Candidate
		for _, i := range set {
			if gone[i.Path] {
				continue
			}
			left = append(left, i)
			for _, parent := range set {
				if parent.ID == i.Parent && gone[parent.Path] {
					t.Errorf("seed %d: %s stays, its parent %s does not", seed, i.ID, parent.ID)
				}
			}
		}
		if again := Prune(left, policy, now).Pruned(); len(again) > 0 {
			t.Errorf("seed %d: a second time takes %s by %s", seed, again[0].ID, again[0].Rule)
		}
		looser := policy
		looser.MaxAge, looser.MaxPerWorkflow, looser.MaxPerSession = 2*policy.MaxAge, 2*policy.MaxPerWorkflow, 2*policy.MaxPerSession
		for _, v := range Prune(set, looser, now).Pruned() {
			if !gone[v.Path] {
				t.Errorf("seed %d: the looser policy takes %s", seed, v.ID)
			}
		}
		slices.Reverse(set)
		if other := Prune(set, policy, now); !slices.Equal(other.Verdicts, plan.Verdicts) {
			t.Errorf("seed %d: the order of the files counts", seed)
		}
	}
}

// checkLimits checks that a limit of n keeps the newest n of each group, and of the
// others only those that are spared.
func checkLimits(t *testing.T, seed uint64, plan *Pruning) {
	t.Helper()
	workflows, sessions := map[string]int{}, map[string]int{}
	for _, v := range plan.Verdicts { // the newest first
		workflows[v.Workflow]++
		sessions[v.Session]++
		over := func(n, limit int) bool { return limit > 0 && n > limit }
		beyond := over(workflows[v.Workflow], plan.Limits.MaxPerWorkflow) || over(sessions[v.Session], plan.Limits.MaxPerSession) ||
			plan.Limits.MaxAge > 0 && now.Sub(v.Changed) > plan.Limits.MaxAge
		if v.Keep && beyond != v.Spared || !v.Keep && !beyond {
			t.Errorf("seed %d: %s is beyond a limit: %v; kept: %v, spared: %v", seed, v.ID, beyond, v.Keep, v.Spared)
		}
	}
}

func randomSet(r *rand.Rand) []Candidate {
	var set []Candidate
	for n := range r.IntN(12) {
		i := ago(fmt.Sprintf("chk-%d", r.IntN(20)), r.IntN(24*14))
		i.Path = fmt.Sprintf("active/%d.md", n)
		i.Workflow, i.Session = []string{"", "a", "b"}[r.IntN(3)], []string{"", "s"}[r.IntN(2)]
		if len(set) > 0 && r.IntN(2) == 0 {
			i.Parent = set[r.IntN(len(set))].ID
		}
		switch r.IntN(8) {
		case 0:
			i.Status = "current"
		case 1:
			i.Name = "named"
		case 2:
			i.Trigger = "phase"
		case 3:
			i.Held = "held"
		case 4:
			i.Status = "archived"
		case 5:
			i.Changed = time.Time{}
		}
		set = append(set, i)
	}
	return set
}

func TestReasons(t *testing.T) {
	set := []Candidate{with(ago("a", 1), of("ship")), with(ago("b", 2), of("ship")), ago("c", 24*40), ago("d", 24*41)}
	plan := Prune(set, Limits{MaxAge: 30 * text.Day, MaxPerWorkflow: 1}, now)
	for id, want := range map[string]string{
		"a": "within the policy", "b": "1 newer one of workflow ship, the limit is 1",
		"c": "last changed more than 30d ago", "d": "1 newer one with no workflow, the limit is 1",
	} {
		if n := slices.IndexFunc(plan.Verdicts, func(v Verdict) bool { return v.ID == id }); plan.Verdicts[n].Why != want {
			t.Errorf("%s: %q, want %q", id, plan.Verdicts[n].Why, want)
		}
	}
}
