package output

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/drift"
)

// verdicts are the verdicts in the order of the listing: first what leads nowhere.
var verdicts = []drift.Verdict{drift.Deleted, drift.Gone, drift.Moved, drift.Never, drift.Unknown, drift.Ignored, drift.Changed, drift.OK}

// Drift is a line a reference: its name, what has become of it, what names it; then
// how many there are of each kind.
func (p Text) Drift(r *drift.Report) error {
	style := p.pen()
	width, fate := 0, 0
	for i := range r.Findings {
		width = max(width, utf8.RuneCountInString(r.Findings[i].Name()))
		fate = max(fate, utf8.RuneCountInString(r.Findings[i].Fate()))
	}
	width, fate = min(width, 48), min(fate, 48)
	var counts []string
	for _, v := range verdicts {
		if n := r.Count(v); n > 0 {
			counts = append(counts, strconv.Itoa(n)+" "+string(v))
		}
		for i := range r.Findings {
			f := &r.Findings[i]
			if f.Verdict != v {
				continue
			}
			said := style.Plain(f.Fate())
			switch {
			case f.Stale():
				said = style.Red(f.Fate())
			case v == drift.OK:
				said = style.Green(f.Fate())
			}
			if from := width + fate + 4; p.room(from) {
				p.printf("%s%s  %s%s  %s\n", f.Name(), pad(f.Name(), width), said, pad(f.Fate(), fate), style.Dim(p.hang(places(f), from, from)))
			} else {
				p.printf("%s  %s\n    %s\n", f.Name(), said, style.Dim(p.hang(places(f), 4, 4)))
			}
		}
	}
	if len(r.Findings) == 0 {
		p.remark(r.ID + " names no file and no symbol in breadcrumbs, artifacts and next actions")
	} else {
		p.remark(r.ID + ": " + strings.Join(counts, ", "))
	}
	p.remark(r.Remarks...)
	return p.done()
}

func pad(text string, width int) string {
	return strings.Repeat(" ", max(width-utf8.RuneCountInString(text), 0))
}

func places(f *drift.Finding) string {
	var all []string
	for _, p := range f.Places {
		all = append(all, p.String())
	}
	return strings.Join(all, ", ")
}
