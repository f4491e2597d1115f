package output

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/history/decisions"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/text"
)

// Decisions lists decisions, numbered where they are live.
func (p Text) Decisions(r *decisions.Record) error {
	style := p.pen()
	n := 0
	for _, d := range r.Decisions {
		text := strings.ReplaceAll(d.Text, "\n", "\n    ")
		if !d.Live() {
			p.printf("  - %s\n", style.Dim(text+asideSaid(d)))
			continue
		}
		n++
		p.printf("%3d %s\n", n, text)
	}
	p.decisionCount(r)
	return p.done()
}

// decisionCount says on standard error how many there are.
func (p Text) decisionCount(r *decisions.Record) {
	aside := 0
	for _, d := range r.Decisions {
		if d.Aside != "" {
			aside++
		}
	}
	gone := len(r.Decisions) - r.Live()
	said := r.ID + ": " + text.Count(r.Live(), "decision") + " live"
	if superseded := gone - aside; superseded > 0 {
		said += fmt.Sprintf(", %d superseded", superseded)
	}
	if aside > 0 {
		said += fmt.Sprintf(", %d not decided", aside)
	}
	switch {
	case len(r.Decisions) == 0:
		p.remark(r.ID + " holds no decision (ckpt note decision TEXT --why TEXT)")
	case gone > 0:
		p.remark(said)
	}
	p.remark(r.Warnings...)
}

// asideSaid names the subheading that says a decision is none.
func asideSaid(d decisions.Decision) string {
	if d.Aside == "" {
		return ""
	}
	return " (" + d.Aside + ")"
}

// DecisionsBlame lists decisions as git blame lists lines: by commit, day and author.
func (p Text) DecisionsBlame(r *decisions.Record) error {
	style := p.pen()
	width := 0
	for _, d := range r.Decisions {
		width = max(width, len([]rune(d.Made.Author)))
	}
	for _, d := range r.Decisions {
		text := text.FirstLine(d.Text)
		p.printf("%s  %s  %-*s  ", style.Yellow(short(d.Made)), day(d.Made), width, d.Made.Author)
		if !d.Live() {
			p.printf("%s\n", style.Dim(text+asideSaid(d)))
		} else {
			p.printf("%s\n", text)
		}
		for _, e := range d.Reworded {
			p.printf("    %s\n", style.Dim("reworded "+by(e)))
		}
		if d.Struck != nil {
			p.printf("    %s\n", style.Dim("superseded "+by(*d.Struck)))
		}
	}
	p.decisionCount(r)
	return p.done()
}

// DecisionsVerified says which decisions vanished, and where.
func (p Text) DecisionsVerified(r *decisions.Record) error {
	style := p.pen()
	for _, l := range r.Losses {
		text := text.FirstLine(l.Decision.Text)
		made := "    made " + by(l.Made)
		switch {
		case l.Undone:
			p.printf("%s  %s\n%s\n    taken back %s\n", style.Dim("undone"), text, style.Dim(made), by(l.In))
			continue
		case l.WasGone:
			p.printf("%s  %s\n%s\n    superseded before, taken out %s\n", style.Dim("struck"), text, style.Dim(made), by(l.In))
			continue
		}
		p.printf("%s    %s\n%s\n    gone %s\n", style.Red("lost"), text, style.Dim(made), by(l.In))
		if l.Back != nil {
			p.printf("    back %s\n", by(*l.Back))
		}
	}
	if r.Lost() > 0 {
		p.printf("%s: %s lost in %s\n", r.ID, text.Count(r.Lost(), "decision"), text.Count(r.Checked, "version"))
	} else {
		p.printf("%s: %s, none lost in %s\n", r.ID, text.Count(len(r.Decisions), "decision"), text.Count(r.Checked, "version"))
	}
	p.remark(r.Warnings...)
	return p.done()
}

func short(v revisions.Version) string {
	if v.Commit == "" {
		return "not yet"
	}
	return v.Short()
}

func day(v revisions.Version) string {
	if v.Time.IsZero() {
		return "committed "
	}
	return v.Time.UTC().Format("2006-01-02")
}

// by says who did something, when and in which commit.
func by(v revisions.Version) string {
	switch {
	case v.Commit == "":
		return "in edits that no commit holds"
	case v.Pending != "":
		return "in what waits to land (" + v.Pending + ")"
	}
	return fmt.Sprintf("in %s by %s, %s: %s", v.Short(), v.Author, day(v), v.Subject)
}
