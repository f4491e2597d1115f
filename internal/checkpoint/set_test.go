package checkpoint_test

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
)

func TestResolve(t *testing.T) {
	set := &checkpoint.Set{
		All: []*checkpoint.Checkpoint{
			{Path: "active/chk-auth.md", ID: "chk-auth"},
			{Path: "active/chk-auth-2.md", ID: "chk-auth-2"},
			{Path: "active/auth.md", ID: "auth"},
			{Path: "active/session.md", ID: "session-abc-003"},
			{Path: "active/twin-a.md", ID: "chk-twin"},
			{Path: "archive/2026/01/chk-twin.md", ID: "chk-twin"},
			{Path: "archive/chk-old.md", ID: "chk-old"},
			{Path: "active/chk-bad-2.md", ID: "chk-bad-2"},
		},
		Broken: []checkpoint.Broken{{Path: "active/chk-bad.md", Err: fault.New(fault.Invalid, "line 2: no")}, {Path: "active/chk-lost.md", Err: fault.New(fault.Invalid, "line 3: no")},
			{Path: "archive/old.md", Err: fault.New(fault.Invalid, "line 4: no")}},
	}
	for name, want := range map[string]string{
		"chk-auth":                            "active/chk-auth.md",
		"auth":                                "active/auth.md", // a whole id comes first
		"auth-2":                              "active/chk-auth-2.md",
		"chk-auth-":                           "active/chk-auth-2.md",
		"ses":                                 "active/session.md",
		"chk-o":                               "archive/chk-old.md",
		"active/auth.md":                      "active/auth.md",
		"checkpoints/archive/chk-old.md":      "archive/chk-old.md",
		"./checkpoints/archive/chk-old.md":    "archive/chk-old.md",
		"../x/checkpoints/archive/chk-old.md": "archive/chk-old.md",
		`.\checkpoints\archive\chk-old.md`:    "archive/chk-old.md",
		"./active/auth.md":                    "active/auth.md",
		"chk-old.md":                          "archive/chk-old.md",
		"archive/2026/01/chk-twin.md":         "archive/2026/01/chk-twin.md",
		"active/twin-a.md":                    "active/twin-a.md",
		"chk-twin":                            "usage: 2 files have the id \"chk-twin\": active/twin-a.md, archive/2026/01/chk-twin.md",
		"chk-a":                               "usage: \"chk-a\" matches 2 checkpoints: chk-auth (active/chk-auth.md), chk-auth-2 (active/chk-auth-2.md)",
		"twin":                                "usage: 2 files have the id \"chk-twin\": active/twin-a.md, archive/2026/01/chk-twin.md",
		"bad":                                 "invalid: active/chk-bad.md cannot be read: line 2: no",
		"chk-bad":                             "invalid: active/chk-bad.md cannot be read: line 2: no", // not chk-bad-2
		"old":                                 "invalid: archive/old.md cannot be read: line 4: no",    // not chk-old
		"bad-":                                "active/chk-bad-2.md",
		"chk-ba":                              "usage: \"chk-ba\" matches 2 checkpoints: chk-bad (active/chk-bad.md), chk-bad-2 (active/chk-bad-2.md)",
		"lo":                                  "invalid: active/chk-lost.md cannot be read: line 3: no",
		"active/chk-bad.md":                   "invalid: active/chk-bad.md cannot be read: line 2: no",
		"nobody":                              "not-found: no checkpoint is called \"nobody\"",
		"":                                    "not-found: no checkpoint is called \"\"",
		"CHK-AUTH":                            "not-found: no checkpoint is called \"CHK-AUTH\"",
		"d.md":                                "not-found: no checkpoint is called \"d.md\"",
		"other/old.md":                        "not-found: no checkpoint is called \"other/old.md\"",
	} {
		c, err := set.Resolve(name)
		got := ""
		if err != nil {
			got = fault.KindOf(err).String() + ": " + err.Error()
			if fault.HintOf(err) == "" {
				t.Errorf("Resolve(%q): no hint", name)
			}
		} else {
			got = c.Path
		}
		if got != want {
			t.Errorf("Resolve(%q):\n got %s\nwant %s", name, got, want)
		}
	}
}

