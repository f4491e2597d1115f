package retain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/core/age"
)

var now = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// ago is an item that was changed so many hours ago.
func ago(id string, hours int) Item {
	t := now.Add(-time.Duration(hours) * time.Hour)
	return Item{ID: id, Path: "active/" + id + ".md", Status: "active", Created: t, Changed: t}
}

func with(i Item, change func(*Item)) Item {
	change(&i)
	return i
}

func TestApply(t *testing.T) {
	month := Policy{MaxAge: 30 * age.Day}
	old := ago("old", 24*40)
	for name, tc := range map[string]struct {
		set    []Item
		policy Policy
		want   string // the verdicts, newest first: id, - for pruned, the rule
	}{
		"no policy keeps all":    {[]Item{old}, Policy{}, "old within"},
		"an empty folder":        {nil, month, ""},
		"old ones go":            {[]Item{old, ago("new", 1)}, month, "new within, -old age"},
		"so old and no older":    {[]Item{ago("old", 24*30)}, month, "old within"},
		"archived ones, too":     {[]Item{with(old, func(i *Item) { i.Status = "archived" })}, month, "-old age"},
		"not the current one":    {[]Item{with(old, func(i *Item) { i.Status = "current" })}, month, "old current"},
		"not one with a name":    {[]Item{with(old, func(i *Item) { i.Name = "before-refactor" })}, month, "old named"},
		"nor that of a phase":    {[]Item{with(old, func(i *Item) { i.Trigger = "phase_complete" })}, month, "old phase"},
		"nor what is held":       {[]Item{with(old, func(i *Item) { i.Held = "edited" })}, month, "old held"},
		"nor one without a time": {[]Item{{ID: "a"}}, Policy{MaxAge: 1, MaxPerWorkflow: 1}, "a unsure"}, // which is older than any age
		"nor one of two":         {[]Item{old, with(old, func(i *Item) { i.Path = "archive/old.md" })}, month, "old unsure, old unsure"},
		"nor a parent of one that stays": {
			[]Item{ago("a", 24*60), with(ago("b", 24*50), func(i *Item) { i.Parent = "a" }), with(ago("c", 1), func(i *Item) { i.Parent = "b" })},
			month, "c within, b children, a children",
		},
		"but a parent of one that goes": {[]Item{ago("a", 24*60), with(ago("b", 24*50), func(i *Item) { i.Parent = "a" })}, month, "-b age, -a age"},
		"a cycle of those that go":      {[]Item{with(ago("a", 24*60), func(i *Item) { i.Parent = "b" }), with(ago("b", 24*50), func(i *Item) { i.Parent = "a" })}, month, "-b age, -a age"},
		"the newest of each workflow": {
			[]Item{with(ago("a1", 3), of("a")), with(ago("a2", 2), of("a")), with(ago("b1", 9), of("b")), ago("x", 8), ago("y", 7)},
			Policy{MaxPerWorkflow: 1}, "a2 within, -a1 workflow, y within, -x workflow, b1 within",
		},
		"of each session": {
			[]Item{with(ago("a1", 3), func(i *Item) { i.Session = "s" }), with(ago("a2", 2), func(i *Item) { i.Session = "s" })},
			Policy{MaxPerSession: 1, MaxPerWorkflow: 9}, "a2 within, -a1 session",
		},
		"the current one is the newest": {[]Item{with(ago("a", 3), func(i *Item) { i.Status = "current" }), ago("b", 2)}, Policy{MaxPerWorkflow: 1}, "a within, -b workflow"},
		"numbers count as numbers":      {[]Item{ago("chk-9", 1), ago("chk-10", 1), ago("chk-010", 1)}, Policy{MaxPerWorkflow: 2}, "chk-010 within, chk-10 within, -chk-9 workflow"},
		"the last one of a day": {
			[]Item{ago("today", 1), ago("noon", 24), ago("dawn", 30), ago("before", 48), ago("long", 72)},
			Policy{MaxAge: time.Minute, Daily: 3}, "today daily, noon daily, -dawn age, before daily, -long age",
		},
		"of each workflow": {
			[]Item{with(ago("a", 1), of("a")), with(ago("a2", 2), of("a")), with(ago("b", 3), of("b"))},
			Policy{MaxAge: time.Minute, Daily: 1}, "a daily, -a2 age, b daily",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, v := range Apply(tc.set, tc.policy, now).Verdicts {
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

func of(workflow string) func(*Item) { return func(i *Item) { i.Workflow = workflow } }

func TestCompletesPhase(t *testing.T) {
	for words, want := range map[[2]string]bool{
		{"phase", ""}: true, {"phase_complete", ""}: true, {"Phase-Completion", ""}: true, {"", "Phase 2.5 Complete"}: true, {"", "phase 3: completed"}: true,
		{"", ""}: false, {"phases", ""}: false, {"manual", "Phase 3 - Implementation"}: false, {"", "Complete the login"}: false,
	} {
		if got := CompletesPhase(words[0], words[1]); got != want {
			t.Errorf("%q: got %v", words, got)
		}
	}
}

// TestPolicyHolds makes random sets and policies: what is dear stays, no lineage
// breaks, nothing goes that reaches no limit, a looser policy takes nothing more, and
// to prune twice is to prune once, in whatever order the files are.
func TestPolicyHolds(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		set := randomSet(r)
		policy := Policy{time.Duration(r.IntN(10)) * age.Day, r.IntN(4), r.IntN(4), r.IntN(3)}
		asGiven := slices.Clone(set)
		plan := Apply(set, policy, now)
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
			if policy.None() || v.Rule == Age && policy.MaxAge == 0 || v.Rule == Workflow && policy.MaxPerWorkflow == 0 || v.Rule == Session && policy.MaxPerSession == 0 {
				t.Errorf("seed %d: %s goes by %s under %+v", seed, v.ID, v.Rule, policy)
			}
		}
		checkLimits(t, seed, plan)
		var left []Item
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
		if again := Apply(left, policy, now).Pruned(); len(again) > 0 {
			t.Errorf("seed %d: a second time takes %s by %s", seed, again[0].ID, again[0].Rule)
		}
		looser := policy
		looser.MaxAge, looser.MaxPerWorkflow, looser.MaxPerSession, looser.Daily = 2*policy.MaxAge, 2*policy.MaxPerWorkflow, 2*policy.MaxPerSession, policy.Daily+1
		for _, v := range Apply(set, looser, now).Pruned() {
			if !gone[v.Path] {
				t.Errorf("seed %d: the looser policy takes %s", seed, v.ID)
			}
		}
		slices.Reverse(set)
		if other := Apply(set, policy, now); !slices.Equal(other.Verdicts, plan.Verdicts) {
			t.Errorf("seed %d: the order of the files counts", seed)
		}
	}
}

// checkLimits says that a limit of n leaves the newest n of each group, and of the
// others those that are spared.
func checkLimits(t *testing.T, seed uint64, plan *Plan) {
	t.Helper()
	workflows, sessions := map[string]int{}, map[string]int{}
	for _, v := range plan.Verdicts { // the newest first
		workflows[v.Workflow]++
		sessions[v.Session]++
		over := func(n, limit int) bool { return limit > 0 && n > limit }
		beyond := over(workflows[v.Workflow], plan.Policy.MaxPerWorkflow) || over(sessions[v.Session], plan.Policy.MaxPerSession) ||
			plan.Policy.MaxAge > 0 && now.Sub(v.Changed) > plan.Policy.MaxAge
		if v.Keep && beyond != v.Spared || !v.Keep && !beyond {
			t.Errorf("seed %d: %s is beyond a limit: %v; kept: %v, spared: %v", seed, v.ID, beyond, v.Keep, v.Spared)
		}
	}
}

func randomSet(r *rand.Rand) []Item {
	var set []Item
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
	set := []Item{with(ago("a", 1), of("ship")), with(ago("b", 2), of("ship")), ago("c", 24*40), ago("d", 24*41)}
	plan := Apply(set, Policy{MaxAge: 30 * age.Day, MaxPerWorkflow: 1}, now)
	for id, want := range map[string]string{
		"a": "within the policy", "b": "1 newer one of workflow ship, the limit is 1",
		"c": "last changed more than 30d ago", "d": "1 newer one with no workflow, the limit is 1",
	} {
		if n := slices.IndexFunc(plan.Verdicts, func(v Verdict) bool { return v.ID == id }); plan.Verdicts[n].Why != want {
			t.Errorf("%s: %q, want %q", id, plan.Verdicts[n].Why, want)
		}
	}
}
