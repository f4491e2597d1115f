package output

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"example.com/ckpt/internal/history/decisions"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// Decisions prints decisions; live ones are numbered.
func Decisions(p *Printer, r *decisions.Record) {
	n := 0
	for _, d := range r.Decisions {
		text := strings.ReplaceAll(d.Text, "\n", "\n    ")
		if !d.Live() {
			p.printf("  - \v%s\n", p.Dim(text+asideSaid(d)))
			continue
		}
		n++
		p.printf("%3d \v%s\n", n, p.prose(text))
	}
	printDecisionCount(p, r)
}

// printDecisionCount prints the number of decisions to standard error.
func printDecisionCount(p *Printer, r *decisions.Record) {
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
		p.remark(r.ID + " has no decisions (ckpt note decision TEXT --why TEXT)")
	case gone > 0:
		p.remark(said)
	}
	p.remark(r.Warnings...)
}

// asideSaid returns, in brackets, the subheading that marks a decision as not decided, if it has one.
func asideSaid(d decisions.Decision) string {
	if d.Aside == "" {
		return ""
	}
	return " (" + d.Aside + ")"
}

// DecisionsBlame prints decisions as git blame prints lines: with commit, day and author.
func DecisionsBlame(p *Printer, r *decisions.Record) {
	width := 0
	for _, d := range r.Decisions {
		width = max(width, len([]rune(d.Made.Author)))
	}
	for _, d := range r.Decisions {
		text := text.FirstLine(d.Text)
		p.printf("%s  %s  %-*s  ", p.Yellow(cmp.Or(d.Made.Short(), "not yet")), day(d.Made), width, d.Made.Author)
		if !d.Live() {
			p.printf("\v%s\n", p.Dim(text+asideSaid(d)))
		} else {
			p.printf("\v%s\n", p.prose(text))
		}
		for _, e := range d.Reworded {
			p.printf("    %s\n", p.Dim("reworded "+by(e)))
		}
		if d.Struck != nil {
			p.printf("    %s\n", p.Dim("superseded "+by(*d.Struck)))
		}
	}
	printDecisionCount(p, r)
}

// Verified has the decisions of a checkpoint, and those that one of its versions lost.
type Verified struct{ *decisions.Record }

// DecisionsVerified prints which decisions were lost, and in which commit.
func DecisionsVerified(p *Printer, r Verified) {
	for _, l := range r.Losses {
		text := text.FirstLine(l.Decision.Text)
		made := "    made " + by(l.Made)
		switch {
		case l.Undone:
			p.printf("%s  %s\n%s\n    undone %s\n", p.Dim("undone"), text, p.Dim(made), by(l.In))
		case l.WasGone:
			p.printf("%s  %s\n%s\n    superseded before, removed %s\n", p.Dim("struck"), text, p.Dim(made), by(l.In))
		default:
			p.printf("%s    %s\n%s\n    gone %s\n", p.Red("lost"), text, p.Dim(made), by(l.In))
		}
		if l.Back != nil {
			p.printf("    back %s\n", by(*l.Back))
		}
	}
	if r.Lost() > 0 {
		p.printf("%s: %s lost in %s\n", r.ID, text.Count(r.Lost(), "decision"), text.Count(r.Checked, "version"))
	} else {
		p.printf("%s: %s, none lost in %s\n", r.ID, text.Count(len(r.Decisions), "decision"),
			text.Count(r.Checked, "version"))
	}
	p.remark(r.Warnings...)
}

// recordJSON is the answer of `ckpt decisions`.
type recordJSON struct {
	ID        string                `json:"id"`
	Path      string                `json:"path"`
	Live      int                   `json:"live"`               // the number of decisions in force
	Decisions result.List[madeJSON] `json:"decisions"`          // the decisions
	Verified  *verifiedJSON         `json:"verified,omitempty"` // with --verify: what was lost
	Warnings  []string              `json:"warnings,omitempty"`
}

// madeJSON is a decision with the commits about it, if history was read.
type madeJSON struct {
	What     string        `json:"what"`            // what was decided
	Why      string        `json:"why,omitempty"`   // the reason
	Live     bool          `json:"live"`            // the decision is in force
	Aside    string        `json:"aside,omitempty"` // the subheading that marks it as not decided
	Line     int           `json:"line"`
	Made     *versionJSON  `json:"made,omitempty"`     // the commit that made it
	Reworded []versionJSON `json:"reworded,omitempty"` // the commits that reworded it
	Struck   *versionJSON  `json:"struck,omitempty"`   // the commit that superseded it
}

// verifiedJSON tells whether a decision was lost.
type verifiedJSON struct {
	OK       bool                  `json:"ok"`       // no decision was lost
	Versions int                   `json:"versions"` // how many versions were compared
	Lost     int                   `json:"lost"`     // how many decisions were lost
	Losses   result.List[lossJSON] `json:"losses"`   // the decisions that a later version lacks
}

type lossJSON struct {
	What   string       `json:"what"`           // what was decided
	Why    string       `json:"why,omitempty"`  // the reason
	Made   *versionJSON `json:"made,omitempty"` // the commit that made it
	In     *versionJSON `json:"in,omitempty"`   // the commit that removed it; absent if none did yet
	Back   *versionJSON `json:"back,omitempty"` // the commit that has it again
	Fails  bool         `json:"fails"`          // the loss makes --verify fail
	Reason string       `json:"reason"`         // lost, undone or struck
}

func decisionsOf(r *decisions.Record, folder Folder) recordJSON {
	w := recordJSON{ID: r.ID, Path: path.Join(folder.Files, r.Path), Live: r.Live(), Warnings: r.Warnings}
	for _, d := range r.Decisions {
		made := madeJSON{What: d.What, Why: d.Why, Live: d.Live(), Aside: d.Aside, Line: d.Line,
			Made: versionOf(&d.Made, folder), Struck: versionOf(d.Struck, folder)}
		for _, v := range d.Reworded {
			if e := versionOf(&v, folder); e != nil {
				made.Reworded = append(made.Reworded, *e)
			}
		}
		w.Decisions = append(w.Decisions, made)
	}
	return w
}

func verifiedOf(r Verified, folder Folder) recordJSON {
	v := &verifiedJSON{OK: r.Lost() == 0, Versions: r.Checked, Lost: r.Lost()}
	for _, l := range r.Losses {
		reason := "lost"
		switch {
		case l.Undone:
			reason = "undone"
		case l.WasGone:
			reason = "struck"
		}
		v.Losses = append(v.Losses, lossJSON{
			What: l.Decision.What, Why: l.Decision.Why, Fails: l.Fails(), Reason: reason,
			Made: versionOf(&l.Made, folder), In: versionOf(&l.In, folder), Back: versionOf(l.Back, folder),
		})
	}
	w := decisionsOf(r.Record, folder)
	w.Verified = v
	return w
}