func TestSetParts(t *testing.T) {
	set := &checkpoint.Set{}
	for path, src := range map[string]string{
		"active/a.md":  "---\ncheckpoint: a\nstatus: current\n---\n",
		"active/b.md":  "---\ncheckpoint: b\nparent: a\ncreated: 2026-01-02\n---\n",
		"active/c.md":  "---\ncheckpoint: c\nparent: a\ncreated: 2026-01-01\nstatus: current\n---\n",
		"archive/d.md": "---\ncheckpoint: d\nparent: d\nstatus: current\n---\n",
	} {
		c, err := checkpoint.Parse(path, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		set.All = append(set.All, c)
	}
	ids := func(all []*checkpoint.Checkpoint) string {
		var list []string
		for _, c := range all {
			list = append(list, c.ID)
		}
		return strings.Join(list, " ")
	}
	equal(t, ids(set.Children("a")), "c b")
	equal(t, ids(set.Children("d")), "")
	equal(t, ids(set.Archived()), "d")
	if len(set.MarkedCurrent()) != 2 || len(set.Active()) != 3 {
		t.Error(ids(set.MarkedCurrent()), ids(set.Active()))
	}
	if _, ok := set.Get("chk-a"); ok {
		t.Error("Get takes whole ids only")
	}
}

// TestSettle makes one of several files marked as current the current one, also after a change of
// the set. The files stay the same.
func TestSettle(t *testing.T) {
	file := func(id, fields string) *checkpoint.Checkpoint {
		c, err := checkpoint.Parse("active/"+id+".md", []byte("---\ncheckpoint: "+id+"\n"+fields+"---\n"))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	a := file("a", "created: 2026-01-01\nstatus: current\n")
	b := file("b", "created: 2026-01-03\nstatus: Current\n")
	c := file("c", "created: 2026-01-02\nstatus: current\n")
	d := file("d", "created: 2026-01-04\n")
	pick := func(id string) checkpoint.Choose {
		return func(marked []*checkpoint.Checkpoint) *checkpoint.Checkpoint {
			for _, c := range marked {
				if c.ID == id {
					return c
				}
			}
			return marked[0]
		}
	}
	for _, test := range []struct {
		name   string
		all    []*checkpoint.Checkpoint
		choose checkpoint.Choose
		want   string
	}{
		{"none", []*checkpoint.Checkpoint{d}, pick("d"), ""},
		{"one", []*checkpoint.Checkpoint{a, d}, pick("d"), "a"},
		{"chosen", []*checkpoint.Checkpoint{a, b, c, d}, pick("c"), "c"},
		{"changed last", []*checkpoint.Checkpoint{a, b, c, d}, nil, "b"},
	} {
		set := (&checkpoint.Set{}).With(test.all)
		set.Settle(test.choose)
		var current []string
		for _, c := range set.All {
			if c.Status() == checkpoint.Current {
				current = append(current, c.ID)
			}
		}
		equal(t, test.name+": "+strings.Join(current, " "), test.name+": "+test.want)
		if got := set.Current(); got == nil && test.want != "" || got != nil && got.ID != test.want {
			t.Errorf("%s: Current is %v", test.name, got)
		}
	}

	set := (&checkpoint.Set{}).With([]*checkpoint.Checkpoint{a, b, c, d})
	set.Settle(pick("c"))
	if len(set.MarkedCurrent()) != 3 {
		t.Error("a file says otherwise")
	}
	rest := set.With([]*checkpoint.Checkpoint{set.All[0], set.All[1], set.All[3]})
	equal(t, rest.Current().ID, "a")
	rest = set.With([]*checkpoint.Checkpoint{set.All[1], set.All[3]})
	equal(t, rest.Current().ID, "b")
	equal(t, set.Current().ID, "c")
}
