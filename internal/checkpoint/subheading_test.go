package checkpoint

import "testing"

func TestStatusOf(t *testing.T) {
	for title, want := range map[string]ItemStatus{
		"Rejected": Rejected, "❌ Rejected": Rejected, "**Rejected:**": Rejected, "Rejected (2026-01-02)": Rejected, "REJECTED": Rejected,
		"Rejected: too slow": Rejected, "Considered": Rejected, "Alternatives considered": Rejected, "Alternatives": Rejected,
		"Remaining": Open, "Remaining (3)": Open, "2. Remaining work": Open, "Not done yet": Open, "Not done": Open, "Pending": Open,
		"To do": Open, "TODO": Open, "Open": Open, "Open questions": Open, "Blocked": Open, "Blocked by infra": Open, "Deferred": Open, "What's left": Open,
		"In progress": Underway, "In-Progress": Underway, "🚧 In Progress 🚧": Underway, "WIP": Underway,
		"Completed": Finished, "✅ Done": Finished, "Done (this week)": Finished,
		"Phase 1": Unstated, "Open source": Unstated, "Donees": Unstated, "Next.js": Unstated, "": Unstated, "Options": Unstated,
	} {
		if got := StatusOf(title); got != want {
			t.Errorf("StatusOf(%q) = %d, want %d", title, got, want)
		}
	}
}

// TestAppendedToItsOwn: what is decided or done since is not put below a subheading
// that says it is not.
func TestAppendedToItsOwn(t *testing.T) {
	for name, c := range map[string]struct{ before, want string }{
		"behind the entries above":  {"### Decisions\n\n- a\n\n#### Rejected\n\n- b\n", "### Decisions\n\n- a\n- new\n\n#### Rejected\n\n- b\n"},
		"behind the last that fits": {"### Decisions\n\n#### Made\n\n- a\n\n#### Rejected\n\n- b\n", "### Decisions\n\n#### Made\n\n- a\n- new\n\n#### Rejected\n\n- b\n"},
		"behind a later one":        {"### Decisions\n\n#### Rejected\n\n- b\n\n#### Made\n\n- a\n", "### Decisions\n\n#### Rejected\n\n- b\n\n#### Made\n\n- a\n- new\n"},
		"above all where none fits": {"### Decisions\n\n#### Rejected\n\n- b\n", "### Decisions\n\n- new\n\n#### Rejected\n\n- b\n"},
		"a deeper one is its own":   {"### Decisions\n\n#### Open\n\n##### Storage\n\n- b\n", "### Decisions\n\n- new\n\n#### Open\n\n##### Storage\n\n- b\n"},
	} {
		t.Run(name, func(t *testing.T) {
			const head = "---\ncheckpoint: chk-a\ncreated: 2026-01-01\n---\n\n"
			c0, err := Parse("active/chk-a.md", []byte(head+c.before))
			if err != nil {
				t.Fatal(err)
			}
			got, err := c0.Revise().Bullet(Decisions, "new").Apply()
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Doc.Bytes()) != head+c.want {
				t.Errorf("got\n%s\nwant\n%s", got.Doc.Bytes(), head+c.want)
			}
			live := 0
			for _, d := range got.Decisions() {
				if d.Live() {
					live++
				}
			}
			if want := len(c0.Decisions()) - len(asideEntries(c0)) + 1; live != want {
				t.Errorf("%d live decisions, want %d", live, want)
			}
		})
	}
}

func asideEntries(c *Checkpoint) (all []Action) {
	for _, a := range c.Asides(Decisions) {
		all = append(all, c.Entries(a)...)
	}
	return all
}
